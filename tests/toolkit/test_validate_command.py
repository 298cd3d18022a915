"""`toolkit validate`, `schema` and `explain` as programs and people see them."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result as Run
from typer.testing import CliRunner

from sotakit.check.codes import CODES
from sotakit.check.finding_store import Findings
from sotakit.check.findings import Finding, Origin
from sotakit.check.index import ResultIndex
from sotakit.cli import app
from sotakit.collection import Collection
from sotakit.folding import Folding
from sotakit.report import report, safe
from sotakit.validate import Outcome

Write = Callable[..., Path]
SOURCE = "sources/paper-a.yaml"
STEERING = "\x1b[31m\x9b\u202e\u2066\u200f\x07"


def run(*arguments: object) -> Run:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def broken(write: Write, minimal: dict[str, str]) -> Path:
    """One error, one warning, one note."""
    minimal[SOURCE] = minimal[SOURCE].replace("method: merge", "method: marge").replace("70.10", '"7,1"')
    minimal["sources/paper-a.results.json"] = (
        '[{"benchmark": "sorting-on-numbers", "method": "merge", "scores": {"accuracy": 50}}]'
    )
    return write(minimal)


@pytest.fixture
def warned(write: Write, minimal: dict[str, str]) -> Path:
    """One warning."""
    minimal["metrics.yaml"] = minimal["metrics.yaml"].replace("  direction_source: [{source: paper-a}]\n", "")
    return write(minimal)


def test_json_is_one_object_as_documented(broken: Path) -> None:
    shown = run("validate", broken, "--check-only", "--format", "json")
    assert shown.exit_code == 1
    found = json.loads(shown.stdout)
    assert found["summary"] == {
        "files": 7, "records": 10, "accepted": 9, "rejected": 1, "errors": 1, "warnings": 1,
    }  # fmt: skip
    note, warning, error = found["findings"]
    assert error == {
        "code": "E304",
        "severity": "error",
        "path": SOURCE,
        "line": 10,
        "column": 13,
        "record": "row-2",
        "field": "method",
        "message": "no method has the id 'marge'",
        "hint": "did you mean 'merge'?",
    }
    assert (warning["code"], warning["severity"], warning["line"]) == ("W208", "warning", 7)
    assert (note["code"], note["severity"], note["path"]) == ("N210", "note", "sources/paper-a.results.json")


def test_jsonl_is_the_findings_one_a_line(broken: Path) -> None:
    lines = run("validate", broken, "--check-only", "--format", "jsonl").stdout.splitlines()
    whole = json.loads(run("validate", broken, "--check-only", "--format", "json").stdout)
    assert [json.loads(line) for line in lines] == whole["findings"]


def test_json_of_a_clean_registry(write: Write, minimal: dict[str, str]) -> None:
    shown = run("validate", write(minimal), "--check-only", "--format", "json")
    assert (shown.exit_code, json.loads(shown.stdout)["findings"]) == (0, [])


def test_text_has_a_code_frame_a_hint_and_counts(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(broken.parent)
    shown = run("validate", "data", "--check-only").stdout.splitlines()
    at = shown.index(f"data/{SOURCE}:10:13: error E304 method: no method has the id 'marge'")
    assert shown[at + 1 : at + 4] == [
        "    10 |     method: marge",
        "       |             ^",
        "    did you mean 'merge'?",
    ]
    assert shown[-4:] == [
        "     1 x E304 unknown method",
        "     1 x N210 printed digits unknown",
        "     1 x W208 value text cannot be read",
        "10 records in 7 files: 9 accepted, 1 rejected; 1 errors, 1 warnings",
    ]


def test_caret_stands_under_the_place_in_long_lines(write: Write, minimal: dict[str, str]) -> None:
    minimal["tasks.yaml"] = (
        "- {id: a, name: A, description: " + "x" * 300 + ", parents: [nowhere]}\n- {id: sorting, name: S}\n"
    )
    shown = run("validate", write(minimal), "--check-only").stdout.splitlines()
    frame = next(line for line in shown if "nowhere" in line and line.startswith("    1 |"))
    caret = shown[shown.index(frame) + 1]
    assert frame[caret.index("^") :].startswith("nowhere")
    assert len(frame) < 120


def test_limit_cuts_the_text_and_nothing_else(write: Write, minimal: dict[str, str]) -> None:
    minimal["methods.yaml"] += "".join(f"- id: m{index}\n" for index in range(5))
    data = write(minimal)
    text = run("validate", data, "--check-only", "--limit", 2).stdout
    assert text.count("error E201") == 2
    assert "methods.yaml: 3 more findings not shown" in text
    assert "5 x E201" in text
    assert "5 errors" in text
    for form in ("jsonl", "github"):
        assert len(run("validate", data, "--check-only", "--limit", 2, "--format", form).stdout.splitlines()) == 5
    assert "error E201" not in run("validate", data, "--check-only", "--limit", 0).stdout


def test_github_annotations(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(broken.parent)
    lines = run("validate", "data", "--check-only", "--format", "github").stdout.splitlines()
    assert lines[2] == (
        f"::error file=data/{SOURCE},line=10,col=13,title=E304::no method has the id 'marge'. did you mean 'merge'?"
    )
    assert [line.split(" ")[0] for line in lines] == ["::notice", "::warning", "::error"]


def finding(message: str, name: str = "a.yaml") -> Finding:
    return Finding("E304", "error", Origin(name), message, message, message, (message,), line=1, column=1)


def lines_of(found: Finding, form: str, data: Path) -> list[str]:
    return list(
        report(
            Outcome(Collection(), ResultIndex(Folding([]), ()), np.zeros(0, bool), Findings([found]), 1, 1, 1, 0),
            form,
            data,
        )
    )


def test_github_escapes_what_could_be_a_command(tmp_path: Path) -> None:
    (line,) = lines_of(finding("100%\n::set-output name=a::b\r, c: d", "a,b:c%.yaml"), "github", tmp_path)
    head, _, text = line.partition("::")[2].partition("::")
    assert "\n" not in line
    assert "\r" not in line
    assert "a%2Cb%3Ac%25.yaml" in head
    assert text.startswith("100%25")


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "github"])
def test_nothing_from_a_record_steers_a_terminal(tmp_path: Path, form: str) -> None:
    (tmp_path / "a.yaml").write_text(f"x: {STEERING}\n", encoding="utf-8")
    printed = "".join(lines_of(finding(STEERING + "\ud800" + "\n"), form, tmp_path))
    assert not re.search(
        "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", printed
    )
    printed.encode("utf-8")


def test_steering_names_in_a_data_folder_are_reported_safely(write: Write, minimal: dict[str, str]) -> None:
    minimal["methods.yaml"] += '- id: "x"\n  name: X\n  "\\e[31m\\u202Efield": 1\n  "\\uD800": 2\n'
    minimal["tasks.json"] = '[{"id": "\\u001b[2J", "name": "\\ud800", "\\ud800": 1}]'
    for form in ("text", "json", "jsonl", "github"):
        shown = run("validate", write(minimal), "--check-only", "--format", form)
        assert shown.exit_code == 1
        assert "\x1b" not in shown.stdout
        assert "\u202e" not in shown.stdout


def test_safe_keeps_everything_else() -> None:
    assert safe("π0 ≤ 128K — 日本語 🚧") == "π0 ≤ 128K — 日本語 🚧"


@pytest.mark.parametrize(
    ("arguments", "code"), [([], 0), (["--strict"], 1), (["--check-only"], 0), (["--check-only", "--strict"], 1)]
)
def test_warnings_fail_only_when_strict(warned: Path, tmp_path: Path, arguments: list[str], code: int) -> None:
    shown = run("validate", warned, "--out", tmp_path / "build", *arguments)
    assert shown.exit_code == code
    assert "0 errors, 1 warnings" in shown.stdout
    assert (tmp_path / "build").exists() == ("--check-only" not in arguments)


def test_notes_never_fail(write: Write, minimal: dict[str, str]) -> None:
    minimal["sources/paper-a.results.json"] = (
        '[{"benchmark": "sorting-on-numbers", "method": "merge", "variant": "b", "scores": {"accuracy": 50}}]'
    )
    assert run("validate", write(minimal), "--check-only", "--strict").exit_code == 0


def test_errors_compile_nothing_unless_allowed(broken: Path, tmp_path: Path) -> None:
    out = tmp_path / "build"
    assert run("validate", broken, "--out", out).exit_code == 1
    assert not out.exists()
    assert run("validate", broken, "--out", out, "--allow-errors").exit_code == 1
    assert (out / "parquet" / "manifest.json").is_file()


def test_check_only_writes_nothing_anywhere(warned: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert run("validate", warned, "--check-only").exit_code == 0
    assert sorted(tmp_path.rglob("*")) == before


def test_the_defaults_are_data_and_build(
    write: Write, minimal: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write(minimal).parent)
    assert run("validate").exit_code == 0
    assert Path("build/parquet/results.parquet").is_file()


def test_quiet_prints_nothing(broken: Path) -> None:
    shown = run("validate", broken, "--check-only", "--quiet")
    assert (shown.exit_code, shown.stdout) == (1, "")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["validate", "nowhere"], 3, "nowhere: does not exist"),
        (["validate", "--format", "xml"], 2, "choose one of text, json"),
        (["validate", "--as-of", "tomorrow"], 2, "YYYY-MM-DD"),
        (["validate", "--limit", "-1"], 2, "--limit"),
        (["validate", "--nonsense"], 2, "--nonsense"),
        (["explain", "E999"], 2, "not a code"),
        (["schema", "nowhere", "--check"], 1, "run `toolkit schema"),
    ],
)
def test_usage_errors_are_one_line_with_a_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = run(*arguments)
    assert shown.exit_code == code
    assert words in shown.stderr
    assert "Traceback" not in shown.stderr


def test_as_of_moves_the_embargo(write: Write, minimal: dict[str, str]) -> None:
    minimal[SOURCE] += "    embargo_until: '2030-01-01'\n"
    data = write(minimal)
    before = run("validate", data, "--check-only", "--as-of", "2029-12-31").stdout
    after = run("validate", data, "--check-only", "--as-of", "2030-01-01").stdout
    assert "1 not published" in before
    assert "not published" not in after


def test_the_program_itself(broken: Path) -> None:
    code = "from sotakit.cli import app; app()"
    command = [sys.executable, "-c", code, "validate", str(broken), "--check-only", "--format", "json"]
    shown = subprocess.run(command, capture_output=True, check=False)
    assert (shown.returncode, shown.stderr) == (1, b"")
    assert json.loads(shown.stdout)["summary"]["errors"] == 1


def test_explain_one_and_all() -> None:
    one = run("explain", "w511")
    assert one.stdout.startswith("W511 recorded direction contradicts the metric's (warning)\n")
    assert len(run("explain").stdout.splitlines()) == len(CODES)


@pytest.mark.parametrize("code", CODES)
def test_every_code_says_what_why_and_what_to_do(code: str) -> None:
    page = CODES[code]
    assert re.fullmatch(r"[EWN][1-7][0-9]{2}", code)
    assert page.title
    assert not page.title.endswith(".")
    assert page.why.endswith(".")
    assert page.remedy.endswith(".")


def test_codes_are_frozen() -> None:
    """A code never disappears and never changes its meaning: add new ones behind the others."""
    assert {
        "E101", "E102", "W103", "E104", "E105", "E106", "E107", "E108", "E109", "E110", "E111", "E201", "E202", "E203",
        "E204", "E205", "E206", "E207", "W208", "E209", "N210", "E211", "E301", "E302", "E303", "E304", "E305", "E306",
        "E307", "E308", "E401", "E402", "W403", "E501", "E502", "W511", "W512", "W513",
    } <= set(CODES)  # fmt: skip
    assert len({code[1:] for code in CODES}) == len(CODES)


def test_schema_writes_and_checks(tmp_path: Path, root: Path) -> None:
    assert run("schema", tmp_path / "schema").exit_code == 0
    written = {path.name: path.read_bytes() for path in (tmp_path / "schema").iterdir()}
    assert written == {path.name: path.read_bytes() for path in (root / "schema").glob("*.schema.json")}
    assert run("schema", tmp_path / "schema", "--check").exit_code == 0
    (tmp_path / "schema" / "task.schema.json").write_text("{}")
    drifted = run("schema", tmp_path / "schema", "--check")
    assert drifted.exit_code == 1
    assert "task.schema.json" in drifted.stderr


def test_schema_into_a_file_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "schema").write_text("mine")
    shown = run("schema", tmp_path / "schema")
    assert shown.exit_code == 4
    assert (tmp_path / "schema").read_text() == "mine"


def test_a_copy_of_the_seed_data_validates(seed_data: Path, tmp_path: Path) -> None:
    shutil.copytree(seed_data, tmp_path / "data")
    shown = run("validate", tmp_path / "data", "--out", tmp_path / "build")
    assert shown.exit_code == 0
    assert shown.stdout.splitlines()[-1] == ("32 records in 12 files: 32 accepted, 0 rejected; 0 errors, 4 warnings")
