"""Ranks of all scores of a collection, kept as compact columns while results stream by.

Competition ranking by one direction at a time, never by a guessed one: ties share a rank and the next is skipped (1, 2,
2, 4). Claims are counted, not results: one that repeats another shares its rank and moves nobody down. What has no
value is not ranked, nor is what is only a bound; regenerated values rank among themselves. Values come in the unit of
their board where a factor leads there, and a board whose values still have several units is not ranked at all.
"""

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sotaschema.vocabulary import Direction

FLOAT_DIGITS = 15
"""Decimals of so many digits are told apart as floats."""
PORTION = 250_000
"""How many scores are ranked at a time, if they are not a sixteenth of all; a larger board alone."""
PORTIONS = 16

Ranks = NDArray[np.unsignedinteger[Any]]
Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
Ordinals = NDArray[np.int64]


class Directions(NamedTuple):
    """The directions of a metric of a benchmark, as recorded and as cited."""

    recorded: Direction
    cited: Direction


class Scores(NamedTuple):
    """Scores of some results, result by result."""

    counts: Ints
    """Of each result."""
    metric: Ints
    """The number of the metric of a benchmark that each is a score of."""
    regenerated: NDArray[np.bool_]
    """Which are ranked on boards of their own."""
    value: Floats
    """NaN stands for none that can be ranked."""
    unit: NDArray[np.int8]
    """Equal for equal units."""
    exact: Mapping[int, Decimal] = {}
    """Values, by place among these scores, that their floats do not tell from others."""


class Repeats:
    """Which results state one claim together; all others state one each."""

    def __init__(self, groups: Sequence[Sequence[int]] = ()) -> None:
        """Takes the ordinals of the results of each claim that several state."""
        members = sorted((ordinal, claim) for claim, group in enumerate(groups) for ordinal in group)
        self._ordinals, self._claims = np.array(members, "i8").reshape(-1, 2).T

    def counted(self, results: Ordinals, *boards: NDArray[np.signedinteger[Any]]) -> Ints:
        """For the scores of some results 1, but 0 for those whose claim an earlier one states on the same board."""
        counted = np.ones(len(results), "i4")
        repeated = np.flatnonzero(np.isin(results, self._ordinals))
        claims = self._claims[np.searchsorted(self._ordinals, results[repeated])]
        places = np.column_stack([claims, *(board[repeated] for board in boards)])
        _, first = np.unique(places, axis=0, return_index=True)
        counted[repeated] = 0
        counted[repeated[first]] = 1
        return counted


