"""The rows of a Papers with Code file: what a result is made of, or why a row cannot become one."""

import json
from typing import Any, NamedTuple

from sotakit.exchange.importing import Batch, Fields, printable
from sotaschema.values import MAX_VALUE_TEXT

MAX_NAME = 1000


class Digits(str):
    """A number of the file, as its digits."""

    __slots__ = ()


class Row(NamedTuple):
    """One usable row: what a result is made of."""

    number: int
    """Ordinal in the file, from 0."""
    path: str
    raw: Fields
    label: str
    """The method as printed."""
    scores: dict[str, str]
    """Value text by metric label."""

    @property
    def method(self) -> str:
        """The method's name."""
        return self.label.strip()

    def text(self, name: str) -> str:
        """A field of the row as text; empty where there is none."""
        value = self.raw.get(name)
        return value if isinstance(value, str) else ""


class Unusable(Exception):  # noqa: N818 - named for the situation
    """Why a row cannot become a record."""


def usable_row(batch: Batch, number: int, path: str, raw: Any) -> Row:
    """A row of the file; raises `Unusable` with the reason if it cannot become a record."""
    if not isinstance(raw, dict):
        raise Unusable("expected a row as a mapping")
    label = one_name(raw.get("model_name"), "method", "model_name")
    given = raw.get("metrics")
    scores: dict[str, str] = {}
    lists = empty = 0
    for printed, value in given.items() if isinstance(given, dict) else ():
        name, text = printable(printed).strip(), value_text(value)
        if name in scores and text.strip():
            raise Unusable("two metrics have one name when spaces around it are left out")
        if not name and text.strip():
            raise Unusable("a value has no metric: its name is empty")
        if text.strip():
            scores[name] = text
        empty += not text.strip()
        lists += isinstance(value, list | dict)
    if not scores:
        raise Unusable("no score: metrics holds no value")
    if max(map(len, scores)) > MAX_NAME:
        raise Unusable(f"a name of more than {MAX_NAME:,} characters")
    if max(map(len, scores.values())) > MAX_VALUE_TEXT:
        raise Unusable(f"a value of more than {MAX_VALUE_TEXT} characters")
    batch.kept_as_text["value that is a list or an object"] += lists
    batch.not_carried["metric without a value in its row"] += empty
    return Row(number, path, raw, label, scores)


def one_name(value: Any, what: str, place: str) -> str:
    """A name as one line; raises `Unusable` where there is none, or something that is no text."""
    if value is not None and not isinstance(value, str):
        raise Unusable(f"no {what}: {place} is {json_text(value)[:80]}, expected a text")
    name = printable(value or "")
    if not name.strip():
        raise Unusable(f"no {what}: {place} is empty")
    if len(name) > MAX_NAME:
        raise Unusable(f"a name of more than {MAX_NAME:,} characters: {place}")
    return name


def value_text(value: Any) -> str:
    """A value as the file has it: a text as it is, everything else as JSON; empty where there is none."""
    if value is None or value in ([], {}):
        return ""
    return printable(value if isinstance(value, str) else json_text(value))


def json_text(value: Any) -> str:
    """A value as JSON, its numbers with the digits of the file."""
    if isinstance(value, Digits):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(json_text, value))}]"
    if isinstance(value, dict):
        members = (f"{json.dumps(key, ensure_ascii=False)}: {json_text(member)}" for key, member in value.items())
        return f"{{{', '.join(members)}}}"
    return json.dumps(value, ensure_ascii=False)
