"""The tables and entries of a benchmark's Markdown page, as plain text functions: every value is escaped once.

The template has the rest of the page; it calls the filters at the end of this file.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from jinja2 import pass_context
from jinja2.runtime import Context

from sotakit.publish import words
from sotakit.publish.contexts import BenchmarkPage, Link, ResultRow, RunRow, Site, Value
from sotakit.publish.escape import REMEMBERED, Markdown, md_id, md_json, md_link, md_target, md_text, md_verbatim
from sotakit.publish.urls import from_markdown

PLACES = "_places"
"""Under this name a template's context holds the function that finds which Markdown file a result stands in."""

_DASH = "–"


class _Page(NamedTuple):
    """A page with what its links need."""

    page: BenchmarkPage
    here: str
    base_url: str | None
    up: str
    """What stands before the path of a page of another kind."""
    place: Callable[[str], str]

    def result(self, name: str) -> str:
        """A link to a result of the benchmark, on whichever part of its page it stands."""
        place = self.place(name)
        where = "" if place == self.here else self.target(place)
        return f"[{md_id(name)}](<{where}#r-{name}>)"

    def target(self, place: str) -> str:
        """The way to another file of the site."""
        return md_target(from_markdown(self.here, place, self.base_url))


def _page_of(context: Context, page: BenchmarkPage) -> _Page:
    site: Site = context["site"]
    here = page.address.md
    up = f"{site.base_url.rstrip('/')}/" if site.base_url else "../" * here.count("/")
    return _Page(page, here, site.base_url, up, context.resolve(PLACES))


@pass_context
def board_table(context: Context, page: BenchmarkPage) -> Markdown:
    """The recorded results by the metric of the page."""
    cited = page.metric.conflict
    head = ["Rank as recorded", "Rank as cited"] if cited else ["Rank"]
    names = [*head, "Method", page.metric.label, *page.columns, "Result date", "Report paper", "Result"]
    marks = ["--:"] * len(head) + ["---", "--:"] + ["---"] * (len(page.columns) + 3)
    here = _page_of(context, page)
    rows = (_cells(_board_cells(here, row)) for row in page.rows)
    return _lines([_cells(map(md_text, names)), _cells(marks), *rows])


def _board_cells(here: _Page, row: ResultRow) -> Iterator[str]:
    value = row.value
    yield str(value.rank) if value and value.rank else _DASH
    if here.page.metric.conflict:
        yield str(value.rank_cited) if value and value.rank_cited else _DASH
    yield md_verbatim(row.label)
    yield shown(value)
    yield from map(md_text, row.columns)
    yield md_text(row.date)
    yield _link(here.up, row.source)
    yield here.result(row.id)


@pass_context
def result_entries(context: Context, page: BenchmarkPage, rows: Iterable[ResultRow]) -> Markdown:
    """Results in full, one section each."""
    here = _page_of(context, page)
    return Markdown("\n\n".join([_entry(here, row) for row in rows]))


def _entry(here: _Page, row: ResultRow) -> str:
    """One result in paragraphs."""
    reproduction = row.reproduction
    settings = f"Settings: {md_json(row.run_settings)}\n\n" if row.run_settings else ""
    command = f"Regenerate with: {md_json(row.command)}\n\n" if row.command else ""
    repeats = f"Probably repeats {here.result(row.duplicate_of)}. " if row.duplicate_of else ""
    scores = "\n".join([f"- **{md_verbatim(value.label)}:** {score(value)}" for value in row.values])
    return (
        f'<a id="r-{row.id}"></a>\n\n### {md_verbatim(row.label)}\n\n{scores}\n\n'
        f"Result ID: `{row.id}`. Origin: {row.origin}, {md_text(row.source_type)}. "
        f"Result date: {md_text(row.date)}.\n\n"
        f"{_papers(here.up, row.source, row.origin_paper)}\n\n"
        f"Recorded evaluation configuration: {md_json(row.config)}\n\n{settings}{command}"
        f"Reproduction: `{reproduction}` ({words.REPRODUCTION[reproduction]}). {repeats}"
        f"Evidence: {md_text(row.badge)}. Place in the source: {md_text(row.locator)}."
    )


@lru_cache(REMEMBERED)
def _papers(up: str, source: Link, origin: Link | None) -> str:
    introduced = _link(up, origin, origin.title) if origin else words.NOT_RECORDED
    return f"Reporting paper: {_link(up, source, source.title)}\n\nMethod origin paper: {introduced}"


@lru_cache(REMEMBERED)
def _link(up: str, link: Link, text: str | None = None) -> Markdown:
    return md_link(link.text if text is None else text, f"{up}{link.to.md}")


@pass_context
def run_rows(context: Context, page: BenchmarkPage) -> Markdown:
    """The regenerated results with every metric, beside what was reported."""
    runs = page.runs
    labels = [metric.label for metric in runs.metrics]
    names = ["Method", *runs.columns, *labels, f"Reported {page.metric.label}", "Ratio to it", "Run", "Result"]
    marks = ["---"] * (1 + len(runs.columns)) + ["--:"] * (len(labels) + 2) + ["---", "---"]
    here = _page_of(context, page)
    return _lines([_cells(map(md_text, names)), _cells(marks), *(_cells(_run_cells(here, run)) for run in runs.rows)])


def _run_cells(here: _Page, run: RunRow) -> Iterator[str]:
    yield md_verbatim(run.row.label)
    yield from map(md_text, run.row.columns)
    for value in run.cells:
        yield shown(value) + (f" ({md_text(value.interval)})" if value and value.interval else "")
    yield md_text(run.reported) or _DASH
    yield md_text(run.ratio) or _DASH
    yield _link(here.up, run.row.source, "run")
    yield here.result(run.row.id)


def shown(value: Value | None) -> Markdown:
    """A value as printed, or why there is none."""
    if value is None:
        return Markdown(words.NOT_RECORDED)
    return md_text(value.shown) if value.missing else md_verbatim(value.text)


def score(value: Value) -> Markdown:
    """The text alone where that is all; else the text as JSON, then what belongs to it in parentheses."""
    detail = "; ".join(part for part in (value.missing, value.detail) if part)
    return Markdown(f"{md_json(value.text)} ({md_text(detail)})") if detail else md_verbatim(value.text)


def _cells(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _lines(lines: Iterable[str]) -> Markdown:
    return Markdown("\n".join(lines))


FILTERS: dict[str, Callable[..., Any]] = {
    "board_table": board_table,
    "result_entries": result_entries,
    "run_rows": run_rows,
}
