"""Which records go on: those without errors whose references are records that go on, and that may be published."""

from collections.abc import Callable
from dataclasses import replace

from sotakit.check.findings import Origin
from sotakit.check.index import Mask, ResultIndex
from sotakit.collection import Collection, Loaded
from sotaschema.base import Record, last_day
from sotaschema.entities import Benchmark, Dataset, Method, Metric, Redirect
from sotaschema.results import Event, Result, Source

Ids = dict[str, set[str]]


def accepted(collection: Collection, index: ResultIndex) -> tuple[Collection, Mask]:
    """The collection without refused records and without whatever refers to one; and which results go on."""
    kept = replace(collection, kinds={}, results=[])
    ids: Ids = {}
    for kind in ("registry", "config_keys", "sources", "tasks", "datasets", "metrics", "methods", "benchmarks"):
        kept.kinds[kind] = _keep(collection.of(kind), collection.refused, lambda record: _stands(record, ids))
        ids[kind] = {str(getattr(loaded.record, "id", "")) for loaded in kept.kinds[kind]}
    standing = index.standing(ids)
    ids["results"] = {name for name, ordinals in index.watched.items() if standing[ordinals].any()}
    for kind in ("events", "redirects"):
        kept.kinds[kind] = _keep(collection.of(kind), collection.refused, lambda record: _stands(record, ids))
    return kept, standing


def published(collection: Collection, index: ResultIndex, standing: Mask) -> tuple[Collection, Mask]:
    """The collection without what is private, under embargo at its date or not to be published; and its results."""
    hidden = {loaded.record.id for loaded in collection.sources if not is_public(loaded.record, collection.as_of)}
    ids = {kind: set(codes) for kind, codes in (("benchmarks", index.benchmarks), ("methods", index.methods))}
    public = standing & index.standing({**ids, "sources": set(index.sources) - hidden}) & index.public()
    gone = {name for name, ordinals in index.watched.items() if ordinals and not public[ordinals].any()}
    kinds = dict(collection.kinds)
    kinds["sources"] = [loaded for loaded in collection.of("sources") if getattr(loaded.record, "id", "") not in hidden]
    for kind in ("datasets", "methods", "metrics"):
        kinds[kind] = [loaded._replace(record=_without(loaded.record, hidden)) for loaded in collection.of(kind)]
    targets = hidden | gone
    kinds["events"] = [
        loaded for loaded in collection.of("events") if getattr(loaded.record, "target", "") not in targets
    ]
    kinds["redirects"] = _without_hidden(collection.redirects, {"sources": hidden, "results": gone})
    return replace(collection, kinds=kinds), public


def _without_hidden(redirects: list[Loaded[Redirect]], hidden: Ids) -> list[Loaded[Record]]:
    """The redirects that do not lead to something hidden, not even by way of others."""
    secret = {kind: set(names) for kind, names in hidden.items()}
    waiting = [loaded for loaded in redirects if loaded.record.kind in secret]
    while leading := [loaded for loaded in waiting if loaded.record.new in secret[loaded.record.kind]]:
        for loaded in leading:
            secret[loaded.record.kind].add(loaded.record.old)
        waiting = [loaded for loaded in waiting if loaded not in leading]
    return [
        Loaded(loaded.record, loaded.origin)
        for loaded in redirects
        if loaded.record.new not in secret.get(loaded.record.kind, ())
    ]


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


def is_public(record: Source | Result, as_of: str) -> bool:
    """Whether a record may be published on a day."""
    if record.visibility == "private" or (isinstance(record, Source) and not record.publish):
        return False
    return record.embargo_until is None or last_day(record.embargo_until).isoformat() <= as_of


def _keep(
    records: list[Loaded[Record]], refused: set[Origin], stands: Callable[[Record], bool]
) -> list[Loaded[Record]]:
    return [loaded for loaded in records if loaded.origin not in refused and stands(loaded.record)]


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
