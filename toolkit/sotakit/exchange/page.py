"""One published benchmark page: a title, a scope table, a list of metrics, a table of results and a section for each.

Whatever is not understood raises `NotUnderstood` with its line. Our own pages end in a checksum of their results, so
that no lost or changed line goes unseen.
"""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple, NoReturn

from sotakit.exchange.blocks import Block, Inline, blocks, json_text
from sotakit.exchange.page_facts import NotUnderstood, line_of_text
from sotakit.exchange.page_scores import StatedScore
from sotakit.exchange.page_tables import compare_table
from sotakit.exchange.records import PageRecord, checksum
from sotakit.exchange.sections import ANCHOR, Section
from sotakit.publish.words import DIRECTION, GROUP_NOTE, NOT_RECORDED
from sotaschema.identity import ID_PATTERN, slug

_DIRECTIONS = {words.casefold(): word for word, words in DIRECTION.items()}
_METRIC = re.compile(r": (?P<direction>.+?); unit: (?P<unit>.*)\.", re.DOTALL)
_LOADED = re.compile(r"([0-9]{1,3}(?:,[0-9]{3}){0,4}|[0-9]{1,15}) of ([0-9,]+)")
_PART = re.compile(r"Page ([0-9]{1,6}) of ([0-9]{1,6})\.")
_CHECKSUM = re.compile(r"Checksum: ([0-9a-f]{16})\.$")
RESULTS: Final = ("Recorded results", "Regenerated results")
"""The parts of a page that hold results."""
_GROUP = re.compile(r"Group [A-Z]+: .*; [0-9,]+ claims?\.|[0-9,]+ other letters?: one claim at most\.", re.DOTALL)
_EMPTY: Final = ("On the pages before this one.", "No recorded results.")

_NAMES: Final = ("Task", "Dataset (including any stated split)", "Metric")
_SCOPE = ("Scope", *_NAMES, "Unit", "Results loaded")


@dataclass
class _Metric:
    unit: str | None
    direction: str


class Part(NamedTuple):
    """Which part of how many a page is, how many recorded results it has, and how many all parts have."""

    number: int
    parts: int
    loaded: int
    total: int


