"""The first page: counts, what changed last by recorded dates, and the tree of tasks."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagesupport import Node, build, markdown_tables, parse_html
from sotakit.publish import home_page

Write = Callable[..., Path]

TASKS = [("vision", []), ("detection", ["vision"]), ("faces", ["detection", "people"]), ("people", []), ("empty", [])]


def board(name: str, task: str, updated: str = "") -> dict[str, Any]:
    metric = {"key": "m", "label": "Score", "direction": "lower", "unit": "ratio"}
    made = {"id": name, "title": name.title(), "task": task, "dataset": "d", "metrics": [metric]}
    return made | ({"updated_at": f"{updated}T00:00:00Z"} if updated else {})


def result(name: str, on: str, value: str, date: str = "") -> dict[str, Any]:
    made = {"id": name, "benchmark": on, "method": "net", "method_label": f"Net {name}", "scores": {"m": value}}
    return made | ({"date": date} if date else {})


def records(boards: list[dict[str, Any]], results: list[dict[str, Any]]) -> dict[str, str]:
    tasks = [{"id": name, "name": name.title(), "parents": parents} for name, parents in TASKS]
    return {
        "tasks.json": json.dumps(tasks),
        "datasets.json": json.dumps([{"id": "d", "name": "Data", "paper": "p"}]),
        "methods.json": json.dumps([{"id": "net", "name": "Net"}]),
        "benchmarks.json": json.dumps(boards),
        "sources.json": json.dumps([{"id": "p", "type": "paper", "results": results}]),
    }


BOARDS = [
    board("old", "faces", "2020-02-02"),
    board("new", "detection", "2024-04-04"),
    board("dated", "faces"),
    board("undated", "vision"),
]
RESULTS = [
    result("r1", "old", "3"),
    result("r2", "old", "2"),
    result("r3", "dated", "7", "2022-05"),
    result("r4", "dated", "8", "2021"),
    result("r5", "undated", "1"),
]


@pytest.fixture
def site(write: Write, tmp_path: Path) -> Path:
    return build(write(records(BOARDS, RESULTS)), tmp_path / "public")


def home(site: Path) -> Node:
    return parse_html((site / "index.html").read_text(encoding="utf-8"))


def test_counts_are_those_of_the_records_and_lead_to_lists(site: Path) -> None:
    found = {node.one("a").text: node.one("b").text for node in home(site).one("ul", class_="counts").all("li")}
    assert found == {
        "Results": "5", "Benchmarks": "4", "Methods": "1", "Sources": "1", "Datasets": "1", "Metrics": "0",
        "Tasks": "5",
    }  # fmt: skip


def test_benchmarks_stand_by_their_recorded_dates_and_undated_ones_do_not(site: Path) -> None:
    rows = [[cell.text for cell in row.all() if cell.tag in ("td", "th")] for row in home(site).one("tbody").all("tr")]
    assert [(row[0], row[5]) for row in rows] == [
        ("New", "2024-04-04"),
        ("Dated", "newest result 2022-05"),
        ("Old", "2020-02-02"),
    ]
    assert [row[3] for row in rows] == ["Nothing reported", "7 Net r3", "2 Net r2"]  # lower is better
    assert [row[4] for row in rows] == ["0 recorded", "2 recorded", "2 recorded"]
    table = markdown_tables((site / "index.md").read_text(encoding="utf-8"))[0]
    assert [row[0] for row in table[1:]] == ["New", "Dated", "Old"]
    assert table[3][:7] == ["Old", "Faces", "Score, lower is better as recorded", "2 by Net r2", "2", "0", "2020-02-02"]


def test_without_any_date_the_largest_benchmarks_are_shown(write: Write, tmp_path: Path) -> None:
    boards = [board("small", "vision"), board("large", "vision")]
    results = [result("r1", "small", "1"), result("r2", "large", "1"), result("r3", "large", "2")]
    page = home(build(write(records(boards, results)), tmp_path / "public"))
    assert page.one("h2", id="recent").text == "Largest benchmarks"
    assert [row.all("th")[0].text for row in page.one("tbody").all("tr")] == ["Large", "Small"]


def branch(node: Node) -> list[Any]:
    """A list of tasks as (name, note, what is below)."""
    items = [item for item in node.children if isinstance(item, Node)]
    below = [
        [branch(inner) for inner in item.children if isinstance(inner, Node) and inner.tag == "ul"] for item in items
    ]
    texts = [(item.all("a")[0].text, item.all("span")[0].text) for item in items]
    return [(*text, (*inner, [])[0]) for text, inner in zip(texts, below, strict=True)]


def test_tasks_stand_below_their_broader_ones_with_what_they_hold(site: Path) -> None:
    faces = ("Faces", "2 benchmarks; 4 results", [])
    assert branch(home(site).all("ul", class_="tree")[0]) == [
        ("Vision", "4 benchmarks, 3 of them in narrower tasks; 5 results", [
            ("Detection", "3 benchmarks, 2 of them in narrower tasks; 4 results", [faces])
        ]),
        ("People", "2 benchmarks, 2 of them in narrower tasks; 4 results", [faces]),
        ("Empty", "0 benchmarks; 0 results", []),
    ]  # fmt: skip
    text = (site / "index.md").read_text(encoding="utf-8")
    assert (
        "\n- [Vision](<task/vision.md>): 4 benchmarks, 3 of them in narrower tasks; 5 results\n  - [Detection](<"
        in text
    )


def test_many_tasks_are_cut_and_the_rest_is_told(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_page, "MAX_TASKS", 2)
    page = home(build(write(records(BOARDS, RESULTS)), tmp_path / "public"))
    assert [entry[0] for entry in branch(page.all("ul", class_="tree")[0])] == ["Vision", "People"]
    assert "And 1 more in the list of all tasks." in page.one("main").text


def test_tasks_that_are_above_each_other_end(write: Write, tmp_path: Path) -> None:
    files = records([board("b", "a-task")], [])
    files["tasks.json"] = json.dumps(
        [{"id": "root", "name": "Root"}, {"id": "a-task", "name": "A", "parents": ["root", "b-task"]},
         {"id": "b-task", "name": "B", "parents": ["a-task"]}]
    )  # fmt: skip
    from sotakit.publish.build import SiteOptions, build_site
    from sotakit.validate import validate

    outcome = validate(write(files), tmp_path / "build", "2026-06-01", allow_errors=True)
    assert outcome.tables
    build_site(outcome.tables, SiteOptions(tmp_path / "public"))
    assert branch(home(tmp_path / "public").all("ul", class_="tree")[0])[0][0] == "Root"


def test_an_empty_collection_has_a_first_page(write: Write, tmp_path: Path) -> None:
    site = build(write({"registry.yaml": "schema: 1\n"}), tmp_path / "public")
    assert "No benchmark is recorded yet." in home(site).one("main").text
