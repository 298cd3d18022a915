"""Runs a command as a child process and says what it cost. Linux only: memory of process trees is read from /proc.

The kernel counts the size of the process that starts a child as the child's own before its program is loaded, so the
process that measures imports nothing but the standard library and holds no data.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from threading import Event, Thread
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
TOOLKIT = str(Path(sys.executable).with_name("toolkit"))
_SAMPLE_SECONDS = 0.5
"""Between two looks at the memory of a process tree."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run cost."""

    wall: float
    """Seconds."""
    cpu: float
    """Seconds of processor time, user and system, of the process and all its children."""
    peak: float
    """Largest resident memory in MB (10**6 bytes), of all its processes together."""
    output: str = ""
    """What it printed to standard output."""
    code: int = 0


class MeasureError(Exception):
    """A measured command failed, so that its cost means nothing."""


def child(name: str, *args: object) -> list[str]:
    """The command that runs one module of `benchmarks.children`."""
    return [sys.executable, "-m", f"benchmarks.children.{name}", *map(str, args)]


def run(command: Sequence[object], *, allowed: tuple[int, ...] = (0,), cwd: Path = ROOT) -> Cost:
    """Run a command to its end; raises `MeasureError` when its exit code is not one of the allowed ones."""
    os.sync()  # else what an earlier run wrote may still be on its way to the disk
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = perf_counter()
        process = subprocess.Popen(list(map(str, command)), stdout=out, stderr=err, cwd=cwd)  # noqa: S603 - ours
        tree = _Tree(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        wall = perf_counter() - begin
        shared = tree.stop()
        process.returncode = code = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if code not in allowed:
            last = err.read().decode("utf-8", "replace").strip()[-500:]
            raise MeasureError(f"{Path(str(command[0])).name} ended with {code}: {last}")
        peak = max(usage.ru_maxrss * 1024, shared) / 1e6
        return Cost(wall, usage.ru_utime + usage.ru_stime, peak, out.read().decode("utf-8", "replace"), code)


def repeat(times: int, command: Sequence[object], *, cwd: Path = ROOT) -> Cost:
    """The medians of several runs of one command."""
    runs = [run(command, cwd=cwd) for _ in range(times)]
    wall, cpu, peak = (median(getattr(one, name) for one in runs) for name in ("wall", "cpu", "peak"))
    return Cost(wall, cpu, peak, runs[-1].output)


class _Tree:
    """Watches the memory of a process that has children of its own; pages that several share count once."""

    def __init__(self, pid: int) -> None:
        self._pid, self._peak, self._ended = pid, 0, Event()
        self._thread = Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> int:
        """End watching and give the largest sum in bytes; 0 when there never was a child."""
        self._ended.set()
        self._thread.join()
        return self._peak

    def _watch(self) -> None:
        while not self._ended.wait(_SAMPLE_SECONDS):
            processes = _processes(self._pid)
            if len(processes) > 1:
                self._peak = max(self._peak, sum(map(_proportional, processes)))


def _processes(pid: int) -> list[int]:
    """A process and all that it started."""
    found = [pid]
    for one in found:
        for listed in Path(f"/proc/{one}/task").glob("*/children"):
            with suppress(OSError):  # it may have ended since
                found += map(int, listed.read_text(encoding="ascii").split())
    return found


def _proportional(pid: int) -> int:
    """Resident bytes of a process, shared pages divided by the number of their users."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0
