"""A new user's way from the first page to a cited number and a downloaded table: by mouse, then by keys alone.

With `PICTURES=write` (`make pictures`) every page on the way is photographed for the docs.
"""

import base64
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from browser import Browser, Server
from pagesupport import build

pytestmark = pytest.mark.browser

BOARD = "counterfactual-explanations-on-mnist-test"
CSV = '#data ~ .downloads a[href$=".csv"]'
MAX_STEPS = 400


class Visitor:
    """Somebody at a desk with a mouse and a keyboard, who keeps what is downloaded."""

    def __init__(self, browser: Browser, folder: Path, pictures: Path) -> None:
        self._driver, self._folder, self._pictures = browser.driver, folder, pictures
        self.browser = browser
        where = {"behavior": "allow", "downloadPath": str(folder)}
        self._driver.execute_cdp_cmd("Browser.setDownloadBehavior", where)

    def click(self, selector: str, text: str = "") -> None:
        """Point at the first element that a reader can see (the first with a text, if one is given), and click."""
        ActionChains(self._driver).scroll_to_element(self._seen(selector, text)).perform()
        ActionChains(self._driver).move_to_element(self._seen(selector, text)).click().perform()

    def press(self, *keys: str) -> None:
        """Press keys wherever the focus is."""
        ActionChains(self._driver).send_keys(*keys).perform()

    def tab_to(self, selector: str) -> None:
        """Press the tabulator key until an element has the focus."""
        for _ in range(MAX_STEPS):
            self.press(Keys.TAB)
            if self.browser.run("return document.activeElement.matches(arguments[0])", selector):
                return
        raise AssertionError(f"{selector} is not reached by the keyboard")

    def arrives(self, path: str) -> None:
        """Wait for a page, looked at in full."""
        self.browser.wait(f"return location.pathname.endsWith({path!r}) && document.readyState === 'complete'")

    def received(self, name: str) -> bytes:
        """A downloaded file."""
        self.browser.wait_for((self._folder / name).exists)
        return (self._folder / name).read_bytes()

    def picture(self, name: str) -> None:
        """Keep what the window shows, if pictures are wanted."""
        if os.environ.get("PICTURES") == "write":
            shown = self._driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "webp", "quality": 80})
            self._pictures.mkdir(exist_ok=True)
            (self._pictures / f"{name}.webp").write_bytes(base64.b64decode(shown["data"]))

    def _seen(self, selector: str, text: str) -> WebElement:
        found = self._driver.find_elements("css selector", selector)
        return next(node for node in found if node.is_displayed() and (not text or node.text == text))


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """The site on a server."""
    with Server(site) as server:
        yield server.url


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of everything that the repository holds."""
    return build(root / "data", tmp_path_factory.mktemp("whole") / "public")


@pytest.fixture
def visitor(browser: Browser, tmp_path: Path, root: Path) -> Visitor:
    """Somebody who has never been here."""
    return Visitor(browser, tmp_path, root / "docs" / "pictures")


def test_by_mouse(visitor: Visitor, address: str, site: Path) -> None:
    browser = visitor.browser
    browser.open(f"{address}index.html")
    visitor.picture("home")
    visitor.click("main a", "Counterfactual Explanations")
    visitor.arrives("/task/counterfactual-explanations/index.html")
    visitor.picture("task")
    visitor.click("main table a", "Counterfactual Explanations on MNIST (test)")
    visitor.arrives(f"{BOARD}/index.html")
    visitor.picture("benchmark")

    visitor.click(".answer a", "0.9273")
    assert "0.9273" in browser.run("return document.querySelector('tr:target').innerText")
    visitor.click("tr:target td.cite a")
    visitor.arrives("/paper/6976f4e9a2b28e761d87c0f0/index.html")
    visitor.picture("paper")
    assert "arxiv.org" in browser.run("return document.querySelector('main').innerText").lower()
    browser.driver.back()
    visitor.arrives(f"{BOARD}/index.html")

    visitor.click("#cite summary")
    entries = browser.run("return [...document.querySelectorAll('#cite pre')].map(node => node.innerText)")
    visitor.click(CSV)
    raw = visitor.received(f"{BOARD}.csv")
    assert raw == (site / f"sota/{BOARD}.csv").read_bytes()
    digest = hashlib.sha256(raw).hexdigest()
    assert browser.run("return document.querySelector('.downloads code').title") == digest
    assert digest in entries[0].replace("\n", "")
    assert any("Provably Robust Bayesian Counterfactual Explanations" in entry for entry in entries[1:])
    visitor.picture("cite-and-download")
    assert browser.errors() == []


def test_by_keyboard(visitor: Visitor, address: str, site: Path) -> None:
    browser = visitor.browser
    browser.open(f"{address}index.html")
    visitor.press("/")
    browser.wait("return document.activeElement.getAttribute('role') === 'combobox'")
    visitor.press("counterfactual mnist")
    browser.wait("return document.querySelector('[role=option][aria-selected=true]')")
    visitor.picture("search")
    visitor.press(Keys.ENTER)
    visitor.arrives(f"{BOARD}/index.html")

    visitor.tab_to(".answer a")
    visitor.press(Keys.ENTER)
    browser.wait("return document.querySelector('tr:target')")
    visitor.tab_to("tr:target td.cite a")
    visitor.press(Keys.ENTER)
    visitor.arrives("/paper/6976f4e9a2b28e761d87c0f0/index.html")
    browser.driver.back()
    visitor.arrives(f"{BOARD}/index.html")

    visitor.tab_to(CSV)
    visitor.press(Keys.ENTER)
    visitor.tab_to("#cite summary")
    visitor.press(Keys.SPACE)
    browser.wait("return document.querySelector('#cite').open")
    assert visitor.received(f"{BOARD}.csv") == (site / f"sota/{BOARD}.csv").read_bytes()
    assert browser.errors() == []


OTHERS = {
    "regenerated": (f"sota/{BOARD}/index.html#regenerated", 1280, "light"),
    "method": ("method/wachter/index.html", 1280, "light"),
    "metric": ("metric/im1/index.html", 1280, "light"),
    "dataset": ("dataset/mnist/index.html", 1280, "light"),
    "corrections": ("corrections/index.html", 1280, "light"),
    "about": ("about/index.html", 1280, "light"),
    "benchmark-dark": (f"sota/{BOARD}/index.html", 1280, "dark"),
    "benchmark-phone": (f"sota/{BOARD}/index.html", 390, "light"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_every_other_kind_of_page_starts_with_a_heading_in_sight(visitor: Visitor, address: str, name: str) -> None:
    path, width, scheme = OTHERS[name]
    visitor.browser.size(width, 900)
    visitor.browser.media(scheme=scheme)
    visitor.browser.open(address + path)
    visitor.picture(name)
    heading = "(document.querySelector(':target') ?? document.querySelector('h1'))"
    top, end = visitor.browser.run(f"const box = {heading}.getBoundingClientRect(); return [box.top, box.bottom]")
    assert 0 <= top < end < 450  # the upper half
