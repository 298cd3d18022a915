"""Every rule across records: the registry that breaks exactly it, and the place that is named."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulecases import (
    CONTESTED_CASES,
    NAME_CASES,
    POLICY_CASES,
    PROVENANCE_CASES,
    SOURCE,
    VALUE_CASES,
    Case,
    Place,
    check,
    edited,
    event,
    places,
    row,
)
from sotakit.check.codes import CODES
from sotakit.check.load import load
from sotakit.check.rules import ACROSS_RULES, ENTITY_RULES, RESULT_RULES, RULES, TALLIED_RULES

Write = Callable[..., Path]


# file, old text (None: append), new text, expected findings
_OWN: dict[str, tuple[str, str | None, str, list[Place]]] = {
    "E204": ("events.yaml", None, event(after="perfect"), [("E204", "events.yaml", 1, 87)]),
    "E211": ("methods.yaml", None, "- id: con\n  name: Con\n", [("E211", "methods.yaml", 5, 7)]),
    "E301": ("benchmarks.yaml", "task: sorting", "task: sortin", [("E301", "benchmarks.yaml", 3, 9)]),
    "E301 parent": ("tasks.yaml", None, "  parents: [sort, sorter]\n",
                    [("E301", "tasks.yaml", 3, 13), ("E301", "tasks.yaml", 3, 19)]),
    "E302": ("benchmarks.yaml", "dataset: numbers", "dataset: letters", [("E302", "benchmarks.yaml", 4, 12)]),
    "E303": ("benchmarks.yaml", "metric: accuracy", "metric: f1", [("E303", "benchmarks.yaml", 6, 31)]),
    "E304": (SOURCE, "method: bubble", "method: buble", [("E304", SOURCE, 6, 13)]),
    "E305": (SOURCE, "    benchmark: sorting-on-numbers\n    method: merge",
             "    benchmark: sorting-on-letters\n    method: merge", [("E305", SOURCE, 9, 16)]),
    "E305 folding": ("config_keys.yaml", None, "- key: Model\n  benchmarks: [nowhere]\n",
                     [("E305", "config_keys.yaml", 2, 16)]),
    "E306 origin": ("methods.yaml", None, "  origin: paper-b\n", [("E306", "methods.yaml", 5, 11)]),
    "E306 paper": ("datasets.yaml", None, "  paper: paper-b\n", [("E306", "datasets.yaml", 3, 10)]),
    "E306 citation": ("metrics.yaml", "source: paper-a", "source: paper-c", [("E306", "metrics.yaml", 4, 31)]),
    "E306 results": ("sources/paper-z.results.jsonl", None,
                     '\n{"benchmark": "sorting-on-numbers", "method": "merge", "scores": {"accuracy": "1"}}\n',
                     [("E306", "sources/paper-z.results.jsonl", 2, 1)]),
    "E307": (SOURCE, "accuracy: 93.2", "acuracy: 93.2", [("E307", SOURCE, 11, 14)]),
    "E313": ("tasks.yaml", None, "  parents: [sorting]\n", [("E313", "tasks.yaml", 3, 12)]),
    "E308 event": ("events.yaml", None, event(target="row-9"), [("E308", "events.yaml", 1, 35)]),
    "E308 redirect": ("redirects.yaml", None, "- {old: a, new: b}\n", [("E308", "redirects.yaml", 1, 17)]),
    "E308 loop": ("redirects.yaml", None, "- {old: a, new: b}\n- {old: b, new: a}\n",
                  [("E308", "redirects.yaml", 1, 17), ("E308", "redirects.yaml", 2, 17)]),
    "E308 self": ("redirects.yaml", None, "- {old: a, new: a}\n", [("E308", "redirects.yaml", 1, 17)]),
    "E401": ("methods.yaml", None, "- id: merge\n  name: Merge again\n", [("E401", "methods.yaml", 5, 7)]),
    "E401 result": (SOURCE, None, row("row-1"), [("E401", SOURCE, 12, 9)]),
    "E401 key": ("config_keys.yaml", None, "- key: Model\n- key: Model\n", [("E401", "config_keys.yaml", 2, 8)]),
    "E402": (SOURCE, None, row(config="{a: 1}") + row(config="{a: 1}", scores="accuracy: 51"),
             [("E402", SOURCE, 16, 5)]),
    "W404": (SOURCE, None, "  - {id: row-3, benchmark: sorting-on-numbers, method: merge, scores: {accuracy: 12}}\n",
             [("W404", SOURCE, 12, 5)]),
    "W403": (SOURCE, None, row("row-3", config="{Model: BNN}") + row("row-4", config="{Net: BNN}"),
             [("W403", SOURCE, 17, 5)]),
    "E502": (SOURCE, "93.2", "{text: '0.9', unit: seconds}", [("E502", SOURCE, 11, 24)]),
    "W511": ("benchmarks.yaml", "direction: higher", "direction: lower", [("W511", "benchmarks.yaml", 6, 69)]),
    "W512": ("metrics.yaml", "  direction_source: [{source: paper-a}]\n", "", [("W512", "metrics.yaml", 3, 14)]),
}  # fmt: skip

CASES: dict[str, Case] = {
    **{case: ([(name, old, new)], expected) for case, (name, old, new, expected) in _OWN.items()},
    **VALUE_CASES,
    **NAME_CASES,
    **PROVENANCE_CASES,
    **CONTESTED_CASES,
    **POLICY_CASES,
}


def broken(minimal: dict[str, str], case: str) -> dict[str, str]:
    return edited(minimal, CASES[case][0])


def test_the_minimal_registry_is_clean(write: Write, minimal: dict[str, str]) -> None:
    outcome = check(write(minimal))
    assert (outcome.findings, outcome.records, outcome.rejected) == ([], 9, 0)


@pytest.mark.parametrize("case", CASES)
def test_one_defect_is_one_finding_at_its_place(write: Write, minimal: dict[str, str], case: str) -> None:
    outcome = check(write(broken(minimal, case)))
    assert places(outcome) == CASES[case][1]
    assert all(found.message and found.hint for found in outcome.findings)
    severities = {"E": "error", "W": "warning", "N": "note"}
    assert all(found.severity == severities[found.code[0]] for found in outcome.findings)


def test_every_rule_has_a_case() -> None:
    assert {case.split()[0] for case in CASES} == set(RULES)
    assert set(RULES) <= set(CODES)


def test_every_rule_says_what_it_looks_at() -> None:
    assert ENTITY_RULES | RESULT_RULES | ACROSS_RULES | set(TALLIED_RULES) == set(RULES)
    assert not RESULT_RULES & ACROSS_RULES
    assert not set(TALLIED_RULES) & (ENTITY_RULES | RESULT_RULES | ACROSS_RULES)


@pytest.mark.parametrize("case", CASES)
def test_white_space_line_ends_and_marks_change_no_verdict(write: Write, minimal: dict[str, str], case: str) -> None:
    files = broken(minimal, case)
    before = [(found.code, found.message) for found in check(write(files)).findings]
    crlf = {name: "\ufeff" + text.replace("\n", "\r\n") for name, text in files.items()}
    after = [(found.code, found.message) for found in check(write(crlf, "crlf")).findings if found.code != "W103"]
    assert after == before


@pytest.mark.parametrize("text", ["0", "100", "0.0", "100.00", "<100", "50 %", "–", "OOM"])
def test_values_on_the_bounds_or_missing_are_fine(write: Write, minimal: dict[str, str], text: str) -> None:
    minimal[SOURCE] = minimal[SOURCE].replace("93.2", f'"{text}"')
    assert check(write(minimal)).findings == []


def test_bounds_are_converted_by_the_declared_factor_only(write: Write, minimal: dict[str, str]) -> None:
    minimal["benchmarks.yaml"] = minimal["benchmarks.yaml"].replace("unit: percent", "unit: fraction")
    minimal[SOURCE] = minimal[SOURCE].replace("70.10", "1.0").replace("93.2", "1.01")
    assert places(check(write(minimal))) == [("E501", SOURCE, 11, 24)]
    minimal["benchmarks.yaml"] = minimal["benchmarks.yaml"].replace("unit: fraction", "unit: points")
    minimal[SOURCE] = minimal[SOURCE].replace("1.01", "500")
    assert check(write(minimal)).findings == []


@pytest.mark.parametrize("direction", ["unknown", "none", "target"])
def test_only_opposite_directions_contradict(write: Write, minimal: dict[str, str], direction: str) -> None:
    minimal["benchmarks.yaml"] = minimal["benchmarks.yaml"].replace("direction: higher", f"direction: {direction}")
    assert check(write(minimal)).findings == []


def test_a_chain_of_redirects_may_end_at_a_record(write: Write, minimal: dict[str, str]) -> None:
    minimal["redirects.yaml"] = "- {old: a, new: b}\n- {old: b, new: sorting-on-numbers}\n"
    assert check(write(minimal)).findings == []


def test_redirects_of_other_kinds(write: Write, minimal: dict[str, str]) -> None:
    minimal["redirects.yaml"] = "- {old: a, new: merge, kind: methods}\n- {old: b, new: merge}\n"
    assert places(check(write(minimal))) == [("E308", "redirects.yaml", 2, 17)]


def test_a_variant_tells_equal_claims_apart(write: Write, minimal: dict[str, str]) -> None:
    minimal[SOURCE] += row(variant="'1'") + row(variant="'2'", scores="accuracy: 51")
    data = write(minimal)
    assert check(data).findings == []
    assert len({result.id for result in load(data).results}) == 4


@pytest.mark.parametrize(
    ("one", "two", "repeats"),
    [
        ("{Model: BNN}", "{Net: BNN}", True),
        ("{Model: BNN, k: 1}", "{Net: BNN, k: 1}", True),
        ("{Train: A, Test: B}", "{Train: B, Test: A}", False),
        ("{k: 1}", "{j: 1.0}", False),
        ("{k: 1}", '{j: "1"}', False),
        ("{k: 1}", "{k: 1, j: 2}", False),
        ("{k: 5}", '{k: "5"}', True),
        ("{k: 5}", "{k: 5.0}", True),
        ('{k: "5.0"}', "{k: 5}", True),
        ("{k: true}", '{k: "True"}', True),
        ("{k: MC Dropout}", '{k: "mc  dropout"}', True),
        ("{k: 1}", "{k: true}", False),
        ('{k: "12.10"}', '{k: "12.1"}', False),
        ("{k: 5, j: 1}", '{k: "5", i: 1}', True),
        ("{k: 0.5}", '{k: "0.5"}', True),
    ],
)
def test_probable_duplicates(write: Write, minimal: dict[str, str], one: str, two: str, repeats: bool) -> None:
    minimal[SOURCE] += row("row-3", config=one) + row("row-4", config=two)
    assert [found.code for found in check(write(minimal)).findings] == (["W403"] if repeats else [])


def test_other_values_or_other_sources_are_no_duplicates(write: Write, minimal: dict[str, str]) -> None:
    minimal[SOURCE] += row("row-3", config="{a: 1}") + row("row-4", config="{b: 1}", scores="accuracy: 50.50")
    minimal["sources/paper-b.yaml"] = "id: paper-b\ntype: paper\nresults:\n" + row("row-5", config="{c: 1}")
    assert check(write(minimal)).findings == []


def test_did_you_mean_in_references(write: Write, minimal: dict[str, str]) -> None:
    minimal[SOURCE] = minimal[SOURCE].replace("method: bubble", "method: buble")
    (finding,) = check(write(minimal)).findings
    assert finding.hint == "did you mean 'bubble'?"
    assert (finding.record, finding.field) == ("row-1", "method")


@pytest.mark.parametrize("second", ["json", "jsonl", "csv"])
def test_places_in_other_formats(write: Write, minimal: dict[str, str], second: str) -> None:
    text = {
        "json": '[\n {"benchmark": "sorting-on-numbers",\n  "method": "quick", "scores": {"accuracy": "101"}}]\n',
        "jsonl": '\n{"benchmark": "sorting-on-numbers", "method": "quick", "scores": {"accuracy": "101"}}\n',
        "csv": "benchmark,scores.accuracy,method\n\nsorting-on-numbers,101,quick\n",
    }[second]
    name = f"sources/paper-a.results.{second}"
    expected = {"json": [(3, 13), (3, 45)], "jsonl": [(2, 47), (2, 79)], "csv": [(3, 24), (3, 20)]}[second]
    minimal[name] = text
    codes = dict(zip(("E304", "E501"), expected, strict=True))
    assert sorted(places(check(write(minimal)))) == [(code, name, *place) for code, place in codes.items()]


def test_bare_numbers_in_json_are_noted_once_a_file(write: Write, minimal: dict[str, str]) -> None:
    line = '{"benchmark": "sorting-on-numbers", "method": "%s", "variant": "%d", "scores": {"accuracy": %s}}\n'
    rows = [line % ("merge", 1, '"1.50"'), line % ("merge", 2, "2.50"), line % ("bubble", 3, "3.5")]
    minimal["sources/paper-a.results.jsonl"] = "".join(rows)
    (finding,) = check(write(minimal)).findings
    assert (finding.code, finding.severity, finding.line) == ("N210", "note", 2)


def changed(minimal: dict[str, str], choice: list[str]) -> dict[str, str]:
    files = dict(minimal)
    for name, old, new in (edit for case in choice for edit in CASES[case][0]):
        text = files.get(name, "")
        files[name] = text + new if old is None else text.replace(old, new)
    return files


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(choice=st.lists(st.sampled_from(sorted(CASES)), unique=True, max_size=6), number=st.uuids())
def test_records_are_accepted_or_rejected_never_lost(
    write: Write, minimal: dict[str, str], choice: list[str], number: object
) -> None:
    data = write(changed(minimal, choice), str(number))
    outcome = check(data)
    results = [result for result, public in zip(load(data).results, outcome.public, strict=True) if public]
    assert outcome.accepted == outcome.collection.size + len(results)
    assert outcome.accepted + outcome.rejected == outcome.records
    assert (outcome.rejected > 0) == (outcome.count("error") > 0)
    known = {name for _, name, _ in outcome.collection.everything()}
    for result in results:
        assert {result.source, result.record.method, result.record.benchmark} <= known


def test_rows_told_apart_by_a_variant_are_not_contested(write: Write, minimal: dict[str, str]) -> None:
    rows = row("row-3").replace("method: bubble", "method: merge").rstrip("\n")
    minimal[SOURCE] += rows + "\n    variant: b\n"
    assert "W404" not in [found.code for found in check(write(minimal)).findings]


@pytest.mark.parametrize(("variants", "repeats"), [(("a", "b"), False), (("a", None), False), ((None, None), True)])
def test_rows_that_a_variant_tells_apart_are_no_duplicates(
    write: Write, minimal: dict[str, str], variants: tuple[str | None, str | None], repeats: bool
) -> None:
    for number, variant in enumerate(variants):
        minimal[SOURCE] += row(f"row-{number + 3}", config="{k: 1}") + (f"    variant: {variant}\n" if variant else "")
    assert ("W403" in [found.code for found in check(write(minimal)).findings]) == repeats


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ('{"accuracy": "50"}', "config agree, and so do the values"),
        ('{"accuracy": "51"}', "but not the values: accuracy is '50' there and '51' here"),
    ],
)
def test_the_second_of_two_equal_claims_says_where_the_first_stands(
    write: Write, minimal: dict[str, str], other: str, said: str
) -> None:
    line = '{"source": "paper-a", "benchmark": "sorting-on-numbers", "method": "merge", "variant": "x", "scores": %s}\n'
    minimal["results/x.jsonl"] = line % '{"accuracy": "50"}' + line % other
    (found,) = check(write(minimal)).findings
    assert (found.code, found.line) == ("E402", 2)
    assert "the same claim as in results/x.jsonl, line 1: " in found.message
    assert found.message.endswith(said)


def test_a_hundredfold_value_of_another_source_is_named(write: Write, minimal: dict[str, str]) -> None:
    minimal["benchmarks.yaml"] = minimal["benchmarks.yaml"].replace("unit: percent", "unit: unknown")
    other = row("row-9", scores="accuracy: 0.932").replace("paper-a", "paper-b")
    minimal["sources/paper-b.yaml"] = f"id: paper-b\ntype: paper\nresults:\n{other}"
    found = [found.message for found in check(write(minimal)).findings if found.code == "W701"]
    assert len(found) == 1
    assert "93.2 is 100 times 0.932" in found[0]


def test_a_direction_without_a_citation_is_not_called_cited(write: Write, minimal: dict[str, str]) -> None:
    minimal["metrics.yaml"] = minimal["metrics.yaml"].replace("  direction_source: [{source: paper-a}]\n", "")
    minimal["benchmarks.yaml"] = minimal["benchmarks.yaml"].replace("direction: higher", "direction: lower")
    codes = {found.code: found.message for found in check(write(minimal)).findings}
    assert codes.keys() == {"W511", "W512"}
    assert codes["W511"].endswith("as this registry has it, which cites nobody")
