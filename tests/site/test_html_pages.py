"""What every HTML page has, what none has, and what a benchmark's page shows."""

import itertools
import re
from pathlib import Path

import pytest

from pagesupport import Node, parse_html

BOARD = "sota/counterfactual-explanations-on-mnist-test/index.html"


def pages(site: Path) -> dict[str, Node]:
    found = site.rglob("*.html")
    return {path.relative_to(site).as_posix(): parse_html(path.read_text(encoding="utf-8")) for path in found}


def test_every_page_has_a_language_a_title_a_description_and_one_heading(each_site: Path) -> None:
    for name, page in pages(each_site).items():
        assert page.one("html").attrs["lang"] == "en", name
        assert page.one("head").one("title").text, name
        assert page.one("meta", name="description").attrs["content"], name
        assert len(page.all("h1")) == 1, name
        assert len(page.all("main")) == 1, name


def test_ids_are_unique_on_every_page(each_site: Path) -> None:
    for name, page in pages(each_site).items():
        ids = [node.attrs["id"] for node in page.walk() if "id" in node.attrs]
        assert len(ids) == len(set(ids)), name


def test_nothing_on_a_page_is_an_inline_script_a_style_or_a_handler(each_site: Path) -> None:
    for name, page in pages(each_site).items():
        for node in page.walk():
            assert node.tag not in {"style", "iframe", "object", "embed", "form"}, name
            if node.attrs.get("type") == "application/ld+json":
                assert "<" not in node.raw, name
            elif node.tag == "script":
                assert re.search(r"(^|/)static/[a-z]+\.js$", str(node.attrs["src"])), name
                assert "defer" in node.attrs, name
                assert not node.children, name
            assert "style" not in node.attrs, name
            assert not [attr for attr in node.attrs if attr.startswith("on")], name


def test_the_policy_of_every_page_allows_the_site_itself_only(each_site: Path) -> None:
    for page in pages(each_site).values():
        meta = page.all("meta", http_equiv="Content-Security-Policy")
        assert len(meta) == 1
        policy = dict(part.strip().split(" ", 1) for part in str(meta[0].attrs["content"]).split(";"))
        assert policy["default-src"] == "'none'"
        assert set(policy.values()) == {"'none'", "'self'"}


def test_titles_of_pages_tell_them_apart(each_site: Path) -> None:
    titles = [page.one("head").one("title").text for page in pages(each_site).values()]
    assert len(titles) == len(set(titles))


def test_headings_do_not_skip_a_level(each_site: Path) -> None:
    for name, page in pages(each_site).items():
        levels = [int(node.tag[1]) for node in page.walk() if re.fullmatch("h[1-6]", node.tag)]
        steps = [after - before for before, after in itertools.pairwise(levels)]
        assert max(steps, default=0) <= 1, name


def test_tables_have_header_cells_with_a_scope(each_site: Path) -> None:
    for name, page in pages(each_site).items():
        for table in page.all("table"):
            scopes = {node.attrs.get("scope") for node in table.all("th")}
            assert {"col", "row"} <= scopes <= {"col", "row", "rowgroup"}, name
            widths = {
                sum(int(cell.attrs.get("colspan") or 1) for cell in row.children if isinstance(cell, Node))
                for row in table.all("tr")
            }
            assert len(widths) == 1, name


def test_the_board_shows_both_ranks_and_the_evidence(seed_site: Path) -> None:
    page = pages(seed_site)[BOARD]
    rows = page.one("tbody").all("tr")
    recorded = ["1", "1", "2", "3", "4", "5", "5", "6", "7", "8", "8"]
    cited = ["8", "8", "7", "6", "5", "4", "4", "3", "2", "1", "1"]
    cells = [[node.text for node in row.children if isinstance(node, Node)] for row in rows]
    assert [row[:2] for row in cells] == [list(pair) for pair in zip(recorded, cited, strict=True)]
    assert {row[-2] for row in cells} == {"aggregator"}
    assert [row.attrs.get("class") for row in rows].count("repeat") == 3
    assert sum("≈ duplicate" in row[2] for row in cells) == 3


def test_the_board_names_the_dispute_and_both_best_values(seed_site: Path) -> None:
    page = pages(seed_site)[BOARD]
    notice = page.one("aside", id="notice-direction").text
    assert "for IM1 Score" in notice
    assert "Van Looveren & Klaise 2019; Verma et al. 2024" in notice
    answer = page.one("p", class_="answer").text
    assert answer == (
        "Best recorded here by the recorded direction (higher is better): 1.6426, BayesCF (Uncertainty Estimation: MC "
        "Dropout); Duell & Fan 2026. Best recorded here by the cited direction (lower is better): 0.9273, PSCE "
        "(Uncertainty Estimation: MC Dropout); Duell & Fan 2026. No claim of complete coverage."
    )


