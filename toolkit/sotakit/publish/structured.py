"""The JSON twin of a page: the same facts for programs, with the version of its format."""

from typing import Any

from pydantic_core import to_json

from sotakit.publish.contexts import BenchmarkPage, Link, Site
from sotakit.publish.entity_contexts import EntityPage
from sotakit.tables import Row


def benchmark_json(page: BenchmarkPage, site: Site, board_metrics: list[Row], benchmark: Row) -> bytes:
    """A benchmark with its metrics and all its results, recorded and regenerated."""
    metrics = [{key: value for key, value in metric.items() if key != "benchmark"} for metric in board_metrics]
    described = to_json(
        {
            "format": site.format,
            "collection": site.title,
            "benchmark": benchmark,
            "task": page.task.text,
            "dataset": page.dataset_label,
            "metrics": metrics,
            "notices": [{"kind": notice.kind, "title": notice.title, "text": notice.text} for notice in page.notices],
        }
    )
    recorded, regenerated = (",".join([row.json for row in rows]) for rows in (page.rows, page.regenerated))
    return described[:-1] + f',"recorded":[{recorded}],"regenerated":[{regenerated}]}}\n'.encode()


def entity_json(page: EntityPage, site: Site) -> bytes:
    """A task, dataset, metric, method or source with the results that name it."""
    results = [
        {
            "id": row.id,
            "benchmark": row.benchmark.to.json,
            "method": row.label,
            "metric": row.metric,
            "key": row.key,
            "text": row.text,
            "missing": row.missing or None,
            "config": row.config,
        }
        for row in page.appearances
    ]
    related = {title: [_link(link) for link in links] for title, links in page.related}
    own = {page.kind: page.raw, "related": related, "results": results}
    return _dump({"format": site.format, "collection": site.title, **own})


def _link(link: Link) -> dict[str, str]:
    return {"title": link.text, "page": link.to.json or link.to.md}


def _dump(value: Any) -> bytes:
    """The fastest encoder among the packages that are here anyway: there may be a gigabyte."""
    return to_json(value) + b"\n"
