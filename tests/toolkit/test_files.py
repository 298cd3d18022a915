"""Which files are records, and what stands in the way of reading them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sotakit.check.findings import Finding
from sotakit.check.load import load
from sotakit.errors import InputError, UsageError
from sotakit.read import files, json_reader, places, reader
from sotakit.read.files import byte_lines, decode, list_files
from sotakit.read.raw import Unreadable

Write = Callable[..., Path]


def listed(data: Path) -> dict[str, tuple[str, str | None] | str]:
    """Name to (kind, source) of what is read, to the code of what is not."""
    return {
        item.origin.file if isinstance(item, Finding) else item.name: item.code
        if isinstance(item, Finding)
        else (item.kind, item.source)
        for item in list_files(data)
    }


def test_kind_is_the_first_folder_else_the_stem(write: Write) -> None:
    data = write(
        dict.fromkeys(
            [
                "metrics.yaml", "methods/a.yml", "methods/deep/b.json", "tasks.csv", "events.jsonl",
                "sources/x.results.jsonl", "sources/y.results.csv", "sources/z.yaml", "methods.extra.yaml",
            ],
            "",
        )
    )  # fmt: skip
    assert listed(data) == {
        "events.jsonl": ("events", None),
        "methods.extra.yaml": ("methods", None),
        "methods/a.yml": ("methods", None),
        "methods/deep/b.json": ("methods", None),
        "metrics.yaml": ("metrics", None),
        "sources/x.results.jsonl": ("sources", "x"),
        "sources/y.results.csv": ("sources", "y"),
        "sources/z.yaml": ("sources", None),
        "tasks.csv": ("tasks", None),
    }


def test_other_files_and_reserved_folders_are_left_alone(write: Write) -> None:
    names = ["README.md", "x.txt", ".hidden.yaml", ".git/x.yaml", "import-issues/a.jsonl", "sources/a.files/b.yaml",
             "methods.mapping.yaml"]  # fmt: skip
    assert listed(write(dict.fromkeys(names, ""))) == {}


def test_unknown_kind_with_the_probable_one(write: Write) -> None:
    (finding,) = list_files(write({"methodes.yaml": ""}))
    assert isinstance(finding, Finding)
    assert (finding.code, finding.hint) == ("E109", "did you mean 'methods'?")


def test_unknown_kind_like_nothing_lists_the_kinds(write: Write) -> None:
    (finding,) = list_files(write({"zzzz/a.json": ""}))
    assert isinstance(finding, Finding)
    assert finding.code == "E109"
    assert "benchmarks" in finding.hint


def test_toolkitignore(write: Write) -> None:
    data = write(
        {
            ".toolkitignore": "# drafts\ndrafts/\n\n*.tmp.yaml\nmethods/old.yaml\n",
            "drafts/a.yaml": "",
            "drafts/deep/b.yaml": "",
            "methods/x.tmp.yaml": "",
            "methods/old.yaml": "",
            "methods/new.yaml": "",
            "draftsman.yaml": "",
        }
    )
    assert set(listed(data)) == {"methods/new.yaml", "draftsman.yaml"}


def test_ignore_file_that_is_not_text_is_a_configuration_error(write: Write) -> None:
    with pytest.raises(UsageError, match=r"\.toolkitignore"):
        list(list_files(write({".toolkitignore": b"\xff\xfe"})))


def test_links_out_of_the_tree_are_refused(write: Write, tmp_path: Path) -> None:
    data = write({"methods/a.yaml": "id: a"})
    (tmp_path / "outside.yaml").write_text("id: b")
    (tmp_path / "folder").mkdir()
    (data / "methods" / "b.yaml").symlink_to(tmp_path / "outside.yaml")
    (data / "methods" / "c").symlink_to(tmp_path / "folder")
    (data / "methods" / "d.yaml").symlink_to("a.yaml")
    (data / "methods" / "e").symlink_to(data)
    assert listed(data) == {
        "methods/a.yaml": ("methods", None),
        "methods/b.yaml": "E108",
        "methods/c": "E108",
        "methods/d.yaml": ("methods", None),
    }


def test_broken_and_circular_links_are_findings(write: Write) -> None:
    data = write({})
    (data / "methods.yaml").symlink_to("nowhere.yaml")
    (data / "tasks.yaml").symlink_to("tasks.yaml")
    assert [(found.origin.file, found.code) for found in load(data).findings] == [
        ("methods.yaml", "E101"),
        ("tasks.yaml", "E101"),
    ]


def test_a_pipe_is_not_opened(write: Write) -> None:
    data = write({})
    os.mkfifo(data / "methods.yaml")
    assert listed(data) == {"methods.yaml": "E101"}


@pytest.mark.parametrize("name", ["missing", "file"])
def test_data_that_is_no_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=name):
        list(list_files(tmp_path / name))


def test_a_folder_that_cannot_be_listed(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write({"methods/a.yaml": "", "tasks/b.yaml": ""})
    real = os.scandir

    def scandir(path: Path) -> object:
        if Path(path).name == closed:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(files.os, "scandir", scandir)
    closed = "methods"
    assert listed(data) == {"methods": "E101", "tasks/b.yaml": ("tasks", None)}
    closed = "data"
    with pytest.raises(InputError, match="Permission denied"):
        listed(data)


@pytest.mark.parametrize("suffix", ["yaml", "json", "jsonl", "csv"])
def test_a_file_that_cannot_be_read_is_a_finding(write: Write, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    data = write({f"methods.{suffix}": "", "tasks.yaml": "- id: a\n  name: A\n"})

    def deny(path: Path, *_: object) -> None:
        if path.stem == "methods":
            raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(files, "_check_size", deny)
    collection = load(data)
    assert [(found.code, found.origin.file, found.line) for found in collection.findings] == [
        ("E101", f"methods.{suffix}", 1)
    ]
    assert collection.counted == 2


@pytest.mark.parametrize(
    ("raw", "line", "column"), [(b"a\nb\xffc", 2, 2), (b"\xff", 1, 1), ("é\né".encode() + b"\xe9x", 2, 2)]
)
def test_bytes_that_are_not_utf8_have_a_place(raw: bytes, line: int, column: int) -> None:
    with pytest.raises(Unreadable) as caught:
        decode(raw)
    assert caught.value.fault[:3] == ("E102", line, column)


def test_nul_characters_are_not_text() -> None:
    with pytest.raises(Unreadable):
        decode("id: a".encode("utf-16-le"))


@pytest.mark.parametrize("suffix", ["yaml", "json", "jsonl", "csv"])
def test_byte_order_mark_is_a_warning_and_changes_nothing_else(write: Write, suffix: str) -> None:
    texts = {"yaml": "id: a\nname: A\n", "json": '{"id": "a", "name": "A"}', "jsonl": '{"id": "a", "name": "A"}\n',
             "csv": "id,name\na,A\n"}  # fmt: skip
    collection = load(write({f"tasks.{suffix}": b"\xef\xbb\xbf" + texts[suffix].encode()}))
    assert [(found.code, found.severity, found.line, found.column) for found in collection.findings] == [
        ("W103", "warning", 1, 1)
    ]
    assert [task.id for task, _ in collection.tasks] == ["a"]


@pytest.mark.parametrize(
    ("suffix", "limit"),
    [
        ("yaml", "MAX_DOCUMENT_BYTES"),
        ("json", "MAX_DOCUMENT_BYTES"),
        ("jsonl", "MAX_FILE_BYTES"),
        ("csv", "MAX_FILE_BYTES"),
    ],
)
def test_a_file_over_its_limit(write: Write, monkeypatch: pytest.MonkeyPatch, suffix: str, limit: str) -> None:
    monkeypatch.setattr(files, limit, 10)
    (finding,) = load(write({f"tasks.{suffix}": "x" * 11})).findings
    assert (finding.code, finding.line, finding.column) == ("E106", 1, 1)
    assert "limit is 10" in finding.message
    assert finding.hint


def test_a_long_line_is_not_held_in_memory(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_LINE", 40)
    monkeypatch.setattr(json_reader, "MAX_LINE", 40)
    text = '{"id": "a", "name": "A"}\n{"id": "b", "name": "' + "x" * 500 + '"}\n{"id": "c", "name": "C"}\n'
    data = write({"tasks.jsonl": text})
    assert max(map(len, byte_lines(data / "tasks.jsonl"))) == 41
    collection = load(data)
    assert [task.id for task, _ in collection.tasks] == ["a", "c"]
    assert [(found.code, found.line) for found in collection.findings] == [("E106", 2)]


def test_bad_bytes_behind_good_lines_are_one_refused_record(write: Write) -> None:
    text = b"".join(b'{"id": "t%d", "name": "T"}\n' % number for number in range(1000))
    collection = load(write({"tasks.jsonl": text + b'{"id": "\xe9"}\n'}))
    (finding,) = collection.findings
    assert (finding.code, finding.line, finding.column) == ("E102", 1001, 9)
    assert collection.counted == collection.size + 1 > 500
    assert finding.origin not in {origin for _, origin in collection.tasks}


def test_a_mapping_file_alone_is_no_record(write: Write) -> None:
    assert reader.mapping_of(write({"a.mapping.yaml": "x: id"}) / "a.csv") == {"x": "id"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    content=st.one_of(
        st.binary(max_size=60),
        st.lists(
            st.sampled_from(
                [b"id: a", b"- ", b"\n", b'{"id": "', b'"}', b",", b"\xff", b"\xef\xbb\xbf", b"\x00", b"name"]
            )
        ).map(b"".join),
    ),
    suffix=st.sampled_from(["yaml", "json", "jsonl", "csv"]),
)
def test_any_bytes_are_records_or_findings_with_a_place(write: Write, content: bytes, suffix: str) -> None:
    data = write({f"tasks.{suffix}": content}, suffix)
    collection = load(data)
    assert collection.counted == collection.size + collection.unread
    for found in places.place(collection.findings, data):
        assert (found.line or 0) >= 1
        assert (found.column or 0) >= 1