def test_regenerated_rows_stand_in_their_own_table_only(tiny_site: Path) -> None:
    page = pages(tiny_site)["sota/sorting-numbers/index.html"]
    recorded, regenerated = page.all("tbody")
    assert [row.attrs["data-result"] for row in recorded.all("tr")] == ["t-1", "t-2", "t-3", "t-5", "t-4"]
    assert [row.attrs["data-result"] for row in regenerated.all("tr")] == ["g-1"]


def test_the_tabs_count_the_values_of_each_metric(tiny_site: Path) -> None:
    tabs = pages(tiny_site)["sota/sorting-numbers/index.html"].one("nav", class_="tabs")
    assert [node.text for node in tabs.all("a")] == ["Time (s) ↑ disputed, 5", "Swaps ↓ 1", "Feel 1"]


def test_a_benchmark_with_one_metric_is_itself_the_view_by_it(tiny_site: Path) -> None:
    page = pages(tiny_site)["sota/stable-sorting-numbers/index.html"]
    (tab,) = page.one("nav", class_="tabs").all("a")
    own = "../../sota/stable-sorting-numbers/index.html"
    assert (tab.attrs["href"], tab.attrs["data-key"]) == (own, "accuracy")
    assert [path.name for path in (tiny_site / "sota/stable-sorting-numbers").iterdir()] == ["index.html"]
    text = (tiny_site / "sota/stable-sorting-numbers.md").read_text(encoding="utf-8")
    assert "- [Accuracy](<stable-sorting-numbers.md>): Higher is better" in text


def test_a_value_that_is_missing_says_why(tiny_site: Path) -> None:
    page = pages(tiny_site)["sota/sorting-numbers/index.html"]
    result = page.one("article", aria_labelledby="d-t-4")
    shown = {str(node.attrs["data-metric"]): node.text for node in result.all("dd") if "data-metric" in node.attrs}
    assert shown == {
        "time-s": "OOM (failed) (SECONDS)",
        "swaps": "10 / 12 (not one number) (count)",
        "feel": "7 (Not recorded)",
    }


def test_uncertainty_and_runs_are_told(tiny_site: Path) -> None:
    page = pages(tiny_site)["sota/sorting-numbers/index.html"]
    assert "sd 2; mean; 5 runs" in page.one("article", aria_labelledby="d-t-3").text
    assert "95% ci 1.2 to 1.3; 3 runs" in page.one("article", aria_labelledby="d-g-1").text


@pytest.mark.parametrize(
    ("file", "texts"),
    [
        (
            "method/less-than/index.html",
            ['Less<i> & "More" | Sort', "LT", "Doe et al. 2024", "1 as recorded, 2 as cited"],
        ),
        ("method/merge/index.html", ["Merge_Sort", "Example & Co", "Roe 2025", "OOM (failed)", "Not ranked"]),
        ("method/bubble/index.html", ["baseline", "Compares neighbours.", "≈ duplicate"]),
        (
            "paper/doe-2024/index.html",
            ["Sorting, [Fast] & *Loose*", "Ada Doe, Ben van der Roe, Cy Poe", "Sorting Board"],
        ),
        ("paper/run-1/index.html", ["Timing of 2025-05-01", "run", "1.25"]),
        ("dataset/numbers/index.html", ["Numbers", "https://example.org/numbers?a=1&copy;=2", "Sorting on Numbers"]),
        ("task/sorting/index.html", ["Stable Sorting", "Sorting on Numbers"]),
        ("task/stable-sorting/index.html", ["Broader tasks", "Sorting"]),
        (
            "metric/time/index.html",
            [
                "Direction disputed.",
                "Time (s)↑ Higher is better",
                "Direction (section 2). Less time is better.",
                "0 to …",
            ],
        ),
        ("metric/swaps/index.html", ["Lower is better", "Benchmarks that use it", "Sorting on Numbers"]),
        (
            "index.html",
            [
                "A few made-up results that show every kind of row.",
                "Sorting on Numbers",
                "5 recorded",
                "7Results",
            ],
        ),
        ("sota/index.html", ["2 in all.", "Stable Sorting on Numbers", "1 result"]),
        ("404.html", ["Page not found"]),
    ],
)
def test_pages_show_what_their_records_say(tiny_site: Path, file: str, texts: list[str]) -> None:
    text = parse_html((tiny_site / file).read_text(encoding="utf-8")).text
    assert [part for part in texts if part not in text] == []


def test_a_page_says_how_many_records_were_left_out(tmp_path: Path, minimal: dict[str, str]) -> None:
    from pagesupport import AS_OF
    from sotakit.publish.build import SiteOptions, build_site
    from sotakit.validate import validate

    minimal["methods.yaml"] += "- {id: broken, nam: Broken}\n"
    for name, text in minimal.items():
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    outcome = validate(tmp_path / "data", tmp_path / "build", AS_OF, allow_errors=True)
    assert outcome.tables
    build_site(outcome.tables, SiteOptions(tmp_path / "public"))
    footer = parse_html((tmp_path / "public/index.html").read_text(encoding="utf-8")).one("footer").text
    assert "1 record was refused by validation and is missing here." in footer
