"""Results that no longer stand: without a rank, never the best, and marked wherever they are shown."""

import csv
import io
import json
import re
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pagesupport import build, markdown_tables, parse_html
from sotakit.publish.site_check import check_site

BASE = "https://example.org/r"
METRIC = {"key": "acc", "metric": "acc", "label": "Acc", "direction": "higher", "unit": "percent"}
SECOND = {"key": "err", "metric": "err", "label": "Err", "direction": "lower", "unit": "percent"}


def row(name: str, method: str, acc: str, err: str, **more: Any) -> dict[str, Any]:
    scores = {"acc": acc, "err": err}
    return {"id": name, "benchmark": "b", "method": method, "date": "2024-02-01", "scores": scores, **more}


def cited(name: str, direction: str) -> dict[str, Any]:
    return {"id": name, "name": name.title(), "direction": direction, "direction_source": [{"source": "good"}]}


RECORDS: dict[str, Any] = {
    "registry": {"title": "Standing"},
    "tasks": [{"id": "t", "name": "Task"}],
    "datasets": [{"id": "d", "name": "Data"}],
    "metrics": [cited("acc", "higher"), cited("err", "lower")],
    "methods": [{"id": name, "name": name.title()} for name in ("ant", "bee", "cat", "dog", "elk")],
    "benchmarks": [{"id": "b", "title": "Board", "task": "t", "dataset": "d", "metrics": [METRIC, SECOND]}],
    "sources": [
        {
            "id": "good", "type": "paper", "title": "Good", "url": "https://example.org/good",
            "results": [
                row("r1", "ant", "99.0", "1.0"),  # withdrawn by an event
                row("r2", "bee", "98.0", "2.0", status="superseded"),
                row("r3", "cat", "80.0", "20.0", status="disputed"),
                row("r4", "cat", "79.0", "21.0", variant="one"),
                row("r5", "dog", "70.0", "30.0"),
            ],
        },
        {
            "id": "fallen", "type": "paper", "title": "Fallen", "url": "https://example.org/fallen",
            "results": [row("r6", "elk", "97.0", "0.5"), row("r7", "dog", "60.0", "40.0", variant="two")],
        },
    ],
    "events": [
        {"id": "e1", "type": "corrected", "target": "r1", "date": "2025", "actor": "A", "field": "status",
         "before": "active", "after": "withdrawn"},
        {"id": "e2", "type": "retracted", "target": "fallen", "date": "2025", "actor": "A"},
    ],
}  # fmt: skip
MARKS = {
    "r1": {"withdrawn"},
    "r2": {"superseded"},
    "r3": {"disputed"},
    "r4": {"contested"},
    "r5": set(),
    "r6": {"retracted source"},
    "r7": {"retracted source", "contested"},
}
RANKS = {"r1": "", "r2": "", "r3": "1", "r4": "2", "r5": "3", "r6": "", "r7": ""}
FALLEN = {"r1", "r2", "r6", "r7"}


@pytest.fixture(scope="module", params=[None, BASE])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("standing")
    for name, records in RECORDS.items():
        (folder / "data").mkdir(exist_ok=True)
        (folder / f"data/{name}.json").write_text(json.dumps(records), encoding="utf-8")
    return build(folder / "data", folder / "public", base_url=request.param)


def text(site: Path, name: str) -> str:
    return (site / name).read_text(encoding="utf-8")


def by_id(rows: list[list[str]]) -> dict[str, dict[str, str]]:
    head, *others = rows
    return {cells[-1].split(" ")[0]: dict(zip(head, cells, strict=True)) for cells in others}


def test_json_has_marks_and_no_ranks(site: Path) -> None:
    rows = {row["id"]: row for row in json.loads(text(site, "sota/b.json"))["recorded"]}
    assert {name: set(row["marks"]) for name, row in rows.items()} == MARKS
    assert {name for name, row in rows.items() if not row["stands"]} == FALLEN
    assert {name: str(row["scores"]["acc"]["rank"] or "") for name, row in rows.items()} == RANKS
    assert all(row["scores"]["err"]["rank_cited"] is None for name, row in rows.items() if name in FALLEN)


def test_csv_has_marks_and_no_ranks(site: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(text(site, "sota/b.csv"))))
    assert {row["result_id"]: set(filter(None, row["marks"].split("; "))) for row in rows} == MARKS
    assert {row["result_id"]: row["rank"] for row in rows} == RANKS
    assert {row["result_id"] for row in rows if row["stands"] == "false"} == FALLEN


