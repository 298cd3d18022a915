"""From results to the rows of the tables `results`, `scores` and `config`, while results stream by.

Some thousand results at a time become Arrow columns, and what many scores have in common becomes cells only once.
What depends on all results (ranks, repeats, which results are published) is put in when the rows are merged.
"""

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from json import dumps
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sotakit.collection import Known, LoadedResult
from sotakit.folding import Folding
from sotakit.spill import Spill, spill_folder
from sotakit.standings import BoardKey, Directions, Standings
from sotaschema.arrow import TABLES
from sotaschema.base import first_day
from sotaschema.entities import BenchmarkMetric
from sotaschema.identity import canonical_json
from sotaschema.results import Locator, Score
from sotaschema.values import ParsedValue, parse_value
from sotaschema.vocabulary import Origin, TrustField, Unit

PIECE = 2048
"""How many results become Arrow columns together."""

Cells = tuple[Any, ...]

_TRUST: tuple[TrustField, ...] = ("evidence", "transcription", "reproduction", "status", "comparability")
_RANKS = ("rank", "rank_cited", "rank_in_group")
_ORDINAL = pa.field("ordinal", pa.int32())
_SCORE = [pa.field("score", pa.int32()), pa.field("column", pa.int32())]
_OF_TEXT = ("text", "value", "decimal", "decimals", "qualifier", "uncertainty", "low", "high", "missing_reason")
"""Columns that the text of a score decides, unless the record states otherwise."""
_OF_COLUMN = ("benchmark", "metric", "unit_recorded", "direction_recorded", "direction_cited")
"""Columns that the benchmark and the metric key decide; they come in when rows are merged."""
_STATED = ("unit", "uncertainty_kind", "level", "aggregation", "n_runs", "n_items", "note")


def _fields(table: str, names: Iterable[str]) -> list[pa.Field]:
    return [TABLES[table].field(name) for name in names]


