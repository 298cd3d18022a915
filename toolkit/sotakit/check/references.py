"""E3xx: everything that a record names must be there."""

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from sotakit.check.findings import Origin, Step
from sotakit.check.problem import Problem
from sotakit.check.tally import sorts_of
from sotakit.collection import Collection

SUGGESTED = 3
"""So many unknown ids are compared with all known ones, however many these are."""
COMPARED = 20_000
"""Beyond them, so many comparisons are made in all: each takes some 50 us."""

Link = tuple[Origin, str, tuple[Step, ...], str]
"""Place of the record, its id, path of the reference, and the id it names."""


def unknown_task(collection: Collection) -> Iterator[Problem]:
    """E301: parents of tasks, tasks of benchmarks."""
    links: list[Link] = [
        (origin, task.id, ("parents", index), parent)
        for task, origin in collection.tasks
        for index, parent in enumerate(task.parents)
    ]
    links += [(origin, benchmark.id, ("task",), benchmark.task) for benchmark, origin in collection.benchmarks]
    return _unknown(collection, "tasks", "task", links)


def task_above_itself(collection: Collection) -> Iterator[Problem]:
    """E313: tasks that are their own parents, by way of others or at once."""
    parents = {task.id: task.parents for task, _ in collection.tasks}
    for task, origin in collection.tasks:
        above, waiting = set[str](), list(task.parents)
        while waiting:
            name = waiting.pop()
            if name not in above:
                above.add(name)
                waiting += parents.get(name, ())
        if task.id in above:
            message = f"the task {task.id!r} is above itself"
            yield Problem(origin, task.id, message, "remove one of the parents that lead in a circle", ("parents",))


def unknown_dataset(collection: Collection) -> Iterator[Problem]:
    """E302: datasets of benchmarks."""
    links = [(origin, record.id, ("dataset",), record.dataset) for record, origin in collection.benchmarks]
    return _unknown(collection, "datasets", "dataset", links)


def unknown_metric(collection: Collection) -> Iterator[Problem]:
    """E303: metrics of benchmarks."""
    links = [
        (origin, record.id, ("metrics", index, "metric"), metric.metric)
        for record, origin in collection.benchmarks
        for index, metric in enumerate(record.metrics)
        if metric.metric is not None
    ]
    return _unknown(collection, "metrics", "metric", links)


def unknown_method(collection: Collection) -> Iterator[Problem]:
    """E304: methods of results."""
    known = collection.ids.get("methods", set())
    links = [
        (result.origin, result.id, ("method",), result.record.method)
        for result in collection.results
        if result.record.method not in known
    ]
    return _unknown(collection, "methods", "method", links)


def unknown_benchmark(collection: Collection) -> Iterator[Problem]:
    """E305: benchmarks of results and of key foldings."""
    known = collection.ids.get("benchmarks", set())
    links: list[Link] = [
        (row.origin, row.id, ("benchmark",), row.record.benchmark)
        for row in collection.results
        if row.record.benchmark not in known
    ]
    for (_, origin), key in zip(collection.of("config_keys"), collection.config_keys, strict=True):
        links += [(origin, key.key, ("benchmarks", index), name) for index, name in enumerate(key.benchmarks)]
    return _unknown(collection, "benchmarks", "benchmark", links)


def unknown_source(collection: Collection) -> Iterator[Problem]:
    """E306: origins of methods, papers of datasets, citations of metrics, and sources of results that stand apart.

    All results that wait for one source are one problem, at the first of them.
    """
    links: list[Link] = [
        (at, method.id, ("origin",), method.origin) for method, at in collection.methods if method.origin
    ]
    links += [(origin, data.id, ("paper",), data.paper) for data, origin in collection.datasets if data.paper]
    for metric, origin in collection.metrics:
        for name in ("direction_source", "reference"):
            cited = enumerate(getattr(metric, name))
            links += [(origin, metric.id, (name, index, "source"), citation.source) for index, citation in cited]
    yield from _unknown(collection, "sources", "source", links)
    yield from _without_source(collection)


