"""Sparing the search for reference cycles where many objects are made that have none."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_cycles() -> Iterator[None]:
    """Pauses the search: records have no cycles, and going through all of them again and again takes a third of the
    time. Where it is paused already it stays so."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def settled() -> Iterator[None]:
    """Leaves what is there already out of every search, also in processes that are forked meanwhile."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
