"""CSV with every cell as text: no library's guesses about numbers, dates or missing words.

The header names fields by their path: `id`, `method`, `config.Model`, `scores.im1-score`, `aliases[]` (a list, parts
separated by semicolons). An empty cell is an absent field. A file `<name>.mapping.yaml` beside it may give other
column names: a mapping from the column to the path, or to null for a column to leave out.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from sotakit.check.findings import Step
from sotakit.read.raw import Fault, Raw, Unreadable, begins_conflict, conflict

Columns = list[str | None]
"""The field each column gives, without the mark of a list; None for a column that is left out."""


def read(lines: Iterator[str], mapping: Mapping[str, str | None] | None = None) -> Iterator[Raw]:
    """One record a row, as nested mappings of texts."""
    reader = csv.reader(_without_conflicts(lines), strict=True)
    header: list[str | None] | None = None
    start = 1
    try:
        for cells in reader:
            if header is None:
                header = _header(cells, mapping)
            elif any(cells):  # spreadsheets leave rows of nothing but commas
                yield _row(header, cells, start)
            start = reader.line_num + 1
    except csv.Error as error:
        hint = "quote cells that hold commas, quotes or line breaks; double the quotes inside"
        raise Unreadable(Fault("E104", start, 1, f"CSV syntax: {error}", hint)) from error


def _without_conflicts(lines: Iterator[str]) -> Iterator[str]:
    """The lines up to a merge conflict, which is a fault of the file."""
    for number, line in enumerate(lines, 1):
        if line[:1] == "<" and begins_conflict(line) and (fault := conflict(chain([line], lines), number)):
            raise Unreadable(fault)
        yield line


def position(text: str, line: int, path: tuple[Step, ...], *, columns: Columns) -> tuple[int, int]:
    """Line and column of a cell in a row whose text begins at a line; of the row's start if there is no such cell."""
    steps = [step for step in path if isinstance(step, str)]
    wanted = [".".join(steps[:length]) for length in range(len(steps), 0, -1)]
    index = next((columns.index(name) for name in wanted if name in columns), 0)
    starts = _cell_starts(text)
    offset = starts[index] if index < len(starts) else 0
    return line + text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset)


def _header(cells: list[str], mapping: Mapping[str, str | None] | None) -> list[str | None]:
    if mapping is not None:
        unknown = sorted(set(mapping) - set(cells))
        if unknown:
            hint = "the mapping file must name columns of the header exactly"
            raise Unreadable(Fault("E110", 1, 1, f"the mapping names a column that is not there: {unknown[0]!r}", hint))
    names = [mapping.get(cell, cell) if mapping else cell for cell in cells]
    fields = _bare(names)
    for index, name in enumerate(fields):
        if name and name in fields[:index]:
            raise Unreadable(Fault("E110", 1, 1, f"the column {name!r} appears twice", "give every column one name"))
        if name is not None and "." in name and name.split(".", 1)[0] in fields:
            message = f"the column {name!r} is inside of another column"
            raise Unreadable(Fault("E110", 1, 1, message, "rename one of them"))
    return names


def _bare(names: Columns) -> Columns:
    return [name and name.removesuffix("[]") for name in names]


def _row(header: list[str | None], cells: list[str], line: int) -> Raw:
    if len(cells) != len(header):
        message = f"expected {len(header)} cells as in the header, found {len(cells)}"
        return Raw(None, line, faults=(Fault("E110", line, 1, message, "quote cells that hold commas"),))
    record: dict[str, Any] = {}
    for number, (name, cell) in enumerate(zip(header, cells, strict=True), 1):
        if name is None or not cell:
            continue
        if not name:
            what = f"column {number} has no name, but holds {cell!r}"
            raise Unreadable(Fault("E110", line, 1, what, "name it in the header"))
        *parents, last = _steps(name)
        inner = record
        for parent in parents:
            inner = inner.setdefault(parent, {})
        if last.endswith("[]"):
            inner[last[:-2]] = [part.strip() for part in cell.split(";") if part.strip()]
        else:
            inner[last] = cell
    return Raw(record, line)


def _steps(name: str) -> list[str]:
    """The steps of a column name. A key of `config` may hold dots itself, so it is everything behind the first one."""
    return name.split(".", 1)


def _cell_starts(row: str) -> list[int]:
    """Where each cell of one record starts in its text."""
    starts, quoted = [0], False
    for index, char in enumerate(row):
        if char == '"':
            quoted = not quoted
        elif char == "," and not quoted:
            starts.append(index + 1)
    return starts


def columns_of(lines: Iterable[str], mapping: Mapping[str, str | None] | None) -> Columns:
    """The fields that the columns of a file give, from its first row; none if that cannot be read."""
    try:
        cells = next(csv.reader(lines), [])
    except csv.Error:
        return []
    return _bare([mapping.get(cell, cell) if mapping else cell for cell in cells])
