"""Faults that curators reported: files passed over, texts cut, things recorded twice, events that do not fit."""

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rulecases import SOURCE, Edit, check, edited, event, row, rows
from sotakit.check import references
from sotakit.name_folding import folded
from sotakit.validate import validate
from sotaschema.identity import address_key, document_keys
from sotaschema.results import Source

Write = Callable[..., Path]


def codes(write: Write, minimal: dict[str, str], *edits: Edit) -> list[str]:
    return [found.code for found in check(write(edited(minimal, edits))).findings]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("methods/extra.YAML", "- {id: x, name: X}\n"),
        ("methods/extra.Yml", "- {id: x, name: X}\n"),
        ("methods/extra.JSON", '[{"id": "x", "name": "X"}]'),
        ("methods/extra.JsonL", '{"id": "x", "name": "X"}\n'),
        ("methods/extra.CSV", "id,name\nx,X\n"),
    ],
)
def test_ends_of_file_names_may_be_capitals(write: Write, minimal: dict[str, str], name: str, text: str) -> None:
    outcome = check(write({**minimal, name: text}))
    assert (outcome.findings, outcome.records) == ([], 10)
    broken = check(write({**minimal, name: text.replace("name", "nome").replace("id,", "id,")}, "broken"))
    assert {found.origin.file for found in broken.findings} == {name}
    assert all(found.line and found.column for found in broken.findings)


CUT = [
    ("Entry #2", True),
    ("C #", True),
    ("a b #c", True),
    ("C# code", False),
    ("A # a comment", False),
    ("'E #2'", False),
]
CUT += [('"E #2"', False), ("E#2", False), ("E  # ok", False)]


@pytest.mark.parametrize(("text", "cut"), CUT)
def test_a_text_that_a_comment_cuts_is_told(write: Write, minimal: dict[str, str], text: str, cut: bool) -> None:
    outcome = check(write(edited(minimal, [("methods.yaml", "name: Merge", f"name: {text}")])))
    assert [found.code for found in outcome.findings] == ["W113"] * cut
    assert outcome.rejected == 0
    for found in outcome.findings:
        assert (found.line, found.column) == (4, len("  name: ") + text.index("#") + 1)
        assert text in found.hint


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing yet\n", "---\n"])
def test_a_file_without_a_record_is_told(write: Write, minimal: dict[str, str], text: str) -> None:
    (found,) = check(write({**minimal, "sources/lost.yaml": text})).findings
    assert (found.code, found.origin.file, found.line) == ("W114", "sources/lost.yaml", 1)


def test_an_empty_list_is_a_statement(write: Write, minimal: dict[str, str]) -> None:
    empty = {"methods/x.yaml": "[]\n", "tasks/y.json": "[]", "results/z.jsonl": "", "results/h.csv": "source,method\n"}
    assert check(write({**minimal, **empty})).findings == []


NAMES = ["a:b", "a?", "a*b", "a|b", "a<b", 'a"b', "con", "Aux", "com1", "a ", "back\\slash", "a\x01"]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_other_systems_cannot_hold_are_told(write: Write, minimal: dict[str, str], name: str) -> None:
    file = f"sources/{name}.yaml" if not name.endswith(" ") else f"sources/{name}/x.yaml"
    outcome = check(write({**minimal, file: "id: q\ntype: paper\n"}))
    assert [(found.code, found.origin.file) for found in outcome.findings] == [("W115", file)]
    assert (outcome.records, outcome.rejected) == (10, 0)


@pytest.mark.parametrize(("one", "two"), [("case", "Case"), ("caf\u00e9", "cafe\u0301"), ("x/a", "X/b")])
def test_names_that_other_systems_take_for_one_are_told(
    write: Write, minimal: dict[str, str], one: str, two: str
) -> None:
    files = {f"sources/{one}.yaml": "id: q\ntype: paper\n", f"sources/{two}.yaml": "id: p\ntype: paper\n"}
    found = [found.code for found in check(write({**minimal, **files})).findings]
    assert found == (["W115"] if "/" not in one else [])


@pytest.mark.parametrize("blank", [",,,,\n", ",,,,\n" * 50, '"","","","",""\n'])
def test_blank_rows_of_spreadsheets_are_no_records(write: Write, minimal: dict[str, str], blank: str) -> None:
    text = "source,benchmark,method,variant,scores.accuracy\npaper-a,sorting-on-numbers,merge,v,50\n"
    outcome = check(write({**minimal, "results/r.csv": text + blank}))
    assert (outcome.findings, outcome.records) == ([], 10)


