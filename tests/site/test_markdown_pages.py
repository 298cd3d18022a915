"""The Markdown pages of the repository's own records, against what was typed by hand from their source."""

import csv
import re
from pathlib import Path

import pytest

from pagesupport import headings, inline_text, markdown_links, markdown_tables, parse_markdown
from sotakit.exchange.pages import read_page
from sotakit.publish.sheet import cell
from sotakit.publish.wording import locator_words
from sotaschema.results import Locator

BOARD = "counterfactual-explanations-on-mnist-test"
MC, BNN = "MC Dropout", "BNN"
# Method, value, rank as recorded, rank as cited, folded setting, id: in the order of the source.
ROWS = [
    ("BayesCF", "1.6426", "1", "8", MC, "69991f7a5698665ec4866dd2"),
    ("BayesCF", "1.6426", "1", "8", MC, "69991f7a5698665ec4866de7"),
    ("BayesCF", "1.6408", "2", "7", BNN, "69991f7a5698665ec4866df6"),
    ("Wachter", "1.4984", "3", "6", MC, "69991f7a5698665ec4866dd4"),
    ("ROAR", "1.4739", "4", "5", MC, "69991f7a5698665ec4866dd5"),
    ("Schut", "1.2373", "5", "4", MC, "69991f7a5698665ec4866dd3"),
    ("Schut", "1.2373", "5", "4", MC, "69991f7a5698665ec4866de8"),
    ("Schut", "1.2298", "6", "3", BNN, "69991f7a5698665ec4866df7"),
    ("PSCE", "0.9768", "7", "2", BNN, "69991f7a5698665ec4866df5"),
    ("PSCE", "0.9273", "8", "1", MC, "69991f7a5698665ec4866dd1"),
    ("PSCE", "0.9273", "8", "1", MC, "69991f7a5698665ec4866de6"),
]
ORIGINS = {
    "BayesCF": None,
    "Wachter": "68fa64261e209131cea02e3a",
    "ROAR": "68fa6a551e209131cea27783",
    "Schut": "68fa69901e209131cea22aa4",
    "PSCE": "6976f4e9a2b28e761d87c0f0",
}
CONFIGS = {
    "dd2": '{"Uncertainty Estimation":"MC Dropout"}', "de7": '{"Inference Method":"MC Dropout"}',
    "df6": '{"Model":"BNN"}', "dd4": '{"Uncertainty Estimation":"MC Dropout"}',
    "dd5": '{"Uncertainty Estimation":"MC Dropout"}', "dd3": '{"Uncertainty Estimation":"MC Dropout"}',
    "de8": '{"Inference Method":"MC Dropout"}', "df7": '{"Model":"BNN"}', "df5": '{"Model":"BNN"}',
    "dd1": '{"Uncertainty Estimation":"MC Dropout"}', "de6": '{"Inference Method":"MC Dropout"}',
}  # fmt: skip


@pytest.fixture(scope="module")
def page(seed_site: Path) -> str:
    return (seed_site / f"sota/{BOARD}.md").read_text(encoding="utf-8")


def section_paragraphs(text: str) -> list[list[str]]:
    """The texts under each heading of the third level."""
    sections: list[list[str]] = []
    inside = False
    tokens = parse_markdown(text)
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            inside = token.tag == "h3"
            sections += [[]] if inside else []
        elif token.type == "inline" and inside and tokens[at - 1].type != "heading_open":
            sections[-1].append(inline_text(token))
    return sections


def test_the_parts_stand_in_the_order_of_the_source(page: str) -> None:
    marks = [
        "# Counterfactual Explanations on MNIST (test)\n",
        "Source: [",
        "Collection index: [llms.txt]",
        "Data updated: 2026-02-26T05:46:52.174Z\n",
        "Counterfactual explanations for images",
        "Compare only rows whose settings agree",
        "| Scope | Recorded value |",
        "Rows may come from different settings.",
        "## Metrics\n",
        "## Recorded results\n",
        "| Rank as recorded | Rank as cited | Method | IM1 Score |",
        "### BayesCF\n",
        "Page 1 of 1.",
    ]
    places = [page.index(mark) for mark in marks]
    assert places == sorted(places)


