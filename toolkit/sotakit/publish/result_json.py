"""Results as JSON, written column by column: every distinct value of a column is encoded once."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from json.encoder import encode_basestring as quoted
from typing import Any

from pydantic_core import to_json

from sotakit.columns import Column, Numbers
from sotakit.publish.patterns import filled
from sotakit.results import ResultStore

_FIELDS = (
    "id", "source", "benchmark", "method", "method_label", "variant", "origin", "config", "group", "config_extra",
    "settings", "duplicate_of", "stands", "date", "date_kind", "locator", "hardware", "extra_training_data", "notes",
    "evidence", "transcription", "reproduction", "status", "comparability", "comparability_note",
)  # fmt: skip


def result_texts(store: ResultStore, numbers: Numbers, more: Sequence[str]) -> Iterator[str]:
    """Some results, each with what else is known of it, and with its scores by the key of their metric.

    `more` has further fields of each result, as JSON that begins with a comma.
    """
    found, counts = store.scores_of(numbers)
    result, columns = _object(store.results.columns, _FIELDS, numbers)
    score, cells = _object(store.scores.columns, store.score_names, found)
    cells = [store.scores.columns["metric_key"].cells(found, encoded), *cells]
    if set(counts) == {1}:
        return filled(f'{{{result}%s,"scores":{{%s:{{{score}}}}}}}', *columns, more, *cells)
    scores = filled(f"%s:{{{score}}}", *cells)
    held = [",".join(islice(scores, count)) for count in counts]
    return filled(f'{{{result}%s,"scores":{{%s}}}}', *columns, more, held)


def encoded(value: Any) -> str:
    """A value as JSON without spaces."""
    return quoted(value) if isinstance(value, str) else to_json(value).decode()


def _object(columns: Mapping[str, Column], names: Sequence[str], numbers: Numbers) -> tuple[str, list[Iterator[str]]]:
    """The inside of an object as a pattern, with the columns to fill it; what is the same in all rows stands there."""
    fields, varying = [], []
    for name in names:
        column, text = columns[name], "%s"
        first = next(column.cells(numbers[:1], encoded), text)
        if text not in first and column.constant(numbers):
            text = first
        else:
            varying.append(column.cells(numbers, encoded))
        fields.append(f'"{name}":{text}')
    return ",".join(fields), varying
