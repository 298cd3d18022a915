"""What templates get: one frozen dataclass for each kind of page, and nothing else beside the site.

All wording of numbers happens before; a template only places what is here.
"""

from dataclasses import dataclass
from typing import Any

from sotakit.publish.urls import Address


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a page of the site, with a longer title where the text is short."""

    text: str
    to: Address
    title: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class External:
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
    conflict: bool
    current: bool
    values: int
    """How many results have a value."""


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


@dataclass(frozen=True, slots=True)
class Value:
    """One score of a result as printed."""

    key: str
    label: str
    text: str
    """Exactly as recorded; empty if nothing is printed."""
    missing: str
    """Why there is no value, in words; empty if there is one."""
    number: float | None
    unit: str
    rank: int | None
    rank_cited: int | None
    detail: str
    """Uncertainty, runs and items in words; empty if none is recorded."""

    @property
    def shown(self) -> str:
        """The text, or why there is none."""
        if self.text and self.missing:
            return f"{self.text} ({self.missing.lower()})"
        return self.text or self.missing


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One result."""

    id: str
    method: Link
    label: str
    """The method's name as its source prints it."""
    value: Value | None
    """The score in the metric of this page."""
    values: tuple[Value, ...]
    """All scores, in the order of the benchmark's metrics."""
    bar: int
    """Length of the bar behind the value, in per cent of the largest."""
    date: str
    source: Link
    source_type: str
    origin_paper: Link | None
    config: dict[str, Any]
    columns: tuple[str, ...]
    """Values of the varying settings, in the order of the page's `columns`."""
    duplicate_of: str | None
    origin: str
    locator: str
    trust: tuple[tuple[str, str], ...]
    """The trust fields in words."""
    badge: str
    raw: dict[str, Any]
    """The compiled row."""


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
    constants: tuple[tuple[str, str], ...]
    rows: tuple[ResultRow, ...]
    regenerated: tuple[ResultRow, ...]
    distinct: int
    """Recorded results, probable duplicates counted once."""
    papers: int
    total: int
    """Recorded results of all parts."""
    part: Part = Part()

    @property
    def changed(self) -> str | None:
        """The day the data last changed; None if that is not recorded."""
        return self.updated[:10] if self.updated[:1].isdigit() else None

    @property
    def coverage(self) -> str:
        """What of the benchmark this page holds."""
        if not self.is_main:
            return "the table of one metric; every result in full is on the main page"
        if self.part.count > 1:
            return f"page {self.part.number} of {self.part.count} of the results recorded here for this benchmark"
        return "all results recorded here for this benchmark"


@dataclass(frozen=True, slots=True)
class Appearance:
    """One result on the page of a method or a source."""

    benchmark: Link
    method: Link
    source: Link
    label: str
    metric: str
    value: Value
    rank: str
    config: dict[str, Any]
    id: str
    """Id of the result."""
    duplicate: bool
    origin: str


@dataclass(frozen=True, slots=True)
class EntityPage:
    """A task, dataset, metric, method or source, with everything that refers to it."""

    address: Address
    title: str
    description: str
    crumbs: tuple[Link, ...]
    kind: str
    id: str
    facts: tuple[tuple[str, tuple[str | Link | External, ...]], ...]
    """Label and parts of each recorded fact."""
    notices: tuple[Notice, ...]
    citations: tuple[tuple[Link, str], ...]
    appearances: tuple[Appearance, ...]
    related: tuple[tuple[str, tuple[Link, ...]], ...]
    """Lists of other pages, each with its title."""
    raw: dict[str, Any]
    part: Part = Part()


@dataclass(frozen=True, slots=True)
class ListingPage:
    """All pages of one kind."""

    address: Address
    title: str
    description: str
    crumbs: tuple[Link, ...]
    entries: tuple[tuple[Link, str], ...]
    part: Part = Part()


@dataclass(frozen=True, slots=True)
class HomePage:
    """The first page."""

    address: Address
    title: str
    description: str
    crumbs: tuple[Link, ...]
    counts: tuple[tuple[str, int, Link], ...]
    tasks: tuple[tuple[Link, tuple[tuple[Link, str], ...]], ...]
    """Each task with its benchmarks and a line about each."""
    tables: tuple[tuple[str, int], ...]
    """File name and number of rows of each Parquet table."""


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """The page for an address that is not there; its links start at the root of the host."""

    address: Address
    title: str
    description: str
    crumbs: tuple[Link, ...]


Page = BenchmarkPage | EntityPage | ListingPage | HomePage | ErrorPage
