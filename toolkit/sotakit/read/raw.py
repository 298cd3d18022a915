"""What a reader yields: plain values and faults."""

from collections.abc import Iterable, Sequence
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


_SIGNS = ("<", "=", ">")


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

    `faults` make the record unusable although its neighbours are fine; `remarks` do not.
    """

    value: Any
    line: int = 1
    path: tuple[Step, ...] = ()
    faults: tuple[Fault, ...] = ()
    remarks: tuple[Fault, ...] = ()


class Unreadable(Exception):  # noqa: N818 - named for the situation
    """The whole document cannot be read."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def conflict(lines: Iterable[str | bytes], first: int = 1) -> Fault | None:
    """The first merge conflict in some lines, which begin at a number; None if there is none.

    >>> conflict(["a: 1", "<<<<<<< ours", "b: 1", "=======", "b: 2", ">>>>>>> theirs"]).message
    'merge conflict in lines 2 to 6, parted at line 4'
    """
    start, middle, number = 0, 0, first
    for number, line in enumerate(lines, first):
        mark = _mark(line)
        if mark == "<" and not start:
            start = number
        elif mark == "=" and start:
            middle = middle or number
        elif mark == ">" and start:
            break
    if not start:
        return None
    parted = f", parted at line {middle:,}" if middle else ""
    message = f"merge conflict in lines {start:,} to {number:,}{parted}"
    return Fault("E112", start, 1, message, "keep one version, and remove the marks <<<<<<<, ======= and >>>>>>>")


def begins_conflict(line: str | bytes) -> bool:
    """Whether a line is the first of a merge conflict."""
    return _mark(line) == "<"


def _mark(line: str | bytes) -> str:
    """The sign of a line that git marks a conflict with: seven times the sign, then a space or nothing."""
    text = line[:8].decode("latin-1") if isinstance(line, bytes) else line[:8]
    return text[0] if text[:1] in _SIGNS and text.rstrip() == text[0] * 7 else ""


def records(value: Any, faults: tuple[Fault, ...], remarks: tuple[Fault, ...] = ()) -> list[Raw]:
    """The records of a document: itself, or its items if it is a list."""
    if not isinstance(value, list):
        return [Raw(value, faults=faults, remarks=remarks)]
    if faults and not value:
        return [Raw(None, faults=faults)]
    faulty, remarked = _by_item(faults), _by_item(remarks)
    of_all = faulty.pop(None, ())
    return [
        Raw(item, 1, (index,), (*of_all, *faulty.get(index, ())), tuple(remarked.get(index, ())))
        for index, item in enumerate(value)
    ]


def _by_item(faults: tuple[Fault, ...]) -> dict[int | None, Sequence[Fault]]:
    """Faults by the item of the list that they spoil; those of the whole document under None."""
    found: dict[int | None, Sequence[Fault]] = {}
    for fault in faults:
        found[fault.item] = [*found.get(fault.item, ()), fault]
    return found


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
