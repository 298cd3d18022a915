"""The results of one method or one source, with their ranks: what the pages of methods and sources list.

There may be a quarter of a million: only the columns that are shown are read, and no rows are made of them.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from sotakit.publish import words
from sotakit.publish.entity_contexts import Appearance
from sotakit.publish.overview import Metric, Overview
from sotakit.results import ResultStore
from sotakit.settings import settings_words


class _Result(NamedTuple):
    """The columns of a result that are shown."""

    origin: str
    benchmark: str
    id: str
    method: str
    method_label: str
    source: str
    config: dict[str, Any]
    date: str | None
    duplicate_of: str | None
    status: str


class _Score(NamedTuple):
    """The columns of a score that are shown."""

    metric_key: str
    text: str
    missing_reason: str | None
    rank: int | None
    rank_cited: int | None


def appearances(overview: Overview, column: str, identifier: str) -> tuple[Appearance, ...]:
    """Every score of the results that name a method or a source (`column` says which).

    Recorded ones come first, grouped by benchmark; the primary metric leads.
    """
    found = sorted(_read(overview.catalog.store, column, identifier), key=_place)
    return tuple(item for result, scores in found for item in _appearances(overview, result, scores))


def _read(store: ResultStore, column: str, identifier: str) -> Iterator[tuple[_Result, dict[str, _Score]]]:
    numbers = store.numbers(column, identifier)
    if not len(numbers):
        return
    starts, ends = store.score_starts[numbers], store.score_starts[numbers + 1]
    places = store.score_order[np.concatenate([np.arange(start, end) for start, end in zip(starts, ends, strict=True)])]
    results = map(
        _Result._make, zip(*(store.results.columns[name].cells(numbers) for name in _Result._fields), strict=True)
    )
    scores = map(_Score._make, zip(*(store.scores.columns[name].cells(places) for name in _Score._fields), strict=True))
    for result, count in zip(results, (ends - starts).tolist(), strict=True):
        yield result, {score.metric_key: score for score in islice(scores, count)}


def _place(found: tuple[_Result, dict[str, _Score]]) -> tuple[bool, str, str]:
    result = found[0]
    return result.origin == "regenerated", result.benchmark, result.id


def _appearances(overview: Overview, result: _Result, scores: dict[str, _Score]) -> Iterator[Appearance]:
    regenerated = result.origin == "regenerated"
    shared = (
        overview.link("benchmarks", result.benchmark),
        overview.link("methods", result.method),
        overview.link("sources", result.source),
        result.method_label,
        result.config,
        settings_words(result.config),
        result.date or "",
        result.id,
        result.duplicate_of is not None,
        result.origin,
        "" if result.status == "active" else result.status.replace("_", " "),
    )
    for metric in overview.metrics(result.benchmark):
        if score := scores.get(metric.key):
            missing = words.MISSING[score.missing_reason] if score.missing_reason else ""
            rank = _rank_words(metric, score, regenerated=regenerated)
            yield Appearance(*shared, metric.words, metric.key, score.text, missing, rank)


def _rank_words(metric: Metric, score: _Score, *, regenerated: bool) -> str:
    """The rank on the board; regenerated results have one among themselves only, by the cited direction if known."""
    rank, cited = score.rank, score.rank_cited
    if regenerated:
        among = cited or rank
        return f"{among} among runs" if among else "Not ranked"
    if metric.conflict and rank and cited:
        return f"{rank} as recorded, {cited} as cited"
    return str(rank) if rank else "Not ranked"
