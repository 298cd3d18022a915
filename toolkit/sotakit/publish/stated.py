"""What the Markdown page of a benchmark states, as the hash that `toolkit read` works out from what it reads."""

import hashlib
from json.encoder import encode_basestring as quoted
from typing import NamedTuple

from sotakit.publish.contexts import BenchmarkPage, MetricLine, ResultRow
from sotakit.publish.words import NOT_RECORDED
from sotakit.settings import tight_json
from sotaschema.identity import nfc


class _Common(NamedTuple):
    """What all results of a page share, as JSON."""

    scores: dict[str, tuple[str, str]]
    """What stands before and after the text of a score, by key of its metric, in order of the metrics' labels."""
    dataset: str
    task: str
    title: str


def page_checksum(page: BenchmarkPage) -> str:
    """The hash that stands at the end of the page, so that a reader sees whether lines were lost or changed.

    It is `sotakit.exchange.records.checksum` of the page's records. These need not be made for it: their canonical JSON
    is written straight away, with its keys in order.
    """
    metrics = sorted(page.metrics, key=lambda metric: nfc(metric.label))
    scores = {metric.key: _around(metric) for metric in metrics}
    common = _Common(scores, *map(quoted, (page.dataset_label, page.task.text, page.title)))
    rows = ",".join([_stated(row, common) for row in page.rows + page.regenerated])
    return hashlib.sha256(nfc(f"[{rows}]").encode()).hexdigest()[:16]


def _around(metric: MetricLine) -> tuple[str, str]:
    unit = "null" if metric.unit == NOT_RECORDED else quoted(metric.unit)
    return f'{quoted(metric.label)}:{{"direction":"{metric.direction_recorded}","text":', f',"unit":{unit}}}'


def _stated(row: ResultRow, common: _Common) -> str:
    texts = {value.key: quoted(value.text) for value in row.values}
    scores = ",".join([before + texts[key] + after for key, (before, after) in common.scores.items() if key in texts])
    date = quoted(row.day) if row.day else "null"
    origin_paper = f'"{_identifier(row.origin_paper.to.md)}"' if row.origin_paper else "null"
    return (
        f'{{"config":{tight_json(row.config)},"dataset":{common.dataset},"date":{date},"id":"{row.id}",'
        f'"method":{quoted(row.label)},"method_origin_paper":{origin_paper},"origin":"{row.origin}",'
        f'"reporting_paper":"{row.source_id}","reproduction":"{row.reproduction}","scores":{{{scores}}},'
        f'"source_type":"{row.source_type}","task":{common.task},"title":{common.title}}}'
    )


def _identifier(path: str) -> str:
    """The id in the path of an entity's page."""
    return path.rpartition("/")[2].removesuffix(".md")
