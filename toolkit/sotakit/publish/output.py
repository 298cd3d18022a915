"""Writing a site: staged beside the target, compared, moved file by file, the manifest last.

Only files that our own manifest names are ever replaced or removed; a folder with other content is refused.
"""

import glob
import hashlib
import os
import re
import shutil
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pydantic_core import from_json, to_json

from sotakit.compiled import file_sha256
from sotakit.errors import OutputError
from sotakit.processes import alive

MANIFEST = ".toolkit-manifest.json"
_NEW_MANIFEST = f"{MANIFEST}.new"
_CHUNK = 1 << 20
_OUTSIDE = re.compile(r"(?:^|/)\.{0,2}(?:/|$)|\0")
"""A part of a path that is empty or leads upwards."""

Content = str | bytes | Path
"""What a file of the site holds; a path stands for the bytes of that file."""


class Changes(NamedTuple):
    """What a build did to the output folder."""

    written: int
    unchanged: int
    removed: int


class File(NamedTuple):
    """A file of the site as it was written: its content, and by what it is seen that nobody touched it since."""

    name: str
    sha256: str
    size: int
    mtime: int
    """In nanoseconds."""


class Output:
    """The folder of a site while it is built: files are staged where they differ, and put in place all together."""

    def __init__(self, out: Path, staging: Path, owned: Mapping[str, str], known: Mapping[str, File]) -> None:
        self._out, self._staging = str(out), str(staging)
        self._owned = owned
        self._known = known
        self._folders = {self._staging}

    def untouched(self, file: File) -> bool:
        """Whether a file is one of ours and still as it was written, by its size and its time."""
        if self._owned.get(file.name) != file.sha256:
            return False
        try:
            found = os.stat(f"{self._out}/{file.name}", follow_symlinks=False)  # noqa: PTH116 - tens of thousands of them
        except OSError:
            return False
        return found.st_size == file.size and found.st_mtime_ns == file.mtime

    def owns(self, names: Iterable[str]) -> bool:
        """Whether an earlier build wrote files of all these names, which it had checked against each other."""
        return all(name in self._owned for name in names)

    def put(self, name: str, content: Content) -> tuple[File, bool]:
        """Note a file of the site and stage it unless it is in place already; says whether it was staged."""
        if isinstance(content, Path):
            return self._copy(name, content)
        raw = content.encode() if isinstance(content, str) else content
        digest = hashlib.sha256(raw).hexdigest()
        if (found := self._in_place(name, digest, raw)) is not None:
            return found, False
        path = self._staged(name)
        with suppress(NotADirectoryError, IsADirectoryError, FileExistsError):  # `check_paths` names the two pages
            stat = _write(path, raw)
            return File(name, digest, len(raw), stat.st_mtime_ns), True
        return File(name, digest, len(raw), 0), True

    def _copy(self, name: str, source: Path) -> tuple[File, bool]:
        """The same for the bytes of another file, which may be large and is not read at once."""
        digest = file_sha256(source)
        known, place = self._known.get(name), Path(self._out, name)
        if known is not None and known.sha256 == digest and self.untouched(known):
            return known, False
        if name in self._owned and place.is_file() and file_sha256(place) == digest:
            stat = place.stat()
            return File(name, digest, stat.st_size, stat.st_mtime_ns), False
        path = self._staged(name)
        shutil.copyfile(source, path)
        stat = os.stat(path)  # noqa: PTH116
        return File(name, digest, stat.st_size, stat.st_mtime_ns), True

    def _in_place(self, name: str, digest: str, raw: bytes) -> File | None:
        """The file as it lies in the folder, if it holds these bytes."""
        known = self._known.get(name)
        if known is not None and self.untouched(known):
            return known if known.sha256 == digest else None
        if name not in self._owned:
            return None
        with suppress(OSError), open(f"{self._out}/{name}", "rb") as stream:  # noqa: PTH123
            stat = os.fstat(stream.fileno())
            if stat.st_size == len(raw) and stream.read() == raw:
                return File(name, digest, stat.st_size, stat.st_mtime_ns)
        return None

    def _staged(self, name: str) -> str:
        """The path of a file in the staging folder, whose own folder exists then."""
        path = f"{self._staging}/{name}"
        folder = path.rpartition("/")[0]
        if folder not in self._folders:
            with suppress(NotADirectoryError, FileExistsError):
                os.makedirs(folder, exist_ok=True)  # noqa: PTH103
            self._folders.add(folder)
        return path

    def read(self, name: str) -> bytes:
        """What a file of this build says, wherever it lies by now."""
        staged = Path(self._staging, name)
        return (staged if staged.is_file() else Path(self._out, name)).read_bytes()

    def install(self, files: Iterable[File], staged: Iterable[str]) -> Changes:
        """Put the staged files in place, remove what is no longer made, and write the manifest last.

        The manifest of the old and new files together is written first: after a kill, the next build owns them all.
        """
        hashes = {file.name: file.sha256 for file in files}
        changed, stale = list(staged), sorted(self._owned.keys() - hashes.keys())
        for name in stale:
            if not _inside(name):
                place = Path(self._out, MANIFEST)
                raise OutputError(
                    f"{place}: names {name!r}, which is not a file of a site; remove the folder {self._out}"
                )
        if not os.path.lexists(self._out):
            _write_manifest(Path(self._staging), hashes)
            Path(self._staging).replace(self._out)
            return Changes(len(hashes), 0, 0)
        out = Path(self._out)
        self._refuse_foreign(out, [name for name in changed if name not in self._owned])
        (out / _NEW_MANIFEST).unlink(missing_ok=True)
        if not changed and self._owned == hashes:
            return Changes(0, len(hashes), 0)
        if hashes.keys() - self._owned.keys():
            _write_manifest(out, {**self._owned, **hashes})
        for name in stale:
            (out / name).unlink(missing_ok=True)
            _remove_empty(out, (out / name).parent)
        self._move(changed)
        _write_manifest(out, hashes)
        return Changes(len(changed), len(hashes) - len(changed), len(stale))

    def _refuse_foreign(self, out: Path, names: Iterable[str]) -> None:
        for name in names:
            above = [parent.as_posix() for parent in PurePosixPath(name).parents][:-1]
            files = [path for path in above if path not in self._owned and (out / path).is_file()]
            for path in [*files, *([name] if os.path.lexists(out / name) else [])]:
                raise OutputError(f"{out / path}: exists and was not written by this tool; move it away")

    def _move(self, names: Iterable[str]) -> None:
        folders: set[str] = set()
        for name in names:
            target = f"{self._out}/{name}"
            folder = target.rpartition("/")[0]
            if folder not in folders:
                Path(folder).mkdir(parents=True, exist_ok=True)
                folders.add(folder)
            Path(self._staging, name).replace(target)


