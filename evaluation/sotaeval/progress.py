"""Progress of work that runs in other processes: each writes its share into a small file, one thread reads them all.

Files instead of queues, so that it works alike for threads, local processes and a cluster with a shared folder; where
nothing is shared, the bar of finished tasks still moves.
"""

import contextlib
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

INTERVAL = 0.5
"""Seconds between two writes of a worker and between two looks."""


class ShareFile:
    """Progress of one task, written at most every `INTERVAL` seconds; never fails, since it is only for show."""

    def __init__(self, path: Path) -> None:
        self.path, self.last = path, 0.0

    def __call__(self, share: float) -> None:
        """Note the finished share, 0 to 1."""
        if (now := time.monotonic()) - self.last < INTERVAL:
            return
        self.last = now
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(f"{share:.4f}", encoding="ascii")

    def close(self) -> None:
        """Forget the file."""
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)


class Bars:
    """One bar for all tasks with an estimate, and one for each task that is running."""

    def __init__(self, progress: Progress, title: str, total: int) -> None:
        self.progress = progress
        self.overall = progress.add_task(title, total=total)
        self.running: dict[str, TaskID] = {}

    def advance(self) -> None:
        """One more task is finished."""
        self.progress.advance(self.overall)

    def look(self, folder: Path, names: Mapping[str, str]) -> None:
        """Read the share files of running tasks (name by id)."""
        seen = {path.name: path for path in folder.glob("*") if path.name in names} if folder.is_dir() else {}
        for gone in set(self.running) - set(seen):
            self.progress.remove_task(self.running.pop(gone))
        for key, path in seen.items():
            with contextlib.suppress(OSError, ValueError):
                share = float(path.read_text(encoding="ascii"))
                if key not in self.running:
                    self.running[key] = self.progress.add_task(f"  {names[key]}", total=1.0)
                self.progress.update(self.running[key], completed=share)


@contextlib.contextmanager
def bars(title: str, folder: Path, names: Mapping[str, str], *, quiet: bool) -> Iterator[Bars]:
    """Bars on standard error while the block runs; none where that is not a terminal."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True, quiet=quiet)
    with Progress(*columns, console=console, disable=quiet or not console.is_terminal) as progress:
        shown = Bars(progress, title, len(names))
        stop = threading.Event()

        def watch() -> None:
            while not stop.wait(INTERVAL):
                shown.look(folder, names)

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield shown
        finally:
            stop.set()
            watcher.join()
            shown.look(folder / "none", names)
