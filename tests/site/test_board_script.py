"""The script of a benchmark's page in Debian's Chromium: what it adds, and that the page is whole without it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from boardpage import BOARD, COUNT, ROWS, SHOWN, choose, publish, search, sort, tick
from browser import Browser, Server

pytestmark = pytest.mark.browser


@pytest.fixture
def page(browser: Browser, seed_site: Path) -> Browser:
    """The board of the repository's records, opened from a disk."""
    browser.open(f"file://{seed_site}/{BOARD}index.html")
    return browser


def test_rows_sort_by_value_first_in_the_better_direction(page: Browser) -> None:
    assert page.run(SHOWN) == ROWS
    assert sort(page, "IM1 Score") == "descending"
    assert page.run(SHOWN) == ROWS
    assert sort(page, "IM1 Score") == "ascending"
    assert [value for _, value in page.run(SHOWN)] == sorted(value for _, value in ROWS)
    assert page.run("return document.querySelectorAll('.board [aria-sort]').length") == 1
    assert sort(page, "Method") == "ascending"
    assert [name for name, _ in page.run(SHOWN)] == sorted((name for name, _ in ROWS), key=str.casefold)


def test_what_is_not_recorded_sorts_last_either_way(browser: Browser, tiny_site: Path) -> None:
    browser.open(f"file://{tiny_site}/sota/sorting-numbers/index.html")
    names = "return [...document.querySelectorAll('.board tbody tr')].map(row => row.dataset.result)"
    for _ in range(2):
        sort(browser, "Threads")
        assert browser.run(names)[-1] == "t-4"  # the only row without threads
    sort(browser, "Threads")
    assert browser.run(names) == ["t-1", "t-2", "t-3", "t-5", "t-4"]  # 1, 1, 2, 8: numbers, not letters


def test_the_table_of_runs_sorts_too(browser: Browser, tmp_path: Path) -> None:
    from conftest import MINIMAL

    files = dict(MINIMAL)
    files["sources/run-1.yaml"] = (
        "id: run-1\ntype: run\nresults:\n"
        "  - {id: a, benchmark: sorting-on-numbers, method: bubble, scores: {accuracy: '9.5'}}\n"
        "  - {id: b, benchmark: sorting-on-numbers, method: merge, scores: {accuracy: '10.5'}}\n"
    )
    browser.open(f"file://{publish(files, tmp_path)}/sota/sorting-on-numbers/index.html")
    order = "return [...document.querySelectorAll('.runs tbody tr')].map(row => row.dataset.result)"
    assert browser.run(order) == ["b", "a"]
    browser.run("document.querySelectorAll('.runs thead button')[2].click()")
    assert browser.run(order) == ["a", "b"]


def test_words_and_facets_filter_and_the_count_follows(page: Browser) -> None:
    assert page.run(COUNT) == "11 of 11 rows"
    search(page, "schut dropout")
    assert page.run(SHOWN) == [["Schut", "1.2373"], ["Schut", "1.2373"]]
    assert page.run(COUNT) == "2 of 11 rows"
    search(page, "")
    choose(page, "Inference Method", "BNN")
    assert page.run(SHOWN) == [["BayesCF", "1.6408"], ["Schut", "1.2298"], ["PSCE", "0.9768"]]
    assert page.run("return document.querySelector('.tools .count').getAttribute('aria-live')") == "polite"
    page.run("[...document.querySelectorAll('.tools button')].find(n => n.textContent === 'Reset').click()")
    assert page.run(SHOWN) == ROWS


def test_the_best_of_each_method_stands_for_the_others(page: Browser) -> None:
    tick(page, "Best of each method")
    assert [name for name, _ in page.run(SHOWN)] == ["BayesCF", "Wachter", "ROAR", "Schut", "PSCE"]
    notes = page.run("return [...document.querySelectorAll('.board tr:not([hidden]) .more')].map(n => n.textContent)")
    assert notes == ["+2 configurations"] * 3


def test_groups_stand_in_blocks_with_their_own_ranking(page: Browser) -> None:
    tick(page, "Like for like")
    script = (
        "return [...document.querySelectorAll('.board tbody tr')].map(row => row.className === 'grouphead'"
        " ? row.innerText : row.querySelector('.value .text').innerText)"
    )
    assert page.run(script) == [
        "A · Inference Method: MC Dropout", "1.6426", "1.6426", "1.4984", "1.4739", "1.2373", "1.2373", "0.9273",
        "0.9273", "B · Inference Method: BNN", "1.6408", "1.2298", "0.9768",
    ]  # fmt: skip
    tick(page, "Like for like")
    assert page.run(SHOWN) == ROWS


@pytest.mark.parametrize("where", ["disk", "server"])
def test_the_address_keeps_the_view(browser: Browser, seed_site: Path, where: str) -> None:
    with Server(seed_site) as server:
        browser.open(f"{server.url if where == 'server' else f'file://{seed_site}/'}{BOARD}index.html")
        choose(browser, "Inference Method", "MC Dropout")
        search(browser, "psce")
        sort(browser, "IM1 Score")
        tick(browser, "Report paper")
        address = browser.run("return location.href")
        browser.open("about:blank")
        browser.open(address)
        assert browser.run(SHOWN) == [["PSCE", "0.9273"], ["PSCE", "0.9273"]]
        assert browser.run("return document.querySelector('[aria-sort]').dataset.c") == "value"
        assert browser.run("return document.querySelector('.board td.cite').offsetWidth") == 0
        assert browser.errors() == []