_RESULT_ROWS = pa.schema([_ORDINAL, *_fields("results", (n for n in TABLES["results"].names if n != "duplicate_of"))])
_CONFIG_ROWS = pa.schema([_ORDINAL, *TABLES["config"]])
_TEXT_ROWS = pa.schema(_fields("scores", _OF_TEXT))
_STATED_ROWS = pa.schema(_fields("scores", _STATED))
_COLUMN_ROWS = pa.schema(_fields("scores", _OF_COLUMN))
_ORDER = {"results": ["id"], "scores": ["result", "metric_key"], "config": ["result", "key"]}


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
        self._known, self._folding = known, folding
        self._folder = spill_folder(build)
        self._standings = Standings()
        self._waiting: list[LoadedResult] = []
        self._count = 0
        self._columns: dict[tuple[str, str], _Column] = {}
        self._spills = {name: Spill(self._folder / name, order) for name, order in _ORDER.items()}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def add(self, results: Sequence[LoadedResult]) -> None:
        """Add the rows of the next results. Raises `OutputError` on a full disk."""
        self._waiting += results
        if len(self._waiting) >= PIECE:
            self._flush()

    def _flush(self) -> None:
        results, self._waiting = self._waiting, []
        if results:
            first, self._count = self._count, self._count + len(results)
            rows = [self._result_cells(ordinal, result) for ordinal, result in enumerate(results, first)]
            table = _table(list(zip(*rows, strict=True)), _RESULT_ROWS)
            self._spills["results"].add(table)
            self._add_config(first, results)
            self._add_scores(table, results)

    def _add_config(self, first: int, results: Sequence[LoadedResult]) -> None:
        rows: list[Cells] = []
        for ordinal, result in enumerate(results, first):
            config, name = result.record.config, result.id
            if not config:
                continue
            if self._folding.touches(config):
                for pair in self._folding.fold(result.record.benchmark, config):
                    folded = pair.folded_key, _scalar(pair.folded_value)
                    rows.append((ordinal, name, pair.key, _scalar(pair.value), *folded))
            else:
                for key, value in config.items():
                    text = _scalar(value)
                    rows.append((ordinal, name, key, text, key, text))
        if rows:
            self._spills["config"].add(_table(list(zip(*rows, strict=True)), _CONFIG_ROWS))

    def _add_scores(self, table: pa.Table, results: Sequence[LoadedResult]) -> None:
        """Scores of the results in a table; what many have in common becomes cells once."""
        origins = table["origin"].to_pylist()
        places, columns, keys, boards, said, stated = [], [], [], [], [], []
        for place, result in enumerate(results):
            again, benchmark = origins[place] == "regenerated", result.record.benchmark
            for key, score in result.record.scores.items():
                if column := self._columns.get((benchmark, key)) or self._column(benchmark, key):
                    text = _said(score)
                    places.append(place)
                    columns.append(column.code)
                    keys.append(key)
                    boards.append(column.boards[again])
                    said.append(text)
                    stated.append(_stated_cells(score, text, column.metric.unit))
        if not places:
            return
        ordinals = table["ordinal"].take(pa.array(places))
        values = [text.value for text in said]
        units = [cells[0] for cells in stated]
        scores = self._standings.add(ordinals.to_numpy(), boards, values, units)
        rows = _table(list(zip(*stated, strict=True)), _STATED_ROWS)
        for name, cells in zip(_OF_TEXT, _of_text(said).itercolumns(), strict=True):
            rows = rows.append_column(TABLES["scores"].field(name), cells)
        rows = rows.append_column(TABLES["scores"].field("metric_key"), pa.array(keys))
        rows = rows.append_column("result", table["id"].take(pa.array(places))).append_column(_ORDINAL, ordinals)
        for part, numbers in zip(_SCORE, (scores, columns), strict=True):
            rows = rows.append_column(part, pa.array(numbers, part.type))
        self._spills["scores"].add(rows)

    def tables(self, kept: NDArray[np.bool_], late: Late) -> dict[str, Iterator[pa.Table]]:
        """The rows of the results that are kept, in order, some thousand at a time."""
        self._flush()
        ranks = dict(zip(_RANKS, self._standings.ranks(kept), strict=True))
        columns = self._column_rows()
        return {
            "results": (_completed(rows, late) for rows in self._kept("results", kept)),
            "scores": (_with_ranks(rows, columns, ranks) for rows in self._kept("scores", kept)),
            "config": (rows.select(TABLES["config"].names) for rows in self._kept("config", kept)),
        }

    def _column_rows(self) -> pa.Table:
        """What the metric of a benchmark decides, by number of the column."""
        rows = [
            (column.benchmark, column.metric.metric, column.metric.unit_recorded, *column.directions)
            for column in self._columns.values()
        ]
        return _table(list(zip(*rows, strict=True)), _COLUMN_ROWS) if rows else _COLUMN_ROWS.empty_table()

    def _column(self, benchmark: str, key: str) -> "_Column | None":
        """What all scores of a metric of a benchmark have in common; None if it is not listed."""
        metric = self._known.listed.get(benchmark, {}).get(key)
        if metric is None:
            return None
        known = self._known.metrics.get(metric.metric or "")
        directions = Directions(metric.direction, known.direction if known else "unknown")
        boards = [self._standings.board(BoardKey(benchmark, key, again), directions) for again in (False, True)]
        column = _Column(len(self._columns), benchmark, metric, directions, boards)
        return self._columns.setdefault((benchmark, key), column)

    def _kept(self, name: str, kept: NDArray[np.bool_]) -> Iterator[pa.Table]:
        for rows in self._spills[name].merged():
            yield rows.filter(pa.array(kept[rows["ordinal"].to_numpy()]))

    def _result_cells(self, ordinal: int, result: LoadedResult) -> Cells:
        record, imported = result.record, result.record.imported
        source, method = self._known.sources.get(result.source), self._known.methods.get(record.method)
        origin: Origin = source.origin if source else "reported"
        config = _json(record.config)
        touched = self._folding.touches(record.config)
        group = self._folding.group(record.benchmark, record.config) if touched else config
        self._standings.add_group(group)
        return (
            ordinal,
            result.id,
            result.source,
            record.benchmark,
            record.method,
            record.method_label or (method.name if method else record.method),
            record.variant,
            "imported" if imported and origin == "reported" else origin,
            config,
            group,
            _json(record.config_extra),
            _json(record.settings),
            record.date,
            first_day(record.date) if record.date else None,
            record.date_kind,
            _locator(record.locator) if record.locator else "{}",
            record.hardware,
            record.extra_training_data,
            record.notes,
            record.evidence,
            record.transcription,
            record.reproduction,
            record.status,
            record.comparability,
            record.comparability_note,
            imported.file if imported else None,
            imported.row if imported else None,
        )