def _without_source(collection: Collection) -> Iterator[Problem]:
    """Results of sources that are not there, counted by source."""
    known = collection.ids.get("sources", set())
    counts: Counter[str] = Counter()
    first: dict[str, Origin] = {}
    for sort, count, origin in sorts_of(collection):
        if sort.source not in known:
            counts[sort.source] += count
            first.setdefault(sort.source, origin)
    for name, origin in first.items():
        link = (origin, name, ("source",), name)
        for problem in _unknown(collection, "sources", "source", [link]):
            yield problem._replace(message=problem.message + waiting(counts[name]))


def _unread_file(collection: Collection, source: str) -> str:
    """The file that is called like a source and could not be read; empty if there is none."""
    names = {origin.file for origin in collection.refused if origin.file.startswith("sources/")}
    return next((name for name in sorted(names) if PurePosixPath(name).stem == source), "")


def waiting(count: int) -> str:
    """How many results wait for their source, as the end of a sentence; nothing where that is the only one."""
    return f"; {count:,} results wait for it" if count > 1 else ""


def unknown_metric_key(collection: Collection) -> Iterator[Problem]:
    """E307: keys of scores."""
    for result in collection.results:
        known = collection.known.listed.get(result.record.benchmark)
        for key in result.record.scores:
            if known is not None and key not in known:
                message = f"{result.record.benchmark} has no metric with the key {key!r}"
                hint = _close(key, known) or "its keys: " + ", ".join(known)
                yield Problem(result.origin, result.id, message, hint, ("scores", key), at_key=True)


def unknown_target(collection: Collection) -> Iterator[Problem]:
    """E308: targets of events, new names of redirects, and redirects that lead in a circle."""
    targets = collection.ids.get("results", set()) | collection.ids.get("sources", set())
    for event, origin in collection.events:
        if event.target not in targets:
            close = _suggestion(collection, "results", event.target) or _suggestion(collection, "sources", event.target)
            hint = close or "name a result or a source"
            yield Problem(origin, event.id, f"no result or source has the id {event.target!r}", hint, ("target",))
    onward = {(redirect.kind, redirect.old): redirect.new for redirect, _ in collection.redirects}
    for redirect, origin in collection.redirects:
        seen, name = {redirect.old}, redirect.new
        while name not in seen and (redirect.kind, name) in onward:
            seen.add(name)
            name = onward[redirect.kind, name]
        if name in seen:
            yield Problem(
                origin, redirect.old, "this redirect leads back to itself", "remove one of the circle", ("new",)
            )
        elif name not in collection.ids.get(redirect.kind, set()):
            message = f"no record of the kind {redirect.kind!r} has the id {name!r}"
            yield Problem(origin, redirect.old, message, "correct the id or the kind", ("new",))


def _unknown(collection: Collection, kind: str, word: str, links: Iterable[Link]) -> Iterator[Problem]:
    known = collection.ids.get(kind, set())
    for origin, record, loc, name in links:
        if name not in known:
            unread = _unread_file(collection, name) if kind == "sources" else ""
            hint = f"mend {unread} first, which could not be read" if unread else _suggestion(collection, kind, name)
            message = f"no {word} has the id {name!r}"
            yield Problem(origin, record, message, hint or f"add it to {kind}, or correct the id", loc, found=name)


def _suggestion(collection: Collection, kind: str, name: str) -> str:
    """What may be meant by an unknown id; nothing once so many were looked for that it would take long."""
    known, looked_for = collection.ids.get(kind, set()), collection.suggestions
    if (kind, name) not in looked_for:
        if len(looked_for) >= SUGGESTED and (len(looked_for) + 1) * len(known) > COMPARED:
            return ""
        looked_for[kind, name] = _close(name, known)
    return looked_for[kind, name]


def _close(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, sorted(known), 1)
    return f"did you mean {close[0]!r}?" if close else ""
