"""What a finished site promises, checked on its files: links, anchors, table widths, and one truth in three forms.

Works on any folder that `build-site` wrote, with no look at records or templates.
"""

import html
import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from sotakit.errors import PageError
from sotakit.exchange.pages import read_page

_HREF = re.compile(r'<(?:a|link|img|script)\b[^>]*?\b(?:href|src)="([^"]*)"')
_ID = re.compile(r'<[a-z][^>]*?\bid="([^"]*)"')
_MD_LINK = re.compile(r"(?<!\\)\]\(<([^>]*)>\)")
_LLMS_LINK = re.compile(r"^- \[.*?\]\(([^)]*)\)", re.MULTILINE)
_PIPE = re.compile(r"(?<!\\)\|")
_ARTICLE = re.compile(r'<article class="result" aria-labelledby="d-([^"]+)">(.*?)</article>', re.DOTALL)
_SCORE = re.compile(r'<dd data-metric="([^"]+)">(?:<bdi class="text">(.*?)</bdi>)?', re.DOTALL)
_BASE_LINKS = ("404.html",)

Claim = tuple[str, str, str]
"""Result id, metric, value text."""


class SiteFault(NamedTuple):
    """A promise that a file of the site does not keep."""

    file: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}: {self.message}"


def check_site(folder: Path) -> Iterator[SiteFault]:
    """Every fault of the site in a folder."""
    site = _Site(folder)
    for name in site.names:
        try:
            yield from _check_file(site, name)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            yield SiteFault(name, f"is damaged and cannot be checked whole: {type(error).__name__}: {error}")


def _check_file(site: "_Site", name: str) -> Iterator[SiteFault]:
    if name.endswith(".html") and name not in _BASE_LINKS:
        yield from site.broken(name, (html.unescape(link) for link in _HREF.findall(site.text(name))))
    elif name.endswith(".md"):
        yield from site.broken(name, (html.unescape(link) for link in _MD_LINK.findall(site.text(name))))
        yield from _uneven_tables(name, site.text(name))
    elif name.endswith("llms.txt"):
        yield from site.broken(name, _LLMS_LINK.findall(site.text(name)))
    elif re.fullmatch(r"sota/[^/]+\.json", name):
        yield from _disparity(site, name.removesuffix(".json"))


class _Site:
    """The text files of a site, each read when it is needed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
        self._known = set(self.names)
        self._anchors: dict[str, frozenset[str]] = {}

    def text(self, name: str) -> str:
        """The text of a file."""
        return (self._folder / name).read_text(encoding="utf-8")

    def broken(self, start: str, links: Iterator[str] | list[str]) -> Iterator[SiteFault]:
        """The links of a file that lead to no file or to no anchor."""
        for link in dict.fromkeys(links):
            target = self._target(start, link)
            if target is None:
                continue
            name, anchor = target
            if name not in self._known:
                yield SiteFault(start, f"the link {link!r} leads to {name!r}, which is not there")
            elif anchor and anchor not in self._anchors_of(name):
                yield SiteFault(start, f"the link {link!r} leads to an anchor that {name!r} does not have")

    def _target(self, start: str, link: str) -> tuple[str, str] | None:
        """The file and the anchor that a link of the site means; None where it leaves the site."""
        path, _, anchor = link.partition("#")
        if self.base and path.startswith(self.base):
            name = path.removeprefix(self.base)
            name += "index.html" if not name or name.endswith("/") else ""
        elif re.match(r"[a-z][a-z0-9+.-]*:|//", path):
            return None
        else:
            name = posixpath.normpath(posixpath.join(posixpath.dirname(start), path)) if path else start
        return unquote(name), unquote(anchor)

    def _anchors_of(self, name: str) -> frozenset[str]:
        if name not in self._anchors:
            self._anchors[name] = frozenset(html.unescape(found) for found in _ID.findall(self.text(name)))
        return self._anchors[name]

    @cached_property
    def base(self) -> str:
        """The address the site was built for, taken from the index's link to the first page; empty if relative."""
        links = _LLMS_LINK.findall(self.text("llms.txt")) if "llms.txt" in self._known else []
        absolute = [link for link in links if "://" in link and link.endswith("/index.md")]
        return min(absolute, key=len, default="").removesuffix("index.md")


def _uneven_tables(name: str, text: str) -> Iterator[SiteFault]:
    """Rows of tables that have another number of cells than their header, counted in the raw text."""
    width = 0
    for number, line in enumerate(text.split("\n"), 1):
        cells = len(_PIPE.findall(line)) if line.startswith("|") else 0
        if width and cells and cells != width:
            yield SiteFault(f"{name}:{number}", f"a table row with {cells - 1} cells below a header with {width - 1}")
        width = width or cells if cells else 0


def _disparity(site: _Site, stem: str) -> Iterator[SiteFault]:
    """Claims that stand in one form of a benchmark's page and not in another."""
    document = json.loads(site.text(f"{stem}.json"))
    labels = {metric["key"]: metric["label"] for metric in document["metrics"]}
    forms: Mapping[str, set[Claim]] = {
        f"{stem}.json": _json_claims(document, labels),
        f"{stem}/index.html": _html_claims(site.text(f"{stem}/index.html"), labels),
    }
    try:
        forms = {**forms, f"{stem}.md": _markdown_claims(site, stem)}
    except PageError as error:
        yield SiteFault(f"{stem}.md", str(error))
    everything = set().union(*forms.values())
    for name, claims in forms.items():
        for claim in sorted(everything - claims):
            yield SiteFault(name, f"the value {claim[2]!r} of {claim[1]!r} of the result {claim[0]!r} is missing")


def _json_claims(
    document: dict[str, list[dict[str, dict[str, dict[str, str]]]]], labels: Mapping[str, str]
) -> set[Claim]:
    rows = [*document["recorded"], *document["regenerated"]]
    return {(str(row["id"]), labels[key], score["text"]) for row in rows for key, score in row["scores"].items()}


def _html_claims(text: str, labels: Mapping[str, str]) -> set[Claim]:
    return {
        (html.unescape(result), labels[html.unescape(key)], html.unescape(value))
        for result, body in _ARTICLE.findall(text)
        for key, value in _SCORE.findall(body)
    }


def _markdown_claims(site: _Site, stem: str) -> set[Claim]:
    pages = [
        name for name in site.names if name == f"{stem}.md" or re.fullmatch(rf"{re.escape(stem)}/page-\d+\.md", name)
    ]
    records = [record for name in pages for record in read_page(site.text(name), name)]
    return {(record.id, label, score["text"]) for record in records for label, score in record.scores.items()}
