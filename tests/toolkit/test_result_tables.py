"""Rows of results, scores and settings that are made once for many, against the plain way record by record."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sotakit import result_rows, result_tables
from sotakit.cells import table
from sotakit.check.findings import Origin
from sotakit.collection import Known, Loaded, LoadedResult
from sotakit.folding import Folding
from sotakit.result_tables import Late, ResultTables
from sotaschema.entities import Benchmark, ConfigKey
from sotaschema.identity import canonical_json
from sotaschema.results import Result

BENCHMARKS = ("first", "second")
KEYS = [ConfigKey(key="rate", aliases=["lr"], benchmarks=["second"]), ConfigKey(key="size", aliases=["width"])]
CONFIGS = st.dictionaries(
    st.sampled_from(["lr", "width", "seed"]), st.sampled_from([1, 1.0, True, "1", 0, 0.0, -0.0, False, ""])
)
SCORES = st.fixed_dictionaries(
    {"text": st.sampled_from(["1", "1.0", "-0", "0", "2 ± 1", "~3 %", "–"])},
    optional={
        "unit": st.just("fraction"),
        "note": st.sampled_from(["a", "b"]),
        "n_runs": st.just(1),
        "uncertainty": st.just({"kind": "sd", "value": "0.5"}),
    },
)
RECORDS = st.fixed_dictionaries(
    {
        "benchmark": st.sampled_from(BENCHMARKS),
        "method": st.just("m"),
        "config": CONFIGS,
        "scores": st.dictionaries(st.sampled_from(["b", "a", "unlisted"]), SCORES, min_size=1),
    },
    optional={"locator": st.sampled_from([{"page": 1}, {"row": "1"}, {}]), "date": st.just("2026-02")},
)


def known() -> Known:
    metrics = [{"key": key, "label": key, "unit": "points", "direction": "higher"} for key in "ab"]
    boards = [
        Benchmark.model_validate({"id": name, "title": name, "task": "t", "dataset": "d", "metrics": metrics})
        for name in BENCHMARKS
    ]
    return Known({"benchmarks": [Loaded(board, Origin("benchmarks.yaml")) for board in boards]})


def compiled(records: list[dict[str, Any]], folder: Path) -> dict[str, list[dict[str, Any]]]:
    """The rows of the tables, with the results added one at a time."""
    with ResultTables(folder, known(), Folding(KEYS)) as tables:
        for number, record in enumerate(records):
            result = Result.model_validate(record)
            tables.add([LoadedResult(f"r{number}", result, "paper", Origin("a.jsonl", number + 1))])
        found = tables.tables(np.ones(len(records), bool), Late())
        return {name: [row for part in parts for row in part.to_pylist()] for name, parts in found.items()}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=60)
@given(records=st.lists(RECORDS, max_size=6), piece=st.sampled_from([1, 2, 9]), most=st.sampled_from([1, 99]))
def test_rows_are_those_of_each_record_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, records: list[dict[str, Any]], piece: int, most: int
) -> None:
    monkeypatch.setattr(result_tables, "PIECE", piece)
    monkeypatch.setattr(result_rows, "MOST_CONFIGS", most)
    found = compiled(records, tmp_path)
    folding = Folding(KEYS)
    assert [row["config"] for row in found["results"]] == [canonical_json(record["config"]) for record in records]
    assert [row["group"] for row in found["results"]] == [
        folding.group(record["benchmark"], record["config"]) for record in records
    ]
    assert [row["locator"] for row in found["results"]] == [
        canonical_json(record.get("locator", {})) for record in records
    ]
    pairs = [
        (f"r{number}", pair.key, json.dumps(pair.value), pair.folded_key, json.dumps(pair.folded_value))
        for number, record in enumerate(records)
        for pair in folding.fold(record["benchmark"], record["config"])
    ]
    assert [tuple(row.values()) for row in found["config"]] == pairs
    names = ("result", "benchmark", "metric_key", "text", "value", "unit", "note", "n_runs", "uncertainty_kind")
    shown = [tuple(repr(row[name]) for name in names) for row in found["scores"]]
    assert shown == [tuple(map(repr, cells)) for cells in plain_scores(records)]


def plain_scores(records: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    found = []
    for number, record in enumerate(records):
        result = Result.model_validate(record)
        for key, score in sorted(result.scores.items()):
            parsed, stated = score.parsed, score.uncertainty
            kind = stated.kind if stated else "unknown" if parsed.uncertainty is not None else None
            value = None if parsed.value is None else float(parsed.value)
            cells = (score.text, value, parsed.unit or "points", score.note, score.n_runs, kind)
            if key != "unlisted":
                found.append((f"r{number}", result.benchmark, key, *cells))
    return found


def test_columns_of_one_value_and_of_zeros_that_differ() -> None:
    schema = pa.schema([("a", pa.string()), ("b", pa.float64()), ("c", pa.int64())])
    found = table({"a": ["x"] * 3, "b": (0.0, -0.0, 0.0), "c": [None] * 3}, schema)
    assert str(found.to_pylist()[1]) == "{'a': 'x', 'b': -0.0, 'c': None}"
    assert table({"a": [], "b": (), "c": []}, schema).to_pylist() == []
    assert table({"a": ["x", "y", "x"], "b": [1.0] * 3, "c": [1, 2, 1]}, schema).column("a").to_pylist() == list("xyx")


def test_the_allocator_is_what_it_was_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[Any] = []
    monkeypatch.setattr(pa, "default_memory_pool", lambda: "before")
    monkeypatch.setattr(pa, "set_memory_pool", chosen.append)
    with ResultTables(tmp_path, known(), Folding([])):
        assert [pool.backend_name for pool in chosen] == ["system"]
    assert chosen[1:] == ["before"]