@contextmanager
def opened(out: Path, known: Mapping[str, File] | None = None) -> Iterator[Output]:
    """The folder of a site to build; `known` are files as an earlier build left them.

    Raises `OutputError` if the folder is not ours or cannot be written; until `install` nothing in it changes.
    """
    try:
        home = out.resolve()
        owned = _owned(out, known or {})
        with _staging(home) as staging:
            yield Output(home, staging, owned, known or {})
    except OSError as error:
        place = error.filename or out
        raise OutputError(f"{place}: cannot be written: {error.strerror}") from error


def publish(files: Iterable[tuple[str, Content]], out: Path) -> Changes:
    """Write (path, content) pairs to a folder; raises `OutputError` with the folder untouched if one cannot be made."""
    with opened(out) as output:
        made = [output.put(name, content) for name, content in files]
        check_paths(file.name for file, _ in made)
        return output.install((file for file, _ in made), [file.name for file, staged in made if staged])


def check_paths(names: Iterable[str]) -> None:
    """Raise `OutputError` naming two pages that would share a path on some file system: after NFC and case folding."""
    taken: dict[str, str] = {}
    folders: dict[str, str] = {}
    for name in names:
        key = (name if name.isascii() else unicodedata.normalize("NFC", name)).casefold()
        _refuse_pair(name, taken.get(key))
        taken[key] = name
        above = key.rpartition("/")[0]
        while above and above not in folders:
            folders[above] = name
            above = above.rpartition("/")[0]
    for folder, name in folders.items():
        _refuse_pair(name, taken.get(folder))


def _refuse_pair(name: str, other: str | None) -> None:
    if other is not None:
        raise OutputError(f"two pages would be written to {name} and {other}; rename one of the records")


def _owned(out: Path, known: Mapping[str, File]) -> Mapping[str, str]:
    """The files an earlier build wrote, with their hashes; refuses a folder that is not ours."""
    if not out.exists():
        return {}
    if not out.is_dir():
        raise OutputError(f"{out}: is not a folder; choose another --out")
    manifest = out / MANIFEST
    if not manifest.exists():
        if any(path.name != _NEW_MANIFEST for path in out.iterdir()):
            raise OutputError(f"{out}: is not empty and was not written by this tool; choose an empty --out")
        return {}
    raw, as_known = manifest.read_bytes(), {name: file.sha256 for name, file in known.items()}
    if raw == _manifest(as_known):  # which is quicker to see than what it says
        return as_known
    try:
        owned = {str(name): str(digest) for name, digest in from_json(raw)["files"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise OutputError(f"{manifest}: is damaged; remove the folder {out} and build again") from error
    return owned


def _inside(name: str) -> bool:
    """Whether a name from a manifest stays below the site's folder."""
    return not _OUTSIDE.search(name) and name.partition("/")[0] != MANIFEST


@contextmanager
def _staging(home: Path) -> Iterator[Path]:
    """A folder beside the target; what dead builds left is swept away."""
    home.parent.mkdir(parents=True, exist_ok=True)
    for stale in home.parent.glob(f".{glob.escape(home.name)}.staging-*"):
        if not alive(stale.name.rpartition("-")[2]):
            shutil.rmtree(stale, ignore_errors=True)
    staging = home.parent / f".{home.name}.staging-{os.getpid()}"
    staging.mkdir()
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _write(path: str, raw: bytes) -> os.stat_result:
    """Write a whole file; hundreds of thousands of them, so without asking the system more than is needed."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        left = memoryview(raw)
        while left:
            left = left[os.write(handle, left) :]
        return os.fstat(handle)
    finally:
        os.close(handle)


def _manifest(files: Mapping[str, str]) -> bytes:
    return to_json({"format": 1, "files": {name: files[name] for name in sorted(files)}}, indent=1)


def _write_manifest(out: Path, files: Mapping[str, str]) -> None:
    temporary = out / _NEW_MANIFEST
    temporary.write_bytes(_manifest(files))
    temporary.replace(out / MANIFEST)


def _remove_empty(out: Path, folder: Path) -> None:
    while folder != out and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
