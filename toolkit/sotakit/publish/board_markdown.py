"""The tables and entries of a benchmark's Markdown page, as plain text functions: every value is escaped once.

The template has the rest of the page; it calls the filters at the end of this file.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from jinja2 import pass_context
from jinja2.runtime import Context

from sotakit.publish import words
from sotakit.publish.contexts import BenchmarkPage, RunRow, Site
from sotakit.publish.escape import REMEMBERED, Markdown, md_id, md_json, md_target, md_text, md_verbatim
from sotakit.publish.printed import PLAIN
from sotakit.publish.rows import Link, ResultRow, Value
from sotakit.publish.urls import from_markdown
from sotakit.publish.wording import plural

PLACES = "_places"
"""Under this name a template's context holds the function that finds which Markdown file a result stands in."""

_DASH = "–"
_LEFT, _RIGHT = "---", "--:"

_Column = tuple[str, str, list[str]]
"""Heading, alignment and cells of a table's column; the cells are Markdown."""


class _Escaped(dict[str, str]):
    """Texts as a function escapes them; the texts of results come again on page after page.

    It gives plain strings, which are put together much faster than `Markdown`.
    """

    def __init__(self, escape: Callable[[str], str]) -> None:
        self._escape = escape

    def __missing__(self, text: str) -> str:
        if len(self) >= REMEMBERED:
            self.clear()
        self[text] = escaped = str(self._escape(text))
        return escaped


_text, _verbatim = _Escaped(md_text), _Escaped(md_verbatim)


class _Page(NamedTuple):
    """A page with what its links need."""

    here: str
    base_url: str | None
    up: str
    """What stands before the path of a page of another kind."""
    place: Callable[[str], str]

    def result(self, name: str) -> str:
        """A link to a result of the benchmark, on whichever part of its page it stands."""
        place = self.place(name)
        where = "" if place == self.here else _target(self.here, place, self.base_url)
        return f"[{md_id(name)}](<{where}#r-{name}>)"

    def link(self, link: Link, text: str) -> str:
        """A link to the page of an entity, whose path is made of identifiers."""
        return f"[{_text[text]}](<{self.up}{link.to.md}>)"


@lru_cache(REMEMBERED)
def _target(here: str, place: str, base_url: str | None) -> str:
    return md_target(from_markdown(here, place, base_url))


def _page_of(context: Context, page: BenchmarkPage) -> _Page:
    site: Site = context["site"]
    here = page.address.md
    up = f"{site.base_url.rstrip('/')}/" if site.base_url else "../" * here.count("/")
    return _Page(here, site.base_url, md_target(up), context.resolve(PLACES))


@pass_context
def board_table(context: Context, page: BenchmarkPage) -> Markdown:
    """The recorded results by the metric of the page."""
    here, rows = _page_of(context, page), page.rows
    values = [row.value for row in rows]
    ranks = [str(value.rank) if value and value.rank else _DASH for value in values]
    cited = [str(value.rank_cited) if value and value.rank_cited else _DASH for value in values]
    disputed = page.metric.conflict
    return _table(
        ("Rank as recorded" if disputed else "Rank", _RIGHT, ranks),
        *([("Rank as cited", _RIGHT, cited)] if disputed else []),
        ("Method", _LEFT, [_verbatim[row.label] for row in rows]),
        (page.metric.label, _RIGHT, list(map(shown, values))),
        *([("Standing", _LEFT, standing)] if any(standing := list(map(_standing_cell, rows))) else []),
        *([("Regenerated here", _RIGHT, again)] if any(again := [_rerun_cell(here, row) for row in rows]) else []),
        *([("Group", _LEFT, list(map(_group_cell, rows)))] if page.groups else []),
        *_settings(page.columns, rows),
        ("Result date", _LEFT, [_text[row.date] for row in rows]),
        ("Report paper", _LEFT, [here.link(row.source, row.source.text) for row in rows]),
        ("Result", _LEFT, [here.result(row.id) for row in rows]),
    )


def _standing_cell(row: ResultRow) -> str:
    """The marks of a result, in words."""
    repeats = ["probable duplicate"] if row.duplicate_of else []
    return ", ".join([*(_text[word] for word, _ in row.marks), *repeats])


def _rerun_cell(here: _Page, row: ResultRow) -> str:
    rerun = row.rerun
    return f"{_text[rerun.shown]}, {here.result(rerun.result)}" if rerun else ""


def _group_cell(row: ResultRow) -> str:
    """The letter of the group, and the rank in it."""
    return f"{row.group} {row.rank_in_group}" if row.rank_in_group else row.group


def group_list(page: BenchmarkPage) -> Markdown:
    """What the letters of this part's rows mean; groups of one claim are counted only."""
    letters = {row.group for row in page.rows}
    groups = [group for group in page.groups if group.letter in letters]
    lines = [
        f"- Group {group.letter}: {_text[group.settings]}; {plural(group.size, 'claim')}."
        for group in groups
        if group.size > 1
    ]
    alone = len(groups) - len(lines)
    others = [f"- {plural(alone, 'other letter')}: one claim at most."] if alone else []
    return Markdown("\n".join([*lines, *others]))


