"""Whatever strangers write into records comes out as text: in HTML, in Markdown, in llms.txt and in a real browser."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from browser import Browser, Server
from pagesupport import AS_OF, build, headings, inline_text, markdown_tables, parse_html, parse_markdown, snapshot
from sotakit.exchange.pages import read_page
from sotakit.validate import validate

PAYLOADS = [
    "<script>window.pwned=1</script>",
    "</title><script>window.pwned=1</script>",
    "\"><img src=x onerror='window.pwned=1'>",
    "<svg/onload=window.pwned=1>",
    "<iframe src='https://evil.example/'></iframe>",
    "javascript:window.pwned=1",
    "data:text/html,<script>window.pwned=1</script>",
    "]]><!--<script>window.pwned=1</script>-->",
    "</textarea></style></script><b>bold</b>",
    "[click](javascript:window.pwned=1)",
    "![x](https://evil.example/x.png)",
    "<https://evil.example/>",
    "https://evil.example/ www.evil.example me@evil.example",
    "| a | b |",
    "`code` ``more`` ```",
    "# heading * item 1. one > quote ---",
    "*a* _b_ **c** ~~d~~ ~e~ ^f^ $g$",
    "&lt;script&gt; &amp; &#60;b&#62; &copy",
    "{{ 7 * 7 }} {% raw %} {# x #} ${7*7} #{7} <%= 7 %>",
    "\\\\ \\| \\` \\<",
    "Zero\u200bwidth\u200djoined\ufefftext",
    "right\u202eto\u202cleft \u2066isolated\u2069",
    "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 RTL",
    "\U0001f469\u200d\U0001f52c e\u0301 \u4f60\u597d \U0001d4e2",
    "W" * 300,
    "two  spaces",
    "' onmouseover='window.pwned=1' x='",
    "[a]: https://evil.example",
    "[^1] :::note",
    "</a></td></tr></table>",
]
FOREIGN_SCRIPTS = (
    "return [...document.scripts]"
    ".filter(one => one.type !== 'application/ld+json' && !one.src.includes('/static/')).length"
)
PRESS_EVERYTHING = """
const press = (selector, few = 99) => [...document.querySelectorAll(selector)].slice(0, few).forEach(n => n.click());
press('.board thead button'); press('.tools label input'); press('.box input', 4);
for (const select of document.querySelectorAll('.tools select')) {
  select.selectedIndex = 1; select.dispatchEvent(new Event('change'));
  select.selectedIndex = 0; select.dispatchEvent(new Event('change'));
}
press('.picked button', 1); press('.tools details:last-of-type button');
"""
DIRECTIONS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\ufeff"


def registry(payload: str) -> dict[str, Any]:
    """A small registry with a payload in every field that takes text."""
    text = payload
    return {
        "registry": {"schema": 1, "title": text, "description": text, "licence": text, "contact": text},
        "tasks": [{"id": "t", "name": text, "aliases": [text], "description": text}],
        "datasets": [{"id": "d", "name": text, "version": text, "licence": text, "hub": text, "description": text}],
        "metrics": [
            {
                "id": "m",
                "name": text,
                "aliases": [text],
                "direction": "lower",
                "direction_source": [{"source": "s", "locator": text, "note": text}],
                "definition": text,
            }
        ],
        "methods": [
            {"id": "x", "name": text, "aliases": [text], "description": text, "organisation": text, "parameters": text},
            {"id": "y", "name": "Plain"},
        ],
        "benchmarks": [
            {
                "id": "b",
                "title": text,
                "task": "t",
                "dataset": "d",
                "dataset_label": text,
                "description": text,
                "protocol": text,
                "metrics": [
                    {"key": "k", "metric": "m", "label": text, "direction": "higher", "unit_recorded": text},
                    {"key": "l", "label": "Plain", "direction": "higher"},
                ],
            }
        ],
        "sources": sources(payload),
    }


def sources(text: str) -> list[dict[str, Any]]:
    """The part of the registry that reports results."""
    return [
        {
            "id": "s",
            "type": "paper",
            "title": text,
            "authors": [text],
            "venue": text,
            "licence": text,
            "notes": text,
            "recorded_via": {"name": text, "version": text, "licence": text},
            "results": [
                {
                    "id": f"r{number}",
                    "benchmark": "b",
                    "method": "x",
                    "method_label": text,
                    "config": {text: text, "n": number},
                    "config_extra": {text: text},
                    "scores": {"k": {"text": text[:200], "note": text}, "l": "1.5"},
                    "locator": {"table": text, "row": text},
                    "hardware": text,
                    "notes": text,
                }
                for number in (1, 2)
            ],
        }
    ]


def publish(payload: str, folder: Path) -> Path:
    data = folder / "data"
    data.mkdir()
    for name, records in registry(payload).items():
        (data / f"{name}.json").write_text(json.dumps(records), encoding="utf-8")
    return build(data, folder / "public")


@pytest.fixture(scope="module", params=range(len(PAYLOADS)))
def hostile(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    payload = PAYLOADS[request.param]
    return payload, publish(payload, tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return publish("Calm", tmp_path_factory.mktemp("calm"))


def shape(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Elements of a page with the names of their attributes: what text must not change."""
    return [(node.tag, tuple(sorted(node.attrs))) for node in parse_html(text).walk()]


