"""JSON Lines to three Parquet tables as most people would write it: a list of models, rows as dicts, Arrow, zstd.

    python -m benchmarks.children.naive_arrow FILE.jsonl OUT

Column types are inferred; nothing is checked between records; no ranks, no groups, no hashes.
"""

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sotaschema.results import Result

_FIELDS = (
    "id",
    "source",
    "benchmark",
    "method",
    "method_label",
    "date",
    "date_kind",
    "extra_training_data",
    "notes",
    "evidence",
    "transcription",
    "reproduction",
    "status",
    "comparability",
)


def main(path: str, out: str) -> None:
    """Write results, scores and config."""
    with Path(path).open("rb") as lines:
        results = [Result.model_validate_json(line) for line in lines]
    folder = Path(out)
    folder.mkdir(parents=True)
    tables = {"results": _results(results), "scores": _scores(results), "config": _config(results)}
    for name, rows in tables.items():
        pq.write_table(pa.Table.from_pylist(rows), folder / f"{name}.parquet", compression="zstd")
    sys.stdout.write(f"{len(results)}\n")


def _results(results: list[Result]) -> list[dict[str, Any]]:
    return [
        {
            **{name: getattr(result, name) for name in _FIELDS},
            "config": json.dumps(result.config),
            "locator": result.locator.model_dump_json(exclude_none=True) if result.locator else None,
        }
        for result in results
    ]


def _scores(results: list[Result]) -> list[dict[str, Any]]:
    return [
        {
            "result": result.id,
            "benchmark": result.benchmark,
            "metric_key": key,
            "text": score.text,
            "value": float(score.text),
            "unit": score.unit,
        }
        for result in results
        for key, score in result.scores.items()
    ]


def _config(results: list[Result]) -> list[dict[str, Any]]:
    return [
        {"result": result.id, "key": key, "value": json.dumps(value)}
        for result in results
        for key, value in result.config.items()
    ]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
