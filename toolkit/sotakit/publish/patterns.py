"""Many rows of text from one pattern: there may be a quarter of a million, in several forms each."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple


def filled(pattern: str, *columns: Iterable[Any]) -> Iterator[str]:
    """The pattern for each row of some columns, with a cell in the place of each `%s`; as many as the shortest has."""
    return map(pattern.__mod__, zip(*columns, strict=False))


def columns_of(rows: Sequence[NamedTuple]) -> Any:
    """What has the fields of some rows, at least one, each holding that field of all of them."""
    return type(rows[0])._make(zip(*rows, strict=True))
