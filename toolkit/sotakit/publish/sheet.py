"""The CSV twin of a benchmark: one row for each result, one column for each metric, values as printed.

What is printed and is no value says so in the same cell. Values of runs are those of the first metric that has one.

Text that a spreadsheet would take for a formula gets an apostrophe in front; values stay as they are printed.
"""

import re
from functools import lru_cache

from sotakit.publish.contexts import BenchmarkPage
from sotakit.publish.escape import REMEMBERED
from sotakit.settings import settings_json
from sotaschema.values import parse_value

_FORMULA = frozenset("=+-@\t\r＝＋－＠")
_SIGNS = frozenset("-+")
_SPECIAL = re.compile('[,"\r\n]')
"""Only texts with one of these can need quotes."""


def benchmark_csv(page: BenchmarkPage) -> str:
    """All results of a benchmark, recorded ones first; identifiers and dates need no quotes."""
    rows = page.rows + page.regenerated
    ranked = [row.value for row in page.rows] + [None] * len(page.regenerated)  # runs are never part of the ranking
    cells_of = [{value.key: value_cell(value.shown, value.text) for value in row.values} for row in rows]
    firsts = [row.reruns[0] if row.reruns else None for row in rows]
    columns = [
        ("result_id", [row.id for row in rows]),
        ("origin", [row.origin for row in rows]),
        ("rank", [_rank(value and value.rank) for value in ranked]),
        ("rank_cited", [_rank(value and value.rank_cited) for value in ranked]),
        ("method", [cell(row.label) for row in rows]),
        *[
            (cell(f"{metric.label} ({metric.unit})"), [held.get(metric.key, "") for held in cells_of])
            for metric in page.metrics
        ],
        ("config", [cell(settings_json(row.config)) for row in rows]),
        ("date", [row.day or "" for row in rows]),
        ("source", [row.source_id for row in rows]),
        ("source_title", [cell(row.source.title) for row in rows]),
        ("duplicate_of", [row.duplicate_of or "" for row in rows]),
        ("rank_in_group", [_rank(value and value.rank_in_group) for value in ranked]),  # new columns come last
        ("group", [row.group for row in rows]),
        ("stands", [str(row.stands).lower() for row in rows]),
        ("marks", [cell("; ".join([word for word, _ in row.marks])) for row in rows]),
        ("transcription", [row.transcription for row in rows]),
        ("regenerated_here", [value_cell(first.shown, first.value.text) if first else "" for first in firsts]),
        ("regenerated_result", [first.result if first else "" for first in firsts]),
    ]
    names, cells = zip(*columns, strict=True)
    return "\n".join(map(",".join, [names, *zip(*cells, strict=True)])) + "\n"


@lru_cache(REMEMBERED)
def cell(text: str) -> str:
    """A text as it stands in the file, so that no spreadsheet takes it for a formula; a value stays as it is."""
    return _quoted(text if text[:1] not in _FORMULA or _is_value(text) else f"'{text}")


@lru_cache(REMEMBERED)
def value_cell(shown: str, text: str) -> str:
    """The cell of a score with the given text: empty without one. What stands around a value is ours."""
    if not text:
        return ""
    return _quoted(shown) if _is_value(text) else cell(shown)


def _is_value(text: str) -> bool:
    """Whether a text is one printed value, which may begin with a sign; tabs and line breaks are part of none."""
    return text[0] in _SIGNS and parse_value(text).missing_reason is None


def _quoted(text: str) -> str:
    return '"{}"'.format(text.replace('"', '""')) if _SPECIAL.search(text) else text


def _rank(rank: int | None) -> str:
    return "" if rank is None else str(rank)
