"""Counting rules: one finding for a whole document instead of one for each of its results.

A tally is fed the results in any number of batches and speaks at the end. It remembers a few numbers for each subject
(a document, or a document and a metric), never the results.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sotakit.check.findings import Origin, Step
from sotakit.check.problem import Problem
from sotakit.collection import Collection, Known, LoadedResult
from sotakit.trust import effective

Subject = tuple[str, ...]
"""What is counted for: a document, or a document and a metric. The document comes first."""


class Sort(NamedTuple):
    """All that counting rules look at in a result."""

    source: str
    document: str
    dated: bool
    placed: bool
    """Whether it says where in its source it stands; the file of an importer is its own place."""
    active: bool


class Sorts:
    """How many results there are of each sort, and where the first one of it stands.

    Results are counted once for all rules, since there are many results and few sorts.
    """

    def __init__(self, known: Known) -> None:
        self._events = known.events
        self._counts: dict[tuple[str, str, bool, bool, bool], int] = {}
        self._first: dict[tuple[str, str, bool, bool, bool], Origin] = {}

    def add(self, results: Iterable[LoadedResult]) -> "Sorts":
        """Count more results."""
        counts, events = self._counts, self._events
        for result in results:
            record, source = result.record, result.source
            imported = record.imported
            status: str | None = record.status
            if happened := events.get(result.id):
                status = effective(record, happened)["status"]
            document = imported.file if imported else source
            placed = imported is not None or record.locator is not None
            sort = (source, document, record.date is not None, placed, status == "active")
            if sort in counts:
                counts[sort] += 1
            else:
                counts[sort] = 1
                self._first[sort] = result.origin
        return self

    def __iter__(self) -> Iterator[tuple[Sort, int, Origin]]:
        """Every sort with the number of its results and the place of the first one, in order of appearance."""
        return ((Sort(*sort), count, self._first[sort]) for sort, count in self._counts.items())


def sorts_of(collection: Collection) -> Iterable[tuple[Sort, int, Origin]]:
    """The sorts of a collection's results: those that were counted while they streamed by, else counted now."""
    return collection.sorts if collection.sorts is not None else Sorts(collection.known).add(collection.results)


def document(result: LoadedResult) -> str:
    """What a curator would mend as a whole: the file that an importer read, else the source."""
    return result.record.imported.file if result.record.imported else result.source


def nowhere(_document: str, _known: Known) -> bool:
    """No document is exempt."""
    return False


Seen = tuple[Subject, bool, int, Origin, tuple[Step, ...]]
"""Some results, or one score: what they count for, whether they have what the rule looks for, how many they are, the
place of the first one and the place inside."""


class Words(NamedTuple):
    """What a tally says: `{count}` of `{total}`; `{name}` is the last part of the subject."""

    message: str
    hint: str


Exempt = Callable[[str, Known], bool]
"""Whether a rule does not hold for a document."""


@dataclass
class _Count:
    faulty: int = 0
    total: int = 0
    first: tuple[Origin, tuple[Step, ...]] | None = None


class Tally:
    """One counting rule at work."""

    def __init__(self, rule: "Counted") -> None:
        self._rule = rule
        self._counts: dict[Subject, _Count] = {}
        self._known: Known | None = None

    def add(self, collection: Collection) -> None:
        """Count the results of a collection or of a batch of it."""
        self._known = collection.known
        counts = self._counts
        for subject, faulty, number, origin, loc in self._rule.look(collection):
            count = counts.get(subject) or counts.setdefault(subject, _Count())
            count.total += number
            if faulty:
                count.faulty += number
                count.first = count.first or (origin, loc)

    def problems(self) -> Iterator[Problem]:
        """One problem for each subject with enough faults, at its first faulty place; the record named is the document.

        To be asked after the last batch, when all sources are known.
        """
        for subject, count in self._counts.items():
            if not count.first or not self._known or count.faulty < self._rule.least:
                continue
            if not self._rule.exempt(subject[0], self._known):
                numbers = {"count": f"{count.faulty:,}", "total": f"{count.total:,}", "name": subject[-1]}
                message, hint = (text.format(**numbers) for text in self._rule.words)
                origin, loc = count.first
                yield Problem(origin, subject[0], message, hint, loc)


def of_sorts(judge: Callable[[Sort], tuple[str, bool]]) -> Callable[[Collection], Iterator[Seen]]:
    """What a rule counts that says of each sort of results which document it counts for and whether it is faulty."""

    def look(collection: Collection) -> Iterator[Seen]:
        for sort, number, origin in sorts_of(collection):
            subject, faulty = judge(sort)
            yield (subject,), faulty, number, origin, ()

    return look


@dataclass(frozen=True)
class Counted:
    """A counting rule. Called, it judges a whole collection; `tally()` is for one that arrives in batches."""

    look: Callable[[Collection], Iterator[Seen]]
    """What it counts in a collection: scores of `scored`, or sorts of results."""
    words: Words
    exempt: Exempt = nowhere
    least: int = 1
    """How many faults of a subject are worth a finding."""

    def tally(self) -> Tally:
        """An empty tally of this rule."""
        return Tally(self)

    def __call__(self, collection: Collection) -> Iterator[Problem]:
        """All problems of a collection that holds all results."""
        tally = self.tally()
        tally.add(collection)
        yield from tally.problems()
