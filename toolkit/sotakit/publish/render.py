"""Rendering: a page context to HTML by autoescaping templates, and to Markdown by templates that escape as Markdown.

Templates see `page` and `site`, a misspelt name fails the build, and everything printed is escaped unless a filter made
it. Filters are the only place that knows how links look.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from sotakit.publish import words
from sotakit.publish.contexts import (
    BenchmarkPage,
    EntityPage,
    ErrorPage,
    External,
    HomePage,
    Link,
    ListingPage,
    MetricLine,
    Page,
    ResultRow,
    Site,
    Value,
)
from sotakit.publish.escape import Markdown, md_json, md_link, md_text, md_verbatim, one_line
from sotakit.publish.urls import from_markdown, relative

_TEMPLATES: dict[type[Page], str] = {
    BenchmarkPage: "benchmark",
    EntityPage: "entity",
    ListingPage: "listing",
    HomePage: "home",
    ErrorPage: "error",
}
_SENTENCES = {
    "like_for_like": words.LIKE_FOR_LIKE,
    "settings_note": words.SETTINGS_NOTE,
    "reading_note": words.READING_NOTE,
}


class Renderer:
    """Renders pages with the templates of some folders; a file in an earlier one takes the place of its namesake."""

    def __init__(self, folders: list[Path]) -> None:
        shared: dict[str, Any] = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
        html = [folder / "templates/html" for folder in folders]
        markdown = [folder / "templates/markdown" for folder in folders]
        self._html = Environment(loader=FileSystemLoader(html), autoescape=True, **shared)
        self._markdown = Environment(  # noqa: S701 - escaped by `finalize`, as Markdown
            loader=FileSystemLoader(markdown), finalize=_as_markdown, keep_trailing_newline=True, **shared
        )
        self._html.filters.update(_HTML_FILTERS)
        self._markdown.filters.update(_MARKDOWN_FILTERS)

    def html(self, page: Page, site: Site) -> str:
        """The page as HTML."""
        return self._html.get_template(f"{_TEMPLATES[type(page)]}.html").render(page=page, site=site) + "\n"

    def markdown(self, page: Page, site: Site) -> str:
        """The page as Markdown, without doubled blank lines."""
        text = self._markdown.get_template(f"{_TEMPLATES[type(page)]}.md").render(page=page, site=site)
        lines = text.split("\n")
        kept = [line for before, line in zip(["", *lines], lines, strict=False) if before or line]
        return "\n".join(kept).strip("\n") + "\n"


def _as_markdown(value: Any) -> Any:
    return md_text(value) if isinstance(value, str) and not isinstance(value, Markdown) else value


# Filters of the HTML templates.


def _here(context: Context, target: str) -> str:
    """The way from this page to a file of the site; from the root of the host on the error page."""
    page, site = context["page"], context["site"]
    if isinstance(page, ErrorPage):
        path = (site.base_url or "").split("://", 1)[-1].partition("/")[2].strip("/")
        return f"/{path}/{target}" if path else f"/{target}"
    return relative(page.address.html, target)


@pass_context
def _html_here(context: Context, target: str) -> str:
    return _here(context, target)


@pass_context
def _html_link(context: Context, link: Link, text: str | None = None) -> Markup:
    anchor = f"#{link.anchor}" if link.anchor else ""
    title = Markup(' title="{}"').format(link.title) if link.title and text is None else ""
    shown = link.text if text is None else text
    href = _here(context, link.to.html) + anchor
    return Markup('<a href="{}"{}><bdi>{}</bdi></a>').format(href, title, shown)


def _html_external(link: External) -> Markup:
    return Markup('<a href="{}" rel="noopener"><bdi>{}</bdi></a>').format(link.url, link.text)


@pass_context
def _html_part(context: Context, part: str | Link | External) -> Markup:
    if isinstance(part, str):
        return Markup("<bdi>{}</bdi>").format(part)
    return _html_link(context, part) if isinstance(part, Link) else _html_external(part)


@pass_context
def _metric_href(context: Context, metric: MetricLine) -> str:
    return _here(context, metric.to.html)


@pass_context
def _canonical(context: Context, page: Page) -> str:
    return f"{context['site'].base_url.rstrip('/')}/{page.address.html.removesuffix('index.html')}"


_HTML_FILTERS: dict[str, Callable[..., Any]] = {
    "a": _html_link,
    "bdi": lambda text: Markup("<bdi>{}</bdi>").format(text),
    "canonical": _canonical,
    "external": _html_external,
    "here": _html_here,
    "json": lambda value: escape(json.dumps(value, ensure_ascii=False, sort_keys=True)),
    "metric_href": _metric_href,
    "one_line": one_line,
    "part": _html_part,
    "words": _SENTENCES.__getitem__,
}


# Filters of the Markdown templates.


def _md_target(context: Context, target: str) -> str:
    return from_markdown(context["page"].address.md, target, context["site"].base_url)


@pass_context
def _md_a(context: Context, link: Link, text: str | None = None) -> Markdown:
    anchor = f"#{link.anchor}" if link.anchor else ""
    return md_link(link.text if text is None else text, _md_target(context, link.to.md) + anchor)


@pass_context
def _md_part(context: Context, part: str | Link | External) -> Markdown:
    if isinstance(part, str):
        return md_text(part)
    return _md_a(context, part) if isinstance(part, Link) else md_link(part.text, part.url)


@pass_context
def _md_file(context: Context, name: str) -> Markdown:
    return md_link(name, _md_target(context, f"data/{name}"))


@pass_context
def _md_index(context: Context, name: str) -> Markdown:
    return md_link(name, _md_target(context, name))


@pass_context
def _md_metric(context: Context, metric: MetricLine) -> Markdown:
    return md_link(metric.label, _md_target(context, metric.to.md))


@pass_context
def _md_result(context: Context, row: ResultRow) -> Markdown:
    page = context["page"]
    where = "" if page.is_main else _md_target(context, page.main.to.md)
    return md_link(row.id, f"{where}#r-{row.id}")


def _md_shown(value: Value | None) -> Markdown:
    if value is None:
        return Markdown(words.NOT_RECORDED)
    return md_verbatim(value.text) if value.text == value.shown else md_text(value.shown)


def _md_score(value: Value) -> Markdown:
    """The text alone where that is all; else the text as JSON, then what belongs to it in parentheses."""
    missing = value.shown.removeprefix(value.text).strip(" ()")
    detail = "; ".join(part for part in (missing, value.detail) if part)
    return Markdown(f"{md_json(value.text)} ({md_text(detail)})") if detail else md_verbatim(value.text)


_MARKDOWN_FILTERS: dict[str, Callable[..., Any]] = {
    "a": _md_a,
    "code": lambda word: Markdown(f"`{word}`"),
    "external": lambda link: md_link(link.text, link.url),
    "file_link": _md_file,
    "index_link": _md_index,
    "json": md_json,
    "metric_link": _md_metric,
    "part": _md_part,
    "repeat_link": lambda name: md_link(name, f"#r-{name}"),
    "reproduction": lambda row: words.REPRODUCTION[row.raw["reproduction"]],
    "result_link": _md_result,
    "score": _md_score,
    "shown": _md_shown,
    "verbatim": md_verbatim,
    "words": _SENTENCES.__getitem__,
}
