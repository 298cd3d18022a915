"""The links of every kind of file of a site, as they stand in it."""

import html
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from sotakit.publish.markdown_links import link_targets

_HREF = re.compile(r'<(?:a|link|img|script)\b[^>]*?\b(?:href|src)="([^"]*)"')
_REFRESH = re.compile(r'<meta http-equiv="refresh" content="[0-9]+; *url=([^"]*)"')
_JSON_LD = re.compile(r'<script type="application/ld\+json">(.*?)</script>', re.DOTALL)
_LLMS_LINK = re.compile(r"^- \[.*?\]\(([^)]*)\)", re.MULTILINE)
_SITEMAP_OF_ROBOTS = re.compile(r"^Sitemap: (\S+)$", re.MULTILINE)
_XML_LINK = re.compile(r'<link\b[^>]*?\bhref="([^"]*)"|<loc>([^<]*)</loc>')
_ADDRESSES = ("url", "contentUrl")
"""Fields of a schema.org description that hold an address."""


def links_of(name: str, text: str) -> Iterator[str]:
    """The targets of all links of a file that are relative to the file, or absolute."""
    for ending, links in _KINDS.items():
        if name.endswith(ending):
            yield from links(text)
            return


def pages_of(document: Any) -> Iterator[str]:
    """The pages that the JSON of an entity names, from the root of the site."""
    for links in document.get("related", {}).values():
        yield from (link["page"] for link in links)
    yield from (row["benchmark"] for row in document.get("results", ()))


def index_links(text: str) -> list[str]:
    """The targets of the items of an llms.txt."""
    return _LLMS_LINK.findall(text)


def _of_html(text: str) -> Iterator[str]:
    yield from map(html.unescape, _HREF.findall(text))
    yield from map(html.unescape, _REFRESH.findall(text))
    for found in _JSON_LD.findall(text):
        yield from _addresses(json.loads(found))


def _of_markdown(text: str) -> Iterator[str]:
    yield from map(html.unescape, link_targets(text))


def _of_text(text: str) -> Iterator[str]:
    yield from _of_markdown(text)
    yield from _SITEMAP_OF_ROBOTS.findall(text)


def _of_xml(text: str) -> Iterator[str]:
    yield from (html.unescape(href or place) for href, place in _XML_LINK.findall(text))


def _addresses(value: Any) -> Iterator[str]:
    """The addresses anywhere in a schema.org description."""
    if isinstance(value, list):
        for item in value:
            yield from _addresses(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from [item] if key in _ADDRESSES and isinstance(item, str) else _addresses(item)


_KINDS: dict[str, Callable[[str], Iterator[str]]] = {
    ".html": _of_html,
    ".md": _of_markdown,
    ".txt": _of_text,
    ".xml": _of_xml,
    "croissant.json": lambda text: _addresses(json.loads(text)),
}
"""Endings of names."""
