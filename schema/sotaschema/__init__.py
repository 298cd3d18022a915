"""The contract of a results registry: what a record is, how it is named, what its values mean.

Everything else builds on this package and it builds on nothing of ours: `vocabulary` (the closed word lists),
`values` (printed text to decimal), `identity` (ids, slugs, canonical configurations), `entities` and `results`
(the records), `arrow` (the compiled tables), `jsonschema` (the same contract for other languages).
"""

SCHEMA_FILES = tuple(
    f"{kind}.schema.json"
    for kind in (
        *("benchmark", "configkey", "dataset", "event", "method", "metric", "redirect", "registry", "result"),
        *("source", "task"),
    )
)
"""The names of the files that describe the kinds of record as JSON Schema."""

SCHEMA_VERSION = 1
"""Version of the record format; carried by `registry.yaml`, the Parquet metadata and every published form."""
