"""Rows of the big tables in HTML, as plain text functions: every value is escaped once, links start at the page."""

from collections.abc import Callable, Iterable
from functools import partial
from html import escape
from itertools import groupby
from typing import Any

from markupsafe import Markup

from sotakit.publish.contexts import Link, Page
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
from sotakit.publish.words import NOT_RECORDED

_QUIET = '<span class="quiet">{}</span>'
_NONE = _QUIET.format(NOT_RECORDED)
_UNIT_STEP = 1024


def result_rows(page: Page, rows: tuple[Appearance, ...], *, with_method: bool) -> Markup:
    """Results as one body for each benchmark: of a method with their sources, of a source with their methods."""
    up, made = _up(page), []
    escaped = _Escaped()
    make = partial(_row_of_source, up, escaped) if with_method else partial(_row_of_method, up, escaped)
    for _, group in groupby(rows, key=lambda row: row.benchmark.to.html):
        lines = list(group)
        link = _link(up, lines[0].benchmark)
        head = f'<tr class="grouphead"><th scope="rowgroup" colspan="7">{link}</th></tr>'
        made += ["<tbody>", head, *map(make, lines), "</tbody>"]
    return Markup("\n".join(made))  # noqa: S704 - escaped in the rows


class _Escaped(dict[str, str]):
    """Texts with what stands for them in HTML, each escaped once."""

    def __missing__(self, text: str) -> str:
        self[text] = f"<bdi>{escape(text)}</bdi>"
        return self[text]


def _row_of_source(up: str, escaped: _Escaped, row: Appearance) -> str:
    method = f'<a href="{up}{row.method.to.html}">{escaped[row.label]}</a>'
    first = f'<th scope="row">{method}</th><td>{escaped[row.metric]}</td>'
    return _result_row(up, row, first, f"<td>{_settings(escaped, row)}</td>")


def _row_of_method(up: str, escaped: _Escaped, row: Appearance) -> str:
    called = "" if row.label == row.method.text else f' <span class="quiet small">called {escaped[row.label]}</span>'
    text = "run" if row.origin == "regenerated" else row.source.text
    source = f'<a href="{up}{row.source.to.html}" title="{escape(row.source.title)}">{escaped[text]}</a>'
    settings = f'<td>{_settings(escaped, row)}{called}</td><td class="cite">{source}</td>'
    return _result_row(up, row, f'<th scope="row">{escaped[row.metric]}</th>', settings)


def _settings(escaped: _Escaped, row: Appearance) -> str:
    return escaped[row.settings] if row.settings else _NONE


def _result_row(up: str, row: Appearance, first: str, settings: str) -> str:
    repeat = ' class="repeat"' if row.duplicate else ""
    marks = _marks(row) if row.duplicate or row.status else ""
    return (
        f'<tr{repeat}>{first}<td class="value">{_value(row)}</td><td class="rank">{row.rank}</td>{settings}'
        f'<td class="nowrap">{row.date or _NONE}</td><td class="id"><a href="{up}{row.benchmark.to.html}#r-{row.id}">'
        f"<code>{row.id}</code></a>{marks}</td></tr>"
    )


def _marks(row: Appearance) -> str:
    tags = (["≈ duplicate"] if row.duplicate else []) + ([row.status] if row.status else [])
    return "".join(f' <span class="tag">{escape(tag)}</span>' for tag in tags)


def _value(row: Appearance) -> str:
    if not row.text:
        return _QUIET.format(escape(row.missing))
    missing = f' <span class="quiet small">({escape(row.missing.lower())})</span>' if row.missing else ""
    return f'<bdi class="text">{escape(row.text)}</bdi>{missing}'


def board_rows(page: BoardsPage | HomePage, lines: tuple[BoardLine, ...], column: str) -> Markup:
    """Rows of benchmarks; `column` says whether the task, the dataset or both stand beside the title."""
    up = _up(page)
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
        f'<td class="num">{line.recorded:,} recorded{runs}</td><td class="nowrap">{when or newest}</td></tr>'
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
    up = _up(page)
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
    up = _up(page)
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
        f'aria-label="Link to event {escape(entry.id)}">¶</a></td></tr>'
    )


def list_items(page: Page, entries: Iterable[tuple[Link, str]]) -> Markup:
    """Items of a list of pages, each with a note."""
    up = _up(page)
    made = (f'<li>{_link(up, link)} <span class="quiet">{escape(note)}</span></li>' for link, note in entries)
    return Markup("\n".join(made))  # noqa: S704 - escaped above


def size_words(size: int) -> str:
    """A size in bytes as people read it: 812 B, 3.1 KB, 2.0 MB."""
    amount = float(size)
    for unit in ("B", "KB", "MB"):
        if amount < _UNIT_STEP:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= _UNIT_STEP
    return f"{amount:.1f} GB"


def _up(page: Page) -> str:
    """The way from the page to the root of the site."""
    return "../" * page.address.html.count("/")


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
    "size": size_words,
    "use_rows": use_rows,
}
