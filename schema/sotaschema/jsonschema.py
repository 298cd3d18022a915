"""JSON Schema of every kind of record, generated from the models: the contract for other languages and editors."""

import json
from typing import Final

from pydantic.json_schema import GenerateJsonSchema

from sotaschema.base import Record
from sotaschema.entities import Benchmark, ConfigKey, Dataset, Method, Metric, Redirect, Registry, Task
from sotaschema.results import Event, Result, Source

KINDS: Final[dict[str, type[Record]]] = {
    "registry": Registry,
    "tasks": Task,
    "datasets": Dataset,
    "metrics": Metric,
    "methods": Method,
    "benchmarks": Benchmark,
    "config_keys": ConfigKey,
    "sources": Source,
    "results": Result,
    "events": Event,
    "redirects": Redirect,
}
"""Kinds of record by the name of their folder or file."""


FILES: Final[dict[str, type[Record]]] = {f"{model.__name__.lower()}.schema.json": model for model in KINDS.values()}
"""Kinds of record by the name of the file that describes them."""


def schema_files() -> dict[str, str]:
    """File name to JSON text, for each kind of record."""
    return {name: _schema_text(model) for name, model in FILES.items()}


def _schema_text(model: type[Record]) -> str:
    schema = {"$schema": GenerateJsonSchema.schema_dialect, **model.model_json_schema()}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
