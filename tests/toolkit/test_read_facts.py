"""Reading a page trusts nothing: what is stated twice must agree, every line is read or refused, nothing is dropped."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pagesupport import TINY, build
from sotakit.errors import PageError
from sotakit.exchange import pages
from sotakit.exchange.page_scores import StatedScore
from sotakit.exchange.pages import read_page, read_pages
from sotakit.exchange.records import PageRecord, write_records
from sotakit.publish.wording import detail_words, interval_words, missing_words
from sotakit.read.yaml_reader import read as read_yaml

OTHER = (TINY / "pages/other-form.md").read_text(encoding="utf-8")
SHOWER = "### Shower\n\nAirtime: n/a. Result ID: j4.\n"
BALLS = 'Recorded evaluation configuration: {"Balls":5}. This record says nothing about a second try.\n'


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> str:
    site = build(TINY / "data", tmp_path_factory.mktemp("site") / "tiny")
    return (site / "sota/sorting-numbers.md").read_text(encoding="utf-8")


def refusal(page: str) -> str:
    with pytest.raises(PageError) as caught:
        read_page(page, "x.md")
    return str(caught.value)


def changed(page: str, before: str, after: str) -> tuple[str, int]:
    """The page with a change, and the line on which it starts."""
    assert before in page
    return page.replace(before, after, 1), page[: page.index(before)].count("\n") + 1


# What a table and a section, or a scope and a list, both state.

CONFLICTS = [
    ("| Mills Mess | 60 ± 3 | 2023 | p-2 |", "| Mills Mess | 60 ± 3 | 2023 | p-1 |", "'p-1' under 'Report paper'"),
    ("| Mills Mess | 60 ± 3 | 2023 | p-2 |", "| Mills Mess | 60 ± 3 | 2023 | Not recorded |", "its section has 'p-2'"),
    ("| Mills Mess | 60 ± 3 | 2023 | p-2 |", "| Mills Mess | 60 ± 3 | 2023 | [T](<paper/p-3.md>) |", "'p-3'"),
    ("| Mills Mess | 60 ± 3 | 2023 | p-2 |", "| Mills Mess | 60 ± 3 | 2023 |", "3 cells in a table of 4 columns"),
    ("| Mills Mess | 60 ± 3 | 2023 | p-2 |", "| Mills Mess | 60 ± 3 | 2023 |  |", "no paper; is it whole?"),
    ("| Mills Mess | 60 ± 3 | 2023 | p-2 |", "| Mills Mess | 60 ± 3 | 2023 | p-2 | withdrawn |", "a row of 5 cells"),
    ("| Mills Mess | 60 ± 3 | 2023 | p-2 |", "Mills Mess | 60 ± 3 | 2023 | p-2 | withdrawn", "a row of 5 cells"),
    ("| Task | Juggling |", "| Task | Juggling | withdrawn |", "scope table of two columns"),
    ("| Mills Mess | 60 ± 3 | 2023 | p-2 |", "| Mills Mess | 60 ± 3 | 2023-02-30 | p-2 |", "'2023-02-30' is none"),
    ("| Mills Mess | 60 ± 3 | 2023 | p-2 |", "| Mills Mess | 60 ± 3 | 2023-13 | p-2 |", "'2023-13' is none"),
    ("| Mills Mess | 60 ± 3 | 2023 | p-2 |", "| Mills Mess | 60 ± 3 | May 2023 | p-2 |", "'May 2023' is none"),
    ("| Mills Mess | 60 ± 3 | 2023 | p-2 |", "| Mills Mess | 60 ± 3 |  | p-2 |", "is the line whole?"),
    ("| Unit | SECONDS |", "| Unit | HOURS |", "Unit is 'HOURS' here and 'SECONDS'"),
    ("| Direction | Higher is better |", "| Direction | Lower is better |", "Direction is 'Lower is better' here"),
    ("| Metric | Airtime |", "| Metric | Air |", ""),
    ("| Task | Juggling |", "| Task | Juggling |\n| Task | Sorting |", "states 'Task' a second time"),
    ("| Results loaded | 4 of 4 |", "| Results loaded | 4 of 3 |", "4 results of only 3"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "message"), CONFLICTS)
def test_facts_that_contradict_each_other_are_refused_with_their_line(before: str, after: str, message: str) -> None:
    page, line = changed(OTHER, before, after)
    found = refusal(page)
    assert message in found
    assert found.startswith(f"x.md:{line + after.count(chr(10))}: ") or not message


def with_column(name: str, *cells: str) -> str:
    """The page with a column more in its table of results."""
    lines = OTHER.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith("| Method | Airtime"))
    for at, cell in zip(range(start, start + 6), (name, "---", *cells), strict=True):
        lines[at] += f" {cell} |"
    return "\n".join(lines)


def test_a_column_of_a_setting_must_agree_with_the_configuration() -> None:
    agreed = with_column("Balls", "3", "", "Not recorded", "5")
    assert [record.config.get("Balls") for record in read_page(agreed, "x.md")] == [3, None, None, 5]
    assert "'4' under 'Balls' where its section has '3'" in refusal(with_column("Balls", "4", "", "", "5"))
    assert "'3' under 'Room' where its section has 'hall, *large*'" in refusal(with_column("Room", "3", "", "", ""))
    agreed = with_column("Height", "", "", "2.50", "")
    assert read_page(agreed, "x.md")[2].config["Height"] == 2.5


def test_a_column_of_another_metric_gives_scores_and_any_other_column_is_kept() -> None:
    drops = read_page(with_column("Drop Rate (per h)", "0.10", "", "Not recorded", "<2"), "x.md")
    assert [list(record.scores) for record in drops] == [
        ["Airtime", "Drop Rate (per h)"], ["Airtime"], ["Airtime"], ["Airtime", "Drop Rate (per h)"],
    ]  # fmt: skip
    assert drops[3].scores["Drop Rate (per h)"] == {
        "text": "<2", "value": 2.0, "unit": "PERCENT", "direction": "lower", "qualifier": "less_than",
    }  # fmt: skip
    codes = read_page(with_column("Standing", "`x`", "", "withdrawn", ""), "x.md")
    assert [record.more for record in codes] == [{"Standing": "x"}, {}, {"Standing": "withdrawn"}, {}]
    assert "two columns of the table are called 'Airtime'" in refusal(with_column("Airtime", "1", "2", "3", "4"))


# Lines beside the known ones.

UNKNOWN = [
    ("paragraph", "This result was withdrawn by its authors on 2026-01-01.\n"),
    ("item", "- withdrawn\n"),
    ("bold item", "- **Standing:** withdrawn\n"),
    ("quote", "> Withdrawn.\n"),
    ("heading", "#### Withdrawn\n"),
    ("html", "<p>Withdrawn.</p>\n"),
    ("comment", "<!-- withdrawn -->\n"),
    ("code", "```\nwithdrawn\n```\n"),
    ("table", "| Standing |\n| --- |\n| withdrawn |\n"),
    ("paper", "[Erratum](<https://board.example/research/paper/p-9.md>)\n"),
    ("like a known one", "Reporting paper withdrawn\n"),
    ("with more behind", "Reporting paper: [T](<paper/p-9.md>) (withdrawn)\n"),
    ("labelled", "Judgement: withdrawn\n"),
]


@pytest.mark.parametrize(("what", "line"), UNKNOWN, ids=[what for what, _ in UNKNOWN])
@pytest.mark.parametrize("where", ["behind its id", "at the end of the page"])
def test_a_line_that_is_not_known_is_refused(what: str, line: str, where: str) -> None:
    place = SHOWER if where == "behind its id" else BALLS
    page, start = changed(OTHER, place, f"{place}\n{line}")
    found = refusal(page)
    section = OTHER[: OTHER.index(SHOWER)].count("\n") + 1  # has a metric that the list of metrics does not have
    line_of_fault = section if what == "bold item" else start + place.count("\n") + 1
    assert found.startswith(f"x.md:{line_of_fault}: ")


@pytest.mark.parametrize(
    "line",
    [
        'Recorded evaluation configuration: {"Balls":7}.',
        'Recorded evaluation configuration: {"Balls":5}.',
        "Airtime: 12. Result ID: j4.",
        "Airtime: 12. Result ID: j9.",
        "Result ID: `j9`. Origin: reported, paper. Result date: 2024.",
    ],
)
def test_a_second_line_of_one_kind_is_refused(line: str) -> None:
    page, start = changed(OTHER, BALLS, f"{BALLS}\n{line}\n")
    found = refusal(page)
    assert found.startswith(f"x.md:{start + 2}: ")
    assert "second" in found


@pytest.mark.parametrize("kind", ["Reporting paper", "Method origin paper"])
def test_a_second_paper_is_refused(kind: str) -> None:
    line = f"[{kind}](<https://board.example/research/paper/p-1.md>)\n"
    page, _ = changed(OTHER, BALLS, f"{line}\n{line}\n{BALLS}")
    assert f"a second `{kind}:`" in refusal(page)


@pytest.mark.parametrize(
    ("behind", "remark"),
    [
        (" This record does not assert independent reproduction.", None),
        ("", None),
        (" This result was withdrawn.", "This result was withdrawn."),
        (" This record does not assert a thing. Withdrawn.", "This record does not assert a thing. Withdrawn."),
    ],
)  # fmt: skip
def test_a_remark_behind_a_configuration_is_kept(behind: str, remark: str | None) -> None:
    page, _ = changed(OTHER, BALLS, f'Recorded evaluation configuration: {{"Balls":5}}.{behind}\n')
    assert read_page(page, "x.md")[3].more == ({"remark": remark} if remark else {})


@pytest.mark.parametrize("junk", ['{"Balls":6}', ", withdrawn", " withdrawn", "}"])
def test_junk_behind_a_configuration_is_refused(junk: str) -> None:
    page, _ = changed(OTHER, BALLS, f'Recorded evaluation configuration: {{"Balls":5}}{junk}\n')
    assert "behind the configuration stands" in refusal(page)


def test_other_parts_and_lines_before_the_results_are_refused() -> None:
    page, line = changed(OTHER, "Page 1 of 1.", "## Withdrawn results\n\n- j4\n\nPage 1 of 1.")
    assert refusal(page) == f"x.md:{line}: a part of the page that is not known: 'Withdrawn results'"
    page, line = changed(OTHER, "### Cascade", "All of these were withdrawn.\n\n### Cascade")
    assert "a line before the results that is not known: 'All of these" in refusal(page)
    page, line = changed(OTHER, "### Cascade", "| Method |\n| --- |\n| Cascade |\n\n### Cascade")
    assert refusal(page).startswith(f"x.md:{line}: a second table")


def test_only_the_scope_table_says_what_a_page_is_about() -> None:
    first, _ = changed(OTHER, "How long", "| Note | Value |\n| --- | --- |\n| Task | Something else |\n\nHow long")
    last, _ = changed(OTHER, "## Metrics", "| Note | Value |\n| --- | --- |\n| Task | Something else |\n\n## Metrics")
    for page in (first, last):
        assert {record.task for record in read_page(page, "x.md")} == {"Juggling"}
    second, _ = changed(
        OTHER, "## Metrics", "| Scope | Value |\n| --- | --- |\n| Task | Something else |\n\n## Metrics"
    )
    assert "a second time" in refusal(second)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("Result ID: j4.", "Result ID: J 4.", "is no id"),
        ("Result ID: j4.", "Result ID: " + "j" * 65 + ".", "is no id"),
        ("/paper/p-2.md?x", "/paper/P%202.md?x", "is no id"),
        ("### Shower", "###", "name of a method has 0 characters"),
        ("### Shower", "### " + "S" * 1001, "1,001 characters"),
        ("Airtime: n/a.", "Airtime: " + "9" * 201 + ".", "more than 200 characters"),
        ("Airtime: n/a.", "Airtime: 1\n2.", "second line"),
        ("| Task | Juggling |", "| Task | |", "'Task' of the scope has 0 characters"),
        ("# Juggling with Three Balls (indoors)", "#", "title has 0 characters"),
    ],
)
def test_what_no_record_may_have_is_refused(before: str, after: str, message: str) -> None:
    assert message in refusal(changed(OTHER, before, after)[0])


# Our own pages.


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("| Merge\\_Sort | 0.90 |", "| Merge\\_Sort | 0.91 |", "'0.91' under 'Time (s)' where its section has '0.90'"),
        ("| Merge | OOM (failed) |", "| Merge | 12 |", "'12' under 'Time (s)' where its section has 'OOM (failed)'"),
        ("| 2024-04-30 | [Doe", "| 2024-04-29 | [Doe", "'2024-04-29' under 'Result date'"),
        ("<../paper/roe-2025.md>) | [t-4]", "<../paper/doe-2024.md>) | [t-4]", "'doe-2024' under 'Report paper'"),
        ("| – | – | Merge |", "| – | – | Quick |", "'Quick' under 'Method' where its section has 'Merge'"),
        ("| Result date | Report paper |", "| Date | Report paper |", "needs the columns"),
        ("| Run | Result |", "| Run | Id |", "needs the columns"),
        ("[t-4](<#r-t-4>) |", "[t-5](<#r-t-5>) |", "no section has the result 't-5' of this row"),
        ("| Merge\\_Sort | 1.25 (1.2", "| Merge\\_Sort | 1.26 (1.2", "'1.26 (1.2 to 1.3)' under 'Time (s)'"),
        ("(a second run agrees in part). Ev", "(a second run disagrees). Ev", "expected `Reproduction: partial"),
        ("(a second run agrees in part). Ev", "(a second run agrees in part). Withdrawn. Ev", "expected `Reproduction"),
        ("Origin: reported, preprint. Result", "Origin: reported, preprint. Withdrawn. Result", "is not one of paper"),
        ("- **Feel:** 7", '- **Feel:** `"7"` withdrawn', "in parentheses"),
        ("Reporting paper: [Merge Sort Again]", "Reporting paper: once [Merge Sort Again]", "nothing behind it"),
    ],
)  # fmt: skip
def test_our_own_page_must_agree_with_itself(own: str, before: str, after: str, message: str) -> None:
    assert message in refusal(changed(own, before, after)[0])


def registry(folder: Path, *scores: Any) -> Path:
    """A small registry with a result for each score."""
    board = {"id": "b", "title": "B", "task": "t", "dataset": "d", "metrics": [{"key": "m", "label": "Acc"}]}
    rows = [
        {"id": f"r-{at}", "benchmark": "b", "method": "x", "variant": str(at), "scores": {"m": score}}
        for at, score in enumerate(scores)
    ]
    files = {
        "tasks": [{"id": "t", "name": "T"}],
        "datasets": [{"id": "d", "name": "D"}],
        "methods": [{"id": "x", "name": "X"}],
        "benchmarks": [board],
        "sources": [{"id": "s", "type": "paper", "title": "S", "results": rows}],
    }
    folder.mkdir()
    for name, records in files.items():
        (folder / f"{name}.json").write_text(json.dumps(records), encoding="utf-8")
    return folder


SCORES: list[tuple[Any, dict[str, Any]]] = [
    ("1.50", {"text": "1.50", "value": 1.5}),
    ({"text": "91.7", "missing_reason": "failed"}, {"text": "91.7", "value": None, "missing_reason": "failed"}),
    ({"text": "5", "missing_reason": "redacted"}, {"text": "5", "value": None, "missing_reason": "redacted"}),
    ({"text": "<3", "missing_reason": "not_run"}, {"text": "<3", "value": None, "missing_reason": "not_run"}),
    (None, {"text": "", "value": None, "missing_reason": "not_reported"}),
    ("9007199254740993", {"text": "9007199254740993", "value": 9007199254740993}),
    ("-123456789012345678901", {"text": "-123456789012345678901", "value": -123456789012345678901}),
    ("9007199254740992", {"text": "9007199254740992", "value": 9007199254740992.0}),
    ("1,000,000", {"text": "1,000,000", "value": 1000000.0}),
    ("<0.1", {"text": "<0.1", "value": 0.1, "qualifier": "less_than"}),
    ("≈ 88%", {"text": "≈ 88%", "value": 88.0, "qualifier": "approximate"}),
    (">=3", {"text": ">=3", "value": 3.0, "qualifier": "at_least"}),
    ("93.20 ± 0.10", {"text": "93.20 ± 0.10", "value": 93.2, "uncertainty": {"kind": "unknown", "value": "0.10"}}),
    ("7 [6, 7.50]", {"value": 7.0, "uncertainty": {"kind": "unknown", "low": "6", "high": "7.50"}}),
    ({"text": "12", "note": "by eye; twice"}, {"text": "12", "value": 12.0, "note": "by eye; twice"}),
    (
        {"text": "a|b `c` *d*", "note": "e|f `g` *h* <i> [j](k) (l); mean", "n_items": 1},
        {"value": None, "missing_reason": "unreadable", "note": "e|f `g` *h* <i> [j](k) (l); mean", "n_items": 1},
    ),
    (
        {"text": "1 ± 0.50", "uncertainty": {"kind": "se"}, "n_runs": 1, "n_items": 12000},
        {"value": 1.0, "uncertainty": {"kind": "se", "value": "0.50"}, "n_runs": 1, "n_items": 12000},
    ),
    (
        {
            "text": "12",
            "uncertainty": {"kind": "ci", "low": "11", "high": "13.5", "level": 0.95},
            "aggregation": "single_run",
            "note": "by eye",
        },
        {
            "text": "12",
            "value": 12.0,
            "uncertainty": {"kind": "ci", "low": "11", "high": "13.5", "level": 0.95},
            "aggregation": "single_run",
            "note": "by eye",
        },
    ),
]  # fmt: skip


def test_all_that_our_page_states_of_a_score_comes_back(tmp_path: Path) -> None:
    site = build(registry(tmp_path / "data", *[score for score, _ in SCORES]), tmp_path / "site")
    records = {record.id: record for record in read_pages([str(site / "sota/b.md")])}
    write_records(list(records.values()), "table", tmp_path / "table")
    table = (tmp_path / "table").read_text(encoding="utf-8")
    assert "Acc 91.7 (failed)" in table
    assert "Acc (not reported)" in table
    for at, (recorded, expected) in enumerate(SCORES):
        score = records[f"r-{at}"].scores["Acc"]
        text = recorded.get("text") if isinstance(recorded, dict) else recorded or ""
        assert score == {"text": text, **expected, "unit": None, "direction": "unknown"}
        assert type(score["value"]) is type(expected["value"])


DIGITS = st.integers(1, 99_999).map(lambda number: str(number / 10).removesuffix(".0"))


STATED = st.fixed_dictionaries(
    {
        "reason": st.sampled_from(
            [None, "not_reported", "not_run", "failed", "not_applicable", "redacted", "unreadable"]
        ),
        "kind": st.sampled_from(["sd", "se", "ci", "iqr", "min_max"]),
        "spread": st.one_of(st.none(), DIGITS),
        "ends": st.one_of(st.none(), st.tuples(DIGITS, DIGITS)),
        "level": st.sampled_from([None, 0.5, 0.9, 0.95]),
        "aggregation": st.sampled_from([None, "single_run", "mean", "best", "pooled"]),
        "n_runs": st.one_of(st.none(), st.integers(1, 10**7)),
        "n_items": st.one_of(st.none(), st.integers(1, 10**7)),
        "note": st.sampled_from([None, "by eye", "5 runs of 7; by eye", "a; b; c", "(x)"]),
    }
)


@given(stated=STATED)
def test_the_words_behind_a_text_are_read_as_they_were_written(stated: dict[str, Any]) -> None:
    kind, spread, level, reason = (stated[name] for name in ("kind", "spread", "level", "reason"))
    counts = (stated["n_runs"], stated["n_items"])
    low, high = stated["ends"] or (None, None)
    interval = interval_words(float(low), float(high)) if low and high else ""
    size = None if spread is None else float(spread)
    words = detail_words((kind, size), interval, level, stated["aggregation"], counts, stated["note"])
    detail = "; ".join(part for part in (missing_words(reason), words) if part)
    score = StatedScore("5", detail).read("u", "lower")
    uncertainty = {"kind": kind, "value": spread, "low": low, "high": high, "level": level if low else None}
    expected = {
        "uncertainty": {key: value for key, value in uncertainty.items() if value} if spread or low else None,
        "missing_reason": reason,
        **{name: stated[name] for name in ("aggregation", "n_runs", "n_items", "note")},
    }
    plain = {"text": "5", "value": None if reason else 5.0, "unit": "u", "direction": "lower"}
    assert score == plain | {key: value for key, value in expected.items() if value}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-400", None), ("-2.5e-999", None), ("0", 0.0), ("0e-400", 0.0), ("0.000", 0.0), ("1e-300", 1e-300),
        ("9007199254740993", 9007199254740993), ("9007199254740993.0", 9007199254740992.0), ("1e22", 1e22),
    ],
)  # fmt: skip
def test_numbers_beyond_floats_are_kept_or_left_out(text: str, value: float | int | None) -> None:
    score = read_page(OTHER.replace("91.50", text), "x.md")[0].scores["Airtime"]
    assert (score["text"], score["value"]) == (text, value)
    assert type(score["value"]) is type(value)


# Parts of a whole.

PROSE = "said of the page as a whole"


@pytest.mark.parametrize(
    ("loaded", "footer", "warning"),
    [
        ("4 of 4", "Page 1 of 1.", None),
        ("4 of 31", "Page 2 of 3.", "x.md: is page 2 of 3; to read the others too, give the first page"),
        ("4 of 4", "Page 3 of 3.", "x.md: is page 3 of 3; to read the others too, give the first page"),
        ("4 of 1,031", "Page 1 of 1.", "x.md: holds 4 of 1,031 results; the other 1,027 are not read"),
        ("4 of 5", "", "x.md: holds 4 of 5 results; the other 1 are not read"),
    ],
)
def test_a_part_is_read_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loaded: str, footer: str, warning: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    page = OTHER.replace("4 of 4", loaded).replace("Page 1 of 1. More boards are in the index.", footer)
    Path("x.md").write_text(page, encoding="utf-8")
    told: list[str] = []
    assert len(read_pages(["x.md"], warn=told.append)) == 4
    assert [text for text in told if PROSE not in text] == ([warning] if warning else [])
    for quiet in ([], ["--quiet"]):
        command = [sys.executable, "-c", "from sotakit.cli import app; app()", "read", "x.md", *quiet]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert len(done.stdout.splitlines()) == 5
        said = [line for line in done.stderr.splitlines() if PROSE not in line]
        assert said == ([f"warning: {warning}"] if warning and not quiet else [])
        assert not (quiet and done.stderr)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("| Unit |", "| Split | test |\n| Unit |", True),
        ("| Unit |", "| Protocol | Not recorded |\n| Unit |", False),
        ("| Unit |", "| Protocol | five folds |\n| Unit |", True),
        ("## Metrics", "A remark.\n\n## Metrics", True),
        ("## Metrics", "> A warning.\n\n## Metrics", True),
        ("## Metrics", "```\ncode\n```\n\n## Metrics", True),
        ("## Metrics", "Source: [x](<https://example.org>)\n\n## Metrics", False),
    ],
)
def test_what_a_page_says_of_itself_is_told(monkeypatch: pytest.MonkeyPatch, old: str, new: str, told: bool) -> None:
    """Before the results stands what no record holds; its lines are named, since nothing goes in silence."""
    assert old in OTHER

    def lines(page: str) -> list[int]:
        monkeypatch.setattr(pages, "_text", lambda _: page)
        said: list[str] = []
        read_pages(["x.md"], warn=said.append)
        return [int(number) for text in said if PROSE in text for number in re.findall(r"[0-9]+", text.split(":")[1])]

    changed_page = OTHER.replace(old, new, 1)
    added = new.replace(old, "").count("\n")
    first = changed_page[: changed_page.index(new)].count("\n") + 1
    before = [line + added if line >= first else line for line in lines(OTHER)]
    assert sorted(set(lines(changed_page)) - set(before)) == ([first] if told else [])


# Writing what was read.

TEXT = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.sampled_from(
        ["1e-3", "0x1F", "0o17", "1_000", "12:30", "2024", "2024-01", "2024-01-01", "yes", "No", "null", "~", "", " ",
         ".inf", "-.NaN", "+1", "-1.", "007", "1.0e+3", "# a", "a: b", "- a", "&a", "*a", "!t", "|", ">", "%", "@",
         "<<", "true", "a  b", "é\u202e", "\x85", "\u2028", "[a]", "{a}", "'", '"', "\\", "a\nb", "\t"]
    ),
)  # fmt: skip
SETTING = st.one_of(TEXT, st.booleans(), st.integers(-(2**60), 2**60), st.floats(allow_nan=False, allow_infinity=False))


def record(**fields: Any) -> PageRecord:
    score = {"text": fields.pop("text", "1"), "value": 1.0, "unit": None, "direction": "higher"}
    stated: dict[str, Any] = {
        "id": "r", "benchmark": "b", "title": "T", "task": "T", "dataset": "D", "method": "M",
        "scores": {"Acc": score}, "config": {}, "date": None, "reporting_paper": "s", "method_origin_paper": None,
        "origin": "reported", "source_type": "paper", "reproduction": "not_attempted", "page": "b.md",
    }  # fmt: skip
    return PageRecord(**{**stated, **fields})


def written(records: list[PageRecord], form: str, folder: Path) -> str:
    write_records(records, form, folder / "out")
    return (folder / "out").read_bytes().decode()


@given(config=st.dictionaries(TEXT, SETTING, max_size=5), text=TEXT, method=TEXT)
def test_yaml_comes_back_unchanged_when_our_reader_reads_it(
    tmp_path_factory: pytest.TempPathFactory, config: dict[str, Any], text: str, method: str
) -> None:
    given_record = record(config=config, text=text, method=method, more={"settings": config, "locator": text})
    read = written([given_record], "yaml", tmp_path_factory.mktemp("yaml"))
    for source in ([raw.value for raw in read_yaml(read)], yaml.safe_load(read)):
        row = source[0]["results"][0]
        assert row["config"] == config
        assert {key: type(value) for key, value in row["config"].items() if isinstance(value, str | bool)} == {
            key: type(value) for key, value in config.items() if isinstance(value, str | bool)
        }
        assert (row["scores"], row.get("method_label", "")) == ({"acc": text}, method)
        assert row.get("settings", {}) == config


def test_yaml_holds_all_of_a_score(tmp_path: Path, write: Callable[..., Path]) -> None:
    stated = {"uncertainty": {"kind": "ci", "low": "1", "high": "3", "level": 0.95}, "n_runs": 3, "note": "by eye"}
    scores = {"Acc": {"text": "2", "value": 2.0, "unit": None, "direction": "higher", **stated}}
    more = {"locator": "table 3", "duplicate_of": "r-2"}
    text = written([record(scores=scores, more=more, reproduction="partial")], "yaml", tmp_path)
    row = yaml.safe_load(text)[0]["results"][0]
    assert row["scores"] == {"acc": {"text": "2", **stated}}
    assert row["notes"] == "locator: table 3; duplicate_of: r-2; reproduction: partial"


@pytest.mark.parametrize("form", ["table", "jsonl", "yaml"])
def test_nothing_that_is_read_steers_a_terminal(tmp_path: Path, form: str) -> None:
    evil = "a\u202eb\u2066c\x9bd\u200fe\x1bf"
    names = record(method=evil, config={evil: evil}, text=evil, title=evil, more={"locator": evil})
    text = written([names], form, tmp_path)
    assert not set(text) & set("\u202e\u2066\x9b\u200f\x1b")
    if form == "jsonl":
        assert json.loads(text)["method"] == evil
    if form == "yaml":
        assert yaml.safe_load(text)[0]["results"][0]["config"] == {evil: evil}


def test_messages_about_hostile_pages_do_not_steer_a_terminal(tmp_path: Path) -> None:
    page, _ = changed(OTHER, BALLS, f"{BALLS}\nWith\u202edrawn\x1b[31m\u2067.\n")
    (tmp_path / "x\u202e.md").write_text(page, encoding="utf-8")
    command = [sys.executable, "-c", "from sotakit.cli import app; app()", "read", "x\u202e.md"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert "is not known" in done.stderr
    assert not set(done.stderr) & set("\u202e\u2067\x1b")
