"""A record as read from a published page, and writing such records."""

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from sotakit.errors import OutputError, UsageError
from sotakit.terminal import safe
from sotaschema.identity import digest, slug, unique_slugs

FORMATS = ("table", "jsonl", "yaml", "parquet")


@dataclass(frozen=True, slots=True)
class PageRecord:
    """One result as a page states it; names, units and directions as printed there."""

    id: str
    benchmark: str
    title: str
    task: str
    dataset: str
    method: str
    scores: dict[str, dict[str, Any]]
    """By the label of the metric: text, value, unit and direction as recorded."""
    config: dict[str, Any]
    date: str | None
    reporting_paper: str | None
    method_origin_paper: str | None
    origin: str
    source_type: str
    reproduction: str
    page: str


def checksum(records: Iterable[PageRecord]) -> str:
    """What our pages end with: a hash of the results as stated, apart from where the page lies.

    Parsed values are left out: they follow from the texts.
    """
    stated = []
    for record in records:
        fields = {name: value for name, value in asdict(record).items() if name not in ("benchmark", "page")}
        for score in fields["scores"].values():
            del score["value"]
        stated.append(fields)
    return digest(stated)


def write_records(records: list[PageRecord], form: str, out: Path | None) -> None:
    """Write records to a file or to standard output; Parquet needs a file."""
    if form == "parquet":
        if out is None:
            raise UsageError("--format parquet needs --out FILE")
        _write(out, lambda: _frame(records).to_parquet(out, index=False))
        return
    text = {"jsonl": _jsonl, "yaml": _yaml, "table": _table}[form](records)
    if out is None:
        sys.stdout.write(text)
    else:
        _write(out, lambda: out.write_text(text, encoding="utf-8"))


def _write(out: Path, action: Any) -> None:
    try:
        action()
    except OSError as error:
        raise OutputError(f"{out}: cannot be written: {error.strerror or error}") from error


def _jsonl(records: Iterable[PageRecord]) -> str:
    return "".join(json.dumps(asdict(record), ensure_ascii=False) + "\n" for record in records)


def _yaml(records: list[PageRecord]) -> str:
    """Sources with their results, as they stand in `data/sources.yaml`."""
    sources: dict[str, dict[str, Any]] = {}
    keys = unique_slugs({label for record in records for label in record.scores})
    methods = unique_slugs({record.method for record in records})
    for record in records:
        name = record.reporting_paper or slug(record.title)
        source = sources.setdefault(name, {"id": name, "type": record.source_type, "results": []})
        row = {
            "id": record.id,
            "benchmark": record.benchmark,
            "method": methods[record.method],
            "method_label": record.method,
            "config": record.config,
            "scores": {keys[label]: score["text"] for label, score in record.scores.items()},
        }
        source["results"].append(row | ({"date": record.date} if record.date else {}))
    return str(yaml.safe_dump(list(sources.values()), sort_keys=False, allow_unicode=True))


def _table(records: list[PageRecord]) -> str:
    header = ["result", "method", "scores", "config", "benchmark"]
    rows = [
        [
            record.id,
            record.method,
            ", ".join(f"{label} {score['text']}" for label, score in record.scores.items()),
            ", ".join(f"{key}: {value}" for key, value in record.config.items()),
            record.benchmark,
        ]
        for record in records
    ]
    cells = [[safe(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells)
    return "\n".join(lines) + "\n"


def _frame(records: list[PageRecord]) -> Any:
    """One row for each score."""
    import pandas as pd  # noqa: PLC0415 - slow to load, needed here only

    rows = [
        {
            **{name: value for name, value in asdict(record).items() if name not in ("scores", "config")},
            "config": json.dumps(record.config, ensure_ascii=False, sort_keys=True),
            "metric": label,
            **score,
        }
        for record in records
        for label, score in record.scores.items()
    ]
    return pd.DataFrame(rows)
