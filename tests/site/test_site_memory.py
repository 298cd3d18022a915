"""What a build remembers saves the next one time, and nothing else: damaged or forged, it owns no file of others."""

import copy
import gc
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from editedregistry import make, registry
from pagesupport import snapshot
from sotakit.check import identity
from sotakit.errors import OutputError
from sotakit.publish import pipeline
from sotakit.publish.output import MANIFEST


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', '{"format": 1, "groups": [["a"]]}', "\xff"])
def test_a_damaged_memory_costs_time_and_nothing_else(tmp_path: Path, text: str) -> None:
    records = registry()
    make(tmp_path, records)
    (memory,) = (tmp_path / "build/.site-cache").iterdir()
    memory.write_bytes(text.encode("latin-1"))
    assert make(tmp_path, records)[0] == 0
    records["tasks"][0]["name"] = "Sorted"
    make(tmp_path, records)
    make(tmp_path, records, "fresh", clean=True)
    assert snapshot(tmp_path / "public") == snapshot(tmp_path / "fresh")


@pytest.mark.parametrize("name", ["../precious.txt", "CNAME", "sota/sorting.json", 7])
@pytest.mark.parametrize("place", ["more", "instead"])
def test_a_wrong_memory_owns_nothing(tmp_path: Path, name: Any, place: str) -> None:
    records = registry()
    make(tmp_path, records)
    before = snapshot(tmp_path / "public")
    foreign = [tmp_path / "precious.txt", tmp_path / "public/CNAME"]
    for path in foreign:
        path.write_text("mine")
    (memory,) = (tmp_path / "build/.site-cache").iterdir()
    document = json.loads(memory.read_text())
    path = tmp_path / "public" / str(name)
    mtime = path.stat().st_mtime_ns if path.exists() else 0
    made = {"name": name, "sha256": hashlib.sha256(b"mine").hexdigest(), "size": 4, "mtime": mtime}
    for field, values in document["files"].items():
        values[0 : 0 if place == "more" else 1] = [made[field]]
    document["groups"][0][2] += place == "more"
    memory.write_text(json.dumps(document))
    for _ in range(2):
        make(tmp_path, records)
        assert [path.read_text() for path in foreign] == ["mine", "mine"]
        assert snapshot(tmp_path / "public") == before | {"CNAME": b"mine"}
    records["benchmarks"].pop()
    records["sources"] = [
        source | {"results": [row for row in source["results"] if row["benchmark"] != "counting"]}
        for source in records["sources"]
    ]
    make(tmp_path, records)
    assert [path.read_text() for path in foreign] == ["mine", "mine"]


@pytest.mark.parametrize("order", [list, lambda chunks: list(reversed(chunks))])
def test_two_pages_with_one_path_are_both_named_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, order: Callable[[Any], list[Any]]
) -> None:
    monkeypatch.setattr(identity, "_ENDS", ())  # else validation says it first
    monkeypatch.setattr(pipeline, "MAX_GROUPS", 1)
    monkeypatch.setattr(pipeline, "run", lambda chunks, work, jobs: order(list(map(work, order(chunks)))))
    records = registry()
    records["benchmarks"].append(copy.deepcopy(records["benchmarks"][0]) | {"id": "sorting.md"})
    with pytest.raises(OutputError, match=r"written to sota/sorting\.md\b.* and sota/sorting\.md\b"):
        make(tmp_path, records)
    assert not (tmp_path / "public").exists()


def test_a_build_leaves_the_search_for_cycles_as_it_was(tmp_path: Path) -> None:
    make(tmp_path, registry())
    assert (gc.isenabled(), gc.get_freeze_count()) == (True, 0)


def test_a_memory_and_a_manifest_that_agree_on_a_file_outside_do_not_remove_it(tmp_path: Path) -> None:
    records = registry()
    make(tmp_path, records)
    foreign = tmp_path / "precious.txt"
    foreign.write_text("mine")
    entry = {"name": "../precious.txt", "sha256": hashlib.sha256(b"mine").hexdigest(), "size": 4, "mtime": 0}
    (memory,) = (tmp_path / "build/.site-cache").iterdir()
    document = json.loads(memory.read_text())
    for field, values in document["files"].items():
        values.append(entry[field])
    document["groups"].append(["sota/gone", "key", 1])
    memory.write_text(json.dumps(document))
    manifest = tmp_path / "public" / MANIFEST
    files = json.loads(manifest.read_text())["files"] | {entry["name"]: entry["sha256"]}
    manifest.write_text(json.dumps({"format": 1, "files": dict(sorted(files.items()))}, indent=1))
    before = snapshot(tmp_path / "public")
    records["tasks"][0]["name"] = "Sorted"
    with pytest.raises(OutputError, match="not a file of a site"):
        make(tmp_path, records)
    assert foreign.read_text() == "mine"
    assert snapshot(tmp_path / "public") == before
