"""What the `evaluate` command tells the evaluation of a data folder, and how it tells its outcome."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from sotakit.check.load import load
from sotakit.errors import UsageError
from sotaschema.results import Source

Ids = Mapping[str, frozenset[str]]


class Report(Protocol):
    """What an evaluation did: tasks, those done before, results written and where, remarks and failures."""

    @property
    def source(self) -> Path | None: ...  # noqa: D102
    @property
    def results(self) -> int: ...  # noqa: D102
    @property
    def tasks(self) -> int: ...  # noqa: D102
    @property
    def skipped(self) -> int: ...  # noqa: D102
    @property
    def notes(self) -> Sequence[str]: ...  # noqa: D102
    @property
    def failures(self) -> Sequence[object]: ...  # noqa: D102


def held(into: Path) -> tuple[Ids, Ids]:
    """The ids a data folder holds, by kind, and the metric keys of its benchmarks; nothing for a folder to be made.

    Runs are left out: repeating one replaces its file.
    """
    if not into.is_dir():
        return {}, {}
    collection = load(into)
    runs = {source.id for source, _ in collection.sources if isinstance(source, Source) and source.type == "run"}
    ids = defaultdict(frozenset, {kind: frozenset(names - runs) for kind, names in collection.ids.items()})
    keys = {
        benchmark.id: frozenset(metric.key for metric in benchmark.metrics) for benchmark, _ in collection.benchmarks
    }
    return dict(ids), keys


def report_lines(report: Report) -> Iterator[str]:
    """The outcome of an evaluation, one fact a line."""
    yield from report.notes
    yield from (f"failed: {failure}" for failure in report.failures)
    where = f"{report.results} results in {report.source}" if report.source else "no records written"
    yield f"{report.tasks} tasks, {report.skipped} done before, {len(report.failures)} failed; {where}"


@contextmanager
def needs_extra(extra: str) -> Iterator[None]:
    """Turns a missing optional package into the command that installs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        hint = f"install it with `pip install 'sotakit[{extra}]'`"
        raise UsageError(f"this command needs the package {error.name}; {hint}") from error
