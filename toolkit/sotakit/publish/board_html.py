"""The tables of a benchmark's page as HTML, by plain functions: every text is escaped once, at the place it is put in.

Ten thousand boards of 25 rows are not rare, and a template loop over cells costs ten times what this does.
"""

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from itertools import repeat

from markupsafe import Markup

from sotakit.publish import words
from sotakit.publish.contexts import BenchmarkPage
from sotakit.publish.escape import REMEMBERED, html_text, narrow
from sotakit.publish.patterns import filled, transposed
from sotakit.publish.printed import PLAIN, Printed
from sotakit.publish.rows import ResultRow, Value

_DASH = '<td class="num">&ndash;</td>'
_SHORT = 24
"""Characters of a setting that stay on one line."""
_BLANK, _POINT = "&#8199;", "&#8200;"
"""Blanks as wide as a missing decimal, and as their point."""


def board_table(page: BenchmarkPage) -> Markup:
    """The recorded results."""
    dated = any(row.day for row in page.rows)
    gaps = any(row.gap for row in page.rows)
    head = "".join(_board_head(page, dated=dated, gaps=gaps))
    body = "\n".join(_rows(page, dated=dated, gaps=gaps))
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
    yield f'<th scope="col" class="num" data-c="value"{first}>{escape(metric.label)} {narrow(metric.arrow)}{unit}</th>'
    if gaps:
        about = '<abbr title="Difference to the best value">&Delta; best</abbr>'
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


_ROW = (
    '<tr id="r-%s"%s data-result="%s" data-method="%s" data-source="%s"%s>%s%s%s%s%s%s%s%s%s'
    '<td><a class="badge %s" href="%s#d-%s" title="%s">%s</a></td>%s</tr>'
)


def _rows(page: BenchmarkPage, *, dated: bool, gaps: bool) -> Iterator[str]:
    """The rows of the recorded results. Identifiers need no escaping."""
    of, root = transposed(page.rows), page.address.root
    ranks = [(value.rank, value.rank_cited) if value else (None, None) for value in of.value]
    decimals = max([value.decimals or 0 for value in of.value if value], default=0)
    methods, sources = ([f"{root}{link.to.html}" for link in links] for links in (of.method, of.source))
    titles = [(link.text, link.title) for link in of.source]
    return filled(
        _ROW,
        of.id,
        map(_class, of.duplicate_of, of.stands),
        of.id,
        of.method_id,
        of.source_id,
        map(' data-group="%s"'.__mod__, of.group) if page.groups else "",
        map(rank_cell, [rank for rank, _ in ranks], of.rank_range),
        map(rank_cell, [rank for _, rank in ranks]) if page.metric.conflict else "",
        map(_method, methods, of.label, map(tags, of.duplicate_of, of.marks), map(_rerun, page.rows)),
        map(_value, of.value, of.bar, repeat(decimals)),
        map(_gap, of.gap) if gaps else "",
        map(_group, of.group, [value and value.rank_in_group for value in of.value]) if page.groups else "",
        map(_settings, of.columns, of.more),
        map(_date, of.day) if dated else "",
        map(_paper, sources, titles, of.year, of.source_id),
        of.origin,
        "" if page.is_main else root + page.main.to.html,
        of.id,
        map(_evidence, of.trust),
        of.badge,
        map(link_cell, of.id),
    )


def _value(value: Value | None, bar: int, decimals: int) -> str:
    """A value with its bar, padded to the decimals of its column."""
    if value is None:
        return '<td class="value"><span class="quiet">Not recorded</span></td>'
    detail = f"<small>{escape(value.detail)}</small>" if value.detail else ""
    if value.number is None:
        return f'<td class="value">{shown(value)}{detail}</td>'
    pad, own = "", value.decimals
    if own is not None and own < decimals and value.text.lstrip("-").replace(".", "").isdigit():
        pad = _BLANK * min(decimals - own, 6) + ("" if own else _POINT)
    return (
        f'<td class="value" data-v="{value.number!r}">{shown(value)}{pad}{detail}<svg viewBox="0 0 100 3" '
        f'preserveAspectRatio="none" aria-hidden="true"><rect width="{bar}" height="3"/></svg></td>'
    )


# What many rows share is made once. The keys are short texts, so that looking them up costs little.


@lru_cache(REMEMBERED)
def _class(duplicate_of: str | None, stands: bool) -> str:
    kinds = (["repeat"] if duplicate_of else []) + ([] if stands else ["fallen"])
    return f' class="{" ".join(kinds)}"' if kinds else ""


def _rerun(row: ResultRow) -> str:
    """What a run here got, with a link to it."""
    rerun = row.rerun if row.reruns else None
    if rerun is None:
        return ""
    about = f"Regenerated here: {rerun.shown}"
    return f' <a class="tag" href="#r-{rerun.result}" title="{escape(about)}">run: {escape(rerun.value.shown)}</a>'


