"""Page contexts of tasks, datasets, metrics, methods and sources, and the lists of them."""

from collections.abc import Callable, Iterator
from typing import Any

from sotakit.compiled import Row
from sotakit.publish import urls, words
from sotakit.publish.appearances import appearances
from sotakit.publish.contexts import Notice
from sotakit.publish.corrections import event_words
from sotakit.publish.entity_contexts import (
    BoardsPage,
    EntityPage,
    ListingPage,
    MetricPage,
    MetricUse,
    SourcePage,
)
from sotakit.publish.overview import Overview, metric_address
from sotakit.publish.rows import External, Link
from sotakit.publish.wording import external, is_uncited, plural, unit_words
from sotakit.settings import settings_json

Part = str | Link | External
Facts = list[tuple[str, tuple[Part, ...]]]


def entity_pages(overview: Overview, tables: tuple[str, ...] = tuple(urls.ENTITY_FOLDERS)) -> Iterator[EntityPage]:
    """The page of every row of some tables; of every task, dataset, metric, method and source if none are named."""
    for table in tables:
        for row in overview.catalog.tables[table].values():
            yield entity_page(overview, table, row)


def entity_page(overview: Overview, table: str, row: Row) -> EntityPage:
    """The page of one row."""
    return _BUILDERS[table](overview, row)


def listing_pages(overview: Overview) -> Iterator[ListingPage]:
    """One list of pages for each kind."""
    boards = sorted(overview.catalog.boards.values(), key=lambda board: str(board.benchmark["title"]).casefold())
    entries = (
        (overview.link("benchmarks", board.benchmark["id"]), board.facts.recorded + board.facts.runs)
        for board in boards
    )
    yield _listing("sota", tuple((link, plural(count, "result")) for link, count in entries))
    for table, folder in urls.ENTITY_FOLDERS.items():
        rows = sorted(overview.catalog.tables[table].values(), key=lambda row: _title(table, row).casefold())
        links = (Link(_title(table, row), urls.entity(table, row["id"])) for row in rows)
        notes = (_note(overview, table, row) for row in rows)
        yield _listing(folder, tuple(zip(links, notes, strict=True)))


def _listing(folder: str, entries: tuple[tuple[Link, str], ...]) -> ListingPage:
    title = words.KIND_TITLES[folder]
    return ListingPage(urls.listing(folder), title, f"{title} in this collection.", (), entries)


def _title(table: str, row: Row) -> str:
    return str(row["title"] or row["id"]) if table == "sources" else str(row["name"])


def _note(overview: Overview, table: str, row: Row) -> str:
    """What a list says behind the name of an entity."""
    identifier = row["id"]
    match table:
        case "methods":
            return plural(len(overview.catalog.by_method.get(identifier, ())), "result")
        case "sources":
            return plural(len(overview.catalog.by_source.get(identifier, ())), "result")
        case "metrics":
            return words.DIRECTION[row["direction"]] + (", without a citation" if is_uncited(row) else "")
        case "tasks":
            return overview.held(identifier)
    return plural(len(overview.by_dataset.get(identifier, ())), "benchmark")


def _task(overview: Overview, row: Row) -> EntityPage:
    parents = tuple(overview.link("tasks", name) for name in overview.broader(row["id"]))
    boards = overview.lines(overview.by_task.get(row["id"], ()))
    narrower = ((overview.link("tasks", task), overview.held(task)) for task in overview.narrower.get(row["id"], ()))
    return BoardsPage(
        **_common("tasks", row, [("Broader tasks", parents), ("Holds", (overview.held(row["id"]),))]),
        boards=boards,
        narrower=tuple(sorted(narrower, key=lambda item: item[0].text.casefold())),
    )


def _dataset(overview: Overview, row: Row) -> EntityPage:
    facts: Facts = [
        ("Version", _maybe(row["version"])),
        ("Home page", _address(row["homepage"])),
        ("Licence", _maybe(row["licence"])),
        ("Introduced by", _source(overview, row["paper"])),
        ("Hub id", _maybe(row["hub"])),
        ("Croissant", _address(row["croissant"])),
        ("Released", _maybe(row["released"])),
    ]
    boards = overview.lines(overview.by_dataset.get(row["id"], ()))
    return BoardsPage(**_common("datasets", row, facts), boards=boards)


def _metric(overview: Overview, row: Row) -> EntityPage:
    lower, upper = ("…" if row[end] is None else row[end] for end in ("min", "max"))
    bounds = f"{lower} to {upper}" if row["min"] or row["max"] else ""
    unit = "" if row["unit"] == "unknown" else row["unit"]
    direction = words.DIRECTION[row["direction"]]
    facts: Facts = [(_direction_label(row), (direction,)), ("Unit", _maybe(unit)), ("Bounds", _maybe(bounds))]
    if row["parameters"]:
        facts.append(("Parameters", tuple(f"{key}: {value}" for key, value in row["parameters"].items())))
    if row["share_of_items"]:
        facts.append(("Share of items", (words.SHARE_OF_ITEMS,)))
    uses = tuple(
        MetricUse(
            Link(board.benchmark["title"], metric_address(board, metric)),
            metric["label"],
            words.DIRECTION[metric["direction_recorded"]],
            words.ARROW[metric["direction_recorded"]],
            unit_words(metric),
            metric["direction_conflict"],
            board.facts.values.get(metric["key"], 0),
        )
        for board, metric in overview.uses.get(row["id"], ())
    )
    common = _common("metrics", row, facts) | {
        "description": row["definition"] or "",
        "notices": (*_uncited_notices(row), *_direction_notices(direction, uses)),
        "citations": _citations(overview, row),
    }
    return MetricPage(**common, uses=uses)