@pytest.mark.parametrize("view", ["b/index.html", "b/acc/index.html", "b/err/index.html"])
def test_html_tables_have_marks_and_no_ranks(site: Path, view: str) -> None:
    page = parse_html(text(site, f"sota/{view}"))
    rows = {str(node.attrs["data-result"]): node for node in page.all("tr") if "data-result" in node.attrs}
    assert {name: {tag.text for tag in node.all("span", class_="tag")} for name, node in rows.items()} == MARKS
    ranked = {name for name, node in rows.items() if node.children[0].text != "–"}  # type: ignore[union-attr]
    assert ranked == MARKS.keys() - FALLEN
    best = page.one("p", class_="answer").one("a", href="#r-r3")  # by both metrics, of those that stand
    assert best.text == ("20.0" if "err" in view else "80.0")


@pytest.mark.parametrize("view", ["b.md", "b/acc.md", "b/err.md"])
def test_markdown_tables_have_marks_and_no_ranks(site: Path, view: str) -> None:
    page = text(site, f"sota/{view}")
    rows = by_id(markdown_tables(page)[1])
    assert {name: set(filter(None, cells["Standing"].split(", "))) for name, cells in rows.items()} == MARKS
    if "err" not in view:
        assert {name: cells["Rank"].replace("–", "") for name, cells in rows.items()} == RANKS
    assert f"Best recorded here ({'lower' if 'err' in view else 'higher'} is better): " in page
    assert re.search(r"is better\): (80\.0|20\.0), Cat", page)
    assert "| No longer standing | 4 |" in page


def test_markdown_sections_say_the_standing(site: Path) -> None:
    sections = re.split(r'<a id="r-([^"]+)"></a>', text(site, "sota/b.md"))[1:]
    for name, section in zip(sections[::2], sections[1::2], strict=True):
        stated = re.findall(r"^Standing: (.*)\.$", section, re.MULTILINE)
        words = {part.split(" (")[0] for part in stated[0].split("; ")} if stated else set()
        assert words == MARKS[name]
        assert "\nTranscription: `unchecked`.\n" in section


def test_pages_of_methods_and_sources_mark_and_do_not_rank(site: Path) -> None:
    names = [f"method/{name}" for name in ("ant", "bee", "cat", "dog", "elk")] + ["paper/good", "paper/fallen"]
    seen = set()
    for name in names:
        rows = by_id([[*cells[:-1], cells[-1]] for cells in markdown_tables(text(site, f"{name}.md"))[0]])
        marked = {
            result: set(re.findall(r"[a-z][a-z ]+", cells["Result"].partition(" ")[2]))
            for result, cells in rows.items()
        }
        assert marked == {result: MARKS[result] for result in rows}
        assert {
            result for result, cells in rows.items() if cells["Rank on its board"] == "Not ranked"
        } == FALLEN & rows.keys()
        data = json.loads(text(site, f"{name}.json"))["results"]
        assert {(row["id"], *sorted(row["marks"])) for row in data} == {(r, *sorted(MARKS[r])) for r in rows}
        html = parse_html(text(site, f"{name}/index.html"))
        shown = [
            (node.one("code").text, {tag.text for tag in node.all("span", class_="tag")})
            for node in html.all("td", class_="id")
        ]
        assert dict(shown) == marked
        seen |= rows.keys()
    assert seen == MARKS.keys()


def test_lists_and_indexes_count_them_and_name_who_stands(site: Path) -> None:
    for name in ("index.md", "task/t.md", "dataset/d.md"):
        table = markdown_tables(text(site, name))[0]
        line = dict(zip(table[0], table[1], strict=True))
        assert (line["Best recorded here"], line["Recorded results"]) == ("80.0 by Cat", "7, 4 no longer standing")
        html = text(site, name.replace(".md", "/index.html").replace("index/index", "index"))
        assert "7 recorded, 4 no longer standing" in html
    assert "7 recorded results, 4 no longer standing; metrics: Acc" in text(site, "llms.txt")
    full = text(site, "llms-full.txt")
    assert full.count("| retracted source") == 2
    assert full.count("Standing: withdrawn (") == 1


def test_charts_draw_only_what_stands(site: Path) -> None:
    figure = parse_html(text(site, "sota/b/index.html")).one("figure", class_="figure")
    assert "4 results no longer standing not drawn" in figure.text
    drawn = {str(node.attrs["href"]).removeprefix("#r-") for node in figure.all("a")}
    assert drawn == MARKS.keys() - FALLEN


