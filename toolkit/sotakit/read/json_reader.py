"""JSON and JSON Lines, with duplicate keys found and places computed only when something is to be pointed at.

The standard library's C decoder reads the values; `position` walks along one path through the text, skipping siblings
with the same decoder, so that clean files pay nothing for places.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Container, Iterator
from itertools import chain
from json.decoder import scanstring  # type: ignore[attr-defined] # public in all but its stub
from typing import Any, TypeVar

from sotakit.check.findings import Step
from sotakit.read.raw import (
    MAX_DEPTH,
    MAX_KEYS,
    MAX_LINE,
    Fault,
    Raw,
    Unreadable,
    begins_conflict,
    conflict,
    depth,
    records,
)
from sotaschema.values import PrintedFloat

T = TypeVar("T")
Look = Callable[[bytes, int], T | None]
"""A first look at a line and its number: what it gives stands for the record; None leaves the line to the reader."""
Path = tuple[Step, ...]
_SPACE = " \t\n\r"
_DECODER = json.JSONDecoder()


def read(text: str) -> Iterator[Raw]:
    """The records of one JSON document."""
    value, faults = _decode(text, 1)
    yield from records(value, faults)


def read_lines(
    lines: Iterator[bytes], look: Look[T] | None = None, only: Container[int] | None = None
) -> Iterator[Raw | T]:
    """One record a line; blank lines are skipped, a bad line does not spoil the others.

    With `only`, lines of other numbers are passed over. The lines of a merge conflict are one record that is refused.
    """
    numbered = enumerate(lines, 1)
    for number, line in numbered:
        if line[:1] == b"<" and begins_conflict(line):
            fault = conflict(chain([line], (inner for _, inner in numbered)), number)
            yield Raw(None, number, faults=(fault,) if fault else ())
            continue
        if line.isspace() or (only is not None and number not in only):
            continue
        found = look(line, number) if look and len(line) <= MAX_LINE else None
        yield _read_line(line, number) if found is None else found


def _read_line(line: bytes, number: int) -> Raw:
    """The record in one line that is not blank."""
    if len(line) > MAX_LINE:
        fault = Fault("E106", number, 1, f"a line of more than {MAX_LINE:,} bytes", "split the record")
        return Raw(None, number, faults=(fault,))
    try:
        value, faults = _decode(line.decode().rstrip("\r\n"), number)
    except UnicodeDecodeError as error:
        column = len(line[: error.start].decode()) + 1
        fault = Fault("E102", number, column, f"not UTF-8: byte {line[error.start]:#04x}", "save the file as UTF-8")
        return Raw(None, number, faults=(fault,))
    except Unreadable as error:
        return Raw(None, number, faults=(error.fault,))
    return Raw(value, number, faults=faults)


def key_count(line: bytes) -> int | None:
    """How many keys stand in one line of JSON, told without reading it; None where that is doubtful.

    A key ends where a quote meets a colon. Some texts have such a place too, so the count may be too high, but never
    too low. Doubtful are lines with escapes, by which one key can be spelled in two ways, and very many keys.
    """
    count = line.translate(None, b" \t\r\n").count(b'":')
    return None if b"\\" in line or count > MAX_KEYS else count


class Places:
    """Where things in one document or, for JSON Lines, in the text of one line stand.

    Each list and mapping on the way to a question is walked once, so that many questions cost no more than one.
    """

    def __init__(self, text: str, line: int = 1) -> None:
        self._text = text
        self._line = line
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self._inside: dict[int, dict[Step, tuple[int, int]]] = {}

    def of(self, path: Path, *, at_key: bool) -> tuple[int, int]:
        """Line and column of the value (or key) at a path; of the nearest enclosing value where it is missing."""
        start = _skip_space(self._text, 0)
        for index, step in enumerate(path, 1):
            found = self._children(start).get(step)
            if found is None:
                break
            start = found[0 if at_key and index == len(path) else 1]
        row = bisect_right(self._lines, start)
        return self._line + row - 1, start - self._lines[row - 1] + 1

    def _children(self, start: int) -> dict[Step, tuple[int, int]]:
        """Where the key and the value of each child of the value at an index start."""
        if start not in self._inside:
            walk = {"{": _members, "[": _items}.get(self._text[start : start + 1])
            try:
                self._inside[start] = dict(walk(self._text, start)) if walk else {}
            except (ValueError, IndexError, RecursionError):
                self._inside[start] = {}
        return self._inside[start]


def _decode(text: str, line: int) -> tuple[Any, tuple[Fault, ...]]:
    doubled = False

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal doubled
        mapping = dict(found)
        doubled = doubled or len(mapping) < len(found)
        if len(found) > MAX_KEYS:
            raise Unreadable(Fault("E106", line, 1, f"more than {MAX_KEYS:,} keys in one mapping", "split the file"))
        return mapping

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_float=_printed)
    except json.JSONDecodeError as error:
        row, column = _place(text, error.pos, line)
        fault = Fault("E104", row, column, f"JSON syntax: {error.msg}", "check commas, quotes and brackets here")
        raise Unreadable(fault) from error
    except RecursionError as error:
        raise Unreadable(_too_deep(line)) from error
    except ValueError as error:
        fault = Fault("E106", line, 1, "a number of more than 4,300 digits", "quote it if it is text")
        raise Unreadable(fault) from error
    if text.count("[") + text.count("{") > MAX_DEPTH and depth(value) > MAX_DEPTH:
        raise Unreadable(_too_deep(line))
    return value, tuple(_duplicate_keys(text, line)) if doubled else ()


def _printed(text: str) -> PrintedFloat:
    number = PrintedFloat(text)
    number.text = text
    return number


def _too_deep(line: int) -> Fault:
    return Fault("E106", line, 1, f"nested deeper than {MAX_DEPTH} levels", "flatten the record")


def _duplicate_keys(text: str, line: int) -> Iterator[Fault]:
    """Every key that appears again in its object, with the place of both; the text is known to be valid JSON."""
    keys: list[dict[str, int] | None] = []
    index, expects_key, item = 0, False, 0
    in_list = text[_skip_space(text, 0)] == "["
    while index < len(text):
        char = text[index]
        if char == '"':
            start, (name, index) = index, scanstring(text, index + 1)
            if expects_key and keys and (seen := keys[-1]) is not None:
                if name in seen:
                    first = _place(text, seen[name], line)
                    hint = f"the first one is at line {first[0]}, column {first[1]}; keep one of them"
                    message = f"the key {name!r} appears twice"
                    yield Fault("E105", *_place(text, start, line), message, hint, item if in_list else None)
                seen.setdefault(name, start)
                expects_key = False
            continue
        if char in "{[":
            keys.append({} if char == "{" else None)
            expects_key = char == "{"
        elif char in "}]":
            keys.pop()
        elif char == ",":
            expects_key = bool(keys) and keys[-1] is not None
            item += len(keys) == 1
        index += 1


def _skip_space(text: str, index: int) -> int:
    while index < len(text) and text[index] in _SPACE:
        index += 1
    return index


def _after(text: str, index: int) -> int:
    """The end of the value that starts at index."""
    return _DECODER.raw_decode(text, _skip_space(text, index))[1]


def _members(text: str, index: int) -> Iterator[tuple[Step, tuple[int, int]]]:
    """The members of the object at an index: name, and where key and value start."""
    index = _skip_space(text, index + 1)
    while text[index] != "}":
        start, (name, index) = index, scanstring(text, index + 1)
        index = _skip_space(text, _skip_space(text, index) + 1)
        yield name, (start, index)
        index = _skip_space(text, _after(text, index))
        index = _skip_space(text, index + 1) if text[index] == "," else index


def _items(text: str, index: int) -> Iterator[tuple[Step, tuple[int, int]]]:
    """The items of the array at an index: ordinal, and twice where it starts."""
    index, ordinal = _skip_space(text, index + 1), 0
    while text[index] != "]":
        yield ordinal, (index, index)
        index = _skip_space(text, _after(text, index))
        index = _skip_space(text, index + 1) if text[index] == "," else index
        ordinal += 1


def _place(text: str, index: int, line: int) -> tuple[int, int]:
    return line + text.count("\n", 0, index), index - text.rfind("\n", 0, index)
