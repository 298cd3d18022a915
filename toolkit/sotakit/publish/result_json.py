"""Results as JSON, written column by column: every distinct value of a column is encoded once."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, repeat
from typing import Any

from pydantic_core import to_json

from sotakit.columns import Column, Numbers
from sotakit.results import ResultStore

_FIELDS = (
    "id", "source", "benchmark", "method", "method_label", "variant", "origin", "config", "group", "config_extra",
    "settings", "duplicate_of", "date", "date_kind", "locator", "hardware", "extra_training_data", "notes", "evidence",
    "transcription", "reproduction", "status", "comparability", "comparability_note",
)  # fmt: skip


def result_texts(store: ResultStore, numbers: Numbers) -> Iterator[str]:
    """Some results, each with its scores by the key of their metric."""
    found, counts = store.scores_of(numbers)
    keys = store.scores.columns["metric_key"].cells(found, encoded)
    scores = map(":".join, zip(keys, _objects(store.scores.columns, store.score_names, found), strict=True))
    held = (",".join(islice(scores, count)) for count in counts)
    results = _objects(store.results.columns, _FIELDS, numbers)
    return (f'{result[:-1]},"scores":{{{scores}}}}}' for result, scores in zip(results, held, strict=True))


def encoded(value: Any) -> str:
    """A value as JSON without spaces."""
    return to_json(value).decode()


def _objects(columns: Mapping[str, Column], names: Sequence[str], numbers: Numbers) -> Iterator[str]:
    """Rows as objects. What is the same in all of them stands in the pattern that everything else is put into."""
    same = {name for name in names if len(numbers) and columns[name].constant(numbers)}
    texts = {name: columns[name].cells(numbers[:1] if name in same else numbers, encoded) for name in names}
    fields = (f'"{name}":{next(texts[name]).replace("%", "%%") if name in same else "%s"}' for name in names)
    pattern = f"{{{','.join(fields)}}}"
    varying = [texts[name] for name in names if name not in same]
    return map(pattern.__mod__, zip(*varying, strict=True) if varying else repeat((), len(numbers)))
