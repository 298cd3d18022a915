"""The results of benchmarks as rows of their pages, made column by column: there may be a quarter of a million.

What is the same for many results, say all words about a source, is worked out once for each distinct value.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from itertools import chain, islice, pairwise, repeat
from operator import attrgetter
from typing import Any, NamedTuple

from sotakit.catalog import Board
from sotakit.columns import Column, Numbers
from sotakit.publish import words
from sotakit.publish.overview import Overview
from sotakit.publish.printed import printed
from sotakit.publish.rank_ranges import ends_of
from sotakit.publish.result_facts import conditions_words, result_facts
from sotakit.publish.rows import Rerun, ResultRow, Value
from sotakit.publish.wording import (
    detail_words,
    interval_words,
    kind_words,
    locator_words,
    marks_of,
    missing_words,
    trust_words,
    unit_words,
)
from sotakit.settings import Settings, settings_words
from sotaschema.units import times
from sotaschema.vocabulary import Unit

MAX_COLUMNS = 8
"""Settings with a column of their own, the most frequent ones; every row's details show all of them."""

MAX_MORE = 16
"""Settings beyond these that have a column on request."""

_UNPLACED = (None, 0, "", "", "")
"""What a row has while it stands in no table."""

_BADGES = {"regenerated": "run here", "imported": "imported"}


class Columns(NamedTuple):
    """Which settings vary between rows and which are the same for all."""

    shown: tuple[str, ...]
    more: tuple[str, ...]
    constants: tuple[tuple[str, str], ...]


class Results(NamedTuple):
    """The results of one benchmark, in the order of their file and in no table yet."""

    rows: list[ResultRow]
    columns: tuple[Columns, Columns]
    """For recorded rows, and for regenerated ones."""


def results_of(overview: Overview, boards: Sequence[Board]) -> Iterator[Results]:
    """The results of some benchmarks, of each in turn."""
    store = overview.catalog.store
    numbers, ends = store.in_source_order("benchmark", [board.benchmark["id"] for board in boards])
    runs = [origin == "regenerated" for origin in store.results.columns["origin"].cells(numbers)]
    groups = list(store.results.columns["group"].cells(numbers))
    fixed = zip(*_fixed(overview, numbers), strict=True)
    found, counts = store.scores_of(numbers)
    sizes = [sum(counts[start:end]) for start, end in pairwise(ends)]
    values = _values(store.scores.columns, found, chain.from_iterable(map(repeat, map(_named, boards), sizes)))
    for board, (start, end) in zip(boards, pairwise(ends), strict=True):
        settings = list(zip(groups[start:end], runs[start:end], strict=True))
        recorded, regenerated = (
            columns_of([group for group, run in settings if run is kind]) for kind in (False, True)
        )
        keys = {False: recorded[:2], True: regenerated[:2]}
        shown = [tuple([group.under(names, words.NOT_RECORDED) for names in keys[run]]) for group, run in settings]
        scores = _by_result(board, values, counts[start:end])
        rows = zip(scores, shown, islice(fixed, end - start), strict=True)
        made = [ResultRow._make((*_UNPLACED, held, *cells, *rest, ())) for held, cells, rest in rows]
        yield Results(_with_reruns(made) if any(runs[start:end]) else made, (recorded, regenerated))


