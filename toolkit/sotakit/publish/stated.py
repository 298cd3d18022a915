"""What the Markdown page of a benchmark states, as the hash that `toolkit read` works out from what it reads."""

import hashlib
from functools import lru_cache
from json.encoder import encode_basestring as quoted

from sotakit.publish.contexts import BenchmarkPage, MetricLine
from sotakit.publish.escape import REMEMBERED
from sotakit.publish.rows import Value
from sotakit.publish.words import NOT_RECORDED
from sotakit.settings import tight_json
from sotaschema.identity import nfc

_Around = dict[str, tuple[str, str]]
"""What stands before the text of a score, and its unit, by key of its metric, in order of the metrics' labels."""


def page_checksum(page: BenchmarkPage) -> str:
    """The hash that stands at the end of the page, so that a reader sees whether lines were lost or changed.

    It is `sotakit.exchange.records.checksum` of the page's records. These need not be made for it: their canonical JSON
    is written straight away, with its keys in order.
    """
    around = {metric.key: _around(metric) for metric in sorted(page.metrics, key=lambda metric: nfc(metric.label))}
    dataset, task, title = map(quoted, (page.dataset_label, page.task.text, page.title))
    rows = [
        f'{{"config":{tight_json(row.config)},"dataset":{dataset},"date":{quoted(row.day) if row.day else "null"},'
        f'"id":"{row.id}","method":{quoted(row.label)},'
        f'"method_origin_paper":{_identifier(row.origin_paper.to.md) if row.origin_paper else "null"},'
        f'"origin":"{row.origin}","reporting_paper":"{row.source_id}","reproduction":"{row.reproduction}",'
        f'"scores":{{{_scores(row.values, around)}}},"source_type":"{row.source_type}","task":{task},"title":{title}}}'
        for row in page.rows + page.regenerated
    ]
    return hashlib.sha256(nfc(f"[{','.join(rows)}]").encode()).hexdigest()[:16]


def _around(metric: MetricLine) -> tuple[str, str]:
    unit = "null" if metric.unit == NOT_RECORDED else quoted(metric.unit)
    return f'{quoted(metric.label)}:{{"direction":"{metric.direction_recorded}","text":', unit


def _scores(values: tuple[Value, ...], around: _Around) -> str:
    if len(values) == 1:  # as on most pages
        return _score(values[0], *around[values[0].key])
    by_key = {value.key: value for value in values}
    return ",".join([_score(by_key[key], *ends) for key, ends in around.items() if key in by_key])


def _score(value: Value, before: str, unit: str) -> str:
    unit = f'"{value.printed.unit}"' if value.printed.unit else unit
    return f'{before}{quoted(value.text)},"unit":{unit}}}'


@lru_cache(REMEMBERED)
def _identifier(path: str) -> str:
    """The id in the path of an entity's page, as JSON."""
    return f'"{path.rpartition("/")[2].removesuffix(".md")}"'
