"""From a record file to raw records."""

from collections.abc import Container, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from sotakit.read import csv_reader, json_reader, yaml_reader
from sotakit.read.files import RecordFile, byte_lines, decode, document, text_lines
from sotakit.read.raw import Fault, Raw, Unreadable, conflict

T = TypeVar("T")


def read_file(
    file: RecordFile, look: json_reader.Look[T] | None = None, only: Container[int] | None = None
) -> Iterator[Raw | T]:
    """Every record of a file; what cannot be read is a `Raw` with faults, never an exception.

    `look` and `only` hold for JSON Lines: a first look at each line, and the numbers of the lines that are wanted.
    """
    try:
        if file.format == "yaml":
            yield from yaml_reader.read(file.text())
        elif file.format == "json":
            yield from json_reader.read(file.text())
        elif file.format == "jsonl":
            yield from json_reader.read_lines(byte_lines(file.path), look, only)
        else:
            yield from csv_reader.read(text_lines(file.path), mapping_of(file.path))
    except Unreadable as error:
        fault = _conflict_in(file) if error.fault.code == "E104" else None
        yield Raw(None, error.fault.line, faults=(fault or error.fault,))
    except UnicodeDecodeError:
        fault = _encoding_fault(file.path)
        yield Raw(None, fault.line, faults=(fault,))
    except OSError as error:
        fault = Fault("E101", 1, 1, f"cannot be read: {error.strerror}", "check the file and its permissions")
        yield Raw(None, faults=(fault,))


def _conflict_in(file: RecordFile) -> Fault | None:
    """The merge conflict that makes a document unreadable, if it holds one."""
    return conflict(file.text().split("\n")) if file.format in ("yaml", "json") else None


def mapping_of(path: Path) -> Mapping[str, str | None] | None:
    """The column names that `<name>.mapping.yaml` beside a CSV file gives; None without one."""
    beside = path.with_suffix(".mapping.yaml")
    if not beside.is_file():
        return None
    if beside.is_symlink():
        raise Unreadable(Fault("E110", 1, 1, f"{beside.name} is a symbolic link", "copy the file into the data folder"))
    try:
        raws = list(yaml_reader.read(document(beside)))
    except Unreadable as error:
        _, line, column, message, hint, _ = error.fault
        raise Unreadable(Fault("E110", 1, 1, f"{beside.name}:{line}:{column}: {message}", hint)) from error
    value: Any = raws[0].value if len(raws) == 1 and not raws[0].faults else None
    if not isinstance(value, dict) or not all(isinstance(name, str | None) for name in value.values()):
        message = f"{beside.name} must map each column name once, to a field path or null"
        raise Unreadable(Fault("E110", 1, 1, message, "for example `Model: method`"))
    return value


def _encoding_fault(path: Path) -> Fault:
    try:
        decode(path.read_bytes())
    except Unreadable as error:
        return error.fault
    return Fault("E102", 1, 1, "not UTF-8", "save the file as UTF-8")
