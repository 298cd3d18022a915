"""Rendering: a page context to HTML by autoescaping templates, and to Markdown by templates that escape as Markdown.

Templates see `page` and `site`, a misspelt name fails the build, and everything printed is escaped unless a filter made
it. Filters are the only place that knows how links look.
"""

import traceback
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError, TemplateSyntaxError, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from sotakit.errors import UsageError
from sotakit.publish import board_markdown, entity_html, entity_markdown, words
from sotakit.publish.board_frame import BOARD_FILTERS
from sotakit.publish.contexts import BenchmarkPage, External, Link, MetricLine, Page, Site
from sotakit.publish.entity_contexts import (
    AboutPage,
    BoardsPage,
    CorrectionsPage,
    EntityPage,
    ErrorPage,
    HomePage,
    ListingPage,
    MetricPage,
    MovedPage,
    SourcePage,
)
from sotakit.publish.escape import Markdown, html_text, md_json, md_link, md_text, md_verbatim, one_line
from sotakit.publish.feeds import feed_of
from sotakit.publish.json_ld import json_ld
from sotakit.publish.paging import linked_results, markdown_parts
from sotakit.publish.stated import page_checksum
from sotakit.publish.urls import Address, from_markdown, relative
from sotakit.settings import settings_json

_TEMPLATES: dict[type[Page], str] = {
    BenchmarkPage: "benchmark",
    EntityPage: "method",
    BoardsPage: "task",
    MetricPage: "metric",
    SourcePage: "source",
    ListingPage: "listing",
    CorrectionsPage: "corrections",
    AboutPage: "about",
    MovedPage: "moved",
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
        shared["auto_reload"] = False  # templates do not change while a site is built
        html = [folder / "templates/html" for folder in folders]
        markdown = [folder / "templates/markdown" for folder in folders]
        self._html = Environment(loader=FileSystemLoader(html), autoescape=True, **shared)
        self._markdown = Environment(  # noqa: S701 - escaped by `finalize`, as Markdown
            loader=FileSystemLoader(markdown), finalize=_as_markdown, keep_trailing_newline=True, **shared
        )
        self._html.filters.update(_HTML_FILTERS | entity_html.FILTERS)
        self._markdown.filters.update(_MARKDOWN_FILTERS | board_markdown.FILTERS | entity_markdown.FILTERS)
        self._places: dict[str, str] = {}
        self.paged: dict[str, str] = {}
        """Where results stand that are not on the first part of their benchmark's page."""
        self._markdown.globals[board_markdown.PLACES] = self._places.__getitem__

    def html(self, page: Page, site: Site) -> str:
        """The page as HTML."""
        return _render(self._html, f"{_TEMPLATES[type(page)]}.html", page, site) + "\n"

    def markdown(self, page: Page, site: Site) -> Iterator[tuple[str, str]]:
        """Path and text of the page's Markdown parts; a benchmark's own page comes before the views by its metrics."""
        if not isinstance(page, BenchmarkPage) or page.is_main:
            self._places.clear()
            self._places.update((name, self.paged.get(name, board.md)) for name, board in linked_results(page))
        return markdown_parts(page, lambda part: self._markdown_part(part, site), self._places)

    def places_beyond(self, first: str) -> dict[str, str]:
        """Results of the benchmark rendered last that stand on another part than the first."""
        return {name: place for name, place in self._places.items() if place != first}

    def _markdown_part(self, page: Page, site: Site) -> str:
        """One part as Markdown, without doubled blank lines."""
        text = _render(self._markdown, f"{_TEMPLATES[type(page)]}.md", page, site)
        while "\n\n\n" in text:
            text = text.replace("\n\n\n", "\n\n")
        return text.strip("\n") + "\n"


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
    title = f' title="{html_text(link.title)}"' if link.title and text is None else ""
    shown = html_text(link.text if text is None else text)
    href = escape(_here(context, link.to.html) + anchor)
    return Markup(f'<a href="{href}"{title}><bdi>{shown}</bdi></a>')  # noqa: S704 - escaped here


def _html_bdi(text: str) -> Markup:
    """Text whose direction does not disturb its neighbours."""
    return Markup(f"<bdi>{html_text(text)}</bdi>")  # noqa: S704 - escaped here


def _html_external(link: External) -> Markup:
    return Markup(f'<a href="{escape(link.url)}" rel="noopener">{_html_bdi(link.text)}</a>')  # noqa: S704


@pass_context
def _html_part(context: Context, part: str | Link | External) -> Markup:
    if isinstance(part, str):
        return _html_bdi(part)
    return _html_link(context, part) if isinstance(part, Link) else _html_external(part)


@pass_context
def _metric_href(context: Context, metric: MetricLine) -> str:
    return _here(context, metric.to.html)


@pass_context
def _canonical(context: Context, page: Page) -> str:
    return f"{context['site'].base_url.rstrip('/')}/{page.address.html.removesuffix('index.html')}"


@pass_context
def _new_address(context: Context, page: MovedPage) -> str:
    """Where a page moved to, with its host where that is known."""
    base, target = context["site"].base_url, page.to.to.html
    return f"{base.rstrip('/')}/{target.removesuffix('index.html')}" if base else _here(context, target)


@pass_context
def _feed(context: Context, page: Page) -> str:
    return feed_of(page, context["site"])


@pass_context
def _json_ld(context: Context, page: Page) -> Markup:
    return json_ld(page, context["site"])


_HTML_FILTERS: dict[str, Callable[..., Any]] = {
    **BOARD_FILTERS,
    "a": _html_link,
    "bdi": _html_bdi,
    "canonical": _canonical,
    "external": _html_external,
    "feed": _feed,
    "here": _html_here,
    "json": settings_json,
    "json_ld": _json_ld,
    "metric_href": _metric_href,
    "new_address": _new_address,
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
def _md_image(context: Context, path: str, text: str) -> Markdown:
    return md_link(text, _md_target(context, path))


@pass_context
def _md_index(context: Context, name: str) -> Markdown:
    return md_link(name, _md_target(context, name))


@pass_context
def _md_metric(context: Context, metric: MetricLine) -> Markdown:
    return md_link(md_verbatim(metric.label), _md_target(context, metric.to.md))


@pass_context
def _md_part_link(context: Context, address: Address, text: str) -> Markdown:
    return md_link(text, _md_target(context, address.md))


_MARKDOWN_FILTERS: dict[str, Callable[..., Any]] = {
    "a": _md_a,
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
    "verbatim": md_verbatim,
    "words": _SENTENCES.__getitem__,
}
