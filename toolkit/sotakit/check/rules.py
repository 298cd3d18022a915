"""All rules across records, and running them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from sotakit.check import (
    alike,
    boards,
    contested,
    events,
    identity,
    metrics,
    names,
    policy,
    provenance,
    references,
    values,
)
from sotakit.check.codes import severity_of
from sotakit.check.findings import Finding
from sotakit.check.problem import Problem
from sotakit.check.tally import Counted
from sotakit.collection import Collection

Rule = Callable[[Collection], Iterator[Problem]]

RULES: Final[Mapping[str, Rule]] = {
    "E204": events.foreign_word,
    "W208": values.unreadable_value,
    "E211": identity.reserved,
    "W212": values.two_numbers,
    "W213": values.inexact_value,
    "E301": references.unknown_task,
    "E302": references.unknown_dataset,
    "E303": references.unknown_metric,
    "E304": references.unknown_method,
    "E305": references.unknown_benchmark,
    "E306": references.unknown_source,
    "E307": references.unknown_metric_key,
    "E308": references.unknown_target,
    "E313": references.task_above_itself,
    "E309": policy.unknown_rule,
    "E310": policy.fixed_rule,
    "E401": identity.same_id,
    "E402": identity.same_claim,
    "W403": identity.probable_duplicate,
    "W404": identity.contested_claim,
    "W405": names.nameless,
    "W406": alike.shared_name,
    "W407": names.dataset_called_like_task,
    "W408": names.invisible_character,
    "W409": alike.one_document_twice,
    "W410": names.label_of_another,
    "W411": names.torn_author,
    "E501": values.out_of_bounds,
    "E502": metrics.foreign_unit,
    "W511": metrics.direction_conflict,
    "W512": metrics.direction_without_citation,
    "W513": boards.mixed_units,
    "W514": boards.unit_slip,
    "W515": values.impossible_share,
    "W516": metrics.hidden_parameter,
    "W517": metrics.vague_metric,
    "N518": values.uncertainty_without_kind,
    "W519": boards.missing_mark,
    "W520": values.value_beside_reason,
    "W521": values.impossible_spread,
    "W522": boards.doubtful_number,
    "W523": values.contradiction,
    "W524": metrics.unit_of_another_kind,
    "N601": provenance.source_without_address,
    "W602": provenance.date_in_future,
    "W603": provenance.result_too_early,
    "W604": provenance.unproven_reproduction,
    "W605": provenance.retracted_source,
    "W609": events.against_the_state,
    "N606": provenance.restricted_licence,
    "N607": provenance.results_without_date,
    "N608": provenance.results_without_locator,
    "W701": contested.contested,
}
"""Every rule by its code."""

_REFERENCES = frozenset(["E301", "E302", "E303", "E305", "E306", "E308", "E309", "E310"])

ENTITY_RULES: Final = _REFERENCES | frozenset(
    [
        *("E204", "E211", "E313", "E401", "W405", "W406", "W407", "W408", "W409", "W411"),
        *("W511", "W512", "W516", "W517", "W524", "W602", "W604", "N606", "W609"),
    ]
)
"""Rules that look at records other than results."""

RESULT_RULES: Final = frozenset(
    [
        *("W208", "W212", "W213", "E304", "E305", "E307", "W405", "W408", "W410"),
        *("E501", "E502", "W515", "W520", "W521", "W523", "W602", "W603"),
    ]
)
"""Rules that look at one result after another, and at nothing that is not known before the first one; those that speak
of other records too are in both sets."""

LATE_RULES: Final = frozenset(["W604"])
"""Rules about single results that must know all sources, which come while results do."""

ACROSS_RULES: Final = frozenset(["E401", "E402", "W403", "W404", "W513", "W514", "W519", "W522", "W701"])
"""Rules that compare results with each other; they need the results concerned together."""

IDENTITY_RULES: Final = frozenset(("E401", "E402"))
"""Those of them that compare results of all benchmarks; the others look at one benchmark at a time."""

EARLY_RULES: Final = frozenset(("E305", "E401"))
"""Rules that may refuse what the rows of results are made with: how configuration keys fold."""

TALLIED_RULES: Final[dict[str, Counted]] = {code: rule for code, rule in RULES.items() if isinstance(rule, Counted)}
"""Rules that count the results of each source: a `Tally` of each takes them in batches."""


def findings(code: str, problems: Iterator[Problem]) -> Iterator[Finding]:
    """What a rule found, with its code and the severity it has by default."""
    for problem in problems:
        yield Finding(
            code=code,
            severity=severity_of(code),
            origin=problem.origin,
            message=problem.message,
            hint=problem.hint,
            record=problem.record,
            loc=problem.loc,
            at_key=problem.at_key,
            found=problem.found,
        )
