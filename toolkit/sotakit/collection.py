"""The records of a data folder: validated one by one, each with its place, ready to be checked against each other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar, cast

from sotakit.check.finding_store import Findings
from sotakit.check.findings import Origin
from sotakit.name_folding import folded
from sotaschema.base import Record
from sotaschema.entities import Benchmark, BenchmarkMetric, ConfigKey, Dataset, Method, Metric, Redirect, Registry, Task
from sotaschema.results import Event, Result, Score, Source
from sotaschema.values import ParsedValue
from sotaschema.vocabulary import Unit

R = TypeVar("R", bound=Record)

HINTED_IDS = 10_000
"""How many ids of results are kept to say "did you mean"."""


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
    texts: dict[str, str] | None = None
    """The texts of its scores, where it is known that they say nothing besides and that the record is ASCII."""


def loaded(
    record: Result, source: str | None, origin: Origin, texts: dict[str, str] | None = None
) -> LoadedResult | None:
    """A result of a source; of the one it names itself where its file does not belong to one. None if they differ."""
    of = record.source if source is None else source
    if of is None or record.source not in (None, of):
        return None
    return LoadedResult(record.id or record.id_in(of), record, of, origin, texts)


Scored = tuple[LoadedResult, str, Score, BenchmarkMetric, ParsedValue, Unit]
"""A score: its result and key, the metric that it is a value of, what its text says, and its unit (else the metric's).

A plain tuple, since there are millions of them.
"""


class Known:
    """What results are checked against: records other than results by id, the first one where an id appears twice."""

    def __init__(self, kinds: Mapping[str, Sequence[Loaded[Record]]]) -> None:
        self._kinds = kinds
        self._sources: dict[str, Source] = {}
        self._sources_met = 0

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
    def methods_by_name(self) -> dict[str, list[str]]:
        """Ids of the methods that have a name or an alias, by the name without what people type differently."""
        names: dict[str, list[str]] = {}
        for method in self.methods.values():
            for name in (method.name, *method.aliases):
                names.setdefault(folded(name), []).append(method.id)
        return names

    @cached_property
    def datasets(self) -> dict[str, Dataset]:
        """Datasets by id."""
        return cast("dict[str, Dataset]", self._by_id("datasets"))

    @property
    def sources(self) -> dict[str, Source]:
        """Sources by id, as many as were read: they come while results do."""
        loaded = self._kinds.get("sources", ())
        for source, _ in loaded[self._sources_met :]:
            self._sources.setdefault(record_id(source), cast("Source", source))
        self._sources_met = len(loaded)
        return self._sources

    @cached_property
    def listed(self) -> dict[str, dict[str, BenchmarkMetric]]:
        """The metrics of each benchmark by key."""
        return {name: {metric.key: metric for metric in record.metrics} for name, record in self.benchmarks.items()}

    @cached_property
    def shares_of_items(self) -> frozenset[str]:
        """Metrics whose values are whole numbers of items out of all items."""
        return frozenset(name for name, metric in self.metrics.items() if metric.share_of_items)

    @cached_property
    def releases(self) -> tuple[dict[str, Method], dict[str, Dataset]]:
        """Methods, and datasets by benchmark, of which it is known when they were released."""
        methods = {name: method for name, method in self.methods.items() if method.released}
        datasets = {name: self.datasets.get(board.dataset) for name, board in self.benchmarks.items()}
        return methods, {name: dataset for name, dataset in datasets.items() if dataset and dataset.released}

    @cached_property
    def events(self) -> dict[str, list[Event]]:
        """Events by the id of what they happened to."""
        found: dict[str, list[Event]] = {}
        for loaded in self._kinds.get("events", ()):
            event = cast("Event", loaded.record)
            found.setdefault(event.target, []).append(event)
        return found

    @cached_property
    def config_keys(self) -> list[ConfigKey]:
        """How configuration keys fold."""
        return [cast("ConfigKey", loaded.record) for loaded in self._kinds.get("config_keys", ())]

    def _by_id(self, kind: str) -> dict[str, Record]:
        return {record_id(loaded.record): loaded.record for loaded in reversed(self._kinds.get(kind, ()))}


@dataclass
class Collection:
    """Everything that was read.

    `ids` holds, by kind, also the ids of records that were refused, so that a reference to one of them is not called
    unknown; of results only those that others name, and some more for hints. `counted` is the number of records met,
    of which `unread` could not be read. `refused` has the places of refused records that others depend on. `as_of` is
    the day that counts as today, YYYY-MM-DD; without one nothing is in the future.
    """

    kinds: dict[str, list[Loaded[Record]]] = field(default_factory=dict)
    results: list[LoadedResult] = field(default_factory=list)
    ids: dict[str, set[str]] = field(default_factory=dict)
    findings: Findings = field(default_factory=Findings)
    refused: set[Origin] = field(default_factory=set)
    files: int = 0
    counted: int = 0
    unread: int = 0
    as_of: str = ""
    suggestions: dict[tuple[str, str], str] = field(default_factory=dict)
    """What may be meant by unknown ids, by kind and id; batches share it."""
    sorts: Iterable[tuple[Any, int, Origin]] | None = None
    """What counting rules look at in results, where it was gathered before (`check.tally.Sorts`)."""

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

    @cached_property
    def watched(self) -> set[str]:
        """Ids of results that events and redirects name. Only to be asked when those are there."""
        renamed = {redirect.new for redirect, _ in self.redirects if redirect.kind == "results"}
        return renamed | {event.target for event, _ in self.events}

    def note_results(self, names: Iterable[str]) -> None:
        """Remember that results with some ids are there: of millions, those that are named and some for hints."""
        known = self.ids.setdefault("results", set())
        if len(known) < HINTED_IDS:
            known.update(names)
        elif self.watched:
            known.update(name for name in names if name in self.watched)

    @property
    def size(self) -> int:
        """Number of records, results included."""
        return sum(map(len, self.kinds.values())) + len(self.results)

    @cached_property
    def known(self) -> Known:
        """What results are checked against."""
        return Known(self.kinds)

    @cached_property
    def scored(self) -> list[Scored]:
        """Every score whose benchmark lists its metric. Only to be asked when all results are there."""
        listed = self.known.listed
        found: list[Scored] = []
        for result in self.results:
            metrics = listed.get(result.record.benchmark, {})
            for key, score in result.record.scores.items():
                if metric := metrics.get(key):
                    parsed = score.parsed
                    found.append((result, key, score, metric, parsed, parsed.unit or metric.unit))
        return found

    def batch(self, results: list[LoadedResult]) -> "Collection":
        """Some results alone, to be checked against what is known of everything else."""
        part = Collection(results=results, ids=self.ids, as_of=self.as_of, suggestions=self.suggestions)
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
