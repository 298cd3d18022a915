"""The search box: its data, its ranking, and its keyboard, from a disk and below a path."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from browser import Browser, Server
from pagesupport import build
from sotakit.publish import search
from sotakit.publish.search import fold
from sotakit.publish.site_check import check_site

Write = Callable[..., Path]

METHODS = [
    ("bert-base", "BERT Base", ["Bidirectional Encoder"]),
    ("bert-large", "BERT Large", []),
    ("roberta", "RoBERTa", []),
    ("sbert", "Sentence-BERT", []),
    ("bertology", "My Bertology", []),
    ("elan", "Élan Vital", []),
    ("chinese", "你好 模型", []),
    ("script", "<img src=x onerror='window.pwned=1'> & co", []),
]


def records(methods: list[tuple[str, str, list[str]]]) -> dict[str, str]:
    """One board with one result of the first method, and as many methods as given."""
    result = {"id": "r-1", "benchmark": "glue-mnli", "method": methods[0][0], "scores": {"acc": "90"}}
    source = {"id": "devlin", "type": "paper", "title": "Deep Bidirectional Transformers", "authors": ["Jacob Devlin"]}
    board = {"id": "glue-mnli", "title": "Inference on GLUE", "task": "nli", "dataset": "glue"}
    metric = {"key": "acc", "label": "Accuracy", "direction": "higher", "unit": "percent"}
    return {
        "tasks.json": json.dumps([{"id": "nli", "name": "Natural Language Inference"}]),
        "datasets.json": json.dumps([{"id": "glue", "name": "GLUE"}]),
        "methods.json": json.dumps([{"id": key, "name": name, "aliases": more} for key, name, more in methods]),
        "benchmarks.json": json.dumps([board | {"metrics": [metric]}]),
        "sources.json": json.dumps([source | {"arxiv": "1810.04805", "date": "2018", "results": [result]}]),
    }


def data_of(site: Path) -> dict[str, Any]:
    text = (site / "search/index.js").read_text(encoding="utf-8")
    found = re.fullmatch(r"globalThis\.sotakitSearch=(\{.*\});\n", text)
    assert found
    return dict(json.loads(found[1]))


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the records above: all of its search data is in one file."""
    folder = tmp_path_factory.mktemp("search")
    for name, text in records(METHODS).items():
        (folder / "data").mkdir(exist_ok=True)
        (folder / "data" / name).write_text(text, encoding="utf-8")
    return build(folder / "data", folder / "public")


def test_the_data_has_every_page_once_and_each_leads_to_a_file(small: Path) -> None:
    data = data_of(small)
    assert (data["format"], data["kinds"]) == (1, ["sota", "task", "metric", "dataset", "method", "paper"])
    entries = {(data["kinds"][kind], name): rest for kind, name, *rest in data["entries"]}
    assert len(entries) == len(data["entries"]) == 1 + 1 + 1 + 8 + 1
    assert entries["sota", "glue-mnli"] == ["Inference on GLUE", 1, "Accuracy"]
    assert entries["task", "nli"] == ["Natural Language Inference", 1, ""]
    assert entries["method", "bert-base"] == ["BERT Base", 1, "Bidirectional Encoder"]
    assert entries["method", "roberta"] == ["RoBERTa", 0, ""]
    assert entries["paper", "devlin"] == ["Deep Bidirectional Transformers", 1, "Devlin 2018, 1810.04805"]
    assert [key for key in entries if not (small / key[0] / key[1] / "index.html").is_file()] == []


