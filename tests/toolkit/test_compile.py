"""The compiled folder: readable by others, the same bytes for the same records, all of it or nothing."""

import errno
import fcntl
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from sotakit import compile as compiling
from sotakit.catalog import read_catalog
from sotakit.errors import OutputError
from sotakit.validate import Outcome, validate
from sotaschema.arrow import TABLES

Write = Callable[..., Path]
TODAY = "2026-06-01"
SOURCE = "sources/paper-a.yaml"


def hashes(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def generations(build: Path) -> list[str]:
    return sorted(path.name for path in (build / ".gen").iterdir())


@pytest.fixture
def built(write: Write, minimal: dict[str, str], tmp_path: Path) -> tuple[Path, Path]:
    """A data folder and the build folder it was compiled to."""
    data = write(minimal)
    assert validate(data, tmp_path / "build", TODAY).tables == tmp_path / "build" / "parquet"
    return data, tmp_path / "build"


@pytest.fixture(scope="module")
def seed_tables(seed_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    outcome = validate(seed_data, tmp_path_factory.mktemp("seed"), TODAY)
    assert outcome.tables is not None
    return outcome.tables


def test_all_tables_and_a_manifest_with_their_hashes(seed_tables: Path) -> None:
    manifest = json.loads((seed_tables / "manifest.json").read_text())
    assert {path.name for path in seed_tables.iterdir()} == {f"{name}.parquet" for name in TABLES} | {"manifest.json"}
    for name, stated in manifest["files"].items():
        assert stated["sha256"] == hashlib.sha256((seed_tables / name).read_bytes()).hexdigest()
        assert stated["rows"] == pq.read_metadata(seed_tables / name).num_rows
    assert manifest["format"] == 1
    assert manifest["accounting"] == {
        "files": 12, "records": 32, "accepted": 32, "rejected": 0, "hidden": 0, "errors": 0, "warnings": 4,
    }  # fmt: skip
    text = (seed_tables / "manifest.json").read_text()
    assert TODAY not in text
    assert str(seed_tables) not in text


def test_arrow_sees_types_nullability_and_meaning(seed_tables: Path) -> None:
    for name, expected in TABLES.items():
        found = pq.read_schema(seed_tables / f"{name}.parquet")
        for field in expected:
            other = found.field(field.name)
            assert (other.type, other.nullable) == (field.type, field.nullable), (name, field.name)
            assert other.metadata[b"description"]
        assert found.metadata[b"sotakit.schema"] == b"1"
        assert found.metadata[b"sotakit.table"] == name.encode()
        assert found.metadata[b"sotakit.licence"].startswith(b"CC0-1.0")


def test_files_are_compressed_and_carry_checksums(seed_tables: Path) -> None:
    for path in seed_tables.glob("*.parquet"):
        metadata = pq.read_metadata(path)
        for group in range(metadata.num_row_groups):
            assert metadata.row_group(group).column(0).compression == "ZSTD"
    damaged = bytearray((seed_tables / "scores.parquet").read_bytes())
    damaged[60] ^= 0xFF
    with pytest.raises(OSError, match=r"(?i)crc|checksum|corrupt|deserialize"):
        pq.read_table(pa.BufferReader(bytes(damaged)), page_checksum_verification=True)


def test_pandas_reads_the_types(seed_tables: Path) -> None:
    scores = pd.read_parquet(seed_tables / "scores.parquet")
    assert scores["value"].dtype == "float64"
    assert len(scores) == 11
    assert scores["value"].sum() == pytest.approx(14.4341, abs=1e-9)
    results = pd.read_parquet(seed_tables / "results.parquet")
    assert results["date"].isna().all()
    updated = pd.read_parquet(seed_tables / "benchmarks.parquet")["updated"]
    assert updated[0] == pd.Timestamp("2026-02-26T05:46:52.174Z")


def test_duckdb_joins_the_tables(seed_tables: Path) -> None:
    best = duckdb.sql(
        f"select m.name, s.value from '{seed_tables}/scores.parquet' s join '{seed_tables}/results.parquet' r"
        f" on r.id = s.result join '{seed_tables}/methods.parquet' m on m.id = r.method"
        " where s.rank_cited = 1 order by r.id"
    ).fetchall()
    assert best == [("PSCE", 0.9273), ("PSCE", 0.9273)]
    types = {row[0]: row[1] for row in duckdb.sql(f"describe select * from '{seed_tables}/scores.parquet'").fetchall()}
    assert (types["value"], types["rank"], types["decimals"]) == ("DOUBLE", "INTEGER", "SMALLINT")


def test_the_catalogue_reads_what_was_written(seed_tables: Path) -> None:
    assert len(read_catalog(seed_tables).tables["results"]) == 11


def shuffled(data: Path, target: Path, seed: int) -> Path:
    """The same records in other files, another order of lists and keys, and other quotes."""
    rng = random.Random(seed)
    target.mkdir()
    for path in sorted(data.rglob("*.yaml")):
        value = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
        kind = path.relative_to(data).parts[0].removesuffix(".yaml")
        items = value if isinstance(value, list) else [value]
        if kind in ("registry", "config_keys", "benchmarks", "metrics"):
            shutil.copy(path, target)
            continue
        for item in items:
            rng.shuffle(item.get("results", []))
            mixed = dict(rng.sample(sorted(item.items()), len(item)))
            (target / kind).mkdir(exist_ok=True)
            (target / kind / f"{rng.random()}.yaml").write_text(
                yaml.safe_dump(mixed, default_style="'", sort_keys=False)
            )
    return target


@pytest.mark.parametrize("seed", [1, 2])
def test_order_of_files_records_and_keys_changes_no_table(
    seed_data: Path, seed_tables: Path, tmp_path: Path, seed: int
) -> None:
    tables = validate(shuffled(seed_data, tmp_path / "data", seed), tmp_path / "build", TODAY).tables
    assert tables is not None
    expected, found = hashes(seed_tables), hashes(tables)
    assert expected.pop("manifest.json") != found.pop("manifest.json")  # the number of files differs
    assert found == expected


@pytest.mark.parametrize(
    "change",
    [
        {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "2", "TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8", "PYTHONUTF8": "0"},
    ],
)
def test_surroundings_change_no_byte(
    seed_data: Path, seed_tables: Path, tmp_path: Path, change: dict[str, str]
) -> None:
    code = "import sys; from sotakit.cli import app; app(sys.argv[1:])"
    command = [sys.executable, "-c", code, "validate", str(seed_data), "--out", "b", "--quiet"]
    subprocess.run(command, env={**os.environ, **change}, cwd=tmp_path, check=True)
    assert hashes(tmp_path / "b" / "parquet") == hashes(seed_tables)


def test_the_pointer_is_a_relative_link_into_a_generation(built: tuple[Path, Path]) -> None:
    _, build = built
    assert (build / "parquet").readlink() == Path(".gen") / generations(build)[0]


def change(data: Path, value: str) -> None:
    head = (data / SOURCE).read_text().rsplit("{accuracy:", 1)[0]
    (data / SOURCE).write_text(f"{head}{{accuracy: {value}}}\n")


def test_two_generations_are_kept(built: tuple[Path, Path]) -> None:
    data, build = built
    names = [generations(build)[0]]
    for index, value in enumerate(("93.1", "93.0", "92.9"), 1):
        change(data, value)
        os.utime(build / ".gen" / names[-1], (index, index))
        validate(data, build, TODAY)
        names.append((build / "parquet").readlink().name)
    assert len(set(names)) == 4
    assert set(generations(build)) == set(names[-2:])


def test_compiling_again_touches_nothing(built: tuple[Path, Path]) -> None:
    data, build = built
    before = {path: path.stat().st_ino for path in (build / "parquet").resolve().iterdir()}
    validate(data, build, TODAY)
    assert {path: path.stat().st_ino for path in (build / "parquet").resolve().iterdir()} == before
    assert len(generations(build)) == 1


def test_damaged_tables_are_written_anew(built: tuple[Path, Path]) -> None:
    data, build = built
    before = hashes(build / "parquet")
    (build / "parquet" / "scores.parquet").write_bytes(b"x")
    (build / "parquet" / "methods.parquet").unlink()
    validate(data, build, TODAY)
    assert hashes(build / "parquet") == before
    assert len(generations(build)) == 1


@pytest.mark.parametrize("kind", ["folder", "file", "link", "broken link"])
def test_a_parquet_of_somebody_else_is_left_alone(
    write: Write, minimal: dict[str, str], tmp_path: Path, kind: str
) -> None:
    build = tmp_path / "build"
    (build / "mine").mkdir(parents=True)
    pointer = build / "parquet"
    if kind == "folder":
        pointer.mkdir()
    elif kind == "file":
        pointer.write_text("mine")
    else:
        pointer.symlink_to("mine" if kind == "link" else "nowhere")
    before = (pointer.is_symlink(), pointer.is_dir(), pointer.exists())
    with pytest.raises(OutputError, match="choose another --out"):
        validate(write(minimal), build, TODAY)
    assert (pointer.is_symlink(), pointer.is_dir(), pointer.exists()) == before


def test_a_build_that_is_a_file(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "build").write_text("mine")
    with pytest.raises(OutputError, match="build: cannot be written"):
        validate(write(minimal), tmp_path / "build", TODAY)
    assert (tmp_path / "build").read_text() == "mine"


OPERATIONS: list[tuple[Any, str]] = [
    (compiling.pq.ParquetWriter, "write_table"),
    (compiling.pq.ParquetFile, "read_row_group"),
    (compiling.os, "fsync"),
    (compiling.os, "open"),
    (Path, "write_text"),
    (Path, "mkdir"),
    (Path, "rename"),
    (Path, "symlink_to"),
    (Path, "replace"),
    (compiling, "file_sha256"),
]


@pytest.mark.parametrize(("owner", "name"), OPERATIONS, ids=[name for _, name in OPERATIONS])
def test_a_failure_anywhere_leaves_the_old_tables(
    built: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, owner: Any, name: str
) -> None:
    data, build = built
    before = hashes(build / "parquet")
    change(data, "50.5")
    real = getattr(owner, name)
    for failing in range(1, 100):
        calls = 0

        def operation(*args: Any, **options: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == failing:  # noqa: B023 - used inside of this turn only
                raise OSError(errno.ENOSPC, "No space left on device")
            return real(*args, **options)

        with monkeypatch.context() as patch:
            patch.setattr(owner, name, operation)
            try:
                validate(data, build, TODAY)
            except OutputError as error:
                message = str(error)
            else:
                break
        assert "No space left on device" in message
        assert hashes(build / "parquet") == before, failing
        assert not list((build / ".gen").glob(".new-*")) or name == "rename"
    assert failing > 1
    assert hashes(build / "parquet") != before


def test_what_a_killed_run_left_is_swept(built: tuple[Path, Path]) -> None:
    data, build = built
    (build / ".gen" / ".new-999").mkdir()
    (build / ".gen" / ".new-999" / "scores.parquet").write_text("half")
    (build / ".parquet-999").symlink_to(".gen/nothing")
    change(data, "50.5")
    validate(data, build, TODAY)
    assert sorted(path.name for path in build.iterdir()) == [".compiled-from.json", ".gen", ".lock", "parquet"]
    assert not list((build / ".gen").glob(".new-*"))


def test_tables_that_read_back_differently_are_not_used(
    built: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, build = built
    before = hashes(build / "parquet")
    change(data, "50.5")
    real = pq.ParquetFile.read_row_group
    monkeypatch.setattr(pq.ParquetFile, "read_row_group", lambda *args, **options: real(*args, **options).slice(1))
    with pytest.raises(OutputError, match="reads back differently"):
        validate(data, build, TODAY)
    assert hashes(build / "parquet") == before


def test_a_second_run_is_told_to_wait(built: tuple[Path, Path]) -> None:
    data, build = built
    code = "import fcntl, sys; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX); print(1, flush=True); input()"
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(build / ".lock")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"1\n"
        with pytest.raises(OutputError, match="another run is writing here; wait"):
            validate(data, build, TODAY)
        holder.communicate(b"\n")
    assert validate(data, build, TODAY).tables is not None


def test_the_lock_is_given_back_after_a_failure(built: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    data, build = built

    def fail(*_: Any, **__: Any) -> None:
        raise OSError(errno.EIO, "I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", fail)
        with pytest.raises(OutputError):
            validate(data, build, TODAY)
    with (build / ".lock").open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_errors_compile_nothing_unless_allowed(built: tuple[Path, Path]) -> None:
    data, build = built
    before = hashes(build / "parquet")
    change(data, "193.2")
    outcome: Outcome = validate(data, build, TODAY)
    assert (outcome.tables, outcome.exit_code(strict=False)) == (None, 1)
    assert hashes(build / "parquet") == before
    allowed = validate(data, build, TODAY, allow_errors=True)
    assert allowed.exit_code(strict=False) == 1
    assert pq.read_table(build / "parquet" / "scores.parquet")["result"].to_pylist() == ["row-1"]
    assert json.loads((build / "parquet" / "manifest.json").read_text())["accounting"]["rejected"] == 1
