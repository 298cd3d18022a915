"""What the templates of everything besides benchmarks get: entities, lists of them, and the collection's own pages."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from sotakit.publish.contexts import Notice, Part
from sotakit.publish.printed import PLAIN, Printed
from sotakit.publish.rows import External, Link
from sotakit.publish.urls import Address


class Leader(NamedTuple):
    """The best recorded value of a benchmark by one direction."""

    by: str
    """recorded or cited; empty where the two agree."""
    value: str
    method: str


class BoardLine(NamedTuple):
    """A benchmark in one line of a list."""

    id: str
    board: Link
    task: Link
    dataset: Link
    dataset_label: str
    metric: str
    """Label of the primary metric."""
    arrow: str
    direction: str
    """Its recorded direction in words."""
    disputed: bool
    """Whether the metric's cited definition contradicts it."""
    leaders: tuple[Leader, ...]
    recorded: int
    """Number of recorded results."""
    fallen: int
    """How many of these no longer stand."""
    runs: int
    """Number of regenerated results."""
    updated: str
    """The day the data last changed, as recorded; empty if it is not."""
    newest: str
    """The newest date recorded for one of its results; empty if there is none."""

    @property
    def no_leader(self) -> str:
        """Why no best value is named, where none is."""
        if not self.recorded:
            return "Nothing reported"
        if self.fallen == self.recorded:
            return "Nothing stands any more"
        return "None named" if self.arrow else "No direction recorded"

    @property
    def changed(self) -> str:
        """The recorded day that says best how fresh the data is."""
        return self.updated or self.newest


class MetricUse(NamedTuple):
    """A metric as one benchmark uses it."""

    view: Link
    label: str
    direction: str
    arrow: str
    unit: str
    conflict: bool
    values: int


class Appearance(NamedTuple):
    """One score of a result, on the page of its method or of its source."""

    benchmark: Link
    method: Link
    source: Link
    label: str
    config: dict[str, Any]
    settings: str
    """The configuration in words."""
    date: str
    id: str
    """Id of the result."""
    duplicate: bool
    origin: str
    marks: tuple[str, ...]
    """What a reader must know of the standing of the claim, each in a word."""
    metric: str
    """Label and unit."""
    key: str
    """Key of the metric inside the benchmark."""
    text: str
    """The value as printed; empty if nothing is."""
    missing: str
    """Why there is no value, in words; empty if there is one."""
    rank: str
    printed: Printed = PLAIN
    """What belongs to the text."""


@dataclass(frozen=True, slots=True)
class EntityPage:
    """A task, dataset, metric, method or source, with everything that refers to it."""

    long: ClassVar[str] = "appearances"
    """The field that is split where the page is too long for one Markdown file."""

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
    part: Part = field(default_factory=Part)

    @property
    def tables(self) -> tuple[tuple[str, tuple[Appearance, ...]], ...]:
        """The results in two tables that never mix: what sources report, and what runs of this project computed."""
        recorded = tuple(row for row in self.appearances if row.origin != "regenerated")
        regenerated = tuple(row for row in self.appearances if row.origin == "regenerated")
        return tuple(item for item in (("Recorded results", recorded), ("Regenerated results", regenerated)) if item[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardsPage(EntityPage):
    """A task or a dataset with its benchmarks; of a task also the narrower ones with what they hold."""

    long: ClassVar[str] = "boards"

    boards: tuple[BoardLine, ...]
    narrower: tuple[tuple[Link, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricPage(EntityPage):
    """A metric with the benchmarks that use it."""

    long: ClassVar[str] = "uses"

    uses: tuple[MetricUse, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePage(EntityPage):
    """A paper or another source with all it states."""

    bibtex: str


@dataclass(frozen=True, slots=True)
class ListingPage:
    """All pages of one kind."""

    long: ClassVar[str] = "entries"

    address: Address
    title: str
    description: str
    crumbs: tuple[Link, ...]
    entries: tuple[tuple[Link, str], ...]
    part: Part = field(default_factory=Part)


class TaskNode(NamedTuple):
    """A task in the tree of the first page, with its narrower ones."""

    task: Link
    note: str
    """What it holds; empty where the task is shown in full at another place of the tree."""
    narrower: tuple["TaskNode", ...]


@dataclass(frozen=True, slots=True)
class HomePage:
    """The first page."""

    address: Address
    title: str
    description: str
    crumbs: tuple[Link, ...]
    counts: tuple[tuple[str, int, Link], ...]
    recent: tuple[BoardLine, ...]
    """The benchmarks whose data changed last, by recorded dates alone."""
    dated: bool
    """Whether those dates are recorded; else the benchmarks are the largest ones."""
    tasks: tuple[TaskNode, ...]
    more_tasks: int
    """Tasks that are only in the list of tasks."""


class Correction(NamedTuple):
    """An event: something that happened to a record after it was written."""

    id: str
    date: str
    what: str
    subject: str
    """The result or the source in words."""
    page: Link
    result: str
    """Id of the result; empty for a source."""
    change: str
    actor: str
    reason: str
    evidence: External | None
    raw: dict[str, Any]


@dataclass(frozen=True, slots=True)
class CorrectionsPage:
    """What changed after it was recorded, newest first."""

    long: ClassVar[str] = "entries"

    address: Address
    title: str
    description: str
    crumbs: tuple[Link, ...]
    entries: tuple[Correction, ...]
    part: Part = field(default_factory=Part)


class TableFile(NamedTuple):
    """One Parquet table as a file."""

    name: str
    meaning: str
    rows: int
    size: int
    """In bytes."""
    sha256: str


@dataclass(frozen=True, slots=True)
class AboutPage:
    """The collection as data: terms, counts, files, formats, how to cite it."""

    address: Address
    title: str
    description: str
    crumbs: tuple[Link, ...]
    licence: str
    contact: str
    content: str
    """SHA-256 of all rows of all tables: names this state of the data."""
    counts: tuple[tuple[str, int], ...]
    tables: tuple[TableFile, ...]
    schemas: tuple[str, ...]
    formats: tuple[tuple[str, str], ...]
    citation: str
    bibtex: str


@dataclass(frozen=True, slots=True)
class MovedPage:
    """What stands at an address that is no longer used: where the page went."""

    address: Address
    title: str
    description: str
    crumbs: tuple[Link, ...]
    to: Link


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """The page for an address that is not there; its links start at the root of the host."""

    address: Address
    title: str
    description: str
    crumbs: tuple[Link, ...]
