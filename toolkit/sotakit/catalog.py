"""The compiled tables, linked: what publishing reads. Records themselves are not needed any more.

Results and scores stay in columns; a board or an entity gets its rows when they are looked at, so that memory does not
grow with the number of pages.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, overload

import pyarrow as pa

from sotakit import arrow_memory
from sotakit.columns import all_rows
from sotakit.compiled import Row, check_hashes, read_manifest
from sotakit.errors import InputError
from sotakit.facts import BoardFacts, board_facts
from sotakit.results import ResultStore

_JSON_COLUMNS = {
    "sources": ("recorded_via", "imported", "run"),
    "metrics": ("direction_source", "parameters", "reference"),
    "benchmark_metrics": ("parameters",),
}
_SMALL = (
    "benchmarks",
    "benchmark_metrics",
    "sources",
    "tasks",
    "datasets",
    "metrics",
    "methods",
    "events",
    "redirects",
)
_NO_FACTS = BoardFacts()


class ResultRows(Sequence[Row]):
    """Some results, made into rows when they are looked at; their number is known before."""

    def __init__(self, store: ResultStore, column: str, identifier: str) -> None:
        self._store, self._column, self._identifier = store, column, identifier

    def __len__(self) -> int:
        return self._store.count(self._column, self._identifier)

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        return self._store.recent(self._column, self._identifier)[index]

    def __iter__(self) -> Iterator[Row]:
        return iter(self._store.recent(self._column, self._identifier))


@dataclass(frozen=True)
class Board:
    """One benchmark with everything measured on it."""

    benchmark: Row
    metrics: list[Row]
    results: Sequence[Row]
    """In the order of their file where an importer read them, else in order of id; each with its `scores` by key."""
    facts_of: Callable[[str], BoardFacts]

    @property
    def facts(self) -> BoardFacts:
        """The results in numbers."""
        return self.facts_of(self.benchmark["id"])

    @cached_property
    def primary(self) -> Row:
        """The metric the board is sorted by."""
        return next(metric for metric in self.metrics if metric["primary"])


class Boards(Mapping[str, Board]):
    """Every benchmark by its id."""

    def __init__(self, benchmarks: Mapping[str, Row], metrics: Mapping[str, list[Row]], store: ResultStore) -> None:
        self._benchmarks, self._metrics, self._store = benchmarks, metrics, store

    def __getitem__(self, name: str) -> Board:
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._benchmarks)

    def __len__(self) -> int:
        return len(self._benchmarks)

    def loaded(self, names: Sequence[str]) -> Iterator[Board]:
        """Some boards with their rows made in one go, which is much faster than one by one; they go with the board."""
        rows = self._store.read("benchmark", names)
        return (replace(self._all[name], results=made) for name, made in zip(names, rows, strict=True))

    def facts(self, name: str) -> BoardFacts:
        """The results of a board in numbers; worked out for all of them when the first one is asked for."""
        return self._facts.get(name, _NO_FACTS)

    def know_facts(self) -> None:
        """Work out the facts of all boards now, before several processes would each do it."""
        self.facts("")

    @cached_property
    def _facts(self) -> Mapping[str, BoardFacts]:
        return board_facts(self._store)

    @cached_property
    def _all(self) -> Mapping[str, Board]:
        return {
            name: Board(row, self._metrics[name], ResultRows(self._store, "benchmark", name), self.facts)
            for name, row in self._benchmarks.items()
        }


class _Grouped(Mapping[str, Sequence[Row]]):
    """Results by one of their references; only what is referred to is here."""

    def __init__(self, store: ResultStore, column: str) -> None:
        self._store, self._column = store, column

    def __getitem__(self, name: str) -> Sequence[Row]:
        if not self._store.count(self._column, name):
            raise KeyError(name)
        return ResultRows(self._store, self._column, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._store.identifiers(self._column))

    def __len__(self) -> int:
        return len(self._store.identifiers(self._column))


class _ById(Mapping[str, Row]):
    """Results by their ids."""

    def __init__(self, store: ResultStore) -> None:
        self._store = store

    def __getitem__(self, name: str) -> Row:
        return self._store.one(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._store.identifiers("id"))

    def __len__(self) -> int:
        return self._store.results.size


@dataclass(frozen=True)
class Catalog:
    """All tables of one generation, rows by id."""

    registry: Row
    """The texts of the collection's own record: title, description, licence, base_url, contact; None for none."""
    accounting: Mapping[str, int]
    tables: Mapping[str, Mapping[str, Row]]
    boards: Boards
    store: ResultStore
    by_method: Mapping[str, Sequence[Row]]
    by_source: Mapping[str, Sequence[Row]]
    images: Mapping[str, list[Row]] = field(default_factory=dict)
    """The manifest's entries of images, by source."""
    files: Mapping[str, Row] = field(default_factory=dict)
    """The manifest's entries of tables: rows and SHA-256, by file name."""
    redirects: tuple[Row, ...] = ()

    def get(self, table: str, identifier: str | None) -> Row | None:
        """One row of a table."""
        return self.tables[table].get(identifier) if identifier else None

    def row(self, table: str, identifier: str) -> Row:
        """One row that must be there: references were checked before compiling."""
        return self.tables[table][identifier]


def read_catalog(parquet: Path) -> Catalog:
    """The catalogue in a folder of compiled tables; raises `InputError` if it is not one."""
    try:
        manifest = read_manifest(parquet)
        registry = _texts_of(manifest["registry"])
        check_hashes(parquet, manifest["files"])
        with arrow_memory.from_the_system():
            rows = {name: _rows(parquet, name) for name in _SMALL}
            store = ResultStore.read_from(parquet)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, pa.ArrowException) as error:
        raise InputError(
            f"{parquet}: not a folder of compiled tables ({error}); run `toolkit validate` first"
        ) from error
    tables: dict[str, Mapping[str, Row]] = {
        name: {row["id"]: row for row in rows[name]}
        for name in _SMALL
        if name not in ("benchmark_metrics", "redirects")
    }
    return Catalog(
        registry=registry,
        accounting=manifest["accounting"],
        tables=tables | {"results": _ById(store)},
        boards=Boards(tables["benchmarks"], _grouped(rows["benchmark_metrics"], "benchmark"), store),
        store=store,
        by_method=_Grouped(store, "method"),
        by_source=_Grouped(store, "source"),
        images=_grouped(manifest["images"], "source"),
        files=manifest["files"],
        redirects=tuple(rows["redirects"]),
    )


def _texts_of(registry: Row) -> Row:
    """The texts of the collection's record; raises `ValueError` if one of them is none, or the title is missing."""
    texts = {name: registry.get(name) for name in ("title", "description", "licence", "base_url", "contact")}
    for name, text in texts.items():
        if not isinstance(text, str) and (text is not None or name == "title"):
            raise ValueError(f"{name} of the registry: {text!r} is not a text")
    return texts


def _rows(parquet: Path, name: str) -> list[Row]:
    return all_rows(parquet / f"{name}.parquet", dict.fromkeys(_JSON_COLUMNS.get(name, ()), json.loads))


def _grouped(rows: Iterable[dict[str, Any]], column: str) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row[column]].append(row)
    return dict(grouped)
