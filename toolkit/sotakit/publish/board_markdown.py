"""The tables and entries of a benchmark's Markdown page, as plain text functions: every value is escaped once.

The template has the rest of the page; it calls the filters at the end of this file.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from jinja2 import pass_context
from jinja2.runtime import Context

from sotakit.publish import words
from sotakit.publish.contexts import BenchmarkPage, Link, ResultRow, RunRow, Site, Value
from sotakit.publish.escape import Markdown, md_json, md_link, md_text, md_verbatim
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

    def link(self, link: Link, text: str | None = None) -> Markdown:
        """A link to a source."""
        return md_link(link.text if text is None else text, f"{self.up}{link.to.md}")

    def result(self, name: str) -> Markdown:
        """A link to a result of the benchmark, on whichever part of its page it stands."""
        place = self.place(name)
        return md_link(name, f"{'' if place == self.here else from_markdown(self.here, place, self.base_url)}#r-{name}")


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
    yield here.link(row.source)
    yield here.result(row.id)


@pass_context
def result_entries(context: Context, page: BenchmarkPage, rows: Iterable[ResultRow]) -> Markdown:
    """Results in full, one section each."""
    here = _page_of(context, page)
    return Markdown("\n\n".join(paragraph for row in rows for paragraph in _entry(here, row)))


def _entry(here: _Page, row: ResultRow) -> Iterator[str]:
    """One result in paragraphs."""
    yield f'<a id="r-{row.id}"></a>'
    yield f"### {md_verbatim(row.label)}"
    yield "\n".join(f"- **{md_verbatim(value.label)}:** {score(value)}" for value in row.values)
    yield f"Result ID: `{row.id}`. Origin: {row.origin}, {md_text(row.source_type)}. Result date: {md_text(row.date)}."
    yield f"Reporting paper: {here.link(row.source, row.source.title)}"
    origin = here.link(row.origin_paper, row.origin_paper.title) if row.origin_paper else words.NOT_RECORDED
    yield f"Method origin paper: {origin}"
    yield f"Recorded evaluation configuration: {md_json(row.config)}"
    if row.raw["settings"]:
        yield f"Settings: {md_json(row.raw['settings'])}"
    if row.command:
        yield f"Regenerate with: {md_json(row.command)}"
    reproduction = row.raw["reproduction"]
    repeats = f"Probably repeats {here.result(row.duplicate_of)}. " if row.duplicate_of else ""
    place = f"Evidence: {md_text(row.badge)}. Place in the source: {md_text(row.locator)}."
    yield f"Reproduction: `{reproduction}` ({words.REPRODUCTION[reproduction]}). {repeats}{place}"


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
    yield here.link(run.row.source, "run")
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