def test_blank_columns_are_no_fields_unless_they_hold_something(write: Write, minimal: dict[str, str]) -> None:
    text = "source,benchmark,method,,variant,scores.accuracy,\npaper-a,sorting-on-numbers,merge,,v,50,\n"
    assert check(write({**minimal, "results/r.csv": text})).findings == []
    (found,) = check(write({**minimal, "results/r.csv": text.replace("merge,,", "merge,lost,")}, "lost")).findings
    assert (found.code, found.line, found.message) == ("E110", 2, "column 4 has no name, but holds 'lost'")


ALIKE = [
    ("Net-4", "Net\u20114"), ("Net-4", "Net\u20134"), ("Net-4", "Net\u22124"), ("BERT", "\uff22\uff25\uff32\uff34"),
    ("Beta", "B\u0435ta"), ("O'Net", "O\u2019Net"), ("a b", "A  B"), ("Modem", "M\u043edem"), ("x2", "x\u00b2"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "two"), ALIKE)
def test_names_that_look_alike_are_one_name(write: Write, minimal: dict[str, str], one: str, two: str) -> None:
    assert folded(one) == folded(two)
    added = json.dumps([{"id": "m1", "name": one}, {"id": "m2", "name": two}])
    assert [found.code for found in check(write({**minimal, "methods/x.json": added})).findings] == ["W406"]


@pytest.mark.parametrize(
    ("one", "two"), [("C", "C++"), ("Net-4", "Net 4"), ("Caf\u00e9", "Cafe"), ("\u03c0", "n"), ("A", "\u0414")]
)
def test_names_that_differ_are_two(one: str, two: str) -> None:
    assert folded(one) != folded(two)


TWICE = {
    "tasks": ({"id": "t2", "name": "SORTING"}, True),
    "tasks alias": ({"id": "t2", "name": "T", "aliases": ["sorting"]}, True),
    "datasets": ({"id": "d2", "name": "numbers"}, True),
    "datasets version": ({"id": "d2", "name": "Numbers", "version": "2"}, False),
    "metrics": ({"id": "m2", "name": "accuracy"}, True),
    "metrics other": ({"id": "m2", "name": "Top-5 accuracy"}, False),
}


@pytest.mark.parametrize("case", TWICE)
def test_two_records_of_one_name_are_told_in_every_kind(write: Write, minimal: dict[str, str], case: str) -> None:
    record, told = TWICE[case]
    kind = case.split(maxsplit=1)[0]
    found = [found.code for found in check(write({**minimal, f"{kind}/x.json": json.dumps(record)})).findings]
    assert found == ["W406"] * told


SAME = [
    ({"doi": "10.1/A".replace("10.1", "10.1000")}, {"doi": "10.1000/a"}),
    ({"doi": "10.1000/a"}, {"url": "https://dx.doi.org/10.1000/A"}),
    ({"arxiv": "2106.07476"}, {"arxiv": "2106.07476v3"}),
    ({"arxiv": "2106.07476"}, {"url": "http://www.arxiv.org/pdf/2106.07476v1.pdf"}),
    ({"arxiv": "math.GT/0309136"}, {"url": "https://arxiv.org/abs/math.GT/0309136"}),
    ({"openreview": "rkgqN1SYvr"}, {"url": "https://openreview.net/forum?id=rkgqN1SYvr"}),
    ({"url": "https://example.org/p/"}, {"url": "http://www.example.org/p"}),
]
OTHER = [
    ({"doi": "10.1000/a"}, {"doi": "10.1000/b"}),
    ({"arxiv": "2106.07476"}, {"arxiv": "2106.07477"}),
    ({"url": "https://example.org/p?x=1"}, {"url": "https://example.org/p?x=2"}),
    ({}, {}),
]


@pytest.mark.parametrize(("one", "two", "told"), [(*pair, True) for pair in SAME] + [(*pair, False) for pair in OTHER])
def test_one_document_in_two_sources_is_told(
    write: Write, minimal: dict[str, str], one: dict[str, str], two: dict[str, str], told: bool
) -> None:
    sources = [{"id": "p1", "type": "paper", **one}, {"id": "p2", "type": "preprint", **two}]
    found = check(write({**minimal, "sources/x.json": json.dumps(sources)})).findings
    assert [(item.code, item.record) for item in found] == [("W409", "p2")] * told


