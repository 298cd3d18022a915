"""llms.txt follows the proposal, in the narrow form that its reference parser reads."""

import re
from pathlib import Path

import pytest

from pagesupport import TINY, build
from sotakit.publish import llms_full

ITEM = re.compile(r"- \[([^\[\]]+)\]\(([^()<>\s]+)\): (\S.*)")


def test_the_parts_stand_in_order_and_sections_hold_items_only(each_site: Path) -> None:
    text = (each_site / "llms.txt").read_text(encoding="utf-8")
    head, *sections = text.split("\n## ")
    title, summary, note, *rest = [part for part in head.split("\n\n") if part.strip()]
    assert rest == []
    assert re.fullmatch(r"# \S.*", title)
    assert re.fullmatch(r"> \S.*", summary)
    assert "\n" not in note.strip()
    assert [section.split("\n")[0] for section in sections] == ["Benchmarks", "Lists", "Data"]
    for section in sections:
        lines = [line for line in section.split("\n")[1:] if line]
        assert lines
        assert [line for line in lines if not ITEM.fullmatch(line)] == []


def test_it_is_plain_utf_8_with_unix_lines(each_site: Path) -> None:
    raw = (each_site / "llms.txt").read_bytes()
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in raw
    assert raw.endswith(b"\n")
    assert "###" not in raw.decode()


def test_every_link_is_a_file_of_the_build_and_none_is_named_twice(each_site: Path) -> None:
    text = (each_site / "llms.txt").read_text(encoding="utf-8")
    targets = [found[2] for found in ITEM.finditer(text)]
    assert [target for target in targets if not (each_site / target).is_file()] == []
    assert len(targets) == len(set(targets))


def test_it_lists_every_benchmark_with_what_it_holds(tiny_site: Path) -> None:
    text = (tiny_site / "llms.txt").read_text(encoding="utf-8")
    found = {item[1]: (item[2], item[3]) for item in ITEM.finditer(text)}
    assert found["Sorting on Numbers"] == (
        "sota/sorting-numbers.md",
        "5 recorded results; 1 regenerated; metrics: Time (s) (SECONDS; higher is better as recorded, "
        "disputed by its cited definition), Swaps, Feel; data updated 2025-06-01",
    )
    assert found["Stable Sorting on Numbers"] == (
        "sota/stable-sorting-numbers.md",
        "1 recorded result; metrics: Accuracy (PERCENT; higher is better as recorded)",
    )


def test_it_names_where_corrections_the_data_and_the_full_text_are(tiny_site: Path) -> None:
    targets = {found[2] for found in ITEM.finditer((tiny_site / "llms.txt").read_text(encoding="utf-8"))}
    assert {"corrections/index.md", "about/index.md", "llms-full.txt", "data/croissant.json"} <= targets


def held(text: str) -> list[str]:
    return re.findall(r"^=== (\S+) ===$", text, flags=re.MULTILINE)


def lines_without_links(text: str) -> list[str]:
    return re.sub(r"\]\(<[^>]*>\)", "]", text).splitlines()


def test_the_full_text_holds_whole_pages_and_says_how_many(tiny_site: Path) -> None:
    text = (tiny_site / "llms-full.txt").read_text(encoding="utf-8")
    names = held(text)
    assert names == [
        "index.md", "sota/sorting-numbers.md", "sota/stable-sorting-numbers.md", "metric/swaps.md", "metric/time.md",
    ]  # fmt: skip
    assert "This file holds 5 of 5 pages" in text
    for name in names:
        page = (tiny_site / name).read_text(encoding="utf-8")
        held_page = text.partition(f"=== {name} ===\n\n")[2].partition("\n=== ")[0]
        assert lines_without_links(held_page) == lines_without_links(page)


def test_the_full_text_is_bounded_and_says_what_it_leaves_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = (build(TINY / "data", tmp_path / "whole") / "llms-full.txt").read_bytes()
    ends = [len(whole[: whole.index(mark)]) for mark in (b"=== index.md", b"=== sota/stable-sorting-numbers.md")]
    monkeypatch.setattr(llms_full, "MAX_BYTES", 2_000 + ends[1] - ends[0])
    site = build(TINY / "data", tmp_path / "public")
    raw = (site / "llms-full.txt").read_bytes()
    assert held(raw.decode()) == ["index.md", "sota/sorting-numbers.md"]
    assert b"This file holds 2 of 5 pages" in raw
    assert b"leaves out 3 of these" in raw
    assert len(raw) <= llms_full.MAX_BYTES
