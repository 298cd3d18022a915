"""JSON Lines to our three Parquet tables as most people would write it: models in a list, rows as dicts, Arrow, zstd.

    python -m benchmarks.children.naive_tables REGISTRY OUT

The columns of `results`, `scores` and `config` are those of `toolkit validate`, but nothing is checked between records,
and ranks, repeats and folded keys, which need all records, are left empty or as recorded.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sotaschema.arrow import TABLES
from sotaschema.base import first_day
from sotaschema.entities import Benchmark, BenchmarkMetric, Metric
from sotaschema.results import Result, Score

_SAME = set(TABLES["results"].names) & set(Result.model_fields) - {"config", "config_extra", "settings", "locator"}


def main(registry: str, out: str) -> None:
    """Write results, scores and config."""
    data, folder = Path(registry), Path(out)
    boards = {board.id: board for board in (Benchmark.model_validate_json(line) for line in _lines(data, "benchmarks"))}
    metrics = {metric.id: metric for metric in (Metric.model_validate_json(line) for line in _lines(data, "metrics"))}
    listed = {(name, metric.key): metric for name, board in boards.items() for metric in board.metrics}
    with (data / "results" / "bulk.jsonl").open("rb") as lines:
        results = [Result.model_validate_json(line) for line in lines]
    results.sort(key=lambda result: result.id or "")
    tables = {
        "results": [_result(result) for result in results],
        "scores": [
            _score(result, listed[result.benchmark, key], score, metrics)
            for result in results
            for key, score in sorted(result.scores.items())
        ],
        "config": [
            {"result": result.id, "key": key, "value": text, "folded_key": key, "folded_value": text}
            for result in results
            for key, text in sorted((key, json.dumps(value)) for key, value in result.config.items())
        ],
    }
    folder.mkdir(parents=True)
    for name, rows in tables.items():
        table = pa.Table.from_pylist(rows, schema=TABLES[name])
        pq.write_table(table, folder / f"{name}.parquet", compression="zstd", write_page_checksum=True)
    sys.stdout.write(f"{len(results)}\n")


def _lines(data: Path, kind: str) -> list[str]:
    return (data / f"{kind}.jsonl").read_text(encoding="utf-8").splitlines()


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _result(result: Result) -> dict[str, Any]:
    return {
        **{name: getattr(result, name) for name in _SAME},
        "method_label": result.method_label or result.method,
        "origin": "reported",
        "stands": True,
        "config": _json(result.config),
        "group": _json(result.config),
        "config_extra": _json(result.config_extra),
        "settings": _json(result.settings),
        "locator": _json(result.locator.model_dump(exclude_none=True) if result.locator else {}),
        "first_day": first_day(result.date) if result.date else None,
    }


def _score(result: Result, listed: BenchmarkMetric, score: Score, metrics: dict[str, Metric]) -> dict[str, Any]:
    parsed = score.parsed
    metric = metrics[listed.metric] if listed.metric else None
    return {
        "result": result.id,
        "benchmark": result.benchmark,
        "metric_key": listed.key,
        "metric": listed.metric,
        "text": score.text,
        "value": None if parsed.value is None else float(parsed.value),
        "decimal": None if parsed.value is None else f"{parsed.value:f}",
        "decimals": parsed.decimals,
        "unit": parsed.unit or listed.unit,
        "unit_recorded": listed.unit_recorded,
        "direction_recorded": listed.direction,
        "direction_cited": metric.direction if metric and metric.direction_source else "unknown",
        "qualifier": parsed.qualifier,
        "uncertainty_kind": score.uncertainty.kind if score.uncertainty else None,
        "uncertainty": None if parsed.uncertainty is None else float(parsed.uncertainty),
        "low": None if parsed.low is None else float(parsed.low),
        "high": None if parsed.high is None else float(parsed.high),
        "level": score.uncertainty.level if score.uncertainty else None,
        "aggregation": score.aggregation,
        "n_runs": score.n_runs,
        "n_items": score.n_items,
        "missing_reason": parsed.missing_reason,
        "note": score.note,
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
