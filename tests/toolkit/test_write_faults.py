"""Every operation that writes fails once, with each reason a disk can give: exit 4, one line, the old tables as before.

The operating system's functions fail in their Python forms; what compiled code writes fails by a limit on the size of
files, and where a file system can be mounted by one that is full.
"""

import builtins
import errno
import io
import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result as Run
from typer.testing import CliRunner

from pagesupport import snapshot
from sotakit.cli import app
from sotakit.verify import verify

Write = Callable[..., Path]
SOURCE = "sources/paper-a.yaml"
REASONS = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS)


def run(data: Path, build: Path) -> Run:
    return CliRunner().invoke(app, ["validate", str(data), "--out", str(build), "--quiet"])


@pytest.fixture
def data(write: Write, minimal: dict[str, str]) -> Path:
    return write(minimal)


@pytest.fixture
def other(write: Write, minimal: dict[str, str]) -> Path:
    """Another registry, for the run that fails."""
    return write({**minimal, SOURCE: minimal[SOURCE].replace("93.2", "50.5")}, "other")


def state(build: Path) -> dict[str, bytes]:
    """What readers see: the link and all that is behind it."""
    link = {"link": bytes((build / "parquet").readlink())} if (build / "parquet").is_symlink() else {}
    return link | (snapshot(build / "parquet") if (build / "parquet").exists() else {})


