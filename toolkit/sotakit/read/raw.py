"""What a reader yields: plain values and faults."""

from typing import Any, NamedTuple

from sotakit.check.findings import Step

MAX_FILE_BYTES = 2 * 1024**3
MAX_DOCUMENT_BYTES = 64 * 1024**2
"""Largest YAML or JSON document, which is held in memory as a whole; JSON Lines and CSV are read by the line."""
MAX_LINE = 16 * 1024**2
"""Longest line, in bytes."""
MAX_DEPTH = 100
MAX_KEYS = 10_000
MAX_DIGITS = 400
"""Longest plain integer in YAML."""


class Fault(NamedTuple):
    """Something that a reader cannot read, with its place."""

    code: str
    line: int
    column: int
    message: str
    hint: str = ""
    item: int | None = None
    """Index of the item of the document's list that it spoils; the whole document where it is None."""


class Raw(NamedTuple):
    """One record as plain values, or what stands where a record should be.

    `faults` make the record unusable although its neighbours are fine.
    """

    value: Any
    line: int = 1
    path: tuple[Step, ...] = ()
    faults: tuple[Fault, ...] = ()


class Unreadable(Exception):  # noqa: N818 - named for the situation
    """The whole document cannot be read."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def records(value: Any, faults: tuple[Fault, ...]) -> list[Raw]:
    """The records of a document: itself, or its items if it is a list."""
    if not isinstance(value, list):
        return [Raw(value, faults=faults)]
    if faults and not value:
        return [Raw(None, faults=faults)]
    return [
        Raw(item, path=(index,), faults=tuple(fault for fault in faults if fault.item in (None, index)))
        for index, item in enumerate(value)
    ]


def depth(value: Any) -> int:
    """How deep lists and mappings are nested, without recursion."""
    level, layer = 0, [value]
    while layer:
        inner = [child for node in layer for child in _children(node)]
        level, layer = level + 1, inner
    return level


def _children(node: Any) -> list[Any]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []
