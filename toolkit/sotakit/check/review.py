"""Checking a collection while its results stream by: batch by batch, then among each other, then everything else."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from sotakit.check import policy
from sotakit.check.findings import Finding, Origin
from sotakit.check.glance import FirstGlance
from sotakit.check.identity import duplicates
from sotakit.check.index import ResultIndex
from sotakit.check.load import read_again
from sotakit.check.ordinary import Ordinary
from sotakit.check.rules import (
    ACROSS_RULES,
    EARLY_RULES,
    ENTITY_RULES,
    IDENTITY_RULES,
    RESULT_RULES,
    RULES,
    TALLIED_RULES,
)
from sotakit.check.rules import findings as found_by
from sotakit.check.tally import Sorts
from sotakit.collection import Collection, LoadedResult, Scored
from sotakit.folding import Folding

HINTED_IDS = 10_000
"""How many ids of results are kept to say "did you mean"."""


class Review:
    """The findings of a collection, and the index of its results."""

    def __init__(self, collection: Collection) -> None:
        """Takes a collection that has everything but sources and results."""
        self._collection = collection
        self._policy = policy.Policy.of(collection)
        self._found: list[Finding] = []
        self._tallies = {code: rule.tally() for code, rule in TALLIED_RULES.items()}
        self._add(EARLY_RULES, collection)
        refused = _refused(self._found)
        collection.kinds["config_keys"] = [
            loaded for loaded in collection.of("config_keys") if loaded.origin not in refused
        ]
        self.folding = Folding(collection.config_keys)
        targets = {event.target for event, _ in collection.events}
        watched = targets | {redirect.new for redirect, _ in collection.redirects if redirect.kind == "results"}
        self.index = ResultIndex(self.folding, watched)
        self._glance, self._ordinary = FirstGlance(collection.known), Ordinary(collection)
        self._sorts = Sorts(collection.known)
        self.repeats: list[list[tuple[str, int]]] = []
        """Groups of results (id and ordinal) that probably repeat one another, each in order of id."""

    def see(self, results: list[LoadedResult], hidden: Iterable[bool]) -> None:
        """Check the next results and index them."""
        collection, index = self._collection, self.index
        ids = collection.ids.setdefault("results", set())
        index.add(results, hidden)
        if len(ids) < HINTED_IDS:
            ids.update(result.id for result in results)
        if index.watched:
            ids.update(result.id for result in results if result.id in index.watched)
        scored = self._glance.remarkable(results)
        odd = self._batch(self._ordinary.others(results), scored)
        if odd.results or scored:
            self._add(RESULT_RULES - {"E307"}, odd)  # the glance has met every key already
        if self._glance.strangers:
            self._add({"E307"}, collection.batch(self._glance.strangers))
        self._sorts.add(results)
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

    def findings(self, data: Path) -> list[Finding]:
        """Everything that was found, after the last result; errors have refused their records."""
        collection, index = self._collection, self.index
        for suspects in index.suspects(self._glance.suspicious()):
            self._compare(data, dict(index.origins(suspects.tolist())))
        doubled = dict(index.origins(index.same_id().tolist()))
        self._add(IDENTITY_RULES, collection.batch(read_again(data, doubled.values())))
        self._add(ENTITY_RULES - EARLY_RULES, collection)
        self._add({"E401"}, Collection(kinds={"sources": collection.of("sources")}))
        whole = collection.batch([])
        whole.sorts = self._sorts
        self._count(whole)
        for code, tally in self._tallies.items():
            self._keep(found_by(code, tally.problems()))
        found = [*self._policy.applied(collection.findings), *self._found, *self._policy.stale()]
        collection.refused |= _refused(found)
        index.refuse(collection.refused)
        return found

    def _compare(self, data: Path, origins: dict[int, Origin]) -> None:
        """Rules that compare results, over some that may belong together."""
        batch = self._collection.batch(read_again(data, origins.values()))
        self._add(ACROSS_RULES - IDENTITY_RULES, batch)
        ordinals = {origin: ordinal for ordinal, origin in origins.items()}
        of_id = {result.id: ordinals[result.origin] for result in reversed(batch.results)}
        self.repeats += [[(name, of_id[name]) for name in group] for group in duplicates(batch)]

    def _add(self, codes: Iterable[str], collection: Collection) -> None:
        for code in sorted(codes):
            self._keep(found_by(code, RULES[code](collection)))

    def _keep(self, findings: Iterator[Finding]) -> None:
        self._found += self._policy.applied(findings)


def _refused(findings: Iterable[Finding]) -> set[Origin]:
    return {finding.origin for finding in findings if finding.severity == "error"}
