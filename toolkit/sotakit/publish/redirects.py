"""Pages at addresses that are no longer used: each says where its page went, and takes browsers there."""

from collections.abc import Iterator, Mapping

from sotakit.catalog import Catalog
from sotakit.publish import urls
from sotakit.publish.entity_contexts import MovedPage
from sotakit.publish.overview import metric_address
from sotakit.publish.rows import Link

_NOUNS = {
    "benchmarks": "benchmark",
    "tasks": "task",
    "datasets": "dataset",
    "metrics": "metric",
    "methods": "method",
    "sources": "source",
}


def moved_pages(catalog: Catalog) -> Iterator[MovedPage]:
    """A page for each old identifier that no living record has and that leads to one; chains lead to their end."""
    for kind, noun in _NOUNS.items():
        steps = {row["old"]: row["new"] for row in catalog.redirects if row["kind"] == kind}
        living = catalog.tables[kind]
        for old in steps:
            new = _end(old, steps)
            if old not in living and new in living:
                yield from _moved(catalog, kind, noun, (old, new))


def _end(start: str, steps: Mapping[str, str]) -> str:
    """Where a chain of renamings ends; its start if it goes round in a circle."""
    seen, here = {start}, start
    while here in steps:
        here = steps[here]
        if here in seen:
            return start
        seen.add(here)
    return here


def _moved(catalog: Catalog, kind: str, noun: str, names: tuple[str, str]) -> Iterator[MovedPage]:
    old, new = names
    row = catalog.row(kind, new)
    title = str(row.get("title") or row.get("name") or new)
    pairs = [(_address(kind, old), _address(kind, new), title)]
    if kind == "benchmarks":
        board = catalog.boards[new]
        pairs += [
            (urls.metric_view(old, metric["key"]), metric_address(board, metric), f"{title}: {metric['label']}")
            for metric in board.metrics
        ]
    for before, after, name in pairs:
        description = f"This {noun} has another name now. Its page moved to"
        yield MovedPage(before._replace(json=""), f"Moved: {name}", description, (), Link(name, after))


def _address(kind: str, identifier: str) -> urls.Address:
    return urls.benchmark(identifier) if kind == "benchmarks" else urls.entity(kind, identifier)
