"""The pages of the tiny catalogue, byte for byte. `make golden` rewrites them; read the difference before you commit.

Tables and schemas are left out: their bytes follow from Arrow's version and from files that have their own tests.
"""

import difflib
import os
import shutil
from pathlib import Path

import pytest

from pagesupport import snapshot

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "site"
LEFT_OUT = ("data/", "schema/", "static/", ".toolkit-manifest.json")
REWRITING = os.environ.get("GOLDEN") == "write"
HINT = "if the change is meant, run `make golden`, read the difference and commit it"


def pages(site: Path) -> dict[str, bytes]:
    return {name: raw for name, raw in snapshot(site).items() if not name.startswith(LEFT_OUT)}


@pytest.fixture(scope="module")
def made(tiny_site: Path) -> dict[str, bytes]:
    found = pages(tiny_site)
    if REWRITING:
        shutil.rmtree(GOLDEN, ignore_errors=True)
        for name, raw in found.items():
            (GOLDEN / name).parent.mkdir(parents=True, exist_ok=True)
            (GOLDEN / name).write_bytes(raw)
    return found


def kept() -> dict[str, bytes]:
    return snapshot(GOLDEN) if GOLDEN.is_dir() else {}


def test_every_page_has_a_golden_file_and_every_golden_file_a_page(made: dict[str, bytes]) -> None:
    assert sorted(made) == sorted(kept()), HINT


def test_every_page_is_as_its_golden_file(made: dict[str, bytes]) -> None:
    golden = kept()
    lines = []
    for name in sorted(made.keys() & golden.keys()):
        before, after = golden[name].decode().split("\n"), made[name].decode().split("\n")
        lines += difflib.unified_diff(before, after, f"golden/{name}", f"made/{name}", lineterm="", n=1)
    assert not lines, "\n".join([HINT, *lines[:80]])


def test_golden_files_hold_pages_of_each_kind() -> None:
    names = kept()
    wanted = ["index.html", "404.html", "llms.txt", "sota/sorting-numbers.md", "sota/sorting-numbers.json"]
    wanted += ["method/less-than/index.html", "paper/doe-2024.md", "sota/sorting-numbers/swaps/index.html"]
    assert [name for name in wanted if name not in names] == []
