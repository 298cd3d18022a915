"""A result that uses every field, in each form of record file, with marks that tell where something stands.

`MARK` stands directly before the value or key that is meant. `unmarked` takes the marks out of a text and counts the
places where they stood: this is how tests know a line and a column without asking the code that they test.
"""

import csv
import io
import json
from collections.abc import Callable
from typing import Any, NamedTuple

MARK = "⌖"

RESULT: dict[str, Any] = {
    "id": "row-9",
    "benchmark": "sorting-on-numbers",
    "method": "merge",
    "method_label": "Merge sort (ours) ≤ π",
    "variant": "b",
    "config": {"Model": "BNN", "epsilon": 0.25, "k": 3, "augmented": True},
    "config_extra": {"Split": "as printed"},
    "settings": {"learning_rate": 0.001},
    "scores": {
        "accuracy": {
            "text": "93.20",
            "unit": "percent",
            "qualifier": "exact",
            "uncertainty": {"kind": "ci", "low": "92.8", "high": "93.6", "level": 0.95},
            "aggregation": "mean",
            "n_runs": 5,
            "n_items": 1000,
            "note": "mean of five",
        }
    },
    "locator": {"page": 7, "table": "2", "row": "Merge"},
    "date": "2026-02-28",
    "date_kind": "published",
    "hardware": "one core",
    "extra_training_data": "none",
    "notes": "first line\nsecond line",
    "evidence": "author_reported",
    "transcription": "human_checked",
    "reproduction": "not_attempted",
    "status": "active",
    "comparability": "standard",
    "comparability_note": "as the protocol says",
    "imported": {"file": "table.json", "row": 3, "path": "rows.3", "sha256": "0" * 64},
    "visibility": "public",
}
"""A valid result of the source `paper-a` of the tiny registry."""

OTHER: dict[str, Any] = {
    "id": "row-8",
    "benchmark": "sorting-on-numbers",
    "method": "bubble",
    "config": {"Model": "CNN"},
    "scores": {"accuracy": "70.1"},
}
"""A short one that stands before it."""


class Marked(NamedTuple):
    """A value whose place matters."""

    value: Any


class Written(NamedTuple):
    """A value in the letters of each language, for what Python's values do not tell apart."""

    json: str
    yaml: str


def json_text(value: Any, indent: int | None = 1, level: int = 1) -> str:
    """JSON with marks; without line breaks where `indent` is None."""
    if isinstance(value, Marked):
        return MARK + json_text(value.value, indent, level)
    if isinstance(value, Written):
        return value.json
    if not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False)
    gap, comma = ("", ", ") if indent is None else ("\n" + " " * indent * level, ",")
    end = "" if indent is None else "\n" + " " * indent * (level - 1)
    inner = [json_text(part, indent, level + 1) for part in (value.values() if isinstance(value, dict) else value)]
    if isinstance(value, dict):
        inner = [f"{_json_key(key)}: {part}" for key, part in zip(value, inner, strict=True)]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + comma.join(gap + part for part in inner) + end + closing


def yaml_text(value: Any, level: int = 0) -> str:
    """YAML in block style with marks; texts in double quotes unless they are `Written`."""
    if isinstance(value, Marked):
        return _first_marked(yaml_text(value.value, level))
    if isinstance(value, Written):
        return value.yaml
    if not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False)
    pad = " " * level
    if isinstance(value, list):
        return "".join(f"\n{pad}- {yaml_text(part, level + 2).removeprefix(_break(part, level + 2))}" for part in value)
    lines = []
    for key, part in value.items():
        text = yaml_text(part, level + 2)
        name = key if key.removeprefix(MARK).isprintable() else _json_key(key)
        lines.append(f"\n{pad}{name}:{'' if text.startswith(chr(10)) else ' '}{text}")
    return "".join(lines)


def csv_text(rows: list[dict[str, str]]) -> str:
    """CSV of flat rows; all cells in quotes where one needs them."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


FORMS: dict[str, Callable[[list[Any]], str]] = {
    "yaml": lambda rows: yaml_text(rows).removeprefix("\n") + "\n",
    "json": lambda rows: json_text(rows) + "\n",
    "jsonl": lambda rows: "".join(json_text(row, None) + "\n" for row in rows),
}
"""How records become the text of a file, by its ending."""


def unmarked(text: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without its marks, and line and column of each of them."""
    places, line, column, kept = [], 1, 1, []
    for char in text:
        if char == MARK:
            places.append((line, column))
            continue
        kept.append(char)
        line, column = (line + 1, 1) if char == "\n" else (line, column + 1)
    return "".join(kept), places


def _json_key(key: str) -> str:
    return MARK * key.startswith(MARK) + json.dumps(key.removeprefix(MARK), ensure_ascii=False)


def _first_marked(text: str) -> str:
    """The mark before the first sign that is not white space."""
    at = len(text) - len(text.lstrip())
    return text[:at] + MARK + text[at:]


def _break(part: Any, level: int) -> str:
    bare = part.value if isinstance(part, Marked) else part
    return "\n" + " " * level if isinstance(bare, dict | list) and bare else ""
