"""W513, W514, W519, W522: values that stand out among all values of one metric on one board."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from statistics import quantiles
from typing import NamedTuple

from sotakit.check.glance import GAP, MISSING_MARK
from sotakit.check.metrics import bounds_in
from sotakit.check.problem import Problem
from sotakit.check.values import outside
from sotakit.collection import Collection, LoadedResult
from sotaschema.entities import BenchmarkMetric, Metric
from sotaschema.results import Score
from sotaschema.values import ambiguous_comma, other_meaning
from sotaschema.vocabulary import Unit

_UNKNOWN: tuple[Unit, ...] = ("unknown", "other")
_SHARES: tuple[Unit, ...] = ("unknown", "other", "percent", "fraction")
_NEVER_NEGATIVE: tuple[Unit, ...] = (
    "count",
    "seconds",
    "milliseconds",
    "bytes",
    "flops",
    "watts",
    "joules",
    "per_second",
)
_WHOLE_NUMBERS: tuple[Unit, ...] = ("count", "bytes", "flops")
"""Units whose values have no decimals, so that a comma parts thousands."""
_FEW = 3
"""From so many values on their quartiles say where others are expected."""
_PAIR = 2
_DIGITS = 2
_WHOLE_PERCENT = 100
_TENTH = Decimal("0.1")
_NEAR = 10
"""Values of one board that differ by a larger factor are not near each other."""


class Entry(NamedTuple):
    """One value of a board."""

    result: LoadedResult
    score: Score
    value: Decimal
    unit: Unit


@dataclass
class Board:
    """All values of one metric of one benchmark."""

    key: str
    listed: BenchmarkMetric
    metric: Metric | None
    entries: list[Entry]

    def problem(self, entry: Entry, message: str, hint: str) -> Problem:
        """A problem at the score of one value."""
        return Problem(entry.result.origin, entry.result.id, message, hint, ("scores", self.key))


def mixed_units(collection: Collection) -> Iterator[Problem]:
    """W513: boards whose values are printed in different units; where the board's unit is known, E502 says it."""
    for board in _boards(collection):
        units = {entry.unit: entry for entry in reversed(board.entries)}
        if len(units) > 1 and board.listed.unit in _UNKNOWN:
            second = next(entry for entry in board.entries if entry.unit != board.entries[0].unit)
            where = f"{board.key} in {second.result.record.benchmark}"
            message = f"values of {where} are printed in different units: {', '.join(sorted(units))}"
            hint = "state the unit in the benchmark's metric or in the scores; until then they are not ranked"
            yield board.problem(second, message, hint)


def unit_slip(collection: Collection) -> Iterator[Problem]:
    """W514: fractions among percentages, or the reverse.

    Values of one unit are looked at together, unless one is negative or above 100. Those in (0, 1] and those in
    (1, 100] are taken for a mix of fractions and percentages if there is a gap of at least `GAP` between the two, the
    fractions have at least two decimals, and the smaller party (at most as many as the other), multiplied or divided
    by 100, falls among the larger one. Three or more values expect others within their quartiles, widened by 1.5 times
    their distance or half the median; two values expect others between them, widened by 1.5 times their distance or a
    tenth of their mean, and only where lower is not better, since one method may make a hundredth of the errors of two
    others. So error rates 0.3, 0.8, 1.2, 5 have no gap, nor have 0.9 and 2.2; 0.07 is no fraction among scores around
    80; 0.2 is none at all; and scores of 8, 12 and 31 beside 92, 93 and 95 are two groups.

    Besides, where the unit is recorded: a fraction above 1 of a metric without bounds, and a board in percent all of
    whose values are at most 1 (unless lower is better: error rates may be that small).
    """
    for board in _boards(collection):
        for unit in _SHARES:
            entries = [entry for entry in board.entries if entry.unit == unit]
            if unit == "fraction":  # where the metric has bounds, E501 says it
                yield from () if _bounded(board.metric) else _above_one(board, entries)
            elif unit == "percent" and _all_fractions(board, entries):
                message = f"all {len(entries):,} values of {board.listed.label} are at most 1, but the unit is percent"
                yield board.problem(entries[0], message, "if the source prints fractions, record the unit fraction")
            else:
                yield from _minority(board, entries)


def missing_mark(collection: Collection) -> Iterator[Problem]:
    """W519: -1 where no other value is negative: programs write it for a missing value.

    At least two other values are needed, of percentages and fractions one; none where the unit allows no negative
    value. Not where the metric's bounds allow -1 (a correlation) or forbid it (E501 says that), where a spread shows
    that it was measured, and for differences in points.
    """
    for board in _boards(collection):
        marks = [entry for entry in board.entries if entry.value == MISSING_MARK]
        others = [entry.value for entry in board.entries if entry.value != MISSING_MARK]
        for entry in marks:
            never = entry.unit in _NEVER_NEGATIVE
            least = 1 if entry.unit in ("percent", "fraction") else _PAIR
            alone = len(others) >= least and min(others) >= 0
            measured = entry.unit == "points" or entry.score.parsed[4:7] != (None, None, None)  # a spread is measured
            if (never or alone) and not measured and not _settled(board.metric, entry):
                why = f"the unit is {entry.unit}" if never else f"no other value of {board.listed.label} is negative"
                message = f"{entry.score.text!r}, but {why}; programs write -1 for a missing value"
                hint = "if it stands for a missing value, leave the value out and say why with missing_reason"
                yield board.problem(entry, message, hint)


