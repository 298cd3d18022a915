"""E4xx, E211: one id for one record, one record for one claim."""

from collections.abc import Iterator, Mapping
from operator import attrgetter

from sotakit.check.findings import Origin
from sotakit.check.problem import Problem
from sotakit.collection import Collection, LoadedResult
from sotakit.folding import Folding, duplicate_groups, written_alike
from sotaschema.identity import Scalar, canonical_json, reserved_id

_ENDS = ("md", "json", "csv", "html", "atom", "xml", "txt", "svg")
"""How files of pages end."""
_IDENTIFIED = ("tasks", "datasets", "metrics", "methods", "benchmarks", "sources")


def reserved(collection: Collection) -> Iterator[Problem]:
    """E211: ids that no file system or no site can carry."""
    for kind, name, origin in collection.everything():
        if kind in _IDENTIFIED and reserved_id(name):
            yield Problem(origin, name, f"the id {name!r} is reserved", "add a word to it", ("id",))
    yield from _clashes(collection)
    for benchmark, origin in collection.benchmarks:
        for index, metric in enumerate(benchmark.metrics):
            if reserved_id(metric.key):
                loc = ("metrics", index, "key")
                yield Problem(origin, benchmark.id, f"the key {metric.key!r} is reserved", "add a word to it", loc)


def _clashes(collection: Collection) -> Iterator[Problem]:
    """Ids that would be a folder where another record of the kind has a file: `x.json` beside `x`."""
    names = {kind: collection.ids.get(kind, set()) for kind in _IDENTIFIED}
    for kind, name, origin in collection.everything():
        stem, dot, end = name.rpartition(".")
        if dot and end in _ENDS and stem in names.get(kind, ()):
            message = f"the pages of {name!r} would lie where {stem!r} has its file {name}"
            yield Problem(origin, name, message, "give one of the two another id", ("id",))


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
            methods = (earlier.record.method, result.record.method)
            named = "method" if len({*methods}) == 1 else f"label (of the methods {' and '.join(methods)})"
            message = f"the same claim as in {_place(earlier.origin)}: source, benchmark, {named} and config agree"
            message += _differences(earlier, result)
            hint = "remove one; if the source states both, tell them apart with `variant`"
            yield Problem(result.origin, result.id, message, hint)


def contested_claim(collection: Collection) -> Iterator[Problem]:
    """W404: results with ids of their own that state other values for the same claim; the first by id stands."""
    first: dict[tuple[object, ...], LoadedResult] = {}
    seen: set[str] = set()
    for result in sorted(collection.results, key=attrgetter("id")):
        if result.id in seen:  # that is E401 or E402
            continue
        seen.add(result.id)
        record = result.record
        label = record.method_label or record.method
        settings = frozenset([(key, written_alike(value)) for key, value in record.config.items()])
        claim = (result.source, record.benchmark, record.method, label, settings, record.variant)
        earlier = first.setdefault(claim, result)
        if earlier is not result and _values(earlier) != _values(result):
            message = f"the same claim as {earlier.id} in {_place(earlier.origin)}{_differences(earlier, result)}"
            hint = "correct one; if the source states both, tell them apart with `variant`"
            yield Problem(result.origin, result.id, message, hint)


def probable_duplicate(collection: Collection) -> Iterator[Problem]:
    """W403: results that repeat another one, with equal conditions or with conditions that are written otherwise."""
    results = {result.id: result for result in collection.results}
    for first, *rest in duplicates(collection):
        for name in rest:
            message = f"probably the same result as {first} in {_place(results[first].origin)}"
            how = _likeness(results[first].record.config, results[name].record.config)
            yield Problem(results[name].origin, name, message, f"{how}; remove one if it is one row read twice")


def _likeness(one: Mapping[str, Scalar], two: Mapping[str, Scalar]) -> str:
    """In what two configurations differ that mean the same."""
    if canonical_json(dict(one)) == canonical_json(dict(two)):
        return "method, configuration and values agree"
    if one.keys() == two.keys():
        return "the configurations differ only in how values are written"
    return "the configurations differ only in key names"


def duplicates(collection: Collection) -> list[list[str]]:
    """Groups of ids of results that probably repeat one another."""
    claims = (
        (result.id, result.record.benchmark, result.record.config, _claim(result)) for result in collection.results
    )
    return duplicate_groups(claims, Folding(collection.known.config_keys))


def _claim(result: LoadedResult) -> tuple[object, ...]:
    """What results that repeat one another agree in, beside their configurations.

    A variant tells rows apart that a curator saw in the source; importers give variants to rows of which nobody knows.
    """
    record = result.record
    variant = None if record.imported else record.variant
    return (result.source, record.benchmark, record.method, record.method_label, variant, _values(result))


def _values(result: LoadedResult) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((key, score.text) for key, score in result.record.scores.items()))


def _differences(one: LoadedResult, two: LoadedResult) -> str:
    """Whether the values of two results agree, as the end of a sentence; the first one that does not, in both."""
    before, after = dict(_values(one)), dict(_values(two))
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) != after.get(key):
            there, here = (repr(values[key]) if key in values else "nothing" for values in (before, after))
            return f", but not the values: {key} is {there} there and {here} here"
    return ", and so do the values"


def _place(origin: Origin) -> str:
    where = "" if origin.path else f", line {origin.line}"
    item = "".join(f" {step}" if isinstance(step, str) else f" #{step + 1}" for step in origin.path)
    return f"{origin.file}{where}{item and ':' + item}"
