"""The output folder: only our own files are touched, and a build that fails or dies leaves something that heals."""

import errno
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pagesupport import TINY, build, snapshot
from sotakit.errors import OutputError, UsageError
from sotakit.publish import output
from sotakit.publish.output import MANIFEST, publish

Files = list[tuple[str, str | bytes]]
FIRST: Files = [("index.html", "one"), ("a/index.html", "two"), ("a/b/c.md", "drei ä"), ("data/x.parquet", b"\x00\xff")]


def modified(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.parent.iterdir() if ".staging-" in path.name]


def test_files_are_written_with_their_bytes_and_a_manifest(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "public"
    assert publish(FIRST, out) == (4, 0, 0)
    found = snapshot(out)
    listed = json.loads(found.pop(MANIFEST))
    assert found == {name: text.encode() if isinstance(text, str) else text for name, text in FIRST}
    assert sorted(listed["files"]) == sorted(found)
    assert listed["format"] == 1
    assert leftovers(out) == []


def test_a_path_stands_for_the_bytes_of_that_file(tmp_path: Path) -> None:
    out, large = tmp_path / "public", tmp_path / "large"
    large.write_bytes(b"\x00" * 3_000_000)
    assert publish([("data/large", large), *FIRST], out).written == 5
    assert (out / "data/large").read_bytes() == large.read_bytes()
    assert publish([("data/large", large), *FIRST], out) == (0, 5, 0)
    large.write_bytes(b"\x01" * 3_000_000)
    assert publish([("data/large", large), *FIRST], out) == (1, 4, 0)
    assert (out / "data/large").read_bytes() == large.read_bytes()


def test_a_second_build_changes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "public"
    publish(FIRST, out)
    before = modified(out)
    time.sleep(0.02)
    assert publish(FIRST, out) == (0, 4, 0)
    assert modified(out) == before


def test_only_what_differs_is_written_again(tmp_path: Path) -> None:
    out = tmp_path / "public"
    publish(FIRST, out)
    before = modified(out)
    time.sleep(0.02)
    assert publish([*FIRST[:1], ("a/index.html", "new"), *FIRST[2:]], out) == (1, 3, 0)
    changed = {name for name, stamp in modified(out).items() if before[name] != stamp}
    assert changed == {str(out / "a/index.html"), str(out / MANIFEST)}


def test_a_page_changed_by_hand_is_written_again(tmp_path: Path) -> None:
    out = tmp_path / "public"
    publish(FIRST, out)
    (out / "a/index.html").write_text("tampered")
    assert publish(FIRST, out) == (1, 3, 0)
    assert (out / "a/index.html").read_text() == "two"


def test_pages_that_ceased_to_exist_vanish_with_their_folders_and_foreign_files_stay(tmp_path: Path) -> None:
    out = tmp_path / "public"
    publish(FIRST, out)
    (out / "CNAME").write_text("example.org")
    (out / "a" / "mine.txt").write_text("mine")
    assert publish(FIRST[:1], out) == (0, 1, 3)
    assert sorted(snapshot(out)) == [MANIFEST, "CNAME", "a/mine.txt", "index.html"]
    assert not (out / "a/b").exists()
    assert not (out / "data").exists()


@pytest.mark.parametrize("name", ["index.html", ".git/config", "sub/file"])
def test_a_folder_that_is_not_ours_is_refused_untouched(tmp_path: Path, name: str) -> None:
    out = tmp_path / "public"
    (out / name).parent.mkdir(parents=True)
    (out / name).write_text("mine")
    before = snapshot(tmp_path)
    with pytest.raises(OutputError, match="not written by this tool"):
        publish(FIRST, out)
    assert snapshot(tmp_path) == before


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "public"
    out.write_text("mine")
    with pytest.raises(OutputError, match="is not a folder"):
        publish(FIRST, out)
    assert out.read_text() == "mine"


@pytest.mark.parametrize("name", ["a/new.html", "a"])
def test_a_foreign_file_where_a_page_should_go_is_refused_untouched(tmp_path: Path, name: str) -> None:
    out = tmp_path / "public"
    publish(FIRST[:1], out)
    (out / name).parent.mkdir(exist_ok=True)
    (out / name).write_text("mine")
    before = snapshot(out)
    with pytest.raises(OutputError, match="was not written by this tool"):
        publish([("index.html", "changed"), ("a/new.html", "x")], out)
    assert snapshot(out) == before


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "3", "{}", '{"files": []}', '{"files": null}', "\x00", "[" * 100_000,
     '{"files": {"../outside.txt": "0"}}', '{"files": {"/etc/passwd": "0"}}', '{"files": {"a/../../x": "0"}}',
     '{"files": {"": "0"}}', '{"files": {"a\\u0000b": "0"}}'],
)  # fmt: skip
def test_a_damaged_manifest_is_refused_and_nothing_outside_is_touched(tmp_path: Path, text: str) -> None:
    out = tmp_path / "public"
    publish(FIRST, out)
    (tmp_path / "outside.txt").write_text("mine")
    (out / MANIFEST).write_text(text)
    before = snapshot(tmp_path)
    with pytest.raises(OutputError, match="remove the folder"):
        publish(FIRST[:1], out)
    assert snapshot(tmp_path) == before


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("method/co2.html", "method/CO2.html"),
        ("a.md", "a.md"),
        ("caf\u00e9.md", "cafe\u0301.md"),
        ("stra\u00dfe.md", "STRASSE.md"),
        ("a.md", "a.md/index.html"),
        ("a.md/index.html", "a.md"),
        ("A.md/x/index.html", "a.MD"),
    ],
)
def test_two_pages_with_one_path_fail_naming_both(tmp_path: Path, first: str, second: str) -> None:
    out = tmp_path / "public"
    publish(FIRST, out)
    before = snapshot(tmp_path)
    with pytest.raises(OutputError) as caught:
        publish([(first, "1"), (second, "2")], out)
    assert first in str(caught.value)
    assert second in str(caught.value)
    assert snapshot(tmp_path) == before


