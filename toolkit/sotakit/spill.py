"""Tables larger than memory: rows are kept in sorted runs on disk and merged in order when all are there."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from sotakit.errors import OutputError
from sotakit.processes import alive

RUN_BYTES = 16 * 1024**2
"""Size of a run in memory before it goes to disk."""
_PREFIX = ".spill-"
BATCH_ROWS = 2048
"""Rows of a run that are held at a time while merging."""


class Spill:
    """One table that grows by unsorted pieces and comes back in order of its sort columns.

    Rows that are equal in the first of them keep the order of the others if they came in one piece.
    """

    def __init__(self, file: Path, order: list[str]) -> None:
        self._file = file
        self._order = [(name, "ascending") for name in order]
        self._pieces: list[pa.Table] = []
        self._bytes = 0
        self._runs: list[Path] = []

    def add(self, piece: pa.Table) -> None:
        """Add rows in any order. Raises `OutputError` when a run cannot be written."""
        if piece.num_rows == 0:
            return
        self._pieces.append(piece)
        self._bytes += piece.nbytes
        if self._bytes > RUN_BYTES:
            path = self._file.with_name(f"{self._file.name}-{len(self._runs)}.arrow")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                _write_run(self._sorted(), path)
            except OSError as error:
                why = error.strerror or error
                raise OutputError(f"{path}: cannot be written: {why}; the previous tables are unchanged") from error
            self._runs.append(path)

    def merged(self) -> Iterator[pa.Table]:
        """All rows in order, some at a time; the runs are read, not changed, so that it can be called again."""
        sources = [_batches(path) for path in self._runs]
        if self._pieces:
            self._pieces = [self._sorted()]
            sources.append(iter(self._pieces))
        return _merge(sources, self._order)

    def _sorted(self) -> pa.Table:
        run = pa.concat_tables(self._pieces).combine_chunks().sort_by(self._order)
        self._pieces, self._bytes = [], 0
        return run


def spill_folder(build: Path) -> Path:
    """Where this process may put its runs below a build folder; made only when needed."""
    return build / f"{_PREFIX}{os.getpid()}"


def sweep_spills(build: Path) -> None:
    """Remove the runs of processes that have died."""
    for folder in build.glob(f"{_PREFIX}*"):
        if not alive(folder.name.removeprefix(_PREFIX)):
            shutil.rmtree(folder, ignore_errors=True)


def _write_run(run: pa.Table, path: Path) -> None:
    with pa.ipc.new_file(str(path), run.schema, options=pa.ipc.IpcWriteOptions(compression="lz4")) as writer:
        writer.write_table(run, max_chunksize=BATCH_ROWS)


def _batches(path: Path) -> Iterator[pa.Table]:
    with pa.OSFile(str(path)) as file:
        reader = pa.ipc.open_file(file)
        for number in range(reader.num_record_batches):
            yield pa.Table.from_batches([reader.get_batch(number)])


def _merge(sources: list[Iterator[pa.Table]], order: list[tuple[str, str]]) -> Iterator[pa.Table]:
    """Rows of several sorted sources in order: what is not beyond the last row of any head can be no more preceded."""
    first = order[0][0]
    heads = [(head, source) for source in sources if (head := next(source, None)) is not None]
    while len(heads) > 1:
        limit = min(head[first][-1].as_py() for head, _ in heads)
        ready, rest = [], []
        for head, source in heads:
            count = pc.sum(pc.less_equal(head[first], limit)).as_py()
            ready.append(head.slice(0, count))
            following = head.slice(count) if count < head.num_rows else next(source, None)
            if following is not None:
                rest.append((following, source))
        heads = rest
        yield pa.concat_tables(ready).sort_by(order)
    for head, source in heads:
        yield head
        yield from source
