"""From a record file to raw records, and from a finding back to its line and column."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from sotakit.check.findings import Finding
from sotakit.read import csv_reader, json_reader, yaml_reader
from sotakit.read.files import FORMATS, RecordFile, decode
from sotakit.read.raw import Fault, Raw, Unreadable


def read_file(file: RecordFile) -> Iterator[Raw]:
    """Every record of a file; what cannot be read is a `Raw` with faults, never an exception."""
    try:
        if file.format == "yaml":
            yield from yaml_reader.read(file.text())
        elif file.format == "json":
            yield from json_reader.read(file.text())
        elif file.format == "jsonl":
            yield from json_reader.read_lines(file.lines())
        else:
            yield from csv_reader.read(file.lines(), mapping_of(file.path))
    except Unreadable as error:
        yield Raw(None, faults=(error.fault,))
    except UnicodeDecodeError:
        yield Raw(None, faults=(_encoding_fault(file.path),))
    except OSError as error:
        fault = Fault("E101", 1, 1, f"cannot be read: {error.strerror}", "check the file and its permissions")
        yield Raw(None, faults=(fault,))


def mapping_of(path: Path) -> Mapping[str, str | None] | None:
    """The column names that `<name>.mapping.yaml` beside a CSV file gives; None without one."""
    beside = path.with_suffix(".mapping.yaml")
    if not beside.is_file():
        return None
    value: Any = next((raw.value for raw in yaml_reader.read(decode(beside.read_bytes())) if not raw.faults), None)
    if not isinstance(value, dict) or not all(isinstance(name, str | None) for name in value.values()):
        message = f"{beside.name} must map column names to field paths or null"
        raise Unreadable(Fault("E110", 1, 1, message, "for example `Model: method`"))
    return value


def place(findings: Iterable[Finding], data: Path) -> list[Finding]:
    """The findings in order of file, with line and column filled in."""
    by_file = sorted(findings, key=lambda finding: finding.origin.file)
    placed = [
        finding if finding.line else _place(finding, text, data / name)
        for name, group in groupby(by_file, key=attrgetter("origin.file"))
        for text in [_Text(data / name)]
        for finding in group
    ]
    return sorted(placed, key=lambda found: (found.origin.file, found.line or 0, found.column or 0, found.code))


class _Text:
    """The text of one file, read once and only if needed."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def whole(self) -> str:
        try:
            return decode(self._path.read_bytes())
        except (OSError, Unreadable):
            return ""

    @cached_property
    def lines(self) -> list[str]:
        return self.whole.split("\n")

    def from_line(self, line: int, count: int = 1) -> str:
        """Some lines from one on: a record of JSON Lines is one line, a row of CSV may be several."""
        return "\n".join(self.lines[line - 1 : line - 1 + count])


def _place(finding: Finding, text: _Text, path: Path) -> Finding:
    origin, at_key = finding.origin, finding.at_key
    where = (*origin.path, *finding.loc)
    kind = FORMATS.get(path.suffix)
    if kind == "yaml":
        return finding.placed(*yaml_reader.position(text.whole, 1, where, at_key=at_key))
    if kind == "json":
        return finding.placed(*json_reader.position(text.whole, 1, where, at_key=at_key))
    if kind == "jsonl":
        return finding.placed(*json_reader.position(text.from_line(origin.line), origin.line, where, at_key=at_key))
    if kind == "csv":
        header = csv_reader.header_of(text.whole)
        mapping = mapping_of(path)
        row = text.from_line(origin.line, 100)
        return finding.placed(*csv_reader.position(row, origin.line, where, header=header, mapping=mapping))
    return finding.placed(1, 1)


def _encoding_fault(path: Path) -> Fault:
    try:
        decode(path.read_bytes())
    except Unreadable as error:
        return error.fault
    return Fault("E102", 1, 1, "not UTF-8", "save the file as UTF-8")
