"""Where Arrow takes its memory from."""

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa


@contextmanager
def from_the_system() -> Iterator[None]:
    """While it lasts, Arrow gives memory back to the system; its own allocators keep what was freed."""
    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(before)
