"""Page contexts that speak of the collection as a whole."""

from collections.abc import Mapping

from sotakit.catalog import Board, Catalog
from sotakit.publish import urls, words
from sotakit.publish.contexts import ErrorPage, HomePage, Link, Site
from sotakit.publish.wording import benchmark_link, entity_link, plural, unit_words
from sotakit.tables import Row
from sotaschema import SCHEMA_VERSION


def site_context(catalog: Catalog, base_url: str | None) -> Site:
    """What every page knows of the site."""
    registry = catalog.registry
    names = {"Benchmarks": "sota", "Tasks": "task", "Methods": "method", "Papers": "paper", "Metrics": "metric"}
    sections = tuple(Link(name, urls.listing(folder)) for name, folder in names.items())
    return Site(
        title=registry.title,
        description=registry.description or f"{registry.title}: machine-learning results with their sources.",
        licence=registry.licence or words.NOT_RECORDED,
        base_url=base_url or registry.base_url,
        sections=sections,
        left_out=catalog.accounting["rejected"],
        format=SCHEMA_VERSION,
    )


def home_page(catalog: Catalog, table_rows: Mapping[str, int]) -> HomePage:
    """The first page: what is here, by task."""
    folders = {"Benchmarks": "sota", "Methods": "method", "Sources": "paper", "Metrics": "metric", "Tasks": "task"}
    sizes = {"Benchmarks": len(catalog.boards)} | {
        name: len(catalog.tables[table])
        for name, table in (("Methods", "methods"), ("Sources", "sources"), ("Metrics", "metrics"), ("Tasks", "tasks"))
    }
    results = sum(len(board.results) for board in catalog.boards.values())
    counts = [("Results", results, Link("Benchmarks", urls.listing("sota")))]
    counts += [(name, sizes[name], Link(name, urls.listing(folder))) for name, folder in folders.items()]
    tasks = []
    for task in catalog.tables["tasks"].values():
        boards = [board for board in catalog.boards.values() if board.benchmark["task"] == task["id"]]
        lines = tuple((benchmark_link(catalog, board.benchmark["id"]), board_line(board)) for board in boards)
        if lines:
            tasks.append((entity_link(catalog, "tasks", task["id"]), lines))
    registry = catalog.registry
    return HomePage(
        address=urls.HOME,
        title=registry.title,
        description=registry.description or "",
        crumbs=(),
        counts=tuple(counts),
        tasks=tuple(tasks),
        tables=tuple(sorted(table_rows.items())),
    )


def error_page() -> ErrorPage:
    """The page that hosts show for an address that is not there."""
    return ErrorPage(urls.Address("404.html"), "Page not found", "There is no page at this address.", ())


def board_line(board: Board) -> str:
    """One line about a benchmark: how much is recorded, in which metrics, as of when."""
    labels = ", ".join(_metric_words(metric) for metric in board.metrics if not metric["added"])
    runs = sum(result["origin"] == "regenerated" for result in board.results)
    parts = [plural(len(board.results) - runs, "recorded result"), f"metrics: {labels}"]
    if runs:
        parts.insert(1, f"{runs:,} regenerated")
    if board.benchmark["updated_at"]:
        parts.append(f"data updated {board.benchmark['updated_at'][:10]}")
    return "; ".join(parts)


def _metric_words(metric: Row) -> str:
    """The label of a metric; of the primary one also its recorded unit and direction, and whether that is disputed."""
    if not metric["primary"] or metric["direction_recorded"] == "unknown":
        return str(metric["label"])
    disputed = ", disputed by its cited definition" if metric["direction_conflict"] else ""
    direction = words.DIRECTION[metric["direction_recorded"]].lower()
    return f"{metric['label']} ({unit_words(metric)}; {direction} as recorded{disputed})"
