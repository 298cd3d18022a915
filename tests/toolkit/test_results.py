"""Results find their scores in whatever order the two tables lie."""

from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sotakit.results import ResultStore

RESULTS = pa.schema(
    [(name, pa.string()) for name in ("id", "benchmark", "method", "source", "imported_file")]
    + [("imported_row", pa.int64())]
)
SCORES = pa.schema([("result", pa.string()), ("metric_key", pa.string()), ("text", pa.string())])


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Rows of results, some of them from a file, and of one to three scores of each, both in any order."""
    ids = draw(st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1))
    results = [
        {
            "id": name,
            "benchmark": draw(st.sampled_from(["x", "y"])),
            "method": "m",
            "source": "s",
            "imported_file": draw(st.sampled_from([None, "f", "g"])),
            "imported_row": draw(st.none() | st.integers(1, 9)),
        }
        for name in ids
    ]
    scores = [
        {"result": name, "metric_key": key, "text": f"{name} by {key}"}
        for name in ids
        for key in draw(st.lists(st.sampled_from(["k1", "k2", "k3"]), unique=True, min_size=1))
    ]
    return results, draw(st.permutations(scores) | st.just(scores))


@given(drawn=tables())
def test_each_result_has_its_own_scores_and_boards_their_results_in_order(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[list[dict[str, Any]], list[dict[str, Any]]]
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    results, scores = drawn
    pq.write_table(pa.Table.from_pylist(results, schema=RESULTS), folder / "results.parquet")
    pq.write_table(pa.Table.from_pylist(scores, schema=SCORES), folder / "scores.parquet")
    store = ResultStore.read_from(folder)
    for board, rows in zip(("x", "y"), store.read("benchmark", ["x", "y"]), strict=True):
        mine = [row for row in results if row["benchmark"] == board]
        ordered = sorted(mine, key=lambda row: (row["imported_file"] or "", row["imported_row"] or 0, row["id"]))
        assert [row["id"] for row in rows] == [row["id"] for row in ordered]
        for row in rows:
            own = {score["metric_key"]: score["text"] for score in scores if score["result"] == row["id"]}
            assert {key: score["text"] for key, score in row["scores"].items()} == own
    numbers, ends = store.in_source_order("benchmark", ["y", "x"])
    together = [row["id"] for rows in store.read("benchmark", ["y", "x"]) for row in rows]
    assert [row["id"] for row in store.rows(numbers)] == together
    assert ends == [0, sum(row["benchmark"] == "y" for row in results), len(results)]