def _settings(names: Iterable[str], rows: Iterable[ResultRow]) -> list[_Column]:
    columns = zip(*[row.columns for row in rows], strict=True)
    return [(name, _LEFT, [_text[cell] for cell in cells]) for name, cells in zip(names, columns, strict=True)]


def _table(*columns: _Column) -> Markdown:
    names, marks, cells = zip(*columns, strict=True)
    lines = map(" | ".join, [map(md_text, names), marks, *zip(*cells, strict=True)])
    return Markdown("| " + " |\n| ".join(lines) + " |")


@pass_context
def result_entries(context: Context, page: BenchmarkPage, rows: Iterable[ResultRow]) -> Markdown:
    """Results in full, one section each."""
    here = _page_of(context, page)
    return Markdown("\n\n".join([_entry(here, row) for row in rows]))


def _entry(here: _Page, row: ResultRow) -> str:
    """One result in paragraphs."""
    source, origin, reproduction = row.source, row.origin_paper, row.reproduction
    scores = _score(row.values[0]) if len(row.values) == 1 else "\n".join(map(_score, row.values))
    introduced = here.link(origin, origin.title) if origin else words.NOT_RECORDED
    settings = f"Settings: {md_json(row.run_settings)}\n\n" if row.run_settings else ""
    command = f"Regenerate with: {md_json(row.command)}\n\n" if row.command else ""
    repeats = f"Probably repeats {here.result(row.duplicate_of)}. " if row.duplicate_of else ""
    marks = f"Standing: {_marks(row.marks)}.\n\n" if row.marks else ""
    facts = "".join([f"{label}: {_verbatim[text]}\n\n" for label, text in row.facts])
    reruns = f"Regenerated here: {_reruns(here, row)}.\n\n" if row.reruns else ""
    return (
        f'<a id="r-{row.id}"></a>\n\n### {_verbatim[row.label]}\n\n{scores}\n\n'
        f"Result ID: `{row.id}`. Origin: {row.origin}, {_text[row.source_type]}. Result date: {_text[row.date]}.\n\n"
        f"Reporting paper: {here.link(source, source.title)}\n\nMethod origin paper: {introduced}\n\n"
        f"Recorded evaluation configuration: {md_json(row.config)}\n\n{settings}{command}{facts}{marks}"
        f"Transcription: `{row.transcription}`.\n\n{reruns}"
        f"Reproduction: `{reproduction}` ({words.REPRODUCTION[reproduction]}). {repeats}"
        f"Evidence: {_text[row.badge]}. Place in the source: {_text[row.locator]}."
    )


@lru_cache(REMEMBERED)
def _marks(marks: tuple[tuple[str, str], ...]) -> str:
    """Marks with their meanings."""
    return "; ".join([f"{md_text(word)} ({md_text(meaning)})" for word, meaning in marks])


def _reruns(here: _Page, row: ResultRow) -> str:
    """What runs here got, each value with its metric and a link."""
    return "; ".join(
        [f"{_text[one.value.label]} {_text[one.shown]}, see {here.result(one.result)}" for one in row.reruns]
    )


@pass_context
def run_rows(context: Context, page: BenchmarkPage) -> Markdown:
    """The regenerated results with every metric, beside what was reported."""
    here, runs = _page_of(context, page), page.runs.rows
    rows = [run.row for run in runs]
    return _table(
        ("Method", _LEFT, [_verbatim[row.label] for row in rows]),
        *([("Standing", _LEFT, standing)] if any(standing := list(map(_standing_cell, rows))) else []),
        *_settings(page.runs.columns, rows),
        *[(metric.label, _RIGHT, [_run_cell(run, at) for run in runs]) for at, metric in enumerate(page.runs.metrics)],
        (f"Reported {page.metric.label}", _RIGHT, [_text[run.reported] or _DASH for run in runs]),
        ("Ratio to it", _RIGHT, [_text[run.ratio] or _DASH for run in runs]),
        ("Run", _LEFT, [here.link(row.source, "run") for row in rows]),
        ("Result", _LEFT, [here.result(row.id) for row in rows]),
    )


def _run_cell(run: RunRow, at: int) -> str:
    value = run.cells[at]
    return shown(value) + (f" ({_text[value.interval]})" if value and value.interval else "")


def shown(value: Value | None) -> str:
    """A value as printed, or why there is none."""
    if value is None:
        return words.NOT_RECORDED
    return _text[value.shown] if value.missing else _verbatim[value.shown]


def _score(value: Value) -> str:
    """The text alone where that is all; else the text as JSON, then what belongs to it in parentheses."""
    text = _verbatim[value.text]
    if value.missing or value.detail or value.printed is not PLAIN:
        detail = "; ".join(part for part in (value.missing, *value.printed.words, value.detail) if part)
        text = f"{md_json(value.text)} ({_text[detail]})" if detail else text
    return f"- **{_verbatim[value.label]}:** {text}"


FILTERS: dict[str, Callable[..., Any]] = {
    "board_table": board_table,
    "group_list": group_list,
    "result_entries": result_entries,
    "run_rows": run_rows,
}