def test_the_headings_are_one_title_two_parts_and_eleven_results(page: str) -> None:
    assert headings(page) == [
        (1, "Counterfactual Explanations on MNIST (test)"),
        (2, "Metrics"),
        (2, "Recorded results"),
        *((3, method) for method, *_ in ROWS),
    ]


def test_the_scope_says_what_is_compared(page: str) -> None:
    assert dict(map(tuple, markdown_tables(page)[0])) == {  # type: ignore[arg-type]
        "Scope": "Recorded value",
        "Task": "Counterfactual Explanations",
        "Dataset (including any stated split)": "MNIST (test)",
        "Metric": "IM1 Score",
        "Unit": "SCALAR",
        "Direction": "Higher is better",
        "Direction by the cited definition": "Lower is better",
        "Results loaded": "11 of 11",
        "Distinct claims": "8",
        "Transcription": "copied by machine, not checked by a person: 11",
        "Coverage": "all results recorded here for this benchmark",
        "Protocol": "Not recorded",
        "Split": "test",
        "Unit of IM1 Score": "ratio, printed as SCALAR",
        "Unit of Implausibility": "unitless, printed as SCALAR",
        "Parameters of Robustness Ratio (1e-3)": '{"threshold": 0.001}',
    }


def test_the_table_has_both_ranks_and_the_order_of_the_source(page: str) -> None:
    header, *rows = markdown_tables(page)[1]
    assert header[:5] == ["Rank as recorded", "Rank as cited", "Method", "IM1 Score", "Standing"]
    assert header[5:] == ["Group", "Inference Method", "Result date", "Report paper", "Result"]
    repeats = {"de7", "de8", "de6"}
    assert [row[:4] + row[6:] for row in rows] == [
        [recorded, cited, method, value, setting, "Not recorded", "Duell & Fan 2026", name]
        for method, value, recorded, cited, setting, name in ROWS
    ]
    assert [row[4] for row in rows] == ["probable duplicate" * (row[-1][-3:] in repeats) for row in ROWS]
    groups = ["A 1", "A 1", "B 1", "A 2", "A 3", "A 4", "A 4", "B 2", "B 3", "A 5", "A 5"]
    assert [row[5] for row in rows] == groups


def test_the_letters_of_groups_are_explained(page: str) -> None:
    listed = page.partition("the number behind it is the rank among them.\n\n")[2].partition("\n\n")[0]
    assert listed.split("\n") == [
        "- Group A: Inference Method: MC Dropout; 5 claims.",
        "- Group B: Inference Method: BNN; 3 claims.",
    ]


def test_the_metrics_have_their_recorded_directions_and_units(page: str) -> None:
    part = page[page.index("## Metrics") : page.index("## Recorded results")]
    lines = [inline_text(token) for token in parse_markdown(part) if token.type == "inline"][1:]
    assert lines == [
        "IM1 Score: Higher is better; unit: SCALAR.",
        "Implausibility: Lower is better; unit: SCALAR.",
        "Robustness Ratio (1e-3): Higher is better; unit: PERCENT.",
        "Validity: Higher is better; unit: PERCENT.",
        "Disputed: IM1 Score is recorded as “higher is better” and cited as “lower is better”.",
    ]
    assert markdown_links(part) == [
        f"{BOARD}/im1-score.md",
        f"{BOARD}/implausibility.md",
        f"{BOARD}/robustness-ratio-1e-3.md",
        f"{BOARD}/validity.md",
    ]


@pytest.mark.parametrize("at", range(11))
def test_each_section_has_value_id_papers_configuration_and_reproduction(page: str, at: int) -> None:
    method, value, *_, name = ROWS[at]
    value_line, id_line, reporting, origin, config, transcription, reproduction, *_ = section_paragraphs(page)[at]
    assert value_line == f"IM1 Score: {value}"
    assert id_line == f"Result ID: {name}. Origin: reported, paper. Result date: Not recorded."
    title = "Provably Robust Bayesian Counterfactual Explanations under Model Changes"
    assert reporting == f"Reporting paper: {title}"
    assert config == f"Recorded evaluation configuration: {CONFIGS[name[-3:]]}"
    assert transcription == "Transcription: machine_extracted."
    assert reproduction.startswith("Reproduction: not_attempted (no attempt is recorded in the source's record).")
    part = page[page.index(f'<a id="r-{name}">') :].split("\n<a id=", maxsplit=1)[0]
    papers = [link for link in markdown_links(part) if "/paper/" in link]
    expected = ["6976f4e9a2b28e761d87c0f0", *([ORIGINS[method]] if ORIGINS[method] else [])]
    assert papers == [f"../paper/{paper}.md" for paper in expected]
    assert (origin == "Method origin paper: Not recorded") == (ORIGINS[method] is None)


