"""A large file with a few defects far apart: every one is found where it is, and every record is counted."""

import importlib.util
import json
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import CliRunner

from sotakit.cli import app
from sotakit.validate import examine

RECORDS, DEFECTS = 20_000, 200


@pytest.fixture(scope="module")
def defects(root: Path) -> ModuleType:
    """The generator of the benchmarks, which stand outside of every package."""
    spec = importlib.util.spec_from_file_location("scattered_defects", root / "benchmarks" / "defects.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_scattered_defect_is_found_and_nothing_else(defects: ModuleType, tmp_path: Path) -> None:
    expected = defects.write_registry(tmp_path, RECORDS, DEFECTS, 1)
    assert len({defect.line for defect in expected}) == len(expected) == DEFECTS
    assert len({defect.code for defect in expected}) >= 14
    outcome = examine(tmp_path, "2026-06-01")
    found = [(finding.code, finding.line, finding.column) for finding in outcome.findings]
    assert found == [tuple(defect) for defect in expected]
    assert {finding.origin.file for finding in outcome.findings} == {defects.FILE}
    assert outcome.records == RECORDS + defects.others()
    assert outcome.rejected == DEFECTS
    assert outcome.accepted == outcome.records - DEFECTS
    assert Counter(finding.severity for finding in outcome.findings) == {"error": DEFECTS}


def test_the_lines_say_what_was_put_there(defects: ModuleType, tmp_path: Path) -> None:
    """The generator against its own file: the text at each place, and lines without a defect that parse."""
    expected = {defect.line: defect for defect in defects.write_registry(tmp_path, 500, 60, 9)}
    for number, line in enumerate((tmp_path / defects.FILE).read_text(encoding="utf-8").splitlines(), 1):
        defect = expected.get(number)
        if defect is None:
            assert json.loads(line)["id"] == f"r-{number - 1}"
        elif defect.code in ("E203", "E204", "E205", "E206", "E304", "E305", "E401"):
            assert line[defect.column - 1] in '"t'
            assert line[defect.column - 2] == " "


@pytest.mark.parametrize("seed", [2, 3])
def test_a_file_without_defects_has_no_finding(defects: ModuleType, tmp_path: Path, seed: int) -> None:
    assert defects.write_registry(tmp_path / "data", 300, 0, seed) == []
    shown = CliRunner().invoke(app, ["validate", str(tmp_path / "data"), "--out", str(tmp_path / "build"), "--strict"])
    assert shown.exit_code == 0
    total = 300 + defects.others()
    assert shown.stdout.splitlines()[-1] == (
        f"{total} records in 7 files: {total} accepted, 0 rejected; 0 errors, 0 warnings"
    )


def test_the_text_report_ends_with_the_same_counts(defects: ModuleType, tmp_path: Path) -> None:
    expected = defects.write_registry(tmp_path, 2_000, 100, 4)
    shown = CliRunner().invoke(app, ["validate", str(tmp_path), "--check-only", "--limit", "3"])
    assert shown.exit_code == 1
    lines = shown.stdout.splitlines()
    total = 2_000 + defects.others()
    assert lines[-1] == f"{total:,} records in 7 files: {total - 100:,} accepted, 100 rejected; 100 errors, 0 warnings"
    counts = Counter(defect.code for defect in expected)
    told = {line.split()[2]: int(line.split()[0]) for line in lines if line.split()[1:2] == ["x"]}
    assert told == counts
