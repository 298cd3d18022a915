"""JSON and JSON Lines, with duplicate keys found and places computed only when something is to be pointed at.

The standard library's C decoder reads the values; `position` walks along one path through the text, skipping siblings
with the same decoder, so that clean files pay nothing for places.
"""

import json
from collections.abc import Iterator
from json.decoder import scanstring  # type: ignore[attr-defined] # public in all but its stub
from typing import Any

from sotakit.check.findings import Step
from sotakit.read.raw import MAX_DEPTH, MAX_LINE_CHARS, Fault, Raw, Unreadable, depth, records

Path = tuple[Step, ...]
_SPACE = " \t\n\r"
_DECODER = json.JSONDecoder()


def read(text: str) -> Iterator[Raw]:
    """The records of one JSON document."""
    value, faults = _decode(text, 1)
    yield from records(value, faults)


def read_lines(lines: Iterator[str]) -> Iterator[Raw]:
    """One record a line; blank lines are skipped, a bad line does not spoil the others."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if len(line) > MAX_LINE_CHARS:
            fault = Fault("E106", number, 1, f"a line of more than {MAX_LINE_CHARS:,} characters", "split the record")
            yield Raw(None, number, faults=(fault,))
            continue
        try:
            value, faults = _decode(line, number)
        except Unreadable as error:
            value, faults = None, (error.fault,)
        yield Raw(value, number, faults=faults)


def position(text: str, line: int, path: Path, *, at_key: bool) -> tuple[int, int]:
    """Line and column of the value (or key) at a path in a document or, for JSON Lines, in the text of its line."""
    start = 0
    try:
        for step in path:
            start = _skip_space(text, start)
            here = _member(text, start, step, key=at_key and step is path[-1]) if isinstance(step, str) else None
            here = _item(text, start, step) if isinstance(step, int) else here
            if here is None:
                break
            start = here
        start = _skip_space(text, start)
    except (ValueError, IndexError, RecursionError):
        start = _skip_space(text, 0)
    return _place(text, start, line)


def _decode(text: str, line: int) -> tuple[Any, tuple[Fault, ...]]:
    doubled = False

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal doubled
        mapping = dict(found)
        doubled = doubled or len(mapping) < len(found)
        return mapping

    try:
        value = json.loads(text, object_pairs_hook=pairs)
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


def _too_deep(line: int) -> Fault:
    return Fault("E106", line, 1, f"nested deeper than {MAX_DEPTH} levels", "flatten the record")


def _duplicate_keys(text: str, line: int) -> Iterator[Fault]:
    """Every key that appears again in its object, with the place of both; the text is known to be valid JSON."""
    keys: list[dict[str, int] | None] = []
    index, expects_key = 0, False
    while index < len(text):
        char = text[index]
        if char == '"':
            start, (name, index) = index, scanstring(text, index + 1)
            if expects_key and keys and (seen := keys[-1]) is not None:
                if name in seen:
                    first = _place(text, seen[name], line)
                    hint = f"the first one is at line {first[0]}, column {first[1]}; keep one of them"
                    yield Fault("E105", *_place(text, start, line), f"the key {name!r} appears twice", hint)
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
        index += 1


def _skip_space(text: str, index: int) -> int:
    while index < len(text) and text[index] in _SPACE:
        index += 1
    return index


def _after(text: str, index: int) -> int:
    """The end of the value that starts at index."""
    return _DECODER.raw_decode(text, _skip_space(text, index))[1]


def _member(text: str, index: int, name: str, *, key: bool) -> int | None:
    """Where the last member of this name starts, its key or its value; None if there is none."""
    found = None
    if text[index] != "{":
        return None
    index = _skip_space(text, index + 1)
    while text[index] != "}":
        start, (member, index) = index, scanstring(text, index + 1)
        index = _skip_space(text, _skip_space(text, index) + 1)
        if member == name:
            found = start if key else index
        index = _skip_space(text, _after(text, index))
        index = _skip_space(text, index + 1) if text[index] == "," else index
    return found


def _item(text: str, index: int, wanted: int) -> int | None:
    """Where an item of an array starts; None if there is no such item."""
    if text[index] != "[":
        return None
    index = _skip_space(text, index + 1)
    for _ in range(wanted):
        if text[index] == "]":
            return None
        index = _skip_space(text, _after(text, index))
        if text[index] != ",":
            return None
        index = _skip_space(text, index + 1)
    return index


def _place(text: str, index: int, line: int) -> tuple[int, int]:
    return line + text.count("\n", 0, index), index - text.rfind("\n", 0, index)
