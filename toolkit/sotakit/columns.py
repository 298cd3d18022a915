"""A compiled table held as columns of codes: every distinct value once, every cell a number.

A quarter of a million results take some ten megabytes this way. Rows become Python objects only for the few that are
asked for, and processes forked afterwards share the columns, since nothing counts references to what is inside them.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import repeat
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from sotakit.compiled import Row

Numbers = NDArray[np.int64]
"""Positions of rows in a table."""

_NOTHING: Mapping[str, Callable[[str], Any]] = MappingProxyType({})

FEW = 1 << 14
"""A column keeps up to so many distinct values as Python objects; those of a larger one are made when needed."""


class Column:
    """One column: `codes` points from each row into `values`, -1 means null."""

    def __init__(self, array: pa.Array, parse: Callable[[str], Any] | None, *, plain: bool = False) -> None:
        self.codes, self.values = _every(array) if plain else _encoded(array)
        self._parse = parse
        self._few: dict[Callable[[Any], Any] | None, _Few] = {}
        self._listed: list[Any] | None = None

    def cells(self, numbers: Numbers, made: Callable[[Any], Any] | None = None) -> Iterator[Any]:
        """The values in some rows, or what a function makes of each of them, null included.

        Equal ones may be one object, so nobody may change them. Functions are remembered with what they made: no new
        one for every call.
        """
        codes = self.codes[numbers]
        if len(self.values) > FEW:
            return self._taken(codes, made)
        return map(self._remembered(made).__getitem__, codes.tolist())

    @property
    def one(self) -> bool:
        """Whether it is known that all rows have the same value."""
        return self.codes.strides == (0,)

    def constant(self, numbers: Numbers) -> bool:
        """Whether some rows, at least one, all have the same value."""
        codes = self.codes[numbers]
        return bool((codes == codes[0]).all())

    def _remembered(self, made: Callable[[Any], Any] | None) -> "_Few":
        if made not in self._few:
            self._few[made] = _Few(partial(self._cell, made))
        return self._few[made]

    def _cell(self, made: Callable[[Any], Any] | None, code: int) -> Any:
        return self._value(code) if made is None else made(self._remembered(None)[code])

    def _value(self, code: int) -> Any:
        if self._listed is None:
            self._listed = self.values.to_pylist()
        value = None if code < 0 else self._listed[code]
        return value if value is None or self._parse is None else self._parse(value)

    def _taken(self, codes: NDArray[Any], made: Callable[[Any], Any] | None) -> Iterator[Any]:
        values = self.values.take(positions(np.maximum(codes, 0))).to_pylist()
        if (codes < 0).any():
            values = [None if code < 0 else value for code, value in zip(codes.tolist(), values, strict=True)]
        if self._parse is not None:
            values = _each_once(values, self._parse, {None: None})
        elif made is not None and pa.types.is_string(self.values.type):
            return iter(_each_once(values, made, {}))
        return iter(values) if made is None else map(made, values)


def _each_once(values: list[str | None], function: Callable[[Any], Any], known: dict[str | None, Any]) -> list[Any]:
    """What a function makes of texts, of equal ones once; some may be known before."""
    for value in values:
        if value not in known:
            known[value] = function(value)
    return [known[value] for value in values]


def positions(numbers: NDArray[Any]) -> pa.Array:
    """Numbers as Arrow has them. `pyarrow.array`, `scalar` and `to_numpy` load pandas, which would take longer."""
    raw = np.ascontiguousarray(numbers, np.int64)
    return pa.Array.from_buffers(pa.int64(), len(raw), [None, pa.py_buffer(raw)])


def _encoded(array: pa.Array) -> tuple[NDArray[Any], pa.Array]:
    """Codes, as narrow as they can be, and distinct values; of lists, which Arrow cannot encode, every value."""
    if pa.types.is_nested(array.type):
        return _every(array)
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    filled = array.indices.fill_null(positions(np.array([-1])).cast(array.indices.type)[0])
    codes = np.from_dlpack(filled).astype(np.int16 if len(array.dictionary) <= np.iinfo(np.int16).max else np.int32)
    if len(codes) and len(array.dictionary) + bool(array.null_count) == 1:
        codes = np.broadcast_to(codes[:1].copy(), codes.shape)  # one number in memory stands for all
    return codes, array.dictionary


def _every(array: pa.Array) -> tuple[NDArray[Any], pa.Array]:
    """Codes and values of a column that keeps the values of all its rows."""
    return np.arange(len(array)), array


class _Few(dict[int, Any]):
    """Cells by their codes, each made when it is first asked for."""

    def __init__(self, make: Callable[[int], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, code: int) -> Any:
        found = self[code] = self._make(code)
        return found


class Table:
    """The columns of one Parquet file, checked by their checksums as they are read."""

    def __init__(
        self,
        path: Path,
        parsed: Mapping[str, Callable[[str], Any]] = _NOTHING,
        plain: Collection[str] = (),
        without: Collection[str] = (),
    ) -> None:
        """Reads one column after the other; `parsed` says how the cells of some are read, `without` which are not.

        The columns of `plain` hold every value of the table, since looking for equal ones would take long and find few.
        No thread is started, so that the process can be forked afterwards.
        """
        texts = [name for name in _texts(path) if name not in plain]
        file = pq.ParquetFile(path, page_checksum_verification=True, pre_buffer=False, read_dictionary=texts)
        self.size: int = file.metadata.num_rows
        self.columns: Mapping[str, Column] = {
            name: Column(_read(file, name), parsed.get(name), plain=name in plain)
            for name in file.schema_arrow.names
            if name not in without
        }

    def rows(self, numbers: Numbers, names: Iterable[str] | None = None) -> Iterator[Row]:
        """Some rows in the order asked for, each a dictionary of its own.

        What is the same in all of them is copied with the dictionary, which costs far less than putting it in.
        """
        if not len(numbers):
            return
        columns = {name: self.columns[name] for name in names or self.columns}
        varying = [name for name, column in columns.items() if not column.constant(numbers)]
        common = {name: None if name in varying else next(columns[name].cells(numbers[:1])) for name in columns}
        cells = zip(*(columns[name].cells(numbers) for name in varying), strict=True)
        for values in cells if varying else repeat((), len(numbers)):
            row = common.copy()
            row.update(zip(varying, values, strict=True))
            yield row


def all_rows(path: Path, parsed: Mapping[str, Callable[[str], Any]] = _NOTHING) -> list[Row]:
    """Every row of a small table, checked as it is read; `parsed` says how the cells of some columns are read.

    Times are left out, since their text stands beside them and making them loads pandas.
    """
    with pq.ParquetFile(path, page_checksum_verification=True, pre_buffer=False) as file:
        names = [field.name for field in file.schema_arrow if not pa.types.is_timestamp(field.type)]
        columns = file.read(names, use_threads=False).itercolumns()
        cells = {name: column.to_pylist() for name, column in zip(names, columns, strict=True)}
    for name, parse in parsed.items():
        cells[name] = _each_once(cells[name], parse, {None: None})
    return [dict(zip(names, row, strict=True)) for row in zip(*cells.values(), strict=True)]


def _texts(path: Path) -> list[str]:
    schema = pq.read_schema(path)
    return [field.name for field in schema if pa.types.is_string(field.type)]


def _read(file: pq.ParquetFile, name: str) -> pa.Array:
    column = file.read(columns=[name], use_threads=False).unify_dictionaries().column(0)
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.nulls(0, column.type)


def grouped(codes: NDArray[Any], count: int) -> tuple[Numbers, Numbers]:
    """Row numbers sorted by code, and where each of the `count` codes starts in them; one more start marks the end."""
    order = np.argsort(codes, kind="stable")
    return order, np.searchsorted(codes[order], np.arange(count + 1))
