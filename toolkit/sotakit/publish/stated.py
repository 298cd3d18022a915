"""What the Markdown page of a benchmark states, as the hash that `toolkit read` works out from what it reads."""

from typing import Any

from sotakit.publish.contexts import BenchmarkPage, ResultRow
from sotakit.publish.words import NOT_RECORDED
from sotaschema.identity import digest


def page_checksum(page: BenchmarkPage) -> str:
    """The hash that stands at the end of the page, so that a reader sees whether lines were lost or changed.

    It is `sotakit.exchange.records.checksum` of the page's records, which need not be made for it.
    """
    columns = {
        metric.key: {
            "unit": None if metric.unit == NOT_RECORDED else metric.unit,
            "direction": metric.direction_recorded,
        }
        for metric in page.metrics
    }
    common = {"title": page.title, "task": page.task.text, "dataset": page.dataset_label}
    return digest([common | _stated(row, columns) for row in page.rows + page.regenerated])


def _stated(row: ResultRow, columns: dict[str, dict[str, str | None]]) -> dict[str, Any]:
    return {
        "id": row.id,
        "method": row.label,
        "scores": {value.label: {"text": value.text, **columns[value.key]} for value in row.values},
        "config": row.config,
        "date": row.raw["date"],
        "reporting_paper": row.raw["source"],
        "method_origin_paper": _identifier(row.origin_paper.to.md) if row.origin_paper else None,
        "origin": row.origin,
        "source_type": row.source_type,
        "reproduction": row.raw["reproduction"],
    }


def _identifier(path: str) -> str:
    """The id in the path of an entity's page."""
    return path.rpartition("/")[2].removesuffix(".md")
