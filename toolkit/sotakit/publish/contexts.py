"""What templates get: one frozen class for each kind of page, and nothing else beside the site.

All wording of numbers happens before; a template only places what is here. What there are hundreds of thousands of is a
named tuple, which is made much faster than a dataclass.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

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


@dataclass(frozen=True, slots=True)
class Part:
    """Which of the Markdown pages of a page this is. HTML is never split."""

    number: int = 1
    count: int = 1
    before: Address | None = None
    after: Address | None = None


@dataclass(frozen=True, slots=True)
class Site:
    """The collection as every page shows it."""

    title: str
    description: str
    licence: str
    base_url: str | None
    sections: tuple[Link, ...]
    left_out: int
    """Records that were refused and are missing here."""
    format: int
    contact: str = ""
    """Where mistakes are reported: a mail or web address; empty if none is recorded."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a reader must know before using the numbers."""

    kind: str
    title: str
    text: str
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class MetricLine:
    """One metric of a benchmark, as recorded and as cited."""

    key: str
    label: str
    to: Address
    metric: Link | None
    unit: str
    direction_recorded: str
    direction: str
    """The recorded direction in words."""
    arrow: str
    cited: str
    cited_arrow: str
    conflict: bool
    current: bool
    added: bool
    """Whether the registry added it for regenerated results."""
    primary: bool
    """Whether the benchmark's own page is sorted by it."""
    values: int
    """How many results have a value."""


@dataclass(frozen=True, slots=True)
class RunnerUp:
    """The best row of another method."""

    method: str
    value: str
    gap: str
    """How far it is from the best, as a positive number; empty if that cannot be said."""
    settings: str
    """Its settings where they differ from those of the best; else empty."""


@dataclass(frozen=True, slots=True)
class Best:
    """The first row by one direction, for the sentence at the top."""

    direction: str
    """recorded, cited, or empty where they agree."""
    words: str
    value: str
    method: str
    settings: str
    tied: int
    """Other claims of the same rank, probable duplicates not counted."""
    result: str
    """Id of the result."""
    date: str
    source: Link
    runner_up: RunnerUp | None
    """None where the best is tied, alone, or the direction is disputed."""


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

    @property
    def shown(self) -> str:
        """The text, or why there is none."""
        if self.text and self.missing:
            return f"{self.text} ({self.missing.lower()})"
        return self.text or self.missing


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
    marks: tuple[tuple[str, str], ...]
    """What a reader must know of the claim's standing: a word and its meaning."""
    trust: tuple[tuple[str, str], ...]
    """The trust fields in words."""
    badge: str
    number: int
    """Its place in the table of all results."""

    @property
    def rank_in_group(self) -> int | None:
        """The rank among the results of the same configuration."""
        return self.value.rank_in_group if self.value else None


@dataclass(frozen=True, slots=True)
class Picture:
    """An image of the site, with its size in pixels."""

    path: str
    alt: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class RunRow:
    """One regenerated result with all its values."""

    row: ResultRow
    cells: tuple[Value | None, ...]
    """In the order of the table's metrics."""
    reported: str
    """What the sources report for the same method and configuration in the page's metric; empty if nothing."""
    ratio: str
    """Regenerated by reported; empty where there is no such ratio."""


@dataclass(frozen=True, slots=True)
class RunTable:
    """The regenerated results of a benchmark: all metrics at once, beside what was reported."""

    columns: tuple[str, ...]
    """Configuration keys that vary between regenerated rows."""
    metrics: tuple[MetricLine, ...]
    rows: tuple[RunRow, ...]
    pictures: tuple[tuple[Picture, str], ...]
    """Each image once, with its caption."""
    commands: tuple[tuple[Link, str], ...]
    """Each run with the command that regenerates it."""
    verdicts: tuple[tuple[str, str, str], ...]
    """What was compared, the verdict in a word, and what it rests on."""


@dataclass(frozen=True, slots=True)
class Group:
    """Recorded results of one configuration: the only ones that are alike."""

    letter: str
    settings: str
    size: int
    """Results with a rank, probable duplicates counted once."""


@dataclass(frozen=True, slots=True)
class Download:
    """A file of the site with what tells whether it arrived whole."""

    path: str
    size: int
    """In bytes."""
    sha256: str
    text: str
    """The file itself."""


@dataclass(frozen=True, slots=True)
class BenchmarkPage:
    """A benchmark by one of its metrics."""

    address: Address
    title: str
    description: str
    crumbs: tuple[Link, ...]
    id: str
    is_main: bool
    """Whether this is the benchmark's own page rather than a view by another metric."""
    main: Link
    source: External | None
    updated: str
    task: Link
    dataset: Link
    dataset_label: str
    protocol: str
    metric: MetricLine
    metrics: tuple[MetricLine, ...]
    best: tuple[Best, ...]
    no_best: str
    """Why none is named, for pages without one."""
    notices: tuple[Notice, ...]
    columns: tuple[str, ...]
    more_columns: tuple[str, ...]
    """Varying settings beyond the first ones; shown on request."""
    constants: tuple[tuple[str, str], ...]
    groups: tuple[Group, ...]
    """Empty where all rows are alike, or no two."""
    rows: tuple[ResultRow, ...]
    regenerated: tuple[ResultRow, ...]
    runs: RunTable
    distinct: int
    """Recorded results, probable duplicates counted once."""
    papers: int
    total: int
    """Recorded results of all parts."""
    citations: tuple[tuple[str, str], ...] = ()
    """Id and BibTeX entry of every reporting source."""
    table: Download | None = None
    """The table as CSV; its hash names the state of the data."""
    part: Part = Part()

    @property
    def changed(self) -> str | None:
        """The day the data last changed; None if that is not recorded."""
        return self.updated[:10] if self.updated[:1].isdigit() else None

    @property
    def notices_above(self) -> tuple[Notice, ...]:
        """What must be known before the table is read."""
        return tuple([notice for notice in self.notices if notice.kind != "duplicates"])

    @property
    def notices_below(self) -> tuple[Notice, ...]:
        """What is said below the table about some of its rows."""
        return tuple([notice for notice in self.notices if notice.kind == "duplicates"])

    @property
    def alone(self) -> int:
        """How many groups have one result."""
        return sum(group.size < 2 for group in self.groups)

    @property
    def coverage(self) -> str:
        """What of the benchmark this page holds."""
        if not self.is_main:
            return "the table of one metric; every result in full is on the main page"
        if self.regenerated and not self.rows and self.total:
            return f"page {self.part.number} of {self.part.count}: regenerated results only, no recorded ones"
        if self.part.count > 1:
            return f"page {self.part.number} of {self.part.count} of the results recorded here for this benchmark"
        return "all results recorded here for this benchmark"


class Page(Protocol):
    """What every kind of page has."""

    @property
    def address(self) -> Address:
        """Its files."""

    @property
    def title(self) -> str:
        """Its heading."""

    @property
    def description(self) -> str:
        """What it is about; may be empty."""

    @property
    def crumbs(self) -> tuple[Link, ...]:
        """The pages above it."""
