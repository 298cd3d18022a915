"""What the Markdown page of a benchmark states, as records: exactly what `toolkit read` must give back."""

from pathlib import PurePosixPath

from sotakit.exchange.records import PageRecord, checksum
from sotakit.publish.contexts import BenchmarkPage, ResultRow
from sotakit.publish.words import NOT_RECORDED


def page_checksum(page: BenchmarkPage) -> str:
    """The hash that stands at the end of the page, so that a reader sees whether lines were lost or changed."""
    return checksum(page_records(page))


def page_records(page: BenchmarkPage) -> list[PageRecord]:
    """The results of a page in its order."""
    return [_record(page, row) for row in page.rows + page.regenerated]


def _record(page: BenchmarkPage, row: ResultRow) -> PageRecord:
    metrics = {metric.key: metric for metric in page.metrics}
    scores = {
        value.label: {
            "text": value.text,
            "value": value.number,
            "unit": None if value.unit == NOT_RECORDED else value.unit,
            "direction": metrics[value.key].direction_recorded,
        }
        for value in row.values
    }
    return PageRecord(
        id=row.id,
        benchmark=page.id,
        title=page.title,
        task=page.task.text,
        dataset=page.dataset_label,
        method=row.label,
        scores=scores,
        config=row.config,
        date=row.raw["date"],
        reporting_paper=row.raw["source"],
        method_origin_paper=PurePosixPath(row.origin_paper.to.md).name.removesuffix(".md")
        if row.origin_paper
        else None,
        origin=row.origin,
        source_type=row.source_type,
        reproduction=row.raw["reproduction"],
        page=page.address.md,
    )
