"""The same work in several processes: forked, so that they share what was read, and handed chunks one by one.

The outcome does not depend on their number: results come in the order of the chunks, and of several failures the one
of the first chunk is told.
"""

import multiprocessing
import signal
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from multiprocessing.reduction import ForkingPickler
from typing import TYPE_CHECKING, TypeVar

from sotakit.errors import OutputError

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

_FORK = multiprocessing.get_context("fork")


def run(chunks: Sequence[Chunk], work: Callable[[Chunk], Result], jobs: int) -> list[Result]:
    """The result for every chunk, by at most `jobs` processes; in this one if one is enough."""
    count = min(jobs, len(chunks))
    if count < 2:
        return [work(chunk) for chunk in chunks]
    turn = _FORK.Value("l", 0)
    found: dict[int, Result] = {}
    failed: dict[int, BaseException] = {}
    with _started(count, lambda line: _serve(line, turn, chunks, work)) as lines:
        while lines:
            ready = wait(list(lines))
            for line in [line for line in lines if line in ready]:
                try:
                    at, result, error = line.recv()
                except EOFError:
                    _ended(lines.pop(line), failed)
                    continue
                if error is None:
                    found[at] = result
                else:
                    failed[at] = error
    if failed:
        raise failed[min(failed)]
    return [found[at] for at in range(len(chunks))]


def _serve(
    line: Connection, turn: "Synchronized[int]", chunks: Sequence[Chunk], work: Callable[[Chunk], Result]
) -> None:
    """What a worker does: the next chunk that nobody has begun, until there is none or one fails."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    while True:
        with turn.get_lock():
            at = turn.value
            turn.value += 1
        if at >= len(chunks):
            return
        try:
            line.send((at, work(chunks[at]), None))
        except Exception as error:
            line.send((at, None, _portable(error)))
            with turn.get_lock():
                turn.value = len(chunks)
            return


@contextmanager
def _started(count: int, target: Callable[[Connection], None]) -> Iterator[dict[Connection, ForkProcess]]:
    """Worker processes with the line each reports by; none is left afterwards, whatever happens."""
    lines: dict[Connection, ForkProcess] = {}
    try:
        for _ in range(count):
            receiving, sending = _FORK.Pipe(duplex=False)
            process = _FORK.Process(target=target, args=(sending,), daemon=True)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # threads of numpy are idle and hold no lock here
                process.start()
            sending.close()
            lines[receiving] = process
        yield lines
    finally:
        for line, process in lines.items():
            process.kill()
            process.join()
            line.close()


def _ended(process: ForkProcess, failed: dict[int, BaseException]) -> None:
    """Notes a worker that ended without having said why."""
    process.join()
    if process.exitcode:
        why = f"signal {-process.exitcode}" if process.exitcode < 0 else f"exit code {process.exitcode}"
        failed[-1] = OutputError(f"a worker process was ended by {why}; free some memory, or try --jobs 1")


def _portable(error: Exception) -> Exception:
    """An error as it can be sent to another process, with the place where it was raised."""
    error.add_note("".join(traceback.format_exception(error)))
    try:
        ForkingPickler.loads(ForkingPickler.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
