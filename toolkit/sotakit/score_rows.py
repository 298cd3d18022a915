"""From scores to the rows of their table, as far as a score alone decides them, and to what ranks are made of."""

from array import array
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from math import nan
from typing import Any, NamedTuple, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sotakit.cells import table
from sotakit.collection import Known
from sotakit.ranking import BOUNDS
from sotakit.standings import Directions, Scores, inexact
from sotaschema.arrow import TABLES
from sotaschema.results import Result, Score
from sotaschema.units import factor_between, times
from sotaschema.values import ParsedValue, parse_value
from sotaschema.vocabulary import Direction, Unit

UNITS: tuple[Unit, ...] = get_args(Unit)

_OF_SCORE = (
    *("text", "decimal", "decimals", "qualifier", "uncertainty_kind", "uncertainty", "low", "high", "level"),
    *("aggregation", "n_runs", "n_items", "missing_reason", "note"),
)
_OF_METRIC = ("benchmark", "metric_key", "metric", "unit_recorded", "direction_recorded", "direction_cited")
"""Columns that the metric of a benchmark decides; they come in when rows are merged."""
_SCORE_ROWS = pa.schema([TABLES["scores"].field(name) for name in _OF_SCORE])
_METRIC_ROWS = pa.schema([TABLES["scores"].field(name) for name in _OF_METRIC])
Numbers = NDArray[np.int32]
Units = NDArray[np.int8]

_UNIT = {unit: number for number, unit in enumerate(UNITS)}
_AS_LISTED = -1
_TEXT_ALONE = {"text"}
_NOTHING_STATED = Score()


class _Said(NamedTuple):
    """What a score says."""

    cells: tuple[Any, ...]
    """In the order of `_OF_SCORE`."""
    value: float
    """NaN stands for none."""
    ranked: Decimal | None
    """The value, unless it is a bound only."""
    unit: int
    """As the score says it, by number; `_AS_LISTED` where it says nothing."""


class _Metric(NamedTuple):
    """A metric of a benchmark, as far as it is known before all sources are."""

    benchmark: str
    key: str
    metric: str | None
    unit_recorded: str | None
    direction: Direction


