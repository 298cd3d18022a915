"""Rows of the big tables in Markdown, as plain text functions: every value is escaped once, links start at the page."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context

from sotakit.publish import words
from sotakit.publish.contexts import Page
from sotakit.publish.entity_contexts import (
    Appearance,
    BoardLine,
    Correction,
    CorrectionsPage,
    HomePage,
    MetricPage,
    MetricUse,
    TaskNode,
)
from sotakit.publish.escape import REMEMBERED, Markdown, md_json, md_link, md_target, md_text, md_verbatim, one_line
from sotakit.publish.rows import Link
from sotakit.publish.wording import fallen_words

_DISPUTED = "direction disputed"


@pass_context
def result_rows(context: Context, page: Page, rows: tuple[Appearance, ...]) -> Markdown:
    """Rows of the results of a method or a source; each leads to the part of its board where the result stands."""
    up, place = md_target(_up(context, page)), context.resolve("_places")
    configs = {id(row.config): row.config for row in rows}  # results of one configuration share one object
    written = {key: md_json(config) for key, config in configs.items()}
    names = [row.id.replace("_", "\\_") for row in rows]
    targets = [f"{place(row.id)}#r-{row.id}" for row in rows]
    columns = (
        [_page_link(up, row.benchmark) for row in rows],
        [md_verbatim(row.label) for row in rows],
        [md_verbatim(row.metric) for row in rows],
        [_value(row) for row in rows],
        [row.rank for row in rows],
        [written[id(row.config)] for row in rows],
        [row.date or words.NOT_RECORDED for row in rows],
        [_page_link(up, row.source) for row in rows],
        [
            f"[{name}](<{up}{target}>){_marks(row) if row.duplicate or row.marks else ''}"
            for row, name, target in zip(rows, names, targets, strict=True)
        ],
    )
    return Markdown("\n".join([f"| {' | '.join(cells)} |" for cells in zip(*columns, strict=True)]))


@lru_cache(REMEMBERED)
def _page_link(up: str, link: Link) -> str:
    """A link to a page of the site; paths are made of identifiers and need no escaping."""
    return f"[{md_text(link.text)}](<{up}{link.to.md}>)"


def _value(row: Appearance) -> str:
    """What is printed as value, or why there is none."""
    if row.missing:
        return md_text(row.printed.shown(row.text, row.missing))
    return md_verbatim(row.printed.shown(row.text))


def _marks(row: Appearance) -> str:
    marks = [*(["probable duplicate"] if row.duplicate else []), *row.marks]
    return f" ({', '.join(marks)})"


@pass_context
def board_rows(context: Context, page: Page, lines: tuple[BoardLine, ...], column: str) -> Markdown:
    """Rows of benchmarks, with the task or the dataset of each."""
    up = _up(context, page)
    return Markdown("\n".join(_board_row(up, line, column) for line in lines))


def _board_row(up: str, line: BoardLine, column: str) -> str:
    other = _link(up, line.task) if column == "task" else md_link(line.dataset_label, f"{up}{line.dataset.to.md}")
    direction = f", {line.direction.lower()} as recorded" if line.arrow else ""
    disputed = f", {_DISPUTED}" if line.disputed else ""
    best = "; ".join(
        f"{md_text(leader.value)} by {md_text(leader.method)}" + (f" as {leader.by}" if leader.by else "")
        for leader in line.leaders
    )
    newest = f"newest result {line.newest}" if line.newest else words.NOT_RECORDED
    return (
        f"| {_link(up, line.board)} | {other} | {md_text(line.metric)}{direction}{disputed} | {best or line.no_leader} "
        f"| {line.recorded}{fallen_words(line.fallen)} | {line.runs} | {line.updated or newest} |"
    )


@pass_context
def use_rows(context: Context, page: MetricPage) -> Markdown:
    """Rows of the benchmarks that use a metric."""
    up = _up(context, page)
    cited = bool(page.raw["direction_source"])
    return Markdown("\n".join(_use_row(up, use, cited=cited) for use in page.uses))


def _use_row(up: str, use: MetricUse, *, cited: bool) -> str:
    conflict = ("yes" if use.conflict else "no") if cited else "no citation"
    return (
        f"| {_link(up, use.view)} | {md_verbatim(use.label)} | {use.direction} | {conflict} | {md_text(use.unit)} "
        f"| {use.values} |"
    )


@pass_context
def correction_rows(context: Context, page: CorrectionsPage) -> Markdown:
    """Rows of corrections, newest first."""
    up, place = _up(context, page), context.resolve("_places")
    return Markdown("\n".join(_correction_row(up, entry, place) for entry in page.entries))


def _correction_row(up: str, entry: Correction, place: Callable[[str], str]) -> str:
    target = f"{place(entry.result)}#r-{entry.result}" if entry.result else entry.page.to.md
    evidence = md_link(entry.evidence.text, entry.evidence.url) if entry.evidence else words.NOT_RECORDED
    return (
        f"| {entry.date} | {md_link(entry.subject, f'{up}{target}')} | {entry.what} | {md_text(entry.change) or '–'} "
        f"| {md_text(entry.reason) or words.NOT_RECORDED} | {evidence} | {md_text(entry.actor)} | {md_text(entry.id)} |"
    )


@pass_context
def task_tree(context: Context, page: HomePage) -> Markdown:
    """Tasks as nested lists."""
    up = _up(context, page)
    return Markdown("\n".join(_branch(up, page.tasks, "")))


def _branch(up: str, nodes: Iterable[TaskNode], indent: str) -> Iterator[str]:
    for node in nodes:
        note = f": {md_text(node.note)}" if node.note else ""
        yield f"{indent}- {_link(up, node.task)}{note}"
        yield from _branch(up, node.narrower, f"{indent}  ")


def fence(text: str) -> Markdown:
    """Text of several lines as a block of code; none of them can close it, since each begins with a word or a brace."""
    lines = (" ".join(map(one_line, line.split(" "))) for line in text.split("\n"))
    return Markdown("\n".join(["```", *lines, "```"]))


def _up(context: Context, page: Page) -> str:
    """What stands before a path of the site in a link of this page."""
    base = context["site"].base_url
    return f"{base.rstrip('/')}/" if base else "../" * page.address.md.count("/")


def _link(up: str, link: Link) -> Markdown:
    return md_link(link.text, f"{up}{link.to.md}")


FILTERS: dict[str, Callable[..., Any]] = {
    "board_rows": board_rows,
    "correction_rows": correction_rows,
    "fence": fence,
    "result_rows": result_rows,
    "task_tree": task_tree,
    "use_rows": use_rows,
}
