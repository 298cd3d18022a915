"""What a finished site promises, checked on its files: links, anchors, table widths, and one truth in all forms.

Works on any folder that `build-site` wrote, with no look at records or templates.
"""

import html
import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from sotakit.errors import PageError
from sotakit.exchange.pages import read_page
from sotakit.publish.site_csv import csv_faults
from sotakit.publish.site_links import index_links, links_of, pages_of
from sotakit.publish.site_marks import expected, faults, rows_of, shown_in, stated
from sotakit.publish.words import FALLEN_MARKS

_ID = re.compile(r'<[a-z][^>]*?\bid="([^"]*)"')
_PIPE = re.compile(r"(?<!\\)\|")
_ARTICLE = re.compile(r'<article class="result" aria-labelledby="d-([^"]+)">(.*?)</article>', re.DOTALL)
_SCORE = re.compile(
    r'<dd data-metric="([^"]+)">(?:<span class="sign">[^<]*</span> )?(?:<bdi class="text">(.*?)</bdi>)?', re.DOTALL
)
_BOARD = re.compile(r"sota/[^/]+\.json")
_OF_ENTITY = re.compile(r"(?:task|dataset|metric|method|paper)/[^/]+\.json")
_READ = (".html", ".md", ".txt", ".xml", ".csv", ".json")
"""Endings of the files that are looked into."""

_BASE_LINKS = ("404.html",)
"""Pages whose links start at the root of the host."""

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
    board = _BOARD.fullmatch(name)
    if not board and not name.endswith(_READ):
        return
    text = site.text(name)
    yield from site.broken(name, links_of(name, text))
    if name.endswith(".md"):
        yield from _uneven_tables(name, text)
    if board:
        yield from _disparity(site, name.removesuffix(".json"))
    elif _OF_ENTITY.fullmatch(name):
        yield from site.broken(name, pages_of(json.loads(text)), start="")
    if not board and (not name.endswith(".json") or _OF_ENTITY.fullmatch(name)):
        yield from _marks(site, name, text)


def _marks(site: "_Site", name: str, text: str) -> Iterator[SiteFault]:
    """Results whose marks differ from those that they have."""
    for shown in shown_in(name, text):
        if shown.id in site.marks:
            yield from (SiteFault(name, fault) for fault in faults(shown, site.marks[shown.id]))


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

    def broken(self, file: str, links: Iterator[str], start: str | None = None) -> Iterator[SiteFault]:
        """The links of a file that lead to no file or to no anchor; `start` is where they start if not at the file."""
        for link in dict.fromkeys(links):
            target = self._target(file if start is None else start, link)
            if target is None:
                continue
            name, anchor = target
            if name not in self._known:
                yield SiteFault(file, f"the link {link!r} leads to {name!r}, which is not there")
            elif anchor and anchor not in self._anchors_of(name):
                yield SiteFault(file, f"the link {link!r} leads to an anchor that {name!r} does not have")

    def _target(self, start: str, link: str) -> tuple[str, str] | None:
        """The file and the anchor that a link of the site means; None where it leaves the site."""
        path, _, anchor = link.partition("#")
        if self.base and path.startswith(self.base):
            name = _file(path.removeprefix(self.base))
        elif start in _BASE_LINKS and path.startswith("/") and not path.startswith("//"):
            name = _file(path.removeprefix(urlsplit(self.base).path or "/"))
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
    def marks(self) -> Mapping[str, frozenset[str]]:
        """The marks of every result, by id; those of a damaged file are not known."""
        found: dict[str, frozenset[str]] = {}
        for name in filter(_BOARD.fullmatch, self.names):
            with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
                found |= {row["id"]: expected(row) for row in rows_of(json.loads(self.text(name)))}
        return found

    @cached_property
    def base(self) -> str:
        """The address the site was built for, taken from the index's link to the first page; empty if relative."""
        links = index_links(self.text("llms.txt")) if "llms.txt" in self._known else []
        absolute = [link for link in links if "://" in link and link.endswith("/index.md")]
        return min(absolute, key=len, default="").removesuffix("index.md")


def _file(path: str) -> str:
    """The file that a host gives for a path."""
    return f"{path}index.html" if not path or path.endswith("/") else path


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
    for row in rows_of(document):
        yield from (SiteFault(f"{stem}.json", fault) for fault in faults(stated(row), expected(row)))
        if row["stands"] == (not expected(row).isdisjoint(FALLEN_MARKS)):
            yield SiteFault(f"{stem}.json", f"the marks of the result {row['id']!r} do not say whether it stands")
    yield from (SiteFault(f"{stem}.csv", fault) for fault in csv_faults(site.text(f"{stem}.csv"), document))
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