def test_the_notices_name_the_metric_and_who_cites_its_direction(page: str) -> None:
    notice = next(line for line in page.split("\n") if line.startswith("> **Direction disputed.**"))
    assert "“higher is better” for IM1 Score" in notice
    assert "lower is better (Van Looveren \\& Klaise 2019; Verma et al. 2024)" in notice
    targets = ["../metric/im1.md", "../paper/van-looveren-klaise-2019.md", "../paper/verma-et-al-2024.md"]
    assert markdown_links(notice) == targets


def test_three_probable_duplicates_are_named_and_marked(page: str) -> None:
    notice = next(line for line in page.split("\n") if line.startswith("> **3 probable duplicates.**"))
    assert [name in notice for name in ("PSCE", "BayesCF", "Schut", "Wachter")] == [True, True, True, False]
    repeats = re.findall(r"Probably repeats \[([^\]]+)\]\(<#r-([^>]+)>\)", page)
    assert sorted(repeats) == [(f"69991f7a5698665ec4866{end}",) * 2 for end in ("dd1", "dd2", "dd3")]


def test_the_best_is_named_by_both_directions(page: str) -> None:
    assert (
        "Best recorded here by the recorded direction (higher is better): 1.6426, BayesCF (Uncertainty Estimation: MC "
        "Dropout). Best recorded here by the cited direction (lower is better): 0.9273, PSCE (Uncertainty Estimation: "
        "MC Dropout). No claim of complete coverage."
    ) in page


@pytest.mark.parametrize("key", ["im1-score", "implausibility", "robustness-ratio-1e-3", "validity"])
def test_a_view_by_a_metric_points_to_the_main_page(seed_site: Path, key: str) -> None:
    view = (seed_site / f"sota/{BOARD}/{key}.md").read_text(encoding="utf-8")
    assert view.rstrip().endswith("[Counterfactual Explanations on MNIST (test)](<../" + BOARD + ".md>).")
    assert [level for level, _ in headings(view)] == [1, 2, 2]
    results = markdown_tables(view)[1][1:]
    assert sorted(row[-1] for row in results) == sorted(name for *_, name in ROWS)
    assert all(link.startswith(f"../{BOARD}.md#r-") for link in markdown_links(view) if "#" in link)


def test_a_view_without_values_says_so_and_ranks_nothing(seed_site: Path) -> None:
    view = (seed_site / f"sota/{BOARD}/validity.md").read_text(encoding="utf-8")
    assert "No best value is named: no value is recorded for this metric." in view
    header, *rows = markdown_tables(view)[1]
    assert header[:3] == ["Rank", "Method", "Validity"]
    assert {row[0] for row in rows} == {"–"}
    assert {row[2] for row in rows} == {"Not recorded"}


def test_a_view_sorts_by_its_own_metric_and_lists_the_rest_unranked(tiny_site: Path) -> None:
    main = (tiny_site / "sota/sorting-numbers.md").read_text(encoding="utf-8")
    view = (tiny_site / "sota/sorting-numbers/swaps.md").read_text(encoding="utf-8")
    assert [row[-1] for row in markdown_tables(main)[1][1:]] == ["t-1", "t-2", "t-3", "t-5", "t-4"]
    assert [row[-1] for row in markdown_tables(view)[1][1:]] == ["t-3", "t-1", "t-2", "t-4", "t-5"]
    assert [row[0] for row in markdown_tables(view)[1][1:]] == ["1", "–", "–", "–", "–"]


def test_a_metric_without_a_direction_ranks_nothing(tiny_site: Path) -> None:
    view = (tiny_site / "sota/sorting-numbers/feel.md").read_text(encoding="utf-8")
    assert {row[0] for row in markdown_tables(view)[1][1:]} == {"–"}
    assert "No best value is named: no direction is recorded for this metric." in view


