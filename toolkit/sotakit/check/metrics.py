"""E5xx, W208: what values, units and directions can be."""

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal

from sotakit.check.problem import Problem
from sotakit.collection import Collection, LoadedResult
from sotakit.ranking import conflict
from sotaschema.entities import BenchmarkMetric, Metric
from sotaschema.results import Score
from sotaschema.vocabulary import Unit

_UNKNOWN = ("unknown", "other")
_FRACTION_TO_PERCENT = 100


def unreadable_value(collection: Collection) -> Iterator[Problem]:
    """W208: texts that are not one number."""
    for result, key, score, _ in scores(collection):
        if score.missing_reason is None and score.parsed.missing_reason == "unreadable":
            message = f"the value {score.text!r} cannot be read as one number; the text is kept"
            hint = "decimal commas, two numbers and footnote marks are not read"
            yield Problem(result.origin, result.id, message, hint, ("scores", key))


def out_of_bounds(collection: Collection) -> Iterator[Problem]:
    """E501: values that the metric cannot have, compared in the metric's own unit."""
    for result, key, score, listed in scores(collection):
        metric = collection.known.metrics.get(listed.metric or "")
        value = score.parsed.value
        if metric is None or value is None:
            continue
        low, high = bounds_in(metric, score_unit(score, listed))
        if (low is not None and value < low) or (high is not None and value > high):
            span = f"{'…' if low is None else low} to {'…' if high is None else high}"
            message = f"{score.text!r} is outside the bounds of {metric.name}: {span}"
            yield Problem(
                result.origin, result.id, message, "check the value, its unit and its metric", ("scores", key)
            )


def foreign_unit(collection: Collection) -> Iterator[Problem]:
    """E502: scores in another unit than the benchmark's metric."""
    for result, key, score, listed in scores(collection):
        stated = score.parsed.unit
        if stated and listed.unit not in _UNKNOWN and stated != listed.unit:
            message = f"the unit is {stated}, but {listed.label} is recorded in {listed.unit}"
            hint = "state the unit the source prints; use a metric key of its own for another unit"
            yield Problem(result.origin, result.id, message, hint, ("scores", key))


def direction_conflict(collection: Collection) -> Iterator[Problem]:
    """W511: recorded direction against cited direction."""
    for benchmark, origin in collection.benchmarks:
        for index, listed in enumerate(benchmark.metrics):
            metric = collection.known.metrics.get(listed.metric or "")
            if metric and conflict(listed.direction, metric.direction):
                cited = ", ".join(citation.source for citation in metric.direction_source) or "nobody"
                message = (
                    f"{listed.label}: recorded {listed.direction} is better, "
                    f"but {metric.name} is {metric.direction} is better according to {cited}"
                )
                hint = "the recorded order is kept and a notice shows both ranks"
                yield Problem(origin, benchmark.id, message, hint, ("metrics", index, "direction"))


def direction_without_citation(collection: Collection) -> Iterator[Problem]:
    """W512: a direction that nobody is named for."""
    for metric, origin in collection.metrics:
        if metric.direction != "unknown" and not metric.direction_source:
            message = f"the direction {metric.direction!r} has no citation"
            hint = "add direction_source with the source that defines the metric"
            yield Problem(origin, metric.id, message, hint, ("direction",))


def mixed_units(collection: Collection) -> Iterator[Problem]:
    """W513: boards whose values are printed in different units; where the board's unit is known, E502 says it."""
    boards: dict[tuple[str, str], dict[Unit, LoadedResult]] = defaultdict(dict)
    for result, key, score, listed in scores(collection):
        if score.parsed.value is not None and listed.unit in _UNKNOWN:
            boards[result.record.benchmark, key].setdefault(score_unit(score, listed), result)
    for (benchmark, key), units in boards.items():
        if len(units) > 1:
            result = list(units.values())[1]
            message = f"values of {key} in {benchmark} are printed in different units: {', '.join(sorted(units))}"
            hint = "state the unit in the benchmark's metric or in the scores; until then they are not ranked"
            yield Problem(result.origin, result.id, message, hint, ("scores", key))


def score_unit(score: Score, listed: BenchmarkMetric) -> Unit:
    """The unit of a score: its own, else the one its benchmark records."""
    return score.parsed.unit or listed.unit


def bounds_in(metric: Metric, unit: Unit) -> tuple[Decimal | None, Decimal | None]:
    """Smallest and largest value of a metric in a unit; none where no declared factor leads there."""
    low, high = (None if text is None else Decimal(text) for text in (metric.min, metric.max))
    if unit in _UNKNOWN or metric.unit in _UNKNOWN:
        return None, None
    if unit == metric.unit:
        return low, high
    factors = {("fraction", "percent"): Decimal(_FRACTION_TO_PERCENT), ("percent", "fraction"): Decimal("0.01")}
    factor = factors.get((metric.unit, unit))
    if factor is None:
        return None, None
    return (None if low is None else low * factor), (None if high is None else high * factor)


def scores(collection: Collection) -> Iterator[tuple[LoadedResult, str, Score, BenchmarkMetric]]:
    """Every score whose benchmark lists its metric, with both."""
    listed = collection.known.listed
    for result in collection.results:
        metrics = listed.get(result.record.benchmark, {})
        for key, score in result.record.scores.items():
            if metric := metrics.get(key):
                yield result, key, score, metric
