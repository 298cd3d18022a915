"""YAML 1.2 core schema from libyaml's event stream, with positions and without YAML's surprises.

`NO` is text, `1e-3` is a number, dates stay text, `0.90` keeps its digits. Duplicate keys are faults with both places;
aliases, tags, merge keys, several documents and deep nesting are refused, so no small file can grow large.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import yaml
from yaml.events import MappingEndEvent, ScalarEvent, SequenceEndEvent, SequenceStartEvent, StreamEndEvent

from sotakit.check.findings import Step
from sotakit.cycles import without_cycles
from sotakit.read.raw import MAX_DEPTH, MAX_DIGITS, MAX_KEYS, Fault, Raw, Unreadable, records
from sotaschema.values import WrittenFloat, WrittenInt

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_CUT = re.compile(r"[ \t]+#(?:[^\s#!]|[ \t]*(?:\n|$))")
"""What looks as if it belonged to the text before it: a sign of a comment without a space behind it."""
_BASES = {"0o": 8, "0x": 16}
_STARTS_OF_NUMBERS = frozenset("+-.0123456789")
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
    builder = _Builder(text)
    value = builder.document()
    if value is None and not builder.faults:
        return
    yield from records(value, tuple(builder.faults), tuple(builder.remarks))


class Places:
    """Where everything in one document stands.

    Keys and values are numbered in the order in which they start. What is known of them lies in a few flat lists, since
    a document has many; what a path leads to is looked up when somebody asks.
    """

    def __init__(self) -> None:
        self.starts = array("q")
        """Index of the first character of each key and value."""
        self.names: list[str | None] = []
        """The text of each key, None for a value."""
        self.ends: dict[int, int] = {}
        """The number that follows the last one inside of a list or mapping."""
        self.lines: list[int] = [0]
        """Index of the first character of each line."""
        self._inside: dict[int, dict[Step, tuple[int, int]]] = {}

    def note(self, event: Any, name: str | None = None) -> int:
        """Number what an event begins: a key, which has a name, or a value."""
        self.starts.append(event.start_mark.index)
        self.names.append(name)
        return len(self.names) - 1

    def of(self, path: Path, *, at_key: bool) -> Place:
        """Line and column of the value (or key) at a path; of the nearest enclosing value where it is missing."""
        number = 0
        for length, step in enumerate(path, 1):
            found = self._children(number).get(step)
            if found is None:
                break
            number = found[0 if at_key and length == len(path) else 1]
        return _place(self.lines, self.starts[number] if self.starts else 0)

    def _children(self, parent: int) -> dict[Step, tuple[int, int]]:
        """The numbers of key and value of everything in a list or mapping; of a doubled key the first."""
        if parent not in self._inside:
            found: dict[Step, tuple[int, int]] = {}
            number, end = parent + 1, self.ends.get(parent, 0)
            while number < end:
                name = self.names[number]
                value = number if name is None else number + 1
                found.setdefault(len(found) if name is None else name, (number, value))
                number = self.ends.get(value, value + 1)
            self._inside[parent] = found
        return self._inside[parent]


def places(text: str) -> Places:
    """The places of a document, read once for all questions; the place of the fault if it cannot be read."""
    found = Places()
    builder = _Builder(text, found)
    found.lines = builder.lines
    try:
        builder.document()
    except Unreadable as error:
        found = Places()
        found.lines = builder.lines
        found.starts.append(found.lines[error.fault.line - 1] + error.fault.column - 1)
    return found


class _Builder:
    """Builds plain values from events; collects faults that leave the rest readable."""

    def __init__(self, text: str, places: Places | None = None) -> None:
        self.faults: list[Fault] = []
        self.remarks: list[Fault] = []
        self._text = text
        self._may_be_cut = _CUT.search(text) is not None
        self._places = places

    @cached_property
    def lines(self) -> list[int]:
        """Index of the first character of each line."""
        return [0, *(match.end() for match in re.finditer("\n", self._text))]

    def document(self) -> Any:
        """The value of the document; None if there is none."""
        with without_cycles():  # a large document makes many objects, and none of them refers to itself
            return self._document()

    def _document(self) -> Any:
        try:
            self._events = yaml.parse(self._text, Loader=_LOADER)
            next(self._events)  # stream start
            event = next(self._events)
            if isinstance(event, StreamEndEvent):
                return None
            value = self._node(next(self._events), 0)
            next(self._events)  # document end
            after = next(self._events)
        except yaml.MarkedYAMLError as error:
            raise Unreadable(self._syntax_fault(error)) from error
        except yaml.reader.ReaderError as error:
            raise Unreadable(_character_fault(error, self._text)) from error
        if not isinstance(after, StreamEndEvent):
            raise Unreadable(self._fault("E107", after, "a second document starts here", "one file holds one document"))
        return value

    def _node(self, event: Any, level: int, item: int | None = None) -> Any:
        """The value that an event begins, in an item of the document's list if that is one."""
        if level >= MAX_DEPTH or event.anchor or event.tag:
            raise Unreadable(self._refusal(event, level))
        number = -1 if self._places is None else self._places.note(event)
        if isinstance(event, ScalarEvent):
            if not event.implicit[0]:
                return event.value
            if self._may_be_cut:
                self._remark_cut(event, item)
            return self._scalar(event)
        inner = self._sequence if isinstance(event, SequenceStartEvent) else self._mapping
        value = inner(level, item)
        if self._places is not None:
            self._places.ends[number] = len(self._places.names)
        return value

    def _remark_cut(self, event: Any, item: int | None) -> None:
        """W113: a plain text that a comment follows which does not look like one: "Entry #2" is read as "Entry"."""
        end = event.end_mark.index
        if _CUT.match(self._text, end) and isinstance(self._scalar(event), str):
            line, column = _place(self.lines, self._text.index("#", end))
            rest = self._text[end:].split("\n", 1)[0].strip()
            message = f"{event.value!r} ends here, since {rest!r} is a comment"
            hint = f'if it belongs to the text, put all of it in quotes: "{event.value} {rest}"'
            self.remarks.append(Fault("W113", line, column, message, hint, item))

    def _refusal(self, event: Any, level: int) -> Fault:
        """Why no value may begin as this one does."""
        if level >= MAX_DEPTH:
            return self._fault("E106", event, f"nested deeper than {MAX_DEPTH} levels", "flatten the record")
        if event.anchor:
            hint = "write the value out where it is needed"
            return self._fault("E107", event, "anchors and aliases are not allowed", hint)
        hint = "remove the tag; quote the value if it is text"
        return self._fault("E107", event, f"the tag {event.tag!r} is not allowed", hint)

    def _sequence(self, level: int, item: int | None) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := next(self._events), SequenceEndEvent):
            items.append(self._node(event, level + 1, item if level else len(items)))
        return items

    def _mapping(self, level: int, item: int | None) -> dict[str, Any]:
        mapping: dict[str, Any] = {}
        first: dict[str, Any] = {}
        while not isinstance(event := next(self._events), MappingEndEvent):
            key = self._key(event)
            if self._places is not None:
                self._places.note(event, key)
            value = self._node(next(self._events), level + 1, item)
            if key in first:
                place = _place(self.lines, first[key].index)
                hint = "the first one is at line {}, column {}; keep one of them".format(*place)
                self.faults.append(self._fault("E105", event, f"the key {key!r} appears twice", hint, item))
                continue
            first[key] = event.start_mark
            mapping[key] = value
            if len(mapping) > MAX_KEYS:
                what = f"more than {MAX_KEYS:,} keys in one mapping"
                raise Unreadable(self._fault("E106", event, what, "split the file"))
        return mapping

    def _key(self, event: Any) -> str:
        if not isinstance(event, ScalarEvent) or event.anchor or event.tag:
            raise Unreadable(self._fault("E107", event, "a key must be plain text", "use one short text as the key"))
        key: str = event.value
        if key == "<<" and event.implicit[0]:
            raise Unreadable(self._fault("E107", event, "merge keys are not allowed", "write the fields out"))
        return key

    def _scalar(self, event: Any) -> Any:
        """The value of a plain scalar by the YAML 1.2 core schema; numbers keep their text."""
        text: str = event.value
        if text in _SPECIAL:
            return _SPECIAL[text]
        if text[0] not in _STARTS_OF_NUMBERS:
            return text
        if _INT.fullmatch(text):
            if len(text) > MAX_DIGITS:
                what = f"a number of more than {MAX_DIGITS} digits"
                raise Unreadable(self._fault("E106", event, what, "quote it if it is text"))
            whole = WrittenInt(int(text, _BASES.get(text[:2], 10)))
            whole.text = text
            return whole
        if _FLOAT.fullmatch(text):
            number = WrittenFloat(text)
            number.text = text
            return number
        return text

    def _fault(self, code: str, event: Any, message: str, hint: str, item: int | None = None) -> Fault:
        return Fault(code, *_place(self.lines, event.start_mark.index), message, hint, item)

    def _syntax_fault(self, error: yaml.MarkedYAMLError) -> Fault:
        mark = error.problem_mark or error.context_mark
        line, column = _place(self.lines, mark.index) if mark else (1, 1)
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


def _place(lines: list[int], index: int) -> Place:
    """Line and column by line feeds alone, as editors count them; libyaml also counts U+0085, U+2028 and U+2029."""
    line = bisect_right(lines, index)
    return line, index - lines[line - 1] + 1
