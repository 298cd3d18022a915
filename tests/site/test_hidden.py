"""What is private, under embargo or not to be published leaves no trace: every published byte is looked at."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pagesupport import build, snapshot

Write = Callable[..., Path]

HOW = {"private": {"visibility": "private"}, "embargo": {"embargo_until": "2027"}, "publish": {"publish": False}}
SCORES = {"accuracy": "12.345"}
ROW = {"benchmark": "sorting-on-numbers", "method": "merge"}


def hidden_source(how: str) -> dict[str, Any]:
    """A source with a mark in every text."""
    row = {**ROW, "id": "zqxrow", "method_label": "Zqxlabel", "config": {"Zqxkey": "Zqxvalue"}, "notes": "Zqxnotes"}
    return {
        "id": "zqxsource", "type": "paper", "title": "Zqxtitle", "authors": ["Zqxauthor"], "url": "https://zqx.example/a",
        "doi": "10.1000/zqxdoi", "venue": "Zqxvenue", "notes": "Zqxsource notes", **HOW[how],
        "results": [{**row, "scores": SCORES}],
    }  # fmt: skip


def events(*targets: str) -> list[dict[str, str]]:
    return [
        {"id": f"zqxevent{n}", "type": "corrected", "target": target, "date": "2026-01-02", "actor": "Zqxactor"}
        for n, target in enumerate(targets)
    ]


def traces(site: Path) -> list[str]:
    """Names of files that hold the mark in their bytes, in their own names or, of tables, in a cell."""
    found = [name for name, content in snapshot(site).items() if b"zqx" in content.lower() or "zqx" in name.lower()]
    tables = site.rglob("*.parquet")
    return found + [path.name for path in tables if "zqx" in str(pq.read_table(path).to_pylist()).lower()]


@pytest.mark.parametrize("base", [None, "https://results.example/research"])
@pytest.mark.parametrize("how", HOW)
def test_no_published_byte_names_a_hidden_source(
    write: Write, minimal: dict[str, str], tmp_path: Path, how: str, base: str | None
) -> None:
    minimal["sources/zqx.json"] = json.dumps(hidden_source(how))
    minimal["methods.yaml"] += "  origin: zqxsource\n"
    minimal["datasets.yaml"] += "  paper: zqxsource\n"
    minimal["metrics.yaml"] = minimal["metrics.yaml"].replace(
        "direction_source: [{source: paper-a}]", "direction_source: [{source: paper-a}, {source: zqxsource, note: Zqx}]"
    )
    minimal["events.json"] = json.dumps(events("zqxsource", "zqxrow"))
    minimal["redirects.json"] = json.dumps(
        [
            {"old": "zqxold", "new": "zqxmid", "kind": "sources"},
            {"old": "zqxmid", "new": "zqxsource", "kind": "sources"},
            {"old": "zqxoldrow", "new": "zqxrow", "kind": "results"},
        ]
    )
    site = build(write(minimal), tmp_path / "public", base)
    assert traces(site) == []


@pytest.mark.parametrize("how", ["private", "embargo"])
def test_no_published_byte_names_a_hidden_result(
    write: Write, minimal: dict[str, str], tmp_path: Path, how: str
) -> None:
    row = {**hidden_source(how)["results"][0], "source": "paper-a", **HOW[how]}
    same = {**row, "id": "row-9", "method_label": "Merge", "config": {"k": "v"}, "notes": "plain"} | {"scores": SCORES}
    shown = {name: value for name, value in same.items() if name not in HOW[how]}
    minimal["results/rows.jsonl"] = "".join(json.dumps(item) + "\n" for item in (row, shown))
    minimal["events.json"] = json.dumps(events("zqxrow"))
    minimal["redirects.json"] = json.dumps([{"old": "zqxold", "new": "zqxrow", "kind": "results"}])
    site = build(write(minimal), tmp_path / "public", "https://results.example/research")
    assert traces(site) == []
    assert b"row-9" in (site / "sota/sorting-on-numbers.md").read_bytes(), "what is not hidden stands"


def test_the_mark_is_found_where_nothing_is_hidden(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    minimal["sources/zqx.json"] = json.dumps({**hidden_source("publish"), "publish": True})
    found = traces(build(write(minimal), tmp_path / "public", "https://results.example/research"))
    assert {"paper/zqxsource/index.html", "sota/sorting-on-numbers.csv", "sources.parquet"} <= set(found)
