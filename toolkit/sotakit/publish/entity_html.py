"""Rows of the big tables in HTML, as plain text functions: every value is escaped once, links start at the page."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from html import escape
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from sotakit.publish.board_html import shown_text
from sotakit.publish.contexts import Page
from sotakit.publish.entity_contexts import (
    Appearance,
    BoardLine,
    BoardsPage,
    Correction,
    CorrectionsPage,
    HomePage,
    MetricPage,
    MetricUse,
)
from sotakit.publish.escape import REMEMBERED, html_text
from sotakit.publish.rows import Link
from sotakit.publish.wording import fallen_words
from sotakit.publish.words import NOT_RECORDED

_QUIET = '<span class="quiet">{}</span>'
_NONE = _QUIET.format(NOT_RECORDED)
_REPEAT = ' class="repeat"'
_END = "</tbody>"


def result_rows(page: Page, rows: tuple[Appearance, ...], *, with_method: bool) -> Markup:
    """Results as one body for each benchmark: of a method with their sources, of a source with their methods."""
    if not rows:
        return Markup()
    up = page.address.root
    firsts, settings = _of_source(up, rows) if with_method else _of_method(up, rows)
    columns = zip(rows, _starts(up, rows), firsts, map(_value, rows), settings, strict=True)
    lines = [
        f'{start}<tr{_REPEAT if row.duplicate else ""}>{first}<td class="value">{value}</td>'
        f'<td class="rank">{row.rank}</td><td>{setting}</td><td class="nowrap">{row.date or _NONE}</td>'
        f'<td class="id"><a href="{up}{row.benchmark.to.html}#r-{row.id}"><code>{row.id}</code></a>'
        f"{_marks(row) if row.duplicate or row.marks else ''}</td></tr>"
        for row, start, first, value, setting in columns
    ]
    return Markup("\n".join([*lines, _END]).removeprefix(f"{_END}\n"))  # noqa: S704 - escaped in the rows


def _starts(up: str, rows: tuple[Appearance, ...]) -> list[str]:
    """What stands before each row: before the first one of a benchmark its head, which ends the body before."""
    paths = pairwise(["", *(row.benchmark.to.html for row in rows)])
    return ["" if path == last else _start(up, row.benchmark) for row, (last, path) in zip(rows, paths, strict=True)]


@lru_cache(REMEMBERED)
def _start(up: str, benchmark: Link) -> str:
    head = f'<tr class="grouphead"><th scope="rowgroup" colspan="7">{_link(up, benchmark)}</th></tr>'
    return f"{_END}\n<tbody>\n{head}\n"


def _of_source(up: str, rows: tuple[Appearance, ...]) -> tuple[list[str], list[str]]:
    """Methods and metrics, and what stands in the column of the settings."""
    firsts = [
        f'<th scope="row"><a href="{up}{row.method.to.html}">{_bdi(row.label)}</a></th><td>{_bdi(row.metric)}</td>'
        for row in rows
    ]
    return firsts, [_bdi(row.settings) if row.settings else _NONE for row in rows]


def _of_method(up: str, rows: tuple[Appearance, ...]) -> tuple[list[str], list[str]]:
    """The metrics, and the settings with the column of the sources behind them."""
    settings = [
        f"{_bdi(row.settings) if row.settings else _NONE}{'' if row.label == row.method.text else _called(row)}</td>"
        f'<td class="cite"><a href="{up}{row.source.to.html}" title="{html_text(row.source.title)}">'
        f"{_bdi('run' if row.origin == 'regenerated' else row.source.text)}</a>"
        for row in rows
    ]
    return [f'<th scope="row">{_bdi(row.metric)}</th>' for row in rows], settings


@lru_cache(REMEMBERED)
def _bdi(text: str) -> str:
    return f"<bdi>{escape(text)}</bdi>"


def _called(row: Appearance) -> str:
    return f' <span class="quiet small">called {_bdi(row.label)}</span>'


def _marks(row: Appearance) -> str:
    tags = [*(["≈ duplicate"] if row.duplicate else []), *row.marks]
    return "".join(f' <span class="tag">{escape(tag)}</span>' for tag in tags)


def _value(row: Appearance) -> str:
    return shown_text(row.text, row.missing, row.printed)


def board_rows(page: BoardsPage | HomePage, lines: tuple[BoardLine, ...], column: str) -> Markup:
    """Rows of benchmarks; `column` says whether the task, the dataset or both stand beside the title."""
    up = page.address.root
    return Markup("\n".join(_board_row(up, line, column) for line in lines))  # noqa: S704 - escaped in the rows


def _board_row(up: str, line: BoardLine, column: str) -> str:
    other = _link(up, line.task) if column == "task" else _link(up, line.dataset, line.dataset_label)
    disputed = ' <span class="tag disputed">direction disputed</span>' if line.disputed else ""
    runs = f'<br><span class="quiet small">{line.runs:,} regenerated</span>' if line.runs else ""
    when = line.updated
    newest = f'<span class="quiet">newest result {line.newest}</span>' if line.newest else _NONE
    arrow = f' <abbr title="{escape(line.direction)}, as recorded">{line.arrow}</abbr>' if line.arrow else ""
    return (
        f'<tr><th scope="row">{_link(up, line.board)}</th><td>{other}</td>'
        f"<td><bdi>{escape(line.metric)}</bdi>{arrow}{disputed}</td><td>{_leaders(line)}</td>"
        f'<td class="num">{line.recorded:,} recorded{fallen_words(line.fallen)}{runs}</td>'
        f'<td class="nowrap">{when or newest}</td></tr>'
    )


def _leaders(line: BoardLine) -> str:
    """The best recorded values, each with its method and, where they differ, the direction it is best by."""
    if not line.leaders:
        return _QUIET.format(line.no_leader)
    return "<br>".join(
        f'<b class="text"><bdi>{escape(best.value)}</bdi></b> <bdi>{escape(best.method)}</bdi>'
        + (f' <span class="quiet small nowrap">as {best.by}</span>' if best.by else "")
        for best in line.leaders
    )


def use_rows(page: MetricPage) -> Markup:
    """Rows of the benchmarks that use a metric, with the direction each records."""
    up = page.address.root
    return Markup("\n".join(_use_row(up, use) for use in page.uses))  # noqa: S704 - escaped in the rows


def _use_row(up: str, use: MetricUse) -> str:
    conflict = ' <span class="tag disputed">against the citation</span>' if use.conflict else ""
    return (
        f'<tr><th scope="row">{_link(up, use.view)}</th><td><bdi>{escape(use.label)}</bdi></td>'
        f"<td>{use.arrow} {escape(use.direction)}{conflict}</td><td><bdi>{escape(use.unit)}</bdi></td>"
        f'<td class="num">{use.values:,}</td></tr>'
    )


def correction_rows(page: CorrectionsPage) -> Markup:
    """Rows of corrections, newest first."""
    up = page.address.root
    return Markup("\n".join(_correction_row(up, entry) for entry in page.entries))  # noqa: S704 - escaped in the rows


def _correction_row(up: str, entry: Correction) -> str:
    anchor = f"#r-{escape(entry.result)}" if entry.result else ""
    subject = f'<a href="{up}{escape(entry.page.to.html)}{anchor}"><bdi>{escape(entry.subject)}</bdi></a>'
    evidence = f'<a href="{escape(entry.evidence.url)}" rel="noopener">evidence</a>' if entry.evidence else _NONE
    change = f'<br><span class="quiet"><bdi>{escape(entry.change)}</bdi></span>' if entry.change else ""
    reason = f"<bdi>{escape(entry.reason)}</bdi>" if entry.reason else _NONE
    return (
        f'<tr id="e-{escape(entry.id)}"><td class="nowrap">{escape(entry.date)}</td><th scope="row">{subject}</th>'
        f"<td>{escape(entry.what)}{change}</td><td>{reason}</td><td>{evidence}</td>"
        f'<td><bdi>{escape(entry.actor)}</bdi></td><td><a class="here" href="#e-{escape(entry.id)}" '
        f'aria-label="Link to event {escape(entry.id)}">&para;</a></td></tr>'
    )


def list_items(page: Page, entries: Iterable[tuple[Link, str]]) -> Markup:
    """Items of a list of pages, each with a note."""
    up = page.address.root
    made = (f'<li>{_link(up, link)} <span class="quiet">{escape(note)}</span></li>' for link, note in entries)
    return Markup("\n".join(made))  # noqa: S704 - escaped above


def _link(up: str, link: Link, text: str = "") -> str:
    """A link, with its longer title where it has one; paths are made of identifiers and need no escaping."""
    shown = text or link.text
    title = f' title="{escape(link.title)}"' if link.title else ""
    return f'<a href="{up}{link.to.html}"{title}><bdi>{escape(shown)}</bdi></a>'


FILTERS: dict[str, Callable[..., Any]] = {
    "board_rows": board_rows,
    "correction_rows": correction_rows,
    "list_items": list_items,
    "result_rows": lambda page, rows, with_method: result_rows(page, rows, with_method=with_method),
    "use_rows": use_rows,
}
