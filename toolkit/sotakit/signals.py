"""SIGTERM ends a command as Ctrl-C does: by unwinding, so that nothing half-written stays behind."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


class Terminated(KeyboardInterrupt):
    """SIGTERM arrived."""


@contextmanager
def unwinding() -> Iterator[None]:
    """Raises `Terminated` where the code inside stands when SIGTERM arrives; only a main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _unwind)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def _unwind(*_: object) -> NoReturn:
    raise Terminated
