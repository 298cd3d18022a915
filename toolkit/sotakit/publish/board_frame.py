"""What the template of a benchmark's page calls: filters that turn the page into its chart, tables and entries."""

from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from sotakit.publish import board_html, words
from sotakit.publish.bibtex import bibtex_address, bibtex_text, entry
from sotakit.publish.board_chart import Chart, board_chart
from sotakit.publish.contexts import BenchmarkPage, MetricLine, Site
from sotakit.publish.details_html import result_details
from sotakit.publish.escape import html_text
from sotakit.publish.json_ld import json_ld
from sotakit.publish.runs_html import runs_table
from sotakit.publish.wording import size_words


def tab_href(page: BenchmarkPage, metric: MetricLine) -> str:
    """Where a metric's tab leads: its own view, or the benchmark's own page for the metric that sorts it."""
    own = metric.primary and not (metric.current and not page.is_main)
    return page.address.root + (page.main.to.html if own else metric.to.html)


def table_bibtex(page: BenchmarkPage, site: Site) -> str:
    """An entry for the table in its present state, named by the hash of its CSV file."""
    state = page.table.sha256 if page.table else ""
    base = f"{site.base_url.rstrip('/')}/" if site.base_url else ""
    changed = page.changed or ""
    note = (
        f"Data updated {changed}; SHA-256 of the CSV file: {state}" if changed else f"SHA-256 of the CSV file: {state}"
    )
    fields = [
        ("title", f"{{{bibtex_text(page.main.text)}}}: recorded results"),
        ("howpublished", bibtex_text(site.title)),
        ("year", changed[:4]),
        ("url", base and bibtex_address(base) + page.main.to.html.removesuffix("index.html")),
        ("note", bibtex_text(note)),
    ]
    return entry("misc", f"{page.id}-{state[:8]}", fields)


def citations(page: BenchmarkPage, site: Site) -> Markup:
    """The entries of the table and of the sources that report to it."""
    entries = (("", table_bibtex(page, site)), *page.citations)
    made = [f'<pre data-cite="{name}">{html_text(text)}</pre>' for name, text in entries]
    return Markup("\n".join(made))  # noqa: S704 - escaped here


def _svg(chart: Chart) -> Markup:
    return Markup(chart.svg)  # noqa: S704 - `charts` escapes every text


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


BOARD_PIECES: dict[str, Callable[[BenchmarkPage, Site], Any]] = {
    "board_table": lambda page, _: board_html.board_table(page),
    "chart": lambda page, _: board_chart(page),
    "citations": citations,
    "json_ld": json_ld,
    "result_details": result_details,
}
"""The parts of a benchmark's page that take most of the time."""

BOARD_FILTERS: dict[str, Callable[..., Any]] = {
    "badge_legend": board_html.badge_legend,
    "size": size_words,
    "group_list": board_html.group_list,
    "runs_table": runs_table,
    "sentence": _sentence,
    "svg": _svg,
    "tab_href": tab_href,
    "words": words.SENTENCES.__getitem__,
}
