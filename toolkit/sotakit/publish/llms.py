"""llms.txt: what is here, for language models, in the form its reference parser and strict validators read.

The root index lists every benchmark while it stays small; a larger collection gets `sota/llms.txt`, and where that is
still large one index for each task. Every index is whole by itself and says how to read the numbers.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import NamedTuple

from sotakit.catalog import Board
from sotakit.publish import urls, words
from sotakit.publish.about import ADDRESS as ABOUT
from sotakit.publish.contexts import Site
from sotakit.publish.corrections import ADDRESS as CORRECTIONS
from sotakit.publish.croissant import PATH as CROISSANT
from sotakit.publish.escape import llms_link, llms_text
from sotakit.publish.home_page import board_line
from sotakit.publish.llms_full import PATH as FULL
from sotakit.publish.overview import Overview
from sotakit.publish.wording import plural

MAX_ROOT = 20_000
"""Longest list of benchmarks in the root index, in characters."""

MAX_CHARS = 45_000
"""Longest list in a nested index; with the rest of the file it stays below 50,000 characters."""

Item = Callable[[str], str]
"""A line for the index at a path, since relative links depend on where they stand."""


class Index(NamedTuple):
    """One index file to be written."""

    path: str
    title: str
    note: str
    items: list[Item]


def llms_files(overview: Overview, site: Site) -> Iterator[tuple[str, str]]:
    """Path and text of the root index and of all nested ones."""
    boards = sorted(overview.catalog.boards.values(), key=lambda board: str(board.benchmark["title"]).casefold())
    items = [_board_item(board, site) for board in boards]
    if _size(items, "llms.txt") > MAX_ROOT:
        below: list[Index] = []
        if _size(items, "sota/llms.txt") > MAX_CHARS:
            below = [part for index in _by_task(overview, boards, site) for part in _split(index)]
            items = [_index_item(index, site) for index in below]
        lists = list(_split(Index("sota/llms.txt", "Benchmarks", "", items)))
        yield from ((index.path, _text(index.title, index.path, index.items, site)) for index in (*lists, *below))
        items = [_index_item(index, site) for index in lists]
    yield "llms.txt", _text(site.title, "llms.txt", items, site, more=[*_lists(site), *_data(site)])


def _by_task(overview: Overview, boards: list[Board], site: Site) -> Iterator[Index]:
    """An index for each task that has benchmarks."""
    grouped: dict[str, list[Board]] = defaultdict(list)
    for board in boards:
        grouped[board.benchmark["task"]].append(board)
    for task, members in sorted(grouped.items()):
        items = [_board_item(board, site) for board in members]
        narrower = ", without those of narrower tasks" if len(overview.below(task)) > len(members) else ""
        note = plural(len(members), "benchmark") + narrower
        yield Index(f"task/{task}/llms.txt", overview.link("tasks", task).text, note, items)


def _split(index: Index) -> Iterator[Index]:
    """An index as several files where its list is too long for one; the second is called `llms-2.txt`."""
    ends = accumulate(len(item(index.path)) + 1 for item in index.items)
    parts: dict[int, list[Item]] = defaultdict(list)
    for item, end in zip(index.items, ends, strict=True):
        parts[(end - 1) // MAX_CHARS].append(item)
    for number, part in enumerate(parts.values(), 1):
        suffix = f" (part {number} of {len(parts)})" if len(parts) > 1 else ""
        path = index.path if number == 1 else index.path.replace("llms.txt", f"llms-{number}.txt")
        yield Index(path, index.title + suffix, index.note or f"{len(part):,} links", part)


def _size(items: list[Item], path: str) -> int:
    return sum(len(item(path)) + 1 for item in items)


def _item(title: str, target: str, note: str, site: Site) -> Item:
    return lambda path: llms_link(title, urls.from_markdown(path, target, site.base_url), note)


def _board_item(board: Board, site: Site) -> Item:
    benchmark = board.benchmark
    return _item(benchmark["title"], urls.benchmark(benchmark["id"]).md, board_line(board), site)


def _index_item(index: Index, site: Site) -> Item:
    return _item(f"Index: {index.title}", index.path, index.note, site)


def _lists(site: Site) -> list[tuple[str, list[Item]]]:
    folders = ("sota", *urls.ENTITY_FOLDERS.values())
    titles = [(words.KIND_TITLES[folder], urls.listing(folder).md) for folder in folders]
    items = [_item(title, target, f"all {title.lower()}", site) for title, target in titles]
    first = _item("First page", urls.HOME.md, "counts, what changed last, tasks", site)
    changed = _item("Corrections", CORRECTIONS.md, "what changed after it was recorded, when, by whom and why", site)
    about = _item("About the data", ABOUT.md, "terms, counts, tables with hashes, formats, how to cite", site)
    return [("Lists", [first, *items, changed, about])]


def _data(site: Site) -> list[tuple[str, list[Item]]]:
    manifest = "row counts and hashes of data/*.parquet"
    schema = "JSON Schema of a result; its siblings describe the rest"
    return [
        (
            "Data",
            [
                _item("Manifest of the Parquet tables", "data/manifest.json", manifest, site),
                _item("Record format", "schema/result.schema.json", schema, site),
                _item("Croissant description", CROISSANT, "every column of every table with its meaning", site),
                _item("Pages in full", FULL, "the most useful pages in one file of at most 1 MB", site),
            ],
        )
    ]


def _text(
    title: str, path: str, items: list[Item], site: Site, more: list[tuple[str, list[Item]]] | None = None
) -> str:
    """One whole index file."""
    lines = [f"# {llms_text(title)}", "", f"> {llms_text(site.description)}", "", words.READING_NOTE, ""]
    for section, entries in [("Benchmarks", items), *(more or [])]:
        lines += [f"## {section}", "", *(entry(path) for entry in entries), ""]
    return "\n".join(lines[:-1]) + "\n"
