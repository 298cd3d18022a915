"""What a data folder already holds, as an import meets it: under its name, an alias or its id, to be used as it is."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sotakit.check.load import load
from sotakit.collection import Collection, record_id
from sotaschema.base import Record
from sotaschema.entities import Benchmark
from sotaschema.identity import hashed_slug, nfc, result_id, slug

_NAMED: Final = ("tasks", "datasets", "metrics", "methods", "benchmarks", "sources")
"""Kinds of records that an import refers to by name."""


@dataclass
class _Kind:
    """The records of one kind."""

    records: dict[str, Record] = field(default_factory=dict)
    """By id, without those that an earlier import of the same name wrote."""
    taken: set[str] = field(default_factory=set)
    """Their ids, and those of records that the schema refuses."""
    names: dict[str, str] = field(default_factory=dict)
    """Id by folded name; empty for a name that means no single record."""
    earlier: dict[str, Record] = field(default_factory=dict)
    """By id, what an earlier import of the same name wrote and no other file holds."""
    earlier_names: dict[str, str] = field(default_factory=dict)
    """Their ids by name."""

    def retire(self, old: str, new: str) -> None:
        """An id that a record once had is taken for ever, and means the record."""
        self.taken.add(old)
        if new in self.records:
            self.names.setdefault(name_key(old), new)


class Known:
    """The records of a data folder, apart from those that an earlier import of the same name wrote.

    Such records are written anew, but keep their ids whatever other files brought since then: importing a file twice
    changes nothing. An id that another file holds too is left to that file.
    """

    def __init__(self, into: Path, name: str) -> None:
        collection = load(into) if into.is_dir() else Collection()
        self._kinds = {kind: _kind_of(collection, kind, f"{kind}/imported-{name}.jsonl") for kind in _NAMED}
        for redirect, _ in collection.redirects:
            if held := self._kinds.get(redirect.kind):
                held.retire(redirect.old, redirect.new)
        own = f"results/imported-{name}.jsonl"
        self.earlier_results = {row.id for row in collection.results if row.origin.file == own}
        errors = (finding for finding in collection.findings if finding.severity == "error")
        self.unreadable_results = len({finding.origin for finding in errors if finding.origin.file == own})
        others = {row.id for row in collection.results if row.origin.file != own}
        self._mentioned = _mentioned(collection, f"imported-{name}.jsonl")
        self.results = others | (collection.ids.get("results", set()) - self.earlier_results)

    def find(self, kind: str, name: str) -> str | None:
        """The id of the record of a kind that has this name, alias or id."""
        return self._kinds[kind].names.get(name_key(name)) or None

    def earlier(self, kind: str, name: str) -> str | None:
        """The id under which an earlier import of the same file wrote this very name."""
        return self._kinds[kind].earlier_names.get(name)

    def earlier_keys(self, title: str) -> dict[str, str]:
        """The keys of the metrics, by label, of a board that an earlier import of the same file wrote."""
        board = self._kinds["benchmarks"].earlier.get(self.earlier("benchmarks", title) or "")
        return {metric.label: metric.key for metric in board.metrics} if isinstance(board, Benchmark) else {}

    def named(self, identifier: str) -> bool:
        """Whether a file of another name may name an id."""
        return identifier in self._mentioned

    def record(self, kind: str, identifier: str) -> Record | None:
        """The record of a kind with an id."""
        return self._kinds[kind].records.get(identifier)

    def still_named(self, written: Mapping[str, set[str]]) -> Iterator[tuple[str, Record]]:
        """What an earlier import wrote, is not written again, and is named by what stays; kind by kind."""
        waiting = {
            (kind, identifier): record
            for kind, held in self._kinds.items()
            for identifier, record in held.earlier.items()
            if identifier not in written.get(kind, ())
        }
        named = self._mentioned
        while named:
            found = [key for key in waiting if key[1] in named]
            named = set()
            for kind, identifier in found:
                record = waiting.pop((kind, identifier))
                named |= _texts(record.model_dump())
                yield kind, record

    def taken(self, kind: str, identifier: str) -> bool:
        """Whether a file of another name holds the id, be it that of a record that the schema refuses."""
        return identifier in self._kinds[kind].taken

    def all(self, kind: str) -> Iterator[Record]:
        """All records of a kind."""
        yield from self._kinds[kind].records.values()

    def all_earlier(self, kind: str) -> Iterator[Record]:
        """What an earlier import of the same name wrote and no other file holds."""
        yield from self._kinds[kind].earlier.values()

    def new_id(self, kind: str, wanted: str, text: str, also_taken: Container[str] = ()) -> str:
        """The wanted id, or one with a hash of the text where the wanted one is taken."""
        held = self._kinds[kind]
        identifier, number = wanted, 1
        while identifier in held.taken or identifier in held.earlier or identifier in also_taken:
            identifier = hashed_slug(text if number == 1 else f"{text} {number}", wanted)
            number += 1
        return identifier


class Namer:
    """Ids for the names of one kind: those of known records first, then slugs; names that share one get their hash."""

    def __init__(self, kind: str, names: Iterable[str], known: Known) -> None:
        self.spellings: dict[str, list[str]] = defaultdict(list)
        """How each name is spelled, by its folded form."""
        for name in sorted(names):
            self.spellings[name_key(name)].append(name)
        self.used: dict[str, str] = {}
        """Ids of known records by folded name."""
        self.new: dict[str, str] = {}
        """Ids of new records by folded name."""
        fresh = [key for key, spelled in self.spellings.items() if not self._settled(kind, key, spelled, known)]
        slugs = {key: slug(self.spellings[key][-1]) for key in fresh}
        counts = Counter(slugs.values())
        for key, plain in slugs.items():
            shared = {plain} if counts[plain] > 1 else set()
            self.new[key] = known.new_id(kind, plain, key, shared)

    def __getitem__(self, name: str) -> str:
        key = name_key(name)
        return self.used.get(key) or self.new[key]

    def _settled(self, kind: str, key: str, spelled: list[str], known: Known) -> bool:
        """Whether a name has an id: that of an earlier import, else that of a record that is there."""
        earlier = next((found for name in spelled if (found := known.earlier(kind, name))), None)
        if earlier:
            self.new[key] = earlier
        elif found := known.find(kind, key):
            self.used[key] = found
        return key in self.new or key in self.used


class Variants:
    """Tells apart rows of one source that differ in nothing but values: the second one becomes variant 2."""

    def __init__(self, known: Known, name: str) -> None:
        self._taken = set(known.results)
        self._outside = frozenset(known.results)
        self._name = name

    def identify(self, source: str, benchmark: str, label: str, config: Mapping[str, Any]) -> tuple[str, str | None]:
        """The id of the next row with this identity, and its variant where it needs one."""
        identifier, variant, number = result_id(source, benchmark, label, config), None, 1
        prefix = f"{self._name} " if identifier in self._outside else ""
        while identifier in self._taken:
            number += 1
            variant = f"{prefix}{number}"
            identifier = result_id(source, benchmark, label, config, variant)
        self._taken.add(identifier)
        return identifier, variant


def name_key(name: str) -> str:
    """Names that differ only in case, and in spaces, dashes and underscores between words, are one name."""
    return " ".join(nfc(name).casefold().replace("-", " ").replace("_", " ").split()) or name


def _kind_of(collection: Collection, kind: str, own_file: str) -> _Kind:
    """The records of a kind, apart from those of a file of its own."""
    own: dict[str, Record] = {}
    others: dict[str, Record] = {}
    for record, origin in collection.of(kind):
        (own if origin.file == own_file else others).setdefault(record_id(record), record)
    refused = collection.ids.get(kind, set()) - own.keys()
    earlier = {identifier: record for identifier, record in own.items() if identifier not in others}
    named = {_own_name(record): identifier for identifier, record in earlier.items()}
    return _Kind(others, others.keys() | refused, _by_name(others), earlier, named)


def _by_name(records: Mapping[str, Record]) -> dict[str, str]:
    """The one record that a name means; a record's own name counts before an id, an id before an alias.

    A name of two records means none of them, since nobody can say which.
    """
    names: dict[str, str] = {}
    for names_of in (lambda record: [_own_name(record)], lambda record: [record_id(record)], _aliases):
        meant: dict[str, set[str]] = defaultdict(set)
        for identifier, record in records.items():
            for name in names_of(record):
                meant[name_key(name)].add(identifier)
        for key, found in meant.items():
            names.setdefault(key, found.pop() if len(found) == 1 else "")
    return names


def _mentioned(collection: Collection, own_file: str) -> set[str]:
    """Every text of the records that other files hold: more than the ids they name, but no id is missing."""
    found: set[str] = set()
    for kind in (*_NAMED, "events", "redirects", "config_keys"):
        for record, origin in collection.of(kind):
            if not origin.file.endswith(own_file):
                found |= _texts(record.model_dump())
    for row in collection.results:
        if not row.origin.file.endswith(own_file):
            found |= {row.source, row.record.benchmark, row.record.method}
    return found


def _texts(value: Any) -> set[str]:
    """All texts in a value, however deep."""
    if isinstance(value, str):
        return {value}
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return set().union(*map(_texts, items))


def _own_name(record: Record) -> str:
    """The name or title; empty where a source has none."""
    return getattr(record, "name", None) or getattr(record, "title", None) or ""


def _aliases(record: Record) -> list[str]:
    return list(getattr(record, "aliases", ()))