class Standings:
    """Values of scores in order of coming, and their ranks."""

    def __init__(self) -> None:
        self._count, self._group = array("i"), array("q")
        self._board, self._value, self._unit = array("i"), array("d"), array("b")
        self._exact: dict[int, Decimal] = {}

    def add(self, scores: Scores, groups: Sequence[str]) -> None:
        """Remember the scores of the next results, which have some folded configurations."""
        first = len(self._value)
        self._exact |= {first + place: value for place, value in scores.exact.items()}
        self._group.extend(map(hash, groups))
        for column, numbers in (
            (self._count, scores.counts.astype("i4")),
            (self._board, (2 * scores.metric + scores.regenerated).astype("i4")),
            (self._value, scores.value),
            (self._unit, scores.unit),
        ):
            column.frombytes(numbers.tobytes())

    def ranks(
        self, ranked: NDArray[np.bool_], repeats: Repeats, directions: Sequence[Directions]
    ) -> tuple[Ranks, Ranks, Ranks]:
        """Ranks by the recorded direction, by the cited one, and by the recorded one among equal configurations.

        Directions are those of the metrics by number. `ranked` says which results may have ranks, and 0 stands for
        none. Numbers are as wide as the largest board needs.
        """
        group, (board, *_) = np.frombuffer(self._group, "i8"), self._columns()
        ends = np.cumsum(np.frombuffer(self._count, "i4"))
        signs = np.array([_signs(found) for found in directions]).reshape(-1, 2).repeat(2, axis=0).T
        conflicting = ~((signs[0] == signs[1]) | np.isnan(signs).all(axis=0))
        sizes = self._sizes(2 * len(directions))
        kind = np.min_scalar_type(sizes.max(initial=0))
        recorded, grouped = np.zeros(len(board), kind), np.zeros(len(board), kind)
        cited = recorded.copy() if conflicting.any() else recorded
        for scores in self._portions(sizes, ranked):
            boards, values = board[scores], self._comparable(scores)
            results = np.searchsorted(ends, scores, side="right")
            groups = group[results]
            signed, other = (values * sign[boards] for sign in signs)
            claims = repeats.counted(results, boards)
            recorded[scores] = cited[scores] = competition(signed, claims, boards)
            grouped[scores] = competition(signed, repeats.counted(results, boards, groups), groups, boards)
            apart = conflicting[boards]
            cited[scores[apart]] = competition(other[apart], claims[apart], boards[apart])
        return recorded, cited, grouped

    def _columns(self) -> tuple[Ints, Floats, NDArray[np.int8]]:
        return np.frombuffer(self._board, "i4"), np.frombuffer(self._value), np.frombuffer(self._unit, "i1")

    def _sizes(self, boards: int) -> Ordinals:
        """How many scores each board has. Counted by portions, since numpy makes wide numbers to count with."""
        board, sizes = self._columns()[0], np.zeros(boards, "i8")
        for start in range(0, len(board), PORTION):
            sizes += np.bincount(board[start : start + PORTION], minlength=len(sizes))
        return sizes

    def _portions(self, sizes: Ordinals, ranked: NDArray[np.bool_]) -> Iterator[Ordinals]:
        """The scores that can be ranked, those of a board never parted, some hundred thousand at a time."""
        board, value, unit = self._columns()
        valued = np.repeat(ranked, np.frombuffer(self._count, "i4")) & ~np.isnan(value)
        most = max(PORTION, len(board) // PORTIONS)
        for low, high in _stretches(sizes, most):
            scores = np.flatnonzero(valued & (board >= low) & (board < high))
            least, greatest = np.full(high - low, 127, "i1"), np.full(high - low, -1, "i1")
            np.minimum.at(least, board[scores] - low, unit[scores])
            np.maximum.at(greatest, board[scores] - low, unit[scores])
            yield scores[(least == greatest)[board[scores] - low]]

    def _comparable(self, scores: Ordinals) -> Floats:
        """Numbers in the order of the values: these, or places on their board where two values could share a float."""
        board, value, _ = self._columns()
        boards, values = board[scores], value[scores]
        for board_of_exact in {self._board[score] for score in self._exact}:
            members = np.flatnonzero(boards == board_of_exact)
            decimals = [self._exact.get(int(scores[at])) or Decimal(repr(float(values[at]))) for at in members]
            places = {number: float(place) for place, number in enumerate(sorted(set(decimals)))}
            values[members] = [places[number] for number in decimals]
        return values


def _stretches(sizes: Ordinals, most: int) -> Iterator[tuple[int, int]]:
    """Boards from one number up to another, with so many scores at most; a larger one alone."""
    ends = np.cumsum(sizes)
    low = 0
    while low < len(sizes):
        before = int(ends[low - 1]) if low else 0
        high = max(low + 1, int(np.searchsorted(ends, before + most, side="right")))
        yield low, high
        low = high


def inexact(value: Decimal) -> bool:
    """Whether the float of a value could be that of another one too."""
    return len(value.as_tuple().digits) > FLOAT_DIGITS and Decimal(repr(float(value))) != value


def competition(signed: Floats, counted: Ints, *groups: NDArray[np.signedinteger[Any]]) -> Ints:
    """Competition ranks (1, 2, 2, 4) inside of each group, the smallest first; 0 for NaN, which has no order.

    `counted` says how many claims each value stands for: a rank is one more than the claims before it.
    """
    order = np.lexsort((signed, *groups))
    new_group = _changes(*(keys[order] for keys in groups))
    new_value = new_group | _changes(signed[order])
    place = np.arange(len(signed))
    start_of_group = np.maximum.accumulate(np.where(new_group, place, 0))
    start_of_value = np.maximum.accumulate(np.where(new_value, place, 0))
    before = np.cumsum(counted[order]) - counted[order]
    ranks = np.empty(len(signed), dtype="i4")
    ranks[order] = before[start_of_value] - before[start_of_group] + 1
    ranks[np.isnan(signed)] = 0
    return ranks


def _changes(*columns: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a row differs from the one before it; the first always does."""
    changed = np.ones(len(columns[0]), dtype=bool)
    changed[1:] = False
    for column in columns:
        changed[1:] |= column[1:] != column[:-1]
    return changed


def _signs(directions: Directions) -> list[float]:
    """What values are multiplied by so that the best is the smallest; NaN where a direction orders nothing."""
    return [{"higher": -1.0, "lower": 1.0}.get(direction, math.nan) for direction in directions]
