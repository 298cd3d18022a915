"""From findings back to lines and columns: each file is read once more, only if it has findings, and line by line if it
has records in lines.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final

from sotakit.check.findings import Finding
from sotakit.data_folder import format_of
from sotakit.read import csv_reader, json_reader, yaml_reader
from sotakit.read.files import byte_lines, decode, text_lines
from sotakit.read.raw import Unreadable
from sotakit.read.reader import mapping_of

Place = tuple[int, int]
"""Line and column."""

_MOST_LINES: Final = 100
"""So many lines one row of CSV is looked for in."""


def place(findings: Iterable[Finding], data: Path) -> Iterator[Finding]:
    """The findings with line and column filled in; they come in order of file and line of their records."""
    for name, group in groupby(findings, key=attrgetter("origin.file")):
        place_of: Callable[[Finding], Place] | None = None
        for finding in group:
            if finding.line is None:
                place_of = place_of or _places(data / name)
                finding = finding.placed(*place_of(finding))  # noqa: PLW2901 - the same finding at its place
            yield finding


def _places(path: Path) -> Callable[[Finding], Place]:
    """What tells the place of a finding in one file, asked in order of their records."""
    match format_of(path):
        case "yaml":
            return _in_document(yaml_reader.places(_whole(path)))
        case "json":
            return _in_document(json_reader.Places(_whole(path)))
        case "jsonl":
            return _InLines(path)
        case "csv":
            return _InRows(path)
    return lambda _: (1, 1)


def _in_document(places: yaml_reader.Places | json_reader.Places) -> Callable[[Finding], Place]:
    def place_of(finding: Finding) -> Place:
        return places.of((*finding.origin.path, *finding.loc), at_key=finding.at_key)

    return place_of


def _whole(path: Path) -> str:
    try:
        return decode(path.read_bytes())
    except (OSError, Unreadable):
        return ""


class _InLines:
    """Places in JSON Lines, which may be larger than memory."""

    def __init__(self, path: Path) -> None:
        self._lines = _Lines(_decoded(path))
        self._places = json_reader.Places("")
        self._number = 0

    def __call__(self, finding: Finding) -> Place:
        if finding.origin.line != self._number:
            self._number = finding.origin.line
            self._lines.start(self._number)
            self._places = json_reader.Places(self._lines.at(self._number), self._number)
        return self._places.of((*finding.origin.path, *finding.loc), at_key=finding.at_key)


class _InRows:
    """Places in CSV, where a row may go over several lines."""

    def __init__(self, path: Path) -> None:
        self._lines = _Lines(_rows(path))
        self._columns = csv_reader.columns_of(_rows(path), _mapping(path))

    def __call__(self, finding: Finding) -> Place:
        line = finding.origin.line
        self._lines.start(line)
        row = self._lines.at(line)
        for number in range(line + 1, line + _MOST_LINES):
            if row.count('"') % 2 == 0:  # no quoted cell is open
                break
            row += self._lines.at(number)
        return csv_reader.position(row, line, (*finding.origin.path, *finding.loc), columns=self._columns)


class _Lines:
    """Lines by number, each asked for once the ones before it are no longer needed; a missing one is empty."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._held: deque[str] = deque()
        self._first = 1

    def start(self, number: int) -> None:
        """Let go of the lines before one."""
        for _ in range(self._first, number):
            if self._held:
                self._held.popleft()
            else:
                next(self._lines, "")
        self._first = max(number, self._first)

    def at(self, number: int) -> str:
        """One line at or behind the last start."""
        while len(self._held) <= number - self._first:
            self._held.append(next(self._lines, ""))
        return self._held[number - self._first]


def _decoded(path: Path) -> Iterator[str]:
    """The lines of a file as far as it can be read."""
    try:
        for line in byte_lines(path):
            yield line.decode("utf-8", "replace")
    except (OSError, Unreadable):
        return


def _rows(path: Path) -> Iterator[str]:
    """The lines of a CSV file as far as it can be read, as the reader counts them."""
    try:
        yield from text_lines(path)
    except (OSError, ValueError, Unreadable):
        return


def _mapping(path: Path) -> Mapping[str, str | None] | None:
    try:
        return mapping_of(path)
    except Unreadable:
        return None
