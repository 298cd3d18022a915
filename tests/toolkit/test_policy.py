"""Severities that a registry sets for itself."""

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rulecases import EIGHT, SOURCE, check, edited, row, rows
from sotakit.check.policy import Policy
from sotakit.cli import app
from sotakit.validate import Outcome

Write = Callable[..., Path]

ABOVE = (SOURCE, "93.2", "100.1")  # E501
UNCITED = ("metrics.yaml", "  direction_source: [{source: paper-a}]\n", "")  # W512
TWICE = (SOURCE, None, row("row-3", config="{Model: BNN}") + row("row-4", config="{Net: BNN}"))  # W403


def rule(code: str, severity: str, record: str = "", reason: str = "because") -> str:
    named = f"record: {record}, " if record else ""
    return f"  - {{code: {code}, {named}severity: {severity}, reason: {reason}}}\n"


def outcome(write: Write, minimal: dict[str, str], *edits: tuple[str, str | None, str], rules: str = "") -> Outcome:
    minimal["registry.yaml"] = "rules:\n" + rules if rules else "title: Tiny\n"
    return check(write(edited(minimal, edits)))


def said(found: Outcome) -> list[tuple[str, str]]:
    return [(finding.code, finding.severity) for finding in found.findings]


def test_an_error_that_is_lowered_refuses_nothing(write: Write, minimal: dict[str, str]) -> None:
    found = outcome(write, minimal, ABOVE, rules=rule("E501", "warning"))
    assert (said(found), found.rejected, found.exit_code(strict=False)) == ([("E501", "warning")], 0, 0)
    assert found.exit_code(strict=True) == 1


def test_a_warning_that_is_raised_refuses_its_record(write: Write, minimal: dict[str, str]) -> None:
    found = outcome(write, minimal, TWICE, rules=rule("W403", "error"))
    assert (said(found), found.rejected, found.accepted) == ([("W403", "error")], 1, 11)
    assert found.exit_code(strict=False) == 1


def test_a_silenced_finding_is_gone(write: Write, minimal: dict[str, str]) -> None:
    assert said(outcome(write, minimal, UNCITED, rules=rule("W512", "silent"))) == []


@pytest.mark.parametrize("order", [1, -1])
def test_an_exception_goes_before_what_holds_for_all(write: Write, minimal: dict[str, str], order: int) -> None:
    both = (SOURCE, "70.10", "100.2")
    settings = [rule("E501", "note"), rule("E501", "silent", "row-2")][::order]
    found = outcome(write, minimal, ABOVE, both, rules="".join(settings))
    assert [(finding.record, finding.severity) for finding in found.findings] == [("row-1", "note")]


def test_other_records_and_codes_stay_as_they_are(write: Write, minimal: dict[str, str]) -> None:
    both = (SOURCE, "70.10", "100.2")
    found = outcome(write, minimal, ABOVE, both, UNCITED, rules=rule("E501", "warning", "row-2"))
    assert sorted(said(found)) == [("E501", "error"), ("E501", "warning"), ("W512", "warning")]
    assert found.rejected == 1


def test_findings_of_reading_follow_the_settings_too(write: Write, minimal: dict[str, str]) -> None:
    bare = '[{"benchmark": "sorting-on-numbers", "method": "merge", "variant": "b", "scores": {"accuracy": 50}}]'
    minimal["sources/paper-a.results.json"] = bare
    minimal["tasks.yaml"] = "\ufeff" + minimal["tasks.yaml"]
    assert sorted(said(outcome(write, dict(minimal)))) == [("N210", "note"), ("W103", "warning")]
    rules = rule("N210", "error") + rule("W103", "silent")
    found = outcome(write, minimal, rules=rules)
    assert (said(found), found.rejected) == ([("N210", "error")], 1)


def test_counted_rules_follow_the_settings_too(write: Write, minimal: dict[str, str]) -> None:
    rules = rule("N601", "silent") + rule("N607", "warning") + rule("N608", "silent", "paper-a")
    assert said(outcome(write, minimal, (SOURCE, None, rows(*EIGHT)), rules=rules)) == [("N607", "warning")]


def test_an_exception_that_meets_nothing_is_noted_at_its_place(write: Write, minimal: dict[str, str]) -> None:
    rules = rule("W512", "note") + rule("W403", "note") + rule("W403", "silent", "row-9")
    (found,) = outcome(write, minimal, rules=rules).findings
    assert (found.code, found.severity, found.origin.file, found.line, found.column) == (
        "N311", "note", "registry.yaml", 4, 26,
    )  # fmt: skip
    assert "row-9" in found.message


@pytest.mark.parametrize(
    ("code", "hint"), [("W4033", "did you mean 'W403'?"), ("w403", "did you mean 'W403'?"), ("X", "`toolkit explain`")]
)
def test_unknown_codes(write: Write, minimal: dict[str, str], code: str, hint: str) -> None:
    (found,) = outcome(write, minimal, rules=rule(code, "silent")).findings
    assert (found.code, found.severity, found.hint.startswith(hint)) == ("E309", "error", True)


@pytest.mark.parametrize("severity", ["warning", "note", "silent"])
def test_a_record_that_cannot_be_linked_stays_an_error(write: Write, minimal: dict[str, str], severity: str) -> None:
    unknown = (SOURCE, "method: bubble", "method: buble")
    found = outcome(write, minimal, unknown, rules=rule("E304", severity))
    assert sorted(said(found)) == [("E304", "error"), ("E310", "error")]
    assert "read, linked or identified" in next(item.message for item in found.findings if item.code == "E310")


def test_a_setting_that_changes_nothing_is_fine(write: Write, minimal: dict[str, str]) -> None:
    assert said(outcome(write, minimal, rules=rule("E304", "error"))) == []


def test_a_reason_is_required(write: Write, minimal: dict[str, str]) -> None:
    minimal["registry.yaml"] = "rules:\n  - {code: W512, severity: silent}\n"
    found = check(write(edited(minimal, [UNCITED])))
    assert sorted(said(found)) == [("E201", "error"), ("W512", "warning")]


def test_what_was_silenced_is_counted(write: Write, minimal: dict[str, str]) -> None:
    plain = outcome(write, minimal, TWICE, UNCITED)
    policy = Policy.of(plain.collection)
    assert (list(policy.applied(plain.findings)), policy.silenced.total()) == (plain.findings, 0)
    minimal["registry.yaml"] = "rules:\n" + rule("W403", "silent")
    policy = Policy.of(check(write(minimal, "silenced")).collection)
    assert [finding.code for finding in policy.applied(plain.findings)] == ["W512"]
    assert policy.silenced == {"W403": 1}


def test_the_command_shows_the_severity_that_was_set(write: Write, minimal: dict[str, str]) -> None:
    minimal["registry.yaml"] = "rules:\n" + rule("W512", "note")
    data = write(edited(minimal, [UNCITED]))
    shown = CliRunner().invoke(app, ["validate", str(data), "--check-only", "--strict"])
    assert shown.exit_code == 0
    assert "note W512" in shown.stdout
