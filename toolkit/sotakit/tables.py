"""From accepted records other than results to the rows of their tables; results have `result_tables`."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import pyarrow as pa
from pydantic import BaseModel

from sotakit.collection import Collection
from sotakit.compiled import Row
from sotakit.ranking import conflict
from sotakit.trust import retracted_sources
from sotaschema.arrow import TABLES
from sotaschema.base import Record
from sotaschema.identity import canonical_json
from sotaschema.vocabulary import Direction


def entity_tables(collection: Collection) -> dict[str, list[pa.Table]]:
    """The tables of all records other than results, in order of their ids."""
    directions = cited_directions(collection)
    rows = {
        "benchmark_metrics": _benchmark_metric_rows(collection, directions),
        "benchmarks": [_benchmark_row(loaded.record) for loaded in _sorted(collection.benchmarks)],
        "sources": _source_rows(collection),
        "redirects": _redirect_rows(collection),
        **{
            kind: [_plain_row(kind, loaded.record) for loaded in _sorted(collection.of(kind))]
            for kind in ("tasks", "datasets", "metrics", "methods", "events")
        },
    }
    return {name: [pa.Table.from_pylist(found, schema=TABLES[name])] for name, found in rows.items()}


def cited_directions(collection: Collection) -> dict[str, Direction]:
    """The direction of each metric for which a source is cited."""
    return {metric.id: metric.direction for metric, _ in collection.metrics if metric.direction_source}


def _sorted(records: Iterable[Any]) -> list[Any]:
    return sorted(records, key=lambda loaded: loaded.record.id)


def _source_rows(collection: Collection) -> list[Row]:
    """Sources, each as retracted where it says so itself or an event does."""
    retracted = retracted_sources(collection)
    records = [loaded.record for loaded in _sorted(collection.sources)]
    return [{**_plain_row("sources", record), "retracted": record.id in retracted} for record in records]


def _redirect_rows(collection: Collection) -> list[Row]:
    rows = [{"old": record.old, "new": record.new, "kind": record.kind} for record, _ in collection.redirects]
    return sorted(rows, key=lambda row: (row["kind"], row["old"]))


def _plain_row(kind: str, record: Record) -> Row:
    """The fields of a record that its table has; what is nested becomes canonical JSON."""
    row = {}
    for column in TABLES[kind]:
        value = getattr(record, column.name)
        if pa.types.is_string(column.type) and not isinstance(value, str | None):
            value = _json(value)
        row[column.name] = "{}" if value is None and not column.nullable else value
    return row


def _json(value: Any) -> str:
    """Canonical JSON of anything a record holds, without the fields that are not set."""
    return canonical_json(_plain(value))


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_none=True, exclude_defaults=True)
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _benchmark_row(benchmark: Record) -> Row:
    row = {name: value for name, value in benchmark if name != "metrics"}
    stamp = row["updated_at"]
    return {**row, "updated": datetime.fromisoformat(stamp) if stamp else None}


def _benchmark_metric_rows(collection: Collection, directions: Mapping[str, Direction]) -> list[Row]:
    rows = []
    for benchmark, _ in sorted(collection.benchmarks, key=lambda loaded: loaded.record.id):
        for position, metric in enumerate(benchmark.metrics, 1):
            cited = directions.get(metric.metric or "", "unknown")
            rows.append(
                {
                    "benchmark": benchmark.id,
                    "position": position,
                    "direction_recorded": metric.direction,
                    "direction_cited": cited,
                    "direction_conflict": conflict(metric.direction, cited),
                    "parameters": _json(metric.parameters),
                    "primary": metric is benchmark.primary_metric,
                    **{
                        name: getattr(metric, name)
                        for name in ("key", "metric", "label", "unit_recorded", "unit", "added")
                    },
                }
            )
    return rows
