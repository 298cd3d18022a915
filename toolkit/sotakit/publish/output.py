"""Writing a site: staged beside the target, compared, moved file by file, the manifest last.

Only files that our own manifest names are ever replaced or removed; a folder with other content is refused.
"""

import glob
import hashlib
import json
import os
import shutil
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sotakit.errors import OutputError

MANIFEST = ".toolkit-manifest.json"
_NEW_MANIFEST = f"{MANIFEST}.new"


class Changes(NamedTuple):
    """What a build did to the output folder."""

    written: int
    unchanged: int
    removed: int


def publish(files: Iterable[tuple[str, str | bytes]], out: Path) -> Changes:
    """Write (path, content) pairs to a folder; raises `OutputError` with the folder untouched if one cannot be made."""
    try:
        owned = _owned(out)
        with _staging(out) as staging:
            hashes = _stage(files, staging)
            return _install(hashes, staging, out, owned)
    except OSError as error:
        place = error.filename or out
        raise OutputError(f"{place}: cannot be written: {error.strerror}") from error


def _owned(out: Path) -> dict[str, str]:
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
    try:
        listed = json.loads(manifest.read_text(encoding="utf-8"))["files"]
        owned = {str(name): str(digest) for name, digest in listed.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise OutputError(f"{manifest}: is damaged; remove the folder {out} and build again") from error
    for name in owned:
        if not _inside(name):
            raise OutputError(f"{manifest}: names {name!r}, which is not a file of a site; remove the folder {out}")
    return owned


def _inside(name: str) -> bool:
    """Whether a name from a manifest stays below the site's folder."""
    parts = name.split("/")
    return not ({"", ".", ".."} & set(parts)) and "\0" not in name and parts[0] != MANIFEST


@contextmanager
def _staging(out: Path) -> Iterator[Path]:
    """A folder beside the target; what dead builds left is swept away."""
    home = out.resolve()
    home.parent.mkdir(parents=True, exist_ok=True)
    for stale in home.parent.glob(f".{glob.escape(home.name)}.staging-*"):
        if not _alive(stale.name.rpartition("-")[2]):
            shutil.rmtree(stale, ignore_errors=True)
    staging = home.parent / f".{home.name}.staging-{os.getpid()}"
    staging.mkdir()
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True


def _stage(files: Iterable[tuple[str, str | bytes]], staging: Path) -> dict[str, str]:
    """Every file written below the staging folder, with its hash; two that would share a path fail the build."""
    taken: dict[str, str] = {}
    folders: dict[str, str] = {}
    hashes: dict[str, str] = {}
    for name, content in files:
        key = unicodedata.normalize("NFC", name).casefold()
        above = [key[:end] for end, char in enumerate(key) if char == "/"]
        if other := taken.get(key) or folders.get(key) or next((taken[path] for path in above if path in taken), None):
            raise OutputError(f"two pages would be written to {name} and {other}; rename one of the records")
        taken[key] = name
        folders |= {path: name for path in above if path not in folders}
        raw = content.encode() if isinstance(content, str) else content
        path = staging / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
        hashes[name] = hashlib.sha256(raw).hexdigest()
    return hashes


def _install(hashes: dict[str, str], staging: Path, out: Path, owned: dict[str, str]) -> Changes:
    """Move what differs, remove what is no longer made, and write the manifest last.

    The manifest of the old and new files together is written first: after a kill, the next build owns them all.
    """
    out.mkdir(exist_ok=True)
    foreign = [name for name in hashes if name not in owned and (out / name).exists()]
    folders = {parent.as_posix() for name in hashes for parent in PurePosixPath(name).parents}
    foreign += [name for name in folders if name not in owned and (out / name).exists() and not (out / name).is_dir()]
    if foreign:
        raise OutputError(f"{out / foreign[0]}: exists and was not written by this tool; move it away")
    (out / _NEW_MANIFEST).unlink(missing_ok=True)
    changed = [name for name, digest in hashes.items() if _differs(out / name, digest)]
    stale = [name for name in owned if name not in hashes]
    if not changed and not stale and owned == hashes:
        return Changes(0, len(hashes), 0)
    _write_manifest(out, owned | hashes)
    for name in stale:
        (out / name).unlink(missing_ok=True)
        _remove_empty(out, (out / name).parent)
    for name in changed:
        target = out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (staging / name).replace(target)
    _write_manifest(out, hashes)
    return Changes(len(changed), len(hashes) - len(changed), len(stale))


def _differs(path: Path, digest: str) -> bool:
    return not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != digest


def _write_manifest(out: Path, files: dict[str, str]) -> None:
    text = json.dumps({"format": 1, "files": dict(sorted(files.items()))}, indent=0, ensure_ascii=False) + "\n"
    temporary = out / _NEW_MANIFEST
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(out / MANIFEST)


def _remove_empty(out: Path, folder: Path) -> None:
    while folder != out and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
