"""Every result of a benchmark in full as HTML: one article each, folded up, with all that is recorded."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from markupsafe import Markup

from sotakit.publish import words
from sotakit.publish.board_html import shown
from sotakit.publish.contexts import BenchmarkPage, Site
from sotakit.publish.escape import REMEMBERED, html_text
from sotakit.publish.patterns import filled, transposed
from sotakit.publish.report_link import ReportLink
from sotakit.publish.result_facts import Facts
from sotakit.publish.rows import Rerun, ResultRow, Value
from sotakit.settings import settings_json

_ARTICLE = (
    '<article class="result" aria-labelledby="d-%s"><details><summary><h3 id="d-%s"><bdi>%s</bdi></h3> '
    '<span class="quiet">%s<bdi>%s</bdi></span></summary><dl class="facts">\n'
    '%s\n<dt>Result id</dt><dd><code>%s</code> &middot; <a href="#r-%s">row in the table</a>%s</dd>\n'
    "<dt>Reporting paper</dt><dd>%s</dd><dt>Method origin paper</dt><dd>%s</dd>\n"
    '<dt>Configuration</dt><dd><code dir="auto">%s</code></dd>%s\n'
    "<dt>Place in the source</dt><dd>%s</dd>%s%s%s%s</dl></details></article>"
)


def result_details(page: BenchmarkPage, site: Site) -> Markup:
    """All results of a benchmark's own page, recorded ones first."""
    rows, report = page.rows + page.regenerated, ReportLink(site.contact, page.title)
    made = "\n".join(_articles(rows, page.address.root, report)) if rows else ""
    return Markup(made)  # noqa: S704 - escaped at its places


def _articles(rows: Sequence[ResultRow], root: str, report: ReportLink) -> Iterator[str]:
    """The results in full. Identifiers need no escaping."""
    of = transposed(rows)
    return filled(
        _ARTICLE,
        of.id,
        of.id,
        map(html_text, of.label),
        [f"{html_text(value.shown)} &middot; " if value else "" for value in of.value],
        map(_settings, of.settings),
        map(_scores, of.values),
        of.id,
        of.id,
        map(report.html, of.id),
        [_link(f"{root}{link.to.html}", link.title or link.text) for link in of.source],
        [
            _link(f"{root}{link.to.html}", link.title or link.text) if link else words.NOT_RECORDED
            for link in of.origin_paper
        ],
        [html_text(config.json) if config else "{}" for config in of.config],
        map(_run, of.run_settings, of.command) if any(of.run_settings) or any(of.command) else "",
        map(html_text, of.locator),
        map(_facts, of.facts) if any(of.facts) else "",
        map(_trust, of.trust),
        map(_reruns, of.reruns) if any(of.reruns) else "",
        map(_repeats, of.duplicate_of),
    )


@lru_cache(REMEMBERED)
def _settings(settings: str) -> str:
    return escape(settings or "no settings recorded")


def _scores(values: Sequence[Value]) -> str:
    return "".join([_score(value) for value in values])


def _score(value: Value) -> str:
    detail = f"; {escape(value.detail)}" if value.detail else ""
    unit = "" if value.printed.unit else f' <span class="quiet">({html_text(value.unit)})</span>'
    return f'<dt>{html_text(value.label)}</dt><dd data-metric="{value.key}">{shown(value)}{detail}{unit}</dd>'


@lru_cache(REMEMBERED)
def _link(href: str, text: str) -> str:
    return f'<a href="{href}"><bdi>{escape(text)}</bdi></a>'


def _run(raw: Mapping[str, Any], command: str) -> str:
    """How a run of this project was set up, and what repeats it."""
    settings = f'<dt>Settings</dt><dd><code dir="auto">{html_text(settings_json(raw))}</code></dd>' if raw else ""
    return settings + (f"<dt>Regenerate with</dt><dd><code>{html_text(command)}</code></dd>" if command else "")


@lru_cache(REMEMBERED)
def _facts(facts: Facts) -> str:
    return "".join([f'<dt>{label}</dt><dd dir="auto">{escape(text)}</dd>' for label, text in facts])


@lru_cache(REMEMBERED)
def _trust(trust: tuple[tuple[str, str], ...]) -> str:
    return f"<dt>Trust</dt><dd>{escape('; '.join(f'{label}: {text}' for label, text in trust))}</dd>"


def _reruns(reruns: Sequence[Rerun]) -> str:
    """What runs of this project got, each value with a link to its result."""
    links = (f'<a href="#r-{one.result}">{html_text(f"{one.value.label} {one.shown}")}</a>' for one in reruns)
    return f"<dt>Regenerated here</dt><dd>{'; '.join(links)}</dd>" if reruns else ""


def _repeats(first: str | None) -> str:
    return f'<dt>Probably repeats</dt><dd><a href="#r-{first}"><code>{first}</code></a></dd>' if first else ""
