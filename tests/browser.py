"""Debian's Chromium for tests: one place that knows its options, and a server on the loopback interface."""

import contextlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
OPTIONS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip


class Browser:
    """A browser window with what tests ask of it."""

    def __init__(self) -> None:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service

        os.environ["SE_OFFLINE"] = "true"
        self._profile = tempfile.mkdtemp(prefix="sotakit-browser-")
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for option in (*OPTIONS, f"--user-data-dir={self._profile}"):
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))
        self.driver.execute_cdp_cmd("Network.enable", {})

    def close(self) -> None:
        """End the browser and remove its profile."""
        self.driver.quit()
        shutil.rmtree(self._profile, ignore_errors=True)

    def open(self, url: str) -> None:
        """Go to a page."""
        self.driver.get(url)

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of a script."""
        return self.driver.execute_script(script, *arguments)

    def title(self) -> str:
        """The title of the page."""
        return str(self.driver.title)

    def wait(self, condition: str) -> None:
        """Until a script gives a true value."""
        from selenium.webdriver.support.wait import WebDriverWait

        WebDriverWait(self.driver, 10).until(lambda driver: driver.execute_script(condition))

    def wait_for(self, condition: Callable[[], bool]) -> None:
        """Until something outside the page is so."""
        from selenium.webdriver.support.wait import WebDriverWait

        WebDriverWait(self.driver, 10).until(lambda _: condition())

    def click(self, text: str) -> None:
        """Follow the first link of the content with that text, and wait for the page it leads to."""
        before = self.run("return location.href")
        link = "[...document.querySelectorAll('main a')].find(node => node.textContent === arguments[0])"
        self.run(f"{link}.click()", text)
        self.wait(f"return location.href !== {before!r} && document.readyState === 'complete'")

    def press_tab(self) -> None:
        """Press the tabulator key."""
        from selenium.webdriver.common.by import By
        from selenium.webdriver.common.keys import Keys

        self.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)

    def size(self, width: int, height: int) -> None:
        """Make the page that wide, as a phone or a desk would."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def media(self, medium: str = "", scheme: str = "light") -> None:
        """Show the page as on paper or on a screen, light or dark."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": medium, "features": features})

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        return int(self.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth"))

    def errors(self) -> list[str]:
        """What the console complains about since it was last asked."""
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries]

    def foreign_requests(self, own: str) -> list[str]:
        """Addresses outside the site that the page asked for."""
        names = self.run("return performance.getEntries().map(entry => entry.name)")
        return [name for name in names if "://" in name and not name.startswith(own)]


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the overridden method
        pass


class Server:
    """A folder served on a free port of this machine, below `/x/y/` as a project page would be."""

    def __init__(self, site: Path) -> None:
        self._root = tempfile.TemporaryDirectory(prefix="sotakit-server-")
        below = Path(self._root.name) / "x"
        below.mkdir()
        (below / "y").symlink_to(site)
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=self._root.name))
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self.url = f"http://127.0.0.1:{self._http.server_port}/x/y/"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        self._root.cleanup()


def start_browser() -> Browser:
    """A browser; without one the test is skipped, but fails where CI=true."""
    missing = [path for path in (CHROMIUM, DRIVER) if not Path(path).exists()]
    if missing:
        reason = f"no browser: {', '.join(missing)} missing"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return Browser()


def close_quietly(browser: Browser) -> None:
    """End a browser that may be gone already."""
    with contextlib.suppress(Exception):
        browser.close()
