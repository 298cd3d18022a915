"""The rows of a board in the order of one of its metrics, with what that order gives them: gaps, bars and groups."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from string import ascii_uppercase

from sotakit.compiled import Row
from sotakit.publish.contexts import Group
from sotakit.publish.rank_ranges import rank_ranges
from sotakit.publish.rows import ResultRow, Value
from sotakit.ranking import RANKED, in_order

_DIGITS = 12
"""Characters of a difference that is written in full."""

_PLACED = 5
"""So many fields of a row depend on the table that it stands in."""


def ordered(rows: Sequence[ResultRow], metric: Row, by: str) -> list[ResultRow]:
    """Rows by one of the ranks in a metric, then by id; rows without a value last, and none with its score in place."""
    values = _values(rows, metric["key"])
    ranks = {row.id: rank for row, value in zip(rows, values, strict=True) if value and (rank := getattr(value, by))}
    places = {row.id: row for row in rows}
    return [places[name] for name in in_order(list(places), ranks)]


def placed(rows: Sequence[ResultRow], metric: Row, by: str, letters: Sequence[str] = ()) -> tuple[ResultRow, ...]:
    """Rows with the score of one metric in place, and with the letters of their groups."""
    values = _values(rows, metric["key"])
    letters = letters or [""] * len(rows)
    table = (values, _bars(rows, values, metric), _gaps(values, metric), _ranges(rows, values, metric, by), letters)
    cells = zip(*table, strict=True)
    return tuple([ResultRow._make(standing + row[_PLACED:]) for row, standing in zip(rows, cells, strict=True)])


def grouped(rows: Sequence[ResultRow]) -> tuple[list[str], tuple[Group, ...]]:
    """The letter of each row's like-for-like group, and the groups; none where all are alike or no two distinct."""
    names = [row.folded.json for row in rows]
    members = dict(zip(names, rows, strict=True))
    distinct = Counter(
        [name for name, _ in {(name, row.claim) for name, row in zip(names, rows, strict=True) if row.stands}]
    )
    if len(members) < 2 or max(distinct.values(), default=0) < 2:
        return [], ()
    letters = {name: _letter(place) for place, name in enumerate(members)}
    groups = tuple(
        Group(letters[name], row.folded.words or "no settings recorded", distinct[name])
        for name, row in members.items()
    )
    return [letters[name] for name in names], groups


def _letter(place: int) -> str:
    """A, B, …, Z, AA, AB, …"""
    text = ""
    while place >= 0:
        place, letter = place // 26 - 1, place % 26
        text = ascii_uppercase[letter] + text
    return text


def _values(rows: Sequence[ResultRow], key: str) -> list[Value | None]:
    """The value of each row in one metric."""
    return [_value(row.values, key) for row in rows]


def _value(values: Sequence[Value], key: str) -> Value | None:
    for value in values:
        if value.key == key:
            return value
    return None


def _bars(rows: Sequence[ResultRow], values: Sequence[Value | None], metric: Row) -> list[int]:
    """Lengths in per cent, from the worst value to the best; from the smallest to the largest without a direction.

    What no longer stands has none, nor has what is only a bound.
    """
    numbers = [
        value.number if value and row.stands and not value.printed.bound else None
        for row, value in zip(rows, values, strict=True)
    ]
    known = [number for number in numbers if number is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    span = high - low
    if not 0 < span < float("inf"):
        return [0 if number is None else 100 for number in numbers]
    worst, sign = (high, -100) if metric["direction_recorded"] == "lower" else (low, 100)
    return [0 if number is None else round(sign * (number - worst) / span) for number in numbers]


def _gaps(values: Sequence[Value | None], metric: Row) -> list[str]:
    """Differences to the best value, where the direction is not disputed."""
    best = next((value.decimal for value in values if value and value.rank == 1), None)
    if best is None or metric["direction_conflict"]:
        return [""] * len(values)
    return [gap_words(value.decimal, best) if value and value.rank and value.decimal else "" for value in values]


def gap_words(value: str, best: str) -> str:
    """A difference with its sign, in the digits of the two values."""
    gap = Decimal(value) - Decimal(best)
    if not gap:
        return "best"
    text = f"{gap:f}"
    text = text if len(text) <= _DIGITS else f"{gap:.3g}"
    return ("" if gap < 0 else "+") + text.replace("-", "−")


def _ranges(rows: Sequence[ResultRow], values: Sequence[Value | None], metric: Row, by: str) -> list[str]:
    """Ranks that the recorded intervals leave open, of claims: a repeat has those of what it repeats."""
    direction = metric["direction_recorded" if by == "rank" else "direction_cited"]
    ends = {
        row.claim: value.ends
        for row, value in zip(rows, values, strict=True)
        if value and value.ends and getattr(value, by)
    }
    if direction not in RANKED or not any(low < high for low, high in ends.values()):
        return [""] * len(values)
    ranges = rank_ranges(ends, direction)
    spans = {claim: f"{best}–{worst}" for claim, (best, worst) in ranges.items() if best < worst}
    ranked = [bool(value and getattr(value, by)) for value in values]
    return [spans.get(row.claim, "") if has else "" for row, has in zip(rows, ranked, strict=True)]
