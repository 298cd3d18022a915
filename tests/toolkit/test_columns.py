"""Compiled tables held as columns of codes give the rows that Arrow itself reads from the file."""

import contextlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sotakit import arrow_memory, columns
from sotakit.columns import Table, all_rows

KINDS: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "text": (pa.string(), st.none() | st.sampled_from(["a", "b", "", "ü"]) | st.text(max_size=3)),
    "json": (pa.string(), st.none() | st.sampled_from(["{}", '{"a":1}', "[1]"])),
    "number": (pa.float64(), st.none() | st.floats(allow_nan=False)),
    "count": (pa.int64(), st.none() | st.integers(-3, 3)),
    "flag": (pa.bool_(), st.booleans()),
    "texts": (pa.list_(pa.string()), st.lists(st.text(max_size=2), max_size=2)),
    "same": (pa.string(), st.just("x")),
    "nothing": (pa.string(), st.none()),
}
SCHEMA = pa.schema([(name, kind) for name, (kind, _) in KINDS.items()])
ROWS = st.lists(st.fixed_dictionaries({name: values for name, (_, values) in KINDS.items()}), max_size=12)


@pytest.mark.parametrize("few", [1, 4096])
@given(rows=ROWS, data=st.data())
def test_any_rows_are_those_of_the_file(
    tmp_path_factory: pytest.TempPathFactory, few: int, rows: list[dict[str, Any]], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("table") / "table.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path)
    expected = [row | {"json": None if row["json"] is None else json.loads(row["json"])} for row in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "FEW", few)
        plain = data.draw(st.sets(st.sampled_from(["text", "json", "same", "nothing", "number"])))
        table = Table(path, {"json": json.loads}, plain)
        assert all_rows(path, {"json": json.loads}) == expected
        assert list(table.rows(everything := np.arange(len(rows)))) == expected
        chosen = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=8)) if rows else []
        names = data.draw(st.lists(st.sampled_from(list(KINDS)), unique=True, min_size=1))
        found = list(table.rows(np.array(chosen, np.int64), names))
    assert found == [{name: expected[place][name] for name in names} for place in chosen]
    for name in names:
        made = list(table.columns[name].cells(np.array(chosen, np.int64), repr))
        assert made == [repr(expected[place][name]) for place in chosen]
    for one in found:
        one.clear()  # each row is a dictionary of its own
    assert list(table.rows(everything)) == expected


def test_times_are_left_out_of_rows(tmp_path: Path) -> None:
    rows = [{"updated_at": "2026-01-02T00:00:00Z", "updated": None}]
    schema = pa.schema([("updated_at", pa.string()), ("updated", pa.timestamp("us", "UTC"))])
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), tmp_path / "table.parquet")
    assert all_rows(tmp_path / "table.parquet") == [{"updated_at": "2026-01-02T00:00:00Z"}]


def test_memory_comes_from_the_system_for_a_while_only() -> None:
    before = pa.default_memory_pool().backend_name
    with contextlib.suppress(KeyError), arrow_memory.from_the_system():
        assert pa.default_memory_pool().backend_name == "system"
        raise KeyError
    assert pa.default_memory_pool().backend_name == before
