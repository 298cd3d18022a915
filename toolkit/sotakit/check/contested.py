"""W701: sources that contradict one another about one method under the same conditions."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations
from operator import attrgetter
from typing import NamedTuple

from sotakit.check.problem import Problem
from sotakit.collection import Collection, LoadedResult
from sotakit.folding import Folding
from sotakit.trust import GONE, effective
from sotaschema.entities import BenchmarkMetric
from sotaschema.results import Score
from sotaschema.vocabulary import Unit

SHOWN = 6
"""Most values that a message lists."""

LOOKED_AT = 50
"""Among so many values a factor of 100 is looked for."""

_PERCENT_DIGITS = 2


class Claim(NamedTuple):
    """One value that a source states; fractions as percentages, so that both can be compared."""

    result: LoadedResult
    score: Score
    listed: BenchmarkMetric
    value: Decimal
    unit: Unit

    @property
    def place(self) -> Decimal:
        """The value of the last printed digit."""
        return Decimal(1).scaleb(int(self.value.as_tuple().exponent))


def contested(collection: Collection) -> Iterator[Problem]:
    """W701: one method, benchmark, metric and folded configuration with different values in different sources.

    Reported and imported values only: for regenerated ones there are verdicts. Two sources agree if a value of the one
    equals a value of the other after rounding to the coarser printing. Claims that no longer stand are left out.
    """
    for (_, _, key), claims in sorted(_groups(collection).items()):
        claims.sort(key=lambda claim: claim.result.id)  # so that nothing depends on which file was read first
        sources = {claim.result.source: claim for claim in claims}
        if len(sources) > 1 and _disagree(claims):
            last = claims[-1]
            values = [claim.value for claim in claims]
            message = (
                f"{last.listed.label} of {last.result.record.method_label or last.result.record.method} is contested: "
                f"{_listing(claims)}; spread {max(values) - min(values):f}{_factor(claims)}{_reason(claims)}"
            )
            hint = (
                "if conditions differ, record them in config; if the name means two methods, make two; else dispute one"
            )
            yield Problem(last.result.origin, last.result.id, message, hint, ("scores", key))


def agree(one: Claim, two: Claim) -> bool:
    """Whether two values may be one number printed with different care."""
    return abs(one.value - two.value) * 2 <= max(one.place, two.place)


def _groups(collection: Collection) -> dict[tuple[str, str, str], list[Claim]]:
    """Comparable claims by method, benchmark with folded configuration and unit, and metric key."""
    folding = Folding(collection.known.config_keys)
    sources, events = collection.known.sources, collection.known.events
    groups: dict[tuple[str, str, str], list[Claim]] = defaultdict(list)
    for result, key, score, listed, parsed, unit in collection.scored:
        source, value = sources.get(result.source), parsed.value
        if value is None or source is None or source.origin == "regenerated" or parsed.qualifier != "exact":
            continue
        record = result.record
        if effective(record, events.get(result.id, ()))["status"] in GONE:
            continue
        claim = Claim(result, score, listed, value, unit)
        if unit == "fraction":
            claim = claim._replace(value=value.scaleb(_PERCENT_DIGITS), unit="percent")
        config = sorted(folding.alike(record.benchmark, record.config))
        conditions = f"{record.benchmark} {claim.unit} {config}"
        groups[record.method, conditions, key].append(claim)
    return groups


def _disagree(claims: list[Claim]) -> bool:
    """Whether two sources have no value in common."""
    by_source: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        by_source[claim.result.source].append(claim)
    for source in by_source.values():
        source.sort(key=attrgetter("value"))
    return any(not _meet(ones, twos) for ones, twos in combinations(by_source.values(), 2))


def _meet(ones: list[Claim], twos: list[Claim]) -> bool:
    """Whether two sources, each in order of values, have a value in common; only those near each are looked at."""
    reach = max(claim.place for claim in (*ones, *twos)) / 2
    values = [claim.value for claim in twos]
    return any(
        agree(one, two)
        for one in ones
        for two in twos[bisect_left(values, one.value - reach) : bisect_right(values, one.value + reach)]
    )


def _factor(claims: list[Claim]) -> str:
    """Two values of which one is a hundred times the other as far as they are printed: one is probably a fraction."""
    for one, two in combinations(claims[:LOOKED_AT], 2):
        small, large = sorted((one, two), key=lambda claim: abs(claim.value))
        hundredfold = small._replace(value=small.value.scaleb(_PERCENT_DIGITS))
        if small.value and agree(hundredfold, large):
            return f"; {large.score.text} is 100 times {small.score.text}, so one may be a fraction"
    return ""


def _listing(claims: list[Claim]) -> str:
    shown = ", ".join(f"{claim.score.text} ({claim.result.source})" for claim in claims[:SHOWN])
    return f"{shown} and {len(claims) - SHOWN:,} more" if len(claims) > SHOWN else shown


def _reason(claims: list[Claim]) -> str:
    """The conditions that only some of the claims state: a likely reason."""
    stated = [frozenset(_conditions(claim.result)) for claim in claims]
    partly = sorted({name for names in stated for name in names if not all(name in other for other in stated)})
    return f"; only some of them state {', '.join(partly)}, a likely reason" if partly else ""


def _conditions(result: LoadedResult) -> Iterator[str]:
    record = result.record
    yield from record.config_extra
    yield from record.settings
    if record.hardware:
        yield "hardware"
    if record.extra_training_data != "unknown":
        yield "extra training data"