class Page:
    """One page, read from top to bottom."""

    def __init__(self, text: str, page: str) -> None:
        if "\0" in text:
            _fail(text[: text.index("\0")].count("\n") + 1, "the page holds NUL characters")
        self.page = page
        self.blocks = blocks(text)

    def records(self) -> list[PageRecord]:
        """The results of the page, once everything that it states was understood and agrees."""
        heading = self.blocks[0] if self.blocks else None
        if heading is None or heading.kind != "heading" or heading.level != 1:
            _fail(1, "not a results page: it does not start with a title")
        scope = {name: row.cells[1].verbatim for name, row in self._scope().items()}
        metrics = self._metrics()
        sections = self._sections(scope["Metric"])
        self._check_complete(sections)
        self._check_headings()
        self._check_metric(metrics)
        own = any(section.own for section in sections)
        if not own:  # their tables state what their sections do not
            self._compare_tables(sections, metrics)
        title = line_of_text(heading.line, heading.inline.verbatim, "the title")
        records = [
            PageRecord(
                id=section.id,
                benchmark=self._benchmark(),
                title=title,
                task=scope["Task"],
                dataset=scope["Dataset (including any stated split)"],
                method=section.method,
                scores={label: _score(section, label, score, metrics) for label, score in section.scores.items()},
                config=section.config or {},
                date=section.date,
                reporting_paper=section.reporting,
                method_origin_paper=section.origin_paper,
                origin=section.origin,
                source_type=section.source_type,
                reproduction=section.reproduction,
                page=self.page,
                more=section.more,
            )
            for section in sections
        ]
        if own:
            self._compare_with_checksum(records)
            self._compare_tables(sections, metrics)
        return records

    def _compare_tables(self, sections: list[Section], metrics: dict[str, _Metric]) -> None:
        """The table of recorded results, and that of regenerated ones where there is one, repeat the sections."""
        for title in RESULTS:
            rows = [block for block in self._under(title) if block.kind == "row"]
            below = [section for section in sections if section.part == title]
            if rows or title == RESULTS[0]:
                compare_table(rows, below, self._scope()["Metric"].cells[1].verbatim, metrics)

    def part(self) -> Part:
        """Which part of its benchmark's page this is, by its last lines; the only one where it does not say."""
        found = next((found for block in self.blocks[-2:] if (found := _PART.match(_shown(block)))), None)
        number, count = (int(found[1]), int(found[2])) if found else (1, 1)
        return Part(number, count, *self._loaded())

    def _loaded(self) -> tuple[int, int]:
        """How many results the page has, of how many."""
        row = self._scope()["Results loaded"]
        found = _LOADED.fullmatch(row.cells[1].text)
        if found is None:
            _fail(row.line, "expected `Results loaded` as `N of M`")
        loaded, total = (int(number.replace(",", "")) for number in found.groups())
        if loaded > total:
            _fail(row.line, f"the page states {loaded} results of only {total}")
        return loaded, total

    def _benchmark(self) -> str:
        """The id of the benchmark, by the name of its file."""
        path = PurePosixPath(self.page.split("?")[0] if "://" in self.page else self.page)
        named = path.parent if re.fullmatch(r"page-[0-9]+\.md", path.name) else path
        name = named.name.removesuffix(".md")
        return name if re.fullmatch(ID_PATTERN, name) else slug(name)

    def _scope(self) -> dict[str, Block]:
        """The rows of the scope table by their names: what the page is about."""
        scope: dict[str, Block] = {}
        inside = False
        for row in self.blocks:
            if row.kind != "row" or row.header:
                inside = row.header and row.cells[0].text == "Scope"
            if not inside:
                continue
            if row.width != 2:
                _fail(row.line, "expected a scope table of two columns")
            name = row.cells[0].text
            if name in scope:
                _fail(row.line, f"the scope of the page states {name!r} a second time")
            if name in _NAMES:
                line_of_text(row.line, row.cells[1].verbatim, f"{name!r} of the scope")
            scope[name] = row
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
        part, current, before = "", None, []
        for number, block in enumerate(self.blocks, 1):
            if block.kind == "heading" and block.level <= 2:
                part = block.inline.text if block.level == 2 and block.inline.text in RESULTS else ""
                current = None
            elif block.kind == "heading" and block.level == 3 and part:
                current = Section(block.line, block.inline.verbatim, part)
                sections.append(current)
            elif number == len(self.blocks) and _PART.match(_shown(block)):
                break  # the last line of the page belongs to no section
            elif part and current is not None:
                current.read(block, metric)
            elif part == RESULTS[0] and block.kind != "row" and not ANCHOR.fullmatch(block.inline.raw):
                before.append(block)
        for section in sections:
            section.check()
        odd = next((block for block in before if _shown(block) not in _EMPTY and not _is_of_groups(block)), None)
        if sections and odd is not None:
            _fail(odd.line, f"a line before the results that is not known: {_shown(odd)[:80]!r}")
        return sections

    def _check_headings(self) -> None:
        """A part of the page that is not known may hold anything."""
        known = [(2, title) for title in ("Metrics", *RESULTS)]
        for block in self.blocks[1:]:
            if block.kind == "heading" and block.level <= 2 and (block.level, block.inline.text) not in known:
                _fail(block.line, f"a part of the page that is not known: {block.inline.text[:80]!r}")

    def _check_metric(self, metrics: dict[str, _Metric]) -> None:
        """The scope repeats unit and direction of the metric of the page."""
        scope = self._scope()
        metric = metrics.get(scope["Metric"].cells[1].verbatim)
        if metric is None:
            _fail(scope["Metric"].line, "the metric of the page is not in the list of metrics")
        stated = {"Unit": metric.unit or NOT_RECORDED, "Direction": DIRECTION[metric.direction]}
        for name, expected in stated.items():
            row = scope.get(name)
            if row is not None and row.cells[1].verbatim != expected:
                _fail(row.line, f"{name} is {row.cells[1].verbatim!r} here and {expected!r} in the list of metrics")

    def _check_complete(self, sections: list[Section]) -> None:
        """The page must hold as many results as it says it does, each once."""
        row, (loaded, _) = self._scope()["Results loaded"], self._loaded()
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


def _score(section: Section, label: str, score: StatedScore, metrics: dict[str, _Metric]) -> dict[str, Any]:
    metric = metrics.get(label)
    if metric is None:
        _fail(section.line, f"the metric {label!r} is not in the list of metrics")
    return score.read(metric.unit, metric.direction)


def _is_of_groups(block: Block) -> bool:
    """Whether a line says what the letters in the table mean, which follows from the configurations."""
    return _shown(block) == GROUP_NOTE or (block.kind == "item" and _GROUP.fullmatch(_shown(block)) is not None)


def _shown(block: Block) -> str:
    return block.cells[0].text if block.cells else ""


def _fail(line: int, message: str) -> NoReturn:
    raise NotUnderstood(line, message)
