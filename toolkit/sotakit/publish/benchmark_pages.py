"""Page contexts of benchmarks: the board by its primary metric and, where it has several, a view by each of them."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sotakit.catalog import Board, Catalog
from sotakit.compiled import Row
from sotakit.publish import urls, words
from sotakit.publish.bibtex import told_apart
from sotakit.publish.board_order import gap_words, grouped, ordered, placed
from sotakit.publish.board_rows import Results, results_of
from sotakit.publish.contexts import BenchmarkPage, Best, Download, MetricLine, Notice, RunnerUp
from sotakit.publish.overview import Overview, metric_address
from sotakit.publish.rows import External, Link, ResultRow
from sotakit.publish.run_tables import run_table
from sotakit.publish.sheet import benchmark_csv
from sotakit.publish.wording import is_uncited, plural, unit_words
from sotakit.ranking import RANKED, conflict
from sotakit.settings import settings_json

_SCOPE = {
    "Split": "split",
    "Subset": "subset",
    "Language": "language",
    "Version of the protocol": "protocol_version",
    "Evaluated items": "n_items",
}
"""Fields of a benchmark by the labels that pages give them."""

SHOWN_PAIRS = 6
"""Probable duplicates that a notice names; the rows carry a mark in any case."""


def benchmark_pages(overview: Overview, boards: Sequence[Board]) -> Iterator[Iterator[BenchmarkPage]]:
    """The pages of some benchmarks, whose rows are made together."""
    for board, results in zip(boards, results_of(overview, boards), strict=True):
        yield _pages(overview, board, results)


def _pages(overview: Overview, board: Board, results: Results) -> Iterator[BenchmarkPage]:
    """The page of a benchmark and, where it has several metrics, a view by each of them."""
    main = _page(overview, board, board.primary, results)
    main = replace(main, citations=_citations(overview, results), table=_table(main))
    yield main
    for metric in board.metrics:
        address = metric_address(board, metric)
        if address != main.address:
            same = metric is board.primary
            view = main if same else _page(overview, board, metric, results)
            title = f"{main.title}: {metric['label']}"
            view = replace(view, address=address, title=title, is_main=False)
            yield replace(view, citations=main.citations, table=main.table)


def _page(overview: Overview, board: Board, metric: Row, results: Results) -> BenchmarkPage:
    catalog, (columns, run_columns) = overview.catalog, results.columns
    benchmark = board.benchmark
    identifier = benchmark["id"]
    recorded = ordered([row for row in results.rows if row.origin != "regenerated"], metric, "rank")
    letters, groups = grouped(recorded)
    rows = placed(recorded, metric, "rank", letters)
    by = "rank" if metric["direction_cited"] == "unknown" else "rank_cited"
    runs = ordered([row for row in results.rows if row.origin == "regenerated"], metric, by)
    regenerated = placed(runs, metric, by)
    lines = _metric_lines(overview, board, results, metric["key"])
    task = overview.link("tasks", benchmark["task"])
    return BenchmarkPage(
        address=urls.benchmark(identifier),
        title=benchmark["title"],
        description=benchmark["description"] or "",
        crumbs=(Link("Tasks", urls.listing("task")), task),
        id=identifier,
        is_main=True,
        main=Link(benchmark["title"], urls.benchmark(identifier)),
        source=_recorded_via(overview, results),
        updated=benchmark["updated_at"] or words.NOT_RECORDED,
        task=task,
        dataset=overview.link("datasets", benchmark["dataset"]),
        dataset_label=benchmark["dataset_label"] or _dataset_label(catalog, benchmark),
        protocol=benchmark["protocol"] or "",
        scope=tuple(_scope(board)),
        metric=next(line for line in lines if line.current),
        metrics=lines,
        best=_best(rows, metric),
        no_best=_no_best(rows, metric),
        notices=_notices(overview, results, metric),
        columns=columns.shown,
        more_columns=columns.more,
        constants=columns.constants,
        groups=groups,
        rows=rows,
        regenerated=regenerated,
        runs=run_table(catalog, board, regenerated, lines, run_columns.shown),
        distinct=len({row.claim for row in rows}),
        fallen=sum(not row.stands for row in rows),
        transcription=tuple(Counter([words.TRANSCRIPTION[row.transcription] for row in rows]).most_common()),
        papers=len({row.source_id for row in rows}),
        total=len(rows),
    )


def _scope(board: Board) -> Iterator[tuple[str, str]]:
    """What the record of the benchmark states beside its task, its dataset, its protocol and its metrics' names."""
    for label, name in _SCOPE.items():
        if stated := board.benchmark[name]:
            yield label, f"{stated:,}" if isinstance(stated, int) else stated
    if unknowns := board.benchmark["unknowns"]:
        yield "Not known of the protocol", "; ".join(unknowns)
    for metric in board.metrics:
        if metric["parameters"]:
            yield f"Parameters of {metric['label']}", settings_json(metric["parameters"])
        if metric["unit_recorded"] and metric["unit"] not in ("unknown", metric["unit_recorded"].casefold()):
            yield f"Unit of {metric['label']}", f"{metric['unit']}, printed as {metric['unit_recorded']}"


