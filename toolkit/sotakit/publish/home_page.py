"""Page contexts that speak of the collection as a whole: the first page, the error page, and what every page knows."""

from collections.abc import Iterator

from sotakit.catalog import Board, Catalog
from sotakit.compiled import Row
from sotakit.publish import corrections, urls, words
from sotakit.publish.about import ADDRESS as ABOUT
from sotakit.publish.contexts import Site
from sotakit.publish.entity_contexts import BoardLine, ErrorPage, HomePage, TaskNode
from sotakit.publish.overview import Overview
from sotakit.publish.rows import Link
from sotakit.publish.wording import fallen_words, plural, unit_words
from sotaschema import SCHEMA_VERSION

MAX_RECENT = 12
"""Benchmarks that the first page shows."""

MAX_TASKS = 150
"""Tasks without a broader one that the first page shows, those with most benchmarks; the list has all."""

MAX_DEPTH = 8
"""Levels of tasks that the first page shows; pages of tasks lead on from there."""

_SECTIONS = {
    "Benchmarks": "sota",
    "Tasks": "task",
    "Methods": "method",
    "Papers": "paper",
    "Datasets": "dataset",
    "Metrics": "metric",
}
_COUNTED = {"methods": "Methods", "sources": "Sources", "datasets": "Datasets", "metrics": "Metrics", "tasks": "Tasks"}


def site_context(catalog: Catalog, base_url: str | None) -> Site:
    """What every page knows of the site."""
    registry = catalog.registry
    sections = [Link(name, urls.listing(folder)) for name, folder in _SECTIONS.items()]
    return Site(
        title=registry["title"],
        description=registry["description"] or f"{registry['title']}: machine-learning results with their sources.",
        licence=registry["licence"] or words.NOT_RECORDED,
        base_url=base_url or registry["base_url"],
        sections=(*sections, Link("Corrections", corrections.ADDRESS), Link("About", ABOUT)),
        left_out=catalog.accounting["rejected"],
        format=SCHEMA_VERSION,
        contact=registry["contact"] or "",
    )


def home_page(overview: Overview) -> HomePage:
    """The first page: what is here, what changed last, and where to find the rest."""
    catalog = overview.catalog
    tasks, more = _task_tree(overview)
    recent, dated = _recent(overview)
    return HomePage(
        address=urls.HOME,
        title=catalog.registry["title"],
        description=catalog.registry["description"] or "",
        crumbs=(),
        counts=tuple(_counts(catalog)),
        recent=recent,
        dated=dated,
        tasks=tasks,
        more_tasks=more,
    )


def error_page() -> ErrorPage:
    """The page that hosts show for an address that is not there."""
    return ErrorPage(urls.Address("404.html"), "Page not found", "There is no page at this address.", ())


def board_line(board: Board) -> str:
    """One line about a benchmark: how much is recorded, in which metrics, as of when."""
    labels = ", ".join(_metric_words(metric) for metric in board.metrics if not metric["added"])
    parts = [plural(board.facts.recorded, "recorded result") + fallen_words(board.facts.fallen), f"metrics: {labels}"]
    if board.facts.runs:
        parts.insert(1, f"{board.facts.runs:,} regenerated")
    if board.benchmark["updated_at"]:
        parts.append(f"data updated {board.benchmark['updated_at'][:10]}")
    return "; ".join(parts)


def _counts(catalog: Catalog) -> Iterator[tuple[str, int, Link]]:
    boards = Link("Benchmarks", urls.listing("sota"))
    yield "Results", len(catalog.tables["results"]), boards
    yield "Benchmarks", len(catalog.boards), boards
    for table, name in _COUNTED.items():
        yield name, len(catalog.tables[table]), Link(name, urls.listing(urls.ENTITY_FOLDERS[table]))


def _recent(overview: Overview) -> tuple[tuple[BoardLine, ...], bool]:
    """The benchmarks that changed last by recorded dates; where no date is recorded at all, the largest ones."""
    changed = {name: _changed(board) for name, board in overview.catalog.boards.items()}
    days = sorted(filter(None, changed.values()), reverse=True)
    last = days[:MAX_RECENT][-1] if days else ""
    names = overview.largest_first(name for name, day in changed.items() if day >= last)
    recent = sorted(names, key=changed.__getitem__, reverse=True)
    return tuple(map(overview.line, recent[:MAX_RECENT])), bool(days)


def _changed(board: Board) -> str:
    """What `BoardLine.changed` says, without the line."""
    return (board.benchmark["updated_at"] or "")[:10] or board.facts.newest


def _task_tree(overview: Overview) -> tuple[tuple[TaskNode, ...], int]:
    """The broadest tasks with what is below them, largest first, and how many more there are."""
    tasks = overview.catalog.tables["tasks"]
    sizes = {name: len(overview.below(name)) for name in tasks if not overview.broader(name)}
    largest = sorted(sizes, key=lambda name: (-sizes[name], str(tasks[name]["name"]).casefold()))
    shown = tuple(_node(overview, name, 1) for name in largest[:MAX_TASKS])
    return shown, len(largest) - len(shown)


def _node(overview: Overview, task: str, depth: int) -> TaskNode:
    """A task, so far below a broadest one, with its narrower ones; tasks never lie in a circle."""
    link, narrower = overview.link("tasks", task), sorted(overview.narrower.get(task, ()))
    note = f"{overview.held(task)}; {plural(overview.results_below(task), 'result')}"
    if narrower and depth == MAX_DEPTH:
        return TaskNode(link, f"{note}; its page has the narrower tasks", ())
    return TaskNode(link, note, tuple(_below(overview, task, name, depth + 1) for name in narrower))


def _below(overview: Overview, parent: str, task: str, depth: int) -> TaskNode:
    """A task below a broader one: with all below it under the first of these only, else the tree could grow as 2^n."""
    if parent == overview.broader(task)[0] or task not in overview.narrower:
        return _node(overview, task, depth)
    return TaskNode(overview.link("tasks", task), "", ())


def _metric_words(metric: Row) -> str:
    """The label of a metric; of the primary one also its recorded unit and direction, and whether that is disputed."""
    if not metric["primary"] or metric["direction_recorded"] == "unknown":
        return str(metric["label"])
    disputed = ", disputed by its cited definition" if metric["direction_conflict"] else ""
    direction = words.DIRECTION[metric["direction_recorded"]].lower()
    return f"{metric['label']} ({unit_words(metric)}; {direction} as recorded{disputed})"
