"""The records of a data folder: validated one by one, each with its place, ready to be checked against each other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar, cast

from sotakit.check.findings import Finding, Origin
from sotaschema.base import Record
from sotaschema.entities import Benchmark, BenchmarkMetric, ConfigKey, Dataset, Method, Metric, Redirect, Registry, Task
from sotaschema.results import Event, Result, Source

R = TypeVar("R", bound=Record)


class Loaded(NamedTuple, Generic[R]):
    """A valid record and where it stands."""

    record: R
    origin: Origin


class LoadedResult(NamedTuple):
    """A valid result, its id, the source that states it and where it stands."""

    id: str
    record: Result
    source: str
    origin: Origin


class Known:
    """What results are checked against: records other than results by id, the first one where an id appears twice."""

    def __init__(self, kinds: Mapping[str, Sequence[Loaded[Record]]]) -> None:
        self._kinds = kinds

    @cached_property
    def benchmarks(self) -> dict[str, Benchmark]:
        """Benchmarks by id."""
        return cast("dict[str, Benchmark]", self._by_id("benchmarks"))

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """Metrics of the knowledge base by id."""
        return cast("dict[str, Metric]", self._by_id("metrics"))

    @cached_property
    def methods(self) -> dict[str, Method]:
        """Methods by id."""
        return cast("dict[str, Method]", self._by_id("methods"))

    @cached_property
    def datasets(self) -> dict[str, Dataset]:
        """Datasets by id."""
        return cast("dict[str, Dataset]", self._by_id("datasets"))

    @property
    def sources(self) -> dict[str, Source]:
        """Sources by id."""
        return cast("dict[str, Source]", self._by_id("sources"))

    @cached_property
    def listed(self) -> dict[str, dict[str, BenchmarkMetric]]:
        """The metrics of each benchmark by key."""
        return {name: {metric.key: metric for metric in record.metrics} for name, record in self.benchmarks.items()}

    def _by_id(self, kind: str) -> dict[str, Record]:
        return {record_id(loaded.record): loaded.record for loaded in reversed(self._kinds.get(kind, ()))}


@dataclass
class Collection:
    """Everything that was read.

    `ids` holds, by kind, also the ids of records that were refused, so that a reference to one of them is not called
    unknown. `counted` is the number of records met, refused ones included.
    """

    kinds: dict[str, list[Loaded[Record]]] = field(default_factory=dict)
    results: list[LoadedResult] = field(default_factory=list)
    ids: dict[str, set[str]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    refused: set[Origin] = field(default_factory=set)
    files: int = 0
    counted: int = 0

    def of(self, kind: str) -> list[Loaded[Record]]:
        """All records of a kind, in order of reading."""
        return self.kinds.get(kind, [])

    @property
    def registry(self) -> Registry:
        """The collection's own record; an empty one if there is none."""
        return cast("Registry", self.of("registry")[0].record) if self.of("registry") else Registry()

    @property
    def tasks(self) -> list[Loaded[Task]]:
        """Tasks in order of reading."""
        return cast("list[Loaded[Task]]", self.of("tasks"))

    @property
    def datasets(self) -> list[Loaded[Dataset]]:
        """Datasets in order of reading."""
        return cast("list[Loaded[Dataset]]", self.of("datasets"))

    @property
    def metrics(self) -> list[Loaded[Metric]]:
        """Metrics in order of reading."""
        return cast("list[Loaded[Metric]]", self.of("metrics"))

    @property
    def methods(self) -> list[Loaded[Method]]:
        """Methods in order of reading."""
        return cast("list[Loaded[Method]]", self.of("methods"))

    @property
    def benchmarks(self) -> list[Loaded[Benchmark]]:
        """Benchmarks in order of reading."""
        return cast("list[Loaded[Benchmark]]", self.of("benchmarks"))

    @property
    def sources(self) -> list[Loaded[Source]]:
        """Sources in order of reading, without their results."""
        return cast("list[Loaded[Source]]", self.of("sources"))

    @property
    def events(self) -> list[Loaded[Event]]:
        """Events in order of reading."""
        return cast("list[Loaded[Event]]", self.of("events"))

    @property
    def redirects(self) -> list[Loaded[Redirect]]:
        """Redirects in order of reading."""
        return cast("list[Loaded[Redirect]]", self.of("redirects"))

    @property
    def config_keys(self) -> list[ConfigKey]:
        """How configuration keys fold."""
        return [cast("ConfigKey", loaded.record) for loaded in self.of("config_keys")]

    @property
    def size(self) -> int:
        """Number of records, results included."""
        return sum(map(len, self.kinds.values())) + len(self.results)

    @cached_property
    def known(self) -> Known:
        """What results are checked against."""
        return Known(self.kinds)

    def batch(self, results: list[LoadedResult]) -> "Collection":
        """Some results alone, to be checked against what is known of everything else."""
        part = Collection(results=results, ids=self.ids)
        part.known = self.known
        return part

    def everything(self) -> Iterator[tuple[str, str, Origin]]:
        """Kind, id and origin of every valid record, results included."""
        for kind, records in self.kinds.items():
            for loaded in records:
                yield kind, record_id(loaded.record), loaded.origin
        for result in self.results:
            yield "results", result.id, result.origin


def record_id(record: Record) -> str:
    """The id of a record, or what stands for one: a key, an old id, the registry itself."""
    for name in ("id", "key", "old"):
        value = getattr(record, name, None)
        if isinstance(value, str):
            return value
    return "registry"
