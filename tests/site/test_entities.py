"""Pages of tasks, datasets, metrics, methods and sources: what refers to them, and how a source is cited."""

import re
from pathlib import Path

import pytest

from pagesupport import Node, build, markdown_tables, parse_html
from sotakit.publish import entity_contexts
from sotakit.publish.bibtex import bibtex_text, source_bibtex

SOURCE = {
    "id": "doe-2020", "type": "paper", "title": "Of Sorting", "authors": ["Ada van der Doe"], "date": "2020-05-02",
    "venue": "Journal", "arxiv": "2001.00001", "doi": "10.1000/x", "openreview": None,
}  # fmt: skip


def page_of(site: Path, name: str) -> Node:
    return parse_html((site / name / "index.html").read_text(encoding="utf-8"))


def groups(page: Node) -> dict[str, list[list[str]]]:
    """Rows of cell texts of the first table, below the head of each group."""
    found = {}
    for body in page.all("table")[0].all("tbody"):
        head, *rows = [[cell.text for cell in row.all() if cell.tag in ("td", "th")] for row in body.all("tr")]
        found[head[0]] = rows
    return found


def test_a_method_lists_its_results_by_benchmark_with_ranks(tiny_site: Path) -> None:
    found = groups(page_of(tiny_site, "method/merge"))
    assert list(found) == ["Sorting on Numbers", "Stable Sorting on Numbers"]
    assert [row[:4] for row in found["Sorting on Numbers"]] == [
        ["Time (s) (SECONDS)", "OOM (failed)", "Not ranked", "Not recorded called Merge"],
        ["Swaps (count)", "10 / 12 (not one number)", "Not ranked", "Not recorded called Merge"],
        ["Feel (unit not recorded)", "7", "Not ranked", "Not recorded called Merge"],
        ["Time (s) (SECONDS)", "0.90", "3 as recorded, 1 as cited", "Threads: 8"],
        ["Feel (unit not recorded)", "Not recorded", "Not ranked", "Threads: 8"],
    ]
    assert [row[:3] for row in found["Stable Sorting on Numbers"]] == [["Accuracy (PERCENT)", "99.0%", "1"]]


def test_every_result_of_a_method_stands_on_its_page_once_per_score(tiny_site: Path) -> None:
    import duckdb

    tables = tiny_site / "data"
    for name in ("bubble", "merge", "less-than"):
        expected = duckdb.sql(
            f"SELECT s.result, s.text FROM '{tables}/scores.parquet' s JOIN '{tables}/results.parquet' r "
            f"ON s.result = r.id WHERE r.method = '{name}'"
        ).fetchall()
        page = page_of(tiny_site, f"method/{name}")
        shown = []
        for row in page.all("tr"):
            ids = [node.text for node in row.all("code")]
            if ids:
                texts = [node.text for node in row.all("bdi", class_="text")]
                shown.append((ids[-1], (texts or [""])[0]))
        assert sorted(shown) == sorted((result, " ".join(text.split())) for result, text in expected), name


def test_a_source_lists_its_results_with_their_methods(tiny_site: Path) -> None:
    rows = [row for body in groups(page_of(tiny_site, "paper/doe-2024")).values() for row in body]
    assert {row[0] for row in rows} >= {"Bubble"}
    (table, *_) = markdown_tables((tiny_site / "paper/doe-2024.md").read_text(encoding="utf-8"))
    assert {row[1] for row in table[1:]} == {row[0] for row in rows}


def test_runs_stand_in_a_table_of_their_own(tiny_site: Path) -> None:
    page = page_of(tiny_site, "paper/run-1")
    assert [head.text for head in page.all("h2")][:1] == ["Regenerated results"]
    assert "1 among runs" in page.one("table").text


def test_a_metric_marks_who_records_the_opposite(tiny_site: Path) -> None:
    page = page_of(tiny_site, "metric/time")
    (row,) = [[cell.text for cell in row.all() if cell.tag in ("td", "th")] for row in page.one("tbody").all("tr")]
    assert row == ["Sorting on Numbers", "Time (s)", "↑ Higher is better against the citation", "SECONDS", "5"]
    assert "one benchmark records the opposite" in page.one("aside").text
    ((_, plain),) = markdown_tables((tiny_site / "metric/time.md").read_text(encoding="utf-8"))
    assert plain == ["Sorting on Numbers", "Time (s)", "Higher is better", "yes", "SECONDS", "5"]
    assert not page_of(tiny_site, "metric/swaps").all("aside")


