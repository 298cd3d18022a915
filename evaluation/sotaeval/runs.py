"""From a grid of tasks to run files: train what is needed, do what is missing, say what failed."""

import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from sotaeval.checkpoints import ModelSpec, load_or_train
from sotaeval.data import load_mnist
from sotaeval.engine import Engine, Failure, execute
from sotaeval.errors import EvaluationError
from sotaeval.outcome import Outcome
from sotaeval.progress import ShareFile, bars
from sotaeval.run_files import RunFile, Timing, now, read_run, revision, run_path, write_run
from sotaeval.tasks import Task
from sotaeval.training import Progress

RunTask = Callable[[Task, Progress], Outcome]


@dataclass(frozen=True)
class Done:
    """Valid run files by task id, how many of them were there before, what failed, and what there is to say."""

    files: dict[str, RunFile]
    skipped: int
    failures: list[Failure]
    notes: list[str]


def run_all(tasks: Sequence[Task], folder: Path, run: RunTask, engine: Engine, *, quiet: bool) -> Done:
    """Do every task that has no valid file in `folder`; a failed one is reported by name and the others go on."""
    missing = [task for task in tasks if read_run(folder, task) is None]
    notes = [
        f"{run_path(folder, task)} was not valid; done again" for task in missing if run_path(folder, task).exists()
    ]
    failures = _train(missing, folder, engine, quiet=quiet)
    git = revision()
    work = {task.name: partial(run_task, task, folder, run, git) for task in missing}
    assert len(work) == len(missing), "two tasks have one name"
    failures += _execute("tasks", work, {task.id: task.name for task in missing}, folder, engine, quiet)
    files = {task.id: found for task in tasks if (found := read_run(folder, task))}
    for task in missing:
        notes += files[task.id].content["notes"] if task.id in files else []
        if task.id not in files and task.name not in {failure.name for failure in failures}:
            failures.append(
                Failure(task.name, f"{run_path(folder, task)} is not there; do the workers share the folder?")
            )
    return Done(files, len(tasks) - len(missing), failures, sorted(set(notes)))


def run_task(task: Task, folder: Path, run: RunTask, git: dict[str, Any]) -> str | None:
    """One task on one thread, to its file; gives None, or in one line why there is none."""
    torch.set_num_threads(1)
    share = ShareFile(folder / ".progress" / task.id)
    started, wall, cpu = now(), time.perf_counter(), time.process_time()
    try:
        outcome = run(task, share)
        timing = Timing(started, now(), time.perf_counter() - wall, time.process_time() - cpu)
        write_run(folder, task, outcome, timing, git)
    except Exception as error:  # a user's method may raise anything; the others go on
        return _one_line(error)
    finally:
        share.close()
    return None


def train_model(spec: ModelSpec, folder: Path, device: str, data_root: Path | None) -> str | None:
    """One model into the cache, on one thread; gives None, or in one line why it failed."""
    torch.set_num_threads(1)
    share = ShareFile(folder / ".progress" / spec.key)
    try:
        load_or_train(spec, lambda: load_mnist(data_root).train, device, share)
    except Exception as error:  # reported by name; tasks that need the model fail by themselves
        return _one_line(error)
    finally:
        share.close()
    return None


def _train(tasks: Sequence[Task], folder: Path, engine: Engine, *, quiet: bool) -> list[Failure]:
    """Train the models that several tasks share, longest first, so that no two workers train the same."""
    specs = {spec.key: (spec, task) for task in tasks for spec in task.specs()}
    absent = [pair for pair in specs.values() if not pair[0].path.is_file()]
    absent.sort(key=lambda pair: -pair[0].fit.epochs * _COST.get(pair[0].kind, 1.0))
    work = {spec.name: partial(train_model, spec, folder, task.device, task.data_root) for spec, task in absent}
    return _execute("models", work, {spec.key: spec.name for spec, _ in absent}, folder, engine, quiet)


_COST = {"mc-dropout": 5.0, "vae": 3.0, "bnn": 2.5, "autoencoders": 1.2, "paper-conv": 4.0}
"""Rough seconds per epoch, for the order of work only."""


def _execute(
    title: str, work: dict[str, Any], names: dict[str, str], folder: Path, engine: Engine, quiet: bool
) -> list[Failure]:
    if not work:
        return []
    with bars(title, folder / ".progress", names, quiet=quiet) as shown:
        return execute(work, engine, lambda _: shown.advance())


def _one_line(error: Exception) -> str:
    """Kind, message and, for errors that are not ours, the innermost place."""
    text = " ".join(str(error).split())[:500]
    if isinstance(error, EvaluationError):
        return text
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {text} ({Path(last.filename).name}, line {last.lineno})"
