"""Rows filled in by columns are what the `%` operator makes of each, and none is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sotakit.publish.patterns import filled

PIECES = st.text(st.characters(exclude_characters="%", codec="utf-8"), max_size=3)
CELLS = st.text(max_size=3) | st.just("%s")


@given(data=st.data(), rows=st.integers(0, 4), width=st.integers(1, 4))
def test_rows_are_those_of_the_operator(data: st.DataObject, rows: int, width: int) -> None:
    pattern = "%s".join(data.draw(st.lists(PIECES, min_size=width + 1, max_size=width + 1)))
    columns = [data.draw(CELLS | st.lists(CELLS, min_size=rows, max_size=rows)) for _ in range(width - 1)]
    columns.insert(data.draw(st.integers(0, width - 1)), data.draw(st.lists(CELLS, min_size=rows, max_size=rows)))
    table = [[column] * rows if isinstance(column, str) else column for column in columns]
    expected = [pattern % cells for cells in zip(*table, strict=True)]
    assert list(filled(pattern, *columns)) == expected
    assert (
        list(filled(pattern, *(column if isinstance(column, str) else iter(column) for column in columns))) == expected
    )


@pytest.mark.parametrize("columns", [(["a", "b"], ["c"]), (["a"], ["b", "c"])])
def test_columns_of_different_lengths_are_an_error(columns: tuple[list[str], list[str]]) -> None:
    with pytest.raises(ValueError, match="argument"):
        list(filled("%s %s", *columns))
