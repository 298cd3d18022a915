"""Hashes of source text and settings: what a task or a checkpoint is, so that a changed one gets a new name."""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent


def code_hash(files: Iterable[str], extra: str = "") -> str:
    """16 hex digits over the text of files of this package, and of `extra` (a user's own module)."""
    state = hashlib.sha256(extra.encode())
    for name in sorted(set(files)):
        state.update(f"\0{name}\0".encode())
        state.update(_source(name))
    return state.hexdigest()[:16]


@cache
def _source(name: str) -> bytes:
    """The text of a file when it was first asked for, near to what was imported, even if it is edited meanwhile."""
    return (PACKAGE / name).read_bytes()


def fields_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass instance; nothing for any other object."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else {}
