"""Several runs on one output at once, readers beside them, and outputs that are links or not there yet."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from pagesupport import snapshot
from sotakit.cli import app
from sotakit.verify import verify

Write = Callable[..., Path]
SOURCE = "sources/paper-a.yaml"

TOOLKIT = "from sotakit.cli import app; app()"
REWRITES = """
import sys
from sotakit.cli import app
out, *inputs = sys.argv[1:]
print("ready", flush=True)
for number in range(30):
    try:
        app(["validate", inputs[number % len(inputs)], "--out", out, "--quiet"], standalone_mode=False)
    except SystemExit as error:
        sys.exit(error.code)
"""


def run(data: Path, build: Path) -> int:
    return CliRunner().invoke(app, ["validate", str(data), "--out", str(build), "--quiet"]).exit_code


def contents(tables: Path) -> str:
    return hashlib.sha256(repr(sorted(snapshot(tables).items())).encode()).hexdigest()


@pytest.fixture
def inputs(write: Write, minimal: dict[str, str], tmp_path: Path) -> dict[str, Path]:
    """Eight registries by the hash of what they compile to; the number of their methods is also their score."""
    found = {}
    for number in range(8):
        methods = "".join(f"- {{id: m{index}, name: M{index}}}\n" for index in range(number))
        source = minimal[SOURCE].replace("93.2", str(number + 2))
        files = {**minimal, SOURCE: source, "methods.yaml": minimal["methods.yaml"] + methods}
        data = write(files, f"data-{number}")
        assert run(data, tmp_path / f"alone-{number}") == 0
        found[contents(tmp_path / f"alone-{number}" / "parquet")] = data
    assert len(found) == 8
    return found


@pytest.fixture
def one(write: Write, minimal: dict[str, str], tmp_path: Path) -> tuple[str, Path]:
    """One registry, and the hash of what it compiles to."""
    data = write(minimal)
    assert run(data, tmp_path / "alone") == 0
    return contents(tmp_path / "alone" / "parquet"), data


@pytest.mark.parametrize("runs", [2, 8])
def test_runs_at_once_end_well_or_say_why_not(inputs: dict[str, Path], tmp_path: Path, runs: int) -> None:
    build = tmp_path / "build"
    commands = [
        [sys.executable, "-c", TOOLKIT, "validate", str(data), "--out", str(build), "--quiet"]
        for data in list(inputs.values())[:runs]
    ]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for command in commands]
    ended = [(process.communicate()[1], process.returncode) for process in started]
    assert {code for _, code in ended} <= {0, 4}
    assert 0 in {code for _, code in ended}
    for shown, code in ended:
        assert (shown == "") == (code == 0)
        assert code == 0 or (len(shown.splitlines()) == 1 and "another run is writing here" in shown)
    assert contents(build / "parquet") in list(inputs)[:runs]
    assert verify(build) == []
    assert sorted(path.name for path in build.iterdir()) == [".compiled-from.json", ".gen", ".lock", "parquet"]


def read(build: Path) -> str | None:
    """The generation that a reader sees who follows the link once; None if it was dropped under the reader's hands."""
    tables = (build / "parquet").resolve()
    try:
        manifest = json.loads((tables / "manifest.json").read_text(encoding="utf-8"))
        for name, stated in manifest["files"].items():
            raw = (tables / name).read_bytes()
            assert hashlib.sha256(raw).hexdigest() == stated["sha256"], f"{name} is of another run"
            assert pq.read_table(tables / name).num_rows == stated["rows"]
        methods = pq.read_table(tables / "methods.parquet").num_rows
        scores = pq.read_table(tables / "scores.parquet").column("value").to_pylist()
    except FileNotFoundError:
        assert (build / "parquet").resolve() != tables, "the link leads to tables that are not whole"
        return None
    assert methods in scores, "methods of one run, scores of another"
    return tables.name


def test_a_reader_beside_thirty_rewrites_sees_whole_tables(inputs: dict[str, Path], tmp_path: Path) -> None:
    build = tmp_path / "build"
    first, *others = list(inputs.values())[:4]
    assert run(first, build) == 0
    command = [sys.executable, "-c", REWRITES, str(build), *map(str, others), str(first)]
    seen: list[str | None] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        while writer.poll() is None:
            seen.append(read(build))
    assert writer.returncode == 0
    assert len({name for name in seen if name}) > 2, "several inputs were seen"


def test_a_folder_that_is_not_there_yet_is_made(one: tuple[str, Path], tmp_path: Path) -> None:
    digest, data = one
    build = tmp_path / "a" / "b" / "build"
    assert run(data, build) == 0
    assert contents(build / "parquet") == digest


def test_an_output_that_is_a_link_to_a_folder_is_followed(one: tuple[str, Path], tmp_path: Path) -> None:
    digest, data = one
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert run(data, tmp_path / "link") == 0
    assert (tmp_path / "link").is_symlink()
    assert contents(tmp_path / "real" / "parquet") == digest


@pytest.mark.parametrize("target", ["nowhere", "link", "file"])
def test_an_output_that_is_a_link_to_no_folder_is_refused(one: tuple[str, Path], tmp_path: Path, target: str) -> None:
    _, data = one
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(target)
    before = sorted(path.name for path in tmp_path.iterdir())
    shown = CliRunner().invoke(app, ["validate", str(data), "--out", str(tmp_path / "link")])
    assert shown.exit_code == 4
    assert len(shown.stderr.splitlines()) == 1
    assert str(tmp_path / "link") in shown.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert (tmp_path / "file").read_text() == "mine"


def test_data_and_output_in_one_folder(one: tuple[str, Path]) -> None:
    _, data = one
    assert run(data, data) == 0
    assert run(data, data) == 0
    assert verify(data) == []
