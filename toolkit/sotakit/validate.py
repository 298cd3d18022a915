"""`toolkit validate`: read, check, compile."""

from dataclasses import dataclass
from pathlib import Path

from sotakit.accepted import accepted, published
from sotakit.check.findings import Finding
from sotakit.check.load import load
from sotakit.check.rules import check
from sotakit.collection import Collection
from sotakit.images import find_images
from sotakit.read.reader import place


@dataclass(frozen=True)
class Outcome:
    """What a validation found. `records` = `accepted` + `rejected`; `hidden` of the accepted are not published."""

    collection: Collection
    findings: list[Finding]
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
        return sum(finding.severity == severity for finding in self.findings)

    def exit_code(self, *, strict: bool) -> int:
        """1 with an error, or with a warning when strict; else 0."""
        return int(self.count("error") > 0 or (strict and self.count("warning") > 0))


def examine(data: Path, as_of: str) -> Outcome:
    """Read and check every record below a folder; writes nothing."""
    collection = load(data)
    findings = [*collection.findings, *check(collection)]
    collection.refused.update(finding.origin for finding in findings if finding.severity == "error")
    kept = accepted(collection)
    public, hidden = published(kept, as_of)
    rejected = collection.counted - kept.size
    return Outcome(public, place(findings, data), collection.files, collection.counted, rejected, hidden)


def validate(data: Path, build: Path, as_of: str, *, allow_errors: bool = False) -> Outcome:
    """Examine a folder and, unless there are errors, compile its records to `build/parquet`."""
    outcome = examine(data, as_of)
    if outcome.count("error") and not allow_errors:
        return outcome
    from sotakit.compile import Generation, write_tables  # noqa: PLC0415 - Arrow is loaded only when something is compiled
    from sotakit.tables import build_tables  # noqa: PLC0415

    accounting = {
        "files": outcome.files,
        "records": outcome.records,
        "accepted": outcome.accepted,
        "rejected": outcome.rejected,
        "hidden": outcome.hidden,
        "errors": outcome.count("error"),
        "warnings": outcome.count("warning"),
    }
    public = outcome.collection
    images = tuple(find_images(data, (source.id for source, _ in public.sources)))
    tables = write_tables(Generation(build_tables(public), public.registry, accounting, images), build)
    return Outcome(**{**outcome.__dict__, "tables": tables})
