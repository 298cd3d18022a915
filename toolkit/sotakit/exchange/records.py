"""A record as read from a published page, and writing such records."""

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import yaml

from sotakit.errors import OutputError, UsageError
from sotakit.terminal import safe
from sotaschema.identity import digest, slug, unique_slugs

_OUTSIDE_CHECKSUM = ("benchmark", "page", "more")

_STEERING = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")

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
    """By the label of the metric: text, value, unit and direction as recorded.

    Where they are stated also qualifier, uncertainty, aggregation, n_runs, n_items, missing_reason and note, as in the
    records.
    """
    config: dict[str, Any]
    date: str | None
    reporting_paper: str | None
    method_origin_paper: str | None
    origin: str
    source_type: str
    reproduction: str
    page: str
    more: dict[str, Any] = field(default_factory=dict)
    """What the page states besides, in its words: where the number stands, what it repeats, settings, a command."""


def checksum(records: Iterable[PageRecord]) -> str:
    """What our pages end with: a hash of the results as stated, apart from where the page lies.

    Of scores it takes the texts, from which the values follow, with unit and direction.
    """
    stated = []
    for record in records:
        fields = {name: value for name, value in asdict(record).items() if name not in _OUTSIDE_CHECKSUM}
        fields["scores"] = {
            label: {name: score[name] for name in ("text", "unit", "direction")}
            for label, score in record.scores.items()
        }
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
    if out is None and form == "table":
        sys.stdout.write(text)
    elif out is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())  # UTF-8 as in a file, whatever a terminal shows
        sys.stdout.buffer.flush()
    else:
        _write(out, lambda: out.write_text(text, encoding="utf-8"))


def _write(out: Path, action: Any) -> None:
    try:
        action()
    except OSError as error:
        raise OutputError(f"{out}: cannot be written: {error.strerror or error}") from error


def _jsonl(records: Iterable[PageRecord]) -> str:
    return "".join(_escaped(json.dumps(_fields(record), ensure_ascii=False)) + "\n" for record in records)


def _escaped(written: str) -> str:
    """JSON, or YAML with its text in double quotes, with escapes for what could steer a terminal."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", written)


def _fields(record: PageRecord) -> dict[str, Any]:
    """The fields of a record; `more` only where there is more."""
    return {name: value for name, value in asdict(record).items() if value or name != "more"}


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
            "scores": {keys[label]: _score(score) for label, score in record.scores.items()},
            "date": record.date,
            "settings": record.more.get("settings"),
            "notes": _notes(record),
        }
        needed = ("config", "scores")
        source["results"].append({name: value for name, value in row.items() if value or name in needed})
    written = yaml.dump(list(sources.values()), Dumper=_Quoting, sort_keys=False, allow_unicode=True, width=10_000)
    return _escaped(str(written))


def _score(score: dict[str, Any]) -> Any:
    """The text alone where that is all that is stated."""
    besides = {name: value for name, value in score.items() if name not in ("value", "unit", "direction")}
    return score["text"] if len(besides) == 1 else besides


def _notes(record: PageRecord) -> str:
    """What no field holds, in words."""
    besides = {name: value for name, value in record.more.items() if name != "settings"}
    if record.reproduction != "not_attempted":  # which events may state, and no result of a file
        besides["reproduction"] = record.reproduction
    return "; ".join(f"{name}: {value}" for name, value in besides.items())


class _Quoting(yaml.SafeDumper):
    """Writes text between quotes wherever a reader of YAML could take it for anything else, and no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        """Our reader takes none."""
        return True


def _quoted(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*(?:[ -][A-Za-z0-9_]+)*", text) and text.casefold() not in _WORDS
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if plain else '"')


_Quoting.add_representer(str, _quoted)
_WORDS = ("true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf")
"""Words that some version of YAML does not read as text."""


def _table(records: list[PageRecord]) -> str:
    header = ["result", "method", "scores", "config", "benchmark"]
    rows = [
        [
            record.id,
            record.method,
            ", ".join(f"{label} {_shown(score)}" for label, score in record.scores.items()),
            ", ".join(f"{key}: {value}" for key, value in record.config.items()),
            record.benchmark,
        ]
        for record in records
    ]
    cells = [[safe(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells)
    return "\n".join(lines) + "\n"


def _shown(score: dict[str, Any]) -> str:
    """The text of a score, and why it gives no value where the page says so."""
    reason = score.get("missing_reason", "").replace("_", " ")
    return f"{score['text']} ({reason})".lstrip() if reason else str(score["text"])


def _frame(records: list[PageRecord]) -> Any:
    """One row for each score."""
    import pandas as pd  # noqa: PLC0415 - slow to load, needed here only

    rows = [
        {
            **{name: value for name, value in asdict(record).items() if name not in ("scores", "config", "more")},
            "config": json.dumps(record.config, ensure_ascii=False, sort_keys=True),
            "more": json.dumps(record.more, ensure_ascii=False, sort_keys=True),
            "metric": label,
            **_flat(score),
        }
        for record in records
        for label, score in record.scores.items()
    ]
    return pd.DataFrame(rows)


def _flat(score: dict[str, Any]) -> dict[str, Any]:
    """A score as cells of a table: a column holds values of one type, so all numbers are floats here."""
    uncertainty = score.get("uncertainty", {})
    return {
        **{name: value for name, value in score.items() if name not in ("value", "uncertainty")},
        "value": None if score["value"] is None else float(score["value"]),
        "uncertainty_kind": uncertainty.get("kind"),
        "uncertainty": None if "value" not in uncertainty else float(uncertainty["value"]),
        "low": None if "low" not in uncertainty else float(uncertainty["low"]),
        "high": None if "high" not in uncertainty else float(uncertainty["high"]),
        "level": uncertainty.get("level"),
    }
