"""Values that are only bounds, and values in a unit of their own: ranks, how they stand, how they are read."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagesupport import build, markdown_tables, parse_html
from sotakit.exchange.pages import read_pages
from sotakit.publish.site_check import check_site

Write = Callable[..., Path]
Score = str | dict[str, str]
BOUND = "a bound, not ranked"


def site_of(write: Write, tmp_path: Path, unit: str, direction: str, scores: list[Score]) -> Path:
    """A board with one method for each score."""
    metric = {"key": "m", "label": "Score", "direction": direction, "unit": unit}
    board = {"id": "b", "title": "Board", "task": "t", "dataset": "d", "metrics": [metric]}
    results = [
        {"id": f"r{at}", "benchmark": "b", "method": f"n{at}", "date": f"202{at}", "scores": {"m": score}}
        for at, score in enumerate(scores)
    ]
    files = {
        "tasks.json": [{"id": "t", "name": "T"}],
        "datasets.json": [{"id": "d", "name": "D"}],
        "methods.json": [{"id": f"n{at}", "name": f"Net {at}"} for at in range(len(scores))],
        "benchmarks.json": [board],
        "sources.json": [{"id": "s", "type": "paper", "results": results}],
    }
    site = build(write({name: json.dumps(rows) for name, rows in files.items()}), tmp_path / "public", "https://e.org")
    assert [str(fault) for fault in check_site(site)] == []
    return site


def ranks(site: Path) -> dict[str, str]:
    rows = csv.DictReader(io.StringIO((site / "sota/b.csv").read_text(encoding="utf-8")))
    return {row["result_id"]: row["rank"] for row in rows}


@pytest.mark.parametrize(
    ("unit", "scores", "expected"),
    [
        ("percent", ["91.2", {"text": "0.95", "unit": "fraction"}, "93"], ["3", "1", "2"]),
        ("percent", ["29", {"text": "0.29", "unit": "fraction"}, "28"], ["1", "1", "3"]),  # floats would differ
        ("milliseconds", [{"text": "1.5", "unit": "seconds"}, "1501", "1499"], ["2", "1", "3"]),
        ("fraction", ["0.9", "91%", {"text": "89", "unit": "percent"}], ["2", "1", "3"]),
        ("other", ["1", {"text": "3", "unit": "count"}], ["", ""]),  # no factor leads there
        ("unknown", ["0.9", {"text": "95", "unit": "percent"}], ["", ""]),
        ("percent", [">90", "95", "99"], ["", "2", "1"]),
        ("percent", [{"text": "90", "qualifier": "at_most"}, "~80", "70"], ["", "1", "2"]),
        ("percent", [{"text": "90", "qualifier": "approximate"}, "≥ 91"], ["1", ""]),
        ("percent", [{"text": "<90", "qualifier": "exact"}, "80"], ["1", "2"]),
        ("percent", ["<90", ">80"], ["", ""]),
    ],
)  # fmt: skip
def test_ranks(write: Write, tmp_path: Path, unit: str, scores: list[Score], expected: list[str]) -> None:
    found = ranks(site_of(write, tmp_path, unit, "higher", scores))
    assert found == {f"r{at}": rank for at, rank in enumerate(expected)}


SHOWN: list[tuple[Score, str, dict[str, Any]]] = [
    (">0.01", f">0.01 ({BOUND})", {"qualifier": "greater_than"}),
    ({"text": "0.1", "qualifier": "less_than"}, f"< 0.1 ({BOUND})", {"qualifier": "less_than"}),
    ({"text": "0.2", "qualifier": "approximate"}, "≈ 0.2", {"qualifier": "approximate"}),
    ({"text": "<0.3", "qualifier": "exact"}, "<0.3 (stated as exact)", {"qualifier": "exact"}),
    ({"text": "0.4", "unit": "fraction"}, "0.4 (fraction)", {"unit": "fraction"}),
    (
        {"text": "0.5", "unit": "fraction", "qualifier": "at_least"}, f"≥ 0.5 (fraction; {BOUND})",
        {"qualifier": "at_least", "unit": "fraction"},
    ),
    ("-0.6 ± 0.1", "-0.6 ± 0.1", {"uncertainty": {"kind": "unknown", "value": "0.1"}}),
    ("60%", "60%", {}),
]  # fmt: skip


def test_what_the_text_does_not_show_stands_with_it_in_every_form(write: Write, tmp_path: Path) -> None:
    site = site_of(write, tmp_path, "percent", "higher", [score for score, *_ in SHOWN])
    rows = csv.DictReader(io.StringIO((site / "sota/b.csv").read_text(encoding="utf-8")))
    in_csv = {row["result_id"]: row["Score (percent)"] for row in rows}
    table = next(
        table for table in markdown_tables((site / "sota/b.md").read_text(encoding="utf-8")) if "Result" in table[0]
    )
    place = table[0].index("Score")
    in_markdown = {row[-1]: row[place] for row in table[1:]}
    page = parse_html((site / "sota/b/index.html").read_text(encoding="utf-8"))
    in_html = {row.attrs["data-result"]: row.one("td", class_="value").text for row in page.one("tbody").all("tr")}
    feed = (site / "sota/b/feed.xml").read_text(encoding="utf-8")
    paper = parse_html((site / "paper/s/index.html").read_text(encoding="utf-8")).one("main").text
    records = {record.id: record.scores["Score"] for record in read_pages([str(site / "sota/b.md")])}
    for at, (score, shown, read) in enumerate(SHOWN):
        text = score if isinstance(score, str) else score["text"]
        assert (in_csv[f"r{at}"], in_markdown[f"r{at}"]) == (shown, shown)
        assert in_html[f"r{at}"].startswith(shown)
        assert shown in paper
        assert shown.replace("<", "&lt;").replace(">", "&gt;") in feed
        stated = {name: value for name, value in records[f"r{at}"].items() if name not in ("value", "direction")}
        assert stated == {"text": text, "unit": "percent", **read}


def test_a_bound_is_never_the_best_nor_drawn(write: Write, tmp_path: Path) -> None:
    site = site_of(write, tmp_path, "percent", "higher", ["80", "85", ">90"])
    page = parse_html((site / "sota/b/index.html").read_text(encoding="utf-8"))
    assert page.one("p", class_="answer").text.startswith("Best recorded here (higher is better): 85, Net 1")
    figure = page.one("figure", class_="figure").text
    assert "1 bound not drawn" in figure
    assert ">90" not in figure
    assert "85 by Net 1" in (site / "task/t.md").read_text(encoding="utf-8")


def test_a_board_of_bounds_says_why_it_names_no_best(write: Write, tmp_path: Path) -> None:
    site = site_of(write, tmp_path, "percent", "higher", ["<80", ">90"])
    assert "No best value is named: every value is only a bound." in (site / "sota/b.md").read_text(encoding="utf-8")


def test_the_chart_has_converted_values(write: Write, tmp_path: Path) -> None:
    """Both points lie at one height: 0.9 is 90 per cent."""
    site = site_of(write, tmp_path, "percent", "higher", ["90", {"text": "0.9", "unit": "fraction"}, "95"])
    chart = parse_html((site / "sota/b/index.html").read_text(encoding="utf-8")).one("figure", class_="figure")
    heights = [node.attrs["cy"] for node in chart.walk() if node.attrs.get("cy") and node.tag == "circle"]
    assert len(heights) == 3
    assert len(set(heights)) == 2
