"""A reported value that was regenerated here says so where it stands, whatever its record says."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from pagesupport import build, inline_text, markdown_links, markdown_tables, parse_html, parse_markdown
from sotakit.publish import paging
from sotakit.publish.site_check import check_site

METRICS = [
    {"key": "acc", "label": "Acc", "direction": "higher", "unit": "percent"},
    {"key": "time", "label": "Time", "direction": "lower", "unit": "seconds"},
]


def row(name: str, method: str, scores: dict[str, Any], config: dict[str, Any] | None = None, **more: Any) -> Any:
    return {"id": name, "benchmark": "b", "method": method, "scores": scores, "config": config or {}, **more}


def interval(text: str, low: str, high: str) -> dict[str, Any]:
    return {"text": text, "uncertainty": {"kind": "ci", "low": low, "high": high, "level": 0.95}}


REPORTED = [
    row("r1", "ant", {"acc": "90.0", "time": "3"}),
    row("r2", "ant", {"acc": "91.0"}, {"Size": "Large"}),
    row("r3", "bee", {"acc": "85.0"}),
    row("r4", "cat", {"acc": "84.0"}, reproduction="incomplete"),
]
RUNS = [
    row("n1", "ant", {"acc": "70.0", "time": "9"}, date="2024-01-01"),
    row("n2", "ant", {"acc": interval("88.1", "87.0", "89.2")}, date="2024-05-01"),  # newer, without the second metric
    row("n3", "ant", {"acc": "12.0"}, date="2025-01-01", status="retracted"),
    row("n4", "bee", {"acc": "83.3"}, {"Size": "Small"}, date="2024-01-01"),  # other settings
    row("n5", "cat", {"acc": "84.4"}, date="2024-01-01"),
]


@pytest.fixture(params=[100, 3])
def site(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The site, with its Markdown on one page and on several."""
    monkeypatch.setattr(paging, "MAX_ROWS", request.param)
    records: dict[str, Any] = {
        "registry": {"title": "Reruns"},
        "tasks": [{"id": "t", "name": "Task"}],
        "datasets": [{"id": "d", "name": "Data"}],
        "methods": [{"id": name, "name": name.title()} for name in ("ant", "bee", "cat")],
        "benchmarks": [{"id": "b", "title": "Board", "task": "t", "dataset": "d", "metrics": METRICS}],
        "sources": [
            {"id": "p", "type": "paper", "title": "P", "url": "https://example.org/p", "results": REPORTED},
            {"id": "run-1", "type": "run", "title": "Run", "run": {"command": "go"}, "results": RUNS},
        ],
    }
    (tmp_path / "data").mkdir()
    for name, value in records.items():
        (tmp_path / f"data/{name}.json").write_text(json.dumps(value), encoding="utf-8")
    public = build(tmp_path / "data", tmp_path / "public")
    assert list(check_site(public)) == []
    return public


def markdown(site: Path) -> list[Path]:
    names = ["sota/b.md", *(f"sota/b/page-{number}.md" for number in range(2, 9))]
    return [site / name for name in names if (site / name).is_file()]


def test_markdown_says_the_value_and_where_it_stands(site: Path) -> None:
    said: dict[str, str] = {}
    recorded: dict[str, str] = {}
    for page in markdown(site):
        for section in page.read_text(encoding="utf-8").split('<a id="r-')[1:]:
            texts = [inline_text(token) for token in parse_markdown(section) if token.type == "inline"]
            name = section.partition('"')[0]
            for text in texts:
                if text.startswith("Regenerated here: "):
                    said[name] = text
                    file, _, anchor = markdown_links(section.partition("Regenerated here: ")[2])[0].partition("#")
                    there = page.parent / file if file else page
                    assert f'<a id="{anchor}"></a>' in there.read_text(encoding="utf-8")
                elif text.startswith("Reproduction: "):
                    recorded[name] = text.partition(" Evidence")[0]
    assert said == {
        "r1": "Regenerated here: Acc 88.1 (87 to 89.2), see n2; Time 9, see n1.",
        "r4": "Regenerated here: Acc 84.4, see n5.",
    }
    assert recorded["r1"] == "Reproduction: not_attempted (no attempt is recorded in the source's record)."
    assert recorded["r4"] == "Reproduction: incomplete (an attempt to run it again is incomplete)."


@pytest.mark.parametrize(
    ("view", "told"), [("b", {"r1": "88.1 (87 to 89.2), n2", "r4": "84.4, n5"}), ("b/time", {"r1": "9, n1"})]
)
def test_the_table_has_them_in_a_column(site: Path, view: str, told: dict[str, str]) -> None:
    tables = markdown_tables((site / f"sota/{view}.md").read_text(encoding="utf-8"))
    head, *rows = tables[1]
    found = {cells[-1]: dict(zip(head, cells, strict=True)).get("Regenerated here", "") for cells in rows}
    assert {name: cell for name, cell in found.items() if cell} == {name: told[name] for name in told if name in found}
    assert "r1" in found


def test_html_links_to_the_run(site: Path) -> None:
    page = parse_html((site / "sota/b/index.html").read_text(encoding="utf-8"))
    links = {
        str(node.attrs["data-result"]): [
            (link.text, link.attrs["href"], link.attrs["title"]) for link in node.all("a", class_="tag")
        ]
        for node in page.one("table", id="board").all("tr")
        if "data-result" in node.attrs
    }
    assert links == {
        "r1": [("run: 88.1", "#r-n2", "Regenerated here: 88.1 (87 to 89.2)")],
        "r2": [],
        "r3": [],
        "r4": [("run: 84.4", "#r-n5", "Regenerated here: 84.4")],
    }
    articles = {article.one("h3").attrs["id"]: article.text for article in page.all("article")}
    assert "Regenerated here Acc 88.1 (87 to 89.2); Time 9".replace(" ", "") in articles["d-r1"].replace(" ", "")
    assert "Reproduction: no attempt is recorded in the source's record" in articles["d-r1"]
    assert "Regenerated here" not in articles["d-r3"]


def test_json_and_csv_name_them(site: Path) -> None:
    rows = {row["id"]: row for row in json.loads((site / "sota/b.json").read_text(encoding="utf-8"))["recorded"]}
    assert {
        name: [
            (run["metric"], run["result"], run["text"], run["value"], run["low"], run["high"])
            for run in row["regenerated_here"]
        ]
        for name, row in rows.items()
    } == {
        "r1": [("acc", "n2", "88.1", 88.1, 87.0, 89.2), ("time", "n1", "9", 9.0, None, None)],
        "r2": [],
        "r3": [],
        "r4": [("acc", "n5", "84.4", 84.4, None, None)],
    }
    assert {row["reproduction"] for row in rows.values()} == {"not_attempted", "incomplete"}
    table = csv.DictReader(io.StringIO((site / "sota/b.csv").read_text(encoding="utf-8")))
    assert {
        row["result_id"]: (row["regenerated_here"], row["regenerated_result"])
        for row in table
        if row["origin"] == "reported"
    } == {
        "r1": ("88.1 (87 to 89.2)", "n2"),
        "r2": ("", ""),
        "r3": ("", ""),
        "r4": ("84.4", "n5"),
    }


def test_a_run_that_fell_is_compared_with_nothing(site: Path) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in markdown(site))
    assert "0.98 to 1.00 times the reported value" in text  # 88.1 by 90.0, 84.4 by 84.0
    assert "0.13 times" not in text
