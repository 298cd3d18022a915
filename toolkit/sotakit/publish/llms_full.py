"""llms-full.txt: the most useful Markdown pages in one bounded file, which says what it holds and leaves out."""

from collections.abc import Callable, Collection, Iterator
from itertools import count, takewhile

from sotakit.publish import urls
from sotakit.publish.contexts import Site
from sotakit.publish.escape import llms_text
from sotakit.publish.markdown_links import moved
from sotakit.publish.overview import Overview
from sotakit.publish.paging import part_address
from sotakit.publish.urls import Address, from_markdown

PATH = "llms-full.txt"
MAX_BYTES = 1_000_000

_HEAD_BYTES = 2_000
"""Room for the head of the file."""


def full_text(overview: Overview, site: Site, known: Collection[str], read: Callable[[str], bytes]) -> bytes:
    """The file: first page, benchmarks with most results first, then metrics, as long as whole pages fit.

    `known` are the files of the site, which `read` gives. Links lead from this file to where they led from the pages.
    """
    chosen: list[bytes] = []
    size, held = _HEAD_BYTES, 0
    for page in _pages(overview):
        names = takewhile(known.__contains__, (part_address(page, number).md for number in count(1)))
        parts = [_part(name, read(name).decode(), site) for name in names]
        size += sum(len(part) + 1 for part in parts)
        if size > MAX_BYTES:
            break
        chosen += parts
        held += 1
    return b"\n".join([_head(overview, site, held).encode(), *chosen])


def _pages(overview: Overview) -> Iterator[Address]:
    yield urls.HOME
    yield from map(urls.benchmark, overview.largest_first(overview.catalog.boards))
    yield from (urls.entity("metrics", name) for name in overview.catalog.tables["metrics"])


def _part(path: str, text: str, site: Site) -> bytes:
    """A file with a line above it that names it."""
    return f"=== {path} ===\n\n{moved(text, path, from_markdown(PATH, path, site.base_url))}".encode()


def _head(overview: Overview, site: Site, held: int) -> str:
    total = 1 + len(overview.catalog.boards) + len(overview.catalog.tables["metrics"])
    links = "" if site.base_url else " Links are relative to the file at hand."
    note = (
        f"This file holds {held:,} of {total:,} pages: the first page, the benchmarks with most results first, then "
        f"the metrics. It leaves out {total - held:,} of these, the views by single metrics, and the pages of tasks, "
        "datasets, methods and papers; llms.txt leads to all of them. Each page begins with a line that has its path "
        f"between signs of equality.{links}"
    )
    return f"# {llms_text(site.title)}: pages in full\n\n> {llms_text(site.description)}\n\n{note}\n"
