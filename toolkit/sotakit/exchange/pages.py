"""Reading published benchmark pages back into records: our own, and pages of the form that others serve.

Both have a title, a scope table, a list of metrics, a table of results and one section for each result. A page that is
not understood as a whole gives a `PageError` with the line; never a part passed off as the whole.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn, get_args

from sotakit.errors import InputError, PageError
from sotakit.exchange.blocks import Block, Inline, blocks
from sotakit.exchange.records import PageRecord
from sotakit.publish.words import DIRECTION, NOT_RECORDED
from sotakit.read.files import decode
from sotakit.read.raw import Unreadable
from sotaschema.values import parse_value
from sotaschema.vocabulary import Origin, Reproduction, SourceType

MAX_PAGE_BYTES = 4 * 1024**2

_DIRECTIONS = {words.casefold(): word for word, words in DIRECTION.items()}
_METRIC = re.compile(r": (?P<direction>.+?); unit: (?P<unit>.*)\.", re.DOTALL)
_OWN_FIELDS = re.compile(
    r"Result ID: (?P<id>\S+)\. Origin: (?P<origin>\w+), (?P<type>\w+)\. Result date: (?P<date>.+)\."
)
_LOADED = re.compile(r"([0-9,]+) of ([0-9,]+)")
_CONFIG = "Recorded evaluation configuration: "


@dataclass
class _Metric:
    unit: str | None
    direction: str


@dataclass
class _Section:
    """One result while its section is read."""

    line: int
    method: str
    id: str = ""
    scores: dict[str, str] = field(default_factory=dict)
    config: dict[str, Any] | None = None
    date: str | None = None
    reporting: str | None = None
    origin_paper: str | None = None
    origin: str = "reported"
    source_type: str = "paper"
    reproduction: str = "not_attempted"


def read_pages(sources: Sequence[str]) -> list[PageRecord]:
    """The records of several pages, in order."""
    return [record for source in sources for record in read_page(_text(source), source)]


def read_page(text: str, page: str) -> list[PageRecord]:
    """The records of one page; raises `PageError` with the line of what is not understood."""
    return _Page(text, page).records()


def _text(source: str) -> str:
    path = Path(source)
    try:
        if path.is_dir():
            raise InputError(f"{source}: is a folder; give a Markdown page")
        if path.stat().st_size > MAX_PAGE_BYTES:
            raise InputError(f"{source}: larger than {MAX_PAGE_BYTES:,} bytes; a results page is not")
        return decode(path.read_bytes())
    except OSError as error:
        raise InputError(f"{source}: cannot be read: {error.strerror}") from error
    except Unreadable as error:
        fault = error.fault
        raise InputError(f"{source}:{fault.line}:{fault.column}: {fault.message}; {fault.hint}") from error
    except ValueError as error:
        raise InputError(f"{source!r}: not a path") from error


class _Page:
    """One page, read from top to bottom."""

    def __init__(self, text: str, page: str) -> None:
        self.page = page
        self.blocks = blocks(text)

    def records(self) -> list[PageRecord]:
        heading = self.blocks[0] if self.blocks else None
        if heading is None or heading.kind != "heading" or heading.level != 1:
            self._fail(1, "not a results page: it does not start with a title")
        scope = self._scope()
        metrics = self._metrics()
        sections = self._sections(scope["Metric"].verbatim)
        self._check_complete(scope, sections)
        self._dates_from_table(sections)
        benchmark = PurePosixPath(self.page.split("?")[0]).name.removesuffix(".md")
        return [
            PageRecord(
                id=section.id,
                benchmark=benchmark,
                title=heading.inline.verbatim,
                task=scope["Task"].verbatim,
                dataset=scope["Dataset (including any stated split)"].verbatim,
                method=section.method,
                scores={label: self._score(section, label, text, metrics) for label, text in section.scores.items()},
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

    def _scope(self) -> dict[str, Inline]:
        """The scope table: what the page is about."""
        rows = [block for block in self.blocks if block.kind == "row" and len(block.cells) == 2]
        scope = {row.cells[0].text: row.cells[1] for row in rows}
        for name in ("Scope", "Task", "Dataset (including any stated split)", "Metric", "Unit", "Results loaded"):
            if name not in scope:
                self._fail(1, f"not a benchmark page: its scope table has no row {name!r}")
        return scope

    def _metrics(self) -> dict[str, _Metric]:
        """The list of metrics: label, recorded direction, unit."""
        metrics = {}
        for block in self._under("Metrics"):
            if block.kind != "item":
                continue
            links = block.inline.links
            label = links[0][0] if links else ""
            found = _METRIC.fullmatch(block.inline.text.removeprefix(label))
            direction = _DIRECTIONS.get(found["direction"].casefold()) if found else None
            if found is None or direction is None or not label:
                self._fail(block.line, "expected a metric as `[name](<address>): Higher is better; unit: NAME.`")
            codes = block.inline.codes
            unit = json.loads(codes[-1]) if codes and found["unit"] == codes[-1] else found["unit"]
            metrics[label] = _Metric(None if unit == NOT_RECORDED else unit, direction)
        if not metrics:
            self._fail(1, "not a benchmark page: it lists no metrics")
        return metrics

    def _sections(self, metric: str) -> list[_Section]:
        sections: list[_Section] = []
        started = False
        for block in self.blocks:
            if block.kind == "heading" and block.level == 2:
                started = block.inline.text in ("Recorded results", "Regenerated results")
            elif block.kind == "heading" and block.level == 3 and started:
                sections.append(_Section(block.line, block.inline.verbatim))
            elif sections and started and block.kind in ("paragraph", "item"):
                self._read_field(sections[-1], block, metric)
        for section in sections:
            if not section.id or section.config is None or not section.scores:
                self._fail(section.line, f"the section of {section.method!r} lacks its id, configuration or value")
        return sections

    def _read_field(self, section: _Section, block: Block, metric: str) -> None:
        inline = block.inline
        text = inline.text
        if block.kind == "item":
            self._read_score(section, block)
        elif text.startswith("Result ID: "):
            self._read_own_fields(section, block)
        elif ". Result ID: " in text:
            value, _, identifier = text.rpartition(". Result ID: ")
            if not value.startswith(f"{metric}: "):
                self._fail(block.line, f"expected `{metric}: VALUE. Result ID: ID.`")
            section.scores[metric] = value.removeprefix(f"{metric}: ")
            section.id = identifier.removesuffix(".")
        elif text.startswith(_CONFIG):
            section.config = self._config(block)
        elif text.startswith("Reporting paper"):
            section.reporting = _target_id(inline)
        elif text.startswith("Method origin paper"):
            section.origin_paper = _target_id(inline)
        elif text.startswith("Reproduction: "):
            section.reproduction = self._word(block, (inline.codes or [""])[0], get_args(Reproduction))

    def _read_score(self, section: _Section, block: Block) -> None:
        parts = block.inline.labelled()
        if parts is None:
            self._fail(block.line, "expected a score as `**metric:** value`")
        label, value = parts
        code = value.tokens[0] if value.tokens and value.tokens[0].type == "code_inline" else None
        text = Inline("", [code]).verbatim if code else value.text
        if label.verbatim in section.scores:
            self._fail(block.line, f"the metric {label.verbatim!r} appears twice")
        section.scores[label.verbatim] = text

    def _read_own_fields(self, section: _Section, block: Block) -> None:
        found = _OWN_FIELDS.fullmatch(block.inline.text)
        if found is None:
            self._fail(block.line, "expected `Result ID: ID. Origin: ORIGIN, TYPE. Result date: DATE.`")
        section.id = found["id"]
        section.origin = self._word(block, found["origin"], get_args(Origin))
        section.source_type = self._word(block, found["type"], get_args(SourceType))
        section.date = _date(found["date"])

    def _config(self, block: Block) -> dict[str, Any]:
        """The configuration: JSON in a code span, or plain JSON as others print it."""
        codes = block.inline.codes
        raw = codes[0] if codes else block.inline.raw.removeprefix(_CONFIG)
        try:
            value, _ = json.JSONDecoder().raw_decode(raw)
        except (ValueError, RecursionError):
            self._fail(block.line, "the recorded evaluation configuration is not JSON")
        if not isinstance(value, dict):
            self._fail(block.line, "the recorded evaluation configuration is not a JSON object")
        return value

    def _check_complete(self, scope: dict[str, Inline], sections: list[_Section]) -> None:
        """The page must hold as many results as it says it does, each once."""
        found = _LOADED.fullmatch(scope["Results loaded"].text)
        line = next(row.line for row in self.blocks if row.kind == "row" and row.cells[0].text == "Results loaded")
        if found is None:
            self._fail(line, "expected `Results loaded` as `N of M`")
        loaded = int(found[1].replace(",", ""))
        recorded = sum(section.origin != "regenerated" for section in sections)
        if loaded != recorded:
            hint = "read the benchmark's main page" if not sections else "the page is cut or damaged"
            self._fail(line, f"the page states {loaded} results and has sections for {recorded}; {hint}")
        seen: set[str] = set()
        for section in sections:
            if section.id in seen:
                self._fail(section.line, f"the result {section.id!r} appears twice")
            seen.add(section.id)

    def _dates_from_table(self, sections: list[_Section]) -> None:
        """Pages of others give dates in the table only, whose rows stand in the order of the sections."""
        rows = [block for block in self._under("Recorded results") if block.kind == "row"]
        header = [cell.text for cell in rows[0].cells] if rows else []
        if "Result date" not in header or "Rank" in " ".join(header):
            return
        if len(rows) - 1 != len(sections):
            self._fail(rows[0].line, f"the table has {len(rows) - 1} rows for {len(sections)} results")
        for row, section in zip(rows[1:], sections, strict=True):
            cells = dict(zip(header, row.cells, strict=True))
            if cells["Method"].text != section.method:
                self._fail(row.line, f"the row of {cells['Method'].text!r} does not match {section.method!r}")
            section.date = _date(cells["Result date"].text)

    def _score(self, section: _Section, label: str, text: str, metrics: dict[str, _Metric]) -> dict[str, Any]:
        metric = metrics.get(label)
        if metric is None:
            self._fail(section.line, f"the metric {label!r} is not in the list of metrics")
        value = parse_value(text).value
        return {
            "text": text,
            "value": None if value is None else float(value),
            "unit": metric.unit,
            "direction": metric.direction,
        }

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

    def _word(self, block: Block, word: str, allowed: tuple[str, ...]) -> str:
        if word not in allowed:
            self._fail(block.line, f"{word!r} is not one of {', '.join(allowed)}")
        return word

    def _fail(self, line: int, message: str) -> NoReturn:
        raise PageError(f"{self.page}:{line}: {message}")


def _target_id(inline: Inline) -> str | None:
    """The id in the address of a paper's page."""
    links = inline.links
    return PurePosixPath(links[0][1].split("?")[0].split("#")[0]).name.removesuffix(".md") if links else None


def _date(text: str) -> str | None:
    return None if text == NOT_RECORDED else text
