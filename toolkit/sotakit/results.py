"""Results with their scores, held as columns and made into rows for a few benchmarks, methods or sources at a time."""

import json
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, chain, islice, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sotakit.columns import Column, Numbers, Table, grouped
from sotakit.compiled import Row
from sotakit.settings import Settings

_PARSED = dict.fromkeys(("config", "group"), Settings.parse) | dict.fromkeys(
    ("config_extra", "settings", "locator"), json.loads
)
_REFERENCES = ("benchmark", "method", "source")
_SOURCE_ORDER = ("imported_file", "imported_row", "id")
_OF_RESULT = ("result", "benchmark", "metric_key")
"""Columns of scores that say where a score belongs; the rows of scores lie there and do not repeat it."""

RECENT = 8
"""So many lists of rows are kept for who looks at the same one again."""


class _Index(NamedTuple):
    """Row numbers by one column: those of the value at position p are `order[starts[p] : starts[p + 1]]`."""

    position: Mapping[str, int]
    order: Numbers
    starts: Numbers


class ResultStore:
    """All results of a generation."""

    def __init__(self, results: Table, scores: Table) -> None:
        self.results, self.scores = results, scores
        self.score_names = [name for name in scores.columns if name not in _OF_RESULT]
        self.owner = _owners(scores.columns["result"], results.columns["id"])
        """The number of the result that each score belongs to."""
        self.score_order, self.score_starts = grouped(self.owner, results.size)
        self.recent = lru_cache(RECENT)(self._one)
        """The rows that name one benchmark, method or source; the last few are kept."""

    @classmethod
    def read_from(cls, parquet: Path) -> "ResultStore":
        """The results in a folder of compiled tables."""
        results = Table(parquet / "results.parquet", _PARSED, plain={"id"}, without={"first_day"})
        return cls(results, Table(parquet / "scores.parquet", plain={"result"}))

    def identifiers(self, column: str) -> list[str]:
        """The distinct values of a column."""
        found: list[str] = self.results.columns[column].values.to_pylist()
        return found

    def count(self, column: str, identifier: str) -> int:
        """How many results name a benchmark, method or source."""
        return len(self.numbers(column, identifier))

    def numbers(self, column: str, identifier: str) -> Numbers:
        """The numbers of the rows that name a benchmark, method or source."""
        index = self._indexes[column]
        at = index.position.get(identifier)
        return index.order[:0] if at is None else index.order[index.starts[at] : index.starts[at + 1]]

    def read(self, column: str, identifiers: Sequence[str]) -> list[list[Row]]:
        """The rows of some benchmarks, methods or sources, each in the order of their file, else of their ids."""
        numbers, ends = self.in_source_order(column, identifiers)
        rows = self.rows(numbers)
        return [list(islice(rows, end - start)) for start, end in pairwise(ends)]

    def in_source_order(self, column: str, identifiers: Sequence[str]) -> tuple[Numbers, list[int]]:
        """The numbers of the rows that `read` gives, one identifier after the other, and where each begins and ends."""
        found = [self.numbers(column, identifier) for identifier in identifiers]
        ends = [0, *accumulate(map(len, found))]
        numbers = joined(found)
        columns = (self.results.columns[name].cells(numbers) for name in _SOURCE_ORDER)
        keys = [(file or "", row or 0, name) for file, row, name in zip(*columns, strict=True)]
        order = chain.from_iterable(sorted(range(*part), key=keys.__getitem__) for part in pairwise(ends))
        return numbers[np.fromiter(order, np.int64, len(numbers))], ends

    def scores_of(self, numbers: Numbers) -> tuple[Numbers, list[int]]:
        """The numbers of the scores of some results, one result after the other, and how many each has."""
        starts, ends = self.score_starts[numbers], self.score_starts[numbers + 1]
        if bool((ends - starts == 1).all()):
            return self.score_order[starts], [1] * len(numbers)
        return self.score_order[joined(list(map(np.arange, starts, ends)))], (ends - starts).tolist()

    def _one(self, column: str, identifier: str) -> list[Row]:
        return self.read(column, [identifier])[0]

    def rows(self, numbers: Numbers) -> Iterator[Row]:
        """Some results as rows, each with its scores by the key of their metric."""
        found, counts = self.scores_of(numbers)
        keys = self.scores.columns["metric_key"].cells(found)
        scores = zip(keys, self.scores.rows(found, self.score_names), strict=True)
        for row, count in zip(self.results.rows(numbers), counts, strict=True):
            row["scores"] = dict(next(scores) for _ in range(count))
            yield row

    def one(self, identifier: str) -> Row:
        """The result of an id; raises `KeyError` if there is none."""
        values = self.results.columns["id"].values
        at = bisect_left(range(len(values)), identifier, key=lambda place: str(values[place].as_py()))
        if at == len(values) or values[at].as_py() != identifier:
            at = pc.index(values, value=pa.scalar(identifier, values.type)).as_py()  # in case they are not in order
        if at < 0:
            raise KeyError(identifier)
        return next(self.rows(np.array([at])))

    @cached_property
    def _indexes(self) -> Mapping[str, _Index]:
        return {name: self._index(name) for name in _REFERENCES}

    def _index(self, name: str) -> _Index:
        column = self.results.columns[name]
        order, starts = grouped(column.codes, len(column.values))
        return _Index({value: at for at, value in enumerate(column.values.to_pylist())}, order, starts)


def _owners(named: Column, identifiers: Column) -> Numbers:
    """The number of the result of each id. Scores lie as their results do, so that looking for ids is seldom needed."""
    runs = pc.run_end_encode(named.values)
    if runs.values.equals(identifiers.values):
        return np.repeat(np.arange(len(runs.values)), np.diff(np.from_dlpack(runs.run_ends), prepend=0))
    return np.from_dlpack(pc.index_in(named.values, value_set=identifiers.values)).astype(np.int64)


def joined(numbers: Sequence[Numbers]) -> Numbers:
    """Several lists of numbers, which may be none, as one."""
    return np.concatenate([np.empty(0, np.int64), *numbers])