def test_feeds_mark_them(site: Path) -> None:
    if not (site / "feed.xml").exists():
        return
    atom = "{http://www.w3.org/2005/Atom}"
    for name in ("feed.xml", "sota/b/feed.xml", "task/t/feed.xml"):
        entries = [
            node
            for node in ET.fromstring(text(site, name)).findall(f"{atom}entry")
            if "/result/" in str(node.findtext(f"{atom}id"))
        ]
        for entry in entries:
            result = str(entry.findtext(f"{atom}id")).rpartition("/")[2]
            title, summary = str(entry.findtext(f"{atom}title")), str(entry.findtext(f"{atom}summary"))
            words = title.rpartition(" (")[2].removesuffix(")").split(", ") if title.endswith(")") else []
            assert set(words) == MARKS[result]
            assert all(f"Standing: {word} (" in summary for word in words)
        assert len(entries) == 7


def test_a_whole_site_has_no_faults(site: Path) -> None:
    assert list(check_site(site)) == []


TAG = '<span class="tag" title="the document that states it was retracted">retracted source</span>'
DAMAGE = {
    "the board's HTML": ("sota/b/index.html", f" {TAG}", "", "lacks its mark 'retracted source'"),
    "a view's HTML": ("sota/b/err/index.html", f" {TAG}", "", "lacks its mark 'retracted source'"),
    "a rank in HTML": (
        "sota/b/index.html", '<td class="num">&ndash;</td>', '<td class="num rank" data-v="4">4</td>', "has a rank"
    ),
    "the board's table": ("sota/b.md", "| retracted source |", "|  |", "lacks its mark 'retracted source'"),
    "the table of a view": ("sota/b/acc.md", "| withdrawn |", "|  |", "lacks its mark 'withdrawn'"),
    "a rank in Markdown": ("sota/b.md", "| – | Ant |", "| 4 | Ant |", "'r1' has a rank"),
    "a section": ("sota/b.md", "Standing: disputed (", "Said: (", "'r3' lacks its mark 'disputed'"),
    "a mark too many": ("sota/b.md", "| disputed |", "| disputed, contested |", "'r3' has the mark 'contested'"),
    "the CSV": ("sota/b.csv", ",superseded,", ",,", "'r2' lacks its mark 'superseded'"),
    "a rank in CSV": ("sota/b.csv", "r1,reported,,", "r1,reported,4,", "'r1' has a rank"),
    "the JSON": ("sota/b.json", '"marks":["contested"]', '"marks":[]', "'r4' lacks its mark 'contested'"),
    "whether it stands": ("sota/b.json", '"stands":false', '"stands":true', "do not say whether it stands"),
    "the text in full": ("llms-full.txt", "| withdrawn |", "|  |", "'r1' lacks its mark 'withdrawn'"),
    "a method's HTML": ("method/elk/index.html", ' <span class="tag">retracted source</span>', "", "lacks its mark"),
    "a method's rank": ("method/elk/index.html", '<td class="rank">Not ranked', '<td class="rank">4', "has a rank"),
    "a method's table": ("method/ant.md", " (withdrawn)", "", "'r1' lacks its mark 'withdrawn'"),
    "a method's JSON": ("method/ant.json", '"marks":["withdrawn"]', '"marks":[]', "'r1' lacks its mark 'withdrawn'"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGE)
def test_a_form_that_says_something_else_is_a_fault(site: Path, tmp_path: Path, name: str) -> None:
    file, old, new, expected = DAMAGE[name]
    copy = Path(shutil.copytree(site, tmp_path / "public"))
    damaged = text(copy, file)
    assert old in damaged
    (copy / file).write_text(damaged.replace(old, new, 1), encoding="utf-8")
    faults = [str(fault) for fault in check_site(copy)]
    assert any(fault.startswith(file) and expected in fault for fault in faults), faults


def test_a_feed_without_a_mark_is_a_fault(site: Path, tmp_path: Path) -> None:
    if not (site / "feed.xml").exists():
        return
    copy = Path(shutil.copytree(site, tmp_path / "public"))
    (copy / "feed.xml").write_text(text(copy, "feed.xml").replace("on Board (withdrawn)", "on Board"), encoding="utf-8")
    assert [str(fault) for fault in check_site(copy)] == ["feed.xml: the result 'r1' lacks its mark 'withdrawn'"]
