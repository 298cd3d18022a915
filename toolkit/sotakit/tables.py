"""From accepted records to the rows of the compiled tables: ranks, groups, duplicates and trust are worked out here."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
from pydantic import BaseModel

from sotakit.check.identity import duplicates
from sotakit.check.metrics import score_unit
from sotakit.collection import Collection, LoadedResult
from sotakit.folding import Folding
from sotakit.ranking import conflict, ranks
from sotakit.trust import by_target, effective
from sotaschema.arrow import TABLES
from sotaschema.base import Record, first_day
from sotaschema.entities import BenchmarkMetric
from sotaschema.identity import canonical_json
from sotaschema.results import Score, Source
from sotaschema.vocabulary import Direction

Row = dict[str, Any]

_RESULT_FIELDS = (
    "benchmark",
    "method",
    "variant",
    "date",
    "date_kind",
    "hardware",
    "extra_training_data",
    "notes",
    "comparability_note",
)


def build_tables(collection: Collection) -> dict[str, list[Row]]:
    """The rows of every table, each table in order of its ids."""
    directions = {metric.id: metric.direction for metric, _ in collection.metrics}
    return {
        "results": _result_rows(collection),
        "scores": _score_rows(collection, directions),
        "config": _config_rows(collection),
        "benchmark_metrics": _benchmark_metric_rows(collection, directions),
        "benchmarks": [_benchmark_row(loaded.record) for loaded in _sorted(collection.benchmarks)],
        "sources": _source_rows(collection),
        "redirects": _redirect_rows(collection),
        **{
            kind: [_plain_row(kind, loaded.record) for loaded in _sorted(collection.of(kind))]
            for kind in ("tasks", "datasets", "metrics", "methods", "events")
        },
    }


def _sorted(records: Iterable[Any]) -> list[Any]:
    return sorted(records, key=lambda loaded: loaded.record.id)


def _source_rows(collection: Collection) -> list[Row]:
    """Sources, each as retracted where it says so itself or an event does."""
    retracted = {event.target for event, _ in collection.events if event.type == "retracted"}
    records = [loaded.record for loaded in _sorted(collection.sources)]
    return [
        {**_plain_row("sources", record), "retracted": record.retracted or record.id in retracted} for record in records
    ]


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


def _result_rows(collection: Collection) -> list[Row]:
    folding = Folding(collection.config_keys)
    sources = {source.id: source for source, _ in collection.sources}
    methods = {method.id: method.name for method, _ in collection.methods}
    events = by_target(event for event, _ in collection.events)
    repeats = {name: first for first, *rest in duplicates(collection) for name in rest}
    return [
        {
            **_result_row(result),
            "method_label": result.record.method_label or methods[result.record.method],
            "origin": _origin(result, sources[result.source]),
            "group": folding.group(result.record.benchmark, result.record.config),
            "duplicate_of": repeats.get(result.id),
            **effective(result.record, events.get(result.id, ())),
        }
        for result in sorted(collection.results, key=lambda row: row.id)
    ]


def _result_row(result: LoadedResult) -> Row:
    """What a result itself says."""
    record, imported = result.record, result.record.imported
    return {
        "id": result.id,
        "source": result.source,
        "first_day": first_day(record.date) if record.date else None,
        "locator": _json(record.locator or {}),
        "imported_file": imported.file if imported else None,
        "imported_row": imported.row if imported else None,
        **{name: _json(getattr(record, name)) for name in ("config", "config_extra", "settings")},
        **{name: getattr(record, name) for name in _RESULT_FIELDS},
    }


def _origin(result: LoadedResult, source: Source) -> str:
    return "imported" if result.record.imported and source.origin == "reported" else source.origin


def _score_rows(collection: Collection, directions: Mapping[str, Direction]) -> list[Row]:
    """One row for each score, with its ranks; regenerated values rank among themselves."""
    folding = Folding(collection.config_keys)
    sources = {source.id: source for source, _ in collection.sources}
    boards: dict[tuple[str, bool], list[LoadedResult]] = defaultdict(list)
    for result in sorted(collection.results, key=lambda row: row.id):
        boards[result.record.benchmark, sources[result.source].origin == "regenerated"].append(result)
    listed = {benchmark.id: benchmark.metrics for benchmark, _ in collection.benchmarks}
    rows = []
    for (benchmark, _), results in boards.items():
        groups = {result.id: folding.group(benchmark, result.record.config) for result in results}
        for metric in listed[benchmark]:
            cited = directions.get(metric.metric or "", "unknown")
            rows += _board_rows(metric, cited, results, groups)
    return sorted(rows, key=lambda row: (row["result"], row["metric_key"]))


def _board_rows(
    metric: BenchmarkMetric, cited: Direction, results: list[LoadedResult], groups: Mapping[str, str]
) -> list[Row]:
    scored = [(result, result.record.scores[metric.key]) for result in results if metric.key in result.record.scores]
    values = {result.id: score.parsed.value for result, score in scored}
    units = {score_unit(score, metric) for _, score in scored if score.parsed.value is not None}
    if len(units) > 1:
        values = dict.fromkeys(values)
    recorded_rank, cited_rank = ranks(values, metric.direction), ranks(values, cited)
    members: dict[str, dict[str, Decimal | None]] = defaultdict(dict)
    for name, value in values.items():
        members[groups[name]][name] = value
    in_group = {name: rank for group in members.values() for name, rank in ranks(group, metric.direction).items()}
    return [
        {
            **_score_row(result, metric, score),
            "direction_cited": cited,
            "rank": recorded_rank.get(result.id),
            "rank_cited": cited_rank.get(result.id),
            "rank_in_group": in_group.get(result.id),
        }
        for result, score in scored
    ]


def _score_row(result: LoadedResult, metric: BenchmarkMetric, score: Score) -> Row:
    parsed, stated = score.parsed, score.uncertainty
    spread = parsed.uncertainty is not None or parsed.low is not None
    return {
        "result": result.id,
        "benchmark": result.record.benchmark,
        "metric_key": metric.key,
        "metric": metric.metric,
        "text": score.text,
        "value": _float(parsed.value),
        "decimal": None if parsed.value is None else f"{parsed.value:f}",
        "decimals": parsed.decimals,
        "unit": score_unit(score, metric),
        "unit_recorded": metric.unit_recorded,
        "direction_recorded": metric.direction,
        "qualifier": parsed.qualifier,
        "uncertainty_kind": stated.kind if stated else "unknown" if spread else None,
        "uncertainty": _float(parsed.uncertainty),
        "low": _float(parsed.low),
        "high": _float(parsed.high),
        "level": stated.level if stated else None,
        "missing_reason": parsed.missing_reason,
        **{name: getattr(score, name) for name in ("aggregation", "n_runs", "n_items", "note")},
    }


def _float(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


def _config_rows(collection: Collection) -> list[Row]:
    folding = Folding(collection.config_keys)
    return [
        {
            "result": result.id,
            "key": pair.key,
            "value": json.dumps(pair.value, ensure_ascii=False),
            "folded_key": pair.folded_key,
            "folded_value": json.dumps(pair.folded_value, ensure_ascii=False),
        }
        for result in sorted(collection.results, key=lambda row: row.id)
        for pair in folding.fold(result.record.benchmark, result.record.config)
    ]


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