@pytest.mark.parametrize("wanted", ["Validity", "validity"])
def test_an_address_with_a_metric_leads_to_its_page(browser: Browser, seed_site: Path, wanted: str) -> None:
    browser.open(f"file://{seed_site}/{BOARD}index.html?metric={wanted}#scope")
    browser.wait("return document.title.includes('Validity')")
    assert browser.run("return location.pathname").endswith(f"{BOARD}validity/index.html")
    assert browser.run("return location.hash") == "#scope"


@pytest.mark.parametrize("wanted", ["IM1%20Score", "nothing", "javascript:alert(1)"])
def test_the_metric_of_the_page_itself_or_no_metric_stays(browser: Browser, seed_site: Path, wanted: str) -> None:
    browser.open(f"file://{seed_site}/{BOARD}index.html?metric={wanted}")
    assert browser.run("return location.pathname").endswith(f"{BOARD}index.html")
    assert browser.run(SHOWN) == ROWS


def test_everything_is_reached_by_keys(page: Browser) -> None:
    press = page.driver.switch_to.active_element.send_keys
    press("?")
    assert "previous and next metric" in page.run("return document.querySelector('dialog').innerText")
    page.driver.switch_to.active_element.send_keys("\ue00c")  # Escape
    page.wait("return !document.querySelector('dialog')")
    page.driver.switch_to.active_element.send_keys("f")
    page.driver.switch_to.active_element.send_keys("roar")
    assert page.run(SHOWN) == [["ROAR", "1.4739"]]
    for _ in range(40):
        page.driver.switch_to.active_element.send_keys("\ue004")  # tabulator
        if page.run("return document.activeElement.innerText").startswith("Method"):
            break
    page.driver.switch_to.active_element.send_keys("\ue007")  # enter
    assert page.run("return document.activeElement.closest('th').getAttribute('aria-sort')") == "ascending"
    page.run("document.activeElement.blur()")
    page.driver.switch_to.active_element.send_keys("]")
    page.wait("return document.title.includes('Implausibility')")
    page.driver.switch_to.active_element.send_keys("[")
    page.wait("return !document.title.includes('Implausibility') && document.querySelector('.tools')")


def test_without_the_script_the_page_is_whole(browser: Browser, seed_site: Path, tmp_path: Path) -> None:
    shutil.copytree(seed_site, tmp_path / "site")
    (tmp_path / "site/static/board.js").write_text("")
    browser.open(f"file://{tmp_path}/site/{BOARD}index.html")
    assert browser.run(SHOWN) == ROWS
    assert browser.run("return document.querySelectorAll('main input, main select, main button').length") == 0
    assert browser.run("return document.querySelectorAll('.chart a').length") == 8  # duplicates are drawn once
    browser.run("document.querySelector('#groups summary').click()")
    groups = browser.run("return [...document.querySelectorAll('#groups dt')].map(node => node.innerText)")
    assert groups == ["A Inference Method: MC Dropout", "B Inference Method: BNN"]
    ranks = browser.run("return [...document.querySelectorAll('#groups dd:last-child li')].map(node => node.innerText)")
    assert ranks == ["1 BayesCF 1.6408", "2 Schut 1.2298", "3 PSCE 0.9768"]


@pytest.mark.parametrize("width", [360, 1280])
def test_open_menus_and_dialogs_do_not_widen_the_page(page: Browser, width: int) -> None:
    page.size(width, 800)
    for at in range(3):
        page.run("document.querySelectorAll('.tools details')[arguments[0]].open = true", at)
        menu = "document.querySelector('.tools details[open] > div').getBoundingClientRect()"
        box = page.run(f"const menu = {menu}; return [menu.left, menu.right]")
        assert box[0] >= 0, at
        assert box[1] <= width, at
        assert page.overflow() <= 0
        page.run("document.querySelectorAll('.tools details').forEach(one => { one.open = false; })")
    page.run("for (const at of [0, 2]) document.querySelectorAll('.box input')[at].click()")
    page.run("document.querySelector('.picked button').click()")
    assert page.overflow() <= 0


def test_paper_shows_every_result_and_no_tools(page: Browser) -> None:
    page.media("print")
    assert page.run("return ['.tools', '.picked', '.box'].every(name => !document.querySelector(name)?.offsetWidth)")
    assert page.run("return document.querySelector('.result dl').offsetHeight > 50")
    assert page.run("return document.querySelector('.chart').getBoundingClientRect().height > 100")


def test_a_point_of_the_chart_leads_to_its_row(page: Browser) -> None:
    target = page.run("return document.querySelector('.chart a').getAttribute('href')")
    page.run("document.querySelector('.chart a').dispatchEvent(new MouseEvent('click'))")
    page.wait("return location.hash !== ''")
    assert page.run("return document.querySelector(':target').dataset.result") == target.removeprefix("#r-")


def test_a_badge_unfolds_the_result_it_stands_for(page: Browser) -> None:
    page.run("document.querySelector('.board .badge').click()")
    page.wait("return document.querySelector('.result details[open]')")
    opened: Any = page.run("return document.querySelector('.result details[open] code').textContent")
    assert opened == "69991f7a5698665ec4866dd2"
    assert json.loads(page.run("return document.querySelector('.result details[open] code[dir]').textContent")) == {
        "Uncertainty Estimation": "MC Dropout"
    }
