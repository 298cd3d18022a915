"""The compiled tables as plain rows, linked: what publishing reads. Records themselves are not needed any more."""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from sotakit.compile import MANIFEST
from sotakit.errors import InputError
from sotakit.tables import Row
from sotaschema.arrow import TABLES
from sotaschema.entities import Registry

_JSON_COLUMNS = {
    "results": ("config", "group", "config_extra", "settings", "locator"),
    "sources": ("recorded_via", "imported", "run"),
    "metrics": ("direction_source", "parameters", "reference"),
    "benchmark_metrics": ("parameters",),
}


@dataclass(frozen=True)
class Board:
    """One benchmark with everything measured on it."""

    benchmark: Row
    metrics: list[Row]
    results: list[Row]
    """In the order of their file where an importer read them, else in order of id; each with its `scores` by key."""

    @cached_property
    def primary(self) -> Row:
        """The metric the board is sorted by."""
        return next(metric for metric in self.metrics if metric["primary"])


@dataclass(frozen=True)
class Catalog:
    """All tables of one generation, rows by id."""

    registry: Registry
    accounting: Mapping[str, int]
    tables: Mapping[str, Mapping[str, Row]]
    boards: Mapping[str, Board]
    by_method: Mapping[str, list[Row]] = field(default_factory=dict)
    by_source: Mapping[str, list[Row]] = field(default_factory=dict)
    images: Mapping[str, list[Row]] = field(default_factory=dict)
    """The manifest's entries of images, by source."""
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
        manifest = json.loads((parquet / MANIFEST).read_text(encoding="utf-8"))
        rows = {name: _read(parquet / f"{name}.parquet", name) for name in TABLES}
    except (OSError, ValueError) as error:
        raise InputError(
            f"{parquet}: not a folder of compiled tables ({error}); run `toolkit validate` first"
        ) from error
    scores: dict[str, dict[str, Row]] = defaultdict(dict)
    for score in rows["scores"]:
        scores[score["result"]][score["metric_key"]] = score
    rows["results"].sort(key=_source_order)
    results = {name: _grouped(rows["results"], name) for name in ("benchmark", "method", "source")}
    for result in rows["results"]:
        result["scores"] = scores[result["id"]]
    metrics = _grouped(rows["benchmark_metrics"], "benchmark")
    boards = {
        benchmark["id"]: Board(benchmark, metrics[benchmark["id"]], results["benchmark"].get(benchmark["id"], []))
        for benchmark in rows["benchmarks"]
    }
    named = ("results", "sources", "tasks", "datasets", "metrics", "methods", "events", "benchmarks")
    tables = {name: {row["id"]: row for row in rows[name]} for name in named}
    registry = Registry.model_validate(manifest["registry"])
    images = _grouped(manifest["images"], "source")
    accounting, redirects = manifest["accounting"], tuple(rows["redirects"])
    return Catalog(registry, accounting, tables, boards, results["method"], results["source"], images, redirects)


def _read(path: Path, name: str) -> list[Row]:
    rows: list[Row] = pq.read_table(path, page_checksum_verification=True).to_pylist()
    for column in _JSON_COLUMNS.get(name, ()):
        for row in rows:
            row[column] = json.loads(row[column])
    return rows


def _source_order(result: Row) -> tuple[str, int, str]:
    return result["imported_file"] or "", result["imported_row"] or 0, result["id"]


def _grouped(rows: list[dict[str, Any]], column: str) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        grouped[row[column]].append(row)
    return dict(grouped)