def test_two_snapshots_of_a_board_may_have_one_address(write: Write, minimal: dict[str, str]) -> None:
    snapshot = {"type": "leaderboard_snapshot", "url": "https://example.org/board"}
    sources = [{"id": "s1", "date": "2024", **snapshot}, {"id": "s2", "date": "2025", **snapshot}]
    assert check(write({**minimal, "sources/x.json": json.dumps(sources)})).findings == []


def test_an_address_that_is_none_is_its_own_key() -> None:
    assert address_key("http://[x") == "http://[x"
    assert document_keys(Source(id="a", type="paper")) == {}


@pytest.mark.parametrize(
    ("label", "told"),
    [("Bubble", True), ("bubble ", True), ("BS", True), ("Merge", False), ("MS", False), ("Ours", False)],
)
def test_a_label_that_is_another_methods_name_is_told(
    write: Write, minimal: dict[str, str], label: str, told: bool
) -> None:
    aliases = "- id: bubble\n  name: Bubble\n  aliases: [BS]\n- id: merge\n  name: Merge\n  aliases: [MS]\n"
    minimal["methods.yaml"] = aliases
    assert codes(write, minimal, (SOURCE, None, row("row-3", method_label=f"'{label}'"))) == ["W410"] * told


def test_a_label_of_two_methods_is_one_of_both(write: Write, minimal: dict[str, str]) -> None:
    minimal["methods.yaml"] += "- id: merge-2\n  name: Merge\n"
    added = row("row-3", method_label="Merge", variant="x")
    added += row("row-4", method_label="Merge", variant="y").replace("merge\n", "merge-2\n")
    assert codes(write, minimal, (SOURCE, None, added)) == ["W406"]


@pytest.mark.parametrize(
    ("authors", "told"),
    [("[Duell, J., Fan, X.]", True), ("[Duell, J.-P.]", True), ("[Li, Q]", True), ('["Duell, J.", "Fan, X."]', False),
     ("[J. Duell, X. Fan]", False), ("[Plato]", False), ("[OpenAI Team]", False), ("[李]", False)],
)  # fmt: skip
def test_authors_that_a_list_tears_apart_are_told(
    write: Write, minimal: dict[str, str], authors: str, told: bool
) -> None:
    edit = (SOURCE, "type: paper\n", f"type: paper\nauthors: {authors}\n")
    assert codes(write, minimal, edit) == ["W411"] * told


CIRCLES = {
    "itself": ({"a": ["a"]}, {"a"}),
    "two": ({"a": ["b"], "b": ["a"]}, {"a", "b"}),
    "three and one below": ({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]}, {"a", "b", "c"}),
    "a diamond": ({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}, set()),
    "a long chain": ({f"t{n}": [f"t{n + 1}"] for n in range(600)} | {"t600": []}, set()),
}


@pytest.mark.parametrize("case", CIRCLES)
def test_tasks_above_themselves_are_told(write: Write, minimal: dict[str, str], case: str) -> None:
    parents, circle = CIRCLES[case]
    tasks = [{"id": name, "name": f"Task {name}", "parents": above} for name, above in parents.items()]
    found = check(write({**minimal, "tasks/x.json": json.dumps(tasks)})).findings
    assert {(item.code, item.record) for item in found} == {("E313", name) for name in circle}


@pytest.mark.parametrize(
    ("one", "two", "told"), [("b", "b.json", True), ("b", "b.md", True), ("b", "b.v2", False), ("c", "b.json", False)]
)
def test_ids_whose_pages_would_lie_in_one_place_are_told(
    write: Write, minimal: dict[str, str], one: str, two: str, told: bool
) -> None:
    methods = json.dumps([{"id": one, "name": "One"}, {"id": two, "name": "Two"}])
    found = check(write({**minimal, "methods/x.json": methods})).findings
    assert [(item.code, item.record) for item in found] == [("E211", two)] * told


