"""Keys of pages: a hash of everything that a page can show, so that equal keys mean equal files.

A key covers the rows of the page itself and those of everything that it links to, since names and titles stand in
links. Where the exact set is not cheap to tell, more is covered: then a page is made again that comes out the same.
"""

import hashlib
import platform
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pydantic_core import to_json

from sotakit.assets import code_digest
from sotakit.catalog import Catalog
from sotakit.columns import Column, Table, grouped, positions
from sotakit.compiled import Row
from sotakit.publish.contexts import Site
from sotakit.publish.urls import ENTITY_FOLDERS

_REFERENCES = ("benchmark", "method", "source")
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_NULL = np.uint64(0xFFF8DEADBEEFDEAD)
"""Bits of no number that a record can have."""

_SIZE = 16
_NONE = bytes(_SIZE)
"""Stands where there is nothing to hash."""

Hashes = Mapping[str, bytes]
"""A hash for each id, all of one length."""


def site_key(site: Site, catalog: Catalog, folders: Iterable[Path]) -> bytes:
    """A hash of what all pages have in common: options, templates, this code and what it runs on."""
    templates = [path for folder in folders for path in (folder / "templates").rglob("*") if path.is_file()]
    files = [(path.name, path.read_bytes()) for path in sorted(templates)]
    versions = (code_digest(), jinja2.__version__, pa.__version__, platform.python_version())
    return _digest(repr((versions, site, catalog.registry, files)).encode())


class Fingerprints:
    """The keys of all pages that show the rows of one benchmark or one entity."""

    def __init__(self, catalog: Catalog, common: bytes) -> None:
        self._catalog = catalog
        self._common = common

    @cached_property
    def boards(self) -> dict[str, str]:
        """Keys of benchmarks, by their ids."""
        return {name: found.hex() for name, found in self._boards.items()}

    def entities(self, places: Mapping[str, Mapping[str, str]]) -> dict[tuple[str, str], str]:
        """Keys of entities, by table and id; `places` says where the results of boards of several files stand."""
        found = {}
        results = self._with_references(self._placed(places))
        for table in ENTITY_FOLDERS:
            counted = table in ("methods", "sources")
            own = getattr(self, f"_{table}")
            shown = self._results(table.removesuffix("s"), results) if counted else self._shown(table)
            for name in self._catalog.tables[table]:
                parts = (table, own[name], self._extra(table, name), shown.get(name))
                found[table, name] = _hash(self._common, *parts).hex()
        return found

    @cached_property
    def lists(self) -> str:
        """The key of lists and indexes: names, and how many results each name stands for, but no result."""
        named = (self._described, self._tasks, self._datasets, self._metrics, self._methods, self._sources)
        return _hash(self._common, named, self._counts()).hex()

    @cached_property
    def collection(self) -> str:
        """The key of everything that speaks of the collection as a whole: it changes with any row."""
        return _hash(self._common, self._catalog.files, self._catalog.accounting, self._catalog.images).hex()

    @cached_property
    def _events(self) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = defaultdict(list)
        for event in self._catalog.tables["events"].values():
            found[event["target"]].append(event)
        return found

    @cached_property
    def _sources(self) -> Hashes:
        rows, images = self._catalog.tables["sources"], self._catalog.images
        return {name: _hash(row, images.get(name), self._events.get(name)) for name, row in rows.items()}

    @cached_property
    def _methods(self) -> Hashes:
        rows = self._catalog.tables["methods"]
        return {name: _hash(row, self._sources.get(row["origin"])) for name, row in rows.items()}

    @cached_property
    def _tasks(self) -> Hashes:
        return {name: _hash(row) for name, row in self._catalog.tables["tasks"].items()}

    @cached_property
    def _datasets(self) -> Hashes:
        rows = self._catalog.tables["datasets"]
        return {name: _hash(row, self._sources.get(row["paper"])) for name, row in rows.items()}

    @cached_property
    def _metrics(self) -> Hashes:
        return {
            name: _hash(
                row, [self._sources.get(cited["source"]) for cited in row["direction_source"] + row["reference"]]
            )
            for name, row in self._catalog.tables["metrics"].items()
        }

    @cached_property
    def _boards(self) -> Hashes:
        results, events = self._results("benchmark", self._with_references(self._described)), self._board_events()
        return {
            name: _digest(
                b"".join(
                    (
                        self._common,
                        self._described[name],
                        self._tasks[board.benchmark["task"]],
                        self._datasets[board.benchmark["dataset"]],
                        *[self._metrics.get(metric["metric"], _NONE) for metric in board.metrics],
                        results.get(name, _NONE),
                        _hash(events[name]) if name in events else _NONE,
                    )
                )
            )
            for name, board in self._catalog.boards.items()
        }

    def _board_events(self) -> dict[str, list[Row]]:
        """Events of the results of each board."""
        found: dict[str, list[Row]] = defaultdict(list)
        for target, events in self._events.items():
            result = self._catalog.get("results", target)
            if result is not None:
                found[result["benchmark"]] += events
        return found

    @cached_property
    def _rows(self) -> NDArray[np.uint64]:
        """A number for each result that depends on all of it and of its scores, but for its id and its references."""
        store = self._catalog.store
        added = np.cumsum(_mixed(store.scores, leave_out=("result", "benchmark"))[store.score_order])
        scores = np.diff(np.concatenate([np.zeros(1, np.uint64), added])[store.score_starts])
        return _mixed(store.results, leave_out=("id", *_REFERENCES)) * _PRIME + scores

    def _with_references(self, benchmarks: Hashes) -> NDArray[np.uint64]:
        """The same with what each result refers to."""
        found = self._rows
        for name, hashes in zip(_REFERENCES, (benchmarks, self._methods, self._sources), strict=True):
            column = self._catalog.store.results.columns[name]
            referred = np.frombuffer(b"".join([hashes[value][:8] for value in column.values.to_pylist()]), np.uint64)
            found = found * _PRIME + referred[column.codes]
        return _scrambled(found)

    def _results(self, column: str, mixed: NDArray[np.uint64]) -> Hashes:
        """A hash of all rows that name each benchmark, method or source."""
        columns = self._catalog.store.results.columns
        named, identifier = columns[column], columns["id"]
        order, starts = grouped(named.codes, len(named.values))
        names, ends = _texts(identifier.values.take(positions(identifier.codes[order])))
        rows = np.column_stack([mixed[order], np.diff(ends)])  # with the lengths of the ids, which follow one another
        return {
            name: _digest(b"".join([names[ends[start] : ends[end]], rows[start:end].tobytes()]))
            for name, start, end in zip(named.values.to_pylist(), starts.tolist(), starts[1:].tolist(), strict=False)
        }

    def _counts(self) -> list[tuple[list[str], list[int]]]:
        """How many results each board has by their origin, and how many stand; and each method and source has."""
        columns = self._catalog.store.results.columns
        board, origin, stands = columns["benchmark"], columns["origin"], columns["stands"]
        by_origin = np.bincount(board.codes.astype(np.int64) * len(origin.values) + origin.codes).tolist()
        others = (columns[name] for name in ("method", "source"))
        return [
            (board.values.to_pylist() + origin.values.to_pylist(), by_origin),
            (
                stands.values.to_pylist(),
                np.bincount(board.codes.astype(np.int64) * len(stands.values) + stands.codes).tolist(),
            ),
            *((column.values.to_pylist(), np.bincount(column.codes).tolist()) for column in others),
        ]

    def _extra(self, table: str, name: str) -> Any:
        """What a page shows beside its own row and its boards."""
        if table == "tasks":
            return self._task_tree
        return self._introduced.get(name) if table == "sources" else None

    @cached_property
    def _task_tree(self) -> bytes:
        """How tasks lie in one another and how many benchmarks each has, with their names."""
        boards = ((name, board.benchmark["task"]) for name, board in self._catalog.boards.items())
        return _hash(self._tasks, list(boards))

    @cached_property
    def _introduced(self) -> dict[str, list[bytes]]:
        found: dict[str, list[bytes]] = defaultdict(list)
        for name, row in self._catalog.tables["methods"].items():
            if row["origin"]:
                found[row["origin"]].append(self._methods[name])
        return found

    def _shown(self, table: str) -> Mapping[str, list[bytes]]:
        """The benchmarks that the page of each task, data set or metric shows."""
        found: dict[str, list[bytes]] = defaultdict(list)
        for name, board in self._catalog.boards.items():
            if table == "metrics":
                of = {metric["metric"] for metric in board.metrics}
            else:
                of = {board.benchmark[table.removesuffix("s")]}
            for entity in of - {None}:
                found[entity].append(self._boards[name])
        return found

    def _placed(self, places: Mapping[str, Mapping[str, str]]) -> Hashes:
        """The same with the files that their results stand in."""
        return {name: _hash(own, places[name]) if name in places else own for name, own in self._described.items()}

    @cached_property
    def _described(self) -> Hashes:
        """Benchmarks with their metrics, but without results."""
        return {name: _hash(board.benchmark, board.metrics) for name, board in self._catalog.boards.items()}


