"""One quick pass over all scores: which of them the exact rules must look at, and which boards.

Most scores are one plain number inside the bounds of its metric, on which no rule about single scores has anything to
say. What is passed over here is no finding of any of them; what is not passed over may or may not be one.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from math import inf

from sotakit.check.metrics import bounds_in
from sotakit.collection import Known, LoadedResult, Scored
from sotaschema.entities import BenchmarkMetric
from sotaschema.results import Result, Score
from sotaschema.values import held_exactly, other_meaning, plain_number
from sotaschema.vocabulary import Unit

MISSING_MARK = Decimal(-1)
"""A value that many programs write where there is none."""

HELD_DIGITS = 15
"""Any number of so few digits is held exactly by a float64, to its last printed digit."""

GAP = 10
"""Least ratio of the smallest percentage to the largest fraction for the two to be told apart."""
_NEARLY_GAP = Decimal("9.999999")
"""The same for numbers that may have been rounded."""


class FirstGlance:
    """Looks once at every score, and remembers a few numbers for each metric of each benchmark."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._lenses: dict[str, dict[str, Lens]] = {}
        self.strangers: list[LoadedResult] = []
        """Results of the last portion with a score that their benchmark does not list."""

    def remarkable(self, results: Sequence[LoadedResult]) -> list[Scored]:
        """The scores that are not passed over."""
        found: list[Scored] = []
        self.strangers = []
        for result in results:
            lenses = self._lenses.get(result.record.benchmark) or self._lenses_of(result.record.benchmark)
            for key, text in (result.texts or _texts_alone(result.record)).items():
                lens = lenses.get(key)
                if lens is None:
                    if not self.strangers or self.strangers[-1] is not result:
                        self.strangers.append(result)
                elif not lens.passes_quickly(text):
                    score = result.record.scores[key]
                    parsed = score.parsed
                    lens.note_doubt(score.text)
                    plain = parsed[4:] == _NOTHING and _held(score.text, parsed.value) and not one_run_of_many(score)
                    if not lens.passes(parsed.value, parsed.unit) or not plain:
                        found.append((result, key, score, lens.listed, parsed, parsed.unit or lens.unit))
        return found

    def suspicious(self) -> Iterator[str]:
        """Benchmarks with a board on which the rules that compare its values may find something."""
        for benchmark, lenses in self._lenses.items():
            if any(lens.suspicious() for lens in lenses.values()):
                yield benchmark

    def _lenses_of(self, benchmark: str) -> "dict[str, Lens]":
        listed = self._known.listed.get(benchmark, {})
        lenses = {key: Lens(metric, self._known) for key, metric in listed.items()}
        return self._lenses.setdefault(benchmark, lenses)


_NOTHING = (None, None, None, None)
"""No uncertainty, no ends of an interval, no reason why a value is missing."""


def one_run_of_many(score: Score) -> bool:
    """Whether a score says that it is of a single run and of several runs."""
    return score.aggregation == "single_run" and score.n_runs is not None and score.n_runs > 1


def _held(text: str, value: Decimal | None) -> bool:
    """Whether a float64 has all digits of a value; only long numbers and those with exponents need a calculation."""
    short = len(text) <= HELD_DIGITS and "e" not in text and "E" not in text
    return short or value is None or held_exactly(value)


def _texts_alone(record: Result) -> dict[str, str]:
    """The text of each score; an empty one where the score says something that its text may not say."""
    return {
        key: score.text
        if score.uncertainty is None
        and score.missing_reason is None
        and score.unit is None
        and score.qualifier is None
        and score.aggregation is None
        else ""
        for key, score in record.scores.items()
    }


class Lens:
    """One metric of one benchmark, with what a plain value of it is held against."""

    __slots__ = ("_ceiling", "_floor", "_glance", "_high", "_least", "_low", "_most", "_share", "listed", "unit")

    def __init__(self, listed: BenchmarkMetric, known: Known) -> None:
        metric = known.metrics.get(listed.metric or "")
        self.listed, self.unit, self._glance = listed, listed.unit, Glance()
        self._low, self._high = bounds_in(metric, listed.unit) if metric else (None, None)
        self._share = metric is not None and metric.share_of_items
        self._floor = max(0.0, float(self._low or 0))
        self._ceiling = 0.0 if self._share else inf if self._high is None else float(self._high)
        self._least, self._most = inf, 0.0

    def passes_quickly(self, text: str) -> bool:
        """Whether a text without a unit is beyond doubt plain, by its number rounded to a float.

        Rounding keeps order, but may make two numbers equal: what equals a bound or 1 is left to `passes`.
        """
        number = plain_number(text)
        if not self._floor < number < self._ceiling or number == 1 or len(text) > HELD_DIGITS:
            return False
        if 1 < number < self._least:
            self._least = number
        elif self._most < number < 1:
            self._most = number
        return True

    def passes(self, value: Decimal | None, stated: Unit | None) -> bool:
        """Whether a value, perhaps with a unit of its own, is plain."""
        if value is None:
            return False
        self._glance.add(value, stated or self.unit)
        if stated is not None or self._share:
            return False
        return (self._low is None or value >= self._low) and (self._high is None or value <= self._high)

    def note_doubt(self, text: str) -> None:
        """Remember that a value of the board may mean two things."""
        self._glance.doubtful = self._glance.doubtful or other_meaning(text) is not None

    def suspicious(self) -> bool:
        """Whether rules that compare the values of the board may find something."""
        for number in (self._least, self._most):
            if 0 < number < inf:
                self._glance.add(Decimal(number), self.unit)
        return self._glance.suspicious


class Glance:
    """What one pass over the scores of a board remembers, to say whether the rules here need to see them all.

    Where `suspicious` is False no rule of this module finds anything.
    """

    __slots__ = ("doubtful", "least", "marked", "most", "units")

    def __init__(self) -> None:
        self.most: Decimal | None = None
        """The largest value in (0, 1]."""
        self.least: Decimal | None = None
        """The smallest value above 1."""
        self.marked = False
        self.doubtful = False
        """Whether a number has a comma or a letter that may mean two things."""
        self.units: set[Unit] = set()

    def add(self, value: Decimal, unit: Unit) -> None:
        """Take one more value of the board into account."""
        self.units.add(unit)
        if value > 1:
            if self.least is None or value < self.least:
                self.least = value
        elif value > 0:
            if self.most is None or value > self.most:
                self.most = value
        elif value == MISSING_MARK:
            self.marked = True

    @property
    def suspicious(self) -> bool:
        """Whether anything may be found."""
        if self.marked or self.doubtful or len(self.units) > 1:
            return True
        if self.least is None:
            return "percent" in self.units
        return "fraction" in self.units or (self.most is not None and self.least >= _NEARLY_GAP * self.most)
