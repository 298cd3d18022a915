"""The data of the search box, as scripts that also load from a disk: one file, or shards by the first letters of words.

An entry is `[kind, id, title, results, other names]`. A small collection fits into `search/index.js`. A larger one is
filed by words: an entry stands in the shard of every word it holds, a shard is named by the letters its words begin
with, and `search/index.js` lists the shards. A query loads the shards of its longest word, so everything that can match
is there and is ranked together; entries stand in order of kind and size, so that what is cut off is what matters least.
"""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sotakit.catalog import Catalog
from sotakit.compiled import Row
from sotakit.publish import urls
from sotakit.publish.overview import Overview
from sotakit.publish.wording import source_name

MAX_SHARD = 200_000
"""Longest file of search data, in bytes."""

MAX_PREFIX = 8
"""Letters after which a shard is not split by more letters but cut into numbered files."""

KINDS = ("sota", "task", "metric", "dataset", "method", "paper")
"""Kinds of pages in the order in which equally good matches are shown."""

FORMAT = 1
_WORD = re.compile(r"[^\W_]+")
_COMMON = frozenset(
    {"a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "via", "with"}
)
_HEAD = "globalThis.sotakitSearch={}".format
_PART = "(globalThis.sotakitSearchParts??=[]).push({});\n".format


class Entry(NamedTuple):
    """One page that can be found."""

    kind: int
    id: str
    title: str
    results: int
    names: str
    """Other names, an identifier of the document, a short citation: found, but shown only where they match."""

    @property
    def words(self) -> set[str]:
        """The words by which the entry is filed; common ones only if there is no other."""
        found = set(_WORD.findall(fold(f"{self.title} {self.names}")))
        return found - _COMMON or found or {""}


def search_files(overview: Overview) -> Iterator[tuple[str, str]]:
    """Path and text of `search/index.js` and of its shards."""
    entries = sorted(_entries(overview), key=lambda entry: (entry.kind, -entry.results, entry.title.casefold()))
    whole = _json({"format": FORMAT, "kinds": KINDS, "entries": entries})
    if len(whole.encode()) <= MAX_SHARD:
        yield "search/index.js", f"{_HEAD(whole)};\n"
        return
    lines = [_json(entry) for entry in entries]
    words: dict[str, list[int]] = defaultdict(list)
    for number, entry in enumerate(entries):
        for word in entry.words:
            words[word].append(number)
    names = []
    for prefix, parts in sorted(_shards(words, [len(line.encode()) + 1 for line in lines])):
        for number, part in enumerate(parts):
            name = f"{_file_name(prefix)}-{number}"
            yield f"search/{name}.js", _PART(f'["{name}",[{",".join(lines[at] for at in part)}]]')
        names.append([prefix, _file_name(prefix), len(parts)])
    yield "search/index.js", f"{_HEAD(_json({'format': FORMAT, 'kinds': KINDS, 'shards': names}))};\n"


def fold(text: str) -> str:
    """Text as it is compared: without accents and case; the script does the same."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.category(char).startswith("M")).lower()


def _entries(overview: Overview) -> Iterator[Entry]:
    catalog = overview.catalog
    for name, board in catalog.boards.items():
        labels = ", ".join(metric["label"] for metric in board.metrics if not metric["added"])
        yield Entry(0, name, board.benchmark["title"], board.facts.recorded + board.facts.runs, labels)
    per_task = {task: overview.results_below(task) for task in catalog.tables["tasks"]}
    per_dataset = _results_by(catalog, "dataset")
    per_method = {name: len(results) for name, results in catalog.by_method.items()}
    per_source = {name: len(results) for name, results in catalog.by_source.items()}
    for table, sizes in (("tasks", per_task), ("metrics", {}), ("datasets", per_dataset), ("methods", per_method)):
        kind = KINDS.index(urls.ENTITY_FOLDERS[table])
        for row in catalog.tables[table].values():
            yield Entry(kind, row["id"], row["name"], sizes.get(row["id"], 0), ", ".join(row["aliases"]))
    for row in catalog.tables["sources"].values():
        title = row["title"] or row["id"]
        yield Entry(KINDS.index("paper"), row["id"], title, per_source.get(row["id"], 0), _document(row))


def _document(source: Row) -> str:
    """By what else a source is known: a short citation and its identifiers."""
    short = source_name(source) if source["authors"] else ""
    return ", ".join(filter(None, (short, source["arxiv"], source["doi"], source["openreview"])))


def _results_by(catalog: Catalog, column: str) -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for board in catalog.boards.values():
        counts[board.benchmark[column]] += board.facts.recorded + board.facts.runs
    return counts


def _shards(words: dict[str, list[int]], sizes: list[int], depth: int = 1) -> Iterator[tuple[str, list[list[int]]]]:
    """Words grouped by their first letters, by more of them where a group is too large for one file."""
    groups: dict[str, dict[str, list[int]]] = defaultdict(dict)
    for word, members in words.items():
        groups[word[:depth]][word] = members
    for prefix, group in groups.items():
        together = sorted(set().union(*group.values()))
        small = sum(sizes[at] for at in together) <= MAX_SHARD - len(_PART("")) - 2 * MAX_PREFIX - 20
        longer = {word: members for word, members in group.items() if len(word) > depth}
        if small or depth >= MAX_PREFIX or not longer:
            yield prefix, list(_cut(together, sizes))
            continue
        if ended := sorted(set().union(*(members for word, members in group.items() if len(word) == depth))):
            yield f"{prefix} ", list(_cut(ended, sizes))
        yield from _shards(longer, sizes, depth + 1)


def _cut(members: Iterable[int], sizes: list[int]) -> Iterator[list[int]]:
    """Entries as files of at most the allowed size."""
    part: list[int] = []
    length = 0
    for at in members:
        if part and length + sizes[at] > MAX_SHARD - 200:
            yield part
            part, length = [], 0
        part.append(at)
        length += sizes[at]
    yield part


def _file_name(prefix: str) -> str:
    """A prefix as a file name: letters and digits of ASCII as they are, everything else by its code."""
    return "w-" + "".join(char if re.fullmatch("[a-z0-9]", char) else f"_{ord(char):x}" for char in prefix)


def _json(value: object) -> str:
    """JSON that is also a script: the two line ends that scripts know and JSON does not are escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("<", "\\u003c")
