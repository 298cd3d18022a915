"""YAML 1.2 core schema from libyaml's event stream, with positions and without YAML's surprises.

`NO` is text, `1e-3` is a number, dates stay text, `0.90` keeps its digits. Duplicate keys are faults with both places;
aliases, tags, merge keys, several documents and deep nesting are refused, so no small file can grow large.
"""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from sotakit.check.findings import Step
from sotakit.read.raw import MAX_DEPTH, MAX_KEYS, Fault, Raw, Unreadable, records
from sotaschema.values import WrittenFloat, WrittenInt

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}

Path = tuple[Step, ...]
Place = tuple[int, int]


def read(text: str) -> Iterator[Raw]:
    """The records of one YAML document."""
    builder = _Builder()
    value = builder.document(text)
    if value is None and not builder.faults:
        return
    yield from records(value, tuple(builder.faults))


def position(text: str, line: int, path: Path, *, at_key: bool) -> Place:
    """Line and column of the value (or key) at a path; of the nearest enclosing value where it is missing."""
    builder = _Builder(places={})
    try:
        builder.document(text)
    except Unreadable as error:
        return error.fault.line, error.fault.column
    places = builder.places or {}
    for length in range(len(path), -1, -1):
        place = places.get((path[:length], at_key and length == len(path)))
        if place:
            return place
    return line, 1


class _Builder:
    """Builds plain values from events; collects faults that leave the rest readable."""

    def __init__(self, places: dict[tuple[Path, bool], Place] | None = None) -> None:
        self.faults: list[Fault] = []
        self.places = places

    def document(self, text: str) -> Any:
        try:
            self._events = yaml.parse(text, Loader=_LOADER)
            next(self._events)  # stream start
            event = next(self._events)
            if isinstance(event, yaml.StreamEndEvent):
                return None
            value = self._node(next(self._events), (), 0)
            next(self._events)  # document end
            after = next(self._events)
        except yaml.MarkedYAMLError as error:
            raise Unreadable(_syntax_fault(error)) from error
        except yaml.reader.ReaderError as error:
            raise Unreadable(_character_fault(error, text)) from error
        if not isinstance(after, yaml.StreamEndEvent):
            raise Unreadable(_fault("E107", after, "a second document starts here", "one file holds one document"))
        return value

    def _node(self, event: Any, path: Path, level: int) -> Any:
        if level > MAX_DEPTH:
            raise Unreadable(_fault("E106", event, f"nested deeper than {MAX_DEPTH} levels", "flatten the record"))
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            hint = "write the value out where it is needed"
            raise Unreadable(_fault("E107", event, "anchors and aliases are not allowed", hint))
        if event.tag and event.tag != "!":
            hint = "remove the tag; quote the value if it is text"
            raise Unreadable(_fault("E107", event, f"the tag {event.tag!r} is not allowed", hint))
        if self.places is not None:
            self.places[path, False] = _place(event)
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event) if event.implicit[0] else event.value
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(path, level)
        return self._mapping(path, level)

    def _sequence(self, path: Path, level: int) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            items.append(self._node(event, (*path, len(items)), level + 1))
        return items

    def _mapping(self, path: Path, level: int) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        first: dict[str, Place] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key, place = self._key(event), _place(event)
            if key in first:
                hint = "the first one is at line {}, column {}; keep one of them".format(*first[key])
                self.faults.append(_fault("E105", event, f"the key {key!r} appears twice", hint))
                self._node(next(self._events), (*path, key), level + 1)
                continue
            first[key] = place
            if self.places is not None:
                self.places[(*path, key), True] = first[key]
            mapping[key] = self._node(next(self._events), (*path, key), level + 1)
            if len(mapping) > MAX_KEYS:
                raise Unreadable(_fault("E106", event, f"more than {MAX_KEYS:,} keys in one mapping", "split the file"))
        return mapping

    def _key(self, event: Any) -> str:
        if not isinstance(event, yaml.ScalarEvent) or event.anchor or event.tag:
            raise Unreadable(_fault("E107", event, "a key must be plain text", "use one short text as the key"))
        if event.value == "<<" and event.implicit[0]:
            raise Unreadable(_fault("E107", event, "merge keys are not allowed", "write the fields out"))
        return str(event.value)


def _scalar(event: Any) -> Any:
    """The value of a plain scalar by the YAML 1.2 core schema; numbers keep their text."""
    text: str = event.value
    if text in _SPECIAL:
        return _SPECIAL[text]
    if _INT.fullmatch(text):
        if len(text) > 400:
            raise Unreadable(_fault("E106", event, "a number of more than 400 digits", "quote it if it is text"))
        whole = WrittenInt(int(text, {"0o": 8, "0x": 16}.get(text[:2], 10)))
        whole.text = text
        return whole
    if _FLOAT.fullmatch(text):
        number = WrittenFloat(text)
        number.text = text
        return number
    return text


def _place(event: Any) -> Place:
    return event.start_mark.line + 1, event.start_mark.column + 1


def _fault(code: str, event: Any, message: str, hint: str) -> Fault:
    return Fault(code, *_place(event), message, hint)


def _syntax_fault(error: yaml.MarkedYAMLError) -> Fault:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    message = "YAML syntax: " + " ".join(part for part in (error.context, error.problem) if part)
    return Fault("E104", line, column, message, "check quotes, colons and indentation around this place")


def _character_fault(error: yaml.reader.ReaderError, text: str) -> Fault:
    found = re.search(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    start = found.start() if found else 0
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    message = f"the character {text[start : start + 1]!r} is not allowed in YAML" if found else f"YAML: {error.reason}"
    return Fault("E104", line, column, message, "remove control characters from the file")
