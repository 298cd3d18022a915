"""Reading published benchmark pages back into records: our own, and pages of the form that others serve.

A page that is not understood as a whole gives a `PageError` with the line; never a part passed off as the whole.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from sotakit.errors import InputError, PageError
from sotakit.exchange.index import benchmark_pages
from sotakit.exchange.local import decoded, local_text
from sotakit.exchange.page import Page, Part
from sotakit.exchange.page_facts import NotUnderstood
from sotakit.exchange.page_prose import lines_in_words, prose_lines
from sotakit.exchange.records import PageRecord

Warn = Callable[[str], None]
"""Takes what a reader should know beside the records."""

MAX_PAGE_BYTES = 4 * 1024**2


def read_pages(sources: Sequence[str], warn: Warn = lambda _: None) -> list[PageRecord]:
    """The records of several pages or of all pages that an llms.txt names, in order; every record once.

    A page in several parts is read whole when its first part is given. What the pages hold a part of only is told, and
    which lines say something of the page as a whole, which is in no record.
    """
    records: dict[str, PageRecord] = {}
    parts = []
    for page in [page for source in sources for page in _pages_of(source)]:
        found, part = _read_whole(page, warn)
        parts.append((page, part))
        for record in found:
            if record.id in records:
                raise PageError(f"{page}: the result {record.id!r} stands in {records[record.id].page} too")
            records[record.id] = record
    for text in _not_read(parts):
        warn(text)
    return list(records.values())


def _not_read(parts: list[tuple[str, Part]]) -> Iterator[str]:
    """What is missing of each page: there are other parts of it, or fewer results than it says there are."""
    for page, part in parts:
        missing = part.total - part.loaded
        if part.number > 1:
            yield f"{page}: is page {part.number} of {part.parts}; to read the others too, give the first page"
        elif missing:
            yield f"{page}: holds {part.loaded:,} of {part.total:,} results; the other {missing:,} are not read"


def read_page(text: str, page: str) -> list[PageRecord]:
    """The records of one page; raises `PageError` with the line of what is not understood."""
    return _understand(text, page, _unsaid)[0]


def _pages_of(source: str) -> list[str]:
    if re.search(r"(^|/)llms(-[0-9]+)?\.txt$", source) is None:
        return [source]
    if "://" in source:
        raise InputError(f"{source}: a whole collection is read from a copy of the site; get its folder first")
    return [str(page) for page in benchmark_pages(Path(source))]


def _read_whole(source: str, warn: Warn) -> tuple[list[PageRecord], Part]:
    """The records of a page with all its parts."""
    records, part = _understand(_text(source), source, warn)
    if part.number != 1 or part.parts == 1:
        return records, part
    for number in range(2, part.parts + 1):
        name = f"{source.removesuffix('.md')}/page-{number}.md"
        more, other = _understand(_text(name), name, _unsaid)  # what is said of the whole stands on the first part
        if (other.number, other.parts, other.total) != (number, part.parts, part.total):
            raise PageError(f"{name}: is not page {number} of {part.parts} of {source}; get both again")
        records += more
    recorded = sum(record.origin != "regenerated" for record in records)
    if recorded != part.total:
        raise PageError(f"{source}: its parts hold {recorded} results, not the {part.total} it states")
    return records, part._replace(loaded=recorded)


def _unsaid(_: str) -> None:
    """No warning."""


def _understand(text: str, page: str, warn: Warn) -> tuple[list[PageRecord], Part]:
    try:
        parsed = Page(text, page)
        records, part = parsed.records(), parsed.part()
    except NotUnderstood as error:
        raise PageError(f"{page}:{error.line}: {error}") from error
    if lines := prose_lines(parsed.blocks):
        warn(f"{page}: {lines_in_words(lines)}: said of the page as a whole, so in no record")
    return records, part


def _text(source: str) -> str:
    if re.match(r"https?://", source):
        from sotakit.exchange.fetch import fetch  # noqa: PLC0415 - nothing is fetched unless an address is given

        return decoded(fetch(source, MAX_PAGE_BYTES), source)
    return local_text(Path(source), MAX_PAGE_BYTES)
