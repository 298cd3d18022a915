"""`toolkit validate`: read, check, compile."""

from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from sotakit.accepted import accepted, is_public, published
from sotakit.check.finding_store import Findings
from sotakit.check.index import Mask, ResultIndex
from sotakit.check.load import open_folder, read_again
from sotakit.check.review import Review
from sotakit.collection import Collection, LoadedResult
from sotakit.cycles import without_cycles
from sotakit.images import find_images
from sotakit.trust import by_target, effective, retracted_sources, stated_by
from sotakit.unchanged import Watch

if TYPE_CHECKING:
    from sotakit.result_tables import Late

BATCH = 128
"""Results that are held at a time while a folder is read."""


@dataclass(frozen=True)
class Outcome:
    """What a validation found. `records` = `accepted` + `rejected`; `hidden` of the accepted are not published."""

    collection: Collection
    """The published records other than results."""
    index: ResultIndex
    public: Mask
    """Which results of the index are published."""
    findings: Findings
    files: int
    records: int
    rejected: int
    hidden: int
    tables: Path | None = None

    @property
    def accepted(self) -> int:
        """Records that go on."""
        return self.records - self.rejected

    def count(self, severity: str) -> int:
        """How many findings have a severity."""
        return self.findings.severities[severity]

    def exit_code(self, *, strict: bool) -> int:
        """1 with an error, or with a warning when strict; else 0."""
        return int(self.count("error") > 0 or (strict and self.count("warning") > 0))

    def accounting(self) -> dict[str, int]:
        """The counts that are published beside the tables."""
        counts = {name: getattr(self, name) for name in ("files", "records", "accepted", "rejected", "hidden")}
        return {**counts, "errors": self.count("error"), "warnings": self.count("warning")}


def examine(data: Path, as_of: str) -> Outcome:
    """Read and check every record below a folder; writes nothing."""
    collection, results = open_folder(data, as_of)
    review = Review(collection)
    with without_cycles():
        while batch := list(islice(results, BATCH)):
            review.see(batch, _hidden(batch, as_of))
    return _outcome(data, collection, review)


def validate(data: Path, build: Path, as_of: str, *, allow_errors: bool = False) -> Outcome:
    """Examine a folder and, unless there are errors, compile its records to `build/parquet`."""
    from sotakit.compile import Generation, write_tables  # noqa: PLC0415 - Arrow is loaded only to compile
    from sotakit.result_tables import ResultTables  # noqa: PLC0415
    from sotakit.tables import entity_tables  # noqa: PLC0415

    watch = Watch(data, as_of, allow_errors=allow_errors)
    collection, results = open_folder(data, as_of)
    review = Review(collection)
    with ResultTables(build, collection.known, review.folding) as rows:
        with without_cycles():
            while batch := list(islice(results, BATCH)):
                review.see(batch, _hidden(batch, as_of))
                rows.add(batch)
        outcome = _outcome(data, collection, review)
        if outcome.count("error") and not allow_errors:
            return outcome
        public = outcome.collection
        tables = {**entity_tables(public), **rows.tables(outcome.public, _late(data, outcome, review))}
        images = tuple(find_images(data, (source.id for source, _ in public.sources)))
        generation = Generation(tables, public.registry, outcome.accounting(), images, watch.fingerprint)
        return replace(outcome, tables=write_tables(generation, build))


def _late(data: Path, outcome: Outcome, review: Review) -> "Late":
    """What rows of results can take only when everything was read."""
    from sotakit.result_tables import Late  # noqa: PLC0415
    from sotakit.tables import cited_directions  # noqa: PLC0415

    events = by_target(event for event, _ in outcome.collection.events)
    watched = [ordinal for name in events for ordinal in outcome.index.watched.get(name, ()) if outcome.public[ordinal]]
    places = {origin: ordinal for ordinal, origin in outcome.index.origins(watched)}
    changed = read_again(data, places)
    return Late(
        repeats=review.repeats,
        trust={places[row.origin]: effective(row.record, events[row.id]) for row in changed},
        retracted=stated_by(retracted_sources(outcome.collection), outcome.index),
        cited=cited_directions(outcome.collection),
    )


def _outcome(data: Path, collection: Collection, review: Review) -> Outcome:
    with without_cycles():
        findings = review.findings(data)
    kept, standing = accepted(collection, review.index)
    public, mask = published(kept, review.index, standing)
    rejected = collection.counted - kept.size - int(standing.sum())
    hidden = len(kept.sources) - len(public.sources) + int(standing.sum() - mask.sum())
    counts = collection.files, collection.counted, rejected, hidden
    return Outcome(public, review.index, mask, findings, *counts)


def _hidden(results: list[LoadedResult], as_of: str) -> list[bool]:
    return [not is_public(result.record, as_of) for result in results]
