"""From lists of values to Arrow columns, quickly for columns that hold one value only, or none, as most do."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

Cells = Sequence[Any]


def table(columns: Mapping[str, Cells], schema: pa.Schema) -> pa.Table:
    """The columns of a schema as a table."""
    return pa.Table.from_arrays([_array(columns[field.name], field.type) for field in schema], schema=schema)


def _array(cells: Cells, kind: pa.DataType) -> pa.Array:
    if not cells or cells[0] != cells[-1] or cells[0] == 0 or cells.count(cells[0]) < len(cells):
        return pa.array(cells, kind)  # 0.0 and -0.0 are equal, but not the same
    return pa.repeat(pa.scalar(cells[0], kind), len(cells))
