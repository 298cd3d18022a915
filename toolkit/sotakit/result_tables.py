"""The tables `results`, `scores` and `config`, made while results stream by.

Some thousand results at a time become Arrow columns, and what many of them have in common becomes cells only once.
What depends on all results (ranks, repeats, which results are published) is put in when the rows are merged.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sotakit import arrow_memory
from sotakit.collection import Known, LoadedResult
from sotakit.folding import Folding
from sotakit.result_rows import ResultRows
from sotakit.score_rows import UNITS, ScoreRows
from sotakit.spill import Counts, Merged, Part, Spill, spill_folder
from sotakit.standings import Ranks, Standings
from sotaschema.arrow import TABLES
from sotaschema.vocabulary import TrustField

PIECE = 8192
"""How many results become Arrow columns together."""

_TRUST: tuple[TrustField, ...] = ("evidence", "transcription", "reproduction", "status", "comparability")
_RANKS = ("rank", "rank_cited", "rank_in_group")


@dataclass(frozen=True)
class Late:
    """What is known of some results, by ordinal, only when all were read."""

    repeats: Mapping[int, str] = field(default_factory=dict)
    """The first of the results that this one probably repeats."""
    trust: Mapping[int, Mapping[str, str | None]] = field(default_factory=dict)
    """The trust fields as events left them."""


class ResultTables:
    """The three tables; what does not fit into memory goes to a folder of its own below `build` until the end."""

    def __init__(self, build: Path, known: Known, folding: Folding) -> None:
        self._folder = spill_folder(build)
        self._standings = Standings()
        self._results = ResultRows(known, folding)
        self._scores = ScoreRows(known)
        self._score_count = 0
        self._spill = Spill(self._folder)
        self._until_the_end = ExitStack()

    def __enter__(self) -> Self:
        self._until_the_end.enter_context(arrow_memory.from_the_system())
        self._until_the_end.callback(shutil.rmtree, self._folder, ignore_errors=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._until_the_end.close()

    def add(self, results: Sequence[LoadedResult]) -> None:
        """Add the rows of the next results. Raises `OutputError` on a full disk."""
        for result in results:
            self._results.add(result)
            self._scores.add(result.record)
        if len(self._results) >= PIECE:
            self._flush()

    def _flush(self) -> None:
        if not len(self._results):
            return
        results, config, groups = self._results.take()
        rows, scores = self._scores.take(pc.equal(results["origin"], "regenerated").to_numpy())
        first, self._score_count = self._score_count, self._score_count + rows.num_rows
        self._standings.add(scores, groups)
        rows = rows.append_column("score", pa.array(np.arange(first, self._score_count, dtype="i4")))
        ids = results["id"].combine_chunks()
        parts = {
            "results": Part(results, np.ones(len(ids), "i4")),
            "scores": _with_results(rows, ids, scores.counts),
            "config": _with_results(config.rows, ids, config.counts),
        }
        self._spill.add(ids, parts)

    def tables(self, kept: NDArray[np.bool_], late: Late) -> dict[str, Iterator[pa.Table]]:
        """The rows of the results that are kept, in order, some thousand at a time."""
        self._flush()
        order = self._spill.order()
        ranks = dict(zip(_RANKS, self._standings.ranks(kept, self._scores.directions), strict=True))
        self._standings = Standings()  # what ranks were made of takes the most memory, and has done its work
        results, scores, config = (self._spill.merged(name, order, kept) for name in ("results", "scores", "config"))
        return {
            "results": (_completed(part, late) for part in results),
            "scores": self._ranked(scores, ranks),
            "config": (part.rows.select(TABLES["config"].names) for part in config),
        }

    def _ranked(self, parts: Iterator[Merged], ranks: Mapping[str, Ranks]) -> Iterator[pa.Table]:
        """Scores with what their metrics decide, and their ranks."""
        metrics, units = self._scores.metrics(), pa.array(UNITS)
        for part in parts:
            scores = part.rows["score"].to_numpy()
            of_metric = metrics.take(part.rows["metric"])
            columns = {name: column for table in (part.rows, of_metric) for name, column in _named(table)}
            columns["unit"] = units.take(part.rows["unit_code"])
            for name, column in ranks.items():
                columns[name] = pa.array(column[scores].astype("i4"), mask=column[scores] == 0)
            schema = TABLES["scores"]
            yield pa.Table.from_arrays([columns[name] for name in schema.names], schema=schema)


def _with_results(rows: pa.Table, ids: pa.Array, counts: Counts) -> Part:
    """Rows with the ids of the results that they belong to."""
    return Part(rows.append_column("result", ids.take(pa.array(np.arange(len(ids)).repeat(counts)))), counts)


def _named(table: pa.Table) -> Iterator[tuple[str, pa.ChunkedArray]]:
    return zip(table.column_names, table.itercolumns(), strict=True)


def _completed(part: Merged, late: Late) -> pa.Table:
    rows, ordinals = part
    repeats = [late.repeats.get(ordinal) for ordinal in ordinals.tolist()] if late.repeats else [None] * len(ordinals)
    rows = rows.append_column("duplicate_of", pa.array(repeats, pa.string()))
    if np.isin(ordinals, list(late.trust)).any():
        for name in _TRUST:
            cells = zip(ordinals.tolist(), rows[name].to_pylist(), strict=True)
            changed = [late.trust[at][name] if at in late.trust else cell for at, cell in cells]
            rows = rows.set_column(rows.schema.get_field_index(name), name, pa.array(changed, pa.string()))
    return rows.select(TABLES["results"].names)
