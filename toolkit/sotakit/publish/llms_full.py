"""llms-full.txt: the most useful Markdown pages in one bounded file, which says what it holds and leaves out."""

from collections.abc import Callable, Iterator, Mapping
from itertools import count, takewhile

from sotakit.publish import urls
from sotakit.publish.contexts import Site
from sotakit.publish.escape import llms_text
from sotakit.publish.overview import Overview
from sotakit.publish.paging import part_address
from sotakit.publish.urls import Address

PATH = "llms-full.txt"
MAX_BYTES = 1_000_000

_HEAD_BYTES = 2_000
"""Room for the head of the file."""


def full_text(overview: Overview, site: Site, sizes: Mapping[str, int], read: Callable[[str], bytes]) -> bytes:
    """The file: first page, benchmarks with most results first, then metrics, as long as whole pages fit.

    `sizes` has the size of every file of the site, which `read` gives.
    """
    chosen: list[str] = []
    size, held = _HEAD_BYTES, 0
    for page in _pages(overview):
        parts = list(takewhile(sizes.__contains__, (part_address(page, number).md for number in count(1))))
        size += sum(len(_title(part)) + sizes[part] + 1 for part in parts)
        if size > MAX_BYTES:
            break
        chosen += parts
        held += 1
    return b"\n".join([_head(overview, site, held).encode(), *(_title(part) + read(part) for part in chosen)])


def _pages(overview: Overview) -> Iterator[Address]:
    yield urls.HOME
    yield from map(urls.benchmark, overview.largest_first(overview.catalog.boards))
    yield from (urls.entity("metrics", name) for name in overview.catalog.tables["metrics"])


def _title(path: str) -> bytes:
    return f"=== {path} ===\n\n".encode()


def _head(overview: Overview, site: Site, held: int) -> str:
    total = 1 + len(overview.catalog.boards) + len(overview.catalog.tables["metrics"])
    links = "" if site.base_url else " Links are relative to the path that stands before a page."
    note = (
        f"This file holds {held:,} of {total:,} pages: the first page, the benchmarks with most results first, then "
        f"the metrics. It leaves out {total - held:,} of these, the views by single metrics, and the pages of tasks, "
        "datasets, methods and papers; llms.txt leads to all of them. Each page begins with a line that has its path "
        f"between signs of equality.{links}"
    )
    return f"# {llms_text(site.title)}: pages in full\n\n> {llms_text(site.description)}\n\n{note}\n"