@pytest.mark.parametrize(
    ("board", "metric", "told"),
    [("percent", "seconds", True), ("count", "percent", True), ("percent", "fraction", False),
     ("fraction", "percent", False), ("seconds", "milliseconds", False), ("unknown", "seconds", False),
     ("percent", "other", False), ("points", "percent", False), ("bits", "seconds", True)],
)  # fmt: skip
def test_a_unit_of_another_kind_is_told(
    write: Write, minimal: dict[str, str], board: str, metric: str, told: bool
) -> None:
    minimal["benchmarks.yaml"] = minimal["benchmarks.yaml"].replace("unit: percent", f"unit: {board}")
    minimal["metrics.yaml"] = (
        minimal["metrics.yaml"].replace("unit: percent", f"unit: {metric}").replace('  min: "0"\n  max: "100"\n', "")
    )
    found = check(write(minimal)).findings
    assert ("W524" in [item.code for item in found]) == told


@pytest.mark.parametrize(("unit", "code"), [("fraction", ""), ("percent", ""), ("seconds", "E502"), ("count", "E502")])
def test_a_score_may_state_a_unit_that_a_factor_leads_to(
    write: Write, minimal: dict[str, str], unit: str, code: str
) -> None:
    edit = (SOURCE, "93.2", f"{{text: '0.93', unit: {unit}}}")
    assert codes(write, minimal, edit) == ([code] if code else [])


@pytest.mark.parametrize(
    ("score", "told"),
    [
        ("{text: '9', aggregation: single_run, n_runs: 7}", True),
        ("{text: '9', n_runs: 1, uncertainty: {kind: sd, value: 0.1}}", True),
        ("{text: '9', n_runs: 1, uncertainty: {kind: se, value: 0.1}}", True),
        ("{text: '9', aggregation: single_run, n_runs: 1}", False),
        ("{text: '9', aggregation: mean, n_runs: 7, uncertainty: {kind: sd, value: 0.1}}", False),
        ("{text: '9', n_runs: 1, n_items: 50, uncertainty: {kind: se, value: 0.1}}", False),
        ("{text: '9', aggregation: single_run}", False),
    ],
)
def test_statements_that_exclude_each_other_are_told(
    write: Write, minimal: dict[str, str], score: str, told: bool
) -> None:
    assert codes(write, minimal, (SOURCE, "93.2", score)) == ["W523"] * told


STATES: list[tuple[list[dict[str, str]], bool, str]] = [
    ([{"type": "retracted", "date": "'2024'"}, {"type": "corrected", "date": "2024-03-01"}], True, "retracted"),
    ([{"type": "retracted", "date": "2024-01"}, {"type": "corrected", "date": "2024-03-01"}], True, "retracted"),
    ([{"type": "corrected", "date": "2024-01-01"}, {"type": "retracted", "date": "2024-03"}], False, "retracted"),
    ([{"type": "retracted", "date": "2024-01-01"}, {"type": "corrected", "date": "2024-03-01", "before": "retracted",
       "after": "active"}], False, "active"),
    ([{"type": "disputed", "date": "2024-01-01"}, {"type": "corrected", "date": "2024-03-01", "before": "active"}],
     True, "corrected"),
    ([{"type": "disputed", "date": "2024-01-01"}, {"type": "corrected", "date": "2024-03-01", "before": "disputed"}],
     False, "corrected"),
    ([{"type": "retracted", "date": "2024-01-01"}, {"type": "checked", "date": "2024-03-01"}], False, "retracted"),
]  # fmt: skip


@pytest.mark.parametrize(("happened", "told", "status"), STATES)
def test_events_are_held_against_the_state(
    write: Write, minimal: dict[str, str], tmp_path: Path, happened: list[dict[str, str]], told: bool, status: str
) -> None:
    minimal["events.yaml"] = "".join(event(**{"id": f"e{n}", **fields}) for n, fields in enumerate(happened))
    outcome = validate(write(minimal), tmp_path / "build", "2026-06-01")
    assert [found.code for found in outcome.findings] == ["W609"] * told
    assert outcome.tables is not None
    table = pq.read_table(outcome.tables / "results.parquet").to_pylist()
    assert next(item["status"] for item in table if item["id"] == "row-1") == status


