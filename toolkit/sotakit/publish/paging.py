"""Long pages in Markdown: at most 100 results and about 50,000 characters each, so that an agent can take one in.

Part 1 lies at the page's own address, part k at `<address>/page-k.md`.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from sotakit.publish.contexts import BenchmarkPage, Page, Part
from sotakit.publish.entity_contexts import CorrectionsPage, EntityPage, ListingPage
from sotakit.publish.urls import Address

MAX_ROWS = 100
MAX_CHARS = 50_000

_Long = EntityPage | ListingPage | CorrectionsPage
"""Pages whose field named by `long` is split."""

Render = Callable[[Page], str]


def markdown_parts(page: Page, render: Render, places: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Path and text of every part of a page.

    Notes in `places` where each result of a benchmark's own page stands, before anything is rendered that links there.
    """
    size = MAX_ROWS
    while True:
        parts = split(page, size)
        _note_places(parts, places)
        texts: list[str] = []
        for part in parts:
            texts.append(render(part))
            if len(texts[-1]) > MAX_CHARS and size > 1:
                break  # smaller parts are made at once, before any other of this size
        else:
            break
        size = max(1, min(size - 1, size * MAX_CHARS // len(texts[-1])))
    yield from ((part.address.md, text) for part, text in zip(parts, texts, strict=True))


def split(page: Page, size: int) -> list[Page]:
    """The parts of a page with at most `size` rows each; the page itself if it is short enough or has no rows."""
    rows = _rows(page)
    count = max(1, -(-len(rows) // size))
    if count == 1:
        return [page]
    addresses = [part_address(page.address, number) for number in range(1, count + 1)]
    return [
        replace(
            _with_rows(page, rows[(number - 1) * size : number * size]),
            address=addresses[number - 1],
            part=Part(
                number,
                count,
                addresses[number - 2] if number > 1 else None,
                addresses[number] if number < count else None,
            ),
        )
        for number in range(1, count + 1)
    ]


def _rows(page: Page) -> tuple[object, ...]:
    if isinstance(page, BenchmarkPage):
        return page.rows + page.regenerated
    rows: tuple[object, ...] = getattr(page, page.long) if isinstance(page, _Long) else ()
    return rows


def _with_rows(page: Page, rows: tuple[object, ...]) -> BenchmarkPage | _Long:
    chosen = set(map(id, rows))
    if isinstance(page, BenchmarkPage):
        recorded = tuple(row for row in page.rows if id(row) in chosen)
        regenerated = tuple(row for row in page.regenerated if id(row) in chosen)
        shown = tuple(run for run in page.runs.rows if id(run.row) in chosen)
        return replace(page, rows=recorded, regenerated=regenerated, runs=replace(page.runs, rows=shown))
    if isinstance(page, _Long):
        changed: dict[str, Any] = {page.long: rows}
        return replace(page, **changed)
    raise TypeError(f"{type(page).__name__} has no rows to split")


def part_address(address: Address, number: int) -> Address:
    """Where a part of a page lies, by its number from 1 on."""
    if number == 1:
        return address
    return address._replace(md=f"{address.md.removesuffix('.md').removesuffix('/index')}/page-{number}.md")


def _note_places(parts: list[Page], places: dict[str, str]) -> None:
    for part in parts:
        if isinstance(part, BenchmarkPage) and part.is_main:
            places.update((row.id, part.address.md) for row in part.rows + part.regenerated)


def linked_results(page: Page) -> Iterator[tuple[str, Address]]:
    """The results that a page of anything but a benchmark links to, each with the page of its benchmark."""
    if isinstance(page, EntityPage):
        yield from ((row.id, row.benchmark.to) for row in page.appearances)
    elif isinstance(page, CorrectionsPage):
        yield from ((entry.result, entry.page.to) for entry in page.entries if entry.result)
