"""The CSV twin of a benchmark: one row for each result, one column for each metric, values as printed.

Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay as they are.
"""

import csv
import io
import re

from sotakit.publish.contexts import BenchmarkPage, ResultRow
from sotakit.settings import settings_json

_FORMULA = frozenset("=+-@\t\r＝＋－＠")
_NUMBER = re.compile(r"[-+]?[0-9.]+([eE][-+]?[0-9]+)?%?")


def benchmark_csv(page: BenchmarkPage) -> str:
    """All results of a benchmark, recorded ones first."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    labels = [f"{metric.label} ({metric.unit})" for metric in page.metrics]
    fixed = ["result_id", "origin", "rank", "rank_cited", "method"]
    writer.writerow([*fixed, *map(cell, labels), "config", "date", "source", "source_title", "duplicate_of"])
    writer.writerows(_cells(page, row) for row in page.rows + page.regenerated)
    return out.getvalue()


def cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in _FORMULA and text and not _NUMBER.fullmatch(text) else text


def _cells(page: BenchmarkPage, row: ResultRow) -> list[str]:
    """A row; identifiers, dates and JSON begin like no formula."""
    texts = {value.key: value.text for value in row.values}
    ranked = row.value if row.origin != "regenerated" else None  # runs are never part of the recorded ranking
    ranks = (ranked.rank, ranked.rank_cited) if ranked else (None, None)
    return [
        row.id,
        row.origin,
        *["" if rank is None else str(rank) for rank in ranks],
        cell(row.label),
        *[cell(texts.get(metric.key, "")) for metric in page.metrics],
        settings_json(row.config),
        row.day or "",
        row.source_id,
        cell(row.source.title),
        row.duplicate_of or "",
    ]
