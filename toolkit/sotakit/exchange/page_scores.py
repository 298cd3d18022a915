"""What a page states of one score: its text, and in parentheses what belongs to it, in the order our pages print it.

`"40 ± 2" (sd 2; mean; 5 runs)` gives the kind and size of the uncertainty, the aggregation and the number of runs.
"""

import re
from decimal import Decimal
from typing import Any, Final, NamedTuple, get_args

from sotakit.publish.printed import OPEN_END, number_words, read_words
from sotakit.publish.words import MISSING
from sotaschema.values import ParsedValue, parse_value
from sotaschema.vocabulary import Aggregation, UncertaintyKind

_REASONS: Final = {word: reason for reason, word in MISSING.items()}
_AGGREGATIONS: Final = {word.replace("_", " "): word for word in get_args(Aggregation)}
_NUMBER: Final = r"[-+]?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?"
_KIND: Final = "|".join(get_args(UncertaintyKind))
_SPREAD: Final = re.compile(rf"(?:([0-9.]+)% )?(±|{_KIND}) ({_NUMBER})")
_INTERVAL: Final = re.compile(rf"(?:([0-9.]+)% )?(interval|{_KIND}) ({_NUMBER}|{OPEN_END}) to ({_NUMBER}|{OPEN_END})")
_RUNS: Final = re.compile(r"([0-9][0-9,]*) runs?")
_ITEMS: Final = re.compile(r"([0-9][0-9,]*) items?")


class StatedScore(NamedTuple):
    """A score as a page prints it."""

    text: str
    detail: str = ""
    """What stands in parentheses behind the text."""

    @property
    def shown(self) -> str:
        """What a table shows of it."""
        parts = self.detail.split("; ") if self.detail else []
        missing = parts.pop(0) if parts and parts[0] in _REASONS else ""
        return read_words(parts).shown(self.text, missing)

    def read(self, unit: str | None, direction: str) -> dict[str, Any]:
        """The score: text, value, unit and direction; besides these only what is stated."""
        stated = _details(self.detail)
        parsed = parse_value(self.text)
        if "missing_reason" in stated:
            parsed = ParsedValue(missing_reason=stated["missing_reason"])
        printed = stated.pop("printed")
        qualifier = printed.qualifier or parsed.qualifier
        fields = {
            "qualifier": None if qualifier == parsed.qualifier == "exact" else qualifier,
            "uncertainty": _uncertainty(stated.pop("uncertainty", {}), parsed),
            **stated,
        }
        unit = printed.unit or unit
        score = {"text": self.text, "value": _number(parsed.value), "unit": unit, "direction": direction}
        return score | {name: value for name, value in fields.items() if value}


def _number(value: Decimal | None) -> float | int | None:
    """The number a program can use; a whole number beyond what a float holds stays one.

    None for a number so small that a float would call it zero.
    """
    if value is None:
        return None
    near = float(value)
    if value and not near:
        return None
    if value.as_tuple().exponent == 0 and near != value:
        return int(value)
    return near


def _details(detail: str) -> dict[str, Any]:
    """The fields in the words behind a text; what is none of the others is a note."""
    parts = detail.split("; ") if detail else []
    found: dict[str, Any] = {}
    if parts and parts[0] in _REASONS:
        found["missing_reason"] = _REASONS[parts.pop(0)]
    found["printed"] = read_words(parts)
    uncertainty: dict[str, Any] = {}
    if parts and (spread := _SPREAD.fullmatch(parts[0])):
        uncertainty = {"kind": spread[2].replace("±", "unknown"), "value": spread[3]} | _level(spread[1])
        parts.pop(0)
    if parts and (interval := _INTERVAL.fullmatch(parts[0])):
        uncertainty |= _interval(interval)
        parts.pop(0)
    found |= {"uncertainty": uncertainty} if uncertainty else {}
    if parts and parts[0] in _AGGREGATIONS:
        found["aggregation"] = _AGGREGATIONS[parts.pop(0)]
    for name, count in (("n_runs", _RUNS), ("n_items", _ITEMS)):
        if parts and (number := count.fullmatch(parts[0])):
            found[name] = int(number[1].replace(",", ""))
            parts.pop(0)
    if parts:
        found["note"] = "; ".join(parts)
    return found


def _interval(found: re.Match[str]) -> dict[str, Any]:
    ends = {"low": found[3], "high": found[4]}
    fields = {name: end for name, end in ends.items() if end != OPEN_END} | _level(found[1])
    return fields if found[2] == "interval" else {"kind": found[2], **fields}


def _level(percent: str | None) -> dict[str, float]:
    """A confidence level, where one is stated."""
    return {"level": float(Decimal(percent) / 100)} if percent else {}


def _uncertainty(stated: dict[str, Any], parsed: ParsedValue) -> dict[str, Any]:
    """What is stated beside the text, and what stands in the text itself, with the digits that are printed there."""
    printed = {"value": parsed.uncertainty, "low": parsed.low, "high": parsed.high}
    found = {"kind": "unknown", **stated}
    for name, number in printed.items():
        if number is not None and float(stated.get(name, number)) == float(number_words(float(number))):
            found[name] = str(number)
    return found if len(found) > 1 else {}