class Faulty:
    """Counts the calls of some functions on paths below a folder and lets one of them fail."""

    def __init__(self, folder: Path, failing: int, reason: int) -> None:
        self.folder, self.failing, self.reason, self.calls = str(folder), failing, reason, 0

    def count(self, *places: object) -> None:
        """One more call; where it is to fail, with the paths that the operating system's own error would name."""
        self.calls += 1
        if self.calls == self.failing:
            names = [os.fspath(place) for place in places if isinstance(place, str | os.PathLike)]
            error = OSError(self.reason, os.strerror(self.reason), *names[:1])
            error.filename2 = names[1] if len(names) > 1 else None
            raise error

    def concerns(self, *places: object) -> bool:
        paths = [os.fspath(place) for place in places if isinstance(place, str | os.PathLike)]
        return any(str(path).startswith(self.folder) for path in paths)

    def wrap(self, real: Callable[..., Any], paths: int) -> Callable[..., Any]:
        """The function, counting calls whose first arguments, so many, are paths that concern us; with none, all."""

        def call(*args: Any, **options: Any) -> Any:
            if paths == 0 or self.concerns(*args[:paths]):
                self.count(*args[:paths])
            return real(*args, **options)

        return call

    def open(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
            stream = real(file, mode, *args, **options)
            return FaultyStream(stream, self) if self.concerns(file) and set(mode) & set("wax+") else stream

        return call


class FaultyStream:
    """A file whose writes count."""

    def __init__(self, stream: Any, faults: Faulty) -> None:
        self._stream, self._faults = stream, faults

    def write(self, content: Any) -> Any:
        self._faults.count(self._stream.name)
        return self._stream.write(content)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __enter__(self) -> "FaultyStream":
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()


OPERATIONS = ("open", "mkdir", "rename", "replace", "symlink", "link", "unlink", "fsync", "write", "stream", "scandir")
USED = {"open", "mkdir", "rename", "replace", "symlink", "fsync", "stream"}
"""Operations that a run cannot do without."""


@contextmanager
def failing(operation: str, faults: Faulty) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if operation == "stream":
            for module in (builtins, io):
                patch.setattr(module, "open", faults.open(open))
        else:
            paths = {"fsync": 0, "write": 0, "rename": 2, "replace": 2, "symlink": 2, "link": 2}.get(operation, 1)
            patch.setattr(os, operation, faults.wrap(getattr(os, operation), paths))
            if operation == "open":
                for module in (builtins, io):
                    patch.setattr(module, "open", faults.wrap(open, 1))
        yield


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_fails_once(data: Path, other: Path, tmp_path: Path, operation: str) -> None:
    build = tmp_path / "build"
    assert run(data, build).exit_code == 0
    before = state(build)
    refused = 0
    for number, reason in zip(range(1, 400), cycle(REASONS)):
        faults = Faulty(build, number, reason)
        with failing(operation, faults):
            shown = run(other, build)
        if shown.exit_code == 0:
            assert verify(build) == []
            assert state(build) != before
            if faults.calls < number:
                break
            shutil.rmtree(build)  # what failed was tidying behind the new tables
            assert run(data, build).exit_code == 0
            continue
        refused += 1
        assert shown.exit_code == 4, shown.output
        assert shown.stdout == ""
        assert len(shown.stderr.splitlines()) == 1
        assert shown.stderr.startswith("error: ")
        assert str(build) in shown.stderr
        assert os.strerror(reason) in shown.stderr
        assert state(build) == before, f"call {number}"
    else:
        pytest.fail("the run never came to its end")
    assert refused > 0 or operation not in USED
    assert run(data, build).exit_code == 0
    assert state(build) == before


def test_a_first_run_that_fails_leaves_no_tables(data: Path, tmp_path: Path) -> None:
    for number in range(1, 12):
        build = tmp_path / f"build-{number}"
        with failing("open", Faulty(build, number, errno.ENOSPC)):
            assert run(data, build).exit_code == 4
        assert not (build / "parquet").exists()
        assert run(data, build).exit_code == 0
        assert verify(build) == []


def test_files_that_may_not_grow(data: Path, other: Path, tmp_path: Path) -> None:
    """A limit on the size of files also stops what compiled code writes."""
    build = tmp_path / "build"
    assert run(data, build).exit_code == 0
    before = state(build)
    largest = max(len(content) for content in before.values())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in [0, 1, 3, 4, 5, 100, *range(500, largest, 700), largest - 1]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
        try:
            shown = run(other, build)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert shown.exit_code == 4, limit
        assert len(shown.stderr.splitlines()) == 1
        assert str(build) in shown.stderr
        assert state(build) == before, limit
    assert run(other, build).exit_code == 0
    assert verify(build) == []


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mounts a small file system of its own; skips where that is not allowed."""
    mounted: list[Path] = []

    def mount(options: str) -> Path:
        folder = tmp_path / f"disk-{len(mounted)}"
        folder.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
        if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("no file system can be mounted here")
        mounted.append(folder)
        return folder

    yield mount
    for folder in mounted:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # another process may be looking at it


def test_a_full_disk(data: Path, other: Path, disk: Callable[[str], Path]) -> None:
    folder = disk("size=1m")
    build, ballast = folder / "build", folder / "ballast"
    assert run(data, build).exit_code == 0
    before, refused = state(build), 0
    for pages in range(0, 200, 3):
        ballast.unlink(missing_ok=True)
        free = os.statvfs(folder).f_bavail * os.statvfs(folder).f_frsize
        ballast.write_bytes(bytes(max(0, free - pages * 4096)))
        shown = run(other, build)
        if shown.exit_code == 0:
            break
        refused += 1
        assert shown.exit_code == 4
        assert len(shown.stderr.splitlines()) == 1
        assert str(folder) in shown.stderr
        assert os.strerror(errno.ENOSPC) in shown.stderr
        assert state(build) == before
    assert refused > 3
    assert (verify(build), state(build) != before) == ([], True)


def test_a_disk_without_room_for_more_files(data: Path, other: Path, disk: Callable[[str], Path]) -> None:
    files = 0
    for inodes in range(4, 120, 4):
        folder = disk(f"size=4m,nr_inodes={inodes}")
        first = run(data, folder / "build")
        if first.exit_code == 0:
            before = state(folder / "build")
            shown = run(other, folder / "build")
            if shown.exit_code == 0:
                break
            assert state(folder / "build") == before
            first = shown
        files += 1
        assert first.exit_code == 4
        assert os.strerror(errno.ENOSPC) in first.stderr
    assert files > 2


def test_a_file_system_that_is_read_only(data: Path, other: Path, disk: Callable[[str], Path]) -> None:
    folder = disk("size=4m")
    assert run(data, folder / "build").exit_code == 0
    before = state(folder / "build")
    subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    shown = run(other, folder / "build")
    assert (shown.exit_code, os.strerror(errno.EROFS) in shown.stderr) == (4, True)
    assert state(folder / "build") == before
