"""What the value of one score can be: a readable number, inside its bounds, possible for the number of items."""

import re
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor

from sotakit.check.glance import MISSING_MARK, one_run_of_many
from sotakit.check.metrics import bounds_in
from sotakit.check.problem import Problem
from sotakit.check.tally import Counted, Seen, Words, document
from sotakit.collection import Collection
from sotaschema.entities import Metric
from sotaschema.results import Score, Uncertainty
from sotaschema.values import ParsedValue, held_exactly, parse_value
from sotaschema.vocabulary import Unit

_NUMBER = r"[-+−]?(?:[0-9]+(?:[.,][0-9]+)*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_SPREAD = rf"(?:\s*(?:±|\+/-|\+-)\s*{_NUMBER})?"
_MARKS = r"\s*(?:\\?[%*†‡])*\s*"
_BETWEEN = r"(?:[/|;,(\[–&]|@@|\bto\b|\band\b|-|\s)"
_TWO = re.compile(rf"[\[(]?\s*{_NUMBER}\s*%?{_SPREAD}{_MARKS}{_BETWEEN}\s*{_NUMBER}")
_SPACED = re.compile(r"[-+−]?[0-9]{1,3}(?:\s[0-9]{3})+(?:[.,][0-9]+)?\s*%?")
_COMMA = re.compile(rf"[-+−]?[0-9]+,[0-9]+\s*%?{_SPREAD}\s*%?")
_GROUPED_COMMA = re.compile(rf"[-+−]?[0-9]{{1,3}}(?:[.\s'’][0-9]{{3}})+,[0-9]+\s*%?{_SPREAD}\s*%?")
"""Digits grouped by points, spaces or apostrophes before a decimal comma: "1.234,56"."""
_FOOTNOTE = re.compile(rf"{_NUMBER}\s*%?(?:[*†‡+?#^]|\\\*)+")
_PLAIN = re.compile(r"[-+−]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_LETTER = re.compile(rf"[<>≤≥~≈]?\s*{_NUMBER} [A-Za-z]")
_WHOLE: dict[Unit, int] = {"fraction": 1, "percent": 100}
_LONGEST_WHOLE = 1e22
"""Larger numbers are shown with an exponent."""


def unreadable_value(collection: Collection) -> Iterator[Problem]:
    """W208: texts that are not one number."""
    for result, key, score, _, parsed, _ in collection.scored:
        if parsed.missing_reason == "unreadable" and score.missing_reason is None and not holds_two(score.text):
            message = f"the value {score.text!r} cannot be read as one number; the text is kept"
            hint = _reading_hint(score.text)
            yield Problem(result.origin, result.id, message, hint, ("scores", key), found=score.text)


def two_numbers(collection: Collection) -> Iterator[Problem]:
    """W212: two numbers where one value belongs."""
    for result, key, score, _, parsed, _ in collection.scored:
        if parsed.missing_reason == "unreadable" and score.missing_reason is None and holds_two(score.text):
            message = f"the value {score.text!r} holds more than one number; the text is kept, but has no value"
            hint = "give each number a metric key of its own; state a spread as uncertainty, other conditions as config"
            yield Problem(result.origin, result.id, message, hint, ("scores", key), found=score.text)


def holds_two(text: str) -> bool:
    """Whether a text begins with two numbers: "0.60 / 0.72", "71.2 (70.1)", "12.3/45.6"; "3,5" and "1 234" are one."""
    bare = _single_spaced(text.strip("* \t"))
    one = _COMMA.fullmatch(bare) or _SPACED.fullmatch(bare) or _GROUPED_COMMA.fullmatch(bare)
    return _TWO.match(bare) is not None and not one


def inexact_value(collection: Collection) -> Iterator[Problem]:
    """W213: numbers with more digits than a float64 holds, which ranks and charts are made with."""
    for result, key, score, _, parsed, _ in collection.scored:
        value = parsed.value
        if value is not None and not held_exactly(value):
            held = float(value)
            near = f"{held:.0f}" if held.is_integer() and abs(held) < _LONGEST_WHOLE else repr(held)
            message = f"{score.text!r} has more digits than a 64-bit number holds; ranks and charts take it for {near}"
            hint = "nothing needs to be done if the last digits do not matter; the text is kept"
            yield Problem(result.origin, result.id, message, hint, ("scores", key), found=score.text)


def value_beside_reason(collection: Collection) -> Iterator[Problem]:
    """W520: a readable number beside the reason why there is none."""
    for result, key, score, *_ in collection.scored:
        if score.missing_reason is not None and parse_value(score.text).value is not None:
            message = f"the value {score.text!r} is not read, since missing_reason says {score.missing_reason}"
            hint = "remove missing_reason if the source states the value; else put the number into the note"
            yield Problem(result.origin, result.id, message, hint, ("scores", key), found=score.text)


def contradiction(collection: Collection) -> Iterator[Problem]:
    """W523: statements about one score that exclude each other."""
    for result, key, score, *_ in collection.scored:
        kind = score.uncertainty.kind if score.uncertainty else None
        message = ""
        if one_run_of_many(score):
            message = f"aggregation says single_run, but n_runs says {score.n_runs}"
        elif kind in ("sd", "se") and score.n_runs == 1 and score.n_items is None:
            message = f"uncertainty.kind says {kind}, but n_runs says 1"
        if message:
            hint = "a mean of several runs has the aggregation mean; a single run has n_runs 1 or none"
            yield Problem(result.origin, result.id, message, hint, ("scores", key), found=message)


def impossible_spread(collection: Collection) -> Iterator[Problem]:
    """W521: deviations below zero, intervals that are upside down or do not hold their value, and spreads that a field
    states otherwise than the text."""
    for result, key, score, _, parsed, _ in collection.scored:
        for message in _spread_faults(score, parsed):
            hint = "copy text and spread from the source again; an interval has the lower end first"
            yield Problem(result.origin, result.id, message, hint, ("scores", key), found=score.text)


def _spread_faults(score: Score, parsed: ParsedValue) -> Iterator[str]:
    stated = score.uncertainty
    if parsed.uncertainty is not None and parsed.uncertainty < 0:
        yield f"the spread {parsed.uncertainty} of {score.text!r} is below zero"
    low, high, value = parsed.low, parsed.high, parsed.value
    if low is not None and high is not None and low > high:
        yield f"the interval of {score.text!r} begins at {low} and ends at {high}"
    elif value is not None and _outside(value, low, high) and not _may_lie_beside(stated):
        yield f"the interval {_end(low)} to {_end(high)} does not hold its value {score.text!r}"
    if stated is not None and score.missing_reason is None:
        printed = parse_value(score.text)
        for name, field in (("uncertainty", "value"), ("low", "low"), ("high", "high")):
            in_text, in_field, text = getattr(printed, name), getattr(parsed, name), getattr(stated, field)
            if text is not None and in_field is None:
                yield f"the field uncertainty has {text}, which no 64-bit number holds"
            elif in_text is not None and in_text != in_field:
                yield f"the text {score.text!r} says {in_text} where the field uncertainty says {in_field}"


def _may_lie_beside(stated: Uncertainty | None) -> bool:
    """Whether a value may be outside of its interval: a mean may be outside of the middle half of skewed values."""
    return stated is not None and stated.kind == "iqr"


def _end(number: Decimal | None) -> str:
    return "…" if number is None else str(number)


def out_of_bounds(collection: Collection) -> Iterator[Problem]:
    """E501: values that the metric cannot have, compared in the metric's own unit."""
    metrics = collection.known.metrics
    for result, key, score, listed, parsed, unit in collection.scored:
        value, metric = parsed.value, metrics.get(listed.metric or "")
        if metric is not None and value is not None and outside(value, metric, unit):
            low, high = bounds_in(metric, unit)
            span = f"{'…' if low is None else low} to {'…' if high is None else high}"
            message = f"{score.text!r} is outside the bounds of {metric.name}: {span}"
            hint = "check the value, its unit and its metric"
            if value == MISSING_MARK:
                hint = "-1 often stands for a missing value: leave the value out and say why with missing_reason"
            yield Problem(result.origin, result.id, message, hint, ("scores", key), found=score.text)


def outside(value: Decimal, metric: Metric, unit: Unit) -> bool:
    """Whether a value is outside a metric's bounds; False where they are not known in this unit."""
    return _outside(value, *bounds_in(metric, unit))


def _outside(value: Decimal, low: Decimal | None, high: Decimal | None) -> bool:
    return (low is not None and value < low) or (high is not None and value > high)


def impossible_share(collection: Collection) -> Iterator[Problem]:
    """W515: a share of n items that is no k/n rounded to the digits printed.

    Only for metrics with `share_of_items`, values of a single run, exact, in percent or fraction, with a known number
    of items. Halves may be rounded up or down.
    """
    known = collection.known
    for result, key, score, listed, parsed, unit in collection.scored:
        if listed.metric not in known.shares_of_items or not _of_one_run(score):
            continue
        items, whole = score.n_items or known.benchmarks[result.record.benchmark].n_items, _WHOLE.get(unit)
        if items is None or whole is None:
            continue
        value, decimals = parsed.value, parsed.decimals
        if value is not None and decimals is not None and not possible_share(value, decimals, items, whole):
            message = f"no whole number out of {items:,} items gives {score.text!r}{_neighbours(value, items, whole)}"
            hint = "check value and n_items; if it is a mean of several runs or parts, state n_runs or aggregation"
            yield Problem(result.origin, result.id, message, hint, ("scores", key))


def possible_share(value: Decimal, decimals: int, items: int, whole: int) -> bool:
    """Whether k/items of `whole` (1 or 100) rounds to a value with so many decimals, for a whole number k of items."""
    half = Fraction(1, 2 * 10**decimals)
    exact = Fraction(value)
    lowest = max(0, ceil((exact - half) * items / whole))
    highest = min(items, floor((exact + half) * items / whole))
    return lowest <= highest


def _neighbours(value: Decimal, items: int, whole: int) -> str:
    """The possible values next to one that is not."""
    below = floor(Fraction(value) * items / whole)
    near = [count for count in (below, below + 1) if 0 <= count <= items]
    return "".join(f", {count:,} would be {float(Fraction(count * whole, items)):.6g}" for count in near)


def _of_one_run(score: Score) -> bool:
    single = score.n_runs in (None, 1) and score.aggregation in (None, "single_run")
    return single and score.parsed.qualifier == "exact"


def _single_spaced(text: str) -> str:
    """The text with single spaces, so that no pattern can take long over many of them."""
    return " ".join(text.split())


def _reading_hint(text: str) -> str:
    bare = _single_spaced(text)
    if _COMMA.fullmatch(bare) or _GROUPED_COMMA.fullmatch(bare):
        plain = re.sub(r"(?<=[0-9])[.\s'’](?=[0-9]{3}(?:[^0-9]|$))", "", bare) if "," in bare else bare
        return f"a decimal comma is not read, since 1,234 may be a thousand; write {plain.replace(',', '.')!r}"
    if _PLAIN.fullmatch(bare):
        return "no 64-bit number holds it; state it in another unit, or leave it out and say why with missing_reason"
    if _LETTER.fullmatch(bare):
        return "a letter apart from the number may be a unit or a factor; write the number alone, state the unit"
    if _FOOTNOTE.fullmatch(bare):
        return "write the number alone and say in the score's note what its mark means"
    return "copy one number exactly; put remarks into the score's note; a text that is no value belongs into config"


def _spreads(collection: Collection) -> Iterator[Seen]:
    """Every score with a spread, per document and metric."""
    for result, key, score, listed, parsed, _ in collection.scored:
        stated = score.uncertainty
        if parsed.uncertainty is not None or parsed.low is not None or parsed.high is not None:
            unknown = stated is None or stated.kind == "unknown"
            yield (document(result), listed.label), unknown, 1, result.origin, ("scores", key)


uncertainty_without_kind = Counted(
    _spreads,
    Words(
        "{count} of {total} spreads (±) of {name} do not say if they are a deviation, an error or an interval",
        "state uncertainty.kind if the source says it; unknown ones take no part in ranks",
    ),
)
"""N518: "±" without its kind, once for each document and metric."""
