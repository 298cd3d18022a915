"""CSV with every cell as text: no library's guesses about numbers, dates or missing words.

The header names fields by their path: `id`, `method`, `config.Model`, `scores.im1-score`, `aliases[]` (a list, parts
separated by semicolons). An empty cell is an absent field. A file `<name>.mapping.yaml` beside it may give other
column names: a mapping from the column to the path, or to null for a column to leave out.
"""

import csv
from collections.abc import Iterator, Mapping
from typing import Any

from sotakit.check.findings import Step
from sotakit.read.raw import Fault, Raw, Unreadable


def read(lines: Iterator[str], mapping: Mapping[str, str | None] | None = None) -> Iterator[Raw]:
    """One record a row, as nested mappings of texts."""
    reader = csv.reader(lines, strict=True)
    header: list[str | None] | None = None
    start = 1
    try:
        for cells in reader:
            if header is None:
                header = _header(cells, mapping)
            elif cells:
                yield _row(header, cells, start)
            start = reader.line_num + 1
    except csv.Error as error:
        hint = "quote cells that hold commas, quotes or line breaks; double the quotes inside"
        raise Unreadable(Fault("E104", max(reader.line_num, 1), 1, f"CSV syntax: {error}", hint)) from error


def position(
    text: str, line: int, path: tuple[Step, ...], *, header: list[str], mapping: Mapping[str, str | None] | None = None
) -> tuple[int, int]:
    """Line and column of a cell; of the start of its row where the column is missing."""
    names = [mapping.get(name, name) if mapping else name for name in header]
    wanted = ".".join(str(step) for step in path if isinstance(step, str))
    index = next((i for i, name in enumerate(names) if name and wanted in (name, name.removesuffix("[]"))), None)
    offset = _cell_starts(text)[index] if index is not None and index < len(_cell_starts(text)) else 0
    return line + text.count("\n", 0, offset), offset - text.rfind("\n", 0, offset)


def _header(cells: list[str], mapping: Mapping[str, str | None] | None) -> list[str | None]:
    if mapping is not None:
        unknown = sorted(set(mapping) - set(cells))
        if unknown:
            hint = "the mapping file must name columns of the header exactly"
            raise Unreadable(Fault("E110", 1, 1, f"the mapping names a column that is not there: {unknown[0]!r}", hint))
    names = [mapping.get(cell, cell) if mapping else cell for cell in cells]
    for index, name in enumerate(names):
        if name is not None and (not name or name in names[:index]):
            what = f"the column {name!r} appears twice" if name else f"column {index + 1} has no name"
            raise Unreadable(Fault("E110", 1, 1, what, "give every column one name"))
    return names


def _row(header: list[str | None], cells: list[str], line: int) -> Raw:
    if len(cells) != len(header):
        message = f"expected {len(header)} cells as in the header, found {len(cells)}"
        return Raw(None, line, faults=(Fault("E110", line, 1, message, "quote cells that hold commas"),))
    record: dict[str, Any] = {}
    for name, cell in zip(header, cells, strict=True):
        if name is None or not cell:
            continue
        *parents, last = _steps(name)
        inner = record
        for parent in parents:
            inner = inner.setdefault(parent, {})
            if not isinstance(inner, dict):
                fault = Fault("E110", 1, 1, f"the column {name!r} is inside of another column", "rename one of them")
                return Raw(None, line, faults=(fault,))
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


def header_of(text: str) -> list[str]:
    """The cells of the first row."""
    return next(csv.reader([text.split("\n", 1)[0]]), [])