class _Column(NamedTuple):
    """A metric of a benchmark by number, and the boards of its reported and of its regenerated values."""

    code: int
    benchmark: str
    metric: BenchmarkMetric
    directions: Directions
    boards: list[int]


class _Said(NamedTuple):
    """What the text of a score says."""

    value: Decimal | None
    unit: Unit | None
    spread: bool
    cells: Cells
    """In the order of `_OF_TEXT`."""


def _said(score: Score) -> _Said:
    if score.uncertainty is None and score.unit is None and score.qualifier is None and score.missing_reason is None:
        return _said_by_text(score.text)
    return _said_as(score.text, score.parsed)


@lru_cache(maxsize=50_000)
def _said_by_text(text: str) -> _Said:
    return _said_as(text, parse_value(text))


def _said_as(text: str, parsed: ParsedValue) -> _Said:
    value, ends = parsed.value, (parsed.uncertainty, parsed.low, parsed.high)
    number = (None, None) if value is None else (float(value), f"{value:f}")
    floats = (None if end is None else float(end) for end in ends)
    cells = (text, *number, parsed.decimals, parsed.qualifier, *floats, parsed.missing_reason)
    return _Said(value, parsed.unit, any(end is not None for end in ends), cells)


def _of_text(said: Sequence[_Said]) -> pa.Table:
    """The cells of texts, each text made into Arrow values once."""
    codes: dict[int, int] = {}
    places = [codes.setdefault(id(text), len(codes)) for text in said]
    distinct = {id(text): text.cells for text in said}
    return _table(list(zip(*distinct.values(), strict=True)), _TEXT_ROWS).take(pa.array(places))


def _stated_cells(score: Score, said: _Said, unit: Unit) -> Cells:
    stated = score.uncertainty
    if stated is None:
        kind, level = "unknown" if said.spread else None, None
    else:
        kind, level = stated.kind, stated.level
    return said.unit or unit, kind, level, score.aggregation, score.n_runs, score.n_items, score.note


def _json(settings: Mapping[str, Any]) -> str:
    return canonical_json(dict(settings)) if settings else "{}"


def _locator(locator: Locator) -> str:
    return canonical_json({name: value for name, value in locator if value is not None})


@lru_cache(maxsize=10_000, typed=True)
def _scalar(value: object) -> str:
    return dumps(value, ensure_ascii=False)


def _table(columns: Sequence[Cells], schema: pa.Schema) -> pa.Table:
    """Columns of cells as a table. Most columns of most records hold one value only, or none."""
    rows = len(columns[0])
    arrays = []
    for cells, column in zip(columns, schema, strict=True):
        if cells.count(cells[0]) < rows or cells[0] == 0:  # 0.0 and -0.0 are equal, but not the same
            arrays.append(pa.array(cells, column.type))
        else:
            arrays.append(pa.repeat(pa.scalar(cells[0], column.type), rows))
    return pa.Table.from_arrays(arrays, schema=schema)


def _completed(rows: pa.Table, late: Late) -> pa.Table:
    ordinals = rows["ordinal"].to_pylist()
    first = pa.array([late.repeats.get(ordinal) for ordinal in ordinals], pa.string())
    rows = rows.append_column("duplicate_of", first)
    if not late.trust.keys().isdisjoint(ordinals):
        for name in _TRUST:
            cells = zip(ordinals, rows[name].to_pylist(), strict=True)
            changed = [late.trust[at][name] if at in late.trust else cell for at, cell in cells]
            rows = rows.set_column(rows.schema.get_field_index(name), name, pa.array(changed, pa.string()))
    return rows.select(TABLES["results"].names)


def _with_ranks(rows: pa.Table, columns: pa.Table, ranks: Mapping[str, NDArray[np.int32]]) -> pa.Table:
    for name in _OF_COLUMN:
        rows = rows.append_column(TABLES["scores"].field(name), columns[name].take(rows["column"]))
    places = rows["score"].to_numpy()
    for name, column in ranks.items():
        rank = column[places]
        rows = rows.append_column(name, pa.array(rank, pa.int32(), mask=rank == 0))
    return rows.select(TABLES["scores"].names)
