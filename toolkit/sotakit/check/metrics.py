"""E502, W51x: units, directions and names of metrics."""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache

from sotakit.check.problem import Problem
from sotakit.collection import Collection
from sotakit.ranking import conflict
from sotaschema.entities import Metric
from sotaschema.units import factor_between
from sotaschema.vocabulary import Unit

_UNKNOWN = ("unknown", "other")
_KINDS: dict[Unit, str] = {
    **dict.fromkeys(("fraction", "percent", "points", "ratio", "unitless"), "a number without a dimension"),
    **dict.fromkeys(("seconds", "milliseconds"), "time"),
    **dict.fromkeys(("bits", "nats", "bytes"), "information"),
}
"""What units measure; any other one is of its own kind."""

_PARAMETER = re.compile(
    r"""@\s*\(?[0-9.]+%?                                   # Hits@10, mAP@0.5, P@10%
    | \btop[- ]?[0-9]+                                   # Top-5 accuracy
    | \b[0-9]+-(?:shot|way|fold|crop|best|nn)\b           # 5-shot accuracy
    | \b(?:self-)?(?:bleu|rouge|nist|dist|distinct)[- ]?[0-9]\b  # BLEU-4, ROUGE-2
    | \([^()]*[<>=≤≥]\s*[0-9.]+[^()]*\)                    # Validity (p > 0.5)
    | \(\s*[-+]?(?:[0-9]*\.[0-9]+|[0-9]+)(?:e[-+]?[0-9]+)?\s*%?\s*\)  # Robustness Ratio (1e-3)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_VAGUE = re.compile(
    r"(?:(?:the|all|final|main|test|mean|average|avg|overall|total)\W*)*"
    r"(?:scores?|averages?|avg|mean|overall|total|results?|performance|metric|values?|quality)?"
)
"""Names that name no measure."""


def foreign_unit(collection: Collection) -> Iterator[Problem]:
    """E502: scores in another unit than the benchmark's metric, to which no factor leads."""
    for result, key, _, listed, parsed, _ in collection.scored:
        stated = parsed.unit
        if stated and listed.unit not in _UNKNOWN and factor_between(stated, listed.unit) is None:
            message = f"the unit is {stated}, but {listed.label} is recorded in {listed.unit}"
            hint = "state the unit the source prints; use a metric key of its own for another unit"
            yield Problem(result.origin, result.id, message, hint, ("scores", key))


def unit_of_another_kind(collection: Collection) -> Iterator[Problem]:
    """W524: a board's unit that cannot be the unit of the metric it links: percent for seconds."""
    for benchmark, origin in collection.benchmarks:
        for index, listed in enumerate(benchmark.metrics):
            metric = collection.known.metrics.get(listed.metric or "")
            if metric is None or metric.unit in _UNKNOWN or listed.unit in _UNKNOWN:
                continue
            if _KINDS.get(listed.unit, listed.unit) != _KINDS.get(metric.unit, metric.unit):
                message = f"{listed.label} is recorded in {listed.unit}, but {metric.name} is measured in {metric.unit}"
                hint = "correct the unit, or link another metric; bounds of the metric are not checked here"
                yield Problem(origin, benchmark.id, message, hint, ("metrics", index, "unit"))


def direction_conflict(collection: Collection) -> Iterator[Problem]:
    """W511: recorded direction against the metric's, which counts as cited only where a source is named for it."""
    for benchmark, origin in collection.benchmarks:
        for index, listed in enumerate(benchmark.metrics):
            metric = collection.known.metrics.get(listed.metric or "")
            if metric and conflict(listed.direction, metric.direction):
                cited = ", ".join(citation.source for citation in metric.direction_source)
                message = (
                    f"{listed.label}: recorded {listed.direction} is better, but {metric.name} is {metric.direction} "
                    f"is better {'according to ' + cited if cited else 'as this registry has it, which cites nobody'}"
                )
                hint = "the recorded order is kept and a notice shows both ranks"
                if not cited:
                    hint = "correct the one that is wrong; with direction_source a notice on the page shows both ranks"
                yield Problem(origin, benchmark.id, message, hint, ("metrics", index, "direction"))


def direction_without_citation(collection: Collection) -> Iterator[Problem]:
    """W512: a direction that nobody is named for."""
    for metric, origin in collection.metrics:
        if metric.direction != "unknown" and not metric.direction_source:
            message = f"the direction {metric.direction!r} has no citation"
            hint = "add direction_source with the source that defines the metric"
            yield Problem(origin, metric.id, message, hint, ("direction",))


def hidden_parameter(collection: Collection) -> Iterator[Problem]:
    """W516: a parameter that only the metric's printed name tells, such as the 10 of Hits@10."""
    for benchmark, origin in collection.benchmarks:
        for index, listed in enumerate(benchmark.metrics):
            metric = collection.known.metrics.get(listed.metric or "")
            hidden = _PARAMETER.search(listed.label)
            if hidden and not listed.parameters and not (metric and metric.parameters):
                message = f"the name {listed.label!r} hides a parameter: {hidden[0].strip()}"
                hint = "state it in the metric's parameters, for instance {k: 10} or {threshold: 1e-3}"
                yield Problem(origin, benchmark.id, message, hint, ("metrics", index, "label"))


def vague_metric(collection: Collection) -> Iterator[Problem]:
    """W517: a name that does not say what is measured, without a definition that does."""
    for benchmark, origin in collection.benchmarks:
        for index, listed in enumerate(benchmark.metrics):
            metric = collection.known.metrics.get(listed.metric or "")
            if _VAGUE.fullmatch(_bare(listed.label)) and not (metric and metric.definition):
                message = f"the name {listed.label!r} does not say what is measured"
                hint = "link a metric with a definition, or use the name that the source's text gives it"
                yield Problem(origin, benchmark.id, message, hint, ("metrics", index, "label"))


def _bare(label: str) -> str:
    """A name's words alone: "Score (%)" is called score."""
    return " ".join(re.findall(r"[^\W_]+", label.casefold()))


def bounds_in(metric: Metric, unit: Unit) -> tuple[Decimal | None, Decimal | None]:
    """Smallest and largest value of a metric in a unit; none where no declared factor leads there."""
    return _bounds(metric.min, metric.max, metric.unit, unit)


@lru_cache(maxsize=10_000)
def _bounds(low: str | None, high: str | None, declared: Unit, unit: Unit) -> tuple[Decimal | None, Decimal | None]:
    factor = None if unit in _UNKNOWN else factor_between(declared, unit)
    if factor is None:
        return None, None
    return (None if low is None else Decimal(low) * factor), (None if high is None else Decimal(high) * factor)
