"""Input for general validators: the results as a CSV file and as one JSON array, with schemas from our JSON Schema.

python -m benchmarks.children.peer_inputs FILE.jsonl OUT ROWS ITEMS
"""

import csv
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from sotaschema.results import Result

_COLUMNS = (
    "id", "source", "benchmark", "method", "method_label", "config", "scores", "locator", "date", "date_kind",
    "extra_training_data", "notes", "evidence", "transcription",
)  # fmt: skip


def json_schema() -> dict[str, Any]:
    """The schema of a list of results."""
    schema = Result.model_json_schema()
    definitions = schema.pop("$defs")
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, "$defs": definitions, "type": "array", "items": schema}


def table_schema() -> dict[str, Any]:
    """The nearest Table Schema (frictionless) of the 14 columns."""
    schema = Result.model_json_schema()
    required = set(schema["required"])
    return {"fields": [_field(name, schema["properties"][name], name in required) for name in _COLUMNS]}


def _field(name: str, described: dict[str, Any], required: bool) -> dict[str, Any]:
    parts = [described, *described.get("anyOf", [])]
    pattern = next((part["pattern"] for part in parts if "pattern" in part), None)
    words = next((part["enum"] for part in parts if "enum" in part), None)
    kind = "object" if name in ("config", "scores", "locator") else "string"
    limits = {"required": required, "pattern": pattern, "enum": words, "unique": name == "id"}
    return {"name": name, "type": kind, "constraints": {key: value for key, value in limits.items() if value}}


def main(path: str, out: str, rows: int, items: int) -> None:
    """Write both inputs and both schemas."""
    folder = Path(out)
    with (folder / "results.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(_COLUMNS)
        writer.writerows([_cell(record[name]) for name in _COLUMNS] for record in _records(path, rows))
    (folder / "results.json").write_text(json.dumps(list(_records(path, items))), encoding="utf-8")
    (folder / "table.schema.json").write_text(json.dumps(table_schema()), encoding="utf-8")
    (folder / "array.schema.json").write_text(json.dumps(json_schema()), encoding="utf-8")


def _records(path: str, count: int) -> Iterator[dict[str, Any]]:
    with Path(path).open(encoding="utf-8") as lines:
        yield from map(json.loads, islice(lines, count))


def _cell(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, dict) else value


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
