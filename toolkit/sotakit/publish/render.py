"""Rendering: a page context to HTML by autoescaping templates, and to Markdown by templates that escape as Markdown.

Templates see `page` and `site`, a misspelt name fails the build, and everything printed is escaped unless a filter made
it. Filters are the only place that knows how links look.
"""

import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError, TemplateSyntaxError, pass_context
from jinja2.runtime import Context

from sotakit.errors import UsageError
from sotakit.publish import board_markdown, entity_html, entity_markdown, words
from sotakit.publish.ahead import Ahead
from sotakit.publish.board_frame import BOARD_FILTERS, BOARD_PIECES
from sotakit.publish.contexts import BenchmarkPage, MetricLine, Page, Site
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
from sotakit.publish.escape import Markdown, md_json, md_link, md_text, md_verbatim
from sotakit.publish.html_links import HtmlLinks
from sotakit.publish.paging import linked_results, markdown_parts
from sotakit.publish.rows import External, Link
from sotakit.publish.stated import page_checksum
from sotakit.publish.urls import Address, from_markdown

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


class Renderer:
    """Renders pages of a site with the templates of some folders; a file in an earlier one wins over its namesake."""

    def __init__(self, folders: list[Path], site: Site) -> None:
        shared: dict[str, Any] = {"undefined": StrictUndefined, "trim_blocks": True, "lstrip_blocks": True}
        shared["auto_reload"] = False  # templates do not change while a site is built
        html = [folder / "templates/html" for folder in folders]
        markdown = [folder / "templates/markdown" for folder in folders]
        self._html = Environment(loader=FileSystemLoader(html), autoescape=True, **shared)
        self._markdown = Environment(  # noqa: S701 - escaped by `finalize`, as Markdown
            loader=FileSystemLoader(markdown), finalize=_as_markdown, keep_trailing_newline=True, **shared
        )
        self._site = site
        self._links = HtmlLinks(site)
        self._ahead = Ahead(BOARD_PIECES, site)
        self._html.filters.update(BOARD_FILTERS | entity_html.FILTERS | self._links.filters | self._ahead.filters)
        self._markdown.filters.update(_MARKDOWN_FILTERS | board_markdown.FILTERS | entity_markdown.FILTERS)
        self._places: dict[str, str] = {}
        self.paged: dict[str, str] = {}
        """Where results stand that are not on the first part of their benchmark's page."""
        self._markdown.globals[board_markdown.PLACES] = self._places.__getitem__

    def benchmarks_html(self, pages: Sequence[BenchmarkPage]) -> Iterator[bytes]:
        """Several pages as HTML; faster than one by one."""
        self._ahead.make([page for page in pages if page.is_main and page.rows])
        return map(self.html, pages)

    def html(self, page: Page) -> bytes:
        """The page as HTML in UTF-8."""
        self._links.start_at(page)
        template = f"{_TEMPLATES[type(page)]}.html"
        return b"".join([*map(str.encode, _rendered(self._html, template, page, self._site)), b"\n"])

    def markdown(self, page: Page) -> Iterator[tuple[str, str]]:
        """Path and text of the page's Markdown parts; a benchmark's own page comes before the views by its metrics."""
        if not isinstance(page, BenchmarkPage) or page.is_main:
            self._places.clear()
            self._places.update((name, self.paged.get(name, board.md)) for name, board in linked_results(page))
        return markdown_parts(page, self._markdown_part, self._places)

    def places_beyond(self, first: str) -> dict[str, str]:
        """Results of the benchmark rendered last that stand on another part than the first."""
        return {name: place for name, place in self._places.items() if place != first}

    def _markdown_part(self, page: Page) -> str:
        """One part as Markdown, without doubled blank lines."""
        text = "".join(_rendered(self._markdown, f"{_TEMPLATES[type(page)]}.md", page, self._site))
        while "\n\n\n" in text:
            text = text.replace("\n\n\n", "\n\n")
        return text.strip("\n") + "\n"


def _rendered(environment: Environment, template: str, page: Page, site: Site) -> Iterator[str]:
    """One page in pieces; a fault in a template is the user's to mend, so it is named with its place."""
    try:
        yield from environment.get_template(template).generate(page=page, site=site)
    except TemplateSyntaxError as error:
        raise UsageError(f"{error.filename or error.name}:{error.lineno}: {error.message}") from error
    except TemplateError as error:
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "templates/" in frame.filename]
        place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else template
        raise UsageError(f"{place}: {error.message or error} (page {page.address.html})") from error


def _as_markdown(value: Any) -> Any:
    return md_text(value) if isinstance(value, str) and not isinstance(value, Markdown) else value


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
    "words": words.SENTENCES.__getitem__,
}