def _with_reruns(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """Recorded rows with what the newest run that stands got for the same method, configuration and metric."""
    runs = [row for row in rows if row.origin == "regenerated" and row.stands]
    newest = {
        (row.method_id, row.folded.json, value.key): Rerun(value, row.id)
        for row in sorted(runs, key=lambda row: (row.day or "", row.id))
        for value in row.values
        if value.number is not None
    }

    def reruns(row: ResultRow) -> tuple[Rerun, ...]:
        found = (newest.get((row.method_id, row.folded.json, value.key)) for value in row.values)
        return tuple([rerun for rerun in found if rerun])

    return [row if row.origin == "regenerated" else row._replace(reruns=reruns(row)) for row in rows]


def columns_of(groups: Sequence[Settings]) -> Columns:
    """Settings that vary between the folded configurations of some rows, and those that do not."""
    keys = sorted({key for group in groups for key in group})
    values = {key: [group.texts.get(key) for group in groups] for key in keys}
    varying = [key for key in keys if len(set(values[key])) > 1]
    constant = tuple((key, str(values[key][0])) for key in keys if len(set(values[key])) == 1)
    frequent = sorted(varying, key=lambda key: (values[key].count(None), key))
    shown, more = frequent[:MAX_COLUMNS], frequent[MAX_COLUMNS : MAX_COLUMNS + MAX_MORE]
    return Columns(tuple(sorted(shown)), tuple(sorted(more)), constant)


def _fixed(overview: Overview, numbers: Numbers) -> Iterator[Iterable[Any]]:
    """The fields of a row that follow from its result alone, in their order, each for all results."""
    columns = overview.catalog.store.results.columns
    kept = {name: list(columns[name].cells(numbers)) for name in ("config", "evidence", "origin", "reproduction")}
    methods, sources = (
        list(columns[name].cells(numbers, facts))
        for name, facts in (("method", overview.method), ("source", overview.source))
    )

    def cells(name: str) -> Iterable[Any]:
        return kept.get(name) or columns[name].cells(numbers)

    yield from map(cells, ("id", "method"))
    yield from (map(attrgetter(name), methods) for name in ("link", "origin"))
    yield from map(cells, ("method_label", "date"))
    yield columns["date"].cells(numbers, _date_words)
    yield cells("source")
    yield from (map(attrgetter(name), sources) for name in ("link", "year", "type", "command"))
    yield from map(cells, ("config", "group"))
    yield map(settings_words, kept["config"])
    yield from map(cells, ("settings", "duplicate_of", "origin"))
    yield columns["locator"].cells(numbers, locator_words)
    yield from map(cells, ("reproduction", "transcription", "stands"))
    standing = ("status", "variant", "comparability", "comparability_note", "reproduction")
    yield map(marks_of, *map(cells, standing), map(attrgetter("retracted"), sources))
    yield map(trust_words, *map(cells, ("evidence", "transcription", "reproduction", "status", "comparability")))
    yield map(_badge, kept["origin"], kept["evidence"])
    conditions = columns["config_extra"].cells(numbers, conditions_words)
    yield map(
        result_facts,
        *map(cells, ("variant", "date_kind", "hardware", "extra_training_data")),
        conditions,
        *map(cells, ("comparability", "comparability_note", "notes")),
    )
    yield numbers.tolist()


def _named(board: Board) -> dict[str, tuple[str, str, Unit]]:
    """Label, unit in words and unit of each metric."""
    return {metric["key"]: (metric["label"], unit_words(metric), metric["unit"]) for metric in board.metrics}


def _values(
    columns: Mapping[str, Column], numbers: Numbers, named: Iterable[Mapping[str, tuple[str, str, Unit]]]
) -> Iterator[Value]:
    """Some scores; `named` has for each the metrics of its benchmark."""

    def cells(name: str) -> list[Any]:
        return list(columns[name].cells(numbers))

    key, number, kind, spread, low, high = map(
        cells, ("metric_key", "value", "uncertainty_kind", "uncertainty", "low", "high")
    )
    metrics = [known[name] for name, known in zip(key, named, strict=True)]
    text, level, interval = cells("text"), cells("level"), list(map(interval_words, low, high))
    uncertainty = zip(map(kind_words, kind, spread, interval, level, text), spread, strict=True)
    sizes = zip(cells("n_runs"), cells("n_items"), strict=True)
    fields = (
        key,
        [label for label, *_ in metrics],
        [unit for _, unit, _ in metrics],
        text,
        columns["missing_reason"].cells(numbers, missing_words),
        number,
        *map(cells, ("decimal", "decimals", "rank", "rank_cited", "rank_in_group")),
        low,
        high,
        map(ends_of, number, kind, spread, low, high),
        interval,
        map(detail_words, uncertainty, interval, level, cells("aggregation"), sizes, cells("note")),
        map(printed, text, cells("qualifier"), cells("unit"), [listed for *_, listed in metrics], number),
    )
    return map(_in_the_unit_of_the_metric, map(Value._make, zip(*fields, strict=True)))


def _in_the_unit_of_the_metric(value: Value) -> Value:
    """The value with its numbers converted, if it has a unit of its own; the text stays as it is printed."""
    factor = value.printed.factor
    if factor is None or value.decimal is None:
        return value
    decimal = times(Decimal(value.decimal), factor)
    ends = value.ends and (value.ends[0] * float(factor), value.ends[1] * float(factor))
    return value._replace(number=float(decimal), decimal=f"{decimal:f}", ends=ends)


def _by_result(board: Board, values: Iterator[Value], counts: Iterable[int]) -> Iterator[tuple[Value, ...]]:
    """The values of each result of a board, which has so many, in the order of the board's metrics."""
    places = {metric["key"]: place for place, metric in enumerate(board.metrics)}
    for count in counts:
        held = tuple(islice(values, count))
        yield held if count < 2 else tuple(sorted(held, key=lambda value: places[value.key]))


def _date_words(day: str | None) -> str:
    return day or words.NOT_RECORDED


@cache
def _badge(origin: str, evidence: str | None) -> str:
    return _BADGES.get(origin) or words.BADGE.get(evidence or "", "reported")
