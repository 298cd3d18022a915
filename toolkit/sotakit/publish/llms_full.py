"""llms-full.txt: the most useful Markdown pages in one bounded file, which says what it holds and leaves out."""

from collections.abc import Iterator

from sotakit.publish.benchmark_pages import benchmark_pages
from sotakit.publish.contexts import Page, Site
from sotakit.publish.entity_pages import entity_pages
from sotakit.publish.escape import llms_text
from sotakit.publish.home_page import home_page
from sotakit.publish.overview import Overview
from sotakit.publish.render import Renderer

PATH = "llms-full.txt"
MAX_BYTES = 1_000_000
_TOGETHER = 16
"""Benchmarks whose rows are made in one go."""

_HEAD_BYTES = 2_000
"""Room for the head of the file."""


def full_files(overview: Overview, site: Site, renderer: Renderer) -> Iterator[tuple[str, str]]:
    """The file: first page, benchmarks with most results first, then metrics, as long as whole pages fit."""
    chosen: list[str] = []
    size, held = _HEAD_BYTES, 0
    for page in _pages(overview):
        parts = [f"=== {path} ===\n\n{text}" for path, text in renderer.markdown(page)]
        size += sum(len(part.encode()) + 1 for part in parts)
        if size > MAX_BYTES:
            break
        chosen += parts
        held += 1
    yield PATH, "\n".join([_head(overview, site, held), *chosen])


def _pages(overview: Overview) -> Iterator[Page]:
    yield home_page(overview)
    boards = overview.catalog.boards
    names = overview.largest_first(boards)
    for start in range(0, len(names), _TOGETHER):
        for pages in benchmark_pages(overview, [boards[name] for name in names[start : start + _TOGETHER]]):
            yield next(pages)
    yield from entity_pages(overview, ("metrics",))


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
