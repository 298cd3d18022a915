"""Which directions order values, and the order of rows by their rank; `sotakit.standings` works the ranks out."""

from collections.abc import Mapping, Sequence

from sotaschema.vocabulary import Direction, Qualifier

RANKED: tuple[Direction, ...] = ("higher", "lower")
"""Directions that order values. `target` needs a target that no record states yet."""

BOUNDS: tuple[Qualifier, ...] = ("less_than", "greater_than", "at_most", "at_least")
"""Values that are bounds only: what they bound may lie anywhere beyond, so they have no place among values."""


def in_order(names: Sequence[str], rank: Mapping[str, int]) -> list[str]:
    """Names by rank, then by id; unranked ones last, in the order they came if nothing is ranked at all."""
    if not rank:
        return list(names)
    return sorted(names, key=lambda name: (rank.get(name, len(rank) + 1), name))


def conflict(recorded: Direction, cited: Direction) -> bool:
    """Whether one says higher is better and the other says lower."""
    return {recorded, cited} == set(RANKED)
