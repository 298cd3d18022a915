"""YAML 1.2 core schema from libyaml's event stream, with positions and without YAML's surprises.

`NO` is text, `1e-3` is a number, dates stay text, `0.90` keeps its digits. Duplicate keys are faults with both places;
aliases, tags, merge keys, several documents and deep nesting are refused, so no small file can grow large.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

from sotakit.check.findings import Step
from sotakit.read.raw import MAX_DEPTH, MAX_DIGITS, MAX_KEYS, Fault, Raw, Unreadable, records
from sotaschema.values import WrittenFloat, WrittenInt

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OTHER_BREAKS = re.compile("[\r\x85\u2028\u2029]")
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


class Places(NamedTuple):
    """Where everything in one document stands."""

    known: dict[tuple[Path, bool], Place]

    def of(self, path: Path, *, at_key: bool) -> Place:
        """Line and column of the value (or key) at a path; of the nearest enclosing value where it is missing."""
        for length in range(len(path), -1, -1):
            place = self.known.get((path[:length], at_key and length == len(path)))
            if place:
                return place
        return 1, 1


def places(text: str) -> Places:
    """The places of a document, read once for all questions; the place of the fault if it cannot be read."""
    known: dict[tuple[Path, bool], Place] = {}
    try:
        _Builder(places=known).document(text)
    except Unreadable as error:
        known[(), False] = (error.fault.line, error.fault.column)
    return Places(known)


class _Builder:
    """Builds plain values from events; collects faults that leave the rest readable."""

    def __init__(self, places: dict[tuple[Path, bool], Place] | None = None) -> None:
        self.faults: list[Fault] = []
        self.places = places
        self._simple = False
        self._starts: list[int] = []

    def document(self, text: str) -> Any:
        self._simple = _OTHER_BREAKS.search(text) is None
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]
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
            raise Unreadable(self._syntax_fault(error)) from error
        except yaml.reader.ReaderError as error:
            raise Unreadable(_character_fault(error, text)) from error
        if not isinstance(after, yaml.StreamEndEvent):
            raise Unreadable(self._fault("E107", after, "a second document starts here", "one file holds one document"))
        return value

    def _node(self, event: Any, path: Path, level: int) -> Any:
        if level >= MAX_DEPTH:
            raise Unreadable(self._fault("E106", event, f"nested deeper than {MAX_DEPTH} levels", "flatten the record"))
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            hint = "write the value out where it is needed"
            raise Unreadable(self._fault("E107", event, "anchors and aliases are not allowed", hint))
        if event.tag:
            hint = "remove the tag; quote the value if it is text"
            raise Unreadable(self._fault("E107", event, f"the tag {event.tag!r} is not allowed", hint))
        if self.places is not None:
            self.places[path, False] = self._spot(event)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event) if event.implicit[0] else event.value
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
        first: dict[str, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._key(event)
            if key in first:
                hint = "the first one is at line {}, column {}; keep one of them".format(*self._place(first[key]))
                fault = self._fault("E105", event, f"the key {key!r} appears twice", hint)
                self.faults.append(fault._replace(item=path[0] if path and isinstance(path[0], int) else None))
                self._node(next(self._events), (*path, key), level + 1)
                continue
            first[key] = event.start_mark
            if self.places is not None:
                self.places[(*path, key), True] = self._spot(event)
            mapping[key] = self._node(next(self._events), (*path, key), level + 1)
            if len(mapping) > MAX_KEYS:
                what = f"more than {MAX_KEYS:,} keys in one mapping"
                raise Unreadable(self._fault("E106", event, what, "split the file"))
        return mapping

    def _key(self, event: Any) -> str:
        if not isinstance(event, yaml.ScalarEvent) or event.anchor or event.tag:
            raise Unreadable(self._fault("E107", event, "a key must be plain text", "use one short text as the key"))
        if event.value == "<<" and event.implicit[0]:
            raise Unreadable(self._fault("E107", event, "merge keys are not allowed", "write the fields out"))
        return str(event.value)

    def _scalar(self, event: Any) -> Any:
        """The value of a plain scalar by the YAML 1.2 core schema; numbers keep their text."""
        text: str = event.value
        if text in _SPECIAL:
            return _SPECIAL[text]
        if _INT.fullmatch(text):
            if len(text) > MAX_DIGITS:
                what = f"a number of more than {MAX_DIGITS} digits"
                raise Unreadable(self._fault("E106", event, what, "quote it if it is text"))
            whole = WrittenInt(int(text, {"0o": 8, "0x": 16}.get(text[:2], 10)))
            whole.text = text
            return whole
        if _FLOAT.fullmatch(text):
            number = WrittenFloat(text)
            number.text = text
            return number
        return text

    def _place(self, mark: Any) -> Place:
        """Line and column by line feeds alone, as editors count them; libyaml also counts U+0085, U+2028 and U+2029."""
        line = bisect_right(self._starts, mark.index)
        return line, mark.index - self._starts[line - 1] + 1

    def _spot(self, event: Any) -> Place:
        """The place of an event that starts inside of the text, by libyaml's own count where the two agree."""
        mark = event.start_mark
        return (mark.line + 1, mark.column + 1) if self._simple else self._place(mark)

    def _fault(self, code: str, event: Any, message: str, hint: str) -> Fault:
        return Fault(code, *self._place(event.start_mark), message, hint)

    def _syntax_fault(self, error: yaml.MarkedYAMLError) -> Fault:
        mark = error.problem_mark or error.context_mark
        line, column = self._place(mark) if mark else (1, 1)
        message = "YAML syntax: " + " ".join(part for part in (error.context, error.problem) if part)
        if "nesting" in str(error.problem):
            return Fault("E106", line, column, message, "flatten the record")
        return Fault("E104", line, column, message, "check quotes, colons and indentation around this place")


def _character_fault(error: yaml.reader.ReaderError, text: str) -> Fault:
    found = re.search(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    start = found.start() if found else 0
    line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
    message = f"the character {text[start : start + 1]!r} is not allowed in YAML" if found else f"YAML: {error.reason}"
    return Fault("E104", line, column, message, "remove control characters from the file")
