"""Compiled tables that were cut, or changed by one bit: `verify` tells, readers refuse, nothing wrong is published."""

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pagesupport import snapshot
from richrecords import FORMS, OTHER, RESULT
from sotakit.catalog import read_catalog
from sotakit.cli import app
from sotakit.errors import InputError
from sotakit.verify import verify

Write = Callable[..., Path]

READS = """
import json, random, sys
from pathlib import Path
from sotakit.catalog import read_catalog
from sotakit.errors import InputError

def plain(folder):
    catalog = read_catalog(folder)
    rows = [(name, [(key, dict(row)) for key, row in table.items()]) for name, table in catalog.tables.items()]
    boards = [(dict(board.benchmark), board.metrics, list(board.results)) for board in catalog.boards.values()]
    return repr([rows, boards, list(catalog.redirects), [list(found) for found in catalog.by_method.values()]])

tables, kind, seed = Path(sys.argv[1]), sys.argv[2], random.Random(sys.argv[3])
whole = plain(tables)
counts = {"refused": 0, "the same": 0, "WRONG": 0, "other errors": 0}
for path in sorted(tables.glob("*.parquet")):
    raw = path.read_bytes()
    for number in range(int(sys.argv[4])):
        at = seed.randrange(len(raw))
        changed = raw[:at] if kind == "cut" else raw[:at] + bytes([raw[at] ^ 1 << seed.randrange(8)]) + raw[at + 1:]
        path.write_bytes(changed)
        try:
            found = plain(tables)
        except InputError:
            counts["refused"] += 1
        except Exception as error:
            counts["other errors"] += 1
            counts.setdefault(type(error).__name__, path.name)
        else:
            counts["the same" if found == whole else "WRONG"] += 1
    path.write_bytes(raw)
print(json.dumps(counts))
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory, root: Path) -> tuple[Path, Path]:
    """A data folder with results of every kind of field, and its build folder."""
    folder = tmp_path_factory.mktemp("damaged")
    data = Path(shutil.copytree(root / "tests/tiny/data", folder / "data"))
    assert run("validate", data, "--out", folder / "build") == 0
    return data, folder / "build"


def run(*arguments: object) -> int:
    return CliRunner().invoke(app, [*map(str, arguments), "--quiet"]).exit_code


def faults(build: Path) -> list[str]:
    """What `verify` says."""
    try:
        return verify(build)
    except InputError as error:
        return [str(error)]


@pytest.fixture
def build(compiled: tuple[Path, Path], tmp_path: Path) -> Path:
    """A copy of the build folder, to damage."""
    return Path(shutil.copytree(compiled[1], tmp_path / "build", symlinks=True))


def test_verify_tells_every_cut(build: Path) -> None:
    assert faults(build) == []
    for path in sorted((build / "parquet").iterdir()):
        raw = path.read_bytes()
        for end in {*range(0, len(raw), max(1, len(raw) // 25)), len(raw) - 1}:
            path.write_bytes(raw[:end])
            told = faults(build)
            assert told, (path.name, end)
            assert path.name in told[0]
        path.write_bytes(raw)
    assert faults(build) == []


def test_verify_tells_every_changed_bit(build: Path) -> None:
    chance = random.Random(5)
    for path in sorted((build / "parquet").iterdir()):
        raw = path.read_bytes()
        for at in range(0, len(raw), max(1, len(raw) // 80)):
            path.write_bytes(raw[:at] + bytes([raw[at] ^ 1 << chance.randrange(8)]) + raw[at + 1 :])
            told = faults(build)
            assert told, (path.name, at)
            assert any(path.name in line or "manifest" in path.name for line in told)
        path.write_bytes(raw)
    assert faults(build) == []


def test_verify_tells_files_that_are_gone_or_too_many(build: Path) -> None:
    tables = build / "parquet"
    (tables / "scores.parquet").rename(tables / "more.parquet")
    assert faults(build) == ["scores.parquet: is missing", "more.parquet: is not in the manifest"]
    (tables / "more.parquet").rename(tables / "scores.parquet")
    (tables / "scores.parquet").write_bytes((tables / "results.parquet").read_bytes())
    assert faults(build) == ["scores.parquet: differs from what was written"]
    (tables / "manifest.json").unlink()
    assert "neither a build folder" in faults(build)[0]


def test_verify_tells_a_manifest_that_was_changed_by_hand(build: Path) -> None:
    manifest = build / "parquet" / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace('"rejected": 0', '"rejected": 9'), encoding="utf-8")
    assert faults(build) == ["manifest.json: differs from what was written"]
    shown = CliRunner().invoke(app, ["verify", str(build)])
    assert (shown.exit_code, shown.stdout.splitlines()) == (1, faults(build))
    manifest.write_text("{", encoding="utf-8")
    shown = CliRunner().invoke(app, ["verify", str(build)])
    assert (shown.exit_code, shown.stdout, len(shown.stderr.splitlines())) == (3, "", 1)


@pytest.mark.parametrize("kind", ["cut", "bit"])
def test_damaged_tables_are_refused_and_never_misread(build: Path, kind: str) -> None:
    """In a process of its own: compiled code that meets damaged input might end it."""
    command = [sys.executable, "-c", READS, str(build / "parquet"), kind, "7", "15"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    counts = json.loads(ended.stdout)
    assert (counts["WRONG"], counts["other errors"]) == (0, 0), counts
    assert counts["refused"] > counts["the same"], "tables that are not read here stay unnoticed"


@pytest.mark.parametrize("change", [{"title": None}, {"title": 3}, {"contact": ["a"]}, None])
def test_a_manifest_without_the_texts_of_the_collection_is_refused(build: Path, change: dict[str, Any] | None) -> None:
    path = build / "parquet/manifest.json"
    manifest = json.loads(path.read_text())
    manifest["registry"] = None if change is None else manifest["registry"] | change
    path.write_text(json.dumps(manifest))
    with pytest.raises(InputError, match="not a folder of compiled tables"):
        read_catalog(build / "parquet")


def test_a_site_built_over_damaged_tables_is_whole(compiled: tuple[Path, Path], build: Path, tmp_path: Path) -> None:
    data, _ = compiled
    options = ("--build", build, "--as-of", "2026-06-01")
    assert run("build-site", data, "--out", tmp_path / "expected", *options) == 0
    expected, chance = snapshot(tmp_path / "expected"), random.Random(3)
    for name in ("scores.parquet", "results.parquet", "methods.parquet", "manifest.json"):
        path = build / "parquet" / name
        raw = path.read_bytes()
        at = chance.randrange(len(raw))
        path.write_bytes(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :])
        assert run("build-site", data, "--out", tmp_path / "found", *options) == 0, name
        assert snapshot(tmp_path / "found") == expected
        assert faults(build) == []


def test_rich_records_survive_the_way_through_the_tables(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    minimal["sources/paper-a.results.json"] = FORMS["json"]([RESULT, OTHER])
    assert run("validate", write(minimal), "--out", tmp_path / "build") == 0
    assert faults(tmp_path / "build") == []
