"""Every result of a benchmark in full as HTML: one article each, folded up, with all that is recorded."""

from functools import lru_cache
from html import escape

from markupsafe import Markup

from sotakit.publish import words
from sotakit.publish.board_html import root_of, shown
from sotakit.publish.contexts import BenchmarkPage, Link, ResultRow, Site, Value
from sotakit.publish.escape import REMEMBERED, html_text
from sotakit.publish.report_link import ReportLink
from sotakit.settings import settings_json


def result_details(page: BenchmarkPage, site: Site) -> Markup:
    """All results of a benchmark's own page, recorded ones first."""
    writer = _Writer(root_of(page), ReportLink(site.contact, page.title))
    return Markup("\n".join(map(writer.article, page.rows + page.regenerated)))  # noqa: S704 - escaped at its places


class _Writer:
    """Writes the articles of one page; what many of them share is made once. Identifiers need no escaping."""

    def __init__(self, root: str, report: ReportLink) -> None:
        self._root, self._report = root, report

    def article(self, row: ResultRow) -> str:
        """One result."""
        name, label = row.id, html_text(row.label)
        first = f"{html_text(row.value.shown)} · " if row.value else ""
        settings = html_text(row.settings or "no settings recorded")
        config = html_text(settings_json(row.config)) if row.config else "{}"
        run = self._run(row) if row.command or row.run_settings else ""
        return (
            f'<article class="result" aria-labelledby="d-{name}"><details><summary><h3 id="d-{name}">'
            f'<bdi>{label}</bdi></h3> <span class="quiet">{first}<bdi>{settings}</bdi></span></summary>'
            '<dl class="facts">\n'
            f"{''.join(map(_score, row.values))}\n<dt>Result id</dt><dd><code>{name}</code> · "
            f'<a href="#r-{name}">row in the table</a>{self._report.html(name)}</dd>\n'
            f"{_papers(self._root, row.source, row.origin_paper)}\n"
            f'<dt>Configuration</dt><dd><code dir="auto">{config}</code></dd>{run}\n'
            f"<dt>Place in the source</dt><dd>{html_text(row.locator)}</dd>{_trust(row.trust)}{_repeats(row)}"
            "</dl></details></article>"
        )

    def _run(self, row: ResultRow) -> str:
        """How a run of this project was set up, and what repeats it."""
        raw, settings, command = row.run_settings, "", ""
        if raw:
            settings = f'<dt>Settings</dt><dd><code dir="auto">{html_text(settings_json(raw))}</code></dd>'
        if row.command:
            command = f"<dt>Regenerate with</dt><dd><code>{html_text(row.command)}</code></dd>"
        return settings + command


def _score(value: Value) -> str:
    detail = f"; {escape(value.detail)}" if value.detail else ""
    label, unit = html_text(value.label), html_text(value.unit)
    return (
        f'<dt>{label}</dt><dd data-metric="{value.key}">{shown(value)}{detail} <span class="quiet">({unit})</span></dd>'
    )


def _repeats(row: ResultRow) -> str:
    first = row.duplicate_of
    return f'<dt>Probably repeats</dt><dd><a href="#r-{first}"><code>{first}</code></a></dd>' if first else ""


@lru_cache(REMEMBERED)
def _papers(root: str, source: Link, origin: Link | None) -> str:
    introduced = _link(root, origin) if origin else words.NOT_RECORDED
    return f"<dt>Reporting paper</dt><dd>{_link(root, source)}</dd><dt>Method origin paper</dt><dd>{introduced}</dd>"


def _link(root: str, link: Link) -> str:
    return f'<a href="{root}{link.to.html}"><bdi>{escape(link.title or link.text)}</bdi></a>'


@lru_cache(REMEMBERED)
def _trust(trust: tuple[tuple[str, str], ...]) -> str:
    return f"<dt>Trust</dt><dd>{escape('; '.join(f'{label}: {text}' for label, text in trust))}</dd>"
