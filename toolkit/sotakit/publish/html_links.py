"""What HTML templates write links with: every link starts at the page that is being made, every text is escaped."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from html import escape
from typing import Any

from jinja2 import pass_context
from markupsafe import Markup

from sotakit.publish.contexts import Page, Site
from sotakit.publish.entity_contexts import ErrorPage, MovedPage
from sotakit.publish.escape import REMEMBERED, html_text, one_line
from sotakit.publish.feeds import feed_of
from sotakit.publish.rows import External, Link


class HtmlLinks:
    """The filters of one renderer, which makes one page of a site at a time."""

    def __init__(self, site: Site) -> None:
        self._site, self._root = site, ""
        self.filters: dict[str, Callable[..., Any]] = {
            "a": self.link,
            "bdi": bdi,
            "external": external,
            "head_links": self.head_links,
            "here": pass_context(lambda _, target: self.here(target)),  # else a constant would be worked out only once
            "links": self.links,
            "new_address": self.new_address,
            "one_line": one_line,
            "part": self.part,
        }

    def start_at(self, page: Page) -> None:
        """The page that links start at; on the error page they start at the root of the host."""
        self._root = page.address.root
        if isinstance(page, ErrorPage):
            path = (self._site.base_url or "").split("://", 1)[-1].partition("/")[2].strip("/")
            self._root = f"/{path}/" if path else "/"

    def here(self, target: str) -> str:
        """The way to a file of the site."""
        return self._root + target

    def link(self, link: Link, text: str | None = None) -> Markup:
        """A link, with its longer title where it goes by its own text."""
        target = f"{link.to.html}#{link.anchor}" if link.anchor else link.to.html
        return _link(self._root + target, "" if text is not None else link.title, link.text if text is None else text)

    def links(self, links: Iterable[Link], between: str = " ") -> Markup:
        """Several links, with plain text between them."""
        return Markup(escape(between).join(map(self.link, links)))  # noqa: S704 - escaped here

    def part(self, part: str | Link | External) -> Markup:
        """A piece of a recorded fact."""
        if isinstance(part, str):
            return bdi(part)
        return self.link(part) if isinstance(part, Link) else external(part)

    def head_links(self, page: Page) -> Markup:
        """The other forms of a page, for its head."""
        address, base, feed = page.address, self._site.base_url, feed_of(page, self._site)
        lines = []
        if address.md:
            lines.append(_alternate("text/markdown", self.here(address.md), "This page as Markdown"))
            lines.append(f'<link rel="describedby" type="text/markdown" href="{escape(self.here("llms.txt"))}">')
        if address.json:
            lines.append(_alternate("application/json", self.here(address.json), "This page as JSON"))
        if base and address.md:
            lines.append(f'<link rel="canonical" href="{escape(_absolute(base, address.html))}">')
        if feed:
            lines.append(_alternate("application/atom+xml", self.here(feed), "New results and corrections"))
        return Markup("\n".join(lines))  # noqa: S704 - escaped above

    def new_address(self, page: MovedPage) -> str:
        """Where a page moved to, with its host where that is known."""
        base, target = self._site.base_url, page.to.to.html
        return _absolute(base, target) if base else self.here(target)


@lru_cache(REMEMBERED)
def bdi(text: str) -> Markup:
    """Text whose direction does not disturb its neighbours."""
    return Markup(f"<bdi>{html_text(text)}</bdi>")  # noqa: S704 - escaped here


def external(link: External) -> Markup:
    """A link that leaves the site."""
    return Markup(f'<a href="{escape(link.url)}" rel="noopener">{bdi(link.text)}</a>')  # noqa: S704 - escaped here


@lru_cache(REMEMBERED)
def _link(href: str, title: str, text: str) -> Markup:
    about = f' title="{escape(title)}"' if title else ""
    return Markup(f'<a href="{escape(href)}"{about}><bdi>{escape(text)}</bdi></a>')  # noqa: S704 - escaped here


def _alternate(kind: str, href: str, title: str) -> str:
    return f'<link rel="alternate" type="{kind}" href="{escape(href)}" title="{title}">'


def _absolute(base: str, path: str) -> str:
    return f"{base.rstrip('/')}/{path.removesuffix('index.html')}"
