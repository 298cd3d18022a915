"""The files of a data folder: which are records, of which kind, and their text.

Kind = first folder below DATA, else the file's stem. `.yaml .yml .json .jsonl .csv` are records, other files are left
alone; `sources/<id>.results.jsonl` (or `.csv`) holds results of the source `<id>`.
"""

import difflib
import fnmatch
import io
import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sotakit.check.findings import Finding, Origin
from sotakit.data_folder import BESIDE, IGNORE, format_of, hidden
from sotakit.errors import InputError, UsageError
from sotakit.read.raw import MAX_DOCUMENT_BYTES, MAX_FILE_BYTES, MAX_LINE, Fault, Unreadable
from sotaschema.jsonschema import KINDS

_UNPORTABLE = re.compile(
    r'[<>:"|?*\\\x00-\x1f\x7f\ud800-\udfff]|[. ]$|^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)', re.IGNORECASE
)
"""What Windows and checkouts on it refuse in a name: signs, a dot or a space at its end, names of devices."""

_CONTAINERS = {
    b"\x1f\x8b": "compressed (gzip)",
    b"BZh": "compressed (bzip2)",
    b"\xfd7zXZ": "compressed (xz)",
    b"\x28\xb5\x2f\xfd": "compressed (zstd)",
    b"PK\x03\x04": "a zip archive, or a spreadsheet or document that is one",
    b"PAR1": "a Parquet table",
    b"%PDF-": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"SQLite format 3": "an SQLite database",
}
"""What people take for a file of records, by its first bytes."""

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class RecordFile:
    """One file of records."""

    path: Path
    name: str
    """Path relative to DATA, with slashes."""
    kind: str
    format: str
    source: str | None = None
    """For a file of results: the source they belong to."""

    def text(self) -> str:
        """The whole text; raises `Unreadable` if it is not UTF-8 or too large."""
        return document(self.path)


def document(path: Path) -> str:
    """The text of a file that is read as a whole; raises `Unreadable` if it is not UTF-8 or too large."""
    _check_size(path, MAX_DOCUMENT_BYTES, "split it, or use JSON Lines")
    return decode(path.read_bytes())


def text_lines(path: Path) -> Iterator[str]:
    """The lines of a CSV file, one by one, with their ends as they are (a carriage return alone ends one too)."""
    for line in byte_lines(path):
        yield from io.StringIO(line.decode(), newline="")


