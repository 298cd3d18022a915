"""The site in Debian's Chromium: from a disk and below a path of a server, wide and narrow, light, dark and printed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import Browser, Server, start_browser
from pagesupport import TINY, build

pytestmark = pytest.mark.browser

BOARD = "sota/counterfactual-explanations-on-mnist-test/"
PAGES = [
    "index.html", "sota/index.html", f"{BOARD}index.html", f"{BOARD}validity/index.html", "method/index.html",
    "method/psce/index.html", "paper/6976f4e9a2b28e761d87c0f0/index.html", "metric/im1/index.html",
    "task/counterfactual-explanations/index.html", "dataset/mnist/index.html",
]  # fmt: skip
TINY_PAGES = [
    "index.html",
    "sota/sorting-numbers/index.html",
    "method/less-than/index.html",
    "paper/doe-2024/index.html",
]
LUMINANCE = """
const channel = value => { value /= 255; return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
const numbers = colour => colour.match(/[0-9.]+/g).map(Number);
const light = colour => { const [r, g, b] = numbers(colour).map(channel); return 0.2126*r + 0.7152*g + 0.0722*b; };
const ground = node => {
  for (; node; node = node.parentElement) {
    const colour = getComputedStyle(node).backgroundColor;
    if (numbers(colour)[3] !== 0) return colour;
  }
  return 'rgb(255, 255, 255)';
};
const poor = [];
for (const node of document.querySelectorAll('body *')) {
  const own = [...node.childNodes].some(child => child.nodeType === 3 && child.textContent.trim());
  if (!own || !node.getClientRects().length) continue;
  const [a, b] = [light(getComputedStyle(node).color), light(ground(node))];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const name = `${node.tagName}.${node.className}`;
  if (contrast < 4.5) poor.push(`${name} ${contrast.toFixed(2)} ${node.textContent.slice(0, 30)}`);
}
return poor;
"""


@pytest.fixture(scope="module", params=["disk", "server"])
def address(request: pytest.FixtureRequest, seed_site: Path) -> Iterator[str]:
    """Where the site of the repository's records is opened."""
    if request.param == "disk":
        yield f"file://{seed_site}/"
        return
    with Server(seed_site) as server:
        yield server.url


@pytest.mark.parametrize("page", PAGES)
def test_a_page_opens_with_its_style_and_without_complaint(browser: Browser, address: str, page: str) -> None:
    browser.open(address + page)
    assert browser.errors() == []
    assert browser.run("return document.styleSheets.length") == 1
    assert browser.run("return getComputedStyle(document.querySelector('.brand')).fontWeight") == "700"
    assert browser.run("return getComputedStyle(document.body).marginTop") == "0px"
    outside = browser.foreign_requests(address)
    assert outside == []


def test_the_board_shows_its_eleven_rows(browser: Browser, address: str) -> None:
    browser.open(f"{address}{BOARD}index.html")
    rows = browser.run(
        "return [...document.querySelectorAll('tbody tr')].filter(row => row.getBoundingClientRect().height > 10)"
        ".map(row => row.querySelector('.value').innerText.trim())"
    )
    assert rows == [
        "1.6426", "1.6426", "1.6408", "1.4984", "1.4739", "1.2373", "1.2373", "1.2298", "0.9768", "0.9273", "0.9273",
    ]  # fmt: skip


def test_links_lead_from_the_first_page_to_a_cited_number(browser: Browser, address: str) -> None:
    """Home, board, a metric's notice, its citation; then back by the board to the paper and to one result."""
    browser.open(f"{address}index.html")
    for text in ("Counterfactual Explanations on MNIST (test)", "IM1", "Verma et al. 2024"):
        browser.click(text)
    assert browser.title().startswith("Counterfactual Explanations and Algorithmic Recourses")
    browser.open(f"{address}{BOARD}index.html")
    browser.click("Duell & Fan 2026")
    assert browser.title().startswith("Provably Robust Bayesian Counterfactual Explanations")
    browser.click("69991f7a5698665ec4866dd4")
    assert browser.run("return location.hash") == "#r-69991f7a5698665ec4866dd4"
    target = browser.run("return document.querySelector('tr:target').innerText")
    assert "Wachter" in target
    assert "1.4984" in target
    assert browser.errors() == []


def test_tabs_lead_to_the_views_and_mark_the_current_one(browser: Browser, address: str) -> None:
    browser.open(f"{address}{BOARD}index.html")
    browser.run("document.querySelector('.tabs a:nth-child(4)').click()")
    browser.wait("return document.title.includes('Validity')")
    assert browser.run("return document.querySelector('.tabs [aria-current]').innerText").startswith("Validity")


@pytest.mark.parametrize("width", [360, 1280])
def test_no_page_is_wider_than_the_window(browser: Browser, seed_site: Path, tiny_site: Path, width: int) -> None:
    browser.size(width, 900)
    wide = {}
    for site, pages in ((seed_site, [*PAGES, "404.html"]), (tiny_site, TINY_PAGES)):
        for page in pages:
            browser.open(f"file://{site}/{page}")
            if browser.overflow() > 0:
                wide[page] = browser.overflow()
    assert wide == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_has_enough_contrast(browser: Browser, seed_site: Path, tiny_site: Path, scheme: str) -> None:
    browser.media("", scheme)
    poor = {}
    for site, pages in ((seed_site, PAGES), (tiny_site, TINY_PAGES)):
        for page in pages:
            browser.open(f"file://{site}/{page}")
            if found := browser.run(LUMINANCE):
                poor[page] = found
    assert poor == {}


def test_the_contrast_check_finds_pale_text(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p style='color:#999'>pale</p><p style='color:#000'>clear</p>")
    browser.open(f"file://{tmp_path}/a.html")
    assert [line.split(" ")[0] for line in browser.run(LUMINANCE)] == ["P."]


def test_light_and_dark_differ(browser: Browser, seed_site: Path) -> None:
    seen = []
    for scheme in ("light", "dark"):
        browser.media("", scheme)
        browser.open(f"file://{seed_site}/{BOARD}index.html")
        seen.append(
            browser.run(
                "return ['backgroundColor', 'color'].map(name => getComputedStyle(document.body)[name])"
                ".concat(getComputedStyle(document.querySelector('main a')).color)"
            )
        )
    assert not set(seen[0]) & set(seen[1])


def test_print_leaves_out_what_only_a_screen_needs(browser: Browser, seed_site: Path) -> None:
    browser.open(f"file://{seed_site}/{BOARD}index.html")
    shown = "return ['.top nav', '.tabs', '.skip', '.here'].map(name => document.querySelector(name).offsetWidth > 0)"
    assert browser.run(shown) == [True, True, True, True]
    browser.media("print")
    assert browser.run(shown) == [False, False, False, False]
    assert browser.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.run("return document.querySelector('h1').offsetHeight > 0") is True


def test_the_error_page_works_below_a_path(browser: Browser, tmp_path: Path) -> None:
    with Server(build(TINY / "data", tmp_path / "public", "https://example.org/x/y")) as server:
        browser.open(f"{server.url}404.html")
        assert browser.errors() == []
        assert browser.run("return getComputedStyle(document.body).marginTop") == "0px"
        browser.click("Go to the first page")
        assert browser.title() == "Tiny registry"


def test_the_first_stop_of_the_keyboard_skips_to_the_content(browser: Browser, seed_site: Path) -> None:
    browser.open(f"file://{seed_site}/index.html")
    browser.press_tab()
    assert browser.run("return document.activeElement.getAttribute('href')") == "#content"
    assert browser.run("return document.activeElement.getBoundingClientRect().left >= 0") is True


@pytest.mark.parametrize(("ci", "outcome"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)])
def test_a_missing_browser_skips_but_fails_in_ci(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ci: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setattr("browser.CHROMIUM", str(tmp_path / "chromium"))
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="no browser"):
        start_browser()