def test_ties_share_a_rank_and_are_told_of(tiny_site: Path) -> None:
    page = (tiny_site / "sota/sorting-numbers.md").read_text(encoding="utf-8")
    rows = markdown_tables(page)[1][1:]
    assert [row[:2] for row in rows] == [["1", "2"], ["1", "2"], ["1", "2"], ["3", "1"], ["–", "–"]]
    assert "(higher is better): 12.50, Bubble (Threads: 1), tied with 1 more." in page


def test_regenerated_rows_stand_in_their_own_table_only(tiny_site: Path) -> None:
    page = (tiny_site / "sota/sorting-numbers.md").read_text(encoding="utf-8")
    _, recorded, regenerated = markdown_tables(page)
    assert "g-1" not in [row[-1] for row in recorded]
    assert [row[-1] for row in regenerated[1:]] == ["g-1"]
    assert ["Results loaded", "5 of 5"] in markdown_tables(page)[0]
    titles = [text for level, text in headings(page) if level == 2]
    assert titles == ["Metrics", "Recorded results", "Regenerated results"]
    own = page[page.index("## Regenerated results") :]
    assert [text for level, text in headings(own) if level == 3] == ["Merge_Sort"]


def test_no_page_claims_a_state_of_the_art(each_site: Path) -> None:
    for path in [*each_site.rglob("*.md"), *each_site.rglob("*.html"), each_site / "llms.txt"]:
        text = path.read_text(encoding="utf-8").lower()
        assert "state of the art" not in text
        assert "state-of-the-art" not in text


def test_markdown_files_end_in_one_line_break_and_have_no_doubled_blank_lines(each_site: Path) -> None:
    for path in each_site.rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        assert "\n\n\n" not in text
        assert "\r" not in text
        assert len([level for level, _ in headings(text) if level == 1]) == 1


def test_every_table_row_has_the_cells_of_its_header(each_site: Path) -> None:
    for path in each_site.rglob("*.md"):
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            lines = [line for line in block.strip().split("\n") if line.startswith("| ")]
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) <= 1, path


@pytest.mark.parametrize("text", ["", "Plain", "a, b", 'a "b" c', '"', "two\nlines", "-1.5", "+2e3%", " x ", "’"])
def test_a_csv_cell_is_read_back_as_it_was(text: str) -> None:
    assert list(csv.reader([f"before,{cell(text)},after\n"])) == [["before", text, "after"]]


@pytest.mark.parametrize("text", ["=1,2", "-", "+x", "@a", "\ttab", "＝1", '=A("b")'])
def test_a_csv_cell_is_no_formula(text: str) -> None:
    assert list(csv.reader([f"before,{cell(text)},after\n"])) == [["before", f"'{text}", "after"]]


def test_csv_tables_have_the_order_and_the_ids_of_their_page(each_site: Path) -> None:
    for path in each_site.glob("sota/*.csv"):
        with path.open(encoding="utf-8", newline="") as stream:
            names = [row["result_id"] for row in csv.DictReader(stream)]
        page = path.with_suffix(".md").read_text(encoding="utf-8")
        assert names == re.findall(r'<a id="r-([^"]+)">', page), path


def test_every_part_of_a_place_in_a_source_is_told_in_order() -> None:
    assert locator_words({name: f"<{name}>" for name in reversed(Locator.model_fields)}) == ", ".join(
        f"{name} <{name}>" for name in Locator.model_fields
    )


def test_pages_in_the_words_of_before_are_read_and_new_facts_are_kept(page: str) -> None:
    records = read_page(page, "page.md")
    assert {record.more["transcription"] for record in records} == {"machine_extracted"}
    before = re.sub(r"\n(Transcription|- Group [A-Z]): .*\n", "\n", page)
    before = before.replace("no attempt is recorded in the source's record", "nobody is recorded to have run it again")
    assert "nobody is recorded" in before
    older = read_page(before, "page.md")
    assert [(one.id, one.scores, one.reproduction) for one in older] == [
        (one.id, one.scores, one.reproduction) for one in records
    ]
