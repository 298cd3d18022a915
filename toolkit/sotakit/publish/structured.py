"""The JSON twin of a page: the same facts for programs, with the version of its format."""

import dataclasses
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from json.encoder import encode_basestring as quoted

import numpy as np
from pydantic_core import to_json

from sotakit.catalog import Catalog
from sotakit.publish.contexts import BenchmarkPage, Site
from sotakit.publish.entity_contexts import Appearance, EntityPage
from sotakit.publish.escape import REMEMBERED
from sotakit.publish.result_json import encoded, result_texts
from sotakit.publish.rows import Link, Rerun


def benchmarks_json(pages: Sequence[BenchmarkPage], site: Site, catalog: Catalog) -> Iterator[bytes]:
    """Benchmarks with their metrics and all their results, recorded and regenerated."""
    rows = [row for page in pages for row in page.rows + page.regenerated]
    numbers = np.array([row.number for row in rows], np.int64)
    results = result_texts(catalog.store, numbers, [_standing(row.marks, row.group, row.reruns) for row in rows])
    for page in pages:
        recorded, regenerated = (",".join(islice(results, len(rows))) for rows in (page.rows, page.regenerated))
        yield _described(page, site, catalog) + f',"recorded":[{recorded}],"regenerated":[{regenerated}]}}\n'.encode()


@lru_cache(REMEMBERED)
def _standing(marks: tuple[tuple[str, str], ...], letter: str, reruns: tuple[Rerun, ...]) -> str:
    """What a page says of a result besides its record: marks, the letter of its group, and what runs here got."""
    again = [
        {"metric": rerun.value.key, "result": rerun.result}
        | {"text": rerun.value.text}
        | {name: rerun.value.printed.converted(getattr(rerun.value, name)) for name in ("low", "high")}
        | {"value": rerun.value.number}
        for rerun in reruns
    ]
    described = {"marks": [word for word, _ in marks], "group_letter": letter or None, "regenerated_here": again}
    return f",{to_json(described).decode()[1:-1]}"


def _described(page: BenchmarkPage, site: Site, catalog: Catalog) -> bytes:
    """What stands before the results, as JSON without the bracket at its end."""
    board = catalog.boards[page.id]
    metrics = [{key: value for key, value in metric.items() if key != "benchmark"} for metric in board.metrics]
    described: bytes = to_json(
        {
            "format": site.format,
            "collection": site.title,
            "benchmark": board.benchmark,
            "task": page.task.text,
            "dataset": page.dataset_label,
            "metrics": metrics,
            "distinct_claims": page.distinct,
            "no_longer_standing": page.fallen,
            "groups": [dataclasses.asdict(group) for group in page.groups],
            "notices": [{"kind": notice.kind, "title": notice.title, "text": notice.text} for notice in page.notices],
        }
    )
    return described[:-1]


def entity_json(page: EntityPage, site: Site) -> bytes:
    """A task, dataset, metric, method or source with the results that name it."""
    related = {title: [_link(link) for link in links] for title, links in page.related}
    described = to_json({"format": site.format, "collection": site.title, page.kind: page.raw, "related": related})
    return described[:-1] + f',"results":[{",".join(_appearances(page.appearances))}]}}\n'.encode()


def _appearances(rows: tuple[Appearance, ...]) -> list[str]:
    """Results as JSON. The address of a benchmark's page and the keys are made of identifiers."""
    configs = {id(row.config): row.config for row in rows}  # results of one configuration share one object
    written = {key: encoded(config) for key, config in configs.items()}
    return [
        f'{{"id":"{row.id}","benchmark":"{row.benchmark.to.json}","method":{quoted(row.label)},'
        f'"metric":{quoted(row.metric)},"key":"{row.key}","text":{quoted(row.text)},{_besides(row)}'
        f'"missing":{quoted(row.missing) if row.missing else "null"},"duplicate":{str(row.duplicate).lower()},'
        f'"marks":{_words(row.marks)},"config":{written[id(row.config)]}}}'
        for row in rows
    ]


def _besides(row: Appearance) -> str:
    """The text with its sign and unit, where the text alone does not say them."""
    shown = row.printed.shown(row.text)
    return "" if shown == row.text else f'"shown":{quoted(shown)},'


@lru_cache(REMEMBERED)
def _words(marks: tuple[str, ...]) -> str:
    return f"[{','.join(map(quoted, marks))}]"


def _link(link: Link) -> dict[str, str]:
    return {"title": link.text, "page": link.to.json or link.to.md}
