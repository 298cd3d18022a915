"""Ranks in compact columns against the plain ranking of one board, and runs on disk against sorting in memory."""

from collections import defaultdict
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from outcomes import ranks
from sotakit import spill
from sotakit.errors import OutputError
from sotakit.spill import Spill
from sotakit.standings import BoardKey, Directions, Standings

VALUES = st.none() | st.sampled_from(
    [
        Decimal(text)
        for text in ("1", "1.0", "-1", "0", "0.1", "0.10000000000000000001", "1e20", "100000000000000000001")
    ]
)
DIRECTIONS = st.sampled_from(["higher", "lower", "unknown", "target"])
SCORES = st.tuples(st.sampled_from("ab"), VALUES, st.sampled_from(["percent", "percent", "fraction"]), st.booleans())


@given(
    st.lists(SCORES, max_size=12), st.sampled_from(["higher", "lower", "unknown", "target"]), st.sampled_from([1, 99])
)
@example(
    [("a", Decimal("0.1"), "percent", True), ("a", Decimal("0.10000000000000000001"), "percent", True)], "higher", 99
)
def test_ranks_of_all_boards_are_those_of_each_board(
    scores: list[tuple[str, Decimal | None, str, bool]], direction: str, portion: int
) -> None:
    standings = Standings()
    boards: dict[str, dict[str, Decimal | None]] = defaultdict(dict)
    units: dict[str, set[str]] = defaultdict(set)
    for ordinal, (board, value, unit, kept) in enumerate(scores):
        standings.add_group(f"group {ordinal % 2}")
        directions = Directions(direction, "lower")  # type: ignore[arg-type]
        code = standings.board(BoardKey(board, "m", False), directions)
        added = standings.add(np.array([ordinal], "i4"), [code], [value], [unit])  # type: ignore[list-item]
        assert added.tolist() == [ordinal]
        if kept:
            boards[board][str(ordinal)] = value
        if kept and value is not None:
            units[board].add(unit)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sotakit.standings.PORTION", portion)
        found = standings.ranks(np.array([kept for *_, kept in scores], dtype=bool))
    for board, recorded in boards.items():
        values = dict.fromkeys(recorded) if len(units[board]) > 1 else recorded
        expected = ranks(values, direction), ranks(values, "lower")  # type: ignore[arg-type]
        groups = [{name: value for name, value in values.items() if int(name) % 2 == rest} for rest in (0, 1)]
        grouped = {name: rank for group in groups for name, rank in ranks(group, direction).items()}  # type: ignore[arg-type]
        for column, plain in zip(found, (*expected, grouped), strict=True):
            assert {name: int(column[int(name)]) for name in values if column[int(name)]} == plain


def table(rows: list[tuple[str, int]]) -> pa.Table:
    return pa.table(
        {
            "id": pa.array([name for name, _ in rows], pa.string()),
            "n": pa.array([number for _, number in rows], pa.int64()),
        }
    )


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    pieces=st.lists(
        st.lists(st.tuples(st.text("ab\u00e9\U0001f600", max_size=2), st.integers(0, 9)), max_size=9), max_size=9
    ),
    number=st.uuids(),
)
def test_runs_on_disk_come_back_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pieces: list[list[tuple[str, int]]], number: object
) -> None:
    monkeypatch.setattr(spill, "RUN_BYTES", 60)
    monkeypatch.setattr(spill, "BATCH_ROWS", 2)
    runs = Spill(tmp_path / str(number) / "x", ["id", "n"])
    for piece in pieces:
        runs.add(table(piece))
    merged = [row for part in runs.merged() for row in zip(*part.to_pydict().values(), strict=True)]
    assert [name for name, _ in merged] == sorted(name for piece in pieces for name, _ in piece)
    assert sorted(merged) == sorted(row for piece in pieces for row in piece)


def test_a_run_that_cannot_be_written_is_an_output_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(spill, "RUN_BYTES", 1)
    with pytest.raises(OutputError, match=r"file/x-0\.arrow: cannot be written: File exists"):
        Spill(tmp_path / "file" / "x", ["id"]).add(table([("a", 1)]))


def test_runs_of_dead_processes_are_swept(tmp_path: Path) -> None:
    own = spill.spill_folder(tmp_path)
    for folder in (own, tmp_path / ".spill-999999999", tmp_path / ".spill-x"):
        folder.mkdir()
    spill.sweep_spills(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [own.name]
