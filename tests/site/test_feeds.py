"""Atom feeds: well-formed, with what Atom asks for, recorded dates only, and ids that stay."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagesupport import build, parse_html
from sotakit.publish import feeds
from sotakit.publish.feeds import moment

Write = Callable[..., Path]
ATOM = "{http://www.w3.org/2005/Atom}"
BASE = "https://example.org/r"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")

SOURCES = {
    "sources/paper-a.yaml": (
        "id: paper-a\n"
        "type: paper\n"
        "title: 'Sorting <fast> & \"well\"'\n"
        "authors: [Ada Doe]\n"
        "date: 2020-05-02\n"
        "results:\n"
        "  - {id: row-1, benchmark: sorting-on-numbers, method: bubble, date: '2021-03', scores: {accuracy: 70.10}}\n"
        "  - {id: row-2, benchmark: sorting-on-numbers, method: merge, date: '2019', scores: {accuracy: 93.2}}\n"
        "  - {id: row-3, benchmark: sorting-on-numbers, method: merge, variant: b, scores: {accuracy: 93.9}}\n"
    ),
    "events.yaml": (
        "- {id: e-1, type: disputed, target: row-2, date: 2022-01-05, actor: Eve <x>, before: active, after: disputed,"
        " reason: A digit was misread., evidence: 'https://example.org/issue?a=1&b=2'}\n"
        "- {id: e-2, type: checked, target: paper-a, date: 2020-06, actor: A tool}\n"
    ),
}


@pytest.fixture
def site(write: Write, minimal: dict[str, str], tmp_path: Path) -> Path:
    return build(write(minimal | SOURCES), tmp_path / "public", base_url=f"{BASE}/")


def entries(path: Path) -> list[dict[str, Any]]:
    """The entries of a feed, after checking what RFC 4287 asks of a feed and of every entry."""
    feed = ET.fromstring(path.read_bytes())
    assert feed.tag == f"{ATOM}feed"
    found = feed.findall(f"{ATOM}entry")
    for node in (feed, *found):
        for tag in ("id", "title", "updated"):
            assert len(node.findall(f"{ATOM}{tag}")) == 1
        assert TIME.fullmatch(str(node.findtext(f"{ATOM}updated")))
        assert str(node.findtext(f"{ATOM}id")).startswith(f"{BASE}/")
        assert node.findtext(f"{ATOM}author/{ATOM}name")
        relations = [str(link.get("rel")) for link in node.findall(f"{ATOM}link")]
        assert relations.count("alternate") == 1
    own = [link.get("href") for link in feed.findall(f"{ATOM}link") if link.get("rel") == "self"]
    assert own == [f"{BASE}/{path.relative_to(path.parents[len(Path(own[0][len(BASE) + 1 :]).parts) - 1])}"]
    assert feed.findtext(f"{ATOM}updated") == max(
        (str(node.findtext(f"{ATOM}updated")) for node in found), default="1970-01-01T00:00:00Z"
    )
    ids = [node.findtext(f"{ATOM}id") for node in found]
    assert len(ids) == len(set(ids))
    return [
        {
            child.tag.removeprefix(ATOM): child.get("href") or child.findtext(f"{ATOM}name") or child.text
            for child in node
        }
        for node in found
    ]


def test_results_and_corrections_stand_by_their_recorded_dates_newest_first(site: Path) -> None:
    found = [(entry["id"], entry["updated"]) for entry in entries(site / "sota/sorting-on-numbers/feed.xml")]
    assert found == [
        (f"{BASE}/event/e-1", "2022-01-05T00:00:00Z"),
        (f"{BASE}/result/row-1", "2021-03-01T00:00:00Z"),
        (f"{BASE}/result/row-2", "2019-01-01T00:00:00Z"),
    ]
    collection = [(entry["id"], entry["updated"]) for entry in entries(site / "feed.xml")]
    assert collection == [*found[:2], (f"{BASE}/event/e-2", "2020-06-01T00:00:00Z"), found[2]]
    assert entries(site / "task/sorting/feed.xml") == entries(site / "sota/sorting-on-numbers/feed.xml")


def test_an_entry_says_what_was_measured_by_whom_and_leads_to_it(site: Path) -> None:
    event, result, *_ = entries(site / "sota/sorting-on-numbers/feed.xml")
    assert result["title"] == "Bubble on Sorting on Numbers"
    assert result["summary"] == 'Recorded: Accuracy 70.10 (percent). Source: Sorting <fast> & "well"'
    assert (result["author"], result["link"]) == ("Doe 2020", f"{BASE}/sota/sorting-on-numbers/#r-row-1")
    assert event["title"] == "Disputed: Merge on Sorting on Numbers"
    assert event["summary"] == "Disputed. status: active → disputed. A digit was misread."
    assert (event["author"], event["link"]) == ("Eve <x>", f"{BASE}/corrections/#e-e-1")
    page = parse_html((site / "corrections/index.html").read_text(encoding="utf-8"))
    assert page.one("tr", id="e-e-1")


def test_what_has_no_recorded_date_is_left_out_and_counted(site: Path) -> None:
    feed = ET.fromstring((site / "feed.xml").read_bytes())
    assert feed.findtext(f"{ATOM}subtitle") == "1 result without a recorded date left out"


def test_a_board_with_a_recorded_change_lends_its_date(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    minimal["benchmarks.yaml"] += "  updated_at: 2024-02-26T05:46:52.174Z\n"
    site = build(write(minimal), tmp_path / "public", base_url=BASE)
    assert {entry["updated"] for entry in entries(site / "feed.xml")} == {"2024-02-26T05:46:52.174Z"}


def test_without_any_date_only_the_collection_has_a_feed(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    site = build(write(minimal), tmp_path / "public", base_url=BASE)
    assert [path.relative_to(site).as_posix() for path in site.rglob("feed.xml")] == ["feed.xml"]
    assert entries(site / "feed.xml") == []


def test_without_a_base_address_there_is_no_feed_and_no_link_to_one(tiny_site: Path) -> None:
    assert list(tiny_site.rglob("feed.xml")) == []
    assert "feed.xml" not in (tiny_site / "index.html").read_text(encoding="utf-8")


def test_every_page_names_the_feed_that_is_nearest(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    records = minimal | SOURCES
    records["benchmarks.yaml"] += "    - {key: time, metric: accuracy, label: Time, direction: lower, unit: seconds}\n"
    site = build(write(records), tmp_path / "public", base_url=BASE)
    found = {}
    for path in site.rglob("*.html"):
        page = parse_html(path.read_text(encoding="utf-8"))
        name = path.relative_to(site).as_posix()
        hrefs = [str(link.attrs["href"]) for link in page.all("link", type="application/atom+xml")]
        if name != "404.html":
            (href,) = hrefs
            target = (path.parent / href).resolve()
            assert target.is_file(), name
            found[name] = target.relative_to(site.resolve()).as_posix()
    assert found["sota/sorting-on-numbers/index.html"] == "sota/sorting-on-numbers/feed.xml"
    assert found["sota/sorting-on-numbers/time/index.html"] == "sota/sorting-on-numbers/feed.xml"
    assert found["task/sorting/index.html"] == "task/sorting/feed.xml"
    assert found["method/merge/index.html"] == found["index.html"] == "feed.xml"


def test_a_feed_holds_the_newest_entries_only(
    write: Write, minimal: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "MAX_ENTRIES", 2)
    site = build(write(minimal | SOURCES), tmp_path / "public", base_url=BASE)
    for name in ("feed.xml", "task/sorting/feed.xml", "sota/sorting-on-numbers/feed.xml"):
        assert [entry["id"] for entry in entries(site / name)] == [f"{BASE}/event/e-1", f"{BASE}/result/row-1"]


@given(dates=st.lists(st.sampled_from(["2019", "2020-01", "2020-01-01", "2021", ""]), min_size=1, max_size=9))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_of_too_many_entries_the_newest_stay_and_of_one_time_those_with_the_greatest_ids(
    minimal: dict[str, str], tmp_path_factory: pytest.TempPathFactory, dates: list[str]
) -> None:
    names = [f"row-{(number * 7) % 10}" for number in range(len(dates))]
    fixed = {"benchmark": "sorting-on-numbers", "method": "merge", "scores": {"accuracy": "1.5"}}
    rows = [
        {"id": name, **fixed, "variant": name, "date": date or None} for name, date in zip(names, dates, strict=True)
    ]
    folder = tmp_path_factory.mktemp("feeds")
    source = json.dumps({"id": "paper-a", "type": "paper", "title": "A", "results": rows})
    for name, text in (minimal | {"sources/paper-a.yaml": source}).items():
        path = folder / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(feeds, "MAX_ENTRIES", 3)
        site = build(folder / "data", folder / "public", base_url=BASE)
    dated = sorted(((moment(date), name) for name, date in zip(names, dates, strict=True) if date), reverse=True)
    expected = [f"{BASE}/result/{name}" for _, name in dated[:3]]
    places = ["feed.xml", *(["task/sorting/feed.xml", "sota/sorting-on-numbers/feed.xml"] if dated else [])]
    for place in places:
        assert [entry["id"] for entry in entries(site / place)] == expected
    assert len(list(site.rglob("feed.xml"))) == len(places)


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("2021", "2021-01-01T00:00:00Z"),
        ("2021-07", "2021-07-01T00:00:00Z"),
        ("2021-07-09", "2021-07-09T00:00:00Z"),
        ("2021-07-09T10:11:12Z", "2021-07-09T10:11:12Z"),
    ],
)
def test_a_partial_date_means_its_first_moment(date: str, expected: str) -> None:
    assert moment(date) == expected


def test_characters_that_xml_cannot_hold_are_replaced(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    minimal |= SOURCES
    minimal["methods.yaml"] = '- {id: bubble, name: "Bub\\uFFFEble ]]> &amp;"}\n- {id: merge, name: Merge}\n'
    site = build(write(minimal), tmp_path / "public", base_url=BASE)
    titles = [entry["title"] for entry in entries(site / "feed.xml")]
    assert "Bub\ufffdble ]]> &amp; on Sorting on Numbers" in titles
