"""HTML, Markdown and JSON of a benchmark state the same facts, each read by a parser of its own."""

import json
import re
from pathlib import Path

import pytest

from pagesupport import Node, headings, inline_text, parse_html, parse_markdown

Facts = set[tuple[str, str, str]]
BOARDS = {"seed": ["counterfactual-explanations-on-mnist-test"], "tiny": ["sorting-numbers", "stable-sorting-numbers"]}
CASES = [(site, board) for site, boards in BOARDS.items() for board in boards]


def html_text(cell: Node) -> str:
    return "".join(node.raw for node in cell.all("bdi", class_="text"))


def html_facts(text: str) -> Facts:
    page = parse_html(text)
    return {
        (result.one("h3").attrs["id"].removeprefix("d-"), name.text, html_text(value))  # type: ignore[union-attr]
        for result in page.all("article")
        for name, value in zip(result.all("dt"), result.all("dd"), strict=True)
        if "data-metric" in value.attrs
    }


def markdown_facts(text: str) -> Facts:
    """Scores stand in items `**label:** text`, the id of their result in the paragraph after them."""
    facts: Facts = set()
    waiting: list[tuple[str, str]] = []
    inside = False
    tokens = parse_markdown(text)
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            inside, waiting = token.tag == "h3", []
        if not inside or token.type != "inline":
            continue
        shown = inline_text(token)
        if tokens[at - 2].type == "list_item_open":
            label, _, rest = shown.partition(": ")
            codes = [child.content for child in token.children or [] if child.type == "code_inline"]
            waiting.append((label, json.loads(codes[0]) if codes else rest))
        elif found := re.match(r"Result ID: (\S+)\. ", shown):
            facts |= {(found[1], label, value) for label, value in waiting}
    return facts


def json_facts(text: str) -> Facts:
    page = json.loads(text)
    labels = {metric["key"]: metric["label"] for metric in page["metrics"]}
    return {
        (row["id"], labels[key], score["text"])
        for row in page["recorded"] + page["regenerated"]
        for key, score in row["scores"].items()
    }


def three_forms(site: Path, board: str) -> tuple[str, str, str]:
    names = (f"sota/{board}/index.html", f"sota/{board}.md", f"sota/{board}.json")
    html, markdown, data = ((site / name).read_text(encoding="utf-8") for name in names)
    return html, markdown, data


@pytest.mark.parametrize(("name", "board"), CASES)
def test_html_markdown_and_json_state_the_same_values(name: str, board: str, request: pytest.FixtureRequest) -> None:
    html, markdown, data = three_forms(request.getfixturevalue(f"{name}_site"), board)
    facts = json_facts(data)
    assert facts
    assert html_facts(html) == facts
    assert markdown_facts(markdown) == facts


def test_the_tiny_catalogue_states_the_values_that_its_files_hold(tiny_site: Path) -> None:
    html, markdown, data = three_forms(tiny_site, "sorting-numbers")
    by_hand = {
        ("t-1", "Time (s)", "12.50"),
        ("t-2", "Time (s)", "12.50"),
        ("t-3", "Time (s)", "12.5"),
        ("t-3", "Swaps", "40 ± 2"),
        ("t-4", "Time (s)", "OOM"),
        ("t-4", "Swaps", "10 / 12"),
        ("t-4", "Feel", "7"),
        ("t-5", "Time (s)", "0.90"),
        ("t-5", "Feel", ""),
        ("g-1", "Time (s)", "1.25"),
    }
    assert html_facts(html) == markdown_facts(markdown) == json_facts(data) == by_hand


def test_a_changed_value_in_one_form_is_seen(tiny_site: Path) -> None:
    html, markdown, data = three_forms(tiny_site, "sorting-numbers")
    for changed in (html_facts(html.replace("12.50", "12.51")), markdown_facts(markdown.replace("12.50", "12.51"))):
        assert changed != json_facts(data)


@pytest.mark.parametrize(("name", "board"), CASES)
def test_rows_stand_in_the_same_order_in_all_forms(name: str, board: str, request: pytest.FixtureRequest) -> None:
    html, markdown, data = three_forms(request.getfixturevalue(f"{name}_site"), board)
    page = json.loads(data)
    order = [row["id"] for row in page["recorded"] + page["regenerated"]]
    rows = [str(node.attrs["data-result"]) for node in parse_html(html).walk() if "data-result" in node.attrs]
    assert rows == order
    assert re.findall(r'<a id="r-([^"]+)"></a>', markdown) == order
    assert [text for level, text in headings(markdown) if level == 3] == [
        row["method_label"] for row in page["recorded"] + page["regenerated"]
    ]


def test_the_json_twin_of_an_entity_states_the_values_of_its_table(tiny_site: Path) -> None:
    data = json.loads((tiny_site / "method/merge.json").read_text(encoding="utf-8"))
    page = parse_html((tiny_site / "method/merge/index.html").read_text(encoding="utf-8"))
    cells = [html_text(node) for node in page.all("td", class_="value")]
    assert [row["text"] for row in data["results"]] == cells
    by_hand = {("g-1", "1.25"), ("t-4", "OOM"), ("t-4", "10 / 12"), ("t-4", "7"), ("t-5", "0.90"), ("t-5", "")}
    assert {(row["id"], row["text"]) for row in data["results"]} == by_hand | {("s-1", "99.0%")}
    reasons = {(row["id"], row["key"]): row["missing"] for row in data["results"] if row["missing"]}
    assert reasons == {
        ("t-4", "time-s"): "Failed",
        ("t-4", "swaps"): "Not one number",
        ("t-5", "feel"): "Not recorded",
    }
