"""Whether a data folder is as it was when its tables were compiled: then they stand, and nothing need be checked again.

A record of the last compilation lies beside the tables, with the fingerprint of what was compiled. It counts only where
it was made: it names their manifest by inode and time of change, which come along with no copy, no archive and no
checkout of a repository.
"""

import hashlib
import json
import os
import platform
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from stat import S_ISREG

from sotakit.assets import code_digest
from sotakit.compiled import MANIFEST, POINTER, check_hashes, read_manifest
from sotakit.data_folder import BESIDE, IGNORE, format_of, hidden

_RECORD = ".compiled-from.json"
_PACKAGES = ("anyascii", "numpy", "pyarrow", "pydantic", "pyyaml")
"""What the outcome of checking and compiling depends on besides this program."""

Stamps = dict[str, tuple[int, ...]]
"""Which file has each name, how long it is, and when it was changed last, by its own clock and the system's."""


class Watch:
    """Says what a data folder holds, if that has not changed since the watch began."""

    def __init__(self, data: Path, as_of: str, *, allow_errors: bool) -> None:
        self._data, self._asked = data, (as_of, allow_errors)
        self._stamps = _stamps(data)

    def fingerprint(self) -> str:
        """A hash of all files that are read, of this program and of what was asked of it; empty if that is not sure."""
        if self._stamps is None:
            return ""
        with suppress(OSError, PackageNotFoundError):
            versions = [platform.python_version(), *map(version, _PACKAGES)]
            found = hashlib.sha256(repr((code_digest(), versions, self._asked)).encode())
            for name in self._stamps:
                with (self._data / name).open("rb") as stream:
                    digest = hashlib.file_digest(stream, "sha256").digest()
                found.update(os.fsencode(name) + b"\0" + digest)
            if _stamps(self._data) == self._stamps:
                return found.hexdigest()
        return ""


def remember(build: Path, fingerprint: str) -> None:
    """Note what the tables that `build` points to were compiled from; to be called while no other run can move them."""
    record = {"key": fingerprint, "tables": _identity(build)}
    (build / _RECORD).write_text(json.dumps(record), encoding="utf-8")


def unchanged_tables(data: Path, build: Path, as_of: str, *, allow_errors: bool) -> Path | None:
    """The tables below `build`, if they were compiled here from the same records and are as they were written."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        record = json.loads((build / _RECORD).read_text(encoding="utf-8"))
        if record["key"] and record["tables"] == _identity(build):
            tables = build / POINTER
            manifest = read_manifest(tables)
            check_hashes(tables, manifest["files"])
            check_hashes(tables, {image["file"]: image for image in manifest["images"]})
            if record["key"] == Watch(data, as_of, allow_errors=allow_errors).fingerprint():
                return tables
    return None


def _identity(build: Path) -> list[int | str]:
    """The generation that is pointed to, and its manifest as this file system knows it."""
    stat = (build / POINTER / MANIFEST).stat()
    return [str((build / POINTER).readlink()), stat.st_dev, stat.st_ino, stat.st_ctime_ns]


def _stamps(data: Path) -> Stamps | None:
    """Stamps of all files that are read, by their names in order; None if a link or a special file is among them."""
    try:
        found = _entries(data, beside=False)
        stats = {Path(entry.path).relative_to(data).as_posix(): entry.stat(follow_symlinks=False) for entry in found}
    except OSError:
        return None
    if not all(S_ISREG(stat.st_mode) for stat in stats.values()):
        return None
    ordered = sorted(stats.items())
    return {name: (stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns) for name, stat in ordered}


def _entries(folder: Path, *, beside: bool) -> Iterator["os.DirEntry[str]"]:
    """Whatever is read below a folder of records, or in one that lies beside a source."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if hidden(entry.name) and entry.name != IGNORE:
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _entries(Path(entry.path), beside=beside or entry.name.endswith(BESIDE))
            elif _matters(entry, beside=beside):
                yield entry


def _matters(entry: "os.DirEntry[str]", *, beside: bool) -> bool:
    suffix = Path(entry.name).suffix
    if beside:
        return suffix == ".png" and not entry.is_symlink()
    return format_of(Path(entry.name)) is not None or entry.name == IGNORE or entry.is_symlink()
