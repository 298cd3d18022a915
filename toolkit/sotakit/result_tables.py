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
from sotakit.standings import Ranks, Repeats, Standings
from sotaschema.arrow import TABLES
from sotaschema.vocabulary import FALLEN, Direction, TrustField

PIECE = 8192
"""How many results become Arrow columns together."""

_TRUST: tuple[TrustField, ...] = ("evidence", "transcription", "reproduction", "status", "comparability")
_RANKS = ("rank", "rank_cited", "rank_in_group")


@dataclass(frozen=True)
class Late:
    """What is known of some results, by ordinal, only when all were read."""

    repeats: Sequence[Sequence[tuple[str, int]]] = ()
    """Groups of results, each with its id, that probably state one claim."""
    trust: Mapping[int, Mapping[str, str | None]] = field(default_factory=dict)
    """The trust fields as events left them."""
    retracted: NDArray[np.bool_] | None = None
    """Which results a retracted source states; None for no one."""
    cited: Mapping[str, Direction] = field(default_factory=dict)
    """The direction of each metric for which a source is cited."""


class ResultTables:
    """The three tables; what does not fit into memory goes to a folder of its own below `build` until the end."""

    def __init__(self, build: Path, known: Known, folding: Folding) -> None:
        self._folder = spill_folder(build)
        self._standings = Standings()
        self._results = ResultRows(known, folding)
        self._scores = ScoreRows(known)
        self._score_count = 0
        self._fallen = bytearray()
        """Which results do not stand by what their own record says."""
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
        self._fallen.extend(pc.is_in(results["status"], value_set=pa.array(FALLEN)).to_numpy().tobytes())
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
        stands = self._standing(kept, late)
        claims = _claims(kept, stands, late.repeats)
        repeats = Repeats([[ordinal for _, ordinal in claim] for claim in claims])
        ranks = self._standings.ranks(stands, repeats, self._scores.directions(late.cited))
        self._standings = Standings()  # what ranks were made of takes the most memory, and has done its work
        results, scores, config = (self._spill.merged(name, order, kept) for name in ("results", "scores", "config"))
        metrics = self._scores.metrics(late.cited)
        firsts = {ordinal: first for (first, _), *others in claims for _, ordinal in others}
        return {
            "results": (_completed(part, late.trust, firsts, stands) for part in results),
            "scores": _ranked(scores, metrics, dict(zip(_RANKS, ranks, strict=True))),
            "config": (part.rows.select(TABLES["config"].names) for part in config),
        }

    def _standing(self, kept: NDArray[np.bool_], late: Late) -> NDArray[np.bool_]:
        """Which of the results that are kept still stand, after all events."""
        fallen = np.frombuffer(self._fallen, bool).copy()
        for ordinal, trust in late.trust.items():
            fallen[ordinal] = trust["status"] in FALLEN
        if late.retracted is not None:
            fallen |= late.retracted
        stands: NDArray[np.bool_] = kept & ~fallen
        return stands


def _claims(
    kept: NDArray[np.bool_], stands: NDArray[np.bool_], groups: Sequence[Sequence[tuple[str, int]]]
) -> list[list[tuple[str, int]]]:
    """The results of each claim that several state, one that stands first if there is one."""
    stating = ([(name, ordinal) for name, ordinal in group if kept[ordinal]] for group in groups)
    return [sorted(group, key=lambda one: not stands[one[1]]) for group in stating if len(group) > 1]


def _ranked(parts: Iterator[Merged], metrics: pa.Table, ranks: Mapping[str, Ranks]) -> Iterator[pa.Table]:
    """Scores with what their metrics decide, and their ranks."""
    units = pa.array(UNITS)
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


def _completed(
    part: Merged,
    trust: Mapping[int, Mapping[str, str | None]],
    firsts: Mapping[int, str],
    stands: NDArray[np.bool_],
) -> pa.Table:
    """Results with what is known only when all were read; `firsts` has the result that each repeat repeats."""
    rows, ordinals = part
    repeats = [firsts.get(ordinal) for ordinal in ordinals.tolist()] if firsts else [None] * len(ordinals)
    rows = rows.append_column("duplicate_of", pa.array(repeats, pa.string()))
    rows = rows.append_column("stands", pa.array(stands[ordinals]))
    if np.isin(ordinals, list(trust)).any():
        for name in _TRUST:
            cells = zip(ordinals.tolist(), rows[name].to_pylist(), strict=True)
            changed = [trust[at][name] if at in trust else cell for at, cell in cells]
            rows = rows.set_column(rows.schema.get_field_index(name), name, pa.array(changed, pa.string()))
    return rows.select(TABLES["results"].names)
