"""The tree of tasks on the first page: each task in full once, however many ways lead to it, and so deep at most."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from pagesupport import Node, build, parse_html
from sotakit.publish.home_page import MAX_DEPTH

Write = Callable[..., Path]
Parents = dict[str, list[str]]

LATTICES: dict[str, Parents] = {
    "pairs": {f"t{n}": [f"t{m}" for m in ((n - 2) // 2 * 2, (n - 2) // 2 * 2 + 1) if n > 1] for n in range(40)},
    "complete": {f"t{n}": [f"t{m}" for m in range(n)] for n in range(40)},
    "layers": {f"t{n}": [f"t{m}" for m in range(n // 10 * 10 - 10, n // 10 * 10) if m >= 0] for n in range(40)},
    "chain": {f"t{n}": [f"t{n - 1}"] if n else [] for n in range(300)},
}


def records(parents: Parents) -> dict[str, str]:
    """Each task with one benchmark, so that what a task holds is how many tasks lie below it, itself included."""
    return {
        "tasks.json": json.dumps([{"id": name, "name": name, "parents": above} for name, above in parents.items()]),
        "datasets.json": json.dumps([{"id": "d", "name": "D"}]),
        "benchmarks.json": json.dumps(
            [{"id": f"b-{name}", "title": name, "task": name, "dataset": "d", "metrics": [{"key": "m", "label": "M"}]}
             for name in parents]
        ),
    }  # fmt: skip


def below(parents: Parents, task: str) -> set[str]:
    """The task and all narrower ones."""
    found = {task}
    while new := {name for name, above in parents.items() if found & {*above}} - found:
        found |= new
    return found


def items(site: Path) -> list[Node]:
    page = parse_html((site / "index.html").read_text(encoding="utf-8"))
    return [item for tree in page.all("ul", class_="tree")[:1] for item in tree.all("li")]


def depth(node: Node) -> int:
    """Levels of lists inside of each other."""
    inner = max((depth(child) for child in node.children if isinstance(child, Node)), default=0)
    return inner + (node.tag == "ul")


def inside(item: Node, tag: str) -> list[Node]:
    return [child for child in item.children if isinstance(child, Node) and child.tag == tag]


@pytest.mark.parametrize("name", LATTICES)
def test_a_task_with_narrower_ones_is_shown_in_full_once(write: Write, tmp_path: Path, name: str) -> None:
    parents = LATTICES[name]
    site = build(write(records(parents)), tmp_path / "public")
    shown = [(item.all("a")[0].text, item) for item in items(site)]
    full = Counter(task for task, item in shown if inside(item, "ul"))
    assert set(full.values()) == {1}
    if name in ("complete", "layers"):  # the others are deeper than the page shows
        assert {task for task, _ in shown} == {*parents}
    for task, item in shown:
        notes = [note.text for note in inside(item, "span")]
        assert all(note.startswith(f"{len(below(parents, task))} benchmark") for note in notes)
    assert all((site / page).stat().st_size < 100_000 for page in ("index.html", "index.md"))
    tree = parse_html((site / "index.html").read_text(encoding="utf-8")).all("ul", class_="tree")[0]
    assert depth(tree) <= MAX_DEPTH


def test_what_lies_deeper_is_named(write: Write, tmp_path: Path) -> None:
    site = build(write(records(LATTICES["chain"])), tmp_path / "public")
    last = items(site)[-1]
    assert last.all("a")[0].text == "t7"
    assert last.all("span")[0].text.endswith("its page has the narrower tasks")
    assert "t8" in parse_html((site / "task/t7/index.html").read_text(encoding="utf-8")).one("main").text