def _direction_label(row: Row) -> str:
    """What the direction of a metric rests on."""
    if row["direction_source"]:
        return "Direction, as cited"
    return "Direction, as this registry's record of the metric says" if is_uncited(row) else "Direction"


def _uncited_notices(row: Row) -> tuple[Notice, ...]:
    if not is_uncited(row):
        return ()
    text = f"It stands as this registry's record of the metric says; {words.NO_CITATION}, so nothing is ranked by it."
    return (Notice("uncited", "Direction without a citation", text),)


def _direction_notices(direction: str, uses: tuple[MetricUse, ...]) -> tuple[Notice, ...]:
    conflicts = sum(use.conflict for use in uses)
    if not conflicts:
        return ()
    which = "one benchmark records" if conflicts == 1 else f"{conflicts:,} benchmarks record"
    text = (
        f"{direction} according to the citations below, but {which} the opposite. The table marks it; the pages of "
        "the benchmarks keep the recorded order and give both ranks."
    )
    return (Notice("direction", "Direction disputed", text),)


def _citations(overview: Overview, row: Row) -> tuple[tuple[Link, str], ...]:
    return tuple(
        (overview.link("sources", citation["source"]), _citation_words(purpose, citation))
        for purpose, name in (("Direction", "direction_source"), ("Definition", "reference"))
        for citation in row[name]
    )


def _citation_words(purpose: str, citation: Row) -> str:
    place = f" ({citation['locator']})" if citation.get("locator") else ""
    return f"{purpose}{place}. {citation.get('note', '')}".strip()


def _method(overview: Overview, row: Row) -> EntityPage:
    facts: Facts = [
        ("Kind", (row["kind"],)),
        ("Introduced by", _source(overview, row["origin"])),
        ("Code", tuple(External(url, url) for url in row["code"])),
        ("Parameters", _maybe(row["parameters"])),
        ("Organisation", _maybe(row["organisation"])),
        ("Released", _maybe(row["released"])),
    ]
    return EntityPage(**_common("methods", row, facts) | {"appearances": appearances(overview, "method", row["id"])})


def _source_page(overview: Overview, row: Row) -> EntityPage:
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
        ("Terms of the data", _maybe(row["licence"])),
        ("Notes", _maybe(row["notes"])),
        *_stated([("OpenReview", _maybe(row["openreview"]))]),
        *_stated(_archive_facts(via, row["imported"])),
        *_stated([("Run", _maybe(settings_json(row["run"]) if row["run"] else None))]),
    ]
    introduced = tuple(overview.link("methods", method) for method in overview.introduced.get(row["id"], ()))
    common = _common("sources", row, facts, [("Methods introduced here", introduced)])
    common["notices"] = _source_notices(overview, row)
    common["appearances"] = appearances(overview, "source", row["id"])
    return SourcePage(**common, bibtex=overview.source(row["id"]).bibtex)


def _archive_facts(via: Row, imported: Row) -> Facts:
    """What is recorded of the page or archive that the numbers were read in, and of their import."""
    made = "{importer} {importer_version}, from {file}, SHA-256 {sha256}".format_map(imported) if imported else None
    return [
        ("Version of the archive", _maybe(via.get("version"))),
        ("Read there", _maybe(via.get("retrieved"))),
        ("Terms of the archive", _maybe(via.get("licence"))),
        ("Imported by", _maybe(made)),
    ]


def _stated(facts: Facts) -> Facts:
    """Only the facts that are recorded: most records have none of them, and nobody misses them there."""
    return [(label, parts) for label, parts in facts if parts]


def _source_notices(overview: Overview, row: Row) -> tuple[Notice, ...]:
    """That the document is retracted, and every event that happened to it."""
    told = " ".join(event_words(event) for event in overview.events.get(row["id"], ()))
    if row["retracted"]:
        text = "This document is recorded as retracted; its results stay as they were recorded, but have no rank."
        return (Notice("retracted", "Retracted", f"{text} {told}".strip()),)
    return (Notice("events", "Changed since it was recorded", told),) if told else ()


def _common(
    table: str, row: Row, facts: Facts, related: list[tuple[str, tuple[Link, ...]]] | None = None
) -> dict[str, Any]:
    """The fields that all kinds of entities share."""
    folder = urls.ENTITY_FOLDERS[table]
    named: Facts = [("Also called", _maybe(", ".join(row.get("aliases") or ()))), ("Identifier", (row["id"],))]
    return {
        "address": urls.entity(table, row["id"]),
        "title": _title(table, row),
        "description": row.get("description") or "",
        "crumbs": (Link(words.KIND_TITLES[folder], urls.listing(folder)),),
        "kind": folder,
        "id": row["id"],
        "facts": _recorded([*facts, *named]),
        "notices": (),
        "citations": (),
        "appearances": (),
        "related": tuple((title, links) for title, links in related or () if links),
        "raw": row,
    }


def _recorded(facts: Facts) -> tuple[tuple[str, tuple[Part, ...]], ...]:
    """What is recorded, each fact by its label, and at the end the labels of what is not."""
    missing = ", ".join(label for label, parts in facts if not parts)
    known = [(label, parts) for label, parts in facts if parts]
    return (*known, (words.NOT_RECORDED, (missing,))) if missing else tuple(known)


def _maybe(text: str | None) -> tuple[str, ...]:
    return (text,) if text else ()


def _address(url: str | None) -> tuple[External, ...]:
    return (External(url, url),) if url else ()


def _source(overview: Overview, identifier: str | None) -> tuple[Link, ...]:
    return (overview.link("sources", identifier),) if identifier else ()


_BUILDERS: dict[str, Callable[[Overview, Row], EntityPage]] = {
    "tasks": _task,
    "datasets": _dataset,
    "metrics": _metric,
    "methods": _method,
    "sources": _source_page,
}
