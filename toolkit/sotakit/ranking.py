"""Order and rank: pure functions, one direction at a time, never by a guessed direction or unit.

Competition ranking: ties share a rank and the next one is skipped (1, 2, 2, 4). What has no value is not ranked.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from sotaschema.vocabulary import Direction

RANKED: tuple[Direction, ...] = ("higher", "lower")
"""Directions that order values. `target` needs a target that no record states yet."""


def ranks(values: Mapping[str, Decimal | None], direction: Direction) -> dict[str, int]:
    """Rank by id for all results with a value; empty when the direction does not order values."""
    if direction not in RANKED:
        return {}
    known = sorted((_key(value, direction), name) for name, value in values.items() if value is not None)
    result: dict[str, int] = {}
    previous: Decimal | None = None
    for position, (value, name) in enumerate(known, 1):
        result[name] = result[known[position - 2][1]] if position > 1 and value == previous else position
        previous = value
    return result


def in_order(names: Sequence[str], rank: Mapping[str, int]) -> list[str]:
    """Names by rank, then by id; unranked ones last, in the order they came if nothing is ranked at all."""
    if not rank:
        return list(names)
    return sorted(names, key=lambda name: (rank.get(name, len(rank) + 1), name))


def conflict(recorded: Direction, cited: Direction) -> bool:
    """Whether one says higher is better and the other says lower."""
    return {recorded, cited} == set(RANKED)


def _key(value: Decimal, direction: Direction) -> Decimal:
    return value.copy_negate() if direction == "higher" else value
