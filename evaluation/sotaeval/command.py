"""The one entry point of the command line: options in, report out, nothing printed but progress."""

import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast

import torch

from sotaeval.benchmarks import runner_of
from sotaeval.data import load_mnist
from sotaeval.engine import Engine, Failure
from sotaeval.errors import OptionError, WriteError
from sotaeval.grid import Request, shard_of
from sotaeval.profiles import Profile, profile_named
from sotaeval.records import Existing, Written, group_tasks, write_records
from sotaeval.run_files import read_run
from sotaeval.runs import run_all

BACKENDS = ("local", "dask")
DEVICES = ("auto", "cpu", "cuda", "mps")


@dataclass(frozen=True)
class EvaluateOptions:
    """What `toolkit evaluate` takes, one field for each option, and what the folder of records holds already.

    `shard` is "K/N" as typed. `folder` is where modules of `--method` are looked for besides Python's own path.
    """

    benchmark: str
    methods: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    profile: str | Profile = "quick"
    seeds: int | None = None
    device: str = "auto"
    jobs: int = 1
    backend: str = "local"
    scheduler: str | None = None
    download: bool = False
    shard: str | None = None
    runs: Path = Path("runs")
    into: Path = Path("data")
    data_root: Path | None = None
    folder: Path = field(default_factory=Path.cwd)
    existing: Existing = field(default_factory=Existing)
    quiet: bool = False


@dataclass(frozen=True)
class EvaluateReport:
    """What happened. `source` is None while tasks of the grid are not done (a shard) or nothing could be written."""

    source: Path | None
    results: int
    tasks: int
    skipped: int
    failures: tuple[Failure, ...]
    notes: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """1 if a task failed, else 0."""
        return 1 if self.failures else 0


def evaluate(options: EvaluateOptions) -> EvaluateReport:
    """Do the tasks of a benchmark that have no valid run file, and write the records of all that have one.

    Raises `OptionError`, `DataError` or `WriteError` (each with its `exit_code`) before or after the tasks; a task
    that fails is in the report and does not end the others.
    """
    runner = runner_of(options.benchmark)
    engine = _engine(options)
    tasks = runner.tasks(_request(options))
    mine = shard_of(tasks, parse_shard(options.shard))
    load_mnist(options.data_root, options.download)
    runs = options.runs.absolute()
    _make_folder(runs)
    done = run_all(mine, runs, runner.run, engine, quiet=options.quiet)
    files = done.files | {
        task.id: found for task in tasks if task.id not in done.files and (found := read_run(runs, task))
    }
    groups, lacking = group_tasks(tasks, files)
    notes = list(done.notes)
    written: Written | None = None
    if options.shard and lacking:
        notes.append(f"{len(files)} of {len(tasks)} tasks are done; records are written when all are there")
    elif groups:
        written = write_records(
            options.benchmark, runner, groups, options.into, options.existing, command_line(options)
        )
        notes += [f"no record of {name}: a task of it failed" for name in lacking]
        if written.left_out:
            notes.append(
                f"the benchmark's record lists no key {', '.join(written.left_out)}; these scores were left out"
            )
    return EvaluateReport(
        source=written.path if written else None,
        results=written.results if written else 0,
        tasks=len(mine),
        skipped=done.skipped,
        failures=tuple(done.failures),
        notes=tuple(notes),
    )


def parse_shard(text: str | None) -> tuple[int, int] | None:
    """`K/N` as two numbers; raises `OptionError` for anything else."""
    if text is None:
        return None
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if not match:
        raise OptionError(f"--shard is K/N, for instance 3/16, not {text!r}")
    return int(match[1]), int(match[2])


def command_line(options: EvaluateOptions) -> str:
    """The command that regenerates the records: what decides the figures, not where or how fast they are made."""
    words = ["toolkit", "evaluate", options.benchmark, "--profile", _profile(options).name]
    for option, values in (("--method", options.methods), ("--model", options.models)):
        for value in values:
            words += [option, value]
    seeds = options.seeds if options.seeds is not None else _profile(options).seeds
    return shlex.join([*words, "--seeds", str(seeds)])


def pick_device(name: str) -> str:
    """A device for torch; `auto` takes CUDA or MPS where present, else the CPU."""
    if name not in DEVICES:
        raise OptionError(f"no device {name!r}; there are {', '.join(DEVICES)}")
    present = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
    if name == "auto":
        return next(device for device in ("cuda", "mps", "cpu") if present[device])
    if not present[name]:
        raise OptionError(f"there is no {name} device here; use --device auto")
    return name


def _profile(options: EvaluateOptions) -> Profile:
    return options.profile if isinstance(options.profile, Profile) else profile_named(options.profile)


def _request(options: EvaluateOptions) -> Request:
    return Request(
        benchmark=options.benchmark,
        profile=_profile(options),
        methods=options.methods,
        models=options.models,
        seeds=options.seeds,
        device=pick_device(options.device),
        data_root=options.data_root.absolute() if options.data_root else None,
        folder=str(options.folder.absolute()),
    )


def _engine(options: EvaluateOptions) -> Engine:
    if options.backend not in BACKENDS:
        raise OptionError(f"no backend {options.backend!r}; there are {', '.join(BACKENDS)}")
    return Engine(options.jobs, cast("Literal['local', 'dask']", options.backend), options.scheduler)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"{folder} could not be made: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK):
        raise WriteError(f"{folder} cannot be written to")
