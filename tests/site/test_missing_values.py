"""A number that is printed and is no value: every form shows it with its reason, none as a value."""

import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pagesupport import build, markdown_tables, parse_html
from sotakit.publish.site_check import check_site

REASONS = {"failed": "failed", "redacted": "redacted", "not_run": "not run", "not_applicable": "not applicable"}
NUMBERS = {"failed": "91.7", "redacted": "99", "not_run": "0", "not_applicable": "1e3"}


@pytest.fixture(params=REASONS)
def reason(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def site(tmp_path: Path, reason: str) -> Path:
    metric = {"key": "acc", "label": "Acc", "direction": "higher", "unit": "percent"}
    score: dict[str, Any] = {"text": NUMBERS[reason], "missing_reason": reason}
    row = {"id": "r1", "benchmark": "b", "method": "m", "date": "2024"}
    rows = [{**row, "scores": {"acc": score}}, {**row, "id": "r2", "method": "n", "scores": {"acc": "50.0"}}]
    records: dict[str, Any] = {
        "registry": {"title": "Missing"},
        "tasks": [{"id": "t", "name": "Task"}],
        "datasets": [{"id": "d", "name": "Data"}],
        "methods": [{"id": "m", "name": "M"}, {"id": "n", "name": "N"}],
        "benchmarks": [{"id": "b", "title": "Board", "task": "t", "dataset": "d", "metrics": [metric]}],
        "sources": [{"id": "p", "type": "paper", "title": "P", "url": "https://example.org/p", "results": rows}],
    }
    (tmp_path / "data").mkdir()
    for name, value in records.items():
        (tmp_path / f"data/{name}.json").write_text(json.dumps(value), encoding="utf-8")
    site = build(tmp_path / "data", tmp_path / "public", base_url="https://example.org/r")
    assert list(check_site(site)) == []
    return site


def text(site: Path, name: str) -> str:
    return (site / name).read_text(encoding="utf-8")


def test_every_form_marks_it_as_no_value(site: Path, reason: str) -> None:
    number = NUMBERS[reason]
    shown = f"{number} ({REASONS[reason]})"
    score = next(row for row in json.loads(text(site, "sota/b.json"))["recorded"] if row["id"] == "r1")["scores"]["acc"]
    assert [score[name] for name in ("text", "value", "decimal", "missing_reason", "rank")] == [
        number,
        None,
        None,
        reason,
        None,
    ]
    row = next(row for row in csv.DictReader(io.StringIO(text(site, "sota/b.csv"))) if row["result_id"] == "r1")
    assert (row["Acc (percent)"], row["rank"]) == (shown, "")
    head, *rows = markdown_tables(text(site, "sota/b.md"))[1]
    assert [cells[head.index("Acc")] for cells in rows] == ["50.0", shown]
    assert f'- **Acc:** `"{number}"` ({REASONS[reason].capitalize()})\n' in text(site, "sota/b.md")
    cells = parse_html(text(site, "sota/b/index.html")).one("table", id="board").all("td", class_="value")
    assert [(cell.text, "data-v" in cell.attrs) for cell in cells] == [("50.0", True), (shown, False)]
    for name in ("method/m", "paper/p"):
        assert f"| {shown} | Not ranked |" in text(site, f"{name}.md")
        assert shown in [node.text for node in parse_html(text(site, f"{name}/index.html")).all("td", class_="value")]
        found = next(row for row in json.loads(text(site, f"{name}.json"))["results"] if row["id"] == "r1")
        assert (found["text"], found["missing"]) == (number, REASONS[reason].capitalize())
    entries = ET.fromstring(text(site, "feed.xml")).iter("{http://www.w3.org/2005/Atom}summary")
    assert any(f"Acc {shown} (percent)" in str(entry.text) for entry in entries)
    assert f"| {shown} |" in text(site, "llms-full.txt")
