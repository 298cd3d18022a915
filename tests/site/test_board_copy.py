"""Rows of a benchmark's table in Debian's Chromium: picked, compared side by side, and copied in four forms."""

from pathlib import Path

import pytest

from boardpage import BOARD, choose, copied, publish
from browser import Browser

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, seed_site: Path) -> Browser:
    """The board of the repository's records, opened from a disk."""
    browser.open(f"file://{seed_site}/{BOARD}index.html")
    return browser


def test_picked_rows_are_compared_by_what_differs(page: Browser) -> None:
    page.run("for (const at of [0, 2]) document.querySelectorAll('.box input')[at].click()")
    page.run("[...document.querySelectorAll('.picked button')].find(n => n.textContent === 'Compare').click()")
    table = "return [...document.querySelectorAll('dialog tr')].map(row => [...row.cells].map(cell => cell.innerText))"
    rows = {row[0]: row[1:] for row in page.run(table)}
    assert rows["Inference Method"] == ["MC Dropout", "BNN"]
    assert rows["Result id"] == ["69991f7a5698665ec4866dd2", "69991f7a5698665ec4866df6"]
    assert not {"Method", "Evidence", "Report paper", "Place in the source"} & set(rows)
    assert "Not like for like" in page.run("return document.querySelector('dialog .warn').innerText")


def test_rows_of_one_group_compare_without_a_warning(page: Browser) -> None:
    page.run("for (const at of [0, 3]) document.querySelectorAll('.box input')[at].click()")
    page.run("[...document.querySelectorAll('.picked button')].find(n => n.textContent === 'Compare').click()")
    assert page.run("return document.querySelectorAll('dialog .warn').length") == 0
    page.run("document.querySelector('dialog button').click()")
    page.run("for (const at of [4, 5, 6]) document.querySelectorAll('.box input')[at].click()")
    assert "at most 4" in page.run("return document.querySelector('.picked').innerText")


def test_rows_are_copied_as_shown(page: Browser) -> None:
    choose(page, "Inference Method", "BNN")
    lines = copied(page, "Rows as Markdown").splitlines()
    assert lines[0].startswith("| \\# recorded | \\# cited | Method | IM1 Score ↑ |")
    assert lines[1].startswith("| --: | --: | --- | --: |")
    assert [line.split(" | ")[2:4] for line in lines[2:]] == [
        ["BayesCF", "1.6408"],
        ["Schut", "1.2298"],
        ["PSCE", "0.9768"],
    ]
    tex = copied(page, "Rows as LaTeX")
    assert tex.splitlines()[1].startswith("\\begin{tabular}{rrlr")
    assert "  2 & 7 & BayesCF & 1.6408 & B 1 & BNN &" in tex
    assert "\\# recorded" in tex
    bibtex = copied(page, "Rows as BibTeX")
    assert bibtex.startswith("@misc{counterfactual-explanations-on-mnist-test-")
    assert "Jamie Duell and Xiuyi Fan" in bibtex


def test_ticked_rows_are_copied_alone_and_formulas_do_no_harm(
    browser: Browser, tmp_path: Path, minimal: dict[str, str]
) -> None:
    minimal["metrics.yaml"] = minimal["metrics.yaml"].replace('  min: "0"\n', "")
    minimal["sources/paper-a.yaml"] += (
        "  - id: row-3\n    benchmark: sorting-on-numbers\n    method: merge\n    method_label: '=1+1|\"x\"'\n"
        "    scores: {accuracy: '-5'}\n"
    )
    site = publish(minimal, tmp_path)
    browser.open(f"file://{site}/sota/sorting-on-numbers/index.html")
    browser.run("document.querySelectorAll('.box input')[2].click()")
    lines = copied(browser, "Rows as CSV").replace("\r\n", "\n").split("\n")
    assert len(lines) == 2
    assert '"\'=1+1|""x"""' in lines[1]
    assert '"-5"' in lines[1]
    assert "=1+1\\|" in copied(browser, "Rows as Markdown")


@pytest.mark.parametrize("view", ["", "acc/", "err/"])
def test_entries_of_the_sources_of_the_rows_are_copied_on_every_view(
    browser: Browser, tmp_path: Path, view: str
) -> None:
    metric = "label: {0}, direction: higher, unit: percent"
    listed = [f"{{key: {key}, {metric.format(key.upper())}}}" for key in ("acc", "err")]
    files = {
        "registry.yaml": "title: Copies\n",
        "tasks.yaml": "- {id: t, name: T}\n",
        "datasets.yaml": "- {id: d, name: D}\n",
        "methods.yaml": "- {id: m, name: M}\n",
        "benchmarks.yaml": f"- {{id: b, title: B, task: t, dataset: d, metrics: [{', '.join(listed)}]}}\n",
    }
    for number in range(3):
        rows = "".join(
            f"  - {{id: r{number}{at}, benchmark: b, method: m, config: {{Of: {number}, At: {at}}}, "
            f"scores: {{acc: '{number}{at}', err: '{number}'}}}}\n"
            for at in range(2)
        )
        files[f"sources/p{number}.yaml"] = f"id: p{number}\ntype: paper\ntitle: Paper {number}\nresults:\n{rows}"
    browser.open(f"file://{publish(files, tmp_path)}/sota/b/{view}index.html")
    told = "return document.querySelector('.tools .count').textContent"
    entries = copied(browser, "Rows as BibTeX").split("\n\n")
    assert [entry.partition(",")[0].partition("-")[0] for entry in entries] == [
        "@misc{b",
        "@misc{p2",
        "@misc{p1",
        "@misc{p0",
    ]
    assert browser.run(told) == "4 BibTeX entries copied"
    choose(browser, "Of", "1")
    entries = copied(browser, "Rows as BibTeX").split("\n\n")
    assert [entry.partition(",")[0].partition("-")[0] for entry in entries] == ["@misc{b", "@misc{p1"]
    assert "title         = {{Paper 1}}" in entries[1]
    assert browser.run(told) == "2 BibTeX entries copied"


def test_marks_are_copied_with_the_rows(page: Browser) -> None:
    lines = copied(page, "Rows as CSV").replace("\r\n", "\n").split("\n")
    assert lines[0].endswith(',"Marks"')
    assert [line.endswith(',"≈ duplicate"') for line in lines[1:]] == [
        False, True, False, False, False, False, True, False, False, False, True
    ]  # fmt: skip
    rule = copied(page, "Rows as Markdown").split("\n")[1]
    assert rule.endswith(" --- |")
