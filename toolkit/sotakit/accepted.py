"""Which records go on: those without errors whose references are records that go on, and that may be published."""

from collections.abc import Callable
from dataclasses import replace

from sotakit.check.findings import Origin
from sotakit.collection import Collection, Loaded, LoadedResult
from sotaschema.base import Record, last_day
from sotaschema.entities import Benchmark, Dataset, Method, Metric
from sotaschema.results import Event, Result, Source

Ids = dict[str, set[str]]


def accepted(collection: Collection) -> Collection:
    """The collection without refused records and without whatever refers to one; those are added to `refused`."""
    kept = replace(collection, kinds={}, results=[], refused=set(collection.refused))
    ids: Ids = {}
    for kind in ("registry", "config_keys", "sources", "tasks", "datasets", "metrics", "methods", "benchmarks"):
        kept.kinds[kind] = _keep(collection.of(kind), kept.refused, lambda record: _stands(record, ids))
        ids[kind] = {str(getattr(loaded.record, "id", "")) for loaded in kept.kinds[kind]}
    for result in collection.results:
        if not kept.refused.intersection((result.origin, _around(result.origin))) and _result_stands(result, ids):
            kept.results.append(result)
        else:
            kept.refused.add(result.origin)
    ids["results"] = {result.id for result in kept.results}
    for kind in ("events", "redirects"):
        kept.kinds[kind] = _keep(collection.of(kind), kept.refused, lambda record: _stands(record, ids))
    return kept


def published(collection: Collection, as_of: str) -> tuple[Collection, int]:
    """The collection without what is private, under embargo at a date or not to be published; and how many that are."""
    hidden = {loaded.record.id for loaded in collection.sources if not _is_public(loaded.record, as_of)}
    results = [row for row in collection.results if row.source not in hidden and _is_public(row.record, as_of)]
    gone = hidden | ({row.id for row in collection.results} - {row.id for row in results})
    kinds = dict(collection.kinds)
    kinds["sources"] = [loaded for loaded in collection.of("sources") if getattr(loaded.record, "id", "") not in hidden]
    for kind in ("datasets", "methods", "metrics"):
        kinds[kind] = [loaded._replace(record=_without(loaded.record, hidden)) for loaded in collection.of(kind)]
    kinds["events"] = [loaded for loaded in collection.of("events") if getattr(loaded.record, "target", "") not in gone]
    return replace(collection, kinds=kinds, results=results), len(gone)


def _without(record: Record, hidden: set[str]) -> Record:
    """The record without the sources of a set: not even their ids are published."""
    match record:
        case Dataset(paper=str(source)) if source in hidden:
            return record.model_copy(update={"paper": None})
        case Method(origin=str(source)) if source in hidden:
            return record.model_copy(update={"origin": None})
        case Metric():
            names = ("direction_source", "reference")
            kept = {name: [cited for cited in getattr(record, name) if cited.source not in hidden] for name in names}
            return record.model_copy(update=kept)
    return record


def _around(origin: Origin) -> Origin:
    """The source that a result stands in; the result itself if it stands alone."""
    return origin._replace(path=origin.path[:-2]) if origin.path[-2:-1] == ("results",) else origin


def _is_public(record: Source | Result, as_of: str) -> bool:
    if record.visibility == "private" or (isinstance(record, Source) and not record.publish):
        return False
    return record.embargo_until is None or last_day(record.embargo_until).isoformat() <= as_of


def _keep(
    records: list[Loaded[Record]], refused: set[Origin], stands: Callable[[Record], bool]
) -> list[Loaded[Record]]:
    kept = []
    for loaded in records:
        if loaded.origin not in refused and stands(loaded.record):
            kept.append(loaded)
        else:
            refused.add(loaded.origin)
    return kept


def _stands(record: Record, ids: Ids) -> bool:
    """Whether everything a record cannot do without is among the ids kept so far."""
    match record:
        case Dataset(paper=str(source)) | Method(origin=str(source)):
            return source in ids["sources"]
        case Metric():
            return all(citation.source in ids["sources"] for citation in (*record.direction_source, *record.reference))
        case Benchmark():
            known = record.task in ids["tasks"] and record.dataset in ids["datasets"]
            return known and all(metric.metric is None or metric.metric in ids["metrics"] for metric in record.metrics)
        case Event():
            return record.target in ids["results"] | ids["sources"]
    return True


def _result_stands(result: LoadedResult, ids: Ids) -> bool:
    record = result.record
    return record.benchmark in ids["benchmarks"] and record.method in ids["methods"] and result.source in ids["sources"]
