"""What pages are made of by the hundred thousand: links, values and results.

They are named tuples, which are made much faster than dataclasses.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sotakit.publish.printed import PLAIN, Printed
from sotakit.publish.result_facts import Facts
from sotakit.publish.urls import Address
from sotakit.settings import Settings


class Link(NamedTuple):
    """A link to a page of the site, with a longer title where the text is short."""

    text: str
    to: Address
    title: str = ""
    anchor: str = ""


class External(NamedTuple):
    """A link that leaves the site."""

    text: str
    url: str


class Value(NamedTuple):
    """One score of a result as printed."""

    key: str
    label: str
    unit: str
    text: str
    """Exactly as recorded; empty if nothing is printed."""
    missing: str
    """Why there is no value, in words; empty if there is one."""
    number: float | None
    """In the unit of the metric wherever a factor leads there, as `decimal` and `ends` are."""
    decimal: str | None
    """The number in all its digits."""
    decimals: int | None
    rank: int | None
    rank_cited: int | None
    rank_in_group: int | None
    low: float | None
    high: float | None
    ends: tuple[float, float] | None
    """What its recorded uncertainty says for ranks; None without a number."""
    interval: str
    """The interval alone; empty without one."""
    detail: str
    """Uncertainty, runs and items in words; empty if none is recorded."""
    printed: Printed = PLAIN
    """What belongs to the text."""

    @property
    def shown(self) -> str:
        """The text with what belongs to it, or why there is none."""
        return self.printed.shown(self.text, self.missing)


class Rerun(NamedTuple):
    """What a run of this project got where a source reports a value."""

    value: Value
    result: str
    """Id of the regenerated result."""

    @property
    def shown(self) -> str:
        """The value with its interval."""
        return f"{self.value.shown} ({self.value.interval})" if self.value.interval else self.value.shown


class ResultRow(NamedTuple):
    """One result.

    What depends on the metric of a table comes first, then what depends on the benchmark, then the result alone.
    """

    value: Value | None
    """The score in the metric of this page."""
    bar: int
    """Length of the bar behind the value, in per cent: 0 for the worst value of the table, 100 for the best."""
    gap: str
    """Difference to the best value, signed; empty where there is none or the direction is disputed."""
    rank_range: str
    """Ranks the value may have by the recorded intervals; empty where that is one rank."""
    group: str
    """Letter of the like-for-like group; empty where the page has none."""
    values: tuple[Value, ...]
    """All scores, in the order of the benchmark's metrics."""
    columns: tuple[str, ...]
    """Values of the varying settings, in the order of the page's `columns`."""
    more: tuple[str, ...]
    """The same for the page's `more_columns`."""
    id: str
    method_id: str
    method: Link
    origin_paper: Link | None
    """The paper that introduced the method."""
    label: str
    """The method's name as its source prints it."""
    day: str | None
    """The date as recorded: a day, a month or a year."""
    date: str
    """The date in words."""
    source_id: str
    source: Link
    year: str
    """Year of the source; empty if not recorded."""
    source_type: str
    command: str
    """What regenerates it; empty for results that no run of this project computed."""
    config: Settings
    folded: Settings
    """The configuration by which results are alike."""
    settings: str
    """The configuration in one phrase; empty if there is none."""
    run_settings: Mapping[str, Any]
    """What a run was set to besides; empty for what is not compared."""
    duplicate_of: str | None
    origin: str
    locator: str
    reproduction: str
    transcription: str
    stands: bool
    """Whether neither the claim nor its source was retracted, withdrawn or superseded."""
    marks: tuple[tuple[str, str], ...]
    """What a reader must know of the claim's standing: a word and its meaning."""
    trust: tuple[tuple[str, str], ...]
    """The trust fields in words."""
    badge: str
    facts: Facts
    """What else is stated of it, by label."""
    number: int
    """Its place in the table of all results."""
    reruns: tuple[Rerun, ...] = ()
    """For its values, what the newest run got for the same method and configuration."""

    @property
    def claim(self) -> str:
        """What is equal for results that state one claim."""
        return self.duplicate_of or self.id

    @property
    def rerun(self) -> Rerun | None:
        """The rerun of the value of this page."""
        return next((rerun for rerun in self.reruns if self.value and rerun.value.key == self.value.key), None)

    @property
    def rank_in_group(self) -> int | None:
        """The rank among the results of the same configuration."""
        return self.value.rank_in_group if self.value else None
