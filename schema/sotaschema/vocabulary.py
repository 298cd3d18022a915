"""The closed word lists of the schema. A word means one thing everywhere: in records, tables and pages."""

from typing import Literal

Direction = Literal["higher", "lower", "target", "none", "unknown"]
"""Which values are better. `none`: a descriptive figure; `unknown`: not recorded, so never ranked."""

Unit = Literal[
    "fraction",
    "percent",
    "points",
    "ratio",
    "count",
    "seconds",
    "milliseconds",
    "bits",
    "nats",
    "bytes",
    "flops",
    "watts",
    "joules",
    "per_second",
    "usd",
    "elo",
    "unitless",
    "other",
    "unknown",
]
"""Unit of a value. What a source prints instead ("SCALAR") stays beside it as `unit_recorded`."""

Qualifier = Literal["exact", "approximate", "less_than", "greater_than", "at_most", "at_least"]
"""How the printed number stands to the value: "~88" is approximate, "<0.01" is less_than."""

UncertaintyKind = Literal["sd", "se", "ci", "iqr", "min_max", "unknown"]
"""What a "±" or an interval means. Only `ci` and `se` say anything about ranks; a bare "±" is `unknown`."""

Aggregation = Literal["single_run", "mean", "median", "best", "last", "micro", "macro", "ensemble", "pooled"]
"""How several runs or parts became one number."""

MissingReason = Literal["not_reported", "not_run", "failed", "not_applicable", "redacted", "unreadable"]
"""Why there is no value. `unreadable`: the text is kept, but it is not one number."""

MethodKind = Literal["method", "model", "system", "human", "baseline"]

SourceType = Literal[
    "paper",
    "preprint",
    "report",
    "model_card",
    "blog",
    "leaderboard_snapshot",
    "dataset_card",
    "submission",
    "run",
    "dump",
]
"""What kind of document states the numbers. `run` is an evaluation of ours, `dump` an archive without documents."""

DateKind = Literal["measured", "published", "submitted", "retrieved", "unknown"]

ExtraTrainingData = Literal["none", "stated", "unknown"]

Evidence = Literal[
    "aggregator_copy",
    "vendor_claim",
    "author_reported",
    "third_party_reported",
    "official_leaderboard",
    "run_log_attached",
    "predictions_attached",
]
"""Where the number was stated, from weak to strong."""

Transcription = Literal["unchecked", "machine_extracted", "human_checked", "double_checked", "source_native"]
"""Whether the copy was compared with its source. `source_native`: read from the author's own machine file."""

Reproduction = Literal["not_attempted", "not_possible", "incomplete", "inconsistent", "partial", "consistent"]
"""Whether anybody ran it again. Raised by events only; importers never set it."""

Status = Literal["active", "disputed", "under_review", "corrected", "superseded", "withdrawn", "retracted"]

FALLEN: tuple[Status, ...] = ("superseded", "withdrawn", "retracted")
"""The standings of claims that nobody should build on any more: they have no rank."""

Comparability = Literal["standard", "deviates", "unknown"]
"""Whether the benchmark's protocol was followed."""

TrustField = Literal["evidence", "transcription", "reproduction", "status", "comparability"]

EventType = Literal["checked", "reproduced", "disputed", "corrected", "superseded", "retracted", "merged", "renamed"]

Visibility = Literal["public", "private"]

Origin = Literal["reported", "imported", "regenerated"]
"""How a result came here: typed in from its source, read by an importer, or computed by a run."""

RuleSeverity = Literal["error", "warning", "note", "silent"]
"""What a collection may make of the findings of a rule."""
