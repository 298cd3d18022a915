"""All rules across records, and running them."""

from collections.abc import Callable, Iterator
from typing import Final

from sotakit.check import events, identity, metrics, references
from sotakit.check.codes import severity_of
from sotakit.check.findings import Finding
from sotakit.check.problem import Problem
from sotakit.collection import Collection

RULES: Final[dict[str, Callable[[Collection], Iterator[Problem]]]] = {
    "E204": events.foreign_word,
    "W208": metrics.unreadable_value,
    "E211": identity.reserved,
    "E301": references.unknown_task,
    "E302": references.unknown_dataset,
    "E303": references.unknown_metric,
    "E304": references.unknown_method,
    "E305": references.unknown_benchmark,
    "E306": references.unknown_source,
    "E307": references.unknown_metric_key,
    "E308": references.unknown_target,
    "E401": identity.same_id,
    "E402": identity.same_claim,
    "W403": identity.probable_duplicate,
    "W404": identity.contested_claim,
    "E501": metrics.out_of_bounds,
    "E502": metrics.foreign_unit,
    "W511": metrics.direction_conflict,
    "W512": metrics.direction_without_citation,
    "W513": metrics.mixed_units,
}


def check(collection: Collection) -> Iterator[Finding]:
    """Everything that is wrong between the records of a collection."""
    for code, rule in RULES.items():
        for problem in rule(collection):
            yield Finding(
                code=code,
                severity=severity_of(code),
                origin=problem.origin,
                message=problem.message,
                hint=problem.hint,
                record=problem.record,
                loc=problem.loc,
                at_key=problem.at_key,
            )
