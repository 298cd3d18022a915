"""A JSON document with one long list, written piece by piece."""

import json
from collections.abc import Iterable, Iterator
from textwrap import indent
from typing import Any, Final

ITEMS: Final = "the items of the long list"
"""Stands in a document where the items of its list go."""


def streamed(document: Any, items: Iterable[Any]) -> Iterator[str]:
    """The lines of a document, in which the list `[ITEMS]` has some items, as `json.dumps(…, indent=1)` writes them.

    >>> print("\\n".join(streamed({"a": 1, "b": [ITEMS]}, iter([2, 3]))))
    {
     "a": 1,
     "b": [
      2,
      3
     ]
    }
    """
    before, after = json.dumps(document, indent=1).split(json.dumps(ITEMS))
    margin = before[before.rindex("\n") + 1 :]
    waiting: str | None = None  # the last item has no comma
    for item in items:
        yield before.rstrip() if waiting is None else f"{waiting},"
        waiting = indent(json.dumps(item, indent=1), margin)
    if waiting is None:
        yield before.rstrip() + after.lstrip()
    else:
        yield waiting
        yield after.lstrip("\n")
