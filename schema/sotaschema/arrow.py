"""The compiled tables: explicit Arrow schemas, one per Parquet file, with the meaning of every column.

A column is nullable only where null means something (not recorded, no value). Identifiers of other tables carry the
name of the table in the singular: `results.method` is `methods.id`.
"""

import pyarrow as pa

from sotaschema import SCHEMA_VERSION

_TEXTS = pa.list_(pa.string())


def _column(name: str, kind: pa.DataType, meaning: str, *, null: bool = False) -> pa.Field:
    return pa.field(name, kind, nullable=null, metadata={"description": meaning})


def _text(name: str, meaning: str, *, null: bool = False) -> pa.Field:
    return _column(name, pa.string(), meaning, null=null)


def _maybe(name: str, meaning: str) -> pa.Field:
    return _text(name, meaning, null=True)


_NAMED = [_text("id", "identifier"), _text("name", "name"), _column("aliases", _TEXTS, "other names")]

TABLES: dict[str, pa.Schema] = {
    "results": pa.schema([
        _text("id", "identifier of the result, never reused"),
        _text("source", "document that states it"),
        _text("benchmark", "what was measured"),
        _text("method", "what it was achieved with"),
        _text("method_label", "the method's name as the source prints it"),
        _maybe("variant", "tells rows of one source apart that differ only in values"),
        _text("origin", "reported, imported or regenerated"),
        _text("config", "configuration as recorded, as canonical JSON"),
        _text("group", "configuration with its keys folded, as canonical JSON: equal means like for like"),
        _text("config_extra", "untyped conditions, as canonical JSON"),
        _text("settings", "hyperparameters and machine details, as canonical JSON"),
        _maybe("duplicate_of", "first result that this one probably repeats"),
        _column("stands", pa.bool_(), "false if it or its source is retracted, or it is withdrawn or superseded"),
        _maybe("date", "date as recorded: a year, a month or a day"),
        _column("first_day", pa.date32(), "first day the date can mean", null=True),
        _text("date_kind", "what the date is the date of"),
        _text("locator", "place in the source, as canonical JSON"),
        _maybe("hardware", "hardware as stated"),
        _text("extra_training_data", "none, stated or unknown"),
        _maybe("notes", "notes of the registry"),
        _maybe("evidence", "where the number was stated, after all events"),
        _text("transcription", "whether the copy was checked, after all events"),
        _text("reproduction", "whether anybody ran it again, after all events"),
        _text("status", "standing of the claim, after all events"),
        _text("comparability", "whether the protocol was followed, after all events"),
        _maybe("comparability_note", "how the protocol was left"),
        _maybe("imported_file", "file an importer read it from"),
        _column("imported_row", pa.int64(), "ordinal of the row in that file, from 0", null=True),
    ]),
    "scores": pa.schema([
        _text("result", "result the score belongs to"),
        _text("benchmark", "benchmark of the result"),
        _text("metric_key", "key of the metric inside the benchmark"),
        _maybe("metric", "metric of the knowledge base"),
        _text("text", "the value exactly as printed"),
        _column("value", pa.float64(), "the value; null with a missing_reason", null=True),
        _maybe("decimal", "the value as a decimal with all its digits"),
        _column("decimals", pa.int16(), "digits printed behind the decimal point", null=True),
        _text("unit", "unit of the value"),
        _maybe("unit_recorded", "unit as the source prints it"),
        _text("direction_recorded", "direction as the source records it"),
        _text("direction_cited", "direction of the metric if a source is cited for it, else unknown"),
        _text("qualifier", "exact, approximate or a bound"),
        _maybe("uncertainty_kind", "what the uncertainty means"),
        _column("uncertainty", pa.float64(), "the number after ±", null=True),
        _column("low", pa.float64(), "lower end of the interval", null=True),
        _column("high", pa.float64(), "upper end of the interval", null=True),
        _column("level", pa.float64(), "confidence level of the interval", null=True),
        _maybe("aggregation", "how runs became one value"),
        _column("n_runs", pa.int64(), "number of runs", null=True),
        _column("n_items", pa.int64(), "number of evaluated items", null=True),
        _maybe("missing_reason", "why there is no value"),
        _maybe("note", "note on this value"),
        _column("rank", pa.int32(), "competition rank of the claim by the recorded direction", null=True),
        _column("rank_cited", pa.int32(), "the same by the cited direction; null without a citation", null=True),
        _column("rank_in_group", pa.int32(), "rank by the recorded direction among equal configurations", null=True),
    ]),
    "config": pa.schema([
        _text("result", "result the setting belongs to"),
        _text("key", "key as recorded"),
        _text("value", "value as JSON"),
        _text("folded_key", "canonical key"),
        _text("folded_value", "canonical value as JSON"),
    ]),
    "sources": pa.schema([
        _text("id", "identifier"),
        _text("type", "kind of document"),
        _maybe("title", "title"),
        _column("authors", _TEXTS, "authors in order"),
        _maybe("date", "date as recorded"),
        _maybe("arxiv", "arXiv identifier"),
        _maybe("doi", "DOI"),
        _maybe("openreview", "OpenReview identifier"),
        _maybe("url", "address of the document"),
        _maybe("venue", "venue"),
        _maybe("licence", "terms of the data"),
        _column("retracted", pa.bool_(), "whether it was retracted"),
        _text("recorded_via", "page or archive the numbers came through, as canonical JSON"),
        _text("imported", "importer and file, as canonical JSON"),
        _text("run", "manifest of the run, as canonical JSON"),
        _maybe("notes", "notes of the registry"),
    ]),
    "benchmarks": pa.schema([
        _text("id", "identifier"),
        _text("title", "title"),
        _text("task", "task"),
        _text("dataset", "dataset"),
        _maybe("dataset_label", "dataset with its split as printed"),
        _maybe("split", "split"),
        _maybe("subset", "subset"),
        _maybe("language", "language"),
        _maybe("protocol", "protocol"),
        _maybe("protocol_version", "version of the protocol"),
        _column("unknowns", _TEXTS, "what of the protocol is not known"),
        _column("n_items", pa.int64(), "number of evaluated items", null=True),
        _maybe("description", "description"),
        _maybe("updated_at", "when the data last changed, as recorded"),
        _column("updated", pa.timestamp("us", tz="UTC"), "the same as a time", null=True),
    ]),
    "benchmark_metrics": pa.schema([
        _text("benchmark", "benchmark"),
        _column("position", pa.int32(), "place in the benchmark's list, from 1"),
        _text("key", "key inside the benchmark"),
        _maybe("metric", "metric of the knowledge base"),
        _text("label", "name as printed"),
        _text("direction_recorded", "direction as recorded"),
        _text("direction_cited", "direction of the metric if a source is cited for it, else unknown"),
        _column("direction_conflict", pa.bool_(), "whether the two contradict each other"),
        _maybe("unit_recorded", "unit as printed"),
        _text("unit", "unit"),
        _text("parameters", "parameters of the label, as canonical JSON"),
        _column("added", pa.bool_(), "whether this registry added it for regenerated results"),
        _column("primary", pa.bool_(), "whether the board is sorted by it"),
    ]),
    "tasks": pa.schema([*_NAMED, _column("parents", _TEXTS, "broader tasks"), _maybe("description", "description")]),
    "datasets": pa.schema([
        *_NAMED,
        _maybe("version", "version"),
        _maybe("homepage", "home page"),
        _maybe("licence", "terms of use"),
        _maybe("paper", "source that introduced it"),
        _maybe("croissant", "address of the Croissant description"),
        _maybe("hub", "id on a dataset hub"),
        _maybe("released", "release date as recorded"),
        _maybe("description", "description"),
    ]),
    "metrics": pa.schema([
        *_NAMED,
        _text("direction", "direction as this registry's record says; cited only if direction_source is not empty"),
        _text("direction_source", "citations of the direction, as canonical JSON"),
        _text("unit", "unit"),
        _maybe("min", "smallest possible value"),
        _maybe("max", "largest possible value"),
        _column("share_of_items", pa.bool_(), "whether one run's value is a whole number of items out of all items"),
        _text("parameters", "fixed parameters, as canonical JSON"),
        _maybe("definition", "definition"),
        _text("reference", "citations of the definition, as canonical JSON"),
    ]),
    "methods": pa.schema([
        *_NAMED,
        _text("kind", "kind"),
        _maybe("origin", "source that introduced it"),
        _column("code", _TEXTS, "addresses of code"),
        _maybe("parameters", "number of parameters as stated"),
        _maybe("organisation", "organisation"),
        _maybe("released", "release date as recorded"),
        _maybe("description", "description"),
    ]),
    "events": pa.schema([
        _text("id", "identifier"),
        _text("type", "what happened"),
        _text("target", "result or source it happened to"),
        _text("date", "date as recorded"),
        _text("actor", "who did it"),
        _maybe("field", "trust field it changes"),
        _maybe("before", "value before"),
        _maybe("after", "value after"),
        _maybe("reason", "why"),
        _maybe("evidence", "address of the evidence"),
    ]),
    "redirects": pa.schema([
        _text("old", "id that is no longer used"),
        _text("new", "id that took its place"),
        _text("kind", "kind of record that was renamed"),
    ]),
}  # fmt: skip


def table_schema(name: str, licence: str | None) -> pa.Schema:
    """The schema of one table with the metadata every file carries: format version, table name and licence."""
    metadata = {
        "sotakit.schema": str(SCHEMA_VERSION),
        "sotakit.table": name,
        "sotakit.licence": licence or "not stated",
    }
    return TABLES[name].with_metadata(metadata)
