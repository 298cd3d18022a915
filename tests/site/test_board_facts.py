"""What a board's page works out for itself: rank ranges, gaps, bars, groups, citations, hashes and report links."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesupport import Node, build, parse_html
from sotakit.publish.board_order import gap_words
from sotakit.publish.rank_ranges import ends_of, rank_ranges
from sotakit.publish.report_link import ReportLink

Write = Callable[..., Path]
PAGE = "sota/sorting-on-numbers/index.html"
RESULTS = """id: paper-a
type: paper
title: "Sorting {fast} & well"
authors: [Ann Doe]
date: "2024-05-01"
results:
  - {id: r1, benchmark: sorting-on-numbers, method: bubble, config: {Threads: 1}, date: "2024-01-01",
     scores: {accuracy: {text: "90.0", uncertainty: {kind: ci, low: 88, high: 92, level: 0.95}}}}
  - {id: r2, benchmark: sorting-on-numbers, method: merge, config: {Threads: 1}, date: "2024-02",
     scores: {accuracy: {text: "91.25", uncertainty: {kind: se, value: 1}}}}
  - {id: r3, benchmark: sorting-on-numbers, method: merge, config: {Threads: 2}, status: disputed,
     scores: {accuracy: "80"}}
  - {id: r4, benchmark: sorting-on-numbers, method: merge, config: {Threads: 2}, scores: {accuracy: {text: "70.0",
     uncertainty: {kind: sd, value: 30}}}, variant: "2"}
