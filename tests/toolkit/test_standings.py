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
from outcomes import scores as one_each
from sotakit import spill
from sotakit.errors import OutputError
from sotakit.spill import Part, Spill, spans
from sotakit.standings import Directions, Repeats, Scores, Standings

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
    directions = [Directions(direction, "lower")] * 2  # type: ignore[arg-type]
    boards: dict[str, dict[str, Decimal | None]] = defaultdict(dict)
    units: dict[str, set[str]] = defaultdict(set)
    for ordinal, (board, value, unit, kept) in enumerate(scores):
        added = one_each(["ab".index(board)], [value], [["percent", "fraction"].index(unit)])
        standings.add(added, [f"group {ordinal % 2}"])
        if kept:
            boards[board][str(ordinal)] = value
        if kept and value is not None:
            units[board].add(unit)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sotakit.standings.PORTION", portion)
        found = standings.ranks(np.array([kept for *_, kept in scores], dtype=bool), Repeats(), directions)
    for board, recorded in boards.items():
        values = dict.fromkeys(recorded) if len(units[board]) > 1 else recorded
        expected = ranks(values, direction), ranks(values, "lower")  # type: ignore[arg-type]
        groups = [{name: value for name, value in values.items() if int(name) % 2 == rest} for rest in (0, 1)]
        grouped = {name: rank for group in groups for name, rank in ranks(group, direction).items()}  # type: ignore[arg-type]
        for column, plain in zip(found, (*expected, grouped), strict=True):
            assert {name: int(column[int(name)]) for name in values if column[int(name)]} == plain


def test_ranks_are_as_wide_as_the_largest_board_needs() -> None:
    standings = Standings()
    for _ in range(3):
        standings.add(one_each([0] * 100, [Decimal(number) for number in range(100)]), [""] * 100)
    recorded, cited, grouped = standings.ranks(np.ones(300, bool), Repeats(), [Directions("lower", "lower")])
    assert recorded.tolist() == cited.tolist() == grouped.tolist() == [1 + 3 * number for number in range(100)] * 3
    assert recorded.dtype == cited.dtype == grouped.dtype == np.uint16


def test_scores_of_results_with_several_belong_to_their_result() -> None:
    standings = Standings()
    directions = [Directions("higher", "higher"), Directions("higher", "lower")]
    counts, regenerated = np.array([2, 0, 2, 1], "i4"), np.array([False, False, False, True])
    metrics, values = np.array([0, 1, 0, 1, 0], "i4"), np.array([1.0, 1.0, 2.0, 2.0, 5.0])
    standings.add(Scores(counts, metrics, np.repeat(regenerated, counts), values, np.zeros(5, "i1")), list("abca"))
    found = [ranks.tolist() for ranks in standings.ranks(np.ones(4, bool), Repeats(), directions)]
    assert found == [[2, 2, 1, 1, 1], [2, 1, 1, 2, 1], [1] * 5]
    found = [ranks.tolist() for ranks in standings.ranks(np.array([True, True, False, True]), Repeats(), directions)]
    assert found == [[1, 1, 0, 0, 1]] * 3


def test_boards_without_scores_and_no_board_at_all() -> None:
    for directions in ([], [Directions("lower", "lower")]):
        assert [ranks.tolist() for ranks in Standings().ranks(np.zeros(0, bool), Repeats(), directions)] == [[], [], []]


IDS = st.text("ab\u00e9\U0001f600", max_size=3)
RESULTS = st.lists(st.tuples(IDS, st.integers(0, 3), st.booleans()), max_size=9, unique_by=lambda result: result[0])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(results=RESULTS, piece=st.integers(1, 4), number=st.uuids(), run=st.sampled_from([1, 60, 9999]))
def test_runs_on_disk_come_back_in_order_of_ids(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    results: list[tuple[str, int, bool]],
    piece: int,
    number: object,
    run: int,
) -> None:
    for name, size in (("RUN_BYTES", run), ("BATCH_ROWS", 2), ("CHUNK", 2)):
        monkeypatch.setattr(spill, name, size)
    spilled = Spill(tmp_path / str(number))
    for start in range(0, len(results), piece):
        spilled.add(*parts_of(results[start : start + piece], start))
    kept = np.array([stays for *_, stays in results], dtype=bool)
    order = spilled.order()
    ids = [name for name, *_ in results]
    assert [ids[ordinal] for ordinal in order] == sorted(ids)
    for table in ("one", "several"):
        merged = list(spilled.merged(table, order, kept))
        found = [row for part in merged for row in zip(*part.rows.to_pydict().values(), strict=True)]
        wanted = [
            (ordinal, nth)
            for ordinal in order.tolist()
            if kept[ordinal]
            for nth in range(1 if table == "one" else results[ordinal][1])
        ]
        assert found == wanted
        assert [at for part in merged for at in part.ordinals if results[at][1]] == [
            ordinal for ordinal in order if kept[ordinal] and results[ordinal][1]
        ]


def parts_of(results: list[tuple[str, int, bool]], first: int) -> tuple[pa.Array, dict[str, Part]]:
    ids = pa.array([name for name, *_ in results], pa.string())
    counts = {"one": [1] * len(results), "several": [count for _, count, _ in results]}
    parts = {}
    for name, numbers in counts.items():
        rows = [(ordinal, nth) for ordinal, count in enumerate(numbers, first) for nth in range(count)]
        columns = {"ordinal": [ordinal for ordinal, _ in rows], "nth": [nth for _, nth in rows]}
        schema = pa.schema([("ordinal", pa.int32()), ("nth", pa.int32())])
        parts[name] = Part(pa.table(columns, schema=schema), np.array(numbers, "i4"))
    return ids, parts


def test_spans_are_what_slices_would_give() -> None:
    assert spans(np.array([5, 0, 9]), np.array([2, 3, 0], "i4")).tolist() == [5, 6, 0, 1, 2]
    assert spans(np.zeros(0, "i8"), np.zeros(0, "i4")).tolist() == []


def test_a_run_that_cannot_be_written_is_an_output_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(spill, "RUN_BYTES", 1)
    with pytest.raises(OutputError, match=r"file/x/ids-0\.arrow: cannot be written: Not a directory"):
        Spill(tmp_path / "file" / "x").add(*parts_of([("a", 1, True)], 0))


def test_runs_of_dead_processes_are_swept(tmp_path: Path) -> None:
    own = spill.spill_folder(tmp_path)
    for folder in (own, tmp_path / ".spill-999999999", tmp_path / ".spill-x"):
        folder.mkdir()
    spill.sweep_spills(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [own.name]
