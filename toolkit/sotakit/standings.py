"""Ranks of all scores of a collection, kept as compact columns while results stream by.

Competition ranking by one direction at a time, never by a guessed one: ties share a rank and the next is skipped (1, 2,
2, 4). What has no value is not ranked, regenerated values rank among themselves, and a board whose values have several
units is not ranked at all.
"""

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sotaschema.vocabulary import Direction, Unit

FLOAT_DIGITS = 15
"""Decimals of so many digits are told apart as floats."""
PORTION = 250_000
"""How many scores are ranked at a time; a larger board alone."""

Ranks = NDArray[np.int32]
Ordinals = NDArray[np.int32]
Floats = NDArray[np.float64]


class BoardKey(NamedTuple):
    """What is ranked together."""

    benchmark: str
    metric_key: str
    regenerated: bool


class Directions(NamedTuple):
    """The directions of a metric of a benchmark, as recorded and as cited."""

    recorded: Direction
    cited: Direction


class Standings:
    """Values by ordinal of their score; ranks of 0 stand for none."""

    def __init__(self) -> None:
        self._boards: dict[BoardKey, int] = {}
        self._directions: list[Directions] = []
        self._units: dict[Unit, int] = {}
        self._result, self._board, self._unit = array("i"), array("i"), array("b")
        self._value, self._group = array("d"), array("q")
        self._exact: dict[int, Decimal] = {}

    def board(self, key: BoardKey, directions: Directions) -> int:
        """The number of a board, which it gets when it is first asked for."""
        code = self._boards.setdefault(key, len(self._boards))
        if code == len(self._directions):
            self._directions.append(directions)
        return code

    def add(
        self, results: NDArray[np.int32], boards: Sequence[int], values: Sequence[Decimal | None], units: Sequence[Unit]
    ) -> Ordinals:
        """Remember values of scores of results with some ordinals; returns the scores' own ordinals."""
        first = len(self._value)
        for score, value in enumerate(values, first):
            if (
                value is not None
                and len(value.as_tuple().digits) > FLOAT_DIGITS
                and Decimal(repr(float(value))) != value
            ):
                self._exact[score] = value
        self._result.frombytes(results.tobytes())
        self._board.extend(boards)
        self._value.extend([math.nan if value is None else float(value) for value in values])
        self._unit.extend([self._units.setdefault(unit, len(self._units)) for unit in units])
        return np.arange(first, len(self._value), dtype="i4")

    def add_group(self, group: str) -> None:
        """Remember the folded configuration of the next result."""
        self._group.append(hash(group))

    def ranks(self, kept: NDArray[np.bool_]) -> tuple[Ranks, Ranks, Ranks]:
        """Ranks by the recorded direction, by the cited one, and by the recorded one among equal configurations."""
        result, board = np.frombuffer(self._result, "i4"), np.frombuffer(self._board, "i4")
        group = np.frombuffer(self._group, "i8")
        signs = [_signs(directions) for directions in zip(*self._directions, strict=True)] or [_signs(())] * 2
        ranks = tuple(np.zeros(len(board), dtype="i4") for _ in range(3))
        for scores in self._portions(kept):
            boards, values = board[scores], self._comparable(scores)
            recorded, cited = values * signs[0][boards], values * signs[1][boards]
            ranks[0][scores] = competition(recorded, boards)
            ranks[1][scores] = competition(cited, boards)
            ranks[2][scores] = competition(recorded, group[result[scores]], boards)
        return ranks[0], ranks[1], ranks[2]

    def _portions(self, kept: NDArray[np.bool_]) -> Iterator[NDArray[np.intp]]:
        """The scores that can be ranked, those of a board never parted, some hundred thousand at a time."""
        result, board = np.frombuffer(self._result, "i4"), np.frombuffer(self._board, "i4")
        value, unit = np.frombuffer(self._value), np.frombuffer(self._unit, "i1")
        scores = np.flatnonzero(kept[result] & ~np.isnan(value)) if len(value) else np.zeros(0, dtype=np.intp)
        low, high = np.full(len(self._boards), 127, "i1"), np.full(len(self._boards), -1, "i1")
        np.minimum.at(low, board[scores], unit[scores])
        np.maximum.at(high, board[scores], unit[scores])
        scores = scores[(low == high)[board[scores]]]
        scores = scores[np.argsort(board[scores], kind="stable")]
        ends = np.append(np.flatnonzero(np.diff(board[scores])) + 1, len(scores))
        start = 0
        while start < len(scores):
            end = int(ends[np.searchsorted(ends, min(start + PORTION, len(scores)))])
            yield scores[start:end]
            start = end

    def _comparable(self, scores: NDArray[np.intp]) -> Floats:
        """Numbers in the order of the values: these, or places on their board where two values could share a float."""
        values = np.frombuffer(self._value)[scores]
        boards = np.frombuffer(self._board, "i4")[scores]
        for board in {self._board[score] for score in self._exact}:
            members = np.flatnonzero(boards == board)
            decimals = [self._exact.get(int(scores[at])) or Decimal(repr(float(values[at]))) for at in members]
            places = {value: float(place) for place, value in enumerate(sorted(set(decimals)))}
            values[members] = [places[value] for value in decimals]
        return values


def competition(signed: Floats, *groups: NDArray[np.int32] | NDArray[np.int64]) -> Ranks:
    """Competition ranks (1, 2, 2, 4) inside of each group, the smallest first; 0 for NaN, which has no order."""
    order = np.lexsort((signed, *groups))
    new_group = _changes(*(keys[order] for keys in groups))
    new_value = new_group | _changes(signed[order])
    place = np.arange(len(signed))
    start_of_group = np.maximum.accumulate(np.where(new_group, place, 0))
    start_of_value = np.maximum.accumulate(np.where(new_value, place, 0))
    ranks = np.empty(len(signed), dtype="i4")
    ranks[order] = start_of_value - start_of_group + 1
    ranks[np.isnan(signed)] = 0
    return ranks


def _changes(*columns: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a row differs from the one before it; the first always does."""
    changed = np.ones(len(columns[0]), dtype=bool)
    changed[1:] = False
    for column in columns:
        changed[1:] |= column[1:] != column[:-1]
    return changed


def _signs(directions: Iterable[Direction]) -> Floats:
    """What values are multiplied by so that the best is the smallest; NaN where a direction orders nothing."""
    return np.array([{"higher": -1.0, "lower": 1.0}.get(direction, np.nan) for direction in directions])
