"""Rows of results larger than memory: they go to disk in runs, each in order of ids, and come back in order of all ids.

Results have ordinals in order of coming. How these stand in order of ids is worked out once, from the ids alone; the
tables then follow that order by counting, however many rows they have for a result, and no row is compared with others.
"""

import os
import shutil
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sotakit.errors import OutputError
from sotakit.processes import alive

RUN_BYTES = 16 * 1024**2
"""Size of the rows of a run in memory before they go to disk."""
BATCH_ROWS = 512
"""Rows of a run that are held at a time while merging."""
CHUNK = 8192
"""How many results are merged at a time."""
_PREFIX = ".spill-"
_IDS = "ids"

Ordinals = NDArray[np.int32]
Counts = NDArray[np.int32]
"""How many rows a table has for each of some results."""


class Part(NamedTuple):
    """The rows of some results in one table, result by result."""

    rows: pa.Table
    counts: Counts


class Merged(NamedTuple):
    """The next rows of a table in order, and the results that they belong to."""

    rows: pa.Table
    ordinals: Ordinals


class Spill:
    """Tables that grow by the rows of some results at a time, and come back in order of the ids of these."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._counts: dict[str, array[int]] = {}
        self._pieces: list[dict[str, pa.Table]] = []
        self._bytes = 0
        self._starts, self._size = [0], 0
        self._runs: list[Mapping[str, Path | pa.Table]] = []

    def add(self, ids: pa.Array, parts: Mapping[str, Part]) -> None:
        """Add the rows of the next results. Raises `OutputError` when a run cannot be written."""
        self._pieces.append({_IDS: pa.table({"id": ids}), **{name: part.rows for name, part in parts.items()}})
        self._bytes += sum(table.nbytes for table in self._pieces[-1].values())
        self._size += len(ids)
        for name, part in parts.items():
            self._counts.setdefault(name, array("i")).frombytes(part.counts.astype("i4").tobytes())
        if self._bytes > RUN_BYTES:
            self._runs.append(self._written(self._sorted()))

    def order(self) -> Ordinals:
        """The ordinals of all results in order of their ids. Nothing can be added afterwards."""
        if self._pieces:
            self._runs.append(self._sorted())
        found = array("i")
        for rows in _merge([_batches(run[_IDS]) for run in self._runs], "id"):
            found.frombytes(rows["ordinal"].to_numpy().tobytes())
        return np.frombuffer(found, "i4")

    def merged(self, name: str, order: Ordinals, kept: NDArray[np.bool_]) -> Iterator[Merged]:
        """The rows of a table of the results that are kept, in order, some at a time."""
        counts, starts = np.frombuffer(self._counts.get(name, b""), "i4"), np.array(self._starts)
        readers = [_Reader(_batches(run[name])) for run in self._runs]
        for first in range(0, len(order), CHUNK):
            ordinals = order[first : first + CHUNK]
            runs = np.searchsorted(starts, ordinals, side="right") - 1
            by_run = np.argsort(runs, kind="stable")
            lengths, stay = counts[ordinals], kept[ordinals]
            needed = np.bincount(runs, weights=lengths, minlength=len(readers)).astype(int).tolist()
            read = [rows for reader, count in zip(readers, needed, strict=True) for rows in reader.take(count)]
            places = np.empty(len(ordinals), "i8")
            places[by_run] = _before(lengths[by_run])
            if read:
                rows = pa.concat_tables(read).combine_chunks()
                yield Merged(rows.take(pa.array(spans(places[stay], lengths[stay]))), ordinals[stay])

    def _sorted(self) -> dict[str, pa.Table]:
        """The pieces as one, in order of ids."""
        first, pieces = self._starts[-1], self._pieces
        self._pieces, self._bytes = [], 0
        self._starts.append(self._size)
        ids = pa.concat_tables([piece.pop(_IDS) for piece in pieces]).combine_chunks()
        order = pc.sort_indices(ids["id"]).to_numpy()
        run = {_IDS: ids.take(pa.array(order)).append_column("ordinal", pa.array((order + first).astype("i4")))}
        for name in list(pieces[0]):
            counts = np.frombuffer(self._counts[name], "i4")[first:]
            rows = pa.concat_tables([piece.pop(name) for piece in pieces]).combine_chunks()
            run[name] = rows.take(pa.array(spans(_before(counts)[order], counts[order])))
        return run

    def _written(self, run: Mapping[str, pa.Table]) -> dict[str, Path]:
        number = len(self._runs)
        files = {name: self._folder / f"{name}-{number}.arrow" for name in run}
        for name, path in files.items():
            try:
                self._folder.mkdir(parents=True, exist_ok=True)
                with pa.ipc.new_file(str(path), run[name].schema) as writer:
                    writer.write_table(run[name], max_chunksize=BATCH_ROWS)
            except OSError as error:
                why = error.strerror or error
                raise OutputError(f"{path}: cannot be written: {why}; the previous tables are unchanged") from error
        return files


class _Reader:
    """Gives the rows of a run in portions of any size."""

    def __init__(self, batches: Iterator[pa.Table]) -> None:
        self._batches = batches
        self._rest: pa.Table | None = None

    def take(self, count: int) -> Iterator[pa.Table]:
        """The next rows, in pieces; there must be so many."""
        while count:
            batch = self._rest or next(self._batches)
            yield batch.slice(0, count)
            self._rest = batch.slice(count) if count < batch.num_rows else None
            count = max(0, count - batch.num_rows)


def spans(starts: NDArray[np.integer[Any]], lengths: Counts) -> NDArray[np.int64]:
    """The numbers from each of some starts on, as many as are wanted there."""
    found: NDArray[np.int64] = np.repeat(starts - _before(lengths), lengths) + np.arange(lengths.sum())
    return found


def _before(lengths: Counts) -> NDArray[np.int64]:
    """Where each of some lengths begins when they follow one another."""
    ends: NDArray[np.int64] = np.cumsum(lengths, dtype="i8")
    return ends - lengths


def spill_folder(build: Path) -> Path:
    """Where this process may put its runs below a build folder; made only when needed."""
    return build / f"{_PREFIX}{os.getpid()}"


def sweep_spills(build: Path) -> None:
    """Remove the runs of processes that have died."""
    for folder in build.glob(f"{_PREFIX}*"):
        if not alive(folder.name.removeprefix(_PREFIX)):
            shutil.rmtree(folder, ignore_errors=True)


def _batches(run: Path | pa.Table) -> Iterator[pa.Table]:
    if isinstance(run, pa.Table):
        yield run
        return
    with pa.OSFile(str(run)) as file:
        reader = pa.ipc.open_file(file)
        for number in range(reader.num_record_batches):
            yield pa.Table.from_batches([reader.get_batch(number)])


def _merge(sources: list[Iterator[pa.Table]], column: str) -> Iterator[pa.Table]:
    """Rows of several sorted sources in order: what is not beyond the last row of any head can be no more preceded."""
    heads = [(head, source) for source in sources if (head := next(source, None)) is not None]
    while len(heads) > 1:
        limit = min(head[column][-1].as_py() for head, _ in heads)
        ready, rest = [], []
        for head, source in heads:
            count = pc.sum(pc.less_equal(head[column], limit)).as_py()
            ready.append(head.slice(0, count))
            following = head.slice(count) if count < head.num_rows else next(source, None)
            if following is not None:
                rest.append((following, source))
        heads = rest
        yield pa.concat_tables(ready).sort_by(column)
    for head, source in heads:
        yield head
        yield from source
