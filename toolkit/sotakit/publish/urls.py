"""Addresses: where each page lies, and how pages link to one another.

Links in HTML are relative and end in `index.html`, so that a site works under any path and from a disk. Links in
Markdown and llms.txt are absolute when a base address is known, else relative to the file they stand in.
"""

from typing import NamedTuple

ENTITY_FOLDERS = {"tasks": "task", "datasets": "dataset", "metrics": "metric", "methods": "method", "sources": "paper"}


class Address(NamedTuple):
    """The files of one page, relative to the site; a page without a Markdown or JSON twin leaves it empty."""

    html: str
    md: str = ""
    json: str = ""

    @property
    def root(self) -> str:
        """The way from the HTML page to the root of the site."""
        return "../" * self.html.count("/")


HOME = Address("index.html", "index.md")


def benchmark(identifier: str) -> Address:
    """The page of a benchmark."""
    return Address(f"sota/{identifier}/index.html", f"sota/{identifier}.md", f"sota/{identifier}.json")


def metric_view(identifier: str, key: str) -> Address:
    """A benchmark sorted by one of its metrics."""
    return Address(f"sota/{identifier}/{key}/index.html", f"sota/{identifier}/{key}.md")


def entity(table: str, identifier: str) -> Address:
    """The page of a task, dataset, metric, method or source."""
    folder = ENTITY_FOLDERS[table]
    return Address(f"{folder}/{identifier}/index.html", f"{folder}/{identifier}.md", f"{folder}/{identifier}.json")


def image(source: str, name: str) -> str:
    """The file of an image of a source."""
    return f"paper/{source}/{name}"


def listing(folder: str) -> Address:
    """The list of all pages of a kind."""
    return Address(f"{folder}/index.html", f"{folder}/index.md")


def relative(start: str, target: str) -> str:
    """The way from one file of the site to another; both are plain paths below the site's folder."""
    if not target.startswith(f"{start.partition('/')[0]}/"):
        return "../" * start.count("/") + target
    here, there = start.split("/"), target.split("/")
    shared = 0
    while shared < min(len(here), len(there)) - 1 and here[shared] == there[shared]:
        shared += 1
    return "../" * (len(here) - 1 - shared) + "/".join(there[shared:])


def from_markdown(start: str, target: str, base_url: str | None) -> str:
    """A link in Markdown: absolute below a base address, else relative."""
    return f"{base_url.rstrip('/')}/{target}" if base_url else relative(start, target)
