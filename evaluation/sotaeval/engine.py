"""Doing many pieces of work at once with joblib: on local processes, or on a Dask cluster.

A piece of work that fails says so by itself; what is handled here is work whose process dies. Then everything that was
running is tried again, and if that gives nothing new, each remaining piece alone, so that the guilty one is named and
the others are done.
"""

import contextlib
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from joblib import Parallel, delayed, parallel_config

from sotaeval.errors import OptionError

TRIES = 2
"""How often all remaining work is tried together before it is tried piece by piece."""

Work = Callable[[], str | None]
"""Does a piece of work; gives None, or in one line why it failed."""


@dataclass(frozen=True)
class Engine:
    """Where work runs: `jobs` local processes of one thread each, or the cluster of a Dask scheduler."""

    jobs: int = 1
    backend: Literal["local", "dask"] = "local"
    scheduler: str | None = None

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise OptionError(f"--jobs is at least 1, not {self.jobs}")
        if (self.backend == "dask") != (self.scheduler is not None):
            raise OptionError("--backend dask and --scheduler ADDRESS belong together")


class Failure(NamedTuple):
    """A piece of work that gave nothing, and why."""

    name: str
    message: str


def execute(work: Mapping[str, Work], engine: Engine, finished: Callable[[str], None]) -> list[Failure]:
    """Do all the work, named by its keys; `finished` is called after each piece. Gives what failed, by name."""
    if engine.jobs == 1 and engine.backend == "local":
        outcomes = {}
        for name, do in work.items():
            outcomes[name] = do()
            finished(name)
        return _failures(outcomes)
    with _connection(engine) as settings:
        return _failures(_parallel(work, settings, finished))


def _parallel(
    work: Mapping[str, Work], settings: dict[str, Any], finished: Callable[[str], None]
) -> dict[str, str | None]:
    """Outcomes by name, whatever happens to the processes."""
    outcomes: dict[str, str | None] = {}

    def attempt(names: list[str]) -> str | None:
        try:
            results = Parallel(**settings, return_as="generator_unordered")(
                delayed(_named)(name, work[name]) for name in names
            )
            for name, outcome in results:
                outcomes[name] = outcome
                finished(name)
        except Exception as error:  # whatever ends a pool: a killed worker, a lost scheduler, full memory
            return f"the worker process died ({type(error).__name__})"
        return None

    with warnings.catch_warnings():
        # loky replaces a worker that has grown by 300 MB; that costs seconds and nobody can do anything about it.
        warnings.filterwarnings("ignore", message="A worker stopped while some jobs were given")
        for _ in range(TRIES):
            if attempt([name for name in work if name not in outcomes]) is None:
                return outcomes
        for name in work:
            if name not in outcomes and (died := attempt([name])):
                outcomes[name] = died
                finished(name)
    return outcomes


def _named(name: str, do: Work) -> tuple[str, str | None]:
    return name, do()


@contextlib.contextmanager
def _connection(engine: Engine) -> Iterator[dict[str, Any]]:
    """Settings for `joblib.Parallel`, with the Dask client open meanwhile."""
    if engine.backend == "local":
        yield {"n_jobs": engine.jobs, "backend": "loky", "batch_size": 1}
        return
    try:
        from dask.distributed import Client  # noqa: PLC0415 - optional
    except ImportError as error:
        raise OptionError('--backend dask needs Dask: pip install "dask[distributed]"') from error
    try:
        client = Client(engine.scheduler, timeout="20s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise OptionError(f"no Dask scheduler answers at {engine.scheduler} ({error})") from error
    with client, parallel_config(backend="dask"):
        yield {"n_jobs": -1, "batch_size": 1}


def _failures(outcomes: Mapping[str, str | None]) -> list[Failure]:
    return [Failure(name, message) for name, message in sorted(outcomes.items()) if message]
