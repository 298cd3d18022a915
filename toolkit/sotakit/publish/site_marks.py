"""What the forms of a site say of the standing of results, so that they can be held against each other.

A mark is a word beside a result: it was retracted, its source states several values, … Marks and ranks are read from
the files alone; the JSON of a benchmark, which has the record, says what they must be.
"""

import csv
import html
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from sotakit.publish.words import CONTESTED, FALLEN_MARKS, STATUS

_HTML_ROW = re.compile(r'<tr id="r-([^"]+)"[^>]*>(.*?)</tr>', re.DOTALL)
_HTML_OF_ENTITY = re.compile(
    r'<td class="rank">([^<]*)</td>(?:(?!</tr>).)*?#r-[^"]+"><code>([^<]+)</code></a>(.*?)</td>'
)
_HTML_RANK = re.compile(r'<td class="num rank" data-v="([0-9]+)"')
_TAG = re.compile(r'<span class="tag"[^>]*>([^<]*)</span>')
_CELLS = re.compile(r"(?<!\\)\|")
_RESULT = re.compile(r"\[([^\]]+)\]\(<[^>]*#r-[^>]*>\)(?: \((.*)\))?$")
_SECTION = re.compile(r'<a id="r-([^"]+)"></a>(.*?)(?=<a id="r-|\n## |\Z)', re.DOTALL)
_STANDING = re.compile(r"^Standing: (.*)\.$", re.MULTILINE)
_ENTRY = re.compile(r"<entry><id>[^<]*/result/([^<]+)</id><title>([^<]*)</title>")
_REPEATS = frozenset({"≈ duplicate", "probable duplicate"})
"""Words for repeats, which are no marks of standing."""


class Shown(NamedTuple):
    """A result as one form shows it."""

    id: str
    marks: frozenset[str]
    ranked: bool
    exact: bool = True
    """Whether all of `marks` are surely marks; else text of records may have got among them."""


def rows_of(document: Mapping[str, Any]) -> list[Any]:
    """The results in the JSON of a benchmark."""
    return [*document["recorded"], *document["regenerated"]]


def stated(row: Mapping[str, Any]) -> Shown:
    """A result as the JSON of its benchmark shows it."""
    ranks = [score[name] for score in row["scores"].values() for name in ("rank", "rank_cited", "rank_in_group")]
    return Shown(row["id"], frozenset(row["marks"]), any(rank is not None for rank in ranks))


def expected(row: Mapping[str, Any]) -> frozenset[str]:
    """The marks of a result: those that its benchmark's JSON states, and those that follow from its record."""
    marks = {*row["marks"]}
    if row["status"] != "active":
        marks.add(STATUS[row["status"]])
    if row["variant"]:
        marks.add(CONTESTED[0])
    return frozenset(marks)


def shown_in(name: str, text: str) -> Iterator[Shown]:
    """The results that a file shows, each as often as it does."""
    if name.endswith(".html"):
        yield from _in_html(text)
    elif name.endswith((".md", "llms-full.txt")):
        yield from _in_markdown_tables(text)
        yield from _in_sections(text)
    elif name.endswith(".csv"):
        for row in csv.DictReader(io.StringIO(text)):
            yield Shown(row["result_id"], _words(row["marks"], "; "), bool(row["rank"] or row["rank_cited"]))
    elif name.endswith("feed.xml"):
        for identifier, title in _ENTRY.findall(text):
            words = html.unescape(title).rpartition(" (")[2].removesuffix(")")
            yield Shown(identifier, _words(words, ", "), ranked=False, exact=False)
    elif name.endswith(".json"):
        for row in json.loads(text).get("results", ()):
            yield Shown(row["id"], frozenset(row["marks"]), ranked=False)


def faults(shown: Shown, marks: frozenset[str]) -> Iterator[str]:
    """What is wrong with how a form shows a result that has some marks."""
    for mark in sorted(marks - shown.marks):
        yield f"the result {shown.id!r} lacks its mark {mark!r}"
    for mark in sorted(shown.marks - marks) if shown.exact else ():
        yield f"the result {shown.id!r} has the mark {mark!r}, which its benchmark's JSON does not have"
    if shown.ranked and not marks.isdisjoint(FALLEN_MARKS):
        yield f"the result {shown.id!r} has a rank, though it no longer stands"


def _in_html(text: str) -> Iterator[Shown]:
    for identifier, body in _HTML_ROW.findall(text):
        yield Shown(identifier, _tags(body), _HTML_RANK.search(body) is not None)
    for rank, identifier, after in _HTML_OF_ENTITY.findall(text):
        yield Shown(identifier, _tags(after), rank[:1].isdigit())


def _tags(text: str) -> frozenset[str]:
    return frozenset(map(html.unescape, _TAG.findall(text))) - _REPEATS


def _in_markdown_tables(text: str) -> Iterator[Shown]:
    """Rows of tables whose column "Result" has the id, and marks behind it where there is no column for them."""
    header: list[str] = []
    for line in text.split("\n"):
        cells = [cell.strip() for cell in _CELLS.split(line)[1:-1]] if line.startswith("|") else []
        if not cells or not header:
            header = cells
            continue
        named = dict(zip(header, cells, strict=False))
        if found := _RESULT.match(named.get("Result", "")):
            marks = _words(_plain(named.get("Standing", found[2] or "")), ", ")
            ranks = [cell for column, cell in named.items() if column.startswith("Rank")]
            yield Shown(_plain(found[1]), marks, any(cell[:1].isdigit() for cell in ranks))


def _in_sections(text: str) -> Iterator[Shown]:
    for identifier, body in _SECTION.findall(text):
        stated = _STANDING.search(body)
        marks = stated[1].split("; ") if stated else []
        words = frozenset(_plain(mark.partition(" (")[0]) for mark in marks)
        yield Shown(identifier, words, ranked=False, exact=False)


def _words(text: str, between: str) -> frozenset[str]:
    return frozenset(filter(None, text.split(between))) - _REPEATS


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)
