"""Each kind of fault in one record: its code, its place and the hint."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from pydantic import ValidationError

from outcomes import public_results
from sotakit.check.findings import LONGEST, Finding, Origin
from sotakit.check.structure import build
from sotakit.validate import Outcome, examine
from sotaschema.base import Record
from sotaschema.jsonschema import KINDS

Write = Callable[..., Path]

HEAD = "id: p\ntype: paper\n"
ROW = "results:\n  - benchmark: sorting-on-numbers\n    method: merge\n"


def check(write: Write, files: dict[str, str]) -> Outcome:
    return examine(write(files), "2026-06-01")


@pytest.mark.parametrize(
    ("name", "text", "expected", "hint"),
    [
        ("tasks.yaml", "- id: a\n", [("E201", 1, 3, "name")], "add it"),
        ("tasks.yaml", "- id: a\n  name: A\n  nam: B\n", [("E202", 3, 3, "nam")], "did you mean 'name'?"),
        ("tasks.yaml", "- id: a\n  name: A\n  zzz: B\n", [("E202", 3, 3, "zzz")], "notes"),
        ("tasks.yaml", "- id: a\n  name: [A]\n", [("E203", 2, 9, "name")], ""),
        ("tasks.yaml", "- id: a\n  name: 12\n", [("E203", 2, 9, "name")], 'quotes: "12"'),
        ("tasks.yaml", "- id: a\n  name:\n", [("E203", 2, 8, "name")], ""),
        ("tasks.yaml", "- id: a\n  name: A\n  parents: x\n", [("E203", 3, 12, "parents")], ""),
        ("tasks.yaml", "- id: a\n  name: true\n", [("E203", 2, 9, "name")], ""),
        ("tasks.yaml", "- id: 6976e4\n  name: A\n", [("E205", 1, 7, "id")], '"6976e4"'),
        ("tasks.yaml", "- id: 007\n  name: A\n", [("E205", 1, 7, "id")], '"007"'),
        ("tasks.yaml", "- id: a\n  name: A\n  parents: [1.10]\n", [("E205", 3, 13, "parents.0")], '"1.10"'),
        ("tasks.yaml", "- id: A b\n  name: A\n", [("E205", 1, 7, "id")], "lower-case"),
        ("tasks.yaml", "- text\n", [("E111", 1, 3, "")], "fields"),
        ("tasks.yaml", "id: a\nname: A\n---\nid: b\n", [("E107", 3, 1, "")], "one file"),
        ("tasks.json", '[{"id": "a", "name": 3}]', [("E203", 1, 22, "name")], ""),
        ("tasks.json", "null", [("E111", 1, 1, "")], ""),
        ("tasks.jsonl", '{"id": "a", "name": "A"}\n{"id": "b"}\n', [("E201", 2, 1, "name")], ""),
        ("tasks.csv", "id,name,parents[]\na,A,\nB b,B,x;y\n", [("E205", 3, 1, "id")], ""),
        ("datasets.csv", "id,name,released\na,A,2024-13\n", [("E206", 2, 5, "released")], ""),
        ("metrics.yaml", "- id: a\n  name: A\n  direction: highr\n", [("E204", 3, 14, "direction")], "'higher'"),
        ("metrics.yaml", "- id: a\n  name: A\n  unit: Per Second\n", [("E204", 3, 9, "unit")], "'per_second'"),
        ("metrics.yaml", "- id: a\n  name: A\n  unit: zzzz\n", [("E204", 3, 9, "unit")], "fraction, percent"),
        ("metrics.yaml", "- id: a\n  name: A\n  min: low\n", [("E209", 3, 8, "min")], ""),
        ("metrics.yaml", "- id: a\n  name: A\n  parameters: {k: .nan}\n", [("E207", 3, 19, "parameters.k")], ""),
        (
            "metrics.yaml",
            "- id: a\n  name: A\n  reference:\n    - {sorce: x}\n",
            [("E201", 4, 7, "reference.0.source"), ("E202", 4, 8, "reference.0.sorce")],
            "did you mean 'source'?",
        ),
        ("datasets.yaml", "- id: a\n  name: A\n  released: 2025-02-30\n", [("E206", 3, 13, "released")], ""),
        ("methods.yaml", "- id: a\n  name: A\n  released: soon\n", [("E206", 3, 13, "released")], ""),
        ("sources/p.yaml", HEAD + "retracted: maybe\n", [("E203", 3, 12, "retracted")], ""),
        ("sources/p.yaml", HEAD + "url: ftp://x\n", [("E209", 3, 6, "url")], ""),
        ("sources/p.yaml", HEAD + 'title: "a\\u0007b"\n', [("E209", 3, 8, "title")], ""),
        ("sources/p.yaml", HEAD + "results: {}\n", [("E203", 3, 10, "results")], ""),
        ("sources/p.yaml", HEAD + "results: [x]\n", [("E111", 3, 11, "")], ""),
        ("sources/p.yaml", HEAD + ROW + "    scores: {}\n", [("E209", 6, 13, "scores")], ""),
        ("sources/p.yaml", HEAD + ROW + "    scores: {accuracy: .nan}\n", [("E207", 6, 24, "scores.accuracy")], ""),
        ("sources/p.yaml", HEAD + ROW + "    scores: {accuracy: .inf}\n", [("E207", 6, 24, "scores.accuracy")], ""),
        ("sources/p.yaml", HEAD + ROW + "    scores: {Acc Y: 1}\n", [("E205", 6, 14, "scores.Acc Y")], "another key"),
        (
            "sources/p.yaml",
            HEAD + ROW + "    scores: {accuracy: {txt: 1}}\n",
            [("E202", 6, 25, "scores.accuracy.txt")],
            "did you mean 'text'?",
        ),
        (
            "sources/p.yaml",
            HEAD + ROW + "    scores: {accuracy: {text: '1', n_runs: 0}}\n",
            [("E209", 6, 44, "scores.accuracy.n_runs")],
            "",
        ),
        (
            "sources/p.yaml",
            HEAD + ROW + "    scores: {accuracy: 1}\n    config: {a: [1]}\n",
            [("E209", 7, 17, "config.a")],
            "",
        ),
        (
            "sources/p.json",
            '{"id": "p", "type": "paper", "results": [{"benchmark": "sorting-on-numbers", "method": "merge",\n'
            ' "scores": {"accuracy": NaN}}]}',
            [("E207", 2, 25, "scores.accuracy")],
            "",
        ),
        (
            "sources/p.json",
            '{"id": "p", "type": "paper", "title": "\\ud800"}',
            [("E102", 1, 39, "title")],
            "",
        ),
        ("registry.yaml", "schema: 2\n", [("E209", 1, 9, "schema")], ""),
        ("redirects.yaml", "- {old: a, new: 7}\n", [("E205", 1, 17, "new")], '"7"'),
    ],
)
def test_fault_of_one_record(write: Write, name: str, text: str, expected: list, hint: str) -> None:
    outcome = check(write, {name: text})
    errors = [finding for finding in outcome.findings if finding.severity == "error"]
    found = [(finding.code, finding.line, finding.column, finding.field) for finding in errors if finding.code < "E3"]
    assert found == expected
    assert any(hint in finding.hint for finding in errors)
    assert {finding.origin.file for finding in errors} == {name}
    assert outcome.count("error") >= outcome.rejected >= 1


def test_all_faults_of_a_record_are_reported(write: Write) -> None:
    outcome = check(write, {"methods.yaml": "- id: A\n  nme: x\n  kind: robot\n  released: 2025-02-30\n"})
    assert [finding.code for finding in outcome.findings] == ["E201", "E205", "E202", "E204", "E206"]
    assert {finding.record for finding in outcome.findings} == {"A"}
    assert outcome.rejected == 1


def test_csv_texts_become_the_types_of_their_fields(write: Write) -> None:
    rows = "id,type,retracted,run.seed\nr1,run,true,7\nr2,paper,perhaps,\n"
    outcome = check(write, {"sources.csv": rows})
    assert [(finding.code, finding.line, finding.column) for finding in outcome.findings] == [("E203", 3, 10)]
    (source,) = [loaded.record for loaded in outcome.collection.sources]
    assert source.retracted is True
    assert source.run == {"seed": "7"}


def test_messages_say_what_was_expected_and_found(write: Write) -> None:
    outcome = check(write, {"tasks.yaml": "- id: a\n  name: [A]\n- id: b\n  name: {}\n- id: c\n  name: 0.90\n"})
    assert [finding.message for finding in outcome.findings] == [
        "expected text, found a list",
        "expected text, found a mapping",
        "expected text, found 0.90",
    ]


def test_long_values_are_cut_in_messages(write: Write) -> None:
    outcome = check(write, {"metrics.yaml": f"- id: a\n  name: A\n  unit: {'x' * 5000}\n"})
    assert len(outcome.findings[0].message) < 200


def test_a_duplicate_key_refuses_its_record_only(write: Write, minimal: dict[str, str]) -> None:
    minimal["methods.yaml"] += "- id: quick\n  name: Quick\n  name: Quicker\n"
    outcome = check(write, minimal)
    assert [(finding.code, finding.line, finding.column) for finding in outcome.findings] == [("E105", 7, 3)]
    assert (outcome.records, outcome.rejected) == (10, 1)


def test_a_duplicate_key_in_a_source_refuses_all_its_results(write: Write, minimal: dict[str, str]) -> None:
    minimal["sources/paper-a.yaml"] += "    method: bubble\n"
    minimal["events.yaml"] = (
        "- {id: e1, type: checked, target: row-1, date: '2026', actor: A. Author, after: human_checked}\n"
    )
    outcome = check(write, minimal)
    assert [finding.code for finding in outcome.findings] == ["E105"]
    assert (outcome.records, outcome.rejected) == (10, 6)  # source, two rows, event, and the metric and board it cites


@pytest.mark.parametrize("method", ["- id: bubble\n  nam: x\n- id: merge\n  name: Merge\n"])
def test_a_reference_to_a_refused_record_is_not_unknown(write: Write, minimal: dict[str, str], method: str) -> None:
    minimal["methods.yaml"] = method
    outcome = check(write, minimal)
    assert [finding.code for finding in outcome.findings] == ["E201", "E202"]
    assert (outcome.rejected, [row.id for row in public_results(outcome, write({}))]) == (2, ["row-2"])


def test_results_of_a_source_without_an_id_are_refused_with_it(write: Write, minimal: dict[str, str]) -> None:
    minimal["sources/paper-b.yaml"] = (
        minimal["sources/paper-a.yaml"].replace("id: paper-a\n", "").replace("row", "line")
    )
    outcome = check(write, minimal)
    assert [(finding.code, finding.field) for finding in outcome.findings] == [("E201", "id")]
    assert (outcome.records, outcome.rejected) == (12, 3)


def test_a_name_of_any_length_makes_a_short_message(write: Write, minimal: dict[str, str]) -> None:
    record = {"id": "r", "benchmark": "sorting-on-numbers", "method": "merge", "scores": {"accuracy": "1.5"}}
    record |= {"x" * 5000: "1"}
    data = write(minimal | {"sources/paper-a.results.jsonl": json.dumps(record) + "\n"})
    (found,) = examine(data, "2026-06-01").findings
    assert (found.code, found.column) == ("E202", 1 + json.dumps(record).index('"xxx'))
    assert found.message == "unknown field '" + "x" * 76 + "..."


@pytest.mark.parametrize("length", [LONGEST - 1, LONGEST, LONGEST + 1, 100_000])
def test_texts_of_findings_are_cut_in_the_middle(length: int) -> None:
    text = ("ab" * length)[: length - 1] + "z"
    found = Finding("E202", "error", Origin("x"), text, text, text)
    for part in (found.message, found.hint, found.record):
        assert (part == text) == (length <= LONGEST)
        assert len(part) == min(length, LONGEST)
        assert (part[0], part[-1]) == ("a", "z")


WRONG: list[Any] = [
    None,
    "",
    " ",
    "x\ny",
    "é" * 1001,
    "\ud800",
    "x" * 20_001,
    [],
    [1],
    ["", ""],
    {},
    {"": 1},
    {"x": {}},
]
WRONG += [
    0,
    -1,
    1.5,
    2**60,
    10**400,
    float("nan"),
    float("inf"),
    True,
    "nan",
    "2024-02-30",
    "http://",
    "10.1/x",
    "words",
]
WRONG += [{"text": "1", "n_runs": 0}, [{"key": "k"}], [{"source": "S"}], [{"code": 1, "severity": "loud"}]]

OWN_WORDS = ("value_error", "date", "text", "finite_number", "scalar", "keys")


def wrong_records(model: type[Record]) -> Iterator[dict[str, Any]]:
    """Records of a kind in which one field after the other holds what it may not hold."""
    whole: dict[str, Any] = {"id": "a", "key": "a", "old": "a", "new": "b", "name": "N", "title": "T", "type": "paper"}
    whole |= {"benchmark": "b", "method": "m", "scores": {"k": "1"}, "task": "t", "dataset": "d", "target": "x"}
    whole |= {"metrics": [{"key": "k", "label": "L"}], "date": "2024", "actor": "A"}
    names = {field.alias or name for name, field in model.model_fields.items()}
    usual = {name: value for name, value in whole.items() if name in names}
    for name in names:
        for value in WRONG:
            yield {**usual, name: value}
    for value in WRONG:
        yield {**usual, "scores": {"k": value}}
        yield {**usual, "scores": {"k": {"text": "1", "uncertainty": {"level": value, "low": value}}}}
        yield {**usual, "config": {"k": value}}


@pytest.mark.parametrize("model", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("texts", [False, True])
def test_words_of_the_validation_library_reach_nobody(model: type[Record], texts: bool) -> None:
    """Compared with what the library itself says about the same record."""
    met = set()
    for record in wrong_records(model):
        found = build(model, record, Origin("f"), texts=texts)
        try:
            model.model_validate(record, strict=not texts)
        except ValidationError as error:
            raw = [details for details in error.errors(include_url=False) if details["type"] not in OWN_WORDS]
            met |= {details["type"] for details in raw}
            said = " ".join(item.message for item in found) if isinstance(found, list) else ""
            assert said
            for details in raw:
                assert details["msg"] not in said
                assert details["msg"].removeprefix("Input should be ") not in said or len(details["msg"]) < 25
            assert "expected another" not in said, raw
    assert len(met) > 3


YEARS = [
    ("date: 2024", "2024"),
    ("date: 2024-05", "2024-05"),
    ("date: 2024-05-06", "2024-05-06"),
    ('date: "2024"', "2024"),
]


@pytest.mark.parametrize(("line", "kept"), YEARS)
def test_a_date_needs_no_quotes_in_yaml(write: Write, minimal: dict[str, str], line: str, kept: str) -> None:
    minimal["sources/paper-a.yaml"] = minimal["sources/paper-a.yaml"].replace("type: paper\n", f"type: paper\n{line}\n")
    minimal["datasets.yaml"] += f"  {line.replace('date', 'released')}\n"
    outcome = check(write, minimal)
    assert outcome.findings == []
    assert outcome.collection.sources[0].record.date == outcome.collection.datasets[0].record.released == kept


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_a_year_needs_no_quotes_in_json(write: Write, minimal: dict[str, str], form: str) -> None:
    row = {
        "benchmark": "sorting-on-numbers",
        "method": "merge",
        "variant": "y",
        "date": 2024,
        "scores": {"accuracy": "5"},
    }
    minimal[f"sources/paper-a.results.{form}"] = json.dumps(row) + "\n"
    data = write(minimal)
    outcome = examine(data, "2026-06-01")
    assert outcome.findings == []
    assert [result.record.date for result in public_results(outcome, data) if result.record.variant] == ["2024"]


@pytest.mark.parametrize("text", ["20240", "24", "-2024", "2024.5", "0x7E8", "2_024", "2024-13", "2024-02-30", "true"])
def test_a_date_that_means_nothing_is_refused(write: Write, minimal: dict[str, str], text: str) -> None:
    minimal["sources/paper-a.yaml"] = minimal["sources/paper-a.yaml"].replace(
        "type: paper", f"type: paper\ndate: {text}"
    )
    (found,) = check(write, minimal).findings
    assert (found.severity, found.field, found.line) == ("error", "date", 3)


DOIS = [
    "10.1002/(SICI)1096-9861(19960129)365:1<113::AID-CNE9>3.0.CO;2-6",
    "10.1002/(sici)1097-4571(199009)41:6<391::aid-asi1>3.0.co;2-9",
    "10.1000/182", "10.1000.10/123", "10.5555/12345678", "10.1038/s41586-020-2649-2", "10.1016/0004-3702(95)00070-4",
]  # fmt: skip


@pytest.mark.parametrize("doi", DOIS)
def test_dois_with_signs_are_dois(write: Write, minimal: dict[str, str], doi: str) -> None:
    minimal["sources/paper-a.yaml"] = minimal["sources/paper-a.yaml"].replace(
        "type: paper", f"type: paper\ndoi: {json.dumps(doi)}"
    )
    outcome = check(write, minimal)
    assert outcome.findings == []
    address = outcome.collection.sources[0].record.address or ""
    assert unquote(address) == f"https://doi.org/{doi}"
    assert not set(address) & set('<>" ')


@pytest.mark.parametrize("doi", ["182", "https://doi.org/10.1000/182", "10.1/x", "10.1000/a b", "doi:10.1000/182"])
def test_what_is_no_doi_is_told_in_words(write: Write, minimal: dict[str, str], doi: str) -> None:
    minimal["sources/paper-a.yaml"] = minimal["sources/paper-a.yaml"].replace(
        "type: paper", f"type: paper\ndoi: '{doi}'"
    )
    (found,) = check(write, minimal).findings
    assert found.message == f"expected a DOI such as 10.1000/182, without https://doi.org/, found {doi!r}"
