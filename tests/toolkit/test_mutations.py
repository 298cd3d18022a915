"""One named defect in a record that uses every field: exactly its codes at exactly its places, in every form."""

from collections.abc import Callable
from pathlib import Path

import pytest

from richdefects import DEFECTS, mutated
from richrecords import FORMS, MARK, OTHER, RESULT, Marked, unmarked
from sotakit.validate import examine

Write = Callable[..., Path]


def found(data: Path) -> list[tuple[str, str, int | None, int | None]]:
    findings = examine(data, "2026-06-01").findings
    assert all(finding.message and finding.severity for finding in findings)
    return [(finding.code, finding.origin.file, finding.line, finding.column) for finding in findings]


@pytest.mark.parametrize("form", FORMS)
def test_the_rich_record_has_no_fault(write: Write, minimal: dict[str, str], form: str) -> None:
    minimal[f"sources/paper-a.results.{form}"] = FORMS[form]([OTHER, RESULT])
    outcome = examine(write(minimal), "2026-06-01")
    assert (outcome.findings, outcome.records, outcome.accepted) == ([], 11, 11)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", DEFECTS)
def test_one_defect_is_one_finding_at_its_place(write: Write, minimal: dict[str, str], name: str, form: str) -> None:
    defect, file = DEFECTS[name], f"sources/paper-a.results.{form}"
    minimal[file], places = unmarked(FORMS[form]([OTHER, mutated(defect)]))
    (place,) = places
    code = defect.yaml if defect.yaml and form == "yaml" else defect.code
    outcome = examine(write(minimal), "2026-06-01")
    shown = [(finding.code, finding.origin.file, finding.line, finding.column) for finding in outcome.findings]
    assert [item for item in shown if item[0] != "N210"] == [(code, file, *place)]
    assert (outcome.records, outcome.rejected) == (11, int(code.startswith("E")))


@pytest.mark.parametrize("form", FORMS)
def test_the_same_claim_twice(write: Write, minimal: dict[str, str], form: str) -> None:
    anonymous = {key: value for key, value in RESULT.items() if key != "id"}
    file = f"sources/paper-a.results.{form}"
    minimal[file], places = unmarked(FORMS[form]([OTHER, anonymous, Marked(anonymous)]))
    assert found(write(minimal)) == [("E402", file, *places[0])]


@pytest.mark.parametrize("form", FORMS)
def test_all_defects_of_one_record_are_found(write: Write, minimal: dict[str, str], form: str) -> None:
    bad = {**RESULT, "date": Marked("2024-02-30"), "variant": Marked(["x"]), f"{MARK}metod": "x", "id": Marked("A")}
    file = f"sources/paper-a.results.{form}"
    minimal[file], places = unmarked(FORMS[form]([bad, OTHER]))
    codes = dict(zip(places, ["E205", "E203", "E206", "E202"], strict=True))
    assert found(write(minimal)) == [(code, file, *place) for place, code in sorted(codes.items())]
