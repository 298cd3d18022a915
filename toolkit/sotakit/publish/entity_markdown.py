"""Rows of the big tables in Markdown, as plain text functions: every value is escaped once, links start at the page."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context

from sotakit.publish import words
from sotakit.publish.contexts import Link, Page
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
from sotakit.publish.escape import Markdown, md_json, md_link, md_text, md_verbatim, one_line

_DISPUTED = "direction disputed"


@pass_context
def result_rows(context: Context, page: Page, rows: tuple[Appearance, ...]) -> Markdown:
    """Rows of the results of a method or a source; each leads to the part of its board where the result stands."""
    up, place = _up(context, page), context.resolve("_places")
    texts, links = _Texts(), _Links(up)
    configs: dict[int, str] = {}  # results of one configuration share one object
    for row in rows:
        if id(row.config) not in configs:
            configs[id(row.config)] = md_json(row.config)
    return Markdown(
        "\n".join(
            _result_row(texts, links, row, (configs[id(row.config)], f"{links.up}{place(row.id)}")) for row in rows
        )
    )


class _Texts(dict[str, str]):
    """Texts as Markdown, each escaped once."""

    def __missing__(self, text: str) -> str:
        self[text] = md_verbatim(text)
        return self[text]


class _Links(dict[str, str]):
    """Links to pages of the site by the path of the page, each made once."""

    def __init__(self, up: str) -> None:
        super().__init__()
        self.up = md_link("", up)[len("[](<") : -len(">)")]  # as it stands in a target

    def to(self, link: Link) -> str:
        """The link as Markdown."""
        if link.to.md not in self:
            self[link.to.md] = f"[{md_text(link.text)}](<{self.up}{link.to.md}>)"
        return self[link.to.md]


def _result_row(texts: _Texts, links: _Links, row: Appearance, made: tuple[str, str]) -> str:
    config, place = made
    marks = ", ".join((["probable duplicate"] if row.duplicate else []) + ([row.status] if row.status else []))
    note = f" ({marks})" if marks else ""
    name = row.id.replace("_", "\\_")
    value = md_text(_missing(row)) if row.missing else md_verbatim(row.text)
    return (
        f"| {links.to(row.benchmark)} | {texts[row.label]} | {texts[row.metric]} | {value} | {row.rank} "
        f"| {config} | {row.date or words.NOT_RECORDED} | {links.to(row.source)} "
        f"| [{name}](<{place}#r-{row.id}>){note} |"
    )


def _missing(row: Appearance) -> str:
    """Why there is no value, behind what is printed instead of one."""
    return f"{row.text} ({row.missing.lower()})" if row.text else row.missing


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
        f"| {line.recorded} | {line.runs} | {line.updated or newest} |"
    )


@pass_context
def use_rows(context: Context, page: MetricPage) -> Markdown:
    """Rows of the benchmarks that use a metric."""
    up = _up(context, page)
    return Markdown("\n".join(_use_row(up, use) for use in page.uses))


def _use_row(up: str, use: MetricUse) -> str:
    conflict = "yes" if use.conflict else "no"
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
        yield f"{indent}- {_link(up, node.task)}: {md_text(node.note)}"
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