@pytest.mark.parametrize(
    ("values", "flagged"),
    [(["300K", "301", "299.5"], "300K"), (["300 K", "301"], ""), (["24M", "24500000"], ""), (["24M", "12K"], ""),
     (["3B", "2.9", "3.1"], "3B"), (["12K", "11500", "11.5"], "")],
)  # fmt: skip
def test_a_letter_that_may_be_a_unit_is_told(
    write: Write, minimal: dict[str, str], values: list[str], flagged: str
) -> None:
    minimal["benchmarks.yaml"] = minimal["benchmarks.yaml"].replace(", unit: percent", ", unit: other")
    minimal["metrics.yaml"] = minimal["metrics.yaml"].replace('  min: "0"\n  max: "100"\n', "")
    minimal[SOURCE] = minimal[SOURCE].split("results:\n")[0] + "results:\n" + rows(*(f"'{value}'" for value in values))
    found = check(write(minimal)).findings
    assert [item.message.split("'")[1] for item in found if item.code == "W522"] == ([flagged] if flagged else [])
    assert ("W208" in [item.code for item in found]) == any(" " in value for value in values)


ADDRESSES = [
    "https://en.wikipedia.org/wiki/Cohen's_kappa",
    "https://example.org/a(b)c",
    "https://example.org/ä?x=1&y=[2]",
]


@pytest.mark.parametrize("url", ADDRESSES)
def test_addresses_with_signs_are_addresses(write: Write, minimal: dict[str, str], url: str) -> None:
    assert codes(write, minimal, (SOURCE, "type: paper\n", f"type: paper\nurl: {json.dumps(url)}\n")) == []


ARXIV = ["math.GT/0309136", "hep-th/9901001", "cond-mat/0409468v2", "2106.07476", "q-bio.NC/0401001", "cs.CL/0102003"]


@pytest.mark.parametrize("arxiv", ARXIV)
def test_old_arxiv_ids_are_ids(write: Write, minimal: dict[str, str], arxiv: str) -> None:
    assert codes(write, minimal, (SOURCE, "type: paper\n", f"type: paper\narxiv: '{arxiv}'\n")) == []


@pytest.mark.parametrize(
    ("low", "high", "refused"), [("100", "0", True), ("1e2", "99.9", True), ("0", "0", False), ("-1", "1", False)]
)
def test_bounds_that_are_swapped_are_told_once(
    write: Write, minimal: dict[str, str], low: str, high: str, refused: bool
) -> None:
    minimal["metrics.yaml"] = minimal["metrics.yaml"].replace(
        'min: "0"\n  max: "100"', f'min: "{low}"\n  max: "{high}"'
    )
    errors = [found for found in check(write(minimal)).findings if found.code != "E501"]
    assert [(found.code, found.record) for found in errors] == [("E209", "accuracy")] * refused
    assert all(found.message == f"min {low} is above max {high}; swap them" for found in errors)


def test_one_configuration_from_two_formats_is_compared(write: Write, minimal: dict[str, str]) -> None:
    minimal["sources/b.json"] = json.dumps(
        {"id": "b", "type": "paper", "url": "https://example.org/b", "results": [
            {"benchmark": "sorting-on-numbers", "method": "merge", "config": {"Shots": 5, "CoT": True},
             "scores": {"accuracy": "71.0"}}]})  # fmt: skip
    minimal["results/r.csv"] = (
        "source,benchmark,method,config.Shots,config.CoT,scores.accuracy\npaper-a,sorting-on-numbers,merge,5,true,77.7\n"
    )
    assert [found.code for found in check(write(minimal)).findings] == ["W701"]


def test_a_slip_beside_a_percentage_of_the_same_row_says_so(write: Write, minimal: dict[str, str]) -> None:
    minimal["benchmarks.yaml"] += "    - {key: f1, label: F1, unit: percent}\n"
    added = rows("88.1", "91.0") + row("row-9", scores="accuracy: 0.912, f1: 34.2", config="{k: 9}")
    (found,) = check(write(edited(minimal, [(SOURCE, None, added)]))).findings
    assert (found.code, found.hint[:23]) == ("W514", "f1 34.2 of the same row")


REDIRECTS = (
    "- {old: a, new: b, kind: sources}\n- {old: b, new: secret, kind: sources}\n- {old: x, new: merge, kind: methods}\n"
)


