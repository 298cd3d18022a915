"""`toolkit read` as people and programs call it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
import yaml

from pagesupport import TINY, build

Run = Callable[..., subprocess.CompletedProcess[str]]
OTHER = TINY / "pages/other-form.md"
FIELDS = [
    "id", "benchmark", "title", "task", "dataset", "method", "scores", "config", "date", "reporting_paper",
    "method_origin_paper", "origin", "source_type", "reproduction", "page",
]  # fmt: skip


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(TINY / "data", tmp_path_factory.mktemp("site") / "public") / "sota/sorting-numbers.md"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def call(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from sotakit.cli import app; app()", "read", *map(str, arguments)]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    return call


def test_jsonl_has_one_object_a_line_with_the_fields_of_the_interface(run: Run, board: Path) -> None:
    done = run(board, "--format", "jsonl")
    assert done.returncode == 0
    assert done.stderr == f"warning: {board}: lines 7, 9, 25 and 26: said of the page as a whole, so in no record\n"
    assert board.read_text(encoding="utf-8").split("\n")[6].startswith("Data updated: 2")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [list(row) for row in rows] == [[*FIELDS, "more"]] * 6
    by_id = {row["id"]: row for row in rows}
    assert by_id["t-1"]["scores"] == {
        "Time (s)": {"text": "12.50", "value": 12.5, "unit": "SECONDS", "direction": "higher"}
    }
    assert by_id["t-1"]["page"] == str(board)
    assert by_id["g-1"]["origin"] == "regenerated"
    assert by_id["g-1"]["more"]["evidence"] == "run here"


def test_the_table_is_aligned_and_shows_every_result(run: Run, board: Path) -> None:
    lines = run(board).stdout.splitlines()
    assert lines[0].split() == ["result", "method", "scores", "config", "benchmark"]
    assert [line.split()[0] for line in lines[1:]] == ["t-1", "t-2", "t-3", "t-5", "t-4", "g-1"]
    start = lines[0].index("method")
    assert {line[start - 1] for line in lines} == {" "}
    assert "Time (s) 12.50" in lines[1]


def test_yaml_is_what_a_data_folder_takes(run: Run, tmp_path: Path) -> None:
    done = run(OTHER, "--format", "yaml", "--out", "sources.yaml")
    assert (done.returncode, done.stdout) == (0, "")
    sources = yaml.safe_load((tmp_path / "sources.yaml").read_text(encoding="utf-8"))
    assert [(source["id"], source["type"]) for source in sources] == [
        ("p-1", "paper"),
        ("p-2", "paper"),
        ("juggling-with-three-balls-indoors", "paper"),
    ]
    assert sources[0]["results"][0] == {
        "id": "j1",
        "benchmark": "other-form",
        "method": "cascade",
        "method_label": "Cascade",
        "config": {"Balls": 3, "Room": "hall, *large*"},
        "scores": {"airtime": "91.50"},
        "date": "2024-02-29",
    }


def test_yaml_validates_as_records_beside_its_entities(run: Run, tmp_path: Path, write: Callable[..., Path]) -> None:
    metrics = "[{key: airtime, label: Airtime, direction: higher}]"
    entities = {
        "tasks.yaml": "- {id: juggling, name: Juggling}\n",
        "datasets.yaml": "- {id: rooms, name: Rooms}\n",
        "methods.yaml": "".join(f"- {{id: {name}, name: {name}}}\n" for name in ("cascade", "mills-mess", "shower")),
        "benchmarks.yaml": f"- {{id: other-form, title: J, task: juggling, dataset: rooms, metrics: {metrics}}}\n",
    }
    data = write(entities)
    page = OTHER.read_text(encoding="utf-8").replace('"Tags":["a","b"]', '"Tags":"a, b"')
    (tmp_path / "other-form.md").write_text(page, encoding="utf-8")
    assert run("other-form.md", "--format", "yaml", "--out", data / "sources.yaml").returncode == 0
    command = [sys.executable, "-c", "from sotakit.cli import app; app()", "validate", str(data), "--check-only"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "0 errors" in done.stdout


def test_labels_of_one_slug_keep_their_scores_apart(run: Run, tmp_path: Path) -> None:
    page = OTHER.read_text(encoding="utf-8").replace("Mills Mess", "CASCADE")
    (tmp_path / "other.md").write_text(page, encoding="utf-8")
    sources = yaml.safe_load(run("other.md", "--format", "yaml").stdout)
    methods = {row["method_label"]: row["method"] for source in sources for row in source["results"]}
    assert len(set(methods.values())) == len(methods) == 3


def test_parquet_has_one_row_for_each_score(run: Run, tmp_path: Path, board: Path) -> None:
    assert run(board, "--format", "parquet", "--out", "x.parquet").returncode == 0
    frame = pd.read_parquet(tmp_path / "x.parquet")
    assert len(frame) == 10
    row = frame[(frame["id"] == "t-3") & (frame["metric"] == "Swaps")].iloc[0]
    assert (row["text"], row["value"], row["unit"], row["direction"]) == ("40 ± 2", 40.0, "count", "lower")
    assert json.loads(row["config"]) == {"Note": "a|b `c` <d>", "Stable": True, "Threads": 2}


def test_several_pages_are_read_together(run: Run, board: Path) -> None:
    done = run(board, OTHER, "--format", "jsonl", "--verbose")
    assert len(done.stdout.splitlines()) == 10
    assert "10 records from 2 pages" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["missing.md"], 3, "missing.md: cannot be read"),
        (["."], 3, "is a folder"),
        (["cut.md"], 1, "cut.md:"),
        (["bytes.md"], 3, "bytes.md:1:3: not UTF-8"),
        ([OTHER, "--format", "xml"], 2, "choose one of"),
        ([OTHER, "--format", "parquet"], 2, "needs --out"),
        ([OTHER, "--format", "jsonl", "--out", "no/such/folder.jsonl"], 4, "cannot be written"),
        ([], 2, "Missing argument"),
    ],
)
def test_what_goes_wrong_is_told_in_one_line_with_its_exit_code(
    run: Run, tmp_path: Path, arguments: list[str | Path], code: int, message: str
) -> None:
    (tmp_path / "cut.md").write_text(OTHER.read_text(encoding="utf-8")[:1800], encoding="utf-8")
    (tmp_path / "bytes.md").write_bytes(b"# \xff")
    done = run(*arguments)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_a_page_that_cannot_be_read_spoils_the_whole_call(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.md").write_text("# no\n")
    done = run(OTHER, "bad.md", "--format", "jsonl", "--out", "out.jsonl")
    assert done.returncode == 1
    assert not (tmp_path / "out.jsonl").exists()


def test_control_characters_of_a_page_do_not_reach_the_terminal(run: Run, tmp_path: Path) -> None:
    page = OTHER.read_text(encoding="utf-8").replace("Cascade", "Cas\x1b[31mcade\u202e")
    (tmp_path / "evil.md").write_text(page, encoding="utf-8")
    done = run("evil.md")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout


@pytest.mark.parametrize("form", ["table", "jsonl", "yaml"])
def test_a_terminal_that_lacks_signs_is_no_error(form: str) -> None:
    """In a process of its own, since the encoding of standard output is that of a process."""
    code = "from sotakit.cli import app; app()"
    command = [sys.executable, "-c", code, "read", str(OTHER), "--format", form]
    plain, ascii_only = (
        subprocess.run(command, capture_output=True, check=True, env={**os.environ, "PYTHONIOENCODING": name}).stdout
        for name in ("utf-8", "ascii")
    )
    assert not plain.isascii()
    assert ascii_only == (plain.decode().encode("ascii", "replace") if form == "table" else plain)
