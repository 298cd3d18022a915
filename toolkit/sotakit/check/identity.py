"""E4xx, E211: one id for one record, one record for one claim."""

from collections.abc import Iterator

from sotakit.check.findings import Origin
from sotakit.check.problem import Problem
from sotakit.collection import Collection, LoadedResult
from sotakit.folding import Folding, duplicate_groups
from sotaschema.identity import reserved_id, result_id

_IDENTIFIED = ("tasks", "datasets", "metrics", "methods", "benchmarks", "sources")


def reserved(collection: Collection) -> Iterator[Problem]:
    """E211: ids that no file system or no site can carry."""
    for kind, name, origin in collection.everything():
        if kind in _IDENTIFIED and reserved_id(name):
            yield Problem(origin, name, f"the id {name!r} is reserved", "add a word to it", ("id",))
    for benchmark, origin in collection.benchmarks:
        for index, metric in enumerate(benchmark.metrics):
            if reserved_id(metric.key):
                loc = ("metrics", index, "key")
                yield Problem(origin, benchmark.id, f"the key {metric.key!r} is reserved", "add a word to it", loc)


def same_id(collection: Collection) -> Iterator[Problem]:
    """E401: the second record of a kind with an id."""
    first: dict[tuple[str, str], Origin] = {}
    derived = {result.origin for result in collection.results if result.record.id is None}
    for kind, name, origin in collection.everything():
        earlier = first.setdefault((kind, name), origin)
        if earlier != origin and origin not in derived:
            message = f"the id {name!r} is already taken in {_place(earlier)}"
            loc = {"config_keys": ("key",), "redirects": ("old",), "registry": ()}.get(kind, ("id",))
            yield Problem(origin, name, message, "remove one, or give it an id of its own", loc)


def same_claim(collection: Collection) -> Iterator[Problem]:
    """E402: a result that would get the id of another one because nothing tells them apart."""
    first: dict[str, LoadedResult] = {}
    for result in collection.results:
        earlier = first.setdefault(result.id, result)
        if earlier is not result and result.record.id is None:
            message = f"the same claim as in {_place(earlier.origin)}: source, benchmark, method and config agree"
            hint = "remove one; if the source states both, tell them apart with `variant`"
            yield Problem(result.origin, result.id, message, hint)


def contested_claim(collection: Collection) -> Iterator[Problem]:
    """W404: results with ids of their own that state other values for the same claim."""
    first: dict[str, LoadedResult] = {}
    seen: set[str] = set()
    for result in collection.results:
        if result.id in seen:  # that is E401 or E402
            continue
        seen.add(result.id)
        record = result.record
        label = record.method_label or record.method
        claim = result_id(result.source, record.benchmark, label, record.config, record.variant)
        earlier = first.setdefault(claim, result)
        if earlier is not result and _claim(earlier) != _claim(result):
            message = f"the same claim as {earlier.id} in {_place(earlier.origin)}, with other values"
            hint = "correct one; if the source states both, tell them apart with `variant`"
            yield Problem(result.origin, result.id, message, hint)


def probable_duplicate(collection: Collection) -> Iterator[Problem]:
    """W403: results that repeat another one under differently named config keys."""
    results = {result.id: result for result in collection.results}
    for first, *rest in duplicates(collection):
        for name in rest:
            message = f"probably the same result as {first} in {_place(results[first].origin)}"
            hint = "the configurations differ only in key names; remove one if it is one row read twice"
            yield Problem(results[name].origin, name, message, hint)


def duplicates(collection: Collection) -> list[list[str]]:
    """Groups of ids of results that probably repeat one another."""
    claims = (
        (result.id, result.record.benchmark, result.record.config, _claim(result)) for result in collection.results
    )
    return duplicate_groups(claims, Folding(collection.config_keys))


def _claim(result: LoadedResult) -> tuple[object, ...]:
    record = result.record
    values = tuple(sorted((key, score.text) for key, score in record.scores.items()))
    return (result.source, record.benchmark, record.method, record.method_label, values)


def _place(origin: Origin) -> str:
    where = f", line {origin.line}" if origin.line > 1 else ""
    item = "".join(f" {step}" if isinstance(step, str) else f" #{step + 1}" for step in origin.path)
    return f"{origin.file}{where}{item and ':' + item}"
