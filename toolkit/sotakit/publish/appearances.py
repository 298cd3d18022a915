"""The results of one method or one source, with their ranks: what the pages of methods and sources list.

There may be a quarter of a million: only the columns that are shown are read, and what is shown instead of a value is
made once for each distinct one.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np

from sotakit.columns import Numbers
from sotakit.publish.entity_contexts import Appearance
from sotakit.publish.escape import REMEMBERED
from sotakit.publish.overview import Overview
from sotakit.publish.printed import printed
from sotakit.publish.rows import Link
from sotakit.publish.wording import marks_of, missing_words
from sotakit.settings import settings_words
from sotaschema.vocabulary import Unit


@dataclass(frozen=True, slots=True)
class _LinkTo:
    """Makes links to the pages of a table; those of one overview are equal, so that columns remember what they made."""

    overview: Overview
    table: str

    def __call__(self, identifier: str) -> Link:
        return self.overview.link(self.table, identifier)


@dataclass(frozen=True, slots=True)
class _MetricsOf:
    """Gives the place, words, conflict and unit of each metric of a benchmark; equal for one overview."""

    overview: Overview

    def __call__(self, benchmark: str) -> dict[str, tuple[int, str, bool, Unit]]:
        metrics = enumerate(self.overview.metrics(benchmark))
        return {metric.key: (place, metric.words, metric.conflict, metric.unit) for place, metric in metrics}


@dataclass(frozen=True, slots=True)
class _Retracted:
    """Says whether a source was retracted; equal for one overview."""

    overview: Overview

    def __call__(self, identifier: str) -> bool:
        return bool(self.overview.catalog.row("sources", identifier)["retracted"])


def appearances(overview: Overview, column: str, identifier: str) -> tuple[Appearance, ...]:
    """Every score of the results that name a method or a source (`column` says which).

    Recorded ones come first, grouped by benchmark; the primary metric leads.
    """
    store = overview.catalog.store
    numbers = store.numbers(column, identifier)
    scores, counts = store.scores_of(numbers)
    return tuple(_appearances(overview, np.repeat(numbers, counts), scores)) if len(scores) else ()


def _appearances(overview: Overview, numbers: Numbers, scores: Numbers) -> Iterator[Appearance]:
    """The scores, each with the result of the same place."""
    store = overview.catalog.store

    def of_result(name: str, made: Callable[[Any], Any] | None = None) -> Iterable[Any]:
        return store.results.columns[name].cells(numbers, made)

    def of_score(name: str, made: Callable[[Any], Any] | None = None) -> Iterable[Any]:
        return store.scores.columns[name].cells(scores, made)

    ids, benchmarks, regenerated = list(of_result("id")), of_result("benchmark"), list(of_result("origin", _is_run))
    keys = list(of_score("metric_key"))
    metrics = [known[key] for known, key in zip(of_result("benchmark", _MetricsOf(overview)), keys, strict=True)]
    places, names, conflicts, units = zip(*metrics, strict=True)
    rows = zip(
        of_result("benchmark", _LinkTo(overview, "benchmarks")),
        of_result("method", _LinkTo(overview, "methods")),
        of_result("source", _LinkTo(overview, "sources")),
        of_result("method_label"),
        of_result("config"),
        of_result("config", settings_words),
        of_result("date", _text),
        ids,
        [first is not None for first in of_result("duplicate_of")],
        of_result("origin"),
        map(
            _mark_words,
            *map(of_result, ("status", "variant", "comparability", "comparability_note", "reproduction")),
            of_result("source", _Retracted(overview)),
        ),
        names,
        keys,
        of_score("text"),
        of_score("missing_reason", missing_words),
        map(_rank_words, of_score("rank"), of_score("rank_cited"), conflicts, regenerated),
        map(printed, *map(of_score, ("text", "qualifier", "unit")), units, of_score("value")),
        strict=True,
    )
    ordered = sorted(zip(regenerated, benchmarks, ids, places, rows, strict=True))
    return map(Appearance._make, map(itemgetter(-1), ordered))


def _is_run(origin: str) -> bool:
    return origin == "regenerated"


def _text(value: str | None) -> str:
    return value or ""


def _mark_words(*standing: Any) -> tuple[str, ...]:
    marks = marks_of(*standing)
    return tuple([word for word, _ in marks]) if marks else ()


@lru_cache(REMEMBERED)
def _rank_words(rank: int | None, cited: int | None, conflict: bool, regenerated: bool) -> str:
    """The rank on the board; regenerated results have one among themselves only, by the cited direction if known."""
    if regenerated:
        among = cited or rank
        return f"{among} among runs" if among else "Not ranked"
    if conflict and rank and cited:
        return f"{rank} as recorded, {cited} as cited"
    return str(rank) if rank else "Not ranked"