"""


@pytest.fixture
def board(write: Write, minimal: dict[str, str], tmp_path: Path) -> Node:
    """The page of a board with two groups of two."""
    minimal["sources/paper-a.yaml"] = RESULTS
    minimal["registry.yaml"] = "schema: 1\ntitle: Sorts\ncontact: https://example.org/new\n"
    site = build(write(minimal), tmp_path / "public")
    return parse_html((site / PAGE).read_text(encoding="utf-8"))


def column(page: Node, kind: str) -> list[str]:
    """The texts of a column of the recorded results, by the kind of its header."""
    table = page.one("table", class_="board")
    heads = [head.attrs.get("data-c") for head in table.one("thead").all("th")]
    rows = table.one("tbody").all("tr")
    return [[cell for cell in row.children if isinstance(cell, Node)][heads.index(kind)].text for row in rows]


def test_ranks_gaps_and_groups_of_a_board_worked_out_by_hand(board: Node) -> None:
    # 91.25 ± 1.96 overlaps 88 to 92; the standard deviation of the last row says nothing about its rank.
    assert column(board, "rank") == ["1 1–2", "2 1–2", "3", "4"]
    assert column(board, "gap") == ["best", "−1.25", "−11.25", "−21.25"]
    assert column(board, "group") == ["A 1", "A 2", "B 1", "B 2"]
    bars = [node.attrs["width"] for node in board.one("table", class_="board").all("rect")]
    assert bars == ["100", "94", "47", "0"]  # of the 21.25 points between 70 and 91.25
    listed = board.one("details", id="groups")
    assert [node.text for node in listed.all("dt")] == ["A Threads: 1", "B Threads: 2"]
    assert [node.text for node in listed.all("li")] == [
        "1 Merge 91.25", "2 Bubble 90.0", "1 Merge 80 disputed", "2 Merge 70.0 contested"
    ]  # fmt: skip


def test_the_standing_of_a_claim_shows_beside_its_method(board: Node) -> None:
    tags = {
        row.attrs["data-result"]: [tag.text for tag in row.all("span", class_="tag")]
        for row in board.all("tr")
        if "data-result" in row.attrs
    }
    assert tags == {"r2": [], "r1": [], "r3": ["disputed"], "r4": ["contested"]}


def test_values_line_up_on_their_decimal_point(board: Node) -> None:
    cells = [node.raw for node in board.all("td", class_="value")]
    assert cells[0].startswith("91.25")
    assert cells[2] == "80\u2007\u2007\u2008"  # two digits and a point are missing
    assert cells[3].startswith("70.0\u2007")


def test_the_sentence_names_the_runner_up_of_another_method(board: Node) -> None:
    assert board.one("p", class_="answer").text == (
        "Best recorded here (higher is better): 91.25, Merge (Threads: 1); Doe 2024, result of 2024-02. "
        "Next method: Bubble with 90.0, 1.25 behind. No claim of complete coverage."
    )


def test_half_of_the_dates_are_enough_for_a_chart_over_time_that_counts_the_others(board: Node) -> None:
    figure = board.one("figure", class_="figure")
    assert "2 undated results not drawn; 1 result dated by month or year only, drawn at its middle." in figure.text
    assert "Better" not in figure.text
    assert "better ↑" in figure.text
    assert [node.attrs["href"] for node in figure.all("a")] == ["#r-r2", "#r-r1"]


def test_results_far_below_the_frontier_are_counted_not_drawn(
    write: Write, minimal: dict[str, str], tmp_path: Path
) -> None:
    values = {
        "r1": ("80", "2020-01-01"),
        "r2": ("82", "2021-01-01"),
        "r3": ("76", "2021-02-01"),
        "r4": ("75.9", "2021-03-01"),
    }
    minimal["sources/paper-a.yaml"] = "id: paper-a\ntype: paper\nresults:\n" + "".join(
        f"  - {{id: {name}, benchmark: sorting-on-numbers, method: bubble, variant: {name}, date: '{date}',"
        f" scores: {{accuracy: '{value}'}}}}\n"
        for name, (value, date) in values.items()
    )
    page = parse_html((build(write(minimal), tmp_path / "public") / PAGE).read_text(encoding="utf-8"))
    figure = page.one("figure", class_="figure")
    assert [node.attrs["href"] for node in figure.all("a")] == ["#r-r2", "#r-r1", "#r-r3"]  # twice 82 - 80 below 80
    assert "1 result far below the others not drawn." in figure.text


def test_papers_stand_with_title_and_year_and_their_id_as_tooltip(board: Node) -> None:
    cells = board.one("table", class_="board").all("td", class_="cite")
    assert {cell.text for cell in cells} == {"Sorting {fast} & well 2024"}
    assert {cell.one("a").attrs["title"] for cell in cells} == {"Doe 2024 · paper-a"}


def test_the_table_is_cited_by_the_hash_of_its_file(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    minimal["sources/paper-a.yaml"] = RESULTS
    site = build(write(minimal), tmp_path / "public", "https://example.org/r")
    page = parse_html((site / PAGE).read_text(encoding="utf-8"))
    raw = (site / "sota/sorting-on-numbers.csv").read_bytes()
    digest = hashlib.sha256(raw).hexdigest()
    table, paper = (node.raw for node in page.all("pre"))
    assert table.startswith(f"@misc{{sorting-on-numbers-{digest[:8]},")
    assert digest in table
    assert "https://example.org/r/sota/sorting-on-numbers/}" in table
    assert r"Sorting \textbraceleft{}fast\textbraceright{} \& well" in paper
    assert "Ann Doe" in paper
    downloads = page.one("ul", class_="downloads")
    assert f"{len(raw)} bytes, SHA-256 {digest[:12]}" in downloads.text
    assert downloads.one("code").attrs["title"] == digest


def test_every_result_has_a_link_that_reports_a_mistake(board: Node) -> None:
    links = [str(node.attrs["href"]) for node in board.all("a") if node.text == "report a mistake"]
    assert [parse_qs(urlsplit(link).query)["body"] for link in links] == [
        ["Result: r2"], ["Result: r1"], ["Result: r3"], ["Result: r4"],
    ]  # fmt: skip
    assert {link.split("?")[0] for link in links} == {"https://example.org/new"}
    assert parse_qs(urlsplit(links[0]).query)["title"] == ["Mistake in Sorting on Numbers"]


@pytest.mark.parametrize(
    ("contact", "start"),
    [
        ("a@example.org", "mailto:a@example.org?subject="),
        ("mailto:a@example.org", "mailto:a@example.org?subject="),
        ("https://example.org/new?labels=data", "https://example.org/new?labels=data&amp;title="),
        ("", None),
        ("write to us", None),
        ("javascript:alert(1)", None),
        ("http://example.org", None),
        ("https://example.org/#x", None),
        ('https://e.org/"><script>', None),
        ("a@example.org?bcc=b@example.org", None),
    ],
)
def test_contacts_that_are_no_address_make_no_link(contact: str, start: str | None) -> None:
    found = ReportLink(contact, "T").html("r 1&2")
    assert found == "" if start is None else f'href="{start}' in found
    assert start is None or "r%201%262" in found


@pytest.mark.parametrize(
    ("value", "best", "gap"),
    [
        ("93.2", "93.20", "best"),
        ("70.10", "93.2", "−23.10"),
        ("1.6", "0.9273", "+0.6727"),
        ("1E+30", "1", "+1.00e+30"),
        ("0.4699999999999999", "0.47000000000000003", "−1.3e−16"),
    ],
)
def test_gaps_keep_the_digits_of_their_values(value: str, best: str, gap: str) -> None:
    assert gap_words(value, best) == gap


ENDS = st.tuples(st.integers(0, 20), st.integers(0, 5)).map(lambda pair: (float(pair[0]), float(pair[0] + pair[1])))


@given(st.lists(ENDS, min_size=1, max_size=6), st.sampled_from(["higher", "lower"]))
def test_rank_ranges_are_the_ranks_that_values_inside_the_intervals_can_have(
    ends: list[tuple[float, float]], direction: str
) -> None:
    """Against trying the best and the worst place of each result among the nearest ends of the others."""
    found = rank_ranges({str(place): pair for place, pair in enumerate(ends)}, direction)
    for place, (low, high) in enumerate(ends):
        others = [pair for other, pair in enumerate(ends) if other != place]
        if direction == "higher":
            best = 1 + sum(other[0] > high for other in others)
            worst = 1 + sum(other[1] > low for other in others)
        else:
            best = 1 + sum(other[1] < low for other in others)
            worst = 1 + sum(other[0] < high for other in others)
        assert found[str(place)] == (best, worst)


@pytest.mark.parametrize(
    ("kind", "spread", "low", "high", "ends"),
    [
        ("ci", None, 1.0, 3.0, (1.0, 3.0)),
        ("ci", 0.5, None, None, (1.5, 2.5)),
        ("se", 0.5, None, None, (1.02, 2.98)),
        ("sd", 0.5, None, None, (2.0, 2.0)),
        ("unknown", 0.5, 1.0, 3.0, (2.0, 2.0)),
        (None, None, None, None, (2.0, 2.0)),
    ],
)
def test_only_confidence_intervals_and_standard_errors_make_ranges(
    kind: str | None, spread: float | None, low: float | None, high: float | None, ends: tuple[float, float]
) -> None:
    assert ends_of(2.0, kind, spread, low, high) == pytest.approx(ends)
    assert ends_of(None, kind, spread, low, high) is None
