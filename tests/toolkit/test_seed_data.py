"""The repository's records against the page they were copied from, typed in here by hand."""

import datetime
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from sotakit.validate import Outcome, validate

UE, IM, BNN = ("Uncertainty Estimation", "MC Dropout"), ("Inference Method", "MC Dropout"), ("Model", "BNN")
BOARD = "counterfactual-explanations-on-mnist-test"
REPORT = "6976f4e9a2b28e761d87c0f0"

# id, method, configuration, value, rank as recorded (higher is better), rank as cited (lower is better)
ROWS = [
    ("69991f7a5698665ec4866dd2", "BayesCF", UE, "1.6426", 1, 8),
    ("69991f7a5698665ec4866de7", "BayesCF", IM, "1.6426", 1, 8),
    ("69991f7a5698665ec4866df6", "BayesCF", BNN, "1.6408", 2, 7),
    ("69991f7a5698665ec4866dd4", "Wachter", UE, "1.4984", 3, 6),
    ("69991f7a5698665ec4866dd5", "ROAR", UE, "1.4739", 4, 5),
    ("69991f7a5698665ec4866dd3", "Schut", UE, "1.2373", 5, 4),
    ("69991f7a5698665ec4866de8", "Schut", IM, "1.2373", 5, 4),
    ("69991f7a5698665ec4866df7", "Schut", BNN, "1.2298", 6, 3),
    ("69991f7a5698665ec4866df5", "PSCE", BNN, "0.9768", 7, 2),
    ("69991f7a5698665ec4866dd1", "PSCE", UE, "0.9273", 8, 1),
    ("69991f7a5698665ec4866de6", "PSCE", IM, "0.9273", 8, 1),
]

METRICS = [
    ("IM1 Score", "higher", "SCALAR", "lower"),
    ("Implausibility", "lower", "SCALAR", "lower"),
    ("Robustness Ratio (1e-3)", "higher", "PERCENT", "higher"),
    ("Validity", "higher", "PERCENT", "higher"),
]

ORIGINS = {
    "BayesCF": None,
    "Wachter": "68fa64261e209131cea02e3a",
    "ROAR": "68fa6a551e209131cea27783",
    "Schut": "68fa69901e209131cea22aa4",
    "PSCE": REPORT,
}


@pytest.fixture(scope="module")
def outcome(seed_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return validate(seed_data, tmp_path_factory.mktemp("build"), "2026-06-01")


def table(outcome: Outcome, name: str) -> list[dict[str, Any]]:
    assert outcome.tables is not None
    rows: list[dict[str, Any]] = pq.read_table(outcome.tables / f"{name}.parquet").to_pylist()
    return rows


def test_exactly_the_known_warnings(outcome: Outcome) -> None:
    codes = sorted(finding.code for finding in outcome.findings)
    assert codes == ["N607", "N608", "W403", "W403", "W403", "W511"]  # no row has a date, none a place in the paper
    assert (outcome.rejected, outcome.hidden, outcome.exit_code(strict=False)) == (0, 0, 0)


def test_warnings_name_the_repeated_rows_and_the_board(outcome: Outcome) -> None:
    assert {finding.record for finding in outcome.findings if finding.severity == "warning"} == {
        "69991f7a5698665ec4866de7",
        "69991f7a5698665ec4866de8",
        "69991f7a5698665ec4866de6",
        BOARD,
    }


def test_the_file_holds_the_rows_of_the_page_in_its_order(seed_data: Path) -> None:
    text = (seed_data / "sources" / f"{REPORT}.yaml").read_text(encoding="utf-8")
    rows = yaml.load(text, Loader=yaml.BaseLoader)["results"]
    found = [(row["id"], row["method_label"], tuple(*row["config"].items()), row["scores"]) for row in rows]
    assert found == [(name, method, config, {"im1-score": value}) for name, method, config, value, _, _ in ROWS]


def test_the_tables_hold_the_rows_of_the_page(outcome: Outcome) -> None:
    scores = {row["result"]: row for row in table(outcome, "scores")}
    config = {row["result"]: (row["key"], row["value"]) for row in table(outcome, "config")}
    results = {row["id"]: row for row in table(outcome, "results")}
    assert set(results) == set(scores) == set(config) == {row[0] for row in ROWS}
    for name, method, (key, setting), value, recorded, cited in ROWS:
        assert (results[name]["method_label"], config[name]) == (method, (key, f'"{setting}"'))
        assert (scores[name]["text"], scores[name]["decimal"], scores[name]["value"]) == (value, value, float(value))
        assert scores[name]["decimals"] == 4
        assert (scores[name]["rank"], scores[name]["rank_cited"]) == (recorded, cited)


def test_rows_come_from_the_reporting_paper_and_are_unchecked_copies(outcome: Outcome) -> None:
    for row in table(outcome, "results"):
        assert (row["source"], row["benchmark"], row["origin"], row["date"]) == (REPORT, BOARD, "reported", None)
        assert (row["evidence"], row["transcription"]) == ("aggregator_copy", "machine_extracted")
        assert (row["reproduction"], row["status"], row["comparability"]) == ("not_attempted", "active", "unknown")


def test_methods_have_their_recorded_origins(outcome: Outcome) -> None:
    assert {row["name"]: row["origin"] for row in table(outcome, "methods")} == ORIGINS


def test_recorded_and_cited_directions_and_units(outcome: Outcome) -> None:
    rows = sorted(table(outcome, "benchmark_metrics"), key=lambda row: row["position"])
    found = [(row["label"], row["direction_recorded"], row["unit_recorded"], row["direction_cited"]) for row in rows]
    assert found == METRICS
    assert [row["direction_conflict"] for row in rows] == [True, False, False, False]
    assert [row["primary"] for row in rows] == [True, False, False, False]


def test_equal_rows_are_groups_of_two(outcome: Outcome) -> None:
    first = {row["id"]: row["duplicate_of"] for row in table(outcome, "results") if row["duplicate_of"]}
    assert first == {
        "69991f7a5698665ec4866de7": "69991f7a5698665ec4866dd2",
        "69991f7a5698665ec4866de8": "69991f7a5698665ec4866dd3",
        "69991f7a5698665ec4866de6": "69991f7a5698665ec4866dd1",
    }


def test_like_for_like_groups_and_their_ranks(outcome: Outcome) -> None:
    groups = {row["id"]: row["group"] for row in table(outcome, "results")}
    ranks = {row["result"]: row["rank_in_group"] for row in table(outcome, "scores")}
    by_group: dict[str, list[tuple[str, int]]] = {}
    for name, method, *_ in ROWS:
        by_group.setdefault(groups[name], []).append((method, ranks[name]))
    assert by_group == {
        '{"Inference Method":"MC Dropout"}': [
            ("BayesCF", 1), ("BayesCF", 1), ("Wachter", 2), ("ROAR", 3), ("Schut", 4), ("Schut", 4), ("PSCE", 5),
            ("PSCE", 5),
        ],
        '{"Inference Method":"BNN"}': [("BayesCF", 1), ("Schut", 2), ("PSCE", 3)],
    }  # fmt: skip


def test_benchmark_as_recorded(outcome: Outcome) -> None:
    (row,) = table(outcome, "benchmarks")
    assert (row["title"], row["dataset_label"]) == ("Counterfactual Explanations on MNIST (test)", "MNIST (test)")
    assert row["updated_at"] == "2026-02-26T05:46:52.174Z"
    assert row["updated"] == datetime.datetime(2026, 2, 26, 5, 46, 52, 174000, tzinfo=datetime.UTC)
