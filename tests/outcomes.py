"""What tests ask of a validation: the published results, which a run itself does not keep."""

from pathlib import Path

from sotakit.check.load import load
from sotakit.collection import LoadedResult
from sotakit.validate import Outcome


def public_results(outcome: Outcome, data: Path) -> list[LoadedResult]:
    """The results that are published, in order of reading."""
    return [result for result, public in zip(load(data).results, outcome.public, strict=True) if public]


def public_ids(outcome: Outcome, data: Path) -> set[str]:
    """The ids of everything that is published."""
    others = {name for _, name, _ in outcome.collection.everything()}
    return others | {result.id for result in public_results(outcome, data)}
