"""Atom feeds of new results and corrections: of the collection, of each task and of each benchmark.

Only with a base address. Times are recorded dates, never the time of building; what has no recorded date is left out
and counted. The id of an entry is made from the base address and the id of the result or event, so that it stays.
"""

import re
from collections.abc import Iterable, Iterator
from heapq import nlargest
from html import escape
from itertools import groupby
from typing import NamedTuple

from sotakit.catalog import Board
from sotakit.compiled import Row
from sotakit.publish import urls
from sotakit.publish.contexts import BenchmarkPage, Page, Site
from sotakit.publish.corrections import corrections
from sotakit.publish.entity_contexts import BoardsPage, Correction
from sotakit.publish.overview import Overview
from sotakit.publish.wording import plural, unit_words
from sotakit.settings import settings_words

MAX_ENTRIES = 100
"""Entries of one feed, the newest ones."""

COLLECTION = "feed.xml"
_TOGETHER = 256
"""Benchmarks whose rows are made in one go."""

_NEVER = "1970-01-01T00:00:00Z"
"""The time of a feed of the collection in which nothing is dated: Atom wants one."""

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class Item(NamedTuple):
    """One entry, ready to be written; sorts by time."""

    updated: str
    id: str
    title: str
    page: str
    summary: str
    author: str


def feed_files(overview: Overview, site: Site) -> Iterator[tuple[str, str]]:
    """Path and text of every feed; none without a base address."""
    if not site.base_url:
        return
    changes = _changes(overview)
    collected: list[Item] = []
    undated = 0
    for task, boards in groupby(_boards(overview), key=lambda board: str(board.benchmark["task"])):
        of_task: list[Item] = []
        for board in boards:
            name = board.benchmark["id"]
            results = list(_result_items(overview, board))
            undated += len(board.results) - len(results)
            items = _newest([*results, *changes.pop(name, ())])
            if has_feed(board):
                yield benchmark_feed(name), _feed(site, board.benchmark["title"], benchmark_feed(name), items)
            of_task = _newest([*of_task, *items])
        if of_task:
            yield task_feed(task), _feed(site, overview.link("tasks", task).text, task_feed(task), of_task)
        collected = _newest([*collected, *of_task])
    rest = [item for items in changes.values() for item in items]
    note = f"{plural(undated, 'result')} without a recorded date left out" if undated else ""
    yield COLLECTION, _feed(site, site.title, COLLECTION, _newest([*collected, *rest]), note)


def _boards(overview: Overview) -> Iterator[Board]:
    """Every benchmark with its rows, task by task; rows are made for some hundreds at a time."""
    names = [name for _, boards in sorted(overview.by_task.items()) for name in boards]
    for start in range(0, len(names), _TOGETHER):
        yield from overview.catalog.boards.loaded(names[start : start + _TOGETHER])


def feed_of(page: Page, site: Site) -> str:
    """Path of the feed that belongs to a page; that of the collection where it has none of its own."""
    if not site.base_url:
        return ""
    if isinstance(page, BenchmarkPage):
        dated = page.changed or any(row.day for row in page.rows + page.regenerated)
        return benchmark_feed(page.id) if dated else COLLECTION
    if isinstance(page, BoardsPage) and page.kind == "task":
        return task_feed(page.id) if any(line.changed for line in page.boards) else COLLECTION
    return COLLECTION


def benchmark_feed(identifier: str) -> str:
    """Path of the feed of a benchmark."""
    return f"sota/{identifier}/feed.xml"


def task_feed(identifier: str) -> str:
    """Path of the feed of a task."""
    return f"task/{identifier}/feed.xml"


def has_feed(board: Board) -> bool:
    """Whether anything of a benchmark is dated."""
    return bool(board.benchmark["updated_at"] or board.facts.newest)


def moment(date: str) -> str:
    """A recorded date or time as a time in UTC: the first moment it can mean."""
    return date if "T" in date else f"{(date + '-01-01')[:10]}T00:00:00Z"


def _newest(items: Iterable[Item]) -> list[Item]:
    return nlargest(MAX_ENTRIES, items)


def _result_items(overview: Overview, board: Board) -> Iterator[Item]:
    """The results of a benchmark that have a date of their own or stand on a board with one."""
    fallback = board.benchmark["updated_at"]
    for result in board.results:
        if date := result["date"] or fallback:
            yield _result_item(overview, board, result, moment(date))


def _result_item(overview: Overview, board: Board, result: Row, updated: str) -> Item:
    title, name = board.benchmark["title"], board.benchmark["id"]
    values = [
        f"{metric['label']} {score['text'] or '–'} ({unit_words(metric)})"
        for metric in board.metrics
        if (score := result["scores"].get(metric["key"]))
    ]
    source = overview.link("sources", result["source"])
    kind = "Regenerated" if result["origin"] == "regenerated" else "Recorded"
    settings = settings_words(result["config"])
    parts = [f"{kind}: {'; '.join(values)}", *([f"Settings: {settings}"] if settings else [])]
    summary = ". ".join([*parts, f"Source: {source.title or source.text}"])
    page = f"{urls.benchmark(name).html}#r-{result['id']}"
    return Item(updated, f"result/{result['id']}", f"{result['method_label']} on {title}", page, summary, source.text)


def _changes(overview: Overview) -> dict[str, list[Item]]:
    """Corrections by the benchmark of the result they happened to; those of sources under an empty name."""
    found: dict[str, list[Item]] = {}
    for entry in corrections(overview):
        result = overview.catalog.get("results", entry.result)
        found.setdefault(result["benchmark"] if result else "", []).append(_correction_item(entry))
    return found


def _correction_item(entry: Correction) -> Item:
    summary = ". ".join(filter(None, (entry.what, entry.change, entry.reason)))
    page = f"corrections/index.html#e-{entry.id}"
    return Item(moment(entry.date), f"event/{entry.id}", f"{entry.what}: {entry.subject}", page, summary, entry.actor)


def _feed(site: Site, title: str, path: str, items: list[Item], note: str = "") -> str:
    """One Atom document."""
    base = (site.base_url or "").rstrip("/")
    page = f"{base}/{path.removesuffix('feed.xml')}"
    subtitle = [f"<subtitle>{_xml(note)}</subtitle>"] if note else []
    return "\n".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            '<feed xmlns="http://www.w3.org/2005/Atom">',
            f"<id>{_xml(base)}/{_xml(path)}</id>",
            f"<title>{_xml(title)}: new results and corrections</title>",
            *subtitle,
            f"<updated>{items[0].updated if items else _NEVER}</updated>",
            f"<author><name>{_xml(site.title)}</name></author>",
            f'<link rel="self" type="application/atom+xml" href="{_xml(base)}/{_xml(path)}"/>',
            f'<link rel="alternate" type="text/html" href="{_xml(page)}"/>',
            *(_entry(base, item) for item in items),
            "</feed>\n",
        ]
    )


def _entry(base: str, item: Item) -> str:
    href = f"{base}/{item.page.replace('/index.html', '/', 1)}"
    return (
        f"<entry><id>{_xml(base)}/{_xml(item.id)}</id><title>{_xml(item.title)}</title>"
        f'<updated>{item.updated}</updated><link rel="alternate" type="text/html" href="{_xml(href)}"/>'
        f"<author><name>{_xml(item.author)}</name></author><summary>{_xml(item.summary)}</summary></entry>"
    )


def _xml(text: str) -> str:
    """Text inside an element or an attribute, without what XML has no way to say."""
    return escape(_NOT_XML.sub("\ufffd", text))
