"""Page contexts of tasks, datasets, metrics, methods and sources, and the lists of them."""

from collections.abc import Iterator
from dataclasses import replace

from sotakit.catalog import Catalog
from sotakit.publish import urls, words
from sotakit.publish.contexts import Appearance, EntityPage, External, Link, ListingPage, Notice, Value
from sotakit.publish.wording import benchmark_link, entity_link, external, plural, source_link, unit_words, value_of
from sotakit.tables import Row

Part = str | Link | External
Facts = list[tuple[str, tuple[Part, ...]]]


def entity_pages(catalog: Catalog) -> Iterator[EntityPage]:
    """The page of every task, dataset, metric, method and source."""
    for table, build in _BUILDERS.items():
        for row in catalog.tables[table].values():
            yield build(catalog, row)


def listing_pages(catalog: Catalog) -> Iterator[ListingPage]:
    """One list of pages for each kind."""
    benchmarks = sorted(catalog.boards.values(), key=lambda board: str(board.benchmark["title"]).casefold())
    entries = tuple(
        (benchmark_link(catalog, board.benchmark["id"]), plural(len(board.results), "result")) for board in benchmarks
    )
    yield _listing("sota", entries)
    for table, folder in urls.ENTITY_FOLDERS.items():
        rows = sorted(catalog.tables[table].values(), key=lambda row: _title(table, row).casefold())
        links = (Link(_title(table, row), urls.entity(table, row["id"])) for row in rows)
        yield _listing(
            folder, tuple((link, _entry_note(catalog, table, row)) for link, row in zip(links, rows, strict=True))
        )


def _listing(folder: str, entries: tuple[tuple[Link, str], ...]) -> ListingPage:
    title = words.KIND_TITLES[folder]
    return ListingPage(urls.listing(folder), title, f"{title} in this collection.", (), entries)


def _title(table: str, row: Row) -> str:
    return str(row["title"] or row["id"]) if table == "sources" else str(row["name"])


def _entry_note(catalog: Catalog, table: str, row: Row) -> str:
    if table == "methods":
        return plural(len(catalog.by_method.get(row["id"], ())), "result")
    if table == "sources":
        return plural(len(catalog.by_source.get(row["id"], ())), "result")
    if table == "metrics":
        return words.DIRECTION[row["direction"]]
    key = "task" if table == "tasks" else "dataset"
    return plural(sum(board.benchmark[key] == row["id"] for board in catalog.boards.values()), "benchmark")


def _task(catalog: Catalog, row: Row) -> EntityPage:
    children = [task for task in catalog.tables["tasks"].values() if row["id"] in task["parents"]]
    related = [
        ("Benchmarks", _boards(catalog, "task", row["id"])),
        ("Narrower tasks", tuple(entity_link(catalog, "tasks", task["id"]) for task in children)),
    ]
    parents = tuple(entity_link(catalog, "tasks", name) for name in row["parents"])
    return _page("tasks", row, [("Broader tasks", parents)], related=related)


def _dataset(catalog: Catalog, row: Row) -> EntityPage:
    facts: Facts = [
        ("Version", _maybe(row["version"])),
        ("Home page", _address(row["homepage"])),
        ("Licence", _maybe(row["licence"])),
        ("Introduced by", _source(catalog, row["paper"])),
        ("Hub id", _maybe(row["hub"])),
        ("Croissant", _address(row["croissant"])),
        ("Released", _maybe(row["released"])),
    ]
    return _page("datasets", row, facts, related=[("Benchmarks", _boards(catalog, "dataset", row["id"]))])


def _metric(catalog: Catalog, row: Row) -> EntityPage:
    lower = "…" if row["min"] is None else row["min"]
    upper = "…" if row["max"] is None else row["max"]
    bounds = f"{lower} to {upper}" if row["min"] or row["max"] else words.NOT_RECORDED
    unit = words.NOT_RECORDED if row["unit"] == "unknown" else row["unit"]
    using = [
        (board, metric)
        for board in catalog.boards.values()
        for metric in board.metrics
        if metric["metric"] == row["id"]
    ]
    disputed = tuple(
        benchmark_link(catalog, board.benchmark["id"]) for board, metric in using if metric["direction_conflict"]
    )
    direction = words.DIRECTION[row["direction"]]
    notices = []
    if disputed:
        text = (
            f"{direction} according to the citations below; these benchmarks record the opposite. "
            "Their pages keep the recorded order and give both ranks."
        )
        notices.append(Notice("direction", "Direction disputed", text, disputed))
    facts: Facts = [("Direction, as cited", (direction,)), ("Unit", (unit,)), ("Bounds", (bounds,))]
    citations = tuple(
        (source_link(catalog, citation["source"]), _note(purpose, citation))
        for purpose, name in (("Direction", "direction_source"), ("Definition", "reference"))
        for citation in row[name]
    )
    boards = tuple(
        Link(f"{board.benchmark['title']}: {metric['label']}", urls.metric_view(board.benchmark["id"], metric["key"]))
        for board, metric in using
    )
    page = _page("metrics", row, facts, related=[("Benchmarks that use it", boards)])
    return replace(page, description=row["definition"] or "", notices=tuple(notices), citations=citations)


