"""llms.txt follows the proposal, in the narrow form that its reference parser reads."""

import re
from pathlib import Path

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
