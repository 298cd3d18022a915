"""Reading published benchmark pages back into records: our own, and pages of the form that others serve.

Both have a title, a scope table, a list of metrics, a table of results and one section for each result. A page that is
not understood as a whole gives a `PageError` with the line; never a part passed off as the whole. Our own pages end in
a checksum of their results, so that no lost or changed line goes unseen.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, NoReturn

from sotakit.errors import InputError, PageError
from sotakit.exchange.blocks import Block, Inline, blocks, json_text
from sotakit.exchange.index import benchmark_pages
from sotakit.exchange.local import decoded, local_text
from sotakit.exchange.records import PageRecord, checksum
from sotakit.exchange.sections import NotUnderstood, Section, compare_with_table
from sotakit.publish.words import DIRECTION, NOT_RECORDED
from sotaschema.values import parse_value

MAX_PAGE_BYTES = 4 * 1024**2

_DIRECTIONS = {words.casefold(): word for word, words in DIRECTION.items()}
_METRIC = re.compile(r": (?P<direction>.+?); unit: (?P<unit>.*)\.", re.DOTALL)
_LOADED = re.compile(r"([0-9]{1,3}(?:,[0-9]{3}){0,4}|[0-9]{1,15}) of ([0-9,]+)")
_PART = re.compile(r"Page ([0-9]{1,6}) of ([0-9]{1,6})\.")
_CHECKSUM = re.compile(r"Checksum: ([0-9a-f]{16})\.$")
_SCOPE = ("Scope", "Task", "Dataset (including any stated split)", "Metric", "Unit", "Results loaded")


@dataclass
class _Metric:
    unit: str | None
    direction: str


def read_pages(sources: Sequence[str]) -> list[PageRecord]:
    """The records of several pages or of all pages that an llms.txt names, in order; every record once.

    A page in several parts is read whole when its first part is given.
    """
    records: dict[str, PageRecord] = {}
    for page in [page for source in sources for page in _pages_of(source)]:
        for record in _read_whole(page):
            if record.id in records:
                raise PageError(f"{page}: the result {record.id!r} stands in {records[record.id].page} too")
            records[record.id] = record
    return list(records.values())


def read_page(text: str, page: str) -> list[PageRecord]:
    """The records of one page; raises `PageError` with the line of what is not understood."""
    return _understand(text, page)[0]


def _pages_of(source: str) -> list[str]:
    if re.search(r"(^|/)llms(-[0-9]+)?\.txt$", source) is None:
        return [source]
    if "://" in source:
        raise InputError(f"{source}: a whole collection is read from a copy of the site; get its folder first")
    return [str(page) for page in benchmark_pages(Path(source))]


def _read_whole(source: str) -> list[PageRecord]:
    """The records of a page with all its parts."""
    records, part = _understand(_text(source), source)
    if part.number == 1 and part.parts > 1:
        for number in range(2, part.parts + 1):
            name = f"{source.removesuffix('.md')}/page-{number}.md"
            more, other = _understand(_text(name), name)
            if (other.number, other.parts, other.total) != (number, part.parts, part.total):
                raise PageError(f"{name}: is not page {number} of {part.parts} of {source}; get both again")
            records += more
        recorded = sum(record.origin != "regenerated" for record in records)
        if recorded != part.total:
            raise PageError(f"{source}: its parts hold {recorded} results, not the {part.total} it states")
    return records


def _understand(text: str, page: str) -> tuple[list[PageRecord], "_Part"]:
    try:
        parsed = _Page(text, page)
        return parsed.records(), parsed.part()
    except NotUnderstood as error:
        raise PageError(f"{page}:{error.line}: {error}") from error


def _text(source: str) -> str:
    if re.match(r"https?://", source):
        from sotakit.exchange.fetch import fetch  # noqa: PLC0415 - nothing is fetched unless an address is given

        return decoded(fetch(source, MAX_PAGE_BYTES), source)
    return local_text(Path(source), MAX_PAGE_BYTES)


class _Part(NamedTuple):
    """Which part of how many a page is, and how many recorded results all parts have."""

    number: int
    parts: int
    total: int


class _Page:
    """One page, read from top to bottom."""

    def __init__(self, text: str, page: str) -> None:
        if "\0" in text:
            _fail(text[: text.index("\0")].count("\n") + 1, "the page holds NUL characters")
        self.page = page
        self.blocks = blocks(text)

    def records(self) -> list[PageRecord]:
        heading = self.blocks[0] if self.blocks else None
        if heading is None or heading.kind != "heading" or heading.level != 1:
            _fail(1, "not a results page: it does not start with a title")
        scope = self._scope()
        metrics = self._metrics()
        sections = self._sections(scope["Metric"].cells[1].verbatim)
        self._check_complete(scope["Results loaded"], sections)
        own = any(section.own for section in sections)
        if not own:
            compare_with_table([block for block in self._under("Recorded results") if block.kind == "row"], sections)
        records = [
            PageRecord(
                id=section.id,
                benchmark=self._benchmark(),
                title=heading.inline.verbatim,
                task=scope["Task"].cells[1].verbatim,
                dataset=scope["Dataset (including any stated split)"].cells[1].verbatim,
                method=section.method,
                scores={label: _score(section, label, text, metrics) for label, text in section.scores.items()},
                config=section.config or {},
                date=section.date,
                reporting_paper=section.reporting,
                method_origin_paper=section.origin_paper,
                origin=section.origin,
                source_type=section.source_type,
                reproduction=section.reproduction,
                page=self.page,
            )
            for section in sections
        ]
        if own:
            self._compare_with_checksum(records)
        return records

    def part(self) -> _Part:
        """Which part of its benchmark's page this is, by its last lines; the only one where it does not say."""
        found = next((found for block in self.blocks[-2:] if (found := _PART.match(_shown(block)))), None)
        total = _LOADED.fullmatch(self._scope()["Results loaded"].cells[1].text)
        number, count = (int(found[1]), int(found[2])) if found else (1, 1)
        return _Part(number, count, int(total[2].replace(",", "")) if total else 0)

    def _benchmark(self) -> str:
        path = PurePosixPath(self.page.split("?")[0] if "://" in self.page else self.page)
        named = path.parent if re.fullmatch(r"page-[0-9]+\.md", path.name) else path
        return named.name.removesuffix(".md")

    def _scope(self) -> dict[str, Block]:
        """The rows of the scope table by their names: what the page is about."""
        rows = [block for block in self.blocks if block.kind == "row" and len(block.cells) == 2]
        scope = {row.cells[0].text: row for row in reversed(rows)}
        for name in _SCOPE:
            if name not in scope:
                _fail(1, f"not a benchmark page: its scope table has no row {name!r}")
        return scope

    def _metrics(self) -> dict[str, _Metric]:
        """The list of metrics: label, recorded direction, unit."""
        metrics: dict[str, _Metric] = {}
        for block in self._under("Metrics"):
            if block.kind != "item":
                continue
            links = block.inline.links
            end = next((at for at, token in enumerate(block.inline.tokens) if token.type == "link_close"), -1)
            found = _METRIC.fullmatch(Inline("", block.inline.tokens[end + 1 :]).text)
            direction = _DIRECTIONS.get(found["direction"].casefold()) if found else None
            if found is None or direction is None or not links:
                _fail(block.line, "expected a metric as `[name](<address>): Higher is better; unit: NAME.`")
            label = links[0][0]
            if label in metrics:
                _fail(block.line, f"the metric {label!r} is listed twice")
            unit = found["unit"]
            if unit in block.inline.codes:
                unit = json_text(unit) or unit
            metrics[label] = _Metric(None if unit == NOT_RECORDED else unit, direction)
        if not metrics:
            _fail(1, "not a benchmark page: it lists no metrics")
        return metrics

    def _sections(self, metric: str) -> list[Section]:
        sections: list[Section] = []
        started = False
        for block in self.blocks:
            if block.kind == "heading" and block.level <= 2:
                started = block.level == 2 and block.inline.text in ("Recorded results", "Regenerated results")
                current = None
            elif block.kind == "heading" and block.level == 3 and started:
                current = Section(block.line, block.inline.verbatim)
                sections.append(current)
            elif started and current is not None and block.kind in ("paragraph", "item"):
                current.read(block, metric)
        for section in sections:
            section.check()
        return sections

    def _check_complete(self, row: Block, sections: list[Section]) -> None:
        """The page must hold as many results as it says it does, each once."""
        found = _LOADED.fullmatch(row.cells[1].text)
        if found is None:
            _fail(row.line, "expected `Results loaded` as `N of M`")
        loaded = int(found[1].replace(",", ""))
        recorded = sum(section.origin != "regenerated" for section in sections)
        if loaded != recorded:
            hint = "read the benchmark's main page" if not sections else "the page is cut or damaged"
            _fail(row.line, f"the page states {loaded} results and has sections for {recorded}; {hint}")
        seen: set[str] = set()
        for section in sections:
            if section.id in seen:
                _fail(section.line, f"the result {section.id!r} appears twice")
            seen.add(section.id)

    def _compare_with_checksum(self, records: list[PageRecord]) -> None:
        """Our own pages: nothing was lost and nothing was changed."""
        last = self.blocks[-1]
        found = _CHECKSUM.search(last.cells[0].text) if last.cells else None
        if found is None:
            _fail(last.line, "the page is cut or damaged: it does not end in the checksum of its results")
        if found[1] != checksum(records):
            _fail(last.line, "the page is damaged: its results do not agree with their checksum; get it again")

    def _under(self, title: str) -> list[Block]:
        """The blocks under a heading of the second level."""
        found: list[Block] = []
        inside = False
        for block in self.blocks:
            if block.kind == "heading" and block.level <= 2:
                inside = block.level == 2 and block.inline.text == title
            elif inside:
                found.append(block)
        return found


def _score(section: Section, label: str, text: str, metrics: dict[str, _Metric]) -> dict[str, Any]:
    metric = metrics.get(label)
    if metric is None:
        _fail(section.line, f"the metric {label!r} is not in the list of metrics")
    parsed = parse_value(text).value
    value = None if parsed is None else float(parsed)
    return {
        "text": text,
        "value": value if value is not None and math.isfinite(value) else None,
        "unit": metric.unit,
        "direction": metric.direction,
    }


def _shown(block: Block) -> str:
    return block.cells[0].text if block.cells else ""


def _fail(line: int, message: str) -> NoReturn:
    raise NotUnderstood(line, message)