@lru_cache(REMEMBERED)
def _method(href: str, label: str, marked: str, rerun: str) -> str:
    tagged = ' class="tagged"' if marked or rerun else ""
    return f'<th scope="row"{tagged}><a href="{href}"><bdi>{escape(label)}</bdi></a>{marked}{rerun}</th>'


@lru_cache(REMEMBERED)
def _gap(gap: str) -> str:
    best = ' data-v="0"' if gap == "best" else ""
    return f'<td class="num gap"{best}>{gap.replace("−", "&minus;") or "&ndash;"}</td>'


@lru_cache(REMEMBERED)
def _group(letter: str, rank: int | None) -> str:
    return f'<td class="nowrap"><b>{letter}</b>{"" if rank is None else f" {rank}"}</td>'


@lru_cache(REMEMBERED)
def _settings(columns: tuple[str, ...], more: tuple[str, ...]) -> str:
    return "".join([*map(setting_cell, columns), *(setting_cell(text, " hidden") for text in more)])


@lru_cache(REMEMBERED)
def _date(day: str | None) -> str:
    return f'<td class="nowrap">{day}</td>' if day else f'<td class="quiet">{words.NOT_RECORDED}</td>'


@lru_cache(REMEMBERED)
def _paper(href: str, names: tuple[str, str], year: str, identifier: str) -> str:
    text, title = names
    about = escape(text) if text == title else f"{escape(text)} &middot; {escape(identifier)}"
    after = f' <span class="quiet">{year}</span>' if year else ""
    return f'<td class="cite"><a href="{href}" title="{about}"><bdi>{escape(title)}</bdi></a>{after}</td>'


def _evidence(trust: tuple[tuple[str, str], ...]) -> str:
    return html_text(trust[0][1])


def shown(value: Value) -> str:
    """A value as printed with what belongs to it, or why there is none."""
    return shown_text(value.text, value.missing, value.printed)


def shown_text(text: str, missing: str, printed: Printed) -> str:
    """The text of a score between its sign and what else must be known of it, or why there is none."""
    if not text:
        return f'<span class="quiet">{missing}</span>'
    made = f'<bdi class="text">{html_text(text)}</bdi>'
    if printed is PLAIN and not missing:  # nearly all
        return made
    sign, behind = printed.sign, printed.behind(missing)
    before = f'<span class="sign">{escape(sign)}</span> ' if sign else ""
    return before + made + (f' <span class="quiet small">({escape(behind)})</span>' if behind else "")


@lru_cache(REMEMBERED)
def rank_cell(rank: int | None, span: str = "") -> str:
    """A rank with the ranks that intervals leave open."""
    if not rank:
        return _DASH
    return f'<td class="num rank" data-v="{rank}">{rank}{f" <small>{span}</small>" if span else ""}</td>'


def link_cell(name: str) -> str:
    """The link of a row to itself."""
    return f'<td><a class="here" href="#r-{name}" aria-label="Link to result {name}">&para;</a></td>'


@lru_cache(REMEMBERED)
def setting_cell(text: str, hidden: str = "") -> str:
    """A setting, which may be shown on request only."""
    kind = "quiet" if text == words.NOT_RECORDED else "nowrap" if len(text) <= _SHORT else "long"
    return f'<td class="{kind}"{hidden}><bdi>{escape(text)}</bdi></td>'


@lru_cache(REMEMBERED)
def tags(duplicate_of: str | None, marks: tuple[tuple[str, str], ...]) -> str:
    """Marks beside the name of a method."""
    repeats = [("≈ duplicate", f"Probably repeats result {duplicate_of}")] if duplicate_of else []
    return "".join(
        f' <span class="tag" title="{escape(meaning)}">{escape(word)}</span>' for word, meaning in (*repeats, *marks)
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
    members: dict[str, dict[str, ResultRow]] = {group.letter: {} for group in page.groups}
    for row in page.rows:
        members[row.group].setdefault(row.claim, row)
    items = []
    for group in page.groups:
        if group.size > 1:
            ranked = sorted(members[group.letter].values(), key=lambda row: row.rank_in_group or len(page.rows))
            listed = "".join(map(_member, ranked))
            items.append(
                f"<dt><b>{group.letter}</b> <bdi>{escape(group.settings)}</bdi></dt><dd><ul>{listed}</ul></dd>"
            )
    return Markup("".join(items))  # noqa: S704 - every text in it was escaped


def _member(row: ResultRow) -> str:
    value = f" {shown(row.value)}" if row.value else ""
    return (
        f'<li><span class="quiet">{row.rank_in_group or "–"}</span> <a href="#r-{escape(row.id)}">'
        f"<bdi>{escape(row.label)}</bdi></a>{value}{tags(None, row.marks)}</li>"
    )
