"""The same records give the same bytes: whatever the machine, the folder, the order and the surroundings are."""

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pagesupport import snapshot
from richrecords import FORMS, OTHER, RESULT
from sotakit.validate import validate

Write = Callable[..., Path]
TODAY = "2026-06-01"
SOURCE = "sources/paper-a.yaml"
TOOLKIT = "import os, sys; os.umask({umask}); from sotakit.cli import app; app(sys.argv[1:])"
CONFIGS = [{name: index, "π": name} for index in range(3) for name in ("Model", "seed", "Größe", "i", "I", "ı")]


@pytest.fixture
def registry(minimal: dict[str, str]) -> dict[str, str]:
    """Results with many keys, letters whose order and case depend on the language, and names that sort oddly."""
    rows = [RESULT, OTHER] + [
        {**OTHER, "id": f"row-{index + 10}", "variant": str(index), "config": config}
        for index, config in enumerate(CONFIGS)
    ]
    names = "".join(f"- {{id: m{index}, name: '{name}'}}\n" for index, name in enumerate("äzÄIıiİéZ~"))
    return {
        **minimal,
        "sources/paper-a.results.jsonl": FORMS["jsonl"](rows),
        "methods/a.yaml": names,
        "methods/B.yaml": "- {id: one, name: One}\n",
        "methods/_c.yaml": "- {id: two, name: Two}\n",
        "methods/deep/a.yaml": "- {id: three, name: Three}\n",
    }


def tables(data: Path, build: Path) -> dict[str, bytes]:
    found = validate(data, build, TODAY).tables
    assert found is not None, "the records have errors"
    return snapshot(found)


SURROUNDINGS: dict[str, dict[str, str]] = {
    "hash seed 4242": {"PYTHONHASHSEED": "4242"},
    "plain locale, ASCII": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "Turkish": {"LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"},
    "east": {"TZ": "Pacific/Kiritimati"},
    "west": {"TZ": "Pacific/Pago_Pago"},
    "one thread": {"OMP_NUM_THREADS": "1", "ARROW_IO_THREADS": "1"},
    "eight threads": {"OMP_NUM_THREADS": "8", "ARROW_IO_THREADS": "8"},
    "another allocator": {"ARROW_DEFAULT_MEMORY_POOL": "system", "PYTHONMALLOC": "debug"},
    "no write access for others": {"UMASK": "0o077"},
}


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_surroundings_change_no_byte(write: Write, registry: dict[str, str], tmp_path: Path, name: str) -> None:
    data = write(registry)
    environment = {**os.environ, **SURROUNDINGS[name]}
    code = TOOLKIT.format(umask=environment.pop("UMASK", "0o022"))
    command = [sys.executable, "-c", code, "validate", str(data), "--out", "b", "--quiet", "--as-of", TODAY]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    assert snapshot(tmp_path / "b" / "parquet") == tables(data, tmp_path / "expected")


@pytest.mark.parametrize("way", ["absolute", "relative", "inside", "through a link", "with dots", "a slash behind"])
def test_the_way_to_the_folder_changes_no_byte(
    write: Write, registry: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    data = write(registry)
    expected = tables(data, tmp_path / "expected")
    (tmp_path / "link").symlink_to(data)
    monkeypatch.chdir(data if way == "inside" else tmp_path)
    given = {
        "absolute": data,
        "relative": Path("data"),
        "inside": Path(),
        "through a link": Path("link"),
        "with dots": Path("expected/../data"),
        "a slash behind": Path("data/"),
    }[way]
    assert tables(given, Path("../b" if way == "inside" else "b")) == expected


@pytest.mark.parametrize("seed", range(4))
def test_the_order_in_which_files_were_made_changes_no_byte(
    write: Write, registry: dict[str, str], tmp_path: Path, seed: int
) -> None:
    expected = tables(write(registry), tmp_path / "expected")
    names = random.Random(seed).sample(sorted(registry), len(registry))
    other = write({name: registry[name] for name in names}, "other")
    for name in names[::2]:  # and made again, with other times
        copy = (other / name).read_bytes()
        (other / name).unlink()
        (other / name).write_bytes(copy)
        os.utime(other / name, (seed, seed))
    assert tables(other, tmp_path / "found") == expected


class Shuffled:
    """A listing of a folder in another order than the operating system's."""

    def __init__(self, entries: Any, chance: random.Random) -> None:
        self.entries = list(entries)
        chance.shuffle(self.entries)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.entries)

    def __next__(self) -> Any:
        return self.entries.pop()

    def __enter__(self) -> "Shuffled":
        return self

    def __exit__(self, *_: object) -> None: ...

    def close(self) -> None: ...


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_listings_changes_no_byte(
    write: Write, registry: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    data = write(registry)
    expected = tables(data, tmp_path / "expected")
    chance, scandir, listdir = random.Random(seed), os.scandir, os.listdir
    monkeypatch.setattr(os, "scandir", lambda *args: Shuffled(scandir(*args), chance))
    monkeypatch.setattr(os, "listdir", lambda *args: list(Shuffled(listdir(*args), chance)))
    assert tables(data, tmp_path / "found") == expected


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_records_and_keys_changes_no_byte(
    write: Write, registry: dict[str, str], tmp_path: Path, seed: int
) -> None:
    expected = tables(write(registry), tmp_path / "expected")
    chance = random.Random(seed)
    for name in ("sources/paper-a.results.jsonl", "methods/a.yaml"):
        lines = registry[name].splitlines(keepends=True)
        chance.shuffle(lines)
        registry[name] = "".join(lines)
    assert tables(write(registry, "other"), tmp_path / "found") == expected


def test_the_name_of_a_file_and_a_copy_of_the_folder_change_no_byte(
    write: Write, registry: dict[str, str], tmp_path: Path
) -> None:
    data = write(registry)
    expected = tables(data, tmp_path / "expected")
    copy = Path(shutil.copytree(data, tmp_path / "Kopie äöü")).resolve()
    (copy / "methods/a.yaml").rename(copy / "methods/zz.yml")
    (copy / "methods/B.yaml").rename(copy / "methods/00.yaml")
    assert tables(copy, tmp_path / "found") == expected


def test_running_twenty_times_changes_no_byte(write: Write, registry: dict[str, str], tmp_path: Path) -> None:
    data = write(registry)
    expected = tables(data, tmp_path / "expected")
    for number in range(20):
        assert tables(data, tmp_path / f"build-{number}") == expected
    assert len(expected) > 5
