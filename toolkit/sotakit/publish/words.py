"""The English of the pages, in one place: words for vocabulary terms and the sentences that several pages share."""

from typing import Final

from sotaschema.vocabulary import Qualifier

NOT_RECORDED: Final = "Not recorded"

DIRECTION: Final = {
    "higher": "Higher is better",
    "lower": "Lower is better",
    "target": "Closer to a target is better",
    "none": "No value is better than another",
    "unknown": NOT_RECORDED,
}

ARROW: Final = {"higher": "↑", "lower": "↓", "target": "→", "none": "", "unknown": ""}

ORIGIN: Final = {
    "reported": "reported by its source",
    "imported": "read by an importer from its source",
    "regenerated": "computed by a run of this project",
}

EVIDENCE: Final = {
    "aggregator_copy": "copied from an aggregator",
    "vendor_claim": "vendor claim",
    "author_reported": "reported by the authors",
    "third_party_reported": "reported by a third party",
    "official_leaderboard": "official leaderboard",
    "run_log_attached": "run log attached",
    "predictions_attached": "predictions attached",
}

NO_EVIDENCE: Final = "no evidence is recorded"

BADGE: Final = {
    "aggregator_copy": "aggregator",
    "vendor_claim": "vendor",
    "author_reported": "authors",
    "third_party_reported": "third party",
    "official_leaderboard": "official board",
    "run_log_attached": "run log",
    "predictions_attached": "predictions",
}

TRANSCRIPTION: Final = {
    "unchecked": "not checked against the source",
    "machine_extracted": "copied by machine, not checked by a person",
    "human_checked": "checked by a person",
    "double_checked": "checked by two persons",
    "source_native": "read from the author's own file",
}

REPRODUCTION: Final = {
    "not_attempted": "no attempt is recorded in the source's record",
    "not_possible": "recorded as not possible to run again",
    "incomplete": "an attempt to run it again is incomplete",
    "inconsistent": "a second run disagrees",
    "partial": "a second run agrees in part",
    "consistent": "a second run agrees within its stated tolerance",
}

REPRODUCTION_BEFORE: Final = {"not_attempted": "nobody is recorded to have run it again"}
"""What pages said before."""

STATUS: Final = {
    "active": "active",
    "disputed": "disputed",
    "under_review": "under review",
    "corrected": "corrected",
    "superseded": "superseded",
    "withdrawn": "withdrawn",
    "retracted": "retracted",
}

STATUS_MEANING: Final = "the standing of this claim, after all that was reported about it"
RETRACTED_SOURCE: Final = ("retracted source", "the document that states it was retracted")
FALLEN_MARKS: Final = frozenset({"superseded", "withdrawn", "retracted", RETRACTED_SOURCE[0]})
"""Marks of results that no longer stand."""

CONTESTED: Final = ("contested", "its source states several values for the same method and settings")

RUN_AGAIN: Final = {
    "inconsistent": "run again: disagrees",
    "partial": "run again: agrees in part",
    "consistent": "run again: agrees",
}

COMPARABILITY: Final = {
    "standard": "follows the benchmark's protocol",
    "deviates": "leaves the benchmark's protocol",
    "unknown": "whether it follows a protocol is not known",
}

SHARE_OF_ITEMS: Final = "one run's value is a whole number of items out of all items"

DATE_KIND: Final = {
    "measured": "when it was measured",
    "published": "when it was published",
    "submitted": "when it was submitted",
    "retrieved": "when it was retrieved",
}
"""What the date of a result is the date of, where that is known."""

EXTRA_TRAINING_DATA: Final = {
    "none": "none: trained on the benchmark's own data only",
    "stated": "stated: trained on data beyond the benchmark's own",
}

MISSING: Final = {
    "not_reported": NOT_RECORDED,
    "not_run": "Not run",
    "failed": "Failed",
    "not_applicable": "Not applicable",
    "redacted": "Redacted",
    "unreadable": "Not one number",
}

QUALIFIER: Final[dict[Qualifier, str]] = {
    "exact": "exact",
    "approximate": "approximate",
    "less_than": "less than",
    "greater_than": "greater than",
    "at_most": "at most",
    "at_least": "at least",
}

STATED_AS: Final = "stated as "
BOUND: Final = "a bound, not ranked"
ONLY_BOUNDS: Final = "every value is only a bound"
NO_VALUE: Final = "no value is recorded for this metric"
NONE_STANDS: Final = "no result with a value still stands"
FALLEN: Final = (
    "They or their source were retracted, withdrawn or superseded. They are shown and marked, but have no rank and are "
    "never the best."
)
BY_RECORD: Final = "as this registry's record of the metric says,"
NO_CITATION: Final = "no published source is cited for it"
NO_DIRECTION: Final = "no direction is recorded for this metric"
NO_ORDER: Final = "the recorded direction does not order the values"
UNORDERED: Final = "No direction is recorded, so rows keep the order of their source and have no rank."
NOT_ONE_UNIT: Final = "the values are not in one unit"

KIND_TITLES: Final = {
    "sota": "Benchmarks",
    "task": "Tasks",
    "dataset": "Datasets",
    "metric": "Metrics",
    "method": "Methods",
    "paper": "Papers and other sources",
}

LIKE_FOR_LIKE: Final = (
    "Every number here belongs to one dataset, split, metric and configuration. Compare only rows whose settings "
    "agree, keep unit and direction with the number, and keep reported results apart from results that somebody ran "
    "again. The best row is the best one recorded here; it says nothing about results that are not recorded."
)

SETTINGS_NOTE: Final = (
    "Rows may come from different settings. Whether two of them can be compared follows from their sources and from "
    "the configurations below, not from the name of the metric."
)

GROUP_NOTE: Final = "Rows of one group letter have the same settings; the number behind it is the rank among them."

READING_NOTE: Final = (
    "Values stand exactly as their sources print them, with the unit and the direction that the source records. Where "
    "a metric's cited definition contradicts the recorded direction, the page says so and gives both ranks. Reported "
    "results and results regenerated by runs are kept in separate tables. What is not known is marked as not recorded."
)

SENTENCES: Final = {
    "like_for_like": LIKE_FOR_LIKE,
    "settings_note": SETTINGS_NOTE,
    "group_note": GROUP_NOTE,
    "reading_note": READING_NOTE,
}
"""What templates print by name."""
