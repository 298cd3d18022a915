"""Ranks count claims that stand: repeats share one, and what was retracted, withdrawn or superseded has none."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sotakit.standings import Directions, Repeats, Scores, Standings
from sotakit.validate import validate

Write = Callable[..., Path]
Rows = dict[str, dict[str, Any]]

CLAIMS = st.lists(
    st.tuples(
        st.sampled_from([0, 1]),  # board
        st.sampled_from([0.0, 1.0, 2.0]),  # value
        st.lists(st.tuples(st.sampled_from("xy"), st.booleans()), min_size=1, max_size=3),  # group, ranked
    ),
    max_size=7,
)


@given(CLAIMS, st.randoms(use_true_random=False), st.sampled_from([1, 99]), st.sampled_from(["higher", "lower"]))
def test_a_rank_is_one_more_than_the_claims_ahead(claims: Any, chance: Any, portion: int, direction: str) -> None:
    results = [
        (board, value, group, ranked, claim)
        for claim, (board, value, stating) in enumerate(claims)
        for group, ranked in stating
    ]
    chance.shuffle(results)
    standings = Standings()
    for board, value, group, *_ in results:
        one = np.ones(1, "i4")
        standings.add(Scores(one, one * board, np.zeros(1, bool), np.array([value]), np.zeros(1, "i1")), [group])
    groups = [[at for at, result in enumerate(results) if result[4] == claim] for claim in range(len(claims))]
    repeats = Repeats([group for group in groups if len(group) > 1])
    ranked = np.array([result[3] for result in results], bool)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sotakit.standings.PORTION", portion)
        directions = [Directions(direction, "lower")] * 2  # type: ignore[arg-type]
        found = standings.ranks(ranked, repeats, directions)

    def expected(at: int, sign: int, *, in_group: bool) -> int:
        board, value, group, stands, _ = results[at]
        others = [one for one in results if one[3] and one[0] == board and (one[2] == group or not in_group)]
        return 1 + len({one[4] for one in others if sign * one[1] < sign * value}) if stands else 0

    sign = -1 if direction == "higher" else 1
    everything = range(len(results))
    assert found[0].tolist() == [expected(at, sign, in_group=False) for at in everything]
    assert found[1].tolist() == [expected(at, 1, in_group=False) for at in everything]
    assert found[2].tolist() == [expected(at, sign, in_group=True) for at in everything]


RESULT = {"benchmark": "board", "method": "m"}


def result(name: str, value: str, config: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    return {**RESULT, "id": name, "config": config or {"Run": name}, "scores": {"acc": value}, **more}


def registry(folder: Path, sources: list[dict[str, Any]], events: list[dict[str, Any]], *, apart: bool) -> Path:
    """A registry whose results stand in their sources, or in a file whose name comes first of all."""
    metric = {"key": "acc", "metric": "acc", "label": "Acc", "direction": "higher", "unit": "percent"}
    files: dict[str, Any] = {
        "tasks": [{"id": "task", "name": "T"}],
        "datasets": [{"id": "data", "name": "D"}],
        "methods": [{"id": "m", "name": "M"}],
        "metrics": [{"id": "acc", "name": "Acc", "direction": "higher", "direction_source": [{"source": "z"}]}],
        "benchmarks": [{"id": "board", "title": "B", "task": "task", "dataset": "data", "metrics": [metric]}],
        "events": events,
    }
    rows = [{**row, "source": source["id"]} for source in sources for row in source["results"]] if apart else []
    own = [{**source, "results": [] if apart else source["results"]} for source in sources]
    files["sources"] = [*own, {"id": "z", "type": "paper", "title": "Z", "url": "https://example.org/z"}]
    data = folder / "data"
    data.mkdir(parents=True)
    for name, records in files.items():
        (data / f"{name}.json").write_text(json.dumps(records), encoding="utf-8")
    if rows:
        (data / "results").mkdir()
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (data / "results" / "a.jsonl").write_text(text, encoding="utf-8")
    return data


def compiled(data: Path) -> Rows:
    """What the tables say of each result: rank, whether it stands, and what it repeats."""
    outcome = validate(data, data.parent / "build", "2026-06-01")
    assert outcome.tables, [str(finding) for finding in outcome.findings]
    scores = {row["result"]: row for row in pq.read_table(outcome.tables / "scores.parquet").to_pylist()}
    results = pq.read_table(outcome.tables / "results.parquet").to_pylist()
    return {row["id"]: {**scores[row["id"]], **row} for row in results}


def source(name: str, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": name, "type": "paper", "title": name, "url": "https://example.org/", "results": [*results], **more}


def event(kind: str, target: str, date: str = "2026-01-02") -> dict[str, Any]:
    return {"id": f"e-{kind}-{target}-{date}", "type": kind, "target": target, "date": date, "actor": "A. Curator"}


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("status", ["retracted", "withdrawn", "superseded"])
def test_what_its_own_record_lets_fall_is_not_ranked(tmp_path: Path, status: str, apart: bool) -> None:
    rows = [result("r1", "9.0", status=status), result("r2", "8.0"), result("r3", "7.0", status="disputed")]
    found = compiled(registry(tmp_path, [source("a", *rows)], [], apart=apart))
    assert {name: row["rank"] for name, row in found.items()} == {"r1": None, "r2": 1, "r3": 2}
    assert {name: row["rank_in_group"] for name, row in found.items()} == {"r1": None, "r2": 1, "r3": 1}
    assert {name: row["stands"] for name, row in found.items()} == {"r1": False, "r2": True, "r3": True}


@pytest.mark.parametrize("apart", [False, True])
def test_events_decide_last(tmp_path: Path, apart: bool) -> None:
    rows = [result("r1", "9.0"), result("r2", "8.0", status="retracted"), result("r3", "7.0"), result("r4", "6.0")]
    events = [
        event("superseded", "r1"),
        {**event("disputed", "r2"), "field": "status", "after": "active"},
        event("retracted", "r3", "2026-01-01"),
        {**event("corrected", "r3", "2026-01-03"), "after": "corrected"},
        event("retracted", "r4", "2026-01-01"),
        event("corrected", "r4", "2026-01-03"),  # says nothing of its standing
    ]
    found = compiled(registry(tmp_path, [source("a", *rows)], events, apart=apart))
    assert {name: row["rank"] for name, row in found.items()} == {"r1": None, "r2": 1, "r3": 2, "r4": None}


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("by_event", [False, True])
def test_nothing_of_a_retracted_source_is_ranked(tmp_path: Path, by_event: bool, apart: bool) -> None:
    stated = {} if by_event else {"retracted": True}
    sources = [source("a", result("r1", "9.0")), source("b", result("r2", "9.5"), result("r3", "8.0"), **stated)]
    events = [event("retracted", "b")] if by_event else []
    found = compiled(registry(tmp_path, sources, events, apart=apart))
    assert {name: (row["rank"], row["stands"]) for name, row in found.items()} == {
        "r1": (1, True),
        "r2": (None, False),
        "r3": (None, False),
    }


def test_a_repeat_shares_the_rank_and_moves_nobody_down(tmp_path: Path) -> None:
    same, other = {"Inference": "Dropout"}, {"Estimate": "Dropout"}
    rows = [result("r1", "9.0", same), result("r2", "9.0", other), result("r3", "9.0"), result("r4", "8.0", same)]
    found = compiled(registry(tmp_path, [source("a", *rows)], [], apart=False))
    assert {name: row["duplicate_of"] for name, row in found.items()} == {
        "r1": None, "r2": "r1", "r3": None, "r4": None
    }  # fmt: skip
    assert {name: row["rank"] for name, row in found.items()} == {"r1": 1, "r2": 1, "r3": 1, "r4": 3}


@pytest.mark.parametrize("fallen", ["r1", "r2"])
def test_the_repeat_that_stands_is_the_claim(tmp_path: Path, fallen: str) -> None:
    same, other = {"Inference": "Dropout"}, {"Estimate": "Dropout"}
    rows = [result("r1", "9.0", same), result("r2", "9.0", other), result("r3", "8.0")]
    found = compiled(registry(tmp_path, [source("a", *rows)], [event("retracted", fallen)], apart=False))
    left = "r2" if fallen == "r1" else "r1"
    assert {name: row["rank"] for name, row in found.items()} == {fallen: None, left: 1, "r3": 2}
    assert {name: row["duplicate_of"] for name, row in found.items()} == {fallen: left, left: None, "r3": None}


def test_all_orders_of_results_give_the_same_ranks(tmp_path: Path) -> None:
    same, other = {"Inference": "Dropout"}, {"Estimate": "Dropout"}
    rows = [result("r1", "9.0", same), result("r2", "9.0", other), result("r3", "9.5", status="withdrawn")]
    for number, order in enumerate(itertools.permutations([*rows, result("r4", "8.0")])):
        found = compiled(registry(tmp_path / str(number), [source("a", *order)], [], apart=bool(number % 2)))
        assert {name: row["rank"] for name, row in found.items()} == {"r1": 1, "r2": 1, "r3": None, "r4": 2}


@pytest.mark.parametrize("hidden", [False, True])
def test_a_direction_without_a_published_citation_is_not_cited(
    write: Write, minimal: dict[str, str], hidden: bool
) -> None:
    if hidden:
        minimal["sources/secret.yaml"] = "id: secret\ntype: paper\ntitle: S\nvisibility: private\n"
    cited = "direction_source: [{source: secret}]" if hidden else "direction_source: []"
    minimal["metrics.yaml"] = f"- {{id: accuracy, name: Accuracy, direction: lower, unit: percent, {cited}}}\n"
    listed = "[{key: accuracy, metric: accuracy, label: Accuracy, direction: higher, unit: percent}]"
    board = f"id: sorting-on-numbers, title: S, task: sorting, dataset: numbers, metrics: {listed}"
    minimal["benchmarks.yaml"] = f"- {{{board}}}\n"
    data = write(minimal)
    outcome = validate(data, data.parent / "build", "2026-06-01")
    assert outcome.tables, [str(finding) for finding in outcome.findings]
    scores = pq.read_table(outcome.tables / "scores.parquet").to_pylist()
    metrics = pq.read_table(outcome.tables / "benchmark_metrics.parquet").to_pylist()
    assert scores
    assert {(row["direction_recorded"], row["direction_cited"], row["rank_cited"]) for row in scores} == {
        ("higher", "unknown", None)
    }
    assert {row["rank"] for row in scores} == {1, 2}
    assert [(row["direction_cited"], row["direction_conflict"]) for row in metrics] == [("unknown", False)]
