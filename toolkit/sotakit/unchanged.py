"""Whether a data folder is as it was when its tables were compiled: then they stand, and nothing need be checked again.

A record of the last compilation lies beside the tables. It counts only where it was made: it names their manifest by
inode and time of change, which come along with no copy, no archive and no checkout of a repository.
"""

import hashlib
import json
import os
import platform
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from sotakit.assets import code_digest
from sotakit.compiled import MANIFEST, POINTER, check_hashes, read_manifest

_RECORD = ".compiled-from.json"
IGNORE = ".toolkitignore"
_PACKAGES = ("numpy", "pyarrow", "pydantic", "pyyaml")
"""What the outcome of checking and compiling depends on besides this program."""


class _UnsureError(Exception):
    """Something in the folder cannot be told by its bytes alone, or cannot be read."""


def fingerprint(data: Path, as_of: str, *, allow_errors: bool) -> str:
    """A hash of every file that may hold or accompany records, of this program, and of how it was asked to check them.

    Empty where there is anything but plain files and folders.
    """
    versions = [platform.python_version(), *map(version, _PACKAGES)]
    found = hashlib.sha256(repr((code_digest(), versions, as_of, allow_errors)).encode())
    with suppress(_UnsureError, OSError):
        for path in sorted(_files(data)):
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").digest()
            found.update(os.fsencode(path.relative_to(data)) + b"\0" + digest)
        return found.hexdigest()
    return ""


def remember(build: Path, key: str) -> None:
    """Note what the tables that `build` points to were compiled from; to be called while no other run can move them."""
    (build / _RECORD).write_text(json.dumps({"key": key, "tables": _identity(build)}), encoding="utf-8")


def unchanged_tables(data: Path, build: Path, as_of: str, *, allow_errors: bool) -> Path | None:
    """The tables below `build`, if they were compiled here from the same records and are as they were written."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        record, tables = json.loads((build / _RECORD).read_text(encoding="utf-8")), build / POINTER
        key = record["key"]
        if key and record["tables"] == _identity(build) and key == fingerprint(data, as_of, allow_errors=allow_errors):
            check_hashes(tables, read_manifest(tables)["files"])
            return tables
    return None


def _identity(build: Path) -> list[int | str]:
    """The generation that is pointed to, and its manifest as this file system knows it."""
    stat = (build / POINTER / MANIFEST).stat()
    return [str((build / POINTER).readlink()), stat.st_dev, stat.st_ino, stat.st_ctime_ns]


def _files(folder: Path) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(".") and entry.name != IGNORE:
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _files(Path(entry.path))
            elif entry.is_file(follow_symlinks=False):
                yield Path(entry.path)
            else:
                raise _UnsureError
