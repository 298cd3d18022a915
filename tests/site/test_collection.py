"""Large collections: Markdown in parts, nested indexes, and reading all of it back, each result once."""

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llms_txt.miniparse import parse_llms_txt

from pagesupport import build
from sotakit.errors import InputError, PageError
from sotakit.exchange.index import benchmark_pages
from sotakit.exchange.pages import read_pages
from sotakit.exchange.pwc import import_pwc
from sotakit.publish import llms
from sotakit.publish.entity_contexts import ListingPage
from sotakit.publish.paging import split
from sotakit.publish.rows import Link
from sotakit.publish.site_check import check_site
from sotakit.publish.urls import listing

FIXTURE = Path(__file__).parents[1] / "fixtures/pwc/nlp-progress-part.json"
BASE = "https://results.example/research"
Write = Callable[..., Path]


def registry(boards: int, results: int, tasks: int = 1) -> dict[str, str]:
    """Boards with as many results each, all from one source, spread over tasks."""
    rows = [
        {
            "id": f"r-{board}-{row:04d}",
            "benchmark": f"board-{board}",
            "method": "net",
            "method_label": f"Net {row} with a name of some length",
            "config": {"Seed": row, "Batch": 32},
            "scores": {"f1": f"{row}.{row % 10}", "em": "–"},
        }
        for board in range(boards)
        for row in range(results)
    ]
    metrics = [{"key": "f1", "label": "F1", "direction": "higher", "unit": "percent"}, {"key": "em", "label": "EM"}]
    return {
        "tasks.jsonl": lines({"id": f"task-{n}", "name": f"Task {n}"} for n in range(tasks)),
        "datasets.jsonl": lines([{"id": "data", "name": "Data"}]),
        "methods.jsonl": lines([{"id": "net", "name": "Net"}]),
        "benchmarks.jsonl": lines(
            {"id": f"board-{n}", "title": f"Board {n} [x]", "task": f"task-{n % tasks}", "dataset": "data"}
            | {"metrics": metrics}
            for n in range(boards)
        ),
        "sources.jsonl": lines([{"id": "paper", "type": "paper", "results": rows}]),
    }  # fmt: skip