def test_html_has_the_same_elements_whatever_the_text(hostile: tuple[str, Path], calm: Path) -> None:
    _, site = hostile
    for path in site.rglob("*.html"):
        expected = shape((calm / path.relative_to(site)).read_text(encoding="utf-8"))
        assert shape(path.read_text(encoding="utf-8")) == expected, path


def test_html_shows_the_text_itself(hostile: tuple[str, Path]) -> None:
    payload, site = hostile
    wanted = " ".join(unicodedata.normalize("NFC", payload).split())
    for name in ("index.html", "sota/b/index.html", "method/x/index.html", "paper/s/index.html", "metric/m/index.html"):
        page = parse_html((site / name).read_text(encoding="utf-8"))
        assert wanted in page.one("main").text, name
        assert wanted in " ".join(page.one("head").one("title").raw.split()), name


def test_links_of_html_lead_to_the_site_only(hostile: tuple[str, Path]) -> None:
    _, site = hostile
    for path in site.rglob("*.html"):
        for node in parse_html(path.read_text(encoding="utf-8")).walk():
            for name in ("href", "src"):
                assert ":" not in str(node.attrs.get(name, "")), path


def structure(text: str) -> list[str]:
    return [token.type for token in parse_markdown(text) if token.type != "inline"]


def test_markdown_has_the_same_blocks_whatever_the_text(hostile: tuple[str, Path], calm: Path) -> None:
    _, site = hostile
    for path in site.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        expected = (calm / path.relative_to(site)).read_text(encoding="utf-8")
        assert structure(text) == structure(expected), path
        assert [list(map(len, table)) for table in markdown_tables(text)] == [
            list(map(len, table)) for table in markdown_tables(expected)
        ], path


def test_markdown_has_no_html_no_image_and_no_emphasis_of_theirs(hostile: tuple[str, Path], calm: Path) -> None:
    kinds = ("html_inline", "image", "em_open", "strong_open", "link_open", "hardbreak", "softbreak")
    _, site = hostile

    def count(path: Path) -> list[int]:
        tokens = [token for token in parse_markdown(path.read_text(encoding="utf-8")) if token.type == "inline"]
        children = [child.type for token in tokens for child in token.children or []]
        return [children.count(kind) for kind in kinds]

    for path in site.rglob("*.md"):
        assert count(path) == count(calm / path.relative_to(site)), path
    plain = count(site / "llms.txt"), count(calm / "llms.txt")  # its reader knows no escapes: emphasis is let through
    assert [plain[0][at] for at in (0, 1, 4, 5, 6)] == [plain[1][at] for at in (0, 1, 4, 5, 6)]


def test_the_page_is_read_back_with_the_text(hostile: tuple[str, Path]) -> None:
    payload, site = hostile
    records = read_page((site / "sota/b.md").read_text(encoding="utf-8"), "b.md")
    wanted = unicodedata.normalize("NFC", payload)
    for number, record in enumerate(records, 1):
        assert record.method == record.title == record.task == record.dataset == wanted
        assert record.config == {wanted: wanted, "n": number}
        assert {label: score["text"] for label, score in record.scores.items()} == {
            wanted: payload[:200],
            "Plain": "1.5",
        }


