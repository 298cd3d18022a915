"""The committed runs beside the recorded results: nothing recorded changes, what was added is published whole."""

from pathlib import Path

import pytest

from sotakit.catalog import Board, read_catalog
from sotakit.publish.build import SiteOptions, build_site
from sotakit.publish.site_check import check_site
from sotakit.validate import validate
from sotakit.verdicts import compare

BOARD = "counterfactual-explanations-on-mnist-test"


@pytest.fixture(scope="module")
def tables(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    outcome = validate(root / "data", tmp_path_factory.mktemp("own") / "build", "2026-12-01")
    codes = sorted(finding.code for finding in outcome.findings)
    assert codes == ["N607", "N608", "W403", "W403", "W403", "W511"]
    assert outcome.tables
    return outcome.tables


@pytest.fixture(scope="module")
def board(tables: Path) -> Board:
    return read_catalog(tables).boards[BOARD]


def test_the_recorded_rows_are_still_eleven_with_the_ranks_of_the_source(board: Board) -> None:
    recorded = [row["scores"]["im1-score"]["rank"] for row in board.results if row["origin"] == "reported"]
    assert sorted(recorded) == [1, 1, 2, 3, 4, 5, 5, 6, 7, 8, 8], "three are repeats"


def test_every_method_was_run_for_both_posteriors_with_three_seeds_and_intervals(board: Board) -> None:
    runs = [row for row in board.results if row["origin"] == "regenerated"]
    plain = {
        (row["method"], row["config"]["Inference Method"]) for row in runs if "Matched Confidence" not in row["config"]
    }
    five = {"wachter", "bayescf", "roar", "schut", "psce"}
    assert {(method, model) for method in five for model in ("MC Dropout", "BNN")} <= plain
    for row in runs:
        score = row["scores"]["im1-score"]
        assert (score["n_runs"], score["n_items"]) == (3, 1000)
        assert score["low"] <= score["value"] <= score["high"]


def test_the_order_of_the_board_holds_and_levels_are_not_compared(board: Board) -> None:
    verdicts = {verdict.config["Inference Method"]: verdict for verdict in compare(board)}
    assert {name: (verdict.word, verdict.tau) for name, verdict in verdicts.items()} == {
        "MC Dropout": ("not comparable", 1.0),
        "BNN": ("not comparable", 1.0),
    }


def test_the_site_with_runs_keeps_all_its_promises(tables: Path, tmp_path: Path) -> None:
    build_site(tables, SiteOptions(tmp_path / "public"))
    assert list(check_site(tmp_path / "public")) == []
    assert len(list((tmp_path / "public/paper").rglob("*.png"))) == 9
