"""Page contexts of benchmarks: the board by its primary metric, and a view by each other metric."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from sotakit.catalog import Board, Catalog
from sotakit.publish import urls, words
from sotakit.publish.contexts import BenchmarkPage, Best, External, Link, MetricLine, Notice, ResultRow
from sotakit.publish.run_tables import run_table
from sotakit.publish.wording import (
    entity_link,
    locator_words,
    plural,
    setting,
    settings_words,
    source_link,
    trust_words,
    unit_words,
    value_of,
)
from sotakit.ranking import RANKED, in_order
from sotakit.tables import Row

MAX_COLUMNS = 8
"""Settings with a column of their own, the most frequent ones; every row's details show all of them."""

SHOWN_PAIRS = 6
"""Probable duplicates that a notice names; the rows carry a mark in any case."""

_BADGES = {"regenerated": "run here", "imported": "imported"}


def benchmark_pages(catalog: Catalog, board: Board) -> Iterator[BenchmarkPage]:
    """The page of a benchmark, then a view by each of its metrics."""
    rows = _all_rows(catalog, board)
    main = _page(catalog, board, board.primary, rows)
    yield main
    for metric in board.metrics:
        view = _page(catalog, board, metric, rows)
        title = f"{main.title}: {metric['label']}"
        yield replace(view, address=urls.metric_view(main.id, metric["key"]), title=title, is_main=False)


def _page(catalog: Catalog, board: Board, metric: Row, all_rows: list[ResultRow]) -> BenchmarkPage:
    benchmark = board.benchmark
    identifier = benchmark["id"]
    recorded = _ordered([row for row in all_rows if row.origin != "regenerated"], metric["key"], "rank")
    by = "rank" if metric["direction_cited"] == "unknown" else "rank_cited"
    regenerated = _ordered([row for row in all_rows if row.origin == "regenerated"], metric["key"], by)
    columns, constants = _columns(board, runs=False)
    lines = tuple(_metric_line(catalog, board, line, metric["key"]) for line in board.metrics)
    task = entity_link(catalog, "tasks", benchmark["task"])
    return BenchmarkPage(
        address=urls.benchmark(identifier),
        title=benchmark["title"],
        description=benchmark["description"] or "",
        crumbs=(Link("Tasks", urls.listing("task")), task),
        id=identifier,
        is_main=True,
        main=Link(benchmark["title"], urls.benchmark(identifier)),
        source=_recorded_via(catalog, board),
        updated=benchmark["updated_at"] or words.NOT_RECORDED,
        task=task,
        dataset=entity_link(catalog, "datasets", benchmark["dataset"]),
        dataset_label=benchmark["dataset_label"] or _dataset_label(catalog, benchmark),
        protocol=benchmark["protocol"] or "",
        metric=next(line for line in lines if line.current),
        metrics=lines,
        best=_best(recorded, metric),
        no_best=_no_best(recorded, metric),
        notices=_notices(catalog, board, metric),
        columns=columns,
        constants=constants,
        rows=recorded,
        regenerated=regenerated,
        runs=run_table(catalog, board, regenerated, lines, _columns(board, runs=True)[0]),
        distinct=sum(row.duplicate_of is None for row in recorded),
        papers=len({row.source.to for row in recorded}),
        total=len(recorded),
    )


def _all_rows(catalog: Catalog, board: Board) -> list[ResultRow]:
    columns = {runs: _columns(board, runs=runs)[0] for runs in (False, True)}
    return [_row(catalog, board, result, columns[result["origin"] == "regenerated"]) for result in board.results]


def _row(catalog: Catalog, board: Board, result: Row, columns: tuple[str, ...]) -> ResultRow:
    scores = result["scores"]
    method = catalog.row("methods", result["method"])
    folded = result["group"]
    return ResultRow(
        id=result["id"],
        method=Link(method["name"], urls.entity("methods", method["id"])),
        label=result["method_label"],
        value=None,
        values=tuple(value_of(metric, scores[metric["key"]]) for metric in board.metrics if metric["key"] in scores),
        bar=0,
        date=result["date"] or words.NOT_RECORDED,
        source=source_link(catalog, result["source"]),
        source_type=catalog.row("sources", result["source"])["type"],
        origin_paper=source_link(catalog, method["origin"]) if method["origin"] else None,
        config=result["config"],
        columns=tuple(setting(folded[key]) if key in folded else words.NOT_RECORDED for key in columns),
        duplicate_of=result["duplicate_of"],
        origin=result["origin"],
        locator=locator_words(result["locator"]),
        trust=trust_words(result),
        badge=_BADGES.get(result["origin"], words.BADGE.get(result["evidence"], "reported")),
        command=catalog.row("sources", result["source"])["run"].get("command", ""),
        raw=result,
    )


def _ordered(rows: list[ResultRow], key: str, by: str) -> tuple[ResultRow, ...]:
    """Rows with the score of one metric in place, by one of its ranks, then by id; rows without a value last."""
    chosen = {
        row.id: replace(row, value=next((value for value in row.values if value.key == key), None)) for row in rows
    }
    rank = {row.id: found for row in chosen.values() if row.value and (found := getattr(row.value, by))}
    numbers = [abs(row.value.number) for row in chosen.values() if row.value and row.value.number is not None]
    largest = max(numbers, default=0) or 1
    return tuple(
        replace(row, bar=round(100 * abs(row.value.number) / largest))
        if (row := chosen[name]).value and row.value.number is not None
        else row
        for name in in_order(list(chosen), rank)
    )