class ScoreRows:
    """Takes the scores of some thousand results; those that are plain texts and equal become cells only once."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._listed: dict[str, dict[str, int]] = {}
        self._metrics: list[_Metric] = []
        """The metrics of benchmarks, by number."""
        self._units: list[int] = []
        self._clear()

    def _clear(self) -> None:
        self._counts, self._metric, self._places = array("i"), array("i"), array("i")
        self._said: list[_Said] = []
        self._place_of: dict[str, int] = {}

    def add(self, record: Result) -> None:
        """Take the scores of the next result, in order of their keys; those of unlisted metrics are left out."""
        listed = self._listed.get(record.benchmark) or self._list(record.benchmark)
        scores, place_of, before = record.scores, self._place_of, len(self._places)
        for key in sorted(scores):
            metric = listed.get(key)
            if metric is None:
                continue
            score = scores[key]
            place = place_of.get(score.text) if score.model_fields_set == _TEXT_ALONE else None
            self._metric.append(metric)
            self._places.append(self._new_place(score) if place is None else place)
        self._counts.append(len(self._places) - before)

    def _new_place(self, score: Score) -> int:
        """A place among the distinct scores, which others with the same text alone will share."""
        place = len(self._said)
        if score.model_fields_set == _TEXT_ALONE:
            self._place_of[score.text] = place
            self._said.append(_said_by_text(score.text))
        else:
            self._said.append(_said(score, score.parsed))
        return place

    def _list(self, benchmark: str) -> dict[str, int]:
        """Numbers for the metrics of a benchmark, by key."""
        numbers = self._listed[benchmark] = {}
        for key, metric in self._known.listed.get(benchmark, {}).items():
            numbers[key] = len(self._metrics)
            self._metrics.append(_Metric(benchmark, key, metric.metric, metric.unit_recorded, metric.direction))
            self._units.append(_UNIT[metric.unit])
        return numbers

    def take(self, regenerated: NDArray[np.bool_]) -> tuple[pa.Table, Scores]:
        """Rows of all scores taken since the last time, and what ranks are made of."""
        counts, metric, places = (np.array(found, "i4") for found in (self._counts, self._metric, self._places))
        said, units = self._said, np.array(self._units, "i1")
        self._clear()
        value = np.array([one.value for one in said], "f8")[places]
        unit = np.array([one.unit for one in said], "i1")[places]
        listed = units[metric]
        unit = np.where(unit == _AS_LISTED, listed, unit)
        scores = Scores(counts, metric, np.repeat(regenerated, counts), *_for_ranks(said, places, unit, listed))
        columns = zip(*(one.cells for one in said), strict=True) if said else [()] * len(_OF_SCORE)
        rows = table(dict(zip(_OF_SCORE, columns, strict=True)), _SCORE_ROWS)
        rows = rows.take(pa.array(places))
        rows = rows.append_column("metric", pa.array(scores.metric)).append_column("unit_code", pa.array(unit))
        return rows.append_column("value", pa.array(value, mask=np.isnan(value))), scores

    def directions(self, cited: Mapping[str, Direction]) -> list[Directions]:
        """Those of the metrics of benchmarks, by number; `cited` has the cited direction of each metric."""
        return [Directions(metric.direction, cited.get(metric.metric or "", "unknown")) for metric in self._metrics]

    def metrics(self, cited: Mapping[str, Direction]) -> pa.Table:
        """What the metrics of benchmarks decide, by number."""
        rows = [
            (*metric, directions.cited)
            for metric, directions in zip(self._metrics, self.directions(cited), strict=True)
        ]
        columns = zip(*rows, strict=True) if rows else [()] * len(_OF_METRIC)
        return table(dict(zip(_OF_METRIC, columns, strict=True)), _METRIC_ROWS)


def _for_ranks(
    said: list[_Said], places: Numbers, unit: Units, listed: Units
) -> tuple[NDArray[np.float64], Units, dict[int, Decimal]]:
    """Values, units and exact values as ranks need them: bounds are none, and values in a unit of their own are
    converted to the one that is listed wherever a factor leads there."""
    plain = np.array([nan if one.ranked is None else one.value for one in said], "f8")
    long = {place: one.ranked for place, one in enumerate(said) if one.ranked and inexact(one.ranked)}
    value, unit = plain[places], unit.copy()
    exact = {int(at): long[int(places[at])] for at in np.flatnonzero(np.isin(places, list(long)))}
    for at in np.flatnonzero(unit != listed).tolist():
        factor = factor_between(UNITS[unit[at]], UNITS[listed[at]])
        ranked = said[places[at]].ranked
        if factor is None or ranked is None:
            continue
        converted = times(ranked, factor)
        value[at], unit[at] = float(converted), listed[at]
        exact.pop(at, None)
        if converted and inexact(converted):
            exact[at] = converted
    return value, unit, exact


@lru_cache(maxsize=50_000)
def _said_by_text(text: str) -> _Said:
    return _said(_NOTHING_STATED, parse_value(text), text)


def _said(score: Score, parsed: ParsedValue, text: str | None = None) -> _Said:
    ends = [None if end is None else float(end) for end in (parsed.uncertainty, parsed.low, parsed.high)]
    stated, value = score.uncertainty, parsed.value
    cells = (
        score.text if text is None else text,
        None if value is None else f"{value:f}",
        parsed.decimals,
        parsed.qualifier,
        stated.kind if stated else None if ends == [None] * 3 else "unknown",
        *ends,
        stated.level if stated else None,
        score.aggregation,
        score.n_runs,
        score.n_items,
        parsed.missing_reason,
        score.note,
    )
    unit = _UNIT[parsed.unit] if parsed.unit else _AS_LISTED
    return _Said(cells, nan if value is None else float(value), None if parsed.qualifier in BOUNDS else value, unit)
