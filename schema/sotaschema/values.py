"""From the text a source prints to a decimal, without losing the text.

`parse_value("93.2 ± 0.1 %")` gives the decimal 93.2 with one printed decimal, the unit percent and an uncertainty of
unknown kind. What is not one number ("0.60 / 0.72", "3,5") is `unreadable`: its text stays, it gets no value.
"""

import math
import re
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from sotaschema.vocabulary import MissingReason, Qualifier, Unit

MAX_VALUE_TEXT = 200
"""Longest text of a score, in characters."""


class WrittenInt(int):
    """An integer together with the digits its author wrote (`text`)."""

    text: str


class WrittenFloat(float):
    """A float together with the digits its author wrote (`text`): `0.90` is not `0.9`."""

    text: str


class PrintedFloat(float):
    """A float together with the digits that JSON has for it, which are kept for messages only."""

    __slots__ = ("text",)
    text: str


class ParsedValue(NamedTuple):
    """What one printed value says.

    `value` is None exactly when `missing_reason` is set. `decimals` counts the digits printed behind the decimal
    point; it is None where that means nothing (exponents, "24M"). `uncertainty` is the number after "±", `low` and
    `high` are the ends of a printed interval.
    """

    value: Decimal | None = None
    decimals: int | None = None
    unit: Unit | None = None
    qualifier: Qualifier = "exact"
    uncertainty: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None
    missing_reason: MissingReason | None = None


_MISSING = frozenset(
    {"", "-", "--", "---", "–", "—", "?", "n/a", "n.a.", "na", "nan", "none", "null", "nil", "not reported", "tbd"}
)
_FAILED = frozenset({"oom", "out of memory", "oot", "timeout", "failed"})
_QUALIFIERS: dict[str, Qualifier] = {
    "<": "less_than",
    ">": "greater_than",
    "<=": "at_most",
    "≤": "at_most",
    ">=": "at_least",
    "≥": "at_least",
    "~": "approximate",
    "≈": "approximate",
}
_FACTORS = {"K": 3, "k": 3, "M": 6, "B": 9, "T": 12}
"""Powers of ten."""

_NUMBER = r"[-+]?(?:[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]*)?|[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?"
_EMPHASIS = re.compile(r"(\*{1,3})([^*]*)\1")
_VALUE = re.compile(
    rf"""(?P<qualifier><=|>=|[<>≤≥~≈])?\s*
    (?P<number>{_NUMBER})(?P<factor>[KkMBT](?![A-Za-z]))?\s*%?
    (?:\s*\(?(?:±|\+/-|\+-)\s*(?P<uncertainty>(?!-){_NUMBER})\s*%?\)?
      |\s*[\[(]\s*(?P<low>{_NUMBER})\s*(?:,|;|–|\bto\b)\s*(?P<high>{_NUMBER})\s*[\])])?
    \s*%?""",
    re.VERBOSE,
)


_AMBIGUOUS = re.compile(r"(?:<=|>=|[<>≤≥~≈])?\s*[-+−]?[1-9][0-9]{0,2},[0-9]{3}(?![0-9.,])(?!\s*[KkMBT](?![A-Za-z]))")


_LETTER = re.compile(r"(?:<=|>=|[<>≤≥~≈])?\s*[-+−]?[0-9]+(?:\.[0-9]+)?([KkMBT])")


def plain_number(text: str) -> float:
    """The number that digits, perhaps with a point, stand for, rounded to a float; NaN for every other text.

    For these texts `parse_value` gives a value and its decimals, and nothing else.
    """
    if text.strip("0123456789.") or len(text) > MAX_VALUE_TEXT:
        return math.nan
    try:
        return float(text)
    except ValueError:  # no digit, or two points
        return math.nan


@lru_cache(maxsize=50_000)
def parse_value(text: str) -> ParsedValue:
    """Read one printed value; never raises, never guesses a unit from a size.

    Emphasis marks around the whole text ("**70.3**") are ignored. A decimal comma is not read: "0,5" is unreadable.
    """
    digits = text.replace(".", "", 1)
    if digits.isascii() and digits.isdigit() and "." not in (text[0], text[-1]) and len(text) <= MAX_VALUE_TEXT:
        return ParsedValue(Decimal(text), len(text.partition(".")[2]))  # nearly all values, at a tenth of the cost
    bare = text.strip()
    if emphasis := _EMPHASIS.fullmatch(bare):
        bare = emphasis[2].strip()
    bare = bare.replace("−", "-")
    if bare.casefold() in _MISSING:
        return ParsedValue(missing_reason="not_reported")
    if bare.casefold() in _FAILED:
        return ParsedValue(missing_reason="failed")
    match = _VALUE.fullmatch(bare) if len(bare) <= MAX_VALUE_TEXT else None
    if match is None:
        return ParsedValue(missing_reason="unreadable")
    return _from_match(match)


def to_decimal(number: str) -> Decimal | None:
    """The decimal of one printed number, thousands separators removed.

    None if a float64 would hold infinity or, for a number that is not zero, zero.
    """
    if not re.fullmatch(_NUMBER, number):
        return None
    value = Decimal(number.replace(",", ""))
    held = float(value)
    return value if math.isfinite(held) and bool(held) == bool(value) else None


def held_exactly(value: Decimal) -> bool:
    """Whether the float64 nearest to a printed number has all its printed digits when it is rounded to as many.

    >>> held_exactly(Decimal("0.1")), held_exactly(Decimal("9007199254740993"))
    (True, False)
    """
    exponent = int(value.as_tuple().exponent)
    return abs(Fraction(float(value)) - Fraction(value)) * 2 <= Fraction(10) ** exponent


def other_meaning(text: str) -> int | None:
    """What a number as `parse_value` reads it is to be divided by for what it may mean instead; None if it is clear.

    >>> other_meaning("91,205"), other_meaning("300K"), other_meaning("1,234.5")
    (1000, 1000, None)
    """
    if ambiguous_comma(text):
        return 1000
    letter = _LETTER.fullmatch(text.strip("* \t"))
    return 10 ** _FACTORS[letter[1]] if letter else None


def ambiguous_comma(text: str) -> bool:
    """Whether the comma of a number may be a decimal comma or part a thousand from the next: "91,205", not "1,234.5".

    `parse_value` reads a thousand.
    """
    return _AMBIGUOUS.match(text.strip("* \t")) is not None


def _from_match(match: re.Match[str]) -> ParsedValue:
    number, factor = match["number"], match["factor"]
    parts = {name: _scaled(match[name], factor) for name in ("number", "uncertainty", "low", "high")}
    if any(parts[name] is None for name in parts if match[name]):
        return ParsedValue(missing_reason="unreadable")
    value, uncertainty, low, high = parts.values()
    printed = None if factor or "e" in number.lower() else len(number.partition(".")[2])
    unit: Unit | None = "percent" if "%" in match.string else None
    return ParsedValue(value, printed, unit, _QUALIFIERS.get(match["qualifier"], "exact"), uncertainty, low, high)


def _scaled(number: str | None, factor: str | None) -> Decimal | None:
    """The decimal of a number before a letter such as M; exact, since decimal arithmetic would round long numbers."""
    if number is None or factor is None:
        return to_decimal(number) if number else None
    mantissa, _, exponent = number.lower().partition("e")
    return to_decimal(f"{mantissa}e{int(exponent or 0) + _FACTORS[factor]}")
