"""The text of a local file that a command was given, or one error that says what is wrong with it and where."""

from pathlib import Path

from sotakit.errors import InputError
from sotakit.read.files import decode
from sotakit.read.raw import MAX_DOCUMENT_BYTES, Unreadable


def local_text(path: Path, max_bytes: int = MAX_DOCUMENT_BYTES) -> str:
    """The UTF-8 text of a file without byte order mark; raises `InputError`."""
    try:
        if path.is_dir():
            raise InputError(f"{path}: is a folder; give a file")
        if path.stat().st_size > max_bytes:
            raise InputError(f"{path}: larger than {max_bytes:,} bytes; no such file should be")
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{str(path)!r}: not a path") from error
    return decoded(raw, str(path))


def decoded(raw: bytes, name: str) -> str:
    """Text from the UTF-8 bytes of a file or an address; raises `InputError` with the place of the first bad byte."""
    try:
        return decode(raw)
    except Unreadable as error:
        fault = error.fault
        raise InputError(f"{name}:{fault.line}:{fault.column}: {fault.message}; {fault.hint}") from error
