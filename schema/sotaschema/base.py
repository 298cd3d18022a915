"""What all records share: closed, frozen, strict models, and the field types of several of them."""

import math
import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from sotaschema.identity import ID_PATTERN, nfc
from sotaschema.values import WrittenFloat, WrittenInt

NUMBER_PATTERN = r"^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,3})?$"
"""One number as its digits."""

OWN_ERRORS = frozenset({"date", "text", "finite_number", "scalar", "keys"})
"""Kinds of validation errors that are raised here, with messages for authors of records."""


class Record(BaseModel):
    """A closed, immutable record: unknown fields, coercions, NaN and infinity are refused."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, allow_inf_nan=False, use_attribute_docstrings=True
    )


@lru_cache(maxsize=10_000)
def check_date(text: str) -> str:
    """A date known to the day, the month or the year: 2026-01-23, 2026-01 or 2026."""
    if not re.fullmatch(r"[0-9]{4}(-[0-9]{2}){0,2}", text):
        raise PydanticCustomError("date", "expected a date as YYYY, YYYY-MM or YYYY-MM-DD")
    first_day(text)
    return text


@lru_cache(maxsize=10_000)
def first_day(partial: str) -> date:
    """The first day that a partial date can mean."""
    year, month, day = (int(part) for part in (partial + "-01-01")[:10].split("-"))
    try:
        return date(year, month, day)
    except ValueError as error:
        raise PydanticCustomError("date", "expected a day of the calendar: {why}", {"why": str(error)}) from error


@lru_cache(maxsize=10_000)
def last_day(partial: str) -> date:
    """The last day that a partial date can mean."""
    first = first_day(partial)
    month = first.month if len(partial) > 4 else 12
    return first if len(partial) > 7 else first.replace(month=month, day=monthrange(first.year, month)[1])


def check_timestamp(text: str) -> str:
    """A time in UTC as ISO 8601 with a final Z, kept as it was written."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?Z", text):
        raise PydanticCustomError("date", "expected a UTC time such as 2026-02-26T05:46:52Z")
    check_date(text[:10])
    hour, minute, second = int(text[11:13]), int(text[14:16]), int(text[17:19])
    if hour > 23 or minute > 59 or second > 59:
        raise PydanticCustomError("date", "expected a time of day")
    return text


def check_url(text: str) -> str:
    """An http or https address without spaces, double quotes or control characters; an apostrophe is allowed."""
    if not re.fullmatch(r"https?://[^\s<>\"`\\\x00-\x20]+", text):
        raise PydanticCustomError("text", "expected an http or https address without spaces or double quotes")
    return text


def check_line(text: str) -> str:
    """Text of one line: no line breaks and no other control characters."""
    if text.isascii() and text.isprintable():  # nearly all text, at a third of the cost
        return text
    if re.search(r"[\x00-\x1f\x7f\u2028\u2029]", text):
        raise PydanticCustomError("text", "expected one line of text without control characters")
    return nfc(text)


def check_text(text: str) -> str:
    """Text that may have several lines, but no other control characters."""
    if text.isascii() and text.isprintable():
        return text
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text):
        raise PydanticCustomError("text", "expected text without control characters")
    return nfc(text)


def year_text(value: Any) -> Any:
    """A year written without quotes, which YAML and JSON read as a number, as its text; other values unchanged."""
    if isinstance(value, int) and not isinstance(value, bool):
        text = value.text if isinstance(value, WrittenInt) else str(value)
        return text if re.fullmatch(r"[0-9]{4}", text) else value
    return value


def number_text(value: Any) -> Any:
    """The digits of a number as written (YAML), else as Python prints them (JSON); other values pass unchanged."""
    if isinstance(value, WrittenInt | WrittenFloat):
        return value.text
    return value if isinstance(value, bool) or not isinstance(value, int | float) else repr(value)


def check_finite(value: float) -> float:
    """A number that is neither NaN nor infinite."""
    if not math.isfinite(value):
        raise PydanticCustomError("finite_number", "expected a finite number")
    return value


def check_scalar(value: Any) -> Any:
    """One text, number or truth value; a written number becomes a plain one."""
    if isinstance(value, str):
        return check_line(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(check_finite(value))
    raise PydanticCustomError("scalar", "expected one text, finite number, true or false")


def _are_ascii(keys: Iterable[Any]) -> bool:
    """Whether all keys are ASCII text, which is its own normal form; a loop, since every record comes here."""
    for key in keys:  # noqa: SIM110 - a generator takes twice as long
        if not isinstance(key, str) or not key.isascii():
            return False
    return True


def check_keys(value: Any) -> Any:
    """No two keys of a mapping are the same text in normal form C: one of their values would be lost."""
    if isinstance(value, dict) and not _are_ascii(value):
        counts = Counter(nfc(str(key)) for key in value)
        if len(counts) < len(value):
            name = counts.most_common(1)[0][0]
            raise PydanticCustomError("keys", "two keys are the same text in normal form C: {name}", {"name": name})
    return value


def _pattern(regex: str) -> Any:
    """A pattern for the JSON Schema only: the validator beside it gives the better message."""
    return Field(json_schema_extra={"pattern": regex})


def _examples(*values: Any) -> Any:
    """Examples for the JSON Schema and the docs, where a field has none of its own."""
    return Field(examples=list(values))


Id = Annotated[str, StringConstraints(pattern=ID_PATTERN), _examples("mnist-test")]
"""Lower-case ASCII letters, digits, dots, dashes and underscores, at most 64 characters."""

Line = Annotated[str, StringConstraints(min_length=1, max_length=1000), AfterValidator(check_line)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=20_000), AfterValidator(check_text)]
PartialDate = Annotated[
    str,
    BeforeValidator(year_text),
    AfterValidator(check_date),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": r"^[0-9]{4}(-[0-9]{2}){0,2}$"},
                {"type": "integer", "minimum": 1000, "maximum": 9999},
            ],
            "examples": ["2026-01-23", "2026-01"],
        }
    ),
]
"""A year, a month or a day; a year may stand without quotes."""

Timestamp = Annotated[
    str,
    AfterValidator(check_timestamp),
    Field(json_schema_extra={"format": "date-time"}),
    _examples("2026-02-26T05:46:52Z"),
]
Url = Annotated[
    str,
    StringConstraints(max_length=2000),
    AfterValidator(check_url),
    _pattern(r"^https?://[^\s]+$"),
    _examples("https://example.org/report"),
]
NumberText = Annotated[
    str,
    BeforeValidator(number_text),
    StringConstraints(pattern=NUMBER_PATTERN),
    Field(json_schema_extra={"type": ["string", "number"], "pattern": NUMBER_PATTERN}),
    _examples("0.90"),
]
"""A decimal kept as its digits."""

Level = Annotated[float, Field(gt=0, lt=1), _examples(0.95)]
"""A confidence level as a fraction, for instance 0.95."""

Count = Annotated[int, Field(ge=1, le=2**53), _examples(10_000)]

ScalarValue = Annotated[str | int | float | bool, BeforeValidator(check_scalar), _examples("MC Dropout", 0.5, True)]
"""A configuration value: typed, never nested."""

Settings = Annotated[dict[Line, ScalarValue], BeforeValidator(check_keys), _examples({"k": 10})]
"""Named configuration values."""
