"""The CSV twin of a benchmark against its JSON: every cell that follows from a result's record must say the same."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sotakit.publish.printed import printed
from sotakit.publish.sheet import cell, value_cell
from sotakit.publish.wording import missing_words, unit_words
from sotakit.settings import settings_json

_RANKS = ("rank", "rank_cited")
_SAME = ("origin", "method_label", "date", "source", "duplicate_of", "transcription")
"""Fields of a result that stand in a column as they are."""


def csv_faults(text: str, document: Mapping[str, Any]) -> Iterator[str]:
    """What the rows of a CSV file say otherwise than the JSON of the benchmark, or do not say."""
    expected = [
        _cells(row, document["metrics"], ranked=kind == "recorded")
        for kind in ("recorded", "regenerated")
        for row in document[kind]
    ]
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    found = {row[0]: row[1:] for row in rows if row}
    for identifier in found.keys() - {name for name, _ in expected}:
        yield f"the row of {identifier!r} is of no result"
    for identifier, cells in expected:
        row = found.get(identifier)
        if row is None:
            yield f"the result {identifier!r} is missing"
            continue
        shown = list(zip(header[1:], row, strict=False))
        for (column, wanted), (name, value) in zip(cells, shown, strict=False):
            if column and (name, value) != (_read(column), _read(wanted)):
                yield f"{value!r} under {name!r} of the result {identifier!r} is {_read(wanted)!r} in the JSON"


def _cells(row: Mapping[str, Any], metrics: Sequence[Any], *, ranked: bool) -> tuple[str, list[tuple[str, str]]]:
    """The id of a result, and column and cell of each thing that the file says of it; no column for what is not known.

    Ranks are those in the primary metric, by which the file is sorted.
    """
    primary = next(metric["key"] for metric in metrics if metric["primary"])
    ranks = row["scores"].get(primary, {}) if ranked else {}
    values = [(cell(f"{metric['label']} ({unit_words(metric)})"), _value(row, metric)) for metric in metrics]
    stated = {name: cell(row[name] or "") for name in _SAME}
    return row["id"], [
        ("origin", stated["origin"]),
        *((name, str(ranks.get(name) or "")) for name in _RANKS),
        ("method", stated["method_label"]),
        *values,
        ("config", cell(settings_json(row["config"]))),
        ("date", stated["date"]),
        ("source", stated["source"]),
        ("", ""),  # the title stands in the JSON of the source
        ("duplicate_of", stated["duplicate_of"]),
        ("rank_in_group", str(ranks.get("rank_in_group") or "")),
        ("group", row["group_letter"] or ""),
        ("stands", str(row["stands"]).lower()),
        ("marks", cell("; ".join(row["marks"]))),
        ("transcription", stated["transcription"]),
    ]


def _value(row: Mapping[str, Any], metric: Mapping[str, Any]) -> str:
    score = row["scores"].get(metric["key"])
    if score is None:
        return ""
    said = printed(score["text"], score["qualifier"], score["unit"], metric["unit"], score["value"])
    return value_cell(said.shown(score["text"], missing_words(score["missing_reason"])), score["text"])


def _read(written: str) -> str:
    """What a program reads of a cell as it is written."""
    return next(iter(next(csv.reader(io.StringIO(written, newline="")), [])), "")