def test_a_task_shows_its_benchmarks_and_the_narrower_tasks(tiny_site: Path) -> None:
    page = page_of(tiny_site, "task/sorting")
    (row,) = [[cell.text for cell in row.all() if cell.tag in ("td", "th")] for row in page.one("tbody").all("tr")]
    assert row[0] == "Sorting on Numbers"
    assert row[2] == "Time (s) ↑ direction disputed"
    assert row[4] == "5 recorded1 regenerated"
    assert row[5] == "2025-06-01"
    assert [item.text for item in page.one("h2", id="narrower").all()] == []
    assert "Stable Sorting 1 benchmark" in page.one("main").text


def test_both_leaders_of_a_disputed_board_are_named(seed_site: Path) -> None:
    page = page_of(seed_site, "task/counterfactual-explanations")
    cells = [cell.text for cell in page.one("tbody").all("td")]
    assert cells[2] == "1.6426 BayesCF as recorded0.9273 PSCE as cited"


def test_what_is_not_recorded_is_named_in_one_place(tiny_site: Path) -> None:
    facts = page_of(tiny_site, "method/bubble").one("dl", class_="facts")
    pairs = dict(zip([node.text for node in facts.all("dt")], [node.text for node in facts.all("dd")], strict=True))
    assert pairs["Kind"] == "baseline"
    assert pairs["Not recorded"].startswith("Introduced by, Code, Parameters")


FIELDS = [
    (kind.__name__, name)
    for kind in vars(entity_contexts).values()
    if getattr(kind, "__module__", "") == entity_contexts.__name__
    for name in (getattr(kind, "_fields", ()) or getattr(kind, "__dataclass_fields__", ()))
]


@pytest.mark.parametrize(("kind", "field"), FIELDS)
def test_every_field_of_a_context_is_used(root: Path, kind: str, field: str) -> None:
    files = [path for path in (root / "site/templates").rglob("*") if path.is_file()]
    files += [path for path in (root / "toolkit/sotakit/publish").glob("*.py") if path.stem != "entity_contexts"]
    users = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert re.search(rf"\b\w+\.{field}\b", users), f"{kind}.{field} is used nowhere"


# BibTeX.


def test_a_source_is_cited_with_what_is_recorded() -> None:
    assert source_bibtex(SOURCE, "https://doi.org/10.1000/x") == (
        "@article{doe2020of,\n"
        "  title         = {{Of Sorting}},\n"
        "  author        = {Ada van der Doe},\n"
        "  year          = {2020},\n"
        "  month         = may,\n"
        "  journal       = {Journal},\n"
        "  eprint        = {2001.00001},\n"
        "  archiveprefix = {arXiv},\n"
        "  doi           = {10.1000/x},\n"
        "  url           = {https://doi.org/10.1000/x},\n"
        "}"
    )


def test_nothing_is_made_up_for_a_bare_source() -> None:
    bare = dict.fromkeys(SOURCE) | {"id": "p-1", "type": "run", "authors": []}
    assert source_bibtex(bare, None) == "@misc{p-1,\n  title         = {{p-1}},\n}"


@pytest.mark.parametrize("text", ["100% of A & B", "a_b^c~d", "{\\input{x}}", "}} @misc{evil, title={", "$x$ # y"])
def test_text_of_records_holds_no_command_and_braces_in_pairs(text: str) -> None:
    made = source_bibtex({**SOURCE, "title": text, "authors": [text], "venue": text}, "https://e.org/{a")
    depth = 0
    for char in made:  # a backslash hides no brace from BibTeX
        depth += (char == "{") - (char == "}")
        assert depth >= 0
    assert depth == 0
    assert made.count("\n@") == 0
    assert not re.search(r"(?<!\\)[&%$#]", bibtex_text(text))


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("A Simple Way", "doe2020simple"),
        ("The “Évolution” of X", "doe2020evolution"),
        ("Self-training", "doe2020self"),
        ("排序", "doe2020"),
        (None, "doe2020"),
    ],
)
def test_the_key_of_an_entry_has_author_year_and_first_word(title: str | None, key: str) -> None:
    assert source_bibtex({**SOURCE, "title": title}, None).startswith(f"@article{{{key},\n")


def test_an_and_inside_a_name_does_not_part_it() -> None:
    made = source_bibtex({**SOURCE, "authors": ["Research and Development", "Bo Li"]}, None)
    assert "author        = {{Research and Development} and Bo Li}," in made


def test_the_entry_stands_on_the_page_and_in_markdown(tmp_path: Path, root: Path) -> None:
    site = build(root / "tests/tiny/data", tmp_path / "public")
    shown = page_of(site, "paper/doe-2024").one("pre").raw
    assert shown.startswith("@misc{doe")
    assert shown in (site / "paper/doe-2024.md").read_text(encoding="utf-8")
