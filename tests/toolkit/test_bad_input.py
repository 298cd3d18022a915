"""Bad input of every kind: one clear finding or line with place and next step, and the old output untouched."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result as Run
from typer.testing import CliRunner

from sotakit.cli import app
from sotakit.read import files, json_reader, raw, yaml_reader

Write = Callable[..., Path]
SOURCE = "sources/paper-a.yaml"
ROW = '{"benchmark": "sorting-on-numbers", "method": "merge", "scores": {"accuracy": %s}}\n'
RESULTS = "sources/paper-a.results.jsonl"


def run(*arguments: object) -> Run:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def state(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def built(write: Write, minimal: dict[str, str], tmp_path: Path) -> Path:
    """The build folder of a good run."""
    assert run("validate", write(minimal), "--out", tmp_path / "build").exit_code == 0
    return tmp_path / "build"


BAD: dict[str, tuple[str, str | bytes, str]] = {
    "an image with a wrong name": ("methods.yaml", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "1:1: error E102"),
    "a page instead of records": ("methods.yaml", "<html><body>404</body></html>", "1:1: error E111"),
    "a gzip file": ("methods.json", b"\x1f\x8b\x08\x00\xff\xff\xff", "1:1: error E102: the file is compressed (gzip)"),
    "a spreadsheet": ("methods.csv", b"PK\x03\x04\x14\x00\x00\x00", "1:1: error E102: the file is a zip archive, or"),
    "a gzip file of lines": (RESULTS, b"\x1f\x8b\x08\x00\xff\n\xff", "1:1: error E102: the file is compressed (gzip)"),
    "a table": ("methods.json", b"PAR1\x15\x04", "1:1: error E102: the file is a Parquet table"),
    "an empty json file": ("methods.json", "", "1:1: error E104"),
    "half a json file": ("methods.json", '[{"id": "x", "na', "1:14: error E104"),
    "a word processor's utf-16": ("methods.csv", "id,name\nx,X\n".encode("utf-16"), "1:1: error E102"),
    "latin-1": ("methods.yaml", "- id: x\n  name: Möbius\n".encode("latin-1"), "2:10: error E102"),
    "a tab": ("methods.yaml", "- id: x\n\tname: X\n", "2:1: error E104"),
    "deep nesting in yaml": ("methods.yaml", "[" * 50_000, "error E106"),
    "deep nesting in json": ("methods.json", "[" * 200_000, "1:1: error E106"),
    "deep nesting in a line": (RESULTS, ROW % '"1"' + "[" * 200_000 + "\n", "2:1: error E106"),
    "many keys in yaml": ("methods.yaml", "".join(f"k{n}: 1\n" for n in range(20)), "11:1: error E106"),
    "many keys in json": ("methods.json", "{" + ",".join(f'"k{n}": 1' for n in range(20)) + "}", "1:1: error E106"),
    "a huge number in yaml": ("methods.yaml", "id: " + "9" * 5000, "1:5: error E106"),
    "a huge number in json": ("methods.json", '{"id": ' + "9" * 5000 + "}", "1:1: error E106"),
    "nan in json": (RESULTS, ROW % "NaN", "1:79: error E207 scores.accuracy"),
    "infinity in json": (RESULTS, ROW % "-Infinity", "1:79: error E207 scores.accuracy"),
    "a number beyond all in json": (RESULTS, ROW % "1e400", "1:79: error E207 scores.accuracy"),
    "a score that is true": (RESULTS, ROW % "true", "1:79: error E203 scores.accuracy"),
    "a list as a score": (RESULTS, ROW % "[1, 2]", "1:79: error E203 scores.accuracy"),
    "a long score": (RESULTS, ROW % f'"{"1" * 300}"', "1:79: error E209 scores.accuracy.text"),
    "an unknown reference": (RESULTS, (ROW % '"1"').replace("merge", "quick"), "1:47: error E304 method"),
    "a duplicate key in json": (RESULTS, '{"method": "merge", "method": "bubble"}\n', "1:21: error E105"),
    "a duplicate key in yaml": ("tasks/a.yaml", "id: x\nname: X\nid: y\n", "3:1: error E105"),
    "a yaml bomb": ("tasks/a.yaml", "a: &a [x]\nb: [*a, *a]\n", "1:4: error E107"),
    "a constructor": ("tasks/a.yaml", "!!python/object/apply:os.system [echo]\n", "1:1: error E107"),
    "a date that is a number": (SOURCE, "id: paper-a\ntype: paper\ndate: 20170101\n", "3:7: error E203 date"),
    "an unclosed quote": ("methods.csv", 'id,name\nx,"X\n', "2:1: error E104"),
    "a file over the limit": ("tasks/big.yaml", "# " + "x" * 60_000, "1:1: error E106"),
    "an unknown kind": ("taks/a.yaml", "id: x\n", "1:1: error E109"),
    "a second registry": ("registry.json", '[{"schema": 1}, {"schema": 1}]', "1:17: error E401"),
    "a future format": ("registry.yaml", "schema: 2\n", "1:9: error E209 schema"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_file_is_a_finding_with_its_place(
    write: Write, minimal: dict[str, str], built: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    for module in (yaml_reader, json_reader):
        monkeypatch.setattr(module, "MAX_KEYS", 10)
    monkeypatch.setattr(files, "MAX_DOCUMENT_BYTES", 500_000 if "nesting" in case else 50_000)
    name, content, expected = BAD[case]
    before = state(built)
    data = write({**minimal, name: content})
    shown = run("validate", data, "--out", built)
    assert shown.exit_code == 1
    assert f"{name}:" in shown.stdout
    assert f"{name}:{expected}" in shown.stdout or (":" not in expected and expected in shown.stdout)
    assert "Traceback" not in shown.output
    assert shown.output.count("error E1") <= 1
    assert len(shown.stdout) < 5_000
    assert state(built) == before


def test_every_record_of_a_good_file_survives_a_bad_one(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    minimal[RESULTS] = ROW % '"50"' + "{broken\n" + (ROW % '"51"').replace("merge", "bubble")
    shown = run("validate", write(minimal), "--out", tmp_path / "build", "--allow-errors")
    assert shown.exit_code == 1
    assert "12 records in 7 files: 11 accepted, 1 rejected; 1 errors" in shown.stdout


@pytest.mark.parametrize("kind", ["file", "folder with a file in the way", "foreign parquet"])
def test_output_that_is_not_ours(write: Write, minimal: dict[str, str], tmp_path: Path, kind: str) -> None:
    out = tmp_path / "out"
    if kind == "file":
        out.write_text("mine")
    elif kind == "foreign parquet":
        (out / "parquet").mkdir(parents=True)
        (out / "parquet" / "mine.parquet").write_text("mine")
    else:
        out.mkdir()
        (out / ".gen").write_text("mine")
    before = state(tmp_path)
    shown = run("validate", write(minimal), "--out", out)
    assert shown.exit_code == 4
    assert shown.stderr.startswith("error: ")
    assert len(shown.stderr.splitlines()) == 1
    assert str(out) in shown.stderr
    after = state(tmp_path)
    assert {name: digest for name, digest in after.items() if name in before} == before


@pytest.mark.parametrize("name", ["missing", "a-file.yaml"])
def test_data_that_is_no_folder(tmp_path: Path, built: Path, name: str) -> None:
    (tmp_path / "a-file.yaml").write_text("id: x\n")
    before = state(built)
    shown = run("validate", tmp_path / name, "--out", built)
    assert shown.exit_code == 3
    assert name in shown.stderr
    assert len(shown.stderr.splitlines()) == 1
    assert state(built) == before


def test_an_empty_folder_is_an_empty_registry(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    shown = run("validate", tmp_path / "data", "--out", tmp_path / "build")
    assert shown.exit_code == 0
    assert shown.stdout.splitlines()[-1] == "0 records in 0 files: 0 accepted, 0 rejected; 0 errors, 0 warnings"
    assert (tmp_path / "build" / "parquet" / "results.parquet").is_file()


def test_thousands_of_findings_in_one_file_are_all_placed(write: Write, minimal: dict[str, str]) -> None:
    """Places are found in one pass: with one pass a finding this test would run for minutes."""
    count = 3000
    minimal["tasks.json"] = "[\n" + ",\n".join(f'{{"id": "t{n}"}}' for n in range(count)) + "\n]"
    minimal["methods.yaml"] += "".join(f"- id: m{n}\n" for n in range(count))
    shown = run("validate", write(minimal), "--check-only", "--format", "jsonl")
    lines = [line for line in shown.stdout.splitlines() if '"E201"' in line]
    assert len(lines) == 2 * count
    assert f'"line": {count + 1}, "column": 1' in shown.stdout
    assert f'"line": {count + 4}, "column": 3' in shown.stdout


def test_limits_are_what_they_say() -> None:
    assert (raw.MAX_DEPTH, raw.MAX_KEYS, raw.MAX_LINE) == (100, 10_000, 16 * 1024**2)
    assert (raw.MAX_DOCUMENT_BYTES, raw.MAX_FILE_BYTES) == (64 * 1024**2, 2 * 1024**3)


OURS, THEIRS = "<<<<<<< HEAD\n", ">>>>>>> other/branch\n"
CONFLICTS: dict[str, tuple[str, str, str]] = {
    "a yaml list": (
        "methods.yaml",
        f"- id: bubble\n  name: Bubble\n{OURS}- id: x\n=======\n- id: y\n{THEIRS}",
        "3 to 7",
    ),
    "a yaml record": (SOURCE, f"{OURS}id: paper-a\ntype: paper\n=======\nid: paper-b\n{THEIRS}", "1 to 6"),
    "a value in yaml": (SOURCE, f"id: paper-a\n{OURS}type: paper\n=======\ntype: blog\n{THEIRS}", "2 to 6"),
    "two yaml conflicts": (SOURCE, f"{OURS}id: a\n=======\nid: b\n{THEIRS}type: x\n{OURS}=======\n{THEIRS}", "1 to 5"),
    "json": ("tasks.json", f'[{{"id": "t",\n{OURS}"name": "A"\n=======\n"name": "B"\n{THEIRS}}}]\n', "2 to 6"),
    "json lines": (RESULTS, (ROW % '"1"') + OURS + (ROW % '"2"') + "=======\n" + (ROW % '"3"') + THEIRS, "2 to 6"),
    "csv": ("datasets.csv", f"id,name\na,A\n{OURS}b,B\n=======\nb,C\n{THEIRS}", "3 to 7"),
    "three sides": (RESULTS, OURS + "||||||| base\n" + (ROW % '"1"') + "=======\n" + THEIRS, "1 to 5"),
    "no end": (RESULTS, OURS + (ROW % '"1"') + (ROW % '"2"'), "1 to 3"),
    "other line ends": (RESULTS, (OURS + (ROW % '"1"') + "=======\n" + THEIRS).replace("\n", "\r\n"), "1 to 4"),
}


@pytest.mark.parametrize("case", CONFLICTS)
def test_a_merge_conflict_is_named_with_its_lines(write: Write, minimal: dict[str, str], case: str) -> None:
    name, text, lines = CONFLICTS[case]
    minimal.pop(name, None)
    done = run("validate", write({**minimal, name: text}), "--check-only", "--format", "jsonl")
    found = [item for item in map(json.loads, done.stdout.splitlines()) if item["path"] == name]
    assert [(item["code"], item["line"], item["column"]) for item in found] == [("E112", int(lines.split()[0]), 1)]
    assert found[0]["message"].startswith(f"merge conflict in lines {lines}")


def test_a_conflict_in_lines_refuses_its_lines_only(write: Write, minimal: dict[str, str]) -> None:
    rows = [
        (ROW % '"1"').replace("merge", "merge", 1).replace('"scores"', f'"variant": "{n}", "scores"') for n in range(9)
    ]
    minimal[RESULTS] = "".join([*rows[:3], OURS, *rows[3:5], "=======\n", rows[5], THEIRS, *rows[6:]])
    said = run("validate", write(minimal), "--check-only").stdout
    assert "16 records in 7 files: 15 accepted, 1 rejected; 1 errors" in said


@pytest.mark.parametrize("text", ["======= is a line", "<<<<<< six", "a <<<<<<< b", "<<<<<<<<eight"])
def test_text_with_such_signs_is_no_conflict(write: Write, minimal: dict[str, str], text: str) -> None:
    minimal["tasks.yaml"] = f"- id: sorting\n  name: Sorting\n  description: |\n    {text}\n    more\n"
    assert run("validate", write(minimal), "--check-only", "--strict").exit_code == 0


@pytest.mark.parametrize("files", [{}, {"README.md": "# Data\n"}, {"tasks.yaml": ""}])
def test_an_empty_folder_says_how_to_begin(tmp_path: Path, files: dict[str, str]) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for name, text in files.items():
        (data / name).write_text(text)
    done = run("validate", data, "--check-only")
    assert done.exit_code == 0
    assert "holds no records" in done.stdout
    assert "sources/my-paper.yaml" in done.stdout
    assert "holds no records" not in run("validate", data, "--check-only", "--format", "jsonl").stdout
