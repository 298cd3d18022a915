"""Corrections: every event on a page, in Markdown and in JSON, with what changed, when, who, why and the evidence."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pagesupport import build, markdown_tables, parse_html
from sotakit.publish import paging
from sotakit.publish.site_check import check_site

Write = Callable[..., Path]
EVENTS = (
    "- {id: e-1, type: corrected, target: row-1, date: '2022-01-05', actor: Eve Poe, field: status, before: active,"
    " after: corrected, reason: Two digits were swapped., evidence: 'https://example.org/issue?a=1&b=2'}\n"
    "- {id: e-2, type: retracted, target: paper-a, date: '2023-06', actor: The publisher, reason: Fabricated data.}\n"
    "- {id: e-3, type: checked, target: row-2, date: '2022-01-05', actor: A <tool>, after: human_checked}\n"
)


@pytest.fixture
def site(write: Write, minimal: dict[str, str], tmp_path: Path) -> Path:
    minimal["sources/paper-a.yaml"] = "title: Sorting Well\n" + minimal["sources/paper-a.yaml"]
    return build(write(minimal | {"events.yaml": EVENTS}), tmp_path / "public")


def test_the_page_lists_every_event_newest_first_with_all_that_is_recorded(site: Path) -> None:
    page = parse_html((site / "corrections/index.html").read_text(encoding="utf-8"))
    rows = [[cell.text for cell in row.all() if cell.tag in ("td", "th")] for row in page.one("tbody").all("tr")]
    assert [row[:-1] for row in rows] == [
        ["2023-06", "Sorting Well", "Retracted", "Fabricated data.", "Not recorded", "The publisher"],
        ["2022-01-05", "Merge on Sorting on Numbers", "Copy checked against the sourcetranscription: not recorded → "
         "human_checked", "Not recorded", "Not recorded", "A <tool>"],
        ["2022-01-05", "Bubble on Sorting on Numbers", "Correctedstatus: active → corrected",
         "Two digits were swapped.", "evidence", "Eve Poe"],
    ]  # fmt: skip
    links = [str(link.attrs["href"]) for link in page.one("tbody").all("a")]
    assert "../sota/sorting-on-numbers/index.html#r-row-1" in links
    assert "../paper/paper-a/index.html" in links
    assert "https://example.org/issue?a=1&b=2" in links
    assert list(check_site(site)) == []


def test_the_markdown_and_the_json_say_the_same(site: Path) -> None:
    text = (site / "corrections/index.md").read_text(encoding="utf-8")
    (table,) = markdown_tables(text)
    assert [row[-1] for row in table] == ["Event", "e-2", "e-3", "e-1"]
    assert table[3][:5] == [
        "2022-01-05", "Bubble on Sorting on Numbers", "Corrected", "status: active → corrected",
        "Two digits were swapped.",
    ]  # fmt: skip
    assert "(<../sota/sorting-on-numbers.md#r-row-1>)" in text
    document = json.loads((site / "corrections/index.json").read_text(encoding="utf-8"))
    assert document["format"] == 1
    entries = {entry["id"]: entry for entry in document["corrections"]}
    assert list(entries) == ["e-2", "e-3", "e-1"]
    assert entries["e-1"] == {
        "id": "e-1", "type": "corrected", "target": "row-1", "date": "2022-01-05", "actor": "Eve Poe",
        "field": "status", "before": "active", "after": "corrected", "reason": "Two digits were swapped.",
        "evidence": "https://example.org/issue?a=1&b=2", "page": "sota/sorting-on-numbers.json",
    }  # fmt: skip


def test_a_retracted_source_says_so_with_the_reason(site: Path) -> None:
    page = parse_html((site / "paper/paper-a/index.html").read_text(encoding="utf-8"))
    notice = page.one("aside", id="notice-retracted").text
    assert notice == (
        "Retracted. This document is recorded as retracted; its results stay as they were recorded, but have no "
        "rank. "
        "Retracted on 2023-06 by The publisher: Fabricated data."
    )


def test_results_in_lists_carry_their_standing(site: Path) -> None:
    page = parse_html((site / "method/bubble/index.html").read_text(encoding="utf-8"))
    assert [tag.text for tag in page.one("main").all("span", class_="tag")] == ["corrected", "retracted source"]
    text = (site / "method/bubble.md").read_text(encoding="utf-8")
    assert re.search(r"\| \[row-1\]\(<[^>]*>\) \(corrected, retracted source\) \|", text)


def test_without_events_the_page_says_that_nothing_happened(tiny_site: Path) -> None:
    for name in ("corrections/index.html", "corrections/index.md"):
        assert "Nothing has been corrected" in (tiny_site / name).read_text(encoding="utf-8")
    document = json.loads((tiny_site / "corrections/index.json").read_text(encoding="utf-8"))
    assert document["corrections"] == []


def test_many_events_come_in_parts(
    write: Write, minimal: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "MAX_ROWS", 4)
    events = "".join(
        f"- {{id: e-{n:02d}, type: checked, target: row-1, date: '2022-01-{n + 1:02d}', actor: A}}\n" for n in range(10)
    )
    site = build(write(minimal | {"events.yaml": events}), tmp_path / "public")
    parts = [site / "corrections/index.md", site / "corrections/page-2.md", site / "corrections/page-3.md"]
    found = [row[-1] for part in parts for row in markdown_tables(part.read_text(encoding="utf-8"))[0][1:]]
    assert found == [f"e-{n:02d}" for n in reversed(range(10))]
    assert list(check_site(site)) == []