def _method(catalog: Catalog, row: Row) -> EntityPage:
    facts: Facts = [
        ("Kind", (row["kind"],)),
        ("Introduced by", _source(catalog, row["origin"])),
        ("Code", tuple(External(url, url) for url in row["code"])),
        ("Parameters", _maybe(row["parameters"])),
        ("Organisation", _maybe(row["organisation"])),
        ("Released", _maybe(row["released"])),
    ]
    page = _page("methods", row, facts)
    return replace(page, appearances=_appearances(catalog, catalog.by_method.get(row["id"], [])))


def _source_page(catalog: Catalog, row: Row) -> EntityPage:
    document = external(row)
    via = row["recorded_via"]
    facts: Facts = [
        ("Type", (row["type"].replace("_", " "),)),
        ("Authors", _maybe(", ".join(row["authors"]))),
        ("Date", _maybe(row["date"])),
        ("Venue", _maybe(row["venue"])),
        ("Address", (document,) if document else ()),
        ("arXiv", _maybe(row["arxiv"])),
        ("DOI", _maybe(row["doi"])),
        ("Recorded through", (External(via["name"], via["url"]) if via.get("url") else via["name"],) if via else ()),
        ("Terms of the data", _maybe(row["licence"] or via.get("licence"))),
        ("Notes", _maybe(row["notes"])),
    ]
    introduced = tuple(
        entity_link(catalog, "methods", method["id"])
        for method in catalog.tables["methods"].values()
        if method["origin"] == row["id"]
    )
    notices = []
    if row["retracted"]:
        notices.append(Notice("retracted", "Retracted", "This document is recorded as retracted."))
    page = _page("sources", row, facts, related=[("Methods introduced here", introduced)])
    appearances = _appearances(catalog, catalog.by_source.get(row["id"], []))
    return replace(page, notices=tuple(notices), appearances=appearances)


def _page(table: str, row: Row, facts: Facts, related: list[tuple[str, tuple[Link, ...]]] | None = None) -> EntityPage:
    folder = urls.ENTITY_FOLDERS[table]
    named: Facts = [("Also called", _maybe(", ".join(row.get("aliases") or ()))), ("Identifier", (row["id"],))]
    return EntityPage(
        address=urls.entity(table, row["id"]),
        title=_title(table, row),
        description=row.get("description") or "",
        crumbs=(Link(words.KIND_TITLES[folder], urls.listing(folder)),),
        kind=folder,
        id=row["id"],
        facts=tuple((label, parts or (words.NOT_RECORDED,)) for label, parts in [*facts, *named]),
        notices=(),
        citations=(),
        appearances=(),
        related=tuple((title, links) for title, links in related or () if links),
        raw=row,
    )


def _appearances(catalog: Catalog, results: list[Row]) -> tuple[Appearance, ...]:
    """Every score of some results, with its rank on its board; recorded ones first."""
    found = []
    for result in sorted(results, key=lambda row: (row["origin"] == "regenerated", row["benchmark"], row["id"])):
        board = catalog.boards[result["benchmark"]]
        for metric in board.metrics:
            score = result["scores"].get(metric["key"])
            if score is None:
                continue
            value = value_of(metric, score)
            found.append(
                Appearance(
                    benchmark=benchmark_link(catalog, result["benchmark"]),
                    method=entity_link(catalog, "methods", result["method"]),
                    source=source_link(catalog, result["source"]),
                    label=result["method_label"],
                    metric=f"{metric['label']} ({unit_words(metric)})",
                    value=value,
                    rank=_rank_words(metric, value, regenerated=result["origin"] == "regenerated"),
                    config=result["config"],
                    id=result["id"],
                    duplicate=result["duplicate_of"] is not None,
                    origin=result["origin"],
                )
            )
    return tuple(found)


def _rank_words(metric: Row, value: Value, *, regenerated: bool) -> str:
    """The rank on the board; regenerated results have one among themselves only, by the cited direction if known."""
    rank, cited = value.rank, value.rank_cited
    if regenerated:
        among = cited or rank
        return f"{among} among runs" if among else "Not ranked"
    if metric["direction_conflict"] and rank and cited:
        return f"{rank} as recorded, {cited} as cited"
    return str(rank) if rank else "Not ranked"


def _boards(catalog: Catalog, column: str, identifier: str) -> tuple[Link, ...]:
    found = (board.benchmark for board in catalog.boards.values() if board.benchmark[column] == identifier)
    return tuple(benchmark_link(catalog, benchmark["id"]) for benchmark in found)


def _maybe(text: str | None) -> tuple[str, ...]:
    return (text,) if text else ()


def _address(url: str | None) -> tuple[External, ...]:
    return (External(url, url),) if url else ()


def _source(catalog: Catalog, identifier: str | None) -> tuple[Link, ...]:
    return (source_link(catalog, identifier),) if identifier else ()


def _note(purpose: str, citation: Row) -> str:
    place = f" ({citation['locator']})" if citation.get("locator") else ""
    return f"{purpose}{place}. {citation.get('note', '')}".strip()


_BUILDERS = {"tasks": _task, "datasets": _dataset, "metrics": _metric, "methods": _method, "sources": _source_page}