def test_plain_markdown_text_carries_no_direction_marks(hostile: tuple[str, Path]) -> None:
    _, site = hostile
    for path in site.rglob("*.md"):
        assert not set(path.read_text(encoding="utf-8")) & set(DIRECTIONS), path


def test_the_first_heading_of_markdown_is_the_title(hostile: tuple[str, Path]) -> None:
    payload, site = hostile
    level, text = headings((site / "index.md").read_text(encoding="utf-8"))[0]
    visible = "".join(" " if char in DIRECTIONS else char for char in payload)
    assert (level, text) == (1, " ".join(unicodedata.normalize("NFC", visible).split()))


def test_json_holds_the_text_itself(hostile: tuple[str, Path]) -> None:
    payload, site = hostile
    wanted = unicodedata.normalize("NFC", payload)
    page = json.loads((site / "sota/b.json").read_text(encoding="utf-8"))
    assert page["benchmark"]["title"] == wanted
    assert {row["method_label"] for row in page["recorded"]} == {wanted}
    for name, raw in snapshot(site).items():
        if name.endswith(".json"):
            json.loads(raw)


@pytest.mark.browser
def test_no_script_runs_and_no_request_leaves_the_site(tmp_path: Path, browser: Browser) -> None:
    """All payloads on one board, in a real browser."""
    data = tmp_path / "data"
    data.mkdir()
    files = registry('<script>window.pwned=1</script>"><img src=x onerror=window.pwned=1>')
    result = files["sources"][0]["results"][0]
    files["sources"][0]["results"] = [
        {**result, "id": f"p{at}", "method_label": text, "config": {text: text}, "scores": {"k": text[:200]}}
        for at, text in enumerate(PAYLOADS)
    ]
    for name, records in files.items():
        (data / f"{name}.json").write_text(json.dumps(records), encoding="utf-8")
    assert validate(data, tmp_path / "b", AS_OF).tables
    with Server(build(data, tmp_path / "public")) as server:
        for page in ("index.html", *(f"{name}/index.html" for name in ("sota/b", "method/x", "paper/s", "metric/m"))):
            browser.open(server.url + page)
            assert browser.run("return typeof window.pwned") == "undefined"
            assert browser.run("return document.images.length + frames.length") == 0
            assert browser.run(FOREIGN_SCRIPTS) == 0
            assert browser.foreign_requests(server.url) == []
            assert browser.errors() == []
            browser.run("for (const n of document.querySelectorAll('*')) n.dispatchEvent(new Event('mouseover'))")
            assert browser.run("return typeof window.pwned") == "undefined"
        browser.open(server.url + "sota/b/index.html")
        before = browser.run("return document.querySelectorAll('main img, main b, main i, main form').length")
        browser.run(PRESS_EVERYTHING)
        browser.wait(
            "return document.querySelectorAll('dialog').length > 1 || document.body.innerText.includes('copied')"
        )
        assert "<script>window.pwned=1</script>" in browser.run("return document.querySelector('dialog').innerText")
        assert browser.run("return document.querySelectorAll('dialog td').length") >= 20
        assert (
            browser.run("return document.querySelectorAll('dialog :is(script, img, iframe, svg, a, b, i)').length") == 0
        )
        assert (
            browser.run("return document.querySelectorAll('main img, main b, main i, main form').length") <= before + 1
        )
        assert browser.run("return typeof window.pwned") == "undefined"
        assert browser.foreign_requests(server.url) == []
        shown = browser.run("return document.querySelector('title').text")
        assert "<script>window.pwned=1</script>" in shown
        browser.size(360, 800)
        browser.open(server.url + "sota/b/index.html")
        assert browser.overflow() <= 0


def test_payloads_reach_every_place_of_the_page(hostile: tuple[str, Path]) -> None:
    """The test above would pass on an empty page: here the number of places is counted."""
    _, site = hostile
    tokens = [
        token for token in parse_markdown((site / "sota/b.md").read_text(encoding="utf-8")) if token.type == "inline"
    ]
    marker = inline_text(tokens[0])[:8]
    assert sum(marker[:4] in inline_text(token) for token in tokens) >= 12
