"""Counting rules: one finding for a whole document instead of one for each of its results.

A tally is fed the results in any number of batches and speaks at the end. It remembers a few numbers for each subject
(a document, or a document and a metric), never the results.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sotakit.check.findings import Origin, Step
from sotakit.check.problem import Problem
from sotakit.collection import Collection, Known, LoadedResult

Subject = tuple[str, ...]
"""What is counted for: a document, or a document and a metric. The document comes first."""


def document(result: LoadedResult) -> str:
    """What a curator would mend as a whole: the file that an importer read, else the source."""
    return result.record.imported.file if result.record.imported else result.source


def nowhere(_document: str, _known: Known) -> bool:
    """No document is exempt."""
    return False


Seen = tuple[Subject, bool, LoadedResult, tuple[Step, ...]]
"""One result, or one score of it: what it counts for, whether it has what the rule looks for, and the place inside.

A plain tuple, since there is one for each result and rule.
"""


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
        for subject, faulty, result, loc in self._rule.look(collection):
            count = counts.get(subject) or counts.setdefault(subject, _Count())
            count.total += 1
            if faulty:
                count.faulty += 1
                count.first = count.first or (result.origin, loc)

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


@dataclass(frozen=True)
class Counted:
    """A counting rule. Called, it judges a whole collection; `tally()` is for one that arrives in batches."""

    look: Callable[[Collection], Iterator[Seen]]
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