@pytest.mark.parametrize(
    ("text", "folded"),
    [("Élan", "elan"), ("ÅNGSTRÖM", "angstrom"), ("ﬁne", "fine"), ("K²", "k2"), ("你好", "你好"), ("हिन्दी", "हनद")],
)
def test_text_is_compared_without_accents_and_case(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A site whose search data must be cut: a limit of 3,000 bytes, 150 methods that share a word."""
    folder = tmp_path_factory.mktemp("large")
    many = [(f"net-{n}", f"Network number{n:03d} of kind {'xyz'[n % 3]}", []) for n in range(150)]
    for name, text in records([*METHODS, *many]).items():
        (folder / "data").mkdir(exist_ok=True)
        (folder / "data" / name).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "MAX_SHARD", 3_000)
        yield build(folder / "data", folder / "public")


def shards_of(site: Path) -> dict[str, list[list[Any]]]:
    found = {}
    for path in (site / "search").glob("w-*.js"):
        text = path.read_text(encoding="utf-8")
        match = re.fullmatch(r"\(globalThis\.sotakitSearchParts\?\?=\[\]\)\.push\((\[.*\])\);\n", text)
        assert match, path
        name, entries = json.loads(match[1])
        assert name == path.stem
        found[name] = entries
    return found


def test_large_data_is_filed_under_every_word_in_files_of_a_bounded_size(large: Path) -> None:
    index, shards = data_of(large), shards_of(large)
    assert "entries" not in index
    assert max(path.stat().st_size for path in (large / "search").glob("w-*.js")) <= 3_000
    assert sum(count for _, _, count in index["shards"]) == len(shards)
    for method, words in (("net-7", ["network", "number007", "kind", "y"]), ("elan", ["elan", "vital"])):
        for word in words:
            names = [name for prefix, name, _ in index["shards"] if f"{word} ".startswith(prefix)]
            held = {
                entry[1] for name in names for part in shards if part.startswith(f"{name}-") for entry in shards[part]
            }
            assert method in held, (method, word)
    assert list(check_site(large)) == []


# In a browser.

SHOWN = "return [...document.querySelectorAll('dialog.palette [role=option] .title')].map(node => node.textContent)"
ACTIVE = (
    "const box = document.querySelector('dialog.palette [role=combobox]');"
    "const node = document.getElementById(box.getAttribute('aria-activedescendant'));"
    "return node && node.getAttribute('aria-selected') === 'true' ? node.querySelector('.title').textContent : null"
)
OPEN = "return !!document.querySelector('dialog.palette[open]')"


def press(browser: Browser, *keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    for key in keys:
        ActionChains(browser.driver).send_keys(getattr(Keys, key, key)).perform()


def ask(browser: Browser, text: str) -> list[str]:
    """What is found for a text typed into the open box."""
    browser.run("document.querySelector('dialog.palette input').value = ''")
    press(browser, text)
    browser.wait(f"return document.querySelector('dialog.palette input').value === {text!r}")
    browser.wait(
        "return /page|Nothing|cannot/.test(document.querySelector('dialog.palette [role=status]').textContent)"
    )
    browser.driver.implicitly_wait(0)
    return list(browser.run(SHOWN))


@pytest.fixture(params=["disk", "server"])
def address(request: pytest.FixtureRequest, small: Path) -> Iterator[str]:
    if request.param == "disk":
        yield f"file://{small}/"
        return
    with Server(small) as server:
        yield server.url


@pytest.mark.browser
def test_the_keyboard_alone_finds_and_opens_a_page(browser: Browser, address: str) -> None:
    browser.open(f"{address}method/roberta/index.html")
    press(browser, "/")
    browser.wait(OPEN)
    assert browser.run("return document.activeElement.getAttribute('role')") == "combobox"
    assert ask(browser, "bert") == ["BERT Base", "BERT Large", "Sentence-BERT", "My Bertology", "RoBERTa"]
    assert browser.run(ACTIVE) == "BERT Base"
    press(browser, "ARROW_DOWN")
    assert browser.run(ACTIVE) == "BERT Large"
    press(browser, "ARROW_UP", "ARROW_UP")
    assert browser.run(ACTIVE) == "RoBERTa"  # round the end
    press(browser, "ARROW_DOWN", "ENTER")
    browser.wait("return location.pathname.endsWith('/method/bert-base/index.html')")
    assert browser.errors() == []
    assert browser.foreign_requests(address) == []


@pytest.mark.browser
def test_escape_closes_and_gives_the_focus_back(browser: Browser, small: Path) -> None:
    browser.open(f"file://{small}/index.html")
    browser.run("document.querySelector('main a').focus()")
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    ActionChains(browser.driver).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
    browser.wait(OPEN)
    press(browser, "glue", "ESCAPE")
    browser.wait("return !document.querySelector('dialog.palette[open]')")
    assert browser.run("return document.activeElement === document.querySelector('main a')") is True
    assert browser.run("return document.querySelector('main').textContent.includes('glue')") is False


@pytest.mark.browser
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("glue", "GLUE"),  # the whole title
        ("infer glue", "Inference on GLUE"),  # beginnings of two words
        ("bidirectional", "Deep Bidirectional Transformers"),  # in the title before other names
        ("elan", "Élan Vital"),
        ("ÉLAN", "Élan Vital"),
        ("1810.04805", "Deep Bidirectional Transformers"),
        ("devlin", "Deep Bidirectional Transformers"),
        ("accuracy", "Inference on GLUE"),
        ("模型", "你好 模型"),
    ],
)
def test_the_best_match_comes_first(browser: Browser, small: Path, query: str, first: str) -> None:
    browser.open(f"file://{small}/index.html")
    browser.run("document.querySelector('[data-search]').click()")
    assert ask(browser, query)[0] == first


@pytest.mark.browser
def test_text_of_records_is_shown_and_never_run(browser: Browser, small: Path) -> None:
    browser.open(f"file://{small}/index.html")
    press(browser, "/")
    assert ask(browser, "onerror") == ["<img src=x onerror='window.pwned=1'> & co"]
    assert browser.run("return document.querySelectorAll('dialog img').length") == 0
    assert browser.run("return typeof window.pwned") == "undefined"


@pytest.mark.browser
def test_without_a_match_it_says_so_and_a_slash_in_the_box_is_text(browser: Browser, small: Path) -> None:
    browser.open(f"file://{small}/index.html")
    press(browser, "/")
    assert ask(browser, "no/thing") == []
    assert browser.run("return document.querySelector('dialog [role=status]').textContent") == "Nothing found."
    assert browser.run("return document.querySelector('dialog input').getAttribute('aria-expanded')") == "false"


@pytest.mark.browser
def test_shards_are_loaded_for_the_longest_word_and_ranked_together(browser: Browser, large: Path) -> None:
    browser.open(f"file://{large}/index.html")
    press(browser, "/")
    assert ask(browser, "number007") == ["Network number007 of kind y"]
    loaded = "return [...document.scripts].filter(node => /search\\/w-/.test(node.src)).length"
    assert 1 <= browser.run(loaded) < len(shards_of(large)) / 2
    assert ask(browser, "number14 z") == [f"Network number{n} of kind z" for n in (140, 143, 146, 149)]
    assert ask(browser, "elan") == ["Élan Vital"]


@pytest.mark.browser
def test_the_box_is_hidden_without_scripts_and_the_sections_stay(browser: Browser, small: Path) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open(f"file://{small}/index.html")
        from selenium.webdriver.common.by import By

        button = browser.driver.find_element(By.CSS_SELECTOR, "[data-search]")
        assert button.is_displayed() is False
        assert browser.driver.find_element(By.LINK_TEXT, "Methods").is_displayed() is True
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