def lines(records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture(scope="module")
def long_board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of one board with 250 results."""
    folder = tmp_path_factory.mktemp("long")
    for name, text in registry(1, 250).items():
        (folder / "data" / name).parent.mkdir(exist_ok=True)
        (folder / "data" / name).write_text(text)
    return build(folder / "data", folder / "public")


def test_a_long_board_has_parts_of_at_most_100_results_and_50_000_characters(long_board: Path) -> None:
    pages = [long_board / "sota/board-0.md", *sorted((long_board / "sota/board-0").glob("page-*.md"))]
    counts = [len(re.findall(r"^### ", page.read_text(encoding="utf-8"), flags=re.MULTILINE)) for page in pages]
    assert sum(counts) == 250
    assert max(counts) <= 100
    assert max(len(page.read_text(encoding="utf-8")) for page in pages) <= 50_000
    for number, page in enumerate(pages, 1):
        text = page.read_text(encoding="utf-8")
        assert f"\nPage {number} of {len(pages)}." in text
        assert f"| Results loaded | {counts[number - 1]} of 250 |" in text
        assert ("Next: [page" in text) == (number < len(pages))
        assert ("Before: [page" in text) == (number > 1)
    assert list(check_site(long_board)) == []


def test_other_long_pages_come_in_parts_too(long_board: Path) -> None:
    method = [long_board / "method/net.md", *(long_board / "method/net").glob("page-*.md")]
    assert len(method) > 2
    assert max(len(page.read_text(encoding="utf-8")) for page in method) <= 50_000
    links = [link for page in method for link in re.findall(r"#r-(r-0-\d{4})", page.read_text(encoding="utf-8"))]
    assert len(links) == 2 * 250  # a link for each score
    view = [long_board / "sota/board-0/f1.md", *(long_board / "sota/board-0/f1").glob("page-*.md")]
    assert sum(page.read_text(encoding="utf-8").count("\n| ") for page in view) >= 250


def test_the_first_part_is_read_as_the_whole_and_every_part_by_itself(long_board: Path) -> None:
    whole = read_pages([str(long_board / "sota/board-0.md")])
    assert [record.id for record in whole] == [f"r-0-{row:04d}" for row in reversed(range(250))]
    assert {record.benchmark for record in whole} == {"board-0"}
    assert all(record.scores["F1"]["text"] == f"{int(record.id[-4:])}.{int(record.id[-1])}" for record in whole)
    second = read_pages([str(long_board / "sota/board-0/page-2.md")])
    assert {record.id for record in second} < {record.id for record in whole}
    with pytest.raises(PageError, match="stands in"):
        read_pages([str(long_board / "sota/board-0.md"), str(long_board / "sota/board-0/page-2.md")])


def test_a_missing_or_foreign_part_is_an_error(long_board: Path, tmp_path: Path) -> None:
    (tmp_path / "board-0").mkdir()
    (tmp_path / "board-0.md").write_bytes((long_board / "sota/board-0.md").read_bytes())
    with pytest.raises(InputError, match=r"page-2\.md: cannot be read"):
        read_pages([str(tmp_path / "board-0.md")])
    for number in (2, 3, 4, 5):
        (tmp_path / f"board-0/page-{number}.md").write_bytes((long_board / "sota/board-0/page-2.md").read_bytes())
    with pytest.raises(PageError, match="is not page 3 of"):
        read_pages([str(tmp_path / "board-0.md")])


@given(count=st.integers(0, 40), size=st.integers(1, 12))
def test_parts_hold_every_row_once_in_order(count: int, size: int) -> None:
    entries = tuple((Link(str(n), listing("task")), "") for n in range(count))
    parts = split(ListingPage(listing("task"), "Tasks", "", (), entries), size)
    assert tuple(entry for part in parts for entry in part.entries) == entries
    assert max(len(part.entries) for part in parts) <= size
    assert len({part.address.md for part in parts}) == len(parts)
    assert parts[0].address == listing("task")


@pytest.mark.parametrize("base", [None, BASE])
@pytest.mark.parametrize(
    ("root", "nested", "files"),
    [
        (20_000, 45_000, {"llms.txt"}),
        (900, 45_000, {"llms.txt", "sota/llms.txt"}),
        (900, 900, {"llms.txt", "sota/llms.txt", *(f"task/task-{n}/llms.txt" for n in range(5))}),
        (100, 250, {"llms.txt", "sota/llms.txt", "sota/llms-2.txt", "task/task-0/llms.txt", "task/task-0/llms-2.txt"}),
    ],
)
def test_a_collection_is_read_back_whole_however_its_index_is_nested(  # noqa: PLR0917
    write: Write,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    root: int,
    nested: int,
    files: set[str],
    base: str | None,
) -> None:
    monkeypatch.setattr(llms, "MAX_ROOT", root)
    monkeypatch.setattr(llms, "MAX_CHARS", nested)
    site = build(write(registry(24, 3, tasks=5)), tmp_path / "public", base_url=base)
    assert list(check_site(site)) == []
    indexes = {path.relative_to(site).as_posix() for path in site.rglob("llms*.txt")} - {"llms-full.txt"}
    assert indexes == files or (nested == 250 and indexes > files)
    records = read_pages([str(site / "llms.txt")])
    assert sorted(record.id for record in records) == [
        f"r-{b}-{r:04d}" for b in sorted(map(str, range(24))) for r in range(3)
    ]


def test_every_index_is_read_by_the_reference_parser_and_passes_the_strict_validators(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(llms, "MAX_ROOT", 900)
    monkeypatch.setattr(llms, "MAX_CHARS", 900)
    site = build(write(registry(24, 1, tasks=5)), tmp_path / "public", base_url=BASE)
    linked: set[str] = set()
    for index in set(site.rglob("llms*.txt")) - {site / "llms-full.txt"}:
        parsed = parse_llms_txt(index.read_text(encoding="utf-8"))
        assert parsed["summary"]
        for section in parsed["sections"].values():
            for item in section:
                assert item["desc"]
                assert (site / item["url"].removeprefix(f"{BASE}/")).is_file(), item["url"]
                linked.add(item["url"])
        for validator in (["llmstxt", "validate"], ["llms_txt_audit.cli"]):
            ran = subprocess.run(
                [sys.executable, "-m", validator[0], *validator[1:], str(index)],
                capture_output=True,
                text=True,
                check=False,
            )
            assert ran.returncode == 0, ran.stdout
            assert "FAIL" not in ran.stdout
    assert {f"{BASE}/sota/board-{n}.md" for n in range(24)} <= linked


def test_an_imported_collection_comes_back_as_it_was_imported(tmp_path: Path) -> None:
    import_pwc(FIXTURE, tmp_path / "data")
    site = build(tmp_path / "data", tmp_path / "public")
    assert list(check_site(site)) == []
    read = {record.id: record for record in read_pages([str(site / "llms.txt")])}
    boards = {board["id"]: board for board in records(tmp_path / "data/benchmarks/imported-nlp-progress-part.jsonl")}
    imported = records(tmp_path / "data/results/imported-nlp-progress-part.jsonl")
    assert len(read) == len(imported) == 41
    for row in imported:
        found, board = read[row["id"]], boards[row["benchmark"]]
        labels = {metric["key"]: metric["label"] for metric in board["metrics"]}
        assert {label: score["text"] for label, score in found.scores.items()} == {
            labels[key]: text for key, text in row["scores"].items()
        }
        assert (found.method, found.title, found.reporting_paper) == (
            row["method_label"],
            board["title"],
            row["source"],
        )
        assert {score["direction"] for score in found.scores.values()} == {"unknown"}
        assert (found.origin, found.reproduction) == ("imported", "not_attempted")


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_an_index_of_pages_that_are_gone_is_an_error(long_board: Path, tmp_path: Path) -> None:
    (tmp_path / "llms.txt").write_bytes((long_board / "llms.txt").read_bytes())
    with pytest.raises(PageError, match=r"sota/board-0\.md leads to no file"):
        benchmark_pages(tmp_path / "llms.txt")


def test_the_csv_twin_has_every_result_and_no_formulas(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    minimal["sources/paper-a.yaml"] += (
        "  - id: row-3\n    benchmark: sorting-on-numbers\n    method: merge\n    method_label: '=cmd|x'\n"
        "    scores: {accuracy: '-1.5'}\n"
    )
    minimal["metrics.yaml"] = minimal["metrics.yaml"].replace('min: "0"', 'min: "-9"')
    site = build(write(minimal), tmp_path / "public")
    text = (site / "sota/sorting-on-numbers.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["result_id"], row["rank"], row["Accuracy (percent)"]) for row in rows] == [
        ("row-2", "1", "93.2"), ("row-1", "2", "70.10"), ("row-3", "3", "-1.5"),
    ]  # fmt: skip
    assert [row["method"] for row in rows] == ["Merge", "Bubble", "'=cmd|x"]