def _metric_lines(overview: Overview, board: Board, results: Results, current: str) -> tuple[MetricLine, ...]:
    counts = Counter([value.key for row in results.rows for value in row.values if value.number is not None])
    return tuple([_metric_line(overview, board, metric, current, counts[metric["key"]]) for metric in board.metrics])


def _metric_line(overview: Overview, board: Board, metric: Row, current: str, values: int) -> MetricLine:
    known, key = metric["metric"], metric["key"]
    row = overview.catalog.get("metrics", known)
    return MetricLine(
        key=key,
        label=metric["label"],
        to=metric_address(board, metric),
        metric=overview.link("metrics", known) if known else None,
        unit=unit_words(metric),
        direction_recorded=metric["direction_recorded"],
        direction=words.DIRECTION[metric["direction_recorded"]],
        arrow=words.ARROW[metric["direction_recorded"]],
        cited=words.DIRECTION[metric["direction_cited"]],
        cited_arrow=words.ARROW[metric["direction_cited"]],
        uncited=words.DIRECTION[row["direction"]] if row and is_uncited(row) else "",
        conflict=metric["direction_conflict"],
        current=key == current,
        added=metric["added"],
        primary=metric["primary"],
        values=values,
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
        tied = len({row.claim for row in leading} - {first.claim})
        chosen.append(
            Best(
                direction=name if metric["direction_conflict"] else "",
                words=words.DIRECTION[direction].lower(),
                value=first.value.shown if first.value else "",
                method=first.label,
                settings=first.settings,
                tied=tied,
                result=first.id,
                date=first.date,
                source=first.source,
                runner_up=None if tied or metric["direction_conflict"] else _runner_up(rows, first),
            )
        )
    return tuple(chosen)


def _runner_up(rows: tuple[ResultRow, ...], first: ResultRow) -> RunnerUp | None:
    """The best row of another method, with its distance."""
    ranked = (row for row in rows if row.value and row.value.rank and row.method_id != first.method_id)
    row = next(ranked, None)
    if row is None or row.value is None or first.value is None:
        return None
    gap = gap_words(row.value.decimal or "0", first.value.decimal or "0")
    settings = "" if row.folded == first.folded else row.settings or "no settings recorded"
    return RunnerUp(row.label, row.value.shown, gap.lstrip("+−"), settings)


def _citations(overview: Overview, results: Results) -> tuple[tuple[str, str], ...]:
    """Every source that reports to the board, in the order of its file; never our own runs."""
    names = dict.fromkeys([row.source_id for row in results.rows if row.origin != "regenerated"])
    return tuple(told_apart({name: overview.source(name).bibtex for name in names}).items())


def _table(page: BenchmarkPage) -> Download:
    text = benchmark_csv(page)
    raw = text.encode()
    return Download(page.address.json.replace(".json", ".csv"), len(raw), hashlib.sha256(raw).hexdigest(), text)


def _no_best(rows: tuple[ResultRow, ...], metric: Row) -> str:
    """Why no row can be called the best, for pages without one."""
    valued = [row for row in rows if row.value and row.value.number is not None]
    if not valued:
        return words.NO_VALUE
    standing = [row.value for row in valued if row.stands and row.value]
    if not standing:
        return words.NONE_STANDS
    if all(value.printed.bound for value in standing):
        return words.ONLY_BOUNDS
    if metric["direction_recorded"] == "unknown":
        return words.NO_DIRECTION
    return words.NOT_ONE_UNIT if metric["direction_recorded"] in RANKED else words.NO_ORDER


def _notices(overview: Overview, results: Results, metric: Row) -> tuple[Notice, ...]:
    notices = []
    if metric["direction_conflict"]:
        notices.append(_direction_notice(overview, metric))
    known = overview.catalog.get("metrics", metric["metric"])
    if known and is_uncited(known) and conflict(metric["direction_recorded"], known["direction"]):
        notices.append(_uncited_notice(overview, metric, known))
    fallen = [row for row in results.rows if not row.stands]
    if fallen:
        notices.append(Notice("fallen", f"{plural(len(fallen), 'result')} no longer standing", words.FALLEN))
    if any(row.duplicate_of for row in results.rows):
        notices.append(_duplicate_notice(results.rows))
    return tuple(notices)


def _direction_notice(overview: Overview, metric: Row) -> Notice:
    known = overview.catalog.row("metrics", metric["metric"])
    citations = tuple(overview.link("sources", citation["source"]) for citation in known["direction_source"])
    cited_by = "; ".join(link.text for link in citations) or "nobody is named"
    recorded, cited = (words.DIRECTION[metric[name]].lower() for name in ("direction_recorded", "direction_cited"))
    text = (
        f"The source records “{recorded}” for {metric['label']}. By the definition of {known['name']}, {cited} "
        f"({cited_by}). The table keeps the recorded order and gives both ranks."
    )
    return Notice("direction", "Direction disputed", text, (overview.link("metrics", known["id"]), *citations))


def _uncited_notice(overview: Overview, metric: Row, known: Row) -> Notice:
    recorded, said = (
        words.DIRECTION[row[name]].lower() for row, name in ((metric, "direction_recorded"), (known, "direction"))
    )
    text = (
        f"The source records “{recorded}” for {metric['label']}; {words.BY_RECORD} “{said}”, but no published source "
        "is cited for that. The table keeps the recorded order."
    )
    return Notice("direction", "Direction in doubt", text, (overview.link("metrics", known["id"]),))


def _duplicate_notice(rows: Sequence[ResultRow]) -> Notice:
    settings = {row.id: row.settings for row in rows}
    duplicates = [row for row in rows if row.duplicate_of]
    methods: dict[str, list[str]] = defaultdict(list)
    for row in duplicates:
        methods[f"({row.settings} / {settings[row.duplicate_of or '']})"].append(row.label)
    pairs = [f"{', '.join(dict.fromkeys(names))} {pair}" for pair, names in methods.items()]
    more = len(pairs) - SHOWN_PAIRS
    listed = "; ".join(pairs[:SHOWN_PAIRS]) + (f"; and {more:,} more" if more > 0 else "")
    text = (
        f"Same source, method and values; the configurations differ only in the names of their keys: {listed}. "
        "All rows are shown and marked; ranks and summaries count each claim once."
    )
    return Notice("duplicates", plural(len(duplicates), "probable duplicate"), text)


def _recorded_via(overview: Overview, results: Results) -> External | None:
    """The aggregator page that most of the board was copied from, if all its sources name the same one."""
    pages = {overview.source(name).via for name in {row.source_id for row in results.rows}} - {None}
    return pages.pop() if len(pages) == 1 else None


def _dataset_label(catalog: Catalog, benchmark: Row) -> str:
    name = catalog.row("datasets", benchmark["dataset"])["name"]
    parts = [part for part in (benchmark["subset"], benchmark["split"]) if part]
    return f"{name} ({', '.join(parts)})" if parts else str(name)
