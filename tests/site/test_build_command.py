"""`toolkit build-site` as people call it."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pagesupport import TINY, snapshot
from sotakit.validate import validate

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the command in a folder of this test."""

    def call(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from sotakit.cli import app; app()", "build-site", *map(str, arguments)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    return call


def test_a_site_is_written_and_the_place_to_open_is_named(run: Run, tmp_path: Path, tiny_site: Path) -> None:
    done = run(TINY / "data", "--as-of", "2026-06-01")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{len(snapshot(tiny_site)) - 1:,} files in public; open public/index.html\n"
    assert "22 accepted, 0 rejected; 0 errors, 5 warnings" in done.stderr
    assert snapshot(tmp_path / "public") == snapshot(tiny_site)
    assert (tmp_path / "build/parquet/manifest.json").is_file()


def test_unchanged_records_are_not_checked_again_and_give_the_same_site_and_words(run: Run, tmp_path: Path) -> None:
    shutil.copytree(TINY / "data", tmp_path / "data")
    first = run("--as-of", "2026-06-01")
    before = snapshot(tmp_path / "public")
    again = run("--as-of", "2026-06-01", "-v")
    told, *rest = again.stderr.splitlines(keepends=True)
    assert told == "the records are as they were; tables in build/parquet; 0 files written, 0 removed\n"
    assert ("".join(rest), again.stdout) == (first.stderr, first.stdout)
    assert snapshot(tmp_path / "public") == before
    assert "as they were" not in run("--as-of", "2026-06-02", "-v").stderr
    assert "as they were" not in run("--as-of", "2026-06-02", "-v", "--clean").stderr
    (tmp_path / "data/tasks.yaml").write_text("- {id: sorting, nam: Sorting}\n")
    assert run("--as-of", "2026-06-02").returncode == 1


def test_publishing_loads_no_models(tmp_path: Path) -> None:
    """They take longer to load than all the rest, and tables were checked when they were compiled."""
    outcome = validate(TINY / "data", tmp_path / "build", "2026-06-01")
    code = (
        "import sys; from pathlib import Path; from sotakit.publish.build import SiteOptions, build_site; "
        "done = build_site(Path(sys.argv[1]), SiteOptions(Path(sys.argv[2]), cache=Path(sys.argv[3]))); "
        "print(done.written, *(name for name in sys.modules if name in ('pydantic', 'sotaschema.base', 'pandas')))"
    )
    command = [sys.executable, "-c", code, str(outcome.tables), str(tmp_path / "public"), str(tmp_path / "build")]
    first, again = (
        subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() for _ in range(2)
    )
    assert int(first[0]) > 100
    assert again == ["0"]


def test_an_error_in_a_record_leaves_the_old_site_alone(
    run: Run, write: Callable[..., Path], minimal: dict[str, str], tmp_path: Path
) -> None:
    data = write(minimal)
    assert run(data).returncode == 0
    before = snapshot(tmp_path / "public")
    (data / "tasks.yaml").write_text("- {id: sorting, nam: Sorting}\n")
    done = run(data)
    assert done.returncode == 1
    assert "tasks.yaml" in done.stderr
    assert done.stdout == ""
    assert snapshot(tmp_path / "public") == before
    allowed = run(data, "--allow-errors", "--out", "other")
    assert allowed.returncode == 0
    assert "refused by validation" in (tmp_path / "other/index.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--base-url", "ftp://example.org"], 2, "--base-url"),
        (["--base-url", "https://exa mple.org"], 2, "--base-url"),
        (["--site", "missing"], 2, "no such folder"),
        (["--as-of", "yesterday"], 2, "--as-of"),
        (["--out", "mine"], 4, "not written by this tool"),
    ],
)
def test_a_wrong_option_is_told_in_one_line(
    run: Run, tmp_path: Path, arguments: list[str], code: int, message: str
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.tex").write_text("mine")
    done = run(TINY / "data", *arguments)
    assert done.returncode == code
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "public").exists()
    assert snapshot(tmp_path / "mine") == {"thesis.tex": b"mine"}


def test_a_data_folder_that_is_not_there_is_exit_3(run: Run) -> None:
    done = run("nowhere")
    assert done.returncode == 3
    assert "nowhere" in done.stderr


def test_quiet_prints_nothing(run: Run) -> None:
    done = run(TINY / "data", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_registry_names_the_base_url_and_the_option_wins(
    run: Run, write: Callable[..., Path], minimal: dict[str, str], tmp_path: Path
) -> None:
    data = write({**minimal, "registry.yaml": "schema: 1\ntitle: T\nbase_url: https://example.org/a\n"})
    run(data, "--out", "one")
    run(data, "--out", "two", "--base-url", "https://example.org/b")
    assert "](https://example.org/a/index.md)" in (tmp_path / "one/llms.txt").read_text()
    assert "](https://example.org/b/index.md)" in (tmp_path / "two/llms.txt").read_text()


def test_an_empty_registry_gives_a_site(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run("empty")
    assert done.returncode == 0, done.stderr
    assert "No benchmark is recorded yet." in (tmp_path / "public/index.html").read_text()


def test_a_misspelt_name_in_a_template_is_a_usage_error_with_its_place(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mysite/templates/html").mkdir(parents=True)
    (tmp_path / "mysite/templates/html/home.html").write_text("line one\n{{ page.titel }}\n")
    done = run(TINY / "data", "--site", "mysite")
    assert done.returncode == 2
    assert "mysite/templates/html/home.html:2:" in done.stderr
    assert "titel" in done.stderr
    assert not (tmp_path / "public").exists()