@pytest.mark.parametrize("how", ["visibility: private", "embargo_until: 2027", "publish: false"])
def test_no_table_names_what_is_hidden(write: Write, minimal: dict[str, str], tmp_path: Path, how: str) -> None:
    minimal["sources/secret.yaml"] = f"id: secret\ntype: paper\n{how}\n"
    minimal["redirects.yaml"] = REDIRECTS
    outcome = validate(write(minimal), tmp_path / "build", "2026-06-01")
    assert outcome.tables is not None
    assert [item["new"] for item in pq.read_table(outcome.tables / "redirects.parquet").to_pylist()] == ["merge"]
    for path in outcome.tables.iterdir():
        assert b"secret" not in path.read_bytes()


def test_an_event_without_effect_changes_no_state(write: Write, minimal: dict[str, str]) -> None:
    minimal["events.yaml"] = (
        event(id="e0", type="retracted", date="2024-01-02")
        + event(id="e1", type="disputed", date="2024-02-02")
        + event(id="e2", type="corrected", date="2024-03-02", before="retracted", after="active")
    )
    assert [(found.code, found.record) for found in check(write(minimal)).findings] == [("W609", "e1")]


@pytest.mark.parametrize("kind", ["retracted", "disputed"])
def test_the_order_of_events_that_set_one_word_does_not_matter(
    write: Write, minimal: dict[str, str], kind: str
) -> None:
    minimal["events.yaml"] = event(id="e0", type=kind, date="'2024'") + event(id="e1", type=kind, date="2024-05-01")
    assert codes(write, minimal) == []


def test_one_label_of_two_methods_is_told_as_that(write: Write, minimal: dict[str, str]) -> None:
    added = row(method_label="Ours", config="{k: 1}")
    added += row(method_label="Ours", config="{k: 1}", scores="accuracy: 51").replace("method: merge", "method: bubble")
    (found,) = check(write(edited(minimal, [(SOURCE, None, added)]))).findings
    assert found.code == "E402"
    assert "source, benchmark, label (of the methods merge and bubble) and config agree" in found.message


@pytest.mark.parametrize(("cell", "code"), [("50.5", "W403"), ("51", "W404")])
def test_one_claim_in_two_formats_is_told(write: Write, minimal: dict[str, str], cell: str, code: str) -> None:
    minimal["results/r.csv"] = (
        f"source,benchmark,method,config.n,scores.accuracy\npaper-a,sorting-on-numbers,merge,5,{cell}\n"
    )
    assert codes(write, minimal, (SOURCE, None, row(config="{n: 5}"))) == [code]


def test_an_alias_of_a_key_and_a_value_written_otherwise_are_one_condition(
    write: Write, minimal: dict[str, str]
) -> None:
    minimal["config_keys.yaml"] = "- key: Drop\n  aliases: [dropout]\n"
    minimal["results/r.csv"] = (
        "source,benchmark,method,config.dropout,scores.accuracy\npaper-a,sorting-on-numbers,merge,5,50.5\n"
    )
    assert codes(write, minimal, (SOURCE, None, row(config="{Drop: 5}"))) == ["W403"]


def test_records_that_cite_an_unreadable_source_say_which_file_to_mend(write: Write, minimal: dict[str, str]) -> None:
    minimal["sources/lost.yaml"] = "id: [lost\n"
    minimal["datasets.yaml"] += "  paper: lost\n"
    found = [found for found in check(write(minimal)).findings if found.code == "E306"]
    assert [item.hint for item in found] == ["mend sources/lost.yaml first, which could not be read"]


def test_suggestions_are_given_for_the_first_and_never_take_long(
    write: Write, minimal: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    close = references._close
    monkeypatch.setattr(references, "_close", lambda name, known: asked.append(name) or close(name, known))
    minimal["methods.yaml"] += "".join(f"- {{id: method-number-{n}, name: N {n}}}\n" for n in range(3_000))
    lines = [
        {
            "source": "paper-a",
            "benchmark": "sorting-on-numbers",
            "method": f"method-nr-{n}",
            "scores": {"accuracy": "1"},
        }
        for n in range(400)
    ]
    minimal["results/x.jsonl"] = "".join(json.dumps(line) + "\n" for line in lines * 2)
    found = [found for found in check(write(minimal)).findings if found.code == "E304"]
    assert len(found) == 800
    assert found[0].hint.startswith("did you mean 'method-number-")
    assert len(asked) == references.COMPARED // 3_002
