"""Writes the pages of the docs that are made from the code: the rules, the records and the compiled tables."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa

from sotakit.check.codes import docs_page
from sotaschema.arrow import TABLES
from sotaschema.base import Record
from sotaschema.entities import BenchmarkMetric, Citation, ConfigPair, RuleSetting
from sotaschema.jsonschema import KINDS
from sotaschema.results import Import, ImportedRow, Locator, RecordedVia, Score, Uncertainty

PARTS = (
    RuleSetting,
    Score,
    Uncertainty,
    Locator,
    RecordedVia,
    BenchmarkMetric,
    Citation,
    ConfigPair,
    Import,
    ImportedRow,
)


def pages() -> dict[str, str]:
    """File name and text of every page."""
    return {"rules.md": docs_page(), "records.md": records_page(), "tables.md": tables_page()}


def records_page() -> str:
    """Every field of every kind of record."""
    where = {model: f"`{kind}.yaml` or `{kind}/`" for kind, model in KINDS.items()}
    sections = [_model_section(model, where.get(model, "inside other records")) for model in (*KINDS.values(), *PARTS)]
    head = "# Records\n\nMade by `make docs`; do not edit. A field without a default is required.\n"
    return "\n".join([head, *sections])


def tables_page() -> str:
    """Every column of every compiled table."""
    parts = ["# Compiled tables\n\nMade by `make docs`; do not edit. Files of `build/parquet/`, sorted by id.\n"]
    for name, schema in TABLES.items():
        rows = "\n".join(
            f"| `{column.name}` | {column.type} | {_null(column)} | {_meaning(column)} |" for column in schema
        )
        parts.append(f"## {name}.parquet\n\n| column | type | null | meaning |\n| --- | --- | --- | --- |\n{rows}\n")
    return "\n".join(parts)


def _model_section(model: type[Record], where: str) -> str:
    schema = model.model_json_schema()
    schema = schema.get("anyOf", [schema])[0]  # a score may be written in a short form too
    required = schema.get("required", [])
    rows = "\n".join(
        f"| `{name}` | {_cell(_type(field))} | {_default(field, required=name in required)} "
        f"| {_cell(field.get('description', ''))} |"
        for name, field in schema["properties"].items()
    )
    title = f"## {model.__name__}\n\n{_cell(model.__doc__ or '')} In {where}.\n"
    return f"{title}\n| field | type | default | meaning |\n| --- | --- | --- | --- |\n{rows}\n"


def _type(field: dict[str, Any]) -> str:
    """The type of a field in words, from its JSON Schema."""
    if "$ref" in field:
        return str(field["$ref"].rsplit("/", 1)[-1])
    if "enum" in field:
        return ", ".join(f"`{word}`" for word in field["enum"])
    if "anyOf" in field:
        return " or ".join(_type(choice) for choice in field["anyOf"] if choice.get("type") != "null")
    if field.get("type") == "array":
        return f"list of {_type(field['items'])}"
    if field.get("type") == "object":
        inner = field.get("additionalProperties") or next(iter(field["patternProperties"].values()))
        return f"map to {_type(inner)}"
    words = {"string": "text", "integer": "whole number", "boolean": "true or false"}
    return " or ".join(words.get(kind, kind) for kind in _listed(field["type"]))


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else [kind for kind in value if kind != "null"]


def _default(field: dict[str, Any], *, required: bool) -> str:
    default = field.get("default")
    return "required" if required else "" if default is None else f"`{json.dumps(default)}`"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _null(column: pa.Field) -> str:
    return "yes" if column.nullable else ""


def _meaning(column: pa.Field) -> str:
    return str(column.metadata[b"description"].decode())


if __name__ == "__main__":
    folder = Path(__file__).parent
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
