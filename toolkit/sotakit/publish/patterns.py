"""Many rows of text from one pattern: there may be a quarter of a million, in several forms each."""

from collections.abc import Iterable, Iterator
from typing import Any


def filled(pattern: str, *columns: Iterable[Any]) -> Iterator[str]:
    """The pattern for each row of some columns, with a cell in the place of each `%s`; as many as the shortest has."""
    return map(pattern.__mod__, zip(*columns, strict=False))
