"""A task holds its benchmarks and those of narrower tasks, each once, and every list and page says the same number."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pagesupport import build, parse_html
from sotakit.publish import llms

# top > left, right > bottom (a diamond), bottom > deep; alone has nothing below it, empty has nothing at all.
TASKS = {
    "top": [],
    "left": ["top"],
    "right": ["top"],
    "bottom": ["left", "right"],
    "deep": ["bottom"],
    "alone": [],
    "empty": [],
}
BOARDS = {"b1": "top", "b2": "left", "b3": "right", "b4": "bottom", "b5": "bottom", "b6": "deep", "b7": "alone"}
HELD = {
    "top": (6, 5),
    "left": (4, 3),
    "right": (4, 3),
    "bottom": (3, 1),
    "deep": (1, 0),
    "alone": (1, 0),
    "empty": (0, 0),
}
RESULTS = {"top": 12, "left": 8, "right": 8, "bottom": 6, "deep": 2, "alone": 2, "empty": 0}


def words(task: str) -> str:
    every, narrower = HELD[task]
    count = f"{every} benchmark{'' if every == 1 else 's'}"
    return f"{count}, {narrower} of them in narrower tasks" if narrower else count


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    metric = {"key": "acc", "label": "Acc", "direction": "higher", "unit": "percent"}
    rows = [
        {
            "id": f"{board}-{number}",
            "benchmark": board,
            "method": "m",
            "config": {"N": number},
            "scores": {"acc": f"{number}"},
        }
        for board in BOARDS
        for number in (1, 2)
    ]
    records: dict[str, Any] = {
        "registry": {"title": "Counts"},
        "tasks": [{"id": name, "name": name.title(), "parents": parents} for name, parents in TASKS.items()],
        "datasets": [{"id": "d", "name": "Data"}],
        "methods": [{"id": "m", "name": "M"}],
        "benchmarks": [
            {"id": name, "title": name, "task": task, "dataset": "d", "metrics": [metric]}
            for name, task in BOARDS.items()
        ],
        "sources": [{"id": "p", "type": "paper", "title": "P", "url": "https://example.org/p", "results": rows}],
    }  # fmt: skip
    folder = tmp_path_factory.mktemp("counts") / "data"
    folder.mkdir()
    for name, value in records.items():
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def site(data: Path) -> Path:
    return build(data, data.parent / "public")


def text(site: Path, name: str) -> str:
    return (site / name).read_text(encoding="utf-8")


def test_the_list_of_tasks_counts_as_the_first_page_does(site: Path) -> None:
    for task in TASKS:
        assert f"[{task.title()}](<{task}.md>): {words(task)}\n" in text(site, "task/index.md")
        results = f"{RESULTS[task]} results"
        assert f"[{task.title()}](<task/{task}.md>): {words(task)}; {results}\n" in text(site, "index.md")
    listed = [
        item.text for item in parse_html(text(site, "task/index.html")).one("ul", class_="plain columns").all("li")
    ]
    assert listed == [f"{task.title()} {words(task)}" for task in sorted(TASKS)]
    notes = re.findall(
        r'<a href="task/(\w+)/index.html"[^>]*><bdi>\w+</bdi></a> <span class="quiet">([^<]*)</span>',
        text(site, "index.html"),
    )
    assert set(notes) == {(task, f"{words(task)}; {RESULTS[task]} results") for task in TASKS}


@pytest.mark.parametrize("task", TASKS)
def test_the_page_of_a_task_says_it_and_lists_what_is_its_own(site: Path, task: str) -> None:
    page = text(site, f"task/{task}.md")
    assert f"\n- Holds: {words(task)}\n" in page
    own = {name for name, of in BOARDS.items() if of == task}
    assert set(re.findall(r"^\| \[(b\d)\]", page, re.MULTILINE)) == own
    narrower = {name: words(name) for name, parents in TASKS.items() if task in parents}
    assert dict(re.findall(r"^- \[\w+\]\(<(\w+)\.md>\): (\d.*)$", page, re.MULTILINE)) == narrower
    assert f"<dt>Holds</dt><dd><bdi>{words(task)}</bdi></dd>" in text(site, f"task/{task}/index.html").replace("\n", "")


def test_the_search_counts_their_results(site: Path) -> None:
    entries = json.loads(text(site, "search/index.js").partition("=")[2].rstrip().rstrip(";"))["entries"]
    assert {name: results for kind, name, _, results, *_ in entries if kind == 1} == RESULTS


def test_an_index_of_one_task_says_what_it_leaves_out(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llms, "MAX_ROOT", 10)
    monkeypatch.setattr(llms, "MAX_CHARS", 100)
    site = build(data, tmp_path / "public")
    notes = dict(
        re.findall(
            r"\((?:\.\./)?task/(\w+)/llms\.txt\): (.*)$",
            "".join(text(site, path.relative_to(site).as_posix()) for path in sorted(site.glob("sota/llms*.txt"))),
            re.MULTILINE,
        )
    )
    assert notes["top"] == "1 benchmark, without those of narrower tasks"
    assert notes["alone"] == "1 benchmark"
