"""The table of results on a page against the sections below it: what both state must agree.

Pages of others give dates in the table only, whose rows stand in the order of the sections. Rows of our own name their
result. `rows` is the whole table; the first row is its header.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from sotakit.exchange.blocks import Block, Inline
from sotakit.exchange.page_facts import NotUnderstood, date_or_none, target_id
from sotakit.exchange.page_scores import StatedScore
from sotakit.exchange.sections import Section
from sotakit.publish.escape import one_line
from sotakit.publish.words import NOT_RECORDED
from sotaschema.identity import ID_PATTERN

_METHOD, _DATE, _PAPER, _RUN, _RESULT = "Method", "Result date", "Report paper", "Run", "Result"
_KNOWN: Final = frozenset({_METHOD, _DATE, _PAPER})


def compare_table(rows: list[Block], sections: list[Section], metric: str, metrics: Iterable[str]) -> None:
    """Compare a table, on the page of a metric, with its sections; what only the table has is added to them."""
    if not sections and not rows:
        return
    header = [cell.text for cell in rows[0].cells] if rows else []
    if _METHOD not in header:
        raise NotUnderstood(sections[0].line if sections else rows[0].line, "the table of recorded results is missing")
    second = next((row for row in rows[1:] if row.header), None)
    if second is not None:
        raise NotUnderstood(second.line, "a second table where one table of results is expected")
    odd = next((row for row in rows if row.width != len(header)), None)
    if odd is not None:
        raise NotUnderstood(odd.line, f"a row of {odd.width} cells in a table of {len(header)} columns; is it whole?")
    if len(rows) - 1 != len(sections):
        raise NotUnderstood(rows[0].line, f"the table has {len(rows) - 1} rows for {len(sections)} results")
    if any(section.own for section in sections):
        _compare_own(header, rows[1:], {section.id: section for section in sections}, metric)
    else:
        _compare_others(header, rows, sections, set(metrics))


def _compare_own(header: list[str], rows: list[Block], sections: dict[str, Section], metric: str) -> None:
    """Our own table. Settings may have any name and stand in the middle: a column of ours is the last one of its name.

    The table of recorded results has the value behind the method; that of regenerated ones has all metrics.
    """
    place = {name: at for at, name in enumerate(header)}
    paper = max((_PAPER, _RUN), key=lambda name: place.get(name, -1))
    needed = {_RESULT, paper} | ({_DATE} if paper == _PAPER else set())
    if not needed <= place.keys():
        raise NotUnderstood(rows[0].line, f"the table of results needs the columns {', '.join(sorted(needed))}")
    method = header.index(_METHOD)
    waiting = dict(sections)
    for row in rows:
        cells = row.cells
        name = cells[place[_RESULT]].text
        section = waiting.pop(name, None)
        if section is None:
            raise NotUnderstood(row.line, f"no section has the result {name!r} of this row")
        _same(row, _METHOD, cells[method].verbatim, section.method)
        _same(row, paper, target_id(cells[place[paper]]), section.reporting)
        if paper == _PAPER:
            _same(row, _DATE, cells[place[_DATE]].text, section.date or NOT_RECORDED)
            _compare_value(row, metric, [cells[method + 1]], section)
            continue
        for label in section.scores:
            named = [cell for column, cell in zip(header, cells, strict=True) if column == one_line(label)]
            _compare_value(row, label, named, section)


def _compare_value(row: Block, label: str, cells: list[Inline], section: Section) -> None:
    """One of the cells, if there are any, shows the score of the section."""
    score = section.scores.get(label)
    if score is None or not cells:
        return
    if not any(_shows(cell, score) for cell in cells):
        _same(row, label, cells[0].text, score.shown)


def _shows(cell: Inline, score: StatedScore) -> bool:
    """Whether a cell shows a score, perhaps with its interval behind it."""
    shown = one_line(score.shown)
    first = Inline("", [token for token in cell.tokens if token.content][:1]).verbatim
    return one_line(cell.verbatim) == shown or cell.text.startswith(f"{shown} (") or one_line(first) == shown


def _compare_others(header: list[str], rows: list[Block], sections: list[Section], metrics: set[str]) -> None:
    doubled = next((name for name in header if header.count(name) > 1), None)
    if doubled is not None:
        raise NotUnderstood(rows[0].line, f"two columns of the table are called {doubled!r}")
    for row, section in zip(rows[1:], sections, strict=True):
        cells = dict(zip(header, row.cells, strict=True))
        if cells[_METHOD].text != section.method:
            raise NotUnderstood(row.line, f"the row of {cells[_METHOD].text!r} does not match {section.method!r}")
        for label, score in section.scores.items():
            if label in cells and cells[label].text != score.text:
                raise NotUnderstood(row.line, f"the row has {cells[label].text!r} where its section has {score.text!r}")
        if _PAPER in cells:
            _compare_paper(row, cells[_PAPER], section)
        if _DATE in cells:
            section.date = date_or_none(row.line, cells[_DATE].text)
        beside = {name: cell for name, cell in cells.items() if name not in _KNOWN | section.scores.keys()}
        _take_in(row, beside, section, metrics)


def _compare_paper(row: Block, cell: Inline, section: Section) -> None:
    stated = target_id(cell) if cell.links else None if cell.text == NOT_RECORDED else cell.text
    if section.reporting is None and stated is not None:
        raise NotUnderstood(section.line, f"the section of {section.method!r} lacks its reporting paper")
    if stated is None or re.fullmatch(ID_PATTERN, stated):  # others may print a title
        _same(row, _PAPER, stated, section.reporting)
    elif not stated:
        raise NotUnderstood(row.line, f"the row of {section.method!r} has no paper; is it whole?")


def _take_in(row: Block, cells: Mapping[str, Inline], section: Section, metrics: set[str]) -> None:
    """Columns beside the usual ones: settings must agree, other metrics are scores, and the rest is kept as it is."""
    for name, cell in cells.items():
        if section.config is not None and name in section.config:
            if not _is_value(cell.text, section.config[name]):
                _same(row, name, cell.text, _printed(section.config[name]))
        elif cell.text in ("", NOT_RECORDED):
            continue
        elif name in metrics:
            section.scores[name] = StatedScore(cell.verbatim)
        else:
            section.more[name] = cell.verbatim


def _is_value(text: str, value: Any) -> bool:
    """Whether a cell holds a setting, as text or as JSON of the same value."""
    if text == value:
        return True
    try:
        return not isinstance(value, str) and bool(json.loads(text) == value)
    except ValueError:
        return False


def _printed(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _same(row: Block, column: str, cell: str | None, stated: str | None) -> None:
    if cell != stated:
        raise NotUnderstood(
            row.line,
            f"the row has {cell or NOT_RECORDED!r} under {column!r} where its section has {stated or NOT_RECORDED!r}",
        )
