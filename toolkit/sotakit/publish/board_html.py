"""The tables of a benchmark's page as HTML, by plain functions: every text is escaped once, at the place it is put in.

Ten thousand boards of 25 rows are not rare, and a template loop over cells costs ten times what this does.
"""

from collections.abc import Iterator
from functools import lru_cache
from html import escape

from markupsafe import Markup

from sotakit.publish import words
from sotakit.publish.contexts import BenchmarkPage, Link, ResultRow, Value
from sotakit.publish.escape import REMEMBERED, html_text

_DASH = '<td class="num">–</td>'
_SHORT = 24
"""Characters of a setting that stay on one line."""
_BLANKS, _POINT = "\u2007" * 6, "\u2008"
"""Blanks as wide as missing decimals, and as their point."""


def root_of(page: BenchmarkPage) -> str:
    """The way from the page to the root of the site."""
    return "../" * page.address.html.count("/")


def board_table(page: BenchmarkPage) -> Markup:
    """The recorded results."""
    dated = any(row.day for row in page.rows)
    gaps = any(row.gap for row in page.rows)
    head = "".join(_board_head(page, dated=dated, gaps=gaps))
    draw = _RowWriter(page, dated=dated, gaps=gaps)
    body = "\n".join(draw.row(row) for row in page.rows)
    return Markup(  # noqa: S704 - every text in it was escaped
        '<div class="scroll" tabindex="0" role="region" aria-label="Recorded results">\n'
        f'<table class="board" id="board">\n<caption>{_caption(page, dated=dated)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _board_head(page: BenchmarkPage, *, dated: bool, gaps: bool) -> Iterator[str]:
    metric = page.metric
    if metric.conflict:
        for kind, word in (("rank", "recorded"), ("cited", "cited")):
            about = f'<abbr title="Rank by the {word} direction"># {word}</abbr>'
            yield f'<th scope="col" class="num" data-c="{kind}">{about}</th>'
    else:
        yield '<th scope="col" class="num" data-c="rank"><abbr title="Rank">#</abbr></th>'
    yield '<th scope="col" data-c="method">Method</th>'
    unit = "" if metric.unit == words.NOT_RECORDED else f" <small>{escape(metric.unit)}</small>"
    first = ' data-first="descending"' if metric.direction_recorded == "higher" else ""
    yield f'<th scope="col" class="num" data-c="value"{first}>{escape(metric.label)} {metric.arrow}{unit}</th>'
    if gaps:
        about = '<abbr title="Difference to the best value">Δ best</abbr>'
        yield f'<th scope="col" class="num" data-c="gap"{first}>{about}</th>'
    if page.groups:
        yield '<th scope="col" data-c="group"><abbr title="Like-for-like group and rank in it">Group</abbr></th>'
    for name in page.columns:
        yield f'<th scope="col" data-c="config">{escape(name)}</th>'
    for name in page.more_columns:
        yield f'<th scope="col" data-c="config" hidden>{escape(name)}</th>'
    if dated:
        yield '<th scope="col" data-c="date">Result date</th>'
    yield (
        '<th scope="col" data-c="source">Report paper</th><th scope="col" data-c="evidence">Evidence</th>'
        '<th scope="col" data-c="link"><span class="quiet">Link</span></th>'
    )


def _caption(page: BenchmarkPage, *, dated: bool) -> str:
    """What is the same for all rows, and how to read the columns."""
    metric = page.metric
    parts = []
    if page.constants:
        constants = ", ".join(f"<bdi>{escape(key)}: {escape(value)}</bdi>" for key, value in page.constants)
        parts.append(f"Same for all rows: {constants}.")
    known = metric.direction != words.NOT_RECORDED
    cited = f"; {metric.cited.lower()} as cited" if metric.conflict else ""
    parts.append(f"{metric.direction} as recorded{cited}." if known else words.UNORDERED)
    parts.append(
        "No unit is recorded." if metric.unit == words.NOT_RECORDED else f"Unit: <bdi>{escape(metric.unit)}</bdi>."
    )
    if not dated:
        parts.append("No result date is recorded.")
    if any(row.bar for row in page.rows):
        parts.append(f"Bars run from the {'worst value to the best' if known else 'smallest value to the largest'}.")
    if any(row.rank_range for row in page.rows):
        parts.append("Small ranks: what recorded confidence intervals or standard errors leave open.")
    if page.groups:
        parts.append("Rows of one group letter have the same settings; the number is the rank among them.")
    return " ".join(parts)


class _RowWriter:
    """Writes the rows of one table; identifiers need no escaping."""

    def __init__(self, page: BenchmarkPage, *, dated: bool, gaps: bool) -> None:
        self._page, self._dated, self._gaps = page, dated, gaps
        self._root = root_of(page)
        self._details = "" if page.is_main else self._root + page.main.to.html
        self._decimals = max((row.value.decimals or 0 for row in page.rows if row.value), default=0)

    def row(self, row: ResultRow) -> str:
        """One row of the table of recorded results."""
        name, source = row.id, row.source_id
        kind = ' class="repeat"' if row.duplicate_of else ""
        group = f' data-group="{row.group}"' if row.group else ""
        tagged = ' class="tagged"' if row.duplicate_of or row.marks else ""
        return (
            f'<tr id="r-{name}"{kind} data-result="{name}" data-method="{row.method_id}" data-source="{source}"'
            f'{group}>{self._ranks(row)}<th scope="row"{tagged}>{_method(self._root, row.method.to.html, row.label)}'
            f"{tags(row)}</th>{self._value(row)}{self._settings(row)}"
            f"{_paper(self._root, row.source, row.year, source)}"
            f'<td><a class="badge {row.origin}" href="{self._details}#d-{name}" title="{html_text(row.trust[0][1])}">'
            f"{row.badge}</a></td>{link_cell(name)}</tr>"
        )

    def _ranks(self, row: ResultRow) -> str:
        value = row.value
        ranks = rank_cell(value.rank if value else None, row.rank_range)
        return ranks + rank_cell(value.rank_cited if value else None) if self._page.metric.conflict else ranks

    def _value(self, row: ResultRow) -> str:
        value = row.value
        if value is None:
            return f'<td class="value"><span class="quiet">Not recorded</span></td>{self._gap(row)}'
        detail = f"<small>{escape(value.detail)}</small>" if value.detail else ""
        if value.number is None:
            return f'<td class="value">{shown(value)}{detail}</td>{self._gap(row)}'
        decimals = value.decimals
        pad = ""
        if decimals is not None and decimals < self._decimals and value.text.lstrip("-").replace(".", "").isdigit():
            pad = _BLANKS[: min(self._decimals - decimals, 6)] + ("" if decimals else _POINT)
        return (
            f'<td class="value" data-v="{value.number!r}">{shown(value)}{pad}{detail}<svg viewBox="0 0 100 3" '
            f'preserveAspectRatio="none" aria-hidden="true"><rect width="{row.bar}" height="3"/></svg></td>'
            f"{self._gap(row)}"
        )

    def _gap(self, row: ResultRow) -> str:
        if not self._gaps:
            return ""
        best = ' data-v="0"' if row.gap == "best" else ""
        return f'<td class="num gap"{best}>{row.gap or "–"}</td>'

    def _settings(self, row: ResultRow) -> str:
        """The group, the varying settings, and the date."""
        group = date = ""
        if self._page.groups:
            rank = "" if row.rank_in_group is None else f" {row.rank_in_group}"
            group = f'<td class="nowrap"><b>{row.group}</b>{rank}</td>'
        if self._dated:
            date = f'<td class="{"nowrap" if row.day else "quiet"}">{row.date}</td>'
        hidden = [setting_cell(text, " hidden") for text in row.more]
        return "".join([group, *map(setting_cell, row.columns), *hidden, date])


@lru_cache(REMEMBERED)
def _method(root: str, path: str, label: str) -> str:
    return f'<a href="{root}{path}"><bdi>{escape(label)}</bdi></a>'


@lru_cache(REMEMBERED)
def _paper(root: str, source: Link, year: str, identifier: str) -> str:
    after = f' <span class="quiet">{year}</span>' if year else ""
    title = source.text if source.text == source.title else f"{source.text} · {identifier}"
    return (
        f'<td class="cite"><a href="{root}{source.to.html}" title="{escape(title)}"><bdi>{escape(source.title)}</bdi>'
        f"</a>{after}</td>"
    )


def shown(value: Value) -> str:
    """A value as printed, or why there is none."""
    if not value.text:
        return f'<span class="quiet">{value.missing}</span>'
    missing = f' <span class="quiet small">({value.missing.lower()})</span>' if value.missing else ""
    return f'<bdi class="text">{html_text(value.text)}</bdi>{missing}'


def rank_cell(rank: int | None, span: str = "") -> str:
    """A rank with the ranks that intervals leave open."""
    if not rank:
        return _DASH
    return f'<td class="num rank" data-v="{rank}">{rank}{f" <small>{span}</small>" if span else ""}</td>'


def link_cell(name: str) -> str:
    """The link of a row to itself."""
    return f'<td><a class="here" href="#r-{name}" aria-label="Link to result {name}">¶</a></td>'


@lru_cache(REMEMBERED)
def setting_cell(text: str, hidden: str = "") -> str:
    """A setting, which may be shown on request only."""
    kind = "quiet" if text == words.NOT_RECORDED else "nowrap" if len(text) <= _SHORT else "long"
    return f'<td class="{kind}"{hidden}><bdi>{escape(text)}</bdi></td>'


def tags(row: ResultRow) -> str:
    """Marks beside the name of a method."""
    if not row.duplicate_of and not row.marks:
        return ""
    repeats = [("≈ duplicate", f"Probably repeats result {row.duplicate_of}")] if row.duplicate_of else []
    return "".join(
        f' <span class="tag" title="{escape(meaning)}">{escape(word)}</span>'
        for word, meaning in (*repeats, *row.marks)
    )


def badge_legend(page: BenchmarkPage) -> Markup:
    """What the badges of the table mean, each once."""
    used = {(row.origin, row.badge): row.trust[0][1] for row in page.rows}
    used = {badge: words.NO_EVIDENCE if text == words.NOT_RECORDED else text for badge, text in used.items()}
    return Markup(  # noqa: S704 - every text in it was escaped
        "".join(
            f'<li><span class="badge {origin}">{badge}</span>: {escape(meaning)}'
            f"{', ' + words.ORIGIN[origin] if origin == 'imported' else ''}</li>"
            for (origin, badge), meaning in used.items()
        )
    )


def group_list(page: BenchmarkPage) -> Markup:
    """Each like-for-like group with its ranking; groups of one result are counted only."""
    members: dict[str, list[ResultRow]] = {group.letter: [] for group in page.groups}
    for row in page.rows:
        if row.duplicate_of is None:
            members[row.group].append(row)
    items = []
    for group in page.groups:
        if group.size > 1:
            ranked = sorted(members[group.letter], key=lambda row: row.rank_in_group or len(page.rows))
            listed = "".join(map(_member, ranked))
            items.append(
                f"<dt><b>{group.letter}</b> <bdi>{escape(group.settings)}</bdi></dt><dd><ul>{listed}</ul></dd>"
            )
    return Markup("".join(items))  # noqa: S704 - every text in it was escaped


def _member(row: ResultRow) -> str:
    value = f" {shown(row.value)}" if row.value else ""
    return (
        f'<li><span class="quiet">{row.rank_in_group or "–"}</span> <a href="#r-{escape(row.id)}">'
        f"<bdi>{escape(row.label)}</bdi></a>{value}</li>"
    )
