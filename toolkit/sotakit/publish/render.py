"""Rendering: a page context to HTML by autoescaping templates, and to Markdown by templates that escape as Markdown.

Templates see `page` and `site`, a misspelt name fails the build, and everything printed is escaped unless a filter made
it. Filters are the only place that knows how links look.
"""

import json
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError, TemplateSyntaxError, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from sotakit.errors import UsageError
from sotakit.publish import words
from sotakit.publish.contexts import (
    Appearance,
    BenchmarkPage,
    EntityPage,
    ErrorPage,
    External,
    HomePage,
    Link,
    ListingPage,
    MetricLine,
    Page,
    Site,
    Value,
)
from sotakit.publish.escape import Markdown, md_json, md_link, md_text, md_verbatim, one_line
from sotakit.publish.paging import markdown_parts
from sotakit.publish.stated import page_checksum
from sotakit.publish.urls import Address, from_markdown, relative

_TEMPLATES: dict[type[Page], str] = {
    BenchmarkPage: "benchmark",
    EntityPage: "entity",
    ListingPage: "listing",
    HomePage: "home",
    ErrorPage: "error",
}
_PLACES = "_places"
"""Under this name the filters find which Markdown file each result stands in."""

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
        self._places: dict[str, str] = {}
        self._markdown.globals[_PLACES] = self._places.__getitem__

    def html(self, page: Page, site: Site) -> str:
        """The page as HTML."""
        return _render(self._html, f"{_TEMPLATES[type(page)]}.html", page, site) + "\n"

    def markdown(self, page: Page, site: Site) -> Iterator[tuple[str, str]]:
        """Path and text of the page's Markdown parts; a benchmark's own page comes before all that links to it."""
        return markdown_parts(page, lambda part: self._markdown_part(part, site), self._places)

    def _markdown_part(self, page: Page, site: Site) -> str:
        """One part as Markdown, without doubled blank lines."""
        text = _render(self._markdown, f"{_TEMPLATES[type(page)]}.md", page, site)
        lines = text.split("\n")
        kept = [line for before, line in zip(["", *lines], lines, strict=False) if before or line]
        return "\n".join(kept).strip("\n") + "\n"


def _render(environment: Environment, template: str, page: Page, site: Site) -> str:
    """One page; a fault in a template is the user's to mend, so it is named with its place."""
    try:
        return environment.get_template(template).render(page=page, site=site)
    except TemplateSyntaxError as error:
        raise UsageError(f"{error.filename or error.name}:{error.lineno}: {error.message}") from error
    except TemplateError as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "templates/" in frame.filename]
        place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else template
        raise UsageError(f"{place}: {error.message or error} (page {page.address.html})") from error


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
    title = f' title="{escape(link.title)}"' if link.title and text is None else ""
    shown = link.text if text is None else text
    href = _here(context, link.to.html) + anchor
    return Markup(f'<a href="{escape(href)}"{title}>{_html_bdi(shown)}</a>')  # noqa: S704 - escaped here


def _html_bdi(text: str) -> Markup:
    """Text whose direction does not disturb its neighbours."""
    return Markup(f"<bdi>{escape(text)}</bdi>")  # noqa: S704 - escaped here


def _html_external(link: External) -> Markup:
    return Markup(f'<a href="{escape(link.url)}" rel="noopener">{_html_bdi(link.text)}</a>')  # noqa: S704


@pass_context
def _html_part(context: Context, part: str | Link | External) -> Markup:
    if isinstance(part, str):
        return _html_bdi(part)
    return _html_link(context, part) if isinstance(part, Link) else _html_external(part)


@pass_context
def _html_result(context: Context, row: Appearance) -> Markup:
    href = f"{_here(context, row.benchmark.to.html)}#r-{row.id}"
    return Markup(f'<a href="{escape(href)}"><code>{escape(row.id)}</code></a>')  # noqa: S704 - escaped here


@pass_context
def _metric_href(context: Context, metric: MetricLine) -> str:
    return _here(context, metric.to.html)


@pass_context
def _canonical(context: Context, page: Page) -> str:
    return f"{context['site'].base_url.rstrip('/')}/{page.address.html.removesuffix('index.html')}"


_HTML_FILTERS: dict[str, Callable[..., Any]] = {
    "a": _html_link,
    "bdi": _html_bdi,
    "canonical": _canonical,
    "external": _html_external,
    "here": _html_here,
    "json": lambda value: escape(json.dumps(value, ensure_ascii=False, sort_keys=True)),
    "metric_href": _metric_href,
    "one_line": one_line,
    "part": _html_part,
    "result_link": _html_result,
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
def _md_image(context: Context, path: str, text: str) -> Markdown:
    return md_link(text, _md_target(context, path))


@pass_context
def _md_index(context: Context, name: str) -> Markdown:
    return md_link(name, _md_target(context, name))


@pass_context
def _md_metric(context: Context, metric: MetricLine) -> Markdown:
    return md_link(md_verbatim(metric.label), _md_target(context, metric.to.md))


@pass_context
def _md_result(context: Context, name: str) -> Markdown:
    """A link to a result, on whichever part of its benchmark's page it stands."""
    here = context["page"].address.md
    place = context.resolve(_PLACES)(name)
    return md_link(name, ("" if place == here else _md_target(context, place)) + f"#r-{name}")


@pass_context
def _md_part_link(context: Context, address: Address, text: str) -> Markdown:
    return md_link(text, _md_target(context, address.md))


def _md_shown(value: Value | None) -> Markdown:
    if value is None:
        return Markdown(words.NOT_RECORDED)
    return md_text(value.shown) if value.missing else md_verbatim(value.text)


def _md_score(value: Value) -> Markdown:
    """The text alone where that is all; else the text as JSON, then what belongs to it in parentheses."""
    detail = "; ".join(part for part in (value.missing, value.detail) if part)
    return Markdown(f"{md_json(value.text)} ({md_text(detail)})") if detail else md_verbatim(value.text)


_MARKDOWN_FILTERS: dict[str, Callable[..., Any]] = {
    "a": _md_a,
    "anchor": lambda name: Markdown(f'<a id="r-{name}"></a>'),
    "checksum": page_checksum,
    "code": lambda word: Markdown(f"`{word}`"),
    "external": lambda link: md_link(link.text, link.url),
    "file_link": _md_file,
    "image_link": _md_image,
    "index_link": _md_index,
    "json": md_json,
    "metric_link": _md_metric,
    "part": _md_part,
    "part_link": _md_part_link,
    "reproduction": lambda row: words.REPRODUCTION[row.raw["reproduction"]],
    "result_link": _md_result,
    "score": _md_score,
    "shown": _md_shown,
    "verbatim": md_verbatim,
    "words": _SENTENCES.__getitem__,
}