def test_a_page_that_cannot_be_made_leaves_the_old_site_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "public"
    publish(FIRST, out)
    before, stamps = snapshot(tmp_path), modified(out)

    def broken():  # type: ignore[no-untyped-def]
        yield "index.html", "new"
        raise UsageError("template")

    with pytest.raises(UsageError):
        publish(broken(), out)
    assert snapshot(tmp_path) == before
    assert modified(out) == stamps


Patch = Callable[[pytest.MonkeyPatch, int], None]


def fail_writes(monkeypatch: pytest.MonkeyPatch, nth: int) -> None:
    """The nth write or rename of a file fails as if the disk were full."""
    count = 0

    def guarded(original: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            nonlocal count
            count += 1
            if count == nth:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(args[0]))
            return original(*args, **kwargs)

        return call

    for name in ("write_text", "replace", "unlink", "mkdir"):
        monkeypatch.setattr(Path, name, guarded(getattr(Path, name)))
    monkeypatch.setattr(os, "makedirs", guarded(os.makedirs))
    monkeypatch.setattr(output, "_write", guarded(output._write))


NEW: Files = [("index.html", "ONE"), ("d/index.html", "four"), ("a/b/c.md", "drei ä"), ("data/x.parquet", b"\x01")]


@pytest.mark.parametrize("existing", [True, False])
@pytest.mark.parametrize("nth", range(1, 40))
def test_a_failing_write_leaves_what_the_next_build_heals(tmp_path: Path, nth: int, existing: bool) -> None:
    out = tmp_path / "public"
    if existing:
        publish(FIRST, out)
    before = snapshot(out)
    with pytest.MonkeyPatch.context() as patch:
        fail_writes(patch, nth)
        try:
            publish(NEW, out)
        except OutputError as error:
            assert "cannot be written" in str(error)  # noqa: PT017 - the last rounds do not fail
    half = snapshot(out) if out.exists() else {}
    known = [*before.items(), *((name, text.encode() if isinstance(text, str) else text) for name, text in NEW)]
    for name, raw in half.items():
        assert name.startswith(MANIFEST) or (name, raw) in known, "a file that is neither the old nor the new one"
    publish(NEW, out)
    found = snapshot(out)
    assert sorted(found) == sorted([MANIFEST, *(name for name, _ in NEW)])
    assert found["index.html"] == b"ONE"
    assert leftovers(out) == []


def test_a_killed_build_is_swept_away_by_the_next(tmp_path: Path) -> None:
    out = tmp_path / "public"
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    stale = tmp_path / f".public.staging-{dead.pid}"
    stale.mkdir()
    (stale / "x").write_text("x")
    other = tmp_path / f".public.staging-{os.getppid()}"
    other.mkdir()
    publish(FIRST, out)
    assert not stale.exists()
    assert other.exists()


def test_an_output_folder_named_by_a_dot_or_a_link_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = tmp_path / "real" / "public"
    real.mkdir(parents=True)
    (tmp_path / "link").symlink_to(real)
    assert publish(FIRST, tmp_path / "link").written == 4
    monkeypatch.chdir(real)
    assert publish(FIRST, Path()) == (0, 4, 0)
    assert leftovers(real) == []
    assert leftovers(tmp_path / "link") == []


def test_a_removed_record_takes_its_pages_along(
    tmp_path: Path, minimal: dict[str, str], write: Callable[..., Path]
) -> None:
    out = tmp_path / "public"
    minimal["methods.yaml"] += "- {id: quick, name: Quick}\n"
    data = write(minimal)
    build(data, out)
    assert (out / "method/quick.md").is_file()
    (data / "methods.yaml").write_text("- {id: bubble, name: Bubble}\n- {id: merge, name: Merge}\n")
    build(data, out)
    assert [name for name in snapshot(out) if "quick" in name] == []
    assert not (out / "method/quick").exists()


def test_an_updated_site_equals_one_built_afresh(
    tmp_path: Path, minimal: dict[str, str], write: Callable[..., Path]
) -> None:
    data = write(minimal)
    build(data, tmp_path / "updated")
    source = data / "sources/paper-a.yaml"
    source.write_text(source.read_text().replace("93.2", "94.0"))
    build(data, tmp_path / "updated")
    build(data, tmp_path / "fresh")
    assert snapshot(tmp_path / "updated") == snapshot(tmp_path / "fresh")


def test_the_same_records_give_the_same_bytes_everywhere(tmp_path: Path, tiny_site: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    environment = {**os.environ, "PYTHONHASHSEED": "4242", "TZ": "Pacific/Kiritimati", "LC_ALL": "C", "COLUMNS": "40"}
    script = "from sotakit.cli import app; app()"
    command = [sys.executable, "-c", script, "build-site", os.path.relpath(TINY / "data", other), "--out", "site/x"]
    subprocess.run(
        [*command, "--build", "b", "--as-of", "2026-07-01"], cwd=other, env=environment, check=True, capture_output=True
    )
    assert snapshot(other / "site/x") == snapshot(tiny_site)