def doubtful_number(collection: Collection) -> Iterator[Problem]:
    """W522: numbers such as "91,205", whose comma is read as parting thousands, but may be a decimal comma, and such as
    "300K", whose letter is read as a factor, but may be a unit.

    A comma is doubted unless other values of the board, written without doubt, speak for thousands: one is near the
    number as it was read, and none is near what it may mean instead. A letter is doubted only where others speak for
    that: none is near the number as it was read, and one is near the number without the letter.
    """
    for board in _boards(collection):
        others = sorted(entry.value for entry in board.entries if other_meaning(entry.score.text) is None)
        for entry in board.entries:
            factor = other_meaning(entry.score.text)
            if factor is None or entry.unit in _WHOLE_NUMBERS:
                continue
            other = entry.value / factor
            as_read, otherwise = _is_near(entry.value, others), _is_near(other, others)
            if (otherwise and not as_read) or (ambiguous_comma(entry.score.text) and (otherwise or not as_read)):
                near = f"; other values lie near {other:f}" if otherwise else ""
                message = f"{entry.score.text!r} is read as {entry.value:f}, but may mean {other:f}{near}"
                yield board.problem(entry, message, "write the digits alone, or with a decimal point")


def _is_near(value: Decimal, others: list[Decimal]) -> bool:
    """Whether one of some others, in ascending order, has the same sign and a tenth to ten times the size."""
    low, high = sorted((value / _NEAR, value * _NEAR))
    at = bisect_left(others, low)
    return value != 0 and at < len(others) and others[at] <= high


def _boards(collection: Collection) -> Iterator[Board]:
    boards: dict[tuple[str, str], Board] = {}
    for result, key, score, listed, parsed, unit in collection.scored:
        if parsed.value is not None:
            metric = collection.known.metrics.get(listed.metric or "")
            board = boards.setdefault((result.record.benchmark, key), Board(key, listed, metric, []))
            board.entries.append(Entry(result, score, parsed.value, unit))
    yield from boards.values()


def _above_one(board: Board, entries: list[Entry]) -> Iterator[Problem]:
    for entry in entries:
        if entry.value > 1:
            message = f"{entry.score.text!r} is more than 1, but the unit of {board.listed.label} is fraction"
            yield board.problem(entry, message, "if the source prints percent, record the unit percent")


def _all_fractions(board: Board, entries: list[Entry]) -> bool:
    values = [entry.value for entry in entries]
    between = (
        len(values) >= _FEW and all(0 <= value <= 1 for value in values) and any(0 < value < 1 for value in values)
    )
    return between and board.listed.direction != "lower"


def _minority(board: Board, entries: list[Entry]) -> Iterator[Problem]:
    """The values that look as if they were printed in the other of the two units."""
    small = [entry for entry in entries if 0 < entry.value <= 1]
    large = [entry for entry in entries if 1 < entry.value <= 100]
    if not small or not large or any(_no_share(entry.value) for entry in entries):
        return
    few, many, factor, word = small, large, Decimal(100), "fraction"
    if len(small) > len(large):
        few, many, factor, word = large, small, Decimal("0.01"), "percentage"
    gap = min(entry.value for entry in large) >= GAP * max(entry.value for entry in small)
    least = _FEW if board.listed.direction == "lower" else _PAIR
    if len(many) < least or not gap or any((entry.score.parsed.decimals or 0) < _DIGITS for entry in small):
        return
    values = [entry.value for entry in many]
    low, high = _usual(values) if len(values) >= _FEW else _around(values)
    if all(low <= entry.value * factor <= high for entry in few):
        for entry in few:
            message = f"{entry.score.text!r} looks like a {word}: {len(many):,} other values of {board.listed.label} "
            message += f"lie between {min(values)} and {max(values)}"
            hint = "if its source prints it so, state the score's unit; else correct the value"
            if word == "fraction" and (beside := _percentage_beside(entry, board.key)):
                hint = f"{beside} of the same row is in percent, so it may be right: then silence this for the result"
            yield board.problem(entry, message, hint)


def _percentage_beside(entry: Entry, key: str) -> str:
    """Another score of the row that can only be a percentage or another large number; its key and text."""
    for name, score in entry.result.record.scores.items():
        value = score.parsed.value
        if name != key and value is not None and 1 < value <= _WHOLE_PERCENT:
            return f"{name} {score.text}"
    return ""


def _usual(values: list[Decimal]) -> tuple[Decimal, Decimal]:
    """Where values of a kind are expected: between their quartiles and a margin around."""
    lower, median, upper = quantiles(values, n=4, method="inclusive")
    margin = max((upper - lower) * Decimal("1.5"), median / 2)
    return lower - margin, upper + margin


def _around(values: list[Decimal]) -> tuple[Decimal, Decimal]:
    """Where values are expected of which two are known."""
    low, high = min(values), max(values)
    margin = max((high - low) * Decimal("1.5"), (low + high) / 2 * _TENTH)
    return low - margin, high + margin


def _no_share(value: Decimal) -> bool:
    """Whether a value is neither a fraction nor a percentage, nor the mark of a missing one."""
    return value > 100 or (value < 0 and value != MISSING_MARK)


def _bounded(metric: Metric | None) -> bool:
    return metric is not None and metric.max is not None and metric.unit in ("fraction", "percent")


def _settled(metric: Metric | None, entry: Entry) -> bool:
    """Whether the metric's bounds say themselves that -1 can or cannot be."""
    if metric is None:
        return False
    low, _ = bounds_in(metric, entry.unit)
    return outside(entry.value, metric, entry.unit) or (low is not None and low <= MISSING_MARK)
