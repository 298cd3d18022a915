"""A hash of what a table holds that does not depend on how Arrow lays out or compresses its bytes."""

import hashlib
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray


class Content(NamedTuple):
    """How many rows a table has and the SHA-256 of its values."""

    rows: int
    digest: str


class Summary:
    """Hashes a table group by group: for each column which values are missing, how long they are and what they are."""

    def __init__(self) -> None:
        self._rows = 0
        self._hash = hashlib.sha256()

    def add(self, rows: pa.Table) -> None:
        """Take the next rows; equal contents need equal groups."""
        self._rows += rows.num_rows
        for name, column in zip(rows.column_names, rows.itercolumns(), strict=True):
            self._hash.update(f"{name} {rows.num_rows}\n".encode())
            self._update(column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column)

    def content(self) -> Content:
        """Rows and digest of everything so far."""
        return Content(self._rows, self._hash.hexdigest())

    def _update(self, values: pa.Array) -> None:
        if isinstance(values, pa.ChunkedArray):  # what combine_chunks leaves of an empty or a very large column
            values = pa.concat_arrays(values.chunks) if values.num_chunks else pa.array([], values.type)
        self._hash.update(np.packbits(np.asarray(values.is_valid())).tobytes())
        if pa.types.is_list(values.type):
            self._hash.update(np.asarray(pc.fill_null(pc.list_value_length(values), 0), dtype="<i4").tobytes())
            self._update(values.flatten())
        elif pa.types.is_string(values.type):
            present = pc.fill_null(values, "") if values.null_count else values
            ends = np.frombuffer(present.buffers()[1], "<i4")[present.offset :][: len(present) + 1]
            self._hash.update(np.diff(ends).data)
            self._hash.update(_text(present, ends))
        else:
            numbers = values.cast(_PLAIN.get(values.type, values.type))
            self._hash.update(np.ascontiguousarray(pc.fill_null(numbers, 0) if values.null_count else numbers).data)


_PLAIN = {pa.bool_(): pa.uint8(), pa.date32(): pa.int32(), pa.timestamp("us", tz="UTC"): pa.int64()}


def _text(values: pa.StringArray, ends: NDArray[np.int32]) -> memoryview:
    """The bytes of all texts, one after the other."""
    data = values.buffers()[2]
    return memoryview(data)[ends[0] : ends[-1]] if data is not None and len(values) else memoryview(b"")
