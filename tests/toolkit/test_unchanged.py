"""Tables stand without another check only where nothing that they were made from, or are made of, has changed."""

import os
import shutil
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from sotakit import unchanged
from sotakit import validate as validating
from sotakit.check import load
from sotakit.unchanged import unchanged_tables
from sotakit.validate import validate

Write = Callable[..., Path]
AS_OF = "2026-06-01"
SOURCE = (
    "id: paper-a\ntype: paper\ntitle: A\nresults:\n"
    "  - {id: row-1, benchmark: sorting-on-numbers, method: bubble, scores: {accuracy: 70.10}}\n"
)
IMAGE = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1"


@pytest.fixture
def data(write: Write, minimal: dict[str, str]) -> Path:
    folder = write(minimal | {"sources/paper-a.yaml": SOURCE, "notes/readme.txt": "", ".toolkitignore": "drafts\n"})
    (folder / "sources/paper-a.files").mkdir()
    (folder / "sources/paper-a.files/a.png").write_bytes(IMAGE)
    return folder


@pytest.fixture
def build(data: Path, tmp_path: Path) -> Path:
    assert validate(data, tmp_path / "build", AS_OF).tables
    return tmp_path / "build"


def stand(data: Path, build: Path, as_of: str = AS_OF, *, allow_errors: bool = False) -> bool:
    found = unchanged_tables(data, build, as_of, allow_errors=allow_errors)
    assert found in (None, build / "parquet")
    return found is not None


def test_tables_stand_while_nothing_has_changed(data: Path, build: Path) -> None:
    assert stand(data, build)
    for path in data.rglob("*"):
        os.utime(path)
    assert stand(data, build), "the time of a file says nothing of what is in it"


def test_files_that_nobody_reads_do_not_count(data: Path, build: Path) -> None:
    (data / "notes/readme.txt").write_text("more")
    (data / "LICENSE").write_text("CC0")
    (data / ".git").mkdir()
    (data / ".git/index.yaml").write_text("x")
    (data / "import-issues").mkdir()
    (data / "import-issues/pwc.jsonl").write_text("{}\n")
    (data / "sources/paper-a.files/b.txt").write_text("x")
    os.mkfifo(data / "notes/pipe")
    assert stand(data, build)


@pytest.mark.parametrize("name", ["sources/paper-a.yaml", "sources/paper-a.files/a.png", ".toolkitignore"])
def test_a_changed_byte_counts(data: Path, build: Path, name: str) -> None:
    path = data / name
    before = path.stat()
    path.write_bytes(path.read_bytes().swapcase())
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not stand(data, build)


def test_files_that_come_go_or_move_count(data: Path, build: Path) -> None:
    source, methods = data / "sources/paper-a.yaml", data / "methods.yaml"
    (data / "events.yaml").write_text("[]\n")
    assert not stand(data, build)
    (data / "events.yaml").unlink()
    assert stand(data, build)
    source.rename(data / "sources/paper-b.yaml")
    assert not stand(data, build)
    (data / "sources/paper-b.yaml").rename(source)
    assert stand(data, build)
    methods.unlink()
    assert not stand(data, build)


def test_another_day_another_question_or_another_program_counts(
    data: Path, build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not stand(data, build, "2026-06-02")
    assert not stand(data, build, allow_errors=True)
    monkeypatch.setattr(unchanged, "code_digest", lambda: "another")
    assert not stand(data, build)


@pytest.mark.parametrize("special", ["link", "link elsewhere", "pipe"])
def test_what_its_bytes_do_not_tell_is_always_checked(data: Path, tmp_path: Path, special: str) -> None:
    if special == "link":
        (data / "more.yaml").symlink_to(data / "tasks.yaml")
    elif special == "link elsewhere":
        (data / "more.txt").symlink_to(tmp_path)
    else:
        os.mkfifo(data / "events.yaml")
    validate(data, tmp_path / "build", AS_OF, allow_errors=True)
    assert not stand(data, tmp_path / "build", allow_errors=True)


@pytest.mark.parametrize("name", ["results.parquet", "manifest.json", "image-*.png"])
def test_damaged_tables_do_not_stand(data: Path, build: Path, name: str) -> None:
    (path,) = (build / "parquet").glob(name)
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)
    assert not stand(data, build)


def test_a_copy_of_a_build_folder_vouches_for_nothing(data: Path, build: Path, tmp_path: Path) -> None:
    shutil.copytree(build, tmp_path / "copy", symlinks=True)
    assert not stand(data, tmp_path / "copy")
    assert stand(data, build)


def test_tables_of_other_records_do_not_stand(data: Path, build: Path) -> None:
    source = data / "sources/paper-a.yaml"
    source.write_text(SOURCE.replace("70.10", "70.20"))
    validate(data, build, AS_OF)
    assert stand(data, build)
    source.write_text(SOURCE)
    assert not stand(data, build), "the tables in place are those of the other records"


def test_a_failed_check_leaves_nothing_to_rely_on(data: Path, build: Path) -> None:
    (data / "tasks.yaml").write_text("- {id: sorting, nam: Sorting}\n")
    assert validate(data, build, AS_OF).tables is None
    assert not stand(data, build)


def test_a_file_that_vanishes_while_it_is_looked_at_costs_another_check_only(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone:
        path = str(data / "events.yaml")

        def stat(self, *, follow_symlinks: bool) -> os.stat_result:
            raise FileNotFoundError(self.path)

    monkeypatch.setattr(unchanged, "_entries", lambda folder, beside: iter([Gone()]))
    assert validate(data, tmp_path / "build", AS_OF).tables
    assert not stand(data, tmp_path / "build")


def test_without_the_versions_of_packages_nothing_is_sure(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(unchanged, "version", unknown)
    assert validate(data, tmp_path / "build", AS_OF).tables
    assert not stand(data, tmp_path / "build")


def test_an_edit_while_records_are_compiled_counts_even_if_it_is_undone(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, build = data / "sources/paper-a.yaml", tmp_path / "build"
    before = source.stat()

    def edited_meanwhile(*arguments: Any) -> Any:
        source.write_text(SOURCE.replace("70.10", "70.20"))
        opened = load.open_folder(*arguments)
        rows = list(opened[1])
        source.write_text(SOURCE)
        os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
        return opened[0], iter(rows)

    monkeypatch.setattr(validating, "open_folder", edited_meanwhile)
    assert validate(data, build, AS_OF).tables
    assert not stand(data, build), "the tables hold what the file said for a moment"
    monkeypatch.undo()
    assert validate(data, build, AS_OF).tables
    assert stand(data, build)


@pytest.mark.parametrize("text", ["[" * 200_000, "", "{", "[]", '{"key": ""}', '{"key": 1, "tables": []}', "null"])
def test_a_damaged_record_is_as_none(data: Path, build: Path, text: str) -> None:
    (record,) = build.glob(".compiled-from*")
    record.write_text(text)
    assert not stand(data, build)
