"""Atom feeds of new results and corrections: of the collection, of each task and of each benchmark.

Only with a base address. Times are recorded dates, never the time of building; what has no recorded date is left out
and counted. The id of an entry is made from the base address and the id of the result or event, so that it stays.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from heapq import nlargest
from html import escape
from itertools import islice, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sotakit.catalog import Board
from sotakit.columns import Numbers
from sotakit.publish import urls
from sotakit.publish.contexts import BenchmarkPage, Page, Site
from sotakit.publish.corrections import corrections
from sotakit.publish.entity_contexts import BoardsPage, Correction
from sotakit.publish.overview import Overview
from sotakit.publish.printed import printed
from sotakit.publish.rows import Link
from sotakit.publish.wording import marks_of, missing_words, plural, unit_words
from sotakit.results import joined
from sotakit.settings import settings_words
from sotaschema.vocabulary import Qualifier, Unit

MAX_ENTRIES = 100
"""Entries of one feed, the newest ones."""

COLLECTION = "feed.xml"
_NEVER = "1970-01-01T00:00:00Z"
"""The time of a feed of the collection in which nothing is dated: Atom wants one."""

_STANDING = ("status", "variant", "comparability", "comparability_note", "reproduction")
"""Columns that say what a reader must know of a claim before using it."""

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class Item(NamedTuple):
    """One entry, ready to be written; sorts by time."""

    updated: str
    id: str
    title: str
    page: str
    summary: str
    author: str


class Feeds:
    """The feeds of one site. Only entries that a feed shows are made, whatever the number of results."""

    def __init__(self, overview: Overview, site: Site) -> None:
        self._overview, self._site, self._store = overview, site, overview.catalog.store

    def of_benchmarks(self, names: Sequence[str]) -> Iterator[tuple[str, str] | None]:
        """Path and text of the feed of each of some benchmarks; None where nothing is dated or no address is known."""
        if not self._site.base_url:
            yield from repeat(None, len(names))
            return
        found = [self._newest(self._store.numbers("benchmark", name)) for name in names]
        items = iter(self._items(joined(found)))
        for name, numbers in zip(names, found, strict=True):
            board, own = self._overview.catalog.boards[name], [*islice(items, len(numbers))]
            entries = [*own, *self._changes.get(name, ())]
            yield self._feed(board.benchmark["title"], benchmark_feed(name), entries) if has_feed(board) else None

    def of_task(self, task: str) -> Iterator[tuple[str, str]]:
        """The feed of all benchmarks of a task, if anything of them is dated and an address is known."""
        boards = self._overview.by_task.get(task, ()) if self._site.base_url else ()
        items = self._items(self._newest(joined([self._store.numbers("benchmark", name) for name in boards])))
        items += [item for name in boards for item in self._changes.get(name, ())]
        if items:
            yield self._feed(self._overview.link("tasks", task).text, task_feed(task), items)

    def of_collection(self) -> Iterator[tuple[str, str]]:
        """The feed of everything, which also says how much is not dated, if an address is known."""
        if self._site.base_url:
            items = self._items(self._newest(np.arange(self._store.results.size)))
            items += [item for changes in self._changes.values() for item in changes]
            undated = int((self._times < 0).sum())
            note = f"{plural(undated, 'result')} without a recorded date left out" if undated else ""
            yield self._feed(self._site.title, COLLECTION, items, note)

    def _newest(self, numbers: Numbers) -> Numbers:
        """The dated ones of some results; of too many those that a feed shows, of the same time the greatest ids."""
        times = self._times[numbers]
        if np.count_nonzero(times >= 0) <= MAX_ENTRIES:
            return numbers[times >= 0]
        last = np.partition(times, -MAX_ENTRIES)[-MAX_ENTRIES]
        later, tied = numbers[times > last], numbers[times == last]
        ids = list(self._store.results.columns["id"].cells(tied))
        greatest = nlargest(MAX_ENTRIES - len(later), range(len(tied)), key=ids.__getitem__)
        return joined([later, tied[greatest]])

    def _items(self, numbers: Numbers) -> list[Item]:
        """The entries of some dated results."""
        columns, scores = self._store.results.columns, self._store.scores.columns
        found, counts = self._store.scores_of(numbers)
        missing = scores["missing_reason"].cells(found, missing_words)
        cells = (scores[name].cells(found) for name in ("text", "qualifier", "unit", "value"))
        said = zip(scores["metric_key"].cells(found), zip(*cells, missing, strict=True), strict=True)
        rows = zip(
            (self._moments[time] for time in self._times[numbers].tolist()),
            columns["id"].cells(numbers),
            columns["benchmark"].cells(numbers, self._board),
            columns["method_label"].cells(numbers),
            columns["config"].cells(numbers, settings_words),
            columns["origin"].cells(numbers),
            columns["source"].cells(numbers, self._source),
            map(
                marks_of,
                *(columns[name].cells(numbers) for name in _STANDING),
                columns["source"].cells(numbers, self._retracted),
            ),
            (dict(islice(said, count)) for count in counts),
            strict=True,
        )
        return [_result_item(_Result._make(row)) for row in rows]

    def _board(self, name: str) -> "_Board":
        board = self._overview.catalog.boards[name]
        metrics = [(metric["key"], metric["label"], unit_words(metric), metric["unit"]) for metric in board.metrics]
        return _Board(board.benchmark["title"], urls.benchmark(name).html, metrics)

    def _retracted(self, name: str) -> bool:
        return bool(self._overview.catalog.row("sources", name)["retracted"])

    def _source(self, name: str) -> Link:
        return self._overview.link("sources", name)

    @cached_property
    def _dated(self) -> tuple[list[str], NDArray[np.int64]]:
        """All times in order, and for each result which of them is its own, else that of its benchmark; -1 for none."""
        rows, columns = self._overview.catalog.tables["benchmarks"], self._store.results.columns
        dates, boards = columns["date"], columns["benchmark"]
        own = [moment(date) for date in dates.values.to_pylist()]
        lent = [moment(rows[name]["updated_at"] or "") for name in boards.values.to_pylist()]
        moments = sorted({*own, *lent} - {""})
        places = {text: place for place, text in enumerate(moments)} | {"": -1}
        of_date, of_board = (np.array([places[text] for text in texts]) for texts in ([*own, ""], lent))
        return moments, np.where(dates.codes >= 0, of_date[dates.codes], of_board[boards.codes])

    @property
    def _moments(self) -> list[str]:
        return self._dated[0]

    @property
    def _times(self) -> NDArray[np.int64]:
        return self._dated[1]

    @cached_property
    def _changes(self) -> dict[str, list[Item]]:
        """Corrections by the benchmark of the result they happened to; those of sources under an empty name."""
        found: dict[str, list[Item]] = {}
        for entry in corrections(self._overview):
            result = self._overview.catalog.get("results", entry.result)
            found.setdefault(result["benchmark"] if result else "", []).append(_correction_item(entry))
        return found

    def _feed(self, title: str, path: str, items: list[Item], note: str = "") -> tuple[str, str]:
        return path, _document(self._site, title, path, nlargest(MAX_ENTRIES, items), note)


class _Board(NamedTuple):
    title: str
    page: str
    metrics: list[tuple[str, str, str, Unit]]
    """Key, label, unit in words and unit of each."""


class _Result(NamedTuple):
    updated: str
    id: str
    board: _Board
    method: str
    settings: str
    origin: str
    source: Link
    marks: tuple[tuple[str, str], ...]
    said: dict[str, tuple[str, Qualifier, Unit, float | None, str]]
    """Text, qualifier, unit, value and why there is none, by key of the metric."""


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
    """A recorded date or time as a time in UTC: the first moment it can mean; empty if there is none."""
    return date if "T" in date or not date else f"{(date + '-01-01')[:10]}T00:00:00Z"


def _shown(listed: Unit, text: str, qualifier: Qualifier, unit: Unit, value: float | None, missing: str) -> str:
    return printed(text, qualifier, unit, listed, value).shown(text, missing)


def _result_item(result: _Result) -> Item:
    board, source, said = result.board, result.source, result.said
    values = [
        f"{label} {_shown(listed, *said[key]) or '–'} ({unit})"
        for key, label, unit, listed in board.metrics
        if key in said
    ]
    kind = "Regenerated" if result.origin == "regenerated" else "Recorded"
    parts = [f"{kind}: {'; '.join(values)}", *([f"Settings: {result.settings}"] if result.settings else [])]
    parts += [f"Standing: {word} ({meaning})" for word, meaning in result.marks]
    summary = ". ".join([*parts, f"Source: {source.title or source.text}"])
    marks = f" ({', '.join([word for word, _ in result.marks])})" if result.marks else ""
    title, page = f"{result.method} on {board.title}{marks}", f"{board.page}#r-{result.id}"
    return Item(result.updated, f"result/{result.id}", title, page, summary, source.text)


def _correction_item(entry: Correction) -> Item:
    summary = ". ".join(filter(None, (entry.what, entry.change, entry.reason)))
    page = f"corrections/index.html#e-{entry.id}"
    return Item(moment(entry.date), f"event/{entry.id}", f"{entry.what}: {entry.subject}", page, summary, entry.actor)


def _document(site: Site, title: str, path: str, items: list[Item], note: str) -> str:
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