def byte_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file, one by one, without a byte order mark; one over the limit is cut there.

    Raises `Unreadable` if the file is too large or evidently not UTF-8.
    """
    _check_size(path, MAX_FILE_BYTES, "split it")
    with path.open("rb") as stream:
        start = stream.read(4096)
        if b"\0" in start:
            decode(start)
        stream.seek(3 if start.startswith(BOM) else 0)
        while line := stream.readline(MAX_LINE + 1):
            yield line
            while len(line) > MAX_LINE and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE + 1)


def _check_size(path: Path, limit: int, hint: str) -> None:
    size = path.stat().st_size
    if size > limit:
        raise Unreadable(Fault("E106", 1, 1, f"{size:,} bytes; the limit is {limit:,}", hint))


def list_files(data: Path) -> Iterator[RecordFile | Finding]:
    """Every record file below the folder, in order of names; findings for what cannot be used."""
    if not data.is_dir():
        what = "is not a folder" if data.exists() else "does not exist"
        raise InputError(f"{data}: {what}; give the folder that holds the records")
    ignored = _ignore_patterns(data)
    try:
        paths = sorted(_walk(data), key=lambda found: found.relative_to(data).as_posix())
    except OSError as error:
        raise InputError(f"{data}: cannot be read: {error.strerror}; check its permissions") from error
    alike: dict[str, str] = {}
    for path in paths:
        name = path.relative_to(data).as_posix()
        if not any(_matches(name, pattern) for pattern in ignored):
            yield from _unportable(name, alike)
            yield from _classify(data, path, name)


def _unportable(name: str, alike: dict[str, str]) -> Iterator[Finding]:
    """W115: names that other systems cannot hold, or take for the name of another file, which `alike` has."""
    other = alike.setdefault(unicodedata.normalize("NFC", name).casefold(), name)
    if other != name:
        message, hint = f"other systems take this name and {other!r} for one", "rename one of the two files"
        yield Finding("W115", "warning", Origin(name), message, hint).placed(1, 1)
    faulty = next((part for part in name.split("/") if _UNPORTABLE.search(part)), None)
    if faulty is not None:
        hint = "use letters, digits, dots, dashes and underscores"
        message = f"other systems cannot hold the name {faulty!r}"
        yield Finding("W115", "warning", Origin(name), message, hint).placed(1, 1)


def decode(raw: bytes) -> str:
    """Text from UTF-8 bytes without the byte order mark; raises `Unreadable` with the place of the first bad byte."""
    container = next((name for start, name in _CONTAINERS.items() if raw.startswith(start)), None)
    if container:
        raise Unreadable(Fault("E102", 1, 1, f"the file is {container}", "unpack or export it as UTF-8 text first"))
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise Unreadable(Fault("E102", 1, 1, "the file is UTF-16", "save it as UTF-8"))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8", "replace")) + 1
        message = f"not UTF-8: byte {raw[error.start]:#04x}"
        line = before.count(b"\n") + 1
        raise Unreadable(Fault("E102", line, column, message, "save the file as UTF-8")) from error
    if "\0" in text[:4096]:
        raise Unreadable(Fault("E102", 1, 1, "the file holds NUL characters", "save it as plain UTF-8 text"))
    return text


def has_bom(path: Path) -> bool:
    """Whether the file starts with the UTF-8 byte order mark."""
    with path.open("rb") as stream:
        return stream.read(3) == BOM


def _walk(folder: Path) -> Iterator[Path]:
    for entry in os.scandir(folder):
        path = Path(entry.path)
        if hidden(entry.name) or entry.name.endswith(BESIDE):
            continue
        if entry.is_dir(follow_symlinks=False):
            try:
                yield from list(_walk(path))
            except OSError:
                yield path
        elif format_of(path) or entry.is_symlink():
            yield path


def _classify(data: Path, path: Path, name: str) -> Iterator[RecordFile | Finding]:
    parts = PurePosixPath(name)
    if parts.name.endswith((".mapping.yaml", ".mapping.yml")):
        return
    origin = Origin(name)
    if path.is_symlink():
        if not Path(os.path.realpath(path)).is_relative_to(data.resolve()):  # resolve() fails on a circle of links
            hint = "copy the file into the data folder"
            link = Finding("E108", "error", origin, "a symbolic link that leaves the data folder", hint)
            yield link.placed(1, 1)  # so that nobody opens what it leads to
            return
        if path.is_dir() or format_of(path) is None:
            return
    if path.exists() and not path.is_file():
        what = "a folder that cannot be read" if path.is_dir() else "not a regular file"
        special = Finding("E101", "error", origin, what, "check its permissions, or list it in .toolkitignore")
        yield special.placed(1, 1)
        return
    kind = parts.parts[0] if len(parts.parts) > 1 else parts.stem.split(".")[0]
    if kind not in KINDS:
        close = difflib.get_close_matches(kind, KINDS, 1)
        hint = f"did you mean {close[0]!r}?" if close else "kinds: " + ", ".join(KINDS)
        yield Finding("E109", "error", origin, f"{kind!r} is not a kind of record", hint)
        return
    source = parts.name.rsplit(".results.", 1)[0] if kind == "sources" and ".results." in parts.name else None
    if form := format_of(path):
        yield RecordFile(path, name, kind, form, source)


def _ignore_patterns(data: Path) -> list[str]:
    path = data / IGNORE
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read as UTF-8 text; write one pattern a line") from error
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _matches(name: str, pattern: str) -> bool:
    folder = pattern.rstrip("/")
    return fnmatch.fnmatchcase(name, pattern) or name.startswith(folder + "/")
