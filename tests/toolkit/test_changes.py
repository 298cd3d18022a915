"""`--changed-since`: in a repository with old faults, only what a change brought is shown, and judged."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sotakit.cli import app

Write = Callable[..., Path]
SOURCE = "sources/paper-a.yaml"


def git(folder: Path, *arguments: str) -> None:
    names = ["-c", "user.name=A. Author", "-c", "user.email=author@example.org"]
    subprocess.run(["git", "-C", str(folder), *names, *arguments], check=True, capture_output=True)


@pytest.fixture
def committed(write: Write, minimal: dict[str, str]) -> Path:
    """A data folder with one old error and one old warning, committed."""
    minimal["methods.yaml"] += "- id: quick\n  nam: Quick\n"
    minimal[SOURCE] = minimal[SOURCE].replace("93.2", '"60 / 70"')
    data = write(minimal)
    git(data.parent, "init", "--quiet")
    git(data.parent, "add", "data")
    git(data.parent, "commit", "--quiet", "-m", "Records")
    return data


def run(data: Path, *options: str) -> tuple[int, list[str], str]:
    result = CliRunner().invoke(app, ["validate", str(data), "--check-only", "--format", "github", *options])
    return result.exit_code, result.stdout.splitlines(), result.stderr


def test_old_findings_are_counted_not_shown(committed: Path) -> None:
    assert run(committed)[0] == 1
    code, lines, said = run(committed, "--changed-since", "HEAD")
    assert (code, lines) == (0, [])
    assert "3 findings that were there at HEAD are not shown" in said


def test_what_a_change_brings_is_shown_where_it_stands(committed: Path) -> None:
    source = committed / SOURCE
    source.write_text("# moved down\n" + source.read_text().replace("70.10", "170.10"))
    code, lines, _ = run(committed, "--changed-since", "HEAD")
    assert code == 1
    (line,) = lines
    assert f"file={committed / SOURCE}" in line or SOURCE in line
    assert "line=8," in line
    assert "E501" in line


def test_a_second_fault_of_one_kind_in_one_record_is_new(committed: Path) -> None:
    methods = committed / "methods.yaml"
    methods.write_text(methods.read_text() + "- id: slow\n  nam: Slow\n")
    _, lines, _ = run(committed, "--changed-since", "HEAD")
    assert sorted(line.split("title=")[1][:4] for line in lines) == ["E201", "E202"]


def test_faults_elsewhere_that_a_change_causes_are_shown(committed: Path) -> None:
    methods = committed / "methods.yaml"
    methods.write_text(methods.read_text().replace("- id: bubble\n  name: Bubble\n", ""))
    _, lines, _ = run(committed, "--changed-since", "HEAD")
    assert [line.split("title=")[1][:4] for line in lines] == ["E304"]


def test_a_folder_that_was_not_there_is_all_new(committed: Path) -> None:
    new = committed.parent / "more"
    committed.rename(new)
    _, lines, _ = run(new, "--changed-since", "HEAD")
    assert len(lines) == len(run(new)[1]) > 0


@pytest.mark.parametrize("revision", ["nothing", "--help", "HEAD~9", ""])
def test_a_revision_that_is_none(committed: Path, revision: str) -> None:
    code, _, said = run(committed, "--changed-since", revision)
    assert (code, "not a revision" in said) == ((2, True) if revision else (1, False))


def test_a_folder_outside_of_git(write: Write, minimal: dict[str, str]) -> None:
    code, _, said = run(write(minimal), "--changed-since", "HEAD")
    assert code == 2
    assert "not a revision of the git repository" in said
