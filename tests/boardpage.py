"""What tests do with the page of a benchmark in a browser: sort, filter, tick, copy."""

from pathlib import Path

from browser import Browser
from pagesupport import build

BOARD = "sota/counterfactual-explanations-on-mnist-test/"
SHOWN = (
    "return [...document.querySelectorAll('.board tbody tr[data-result]')].filter(row => !row.hidden)"
    ".map(row => [row.querySelector('th bdi').innerText, row.querySelector('.value .text').innerText])"
)
COUNT = "return document.querySelector('.tools .count').textContent"
# The eleven rows in the order of the page: method and value as the source prints them.
ROWS = [
    ["BayesCF", "1.6426"], ["BayesCF", "1.6426"], ["BayesCF", "1.6408"], ["Wachter", "1.4984"], ["ROAR", "1.4739"],
    ["Schut", "1.2373"], ["Schut", "1.2373"], ["Schut", "1.2298"], ["PSCE", "0.9768"], ["PSCE", "0.9273"],
    ["PSCE", "0.9273"],
]  # fmt: skip


def sort(browser: Browser, label: str) -> str:
    """Press the button of a column; gives the direction it then has."""
    script = (
        "const all = [...document.querySelectorAll('.board thead button')];"
        "const b = all.find(n => n.innerText.startsWith(arguments[0]));"
        "b.click(); return b.closest('th').getAttribute('aria-sort')"
    )
    return str(browser.run(script, label))


def choose(browser: Browser, label: str, value: str) -> None:
    """Choose a value of a facet."""
    browser.run(
        "const s = [...document.querySelectorAll('.tools label')].find(n => n.firstChild.data === arguments[0])"
        ".querySelector('select'); s.value = arguments[1]; s.dispatchEvent(new Event('change'))",
        label,
        value,
    )


def tick(browser: Browser, label: str) -> None:
    """Press the box with a label in the menu View."""
    browser.run(
        "[...document.querySelectorAll('.tools .tick-box')].find(n => n.innerText.includes(arguments[0])"
        " || n.textContent.includes(arguments[0])).querySelector('input').click()",
        label,
    )


def search(browser: Browser, words: str) -> None:
    """Type into the box that filters the rows."""
    browser.run(
        "const box = document.querySelector('.tools [type=search]'); box.value = arguments[0];"
        "box.dispatchEvent(new Event('input'))",
        words,
    )


def copied(browser: Browser, form: str) -> str:
    """What a press in the menu Copy puts on the clipboard."""
    grant = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    browser.driver.execute_cdp_cmd("Browser.grantPermissions", grant)
    browser.driver.execute_cdp_cmd("Page.bringToFront", {})
    browser.run(
        "[...document.querySelectorAll('.tools button')].find(n => n.textContent === arguments[0]).click()", form
    )
    browser.wait("return document.querySelector('.tools .count').textContent.includes('copied')")
    return str(browser.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])"))


def publish(files: dict[str, str], folder: Path) -> Path:
    """The site of a few record files."""
    for name, text in files.items():
        path = folder / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return build(folder / "data", folder / "public")