def _columns(board: Board, *, runs: bool) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Folded configuration keys that vary between the recorded (or regenerated) rows, and those that do not."""
    groups = [result["group"] for result in board.results if (result["origin"] == "regenerated") == runs]
    keys = sorted({key for group in groups for key in group})
    values = {key: [setting(group[key]) if key in group else None for group in groups] for key in keys}
    varying = [key for key in keys if len(set(values[key])) > 1]
    constant = tuple((key, str(values[key][0])) for key in keys if len(set(values[key])) == 1)
    frequent = sorted(varying, key=lambda key: (sum(value is None for value in values[key]), key))[:MAX_COLUMNS]
    return tuple(sorted(frequent)), constant


def _metric_line(catalog: Catalog, board: Board, metric: Row, current: str) -> MetricLine:
    known = metric["metric"]
    return MetricLine(
        key=metric["key"],
        label=metric["label"],
        to=urls.metric_view(board.benchmark["id"], metric["key"]),
        metric=entity_link(catalog, "metrics", known) if known else None,
        unit=unit_words(metric),
        direction_recorded=metric["direction_recorded"],
        direction=words.DIRECTION[metric["direction_recorded"]],
        arrow=words.ARROW[metric["direction_recorded"]],
        cited=words.DIRECTION[metric["direction_cited"]],
        cited_arrow=words.ARROW[metric["direction_cited"]],
        conflict=metric["direction_conflict"],
        current=metric["key"] == current,
        added=metric["added"],
        values=sum(result["scores"].get(metric["key"], {}).get("value") is not None for result in board.results),
    )


def _best(rows: tuple[ResultRow, ...], metric: Row) -> tuple[Best, ...]:
    """The first row by the recorded direction and, where that is contradicted, by the cited one too."""
    recorded, cited = metric["direction_recorded"], metric["direction_cited"]
    chosen = []
    for name, direction, attribute in (("recorded", recorded, "rank"), ("cited", cited, "rank_cited")):
        leading = [row for row in rows if row.value and getattr(row.value, attribute) == 1]
        if not leading or (name == "cited" and not metric["direction_conflict"]):
            continue
        first = next((row for row in leading if row.duplicate_of is None), leading[0])
        tied = sum(row.duplicate_of is None for row in leading if row is not first)
        label = name if metric["direction_conflict"] else ""
        text = first.value.text if first.value else ""
        settings = settings_words(first.config)
        chosen.append(Best(label, words.DIRECTION[direction].lower(), text, first.label, settings, tied))
    return tuple(chosen)


def _no_best(rows: tuple[ResultRow, ...], metric: Row) -> str:
    """Why no row can be called the best, for pages without one."""
    if not any(row.value and row.value.number is not None for row in rows):
        return words.NO_VALUE
    if metric["direction_recorded"] == "unknown":
        return words.NO_DIRECTION
    return words.NOT_ONE_UNIT if metric["direction_recorded"] in RANKED else words.NO_ORDER


def _notices(catalog: Catalog, board: Board, metric: Row) -> tuple[Notice, ...]:
    notices = []
    if metric["direction_conflict"]:
        notices.append(_direction_notice(catalog, metric))
    duplicates = [result for result in board.results if result["duplicate_of"]]
    if duplicates:
        notices.append(_duplicate_notice(catalog, duplicates))
    return tuple(notices)


def _direction_notice(catalog: Catalog, metric: Row) -> Notice:
    known = catalog.row("metrics", metric["metric"])
    citations = tuple(source_link(catalog, citation["source"]) for citation in known["direction_source"])
    cited_by = "; ".join(link.text for link in citations) or "nobody is named"
    recorded, cited = (words.DIRECTION[metric[name]].lower() for name in ("direction_recorded", "direction_cited"))
    text = (
        f"The source records “{recorded}” for {metric['label']}. By the definition of {known['name']}, {cited} "
        f"({cited_by}). The table keeps the recorded order and gives both ranks."
    )
    return Notice("direction", "Direction disputed", text, (entity_link(catalog, "metrics", known["id"]), *citations))


def _duplicate_notice(catalog: Catalog, duplicates: list[Row]) -> Notice:
    methods: dict[str, list[str]] = defaultdict(list)
    for result in duplicates:
        first = catalog.row("results", result["duplicate_of"])
        pair = f"({settings_words(result['config'])} / {settings_words(first['config'])})"
        methods[pair].append(result["method_label"])
    pairs = [f"{', '.join(dict.fromkeys(names))} {pair}" for pair, names in methods.items()]
    more = len(pairs) - SHOWN_PAIRS
    listed = "; ".join(pairs[:SHOWN_PAIRS]) + (f"; and {more:,} more" if more > 0 else "")
    text = (
        f"Same source, method and values; the configurations differ only in the names of their keys: {listed}. "
        "All rows are shown and marked; summaries count each claim once."
    )
    return Notice("duplicates", plural(len(duplicates), "probable duplicate"), text)


def _recorded_via(catalog: Catalog, board: Board) -> External | None:
    """The aggregator page that most of the board was copied from, if all its sources name the same one."""
    pages = {
        (via["name"], via["url"])
        for via in (catalog.row("sources", result["source"])["recorded_via"] for result in board.results)
        if via.get("url")
    }
    return External(*pages.pop()) if len(pages) == 1 else None


def _dataset_label(catalog: Catalog, benchmark: Row) -> str:
    name = catalog.row("datasets", benchmark["dataset"])["name"]
    parts = [part for part in (benchmark["subset"], benchmark["split"]) if part]
    return f"{name} ({', '.join(parts)})" if parts else str(name)
