"""Checking a collection while its results stream by: batch by batch, then among each other, then everything else.

A batch is checked against what is known before the first result: tasks, datasets, metrics, methods, benchmarks, events.
Sources come while results do, so whatever depends on them waits for the last result, and so does what compares results.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from sotakit.check import policy
from sotakit.check.finding_store import Findings
from sotakit.check.findings import Origin
from sotakit.check.glance import FirstGlance
from sotakit.check.identity import duplicates
from sotakit.check.index import SUSPECTS_AT_ONCE, ResultIndex
from sotakit.check.load import read_again
from sotakit.check.ordinary import Ordinary
from sotakit.check.problem import Problem
from sotakit.check.provenance import REPRODUCED
from sotakit.check.references import waiting
from sotakit.check.rules import (
    ACROSS_RULES,
    EARLY_RULES,
    ENTITY_RULES,
    IDENTITY_RULES,
    LATE_RULES,
    RESULT_RULES,
    RULES,
    TALLIED_RULES,
)
from sotakit.check.rules import findings as found_by
from sotakit.check.tally import Sorts
from sotakit.collection import Collection, LoadedResult, Scored
from sotakit.folding import Folding
from sotakit.read.places import place

REFUSED_AT_ONCE = 20_000
"""How many places of refused records are held before the index marks them."""


class Review:
    """The findings of a collection, and the index of its results."""

    def __init__(self, collection: Collection) -> None:
        """Takes a collection that has everything but sources and results."""
        self._collection = collection
        self._policy = policy.Policy.of(collection)
        self._tallies = {code: rule.tally() for code, rule in TALLIED_RULES.items()}
        refused = self._refuse_early()
        collection.kinds["config_keys"] = [
            loaded for loaded in collection.of("config_keys") if loaded.origin not in refused
        ]
        self.folding = Folding(collection.config_keys)
        self.index = ResultIndex(self.folding, collection.watched)
        self._glance, self._ordinary = FirstGlance(collection.known), Ordinary(collection)
        self._sorts = Sorts(collection.known)
        self._reproduced: list[int] = []
        """Ordinals of the results that are said to be reproduced."""
        self.repeats: list[list[tuple[str, int]]] = []
        """Groups of results (id and ordinal) that probably repeat one another, each in order of id."""

    def _refuse_early(self) -> set[Origin]:
        """What must be refused before the first result: it decides how configurations fold."""
        found = [finding for code in EARLY_RULES for finding in found_by(code, RULES[code](self._collection))]
        self._collection.findings.extend(found)
        return {finding.origin for finding in found if finding.severity == "error"}

    def see(self, results: list[LoadedResult], hidden: Iterable[bool]) -> None:
        """Check the next results and index them."""
        collection, first = self._collection, len(self.index)
        self.index.add(results, hidden)
        collection.note_results(result.id for result in results)
        scored = self._glance.remarkable(results)
        odd = self._batch(self._ordinary.others(results), scored)
        if odd.results or scored:
            self._add(RESULT_RULES - {"E307"}, odd)  # the glance has met every key already
        if self._glance.strangers:
            self._add({"E307"}, collection.batch(self._glance.strangers))
        self._sorts.add(results)
        self._reproduced += [at for at, row in enumerate(results, first) if row.record.reproduction in REPRODUCED]
        if scored:
            self._count(self._batch([], scored))

    def _batch(self, results: list[LoadedResult], scored: list[Scored]) -> Collection:
        """Some results, and those scores that the rules about scores must look at."""
        batch = self._collection.batch(results)
        batch.scored = scored
        return batch

    def _count(self, collection: Collection) -> None:
        for tally in self._tallies.values():
            tally.add(collection)

    def findings(self, data: Path) -> Findings:
        """Everything that was found, after the last result, with its places; errors have refused their records."""
        collection, index = self._collection, self.index
        for start in range(0, len(self._reproduced), SUSPECTS_AT_ONCE):
            claims = dict(index.origins(self._reproduced[start : start + SUSPECTS_AT_ONCE]))
            self._add(LATE_RULES, collection.batch(read_again(data, claims.values())))
        for suspects in index.suspects(self._glance.suspicious()):
            self._compare(data, dict(index.origins(suspects.tolist())))
        for suspects in index.same_id():
            doubled = dict(index.origins(suspects.tolist()))
            self._add(IDENTITY_RULES, collection.batch(read_again(data, doubled.values())))
        collection.sorts = self._sorts
        self._add(ENTITY_RULES - EARLY_RULES, collection)
        self._add({"E401"}, Collection(kinds={"sources": collection.of("sources")}))
        self._count(collection)
        for code, tally in self._tallies.items():
            collection.findings.extend(found_by(code, tally.problems()))
        return self._settled(data)

    def _compare(self, data: Path, origins: dict[int, Origin]) -> None:
        """Rules that compare results, over some that may belong together."""
        batch = self._collection.batch(read_again(data, origins.values()))
        self._add(ACROSS_RULES - IDENTITY_RULES, batch)
        ordinals = {origin: ordinal for ordinal, origin in origins.items()}
        of_id = {result.id: ordinals[result.origin] for result in reversed(batch.results)}
        self.repeats += [[(name, of_id[name]) for name in group] for group in duplicates(batch)]

    def _add(self, codes: Iterable[str], collection: Collection) -> None:
        for code in sorted(codes):
            self._collection.findings.extend(found_by(code, RULES[code](collection)))

    def _settled(self, data: Path) -> Findings:
        """All findings with their places and the severities of the collection; errors refuse their records."""
        collection, kept = self._collection, Findings()
        refused: set[Origin] = set()
        for finding in place(self._policy.applied(collection.findings), data):
            kept.append(finding)
            if finding.severity == "error":
                refused.add(finding.origin)
            if len(refused) >= REFUSED_AT_ONCE:
                self._refuse(refused)
        self._refuse(refused | collection.refused)
        kept.extend(place(Findings([*self._policy.stale(), *found_by("E312", self._waiting())]), data))
        return kept

    def _refuse(self, origins: set[Origin]) -> None:
        """Refuse what stands at some places: the index marks results, other records are remembered."""
        self._collection.refused |= origins - self.index.refuse(origins)
        origins.clear()

    def _waiting(self) -> Iterator[Problem]:
        """E312: results that stand apart from a source that was refused, one problem for each source."""
        collection = self._collection
        standing = {source.id for source, origin in collection.sources if origin not in collection.refused}
        refused = collection.ids.get("sources", set()) - standing
        for name, count, origin in self.index.waiting(refused):
            message = f"the source {name!r} was refused{waiting(count)}"
            yield Problem(origin, name, message, "mend the source", ("source",), found=name)
