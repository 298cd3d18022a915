"""Every result of a benchmark in full as HTML: one article each, folded up, with all that is recorded."""

import json
from html import escape

from markupsafe import Markup

from sotakit.publish import words
from sotakit.publish.board_html import Texts, root_of, shown
from sotakit.publish.contexts import BenchmarkPage, Link, ResultRow, Site, Value
from sotakit.publish.report_link import ReportLink


def result_details(page: BenchmarkPage, site: Site) -> Markup:
    """All results of a benchmark's own page, recorded ones first."""
    writer = _Writer(root_of(page), ReportLink(site.contact, page.title))
    return Markup("\n".join(map(writer.article, page.rows + page.regenerated)))  # noqa: S704 - escaped at its places


class _Writer:
    """Writes the articles of one page; what many of them share is made once."""

    def __init__(self, root: str, report: ReportLink) -> None:
        self._root, self._report, self._texts = root, report, Texts()
        self._made: dict[object, str] = {}

    def article(self, row: ResultRow) -> str:
        """One result."""
        name, label = escape(row.id), self._texts[row.label]
        first = f"{escape(row.value.shown)} · " if row.value else ""
        settings = self._texts[row.settings or "no settings recorded"]
        return (
            f'<article class="result" aria-labelledby="d-{name}"><details><summary><h3 id="d-{name}">'
            f'<bdi>{label}</bdi></h3> <span class="quiet">{first}<bdi>{settings}</bdi></span></summary>'
            '<dl class="facts">\n'
            f"{''.join(map(self._score, row.values))}\n<dt>Result id</dt><dd><code>{name}</code> · "
            f'<a href="#r-{name}">row in the table</a>{self._report.html(row.id)}</dd>\n{self._papers(row)}\n'
            f'<dt>Configuration</dt><dd><code dir="auto">{self._json(row.config)}</code></dd>{self._run(row)}\n'
            f"<dt>Place in the source</dt><dd>{self._texts[row.locator]}</dd>{self._trust(row)}"
            "</dl></details></article>"
        )

    def _score(self, value: Value) -> str:
        around = self._made.get(value.key)
        if around is None:
            around = f'<dt>{escape(value.label)}</dt><dd data-metric="{escape(value.key)}">'
            self._made[value.key] = around
        detail = f"; {escape(value.detail)}" if value.detail else ""
        return f'{around}{shown(value)}{detail} <span class="quiet">({self._texts[value.unit]})</span></dd>'

    def _papers(self, row: ResultRow) -> str:
        origin = self._link(row.origin_paper) if row.origin_paper else words.NOT_RECORDED
        return f"<dt>Reporting paper</dt><dd>{self._link(row.source)}</dd><dt>Method origin paper</dt><dd>{origin}</dd>"

    def _run(self, row: ResultRow) -> str:
        """How a run of this project was set up, and what repeats it."""
        raw, settings, command = row.raw["settings"], "", ""
        if raw:
            settings = f'<dt>Settings</dt><dd><code dir="auto">{self._json(raw)}</code></dd>'
        if row.command:
            command = f"<dt>Regenerate with</dt><dd><code>{self._texts[row.command]}</code></dd>"
        return settings + command

    def _trust(self, row: ResultRow) -> str:
        if row.trust not in self._made:
            stated = escape("; ".join(f"{label}: {text}" for label, text in row.trust))
            self._made[row.trust] = f"<dt>Trust</dt><dd>{stated}</dd>"
        if not row.duplicate_of:
            return self._made[row.trust]
        first = escape(row.duplicate_of)
        return f'{self._made[row.trust]}<dt>Probably repeats</dt><dd><a href="#r-{first}"><code>{first}</code></a></dd>'

    def _link(self, link: Link) -> str:
        made = self._made.get(link)
        if made is None:
            text = escape(link.title or link.text)
            made = self._made[link] = f'<a href="{self._root}{escape(link.to.html)}"><bdi>{text}</bdi></a>'
        return made

    def _json(self, value: dict[str, object]) -> str:
        return self._texts[json.dumps(value, ensure_ascii=False, sort_keys=True)] if value else "{}"
