"""Many rows of text from one pattern: there may be a quarter of a million, in several forms each."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple


def filled(pattern: str, *columns: Iterable[str]) -> Iterator[str]:
    """The pattern for each row of some columns, with a cell in the place of each `%s`; as many as the shortest has.

    Pieces are joined, which takes half the time of the `%` operator.
    """
    first, *others = pattern.split("%s")
    pieces = [(column, repeat(piece)) for column, piece in zip(columns, others, strict=True)]
    return map("".join, zip(repeat(first), *chain.from_iterable(pieces), strict=False))


def columns_of(rows: Sequence[NamedTuple]) -> Any:
    """What has the fields of some rows, at least one, each holding that field of all of them."""
    return type(rows[0])._make(zip(*rows, strict=True))
