"""From a record file to raw records, and from a finding back to its line and column."""

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from sotakit.check.findings import Finding
from sotakit.data_folder import FORMATS
from sotakit.read import csv_reader, json_reader, yaml_reader
from sotakit.read.files import RecordFile, byte_lines, decode, document, text_lines
from sotakit.read.raw import Fault, Raw, Unreadable

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
        yield Raw(None, error.fault.line, faults=(error.fault,))
    except UnicodeDecodeError:
        fault = _encoding_fault(file.path)
        yield Raw(None, fault.line, faults=(fault,))
    except OSError as error:
        fault = Fault("E101", 1, 1, f"cannot be read: {error.strerror}", "check the file and its permissions")
        yield Raw(None, faults=(fault,))


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


def place(findings: Iterable[Finding], data: Path) -> list[Finding]:
    """The findings in order of file, with line and column filled in."""
    by_file = sorted(findings, key=lambda finding: finding.origin.file)
    placed = [
        finding if finding.line else finding.placed(*text.place_of(finding))
        for name, group in groupby(by_file, key=attrgetter("origin.file"))
        for found in [list(group)]
        for text in [_Text(data / name, {finding.origin.line for finding in found if not finding.line})]
        for finding in found
    ]
    return sorted(placed, key=lambda found: (found.origin.file, found.line or 0, found.column or 0, found.code))


class _Text:
    """The text of one file, or the lines of it that are asked for; read once and only if needed."""

    def __init__(self, path: Path, wanted: Container[int]) -> None:
        self._path = path
        self._wanted = wanted

    def place_of(self, finding: Finding) -> tuple[int, int]:
        """Line and column of what a finding is about."""
        origin = finding.origin
        where = (*origin.path, *finding.loc)
        kind = FORMATS.get(self._path.suffix)
        if kind in ("yaml", "json"):
            return self._places.of(where, at_key=finding.at_key)
        if kind == "jsonl":
            return json_reader.Places(self._line_at.get(origin.line, ""), origin.line).of(where, at_key=finding.at_key)
        if kind == "csv":
            row = "\n".join(self._lines[origin.line - 1 : origin.line + 99])  # one row may stand on several lines
            return csv_reader.position(row, origin.line, where, columns=self._columns)
        return 1, 1

    @cached_property
    def _whole(self) -> str:
        try:
            return decode(self._path.read_bytes())
        except (OSError, Unreadable):
            return ""

    @cached_property
    def _line_at(self) -> dict[int, str]:
        """The wanted lines of a JSON Lines file, which may be larger than memory."""
        try:
            lines = enumerate(byte_lines(self._path), 1)
            return {number: line.decode() for number, line in lines if number in self._wanted}
        except (OSError, ValueError, Unreadable):
            return {}

    @cached_property
    def _lines(self) -> list[str]:
        return self._whole.split("\n")

    @cached_property
    def _places(self) -> yaml_reader.Places | json_reader.Places:
        text = self._whole
        return json_reader.Places(text) if self._path.suffix == ".json" else yaml_reader.places(text)

    @cached_property
    def _columns(self) -> csv_reader.Columns:
        return csv_reader.columns_of(self._whole.splitlines(keepends=True), mapping_of(self._path))


def _encoding_fault(path: Path) -> Fault:
    try:
        decode(path.read_bytes())
    except Unreadable as error:
        return error.fault
    return Fault("E102", 1, 1, "not UTF-8", "save the file as UTF-8")