def _mixed(table: Table, leave_out: Collection[str]) -> NDArray[np.uint64]:
    """One number for each row that depends on all its values but those of some columns.

    Each column has a factor of its own: values that change places between columns change the number. The numbers of
    several rows may be added, since each is scrambled: values that change places between rows change the sum.
    """
    found = np.zeros(table.size, np.uint64)
    for name, column in table.columns.items():
        if name not in leave_out:
            numbers = _numbers(column) * (_number(name) | np.uint64(1))
            found += numbers[column.codes[:1]] if column.one else numbers[column.codes]
    return _scrambled(found)


def _numbers(column: Column) -> NDArray[np.uint64]:
    """A number for each distinct value of a column, and one more for null."""
    if pa.types.is_float64(column.values.type):
        return _scrambled(np.append(np.from_dlpack(column.values).view(np.uint64), _NULL))
    texts = [str(value).encode() for value in column.values.to_pylist()]
    return np.frombuffer(b"".join(map(_short, [*texts, b"\xff"])), np.uint64)


def _number(text: str) -> np.uint64:
    return np.uint64(int.from_bytes(_short(text.encode()), "little"))


def _short(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=8).digest()


def _scrambled(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Equal numbers for equal ones that tell nothing else of them, by the finaliser of splitmix64."""
    mixed = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return mixed ^ mixed >> np.uint64(31)


def _texts(array: pa.Array) -> tuple[memoryview, NDArray[np.uint64]]:
    """The bytes of texts without null, one after the other, and where each begins; at last where they end."""
    _, ends, raw = array.buffers()
    return memoryview(raw or b""), np.frombuffer(ends, np.int32)[: len(array) + 1].astype(np.uint64)


def _hash(*parts: Any) -> bytes:
    return _digest(to_json(parts, bytes_mode="hex"))


def _digest(raw: bytes | memoryview) -> bytes:
    return hashlib.blake2b(raw, digest_size=_SIZE).digest()
