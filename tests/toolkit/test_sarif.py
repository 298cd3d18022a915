"""SARIF: the shape that code hosts ask for, with places and rules."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sotakit.cli import app


def test_every_finding_is_a_result_with_its_rule_and_place(
    write: Callable[..., Path], minimal: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minimal["sources/paper a.yaml"] = "id: paper-b\ntype: papyrus\n"
    minimal["metrics.yaml"] += "- {id: f1, name: F1, direction: higher}\n"
    data = write(minimal)
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(app, ["validate", str(data), "--check-only", "--format", "sarif"])
    assert ran.exit_code == 1
    log = json.loads(ran.stdout)
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["E204", "W512"]
    first, second = run["results"]
    assert (first["ruleId"], first["level"], rules[first["ruleIndex"]]["id"]) == ("E204", "error", "E204")
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "data/sources/paper%20a.yaml"},
                "region": {"startLine": 2, "startColumn": 7},
            }
        }
    ]
    assert (second["ruleId"], second["level"]) == ("W512", "warning")
    assert ran.stderr.strip().endswith("1 errors, 1 warnings")


def test_a_clean_folder_gives_a_run_without_results(write: Callable[..., Path], minimal: dict[str, str]) -> None:
    ran = CliRunner().invoke(app, ["validate", str(write(minimal)), "--check-only", "--format", "sarif"])
    assert ran.exit_code == 0
    assert json.loads(ran.stdout)["runs"][0]["results"] == []
