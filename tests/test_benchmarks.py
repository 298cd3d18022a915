"""The benchmarks' made-up data is valid, the same every time and the same for every tool; bars that fail show."""

import json
import subprocess
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from time import perf_counter

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))

from benchmarks import boards, measure, peers_site, records, report, yaml_records  # noqa: E402

from sotakit.check.findings import Finding  # noqa: E402
from sotakit.validate import examine  # noqa: E402

TODAY = "2026-11-30"


def findings(data: Path) -> list[Finding]:
    return examine(data, TODAY).findings


def test_made_up_results_are_valid_and_complete(tmp_path: Path) -> None:
    records.write_registry(tmp_path, 200)
    lines = (tmp_path / "results/bulk.jsonl").read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    assert len({row["id"] for row in rows}) == len({(row["method"], row["benchmark"]) for row in rows}) == 200
    assert {len(row) for row in rows} == {14}
    assert {len(row["config"]) for row in rows} == set(range(6))
    assert {len(row["scores"]) for row in rows} == set(range(1, 7))
    assert 350 < sum(map(len, lines)) / 200 < 430
    assert findings(tmp_path) == []


def test_the_same_results_every_time_and_for_every_count() -> None:
    assert list(records.lines(50)) == list(records.lines(80))[:50]
    assert list(records.lines(50)) != list(records.lines(50, seed=8))


def test_no_two_of_all_possible_results_are_of_one_method_on_one_benchmark() -> None:
    pairs = {index * records._STEP % records.MOST for index in range(records.MOST)}
    assert len(pairs) == records.METHODS * records.BENCHMARKS
    with pytest.raises(ValueError, match="at most 1,000,000"):
        next(records.lines(records.MOST + 1))


def test_doubled_keys_are_where_they_are_said_to_be(tmp_path: Path) -> None:
    spoiled = records.write_registry(tmp_path, 100, doubled=7)
    doubled = []
    for number, line in enumerate((tmp_path / "results/bulk.jsonl").read_text().splitlines(), 1):
        keys = Counter(key for key, _ in json.loads(line, object_pairs_hook=list))
        if max(keys.values()) > 1:
            doubled.append(number)
    assert doubled == spoiled
    assert len(spoiled) == 7
    assert [(finding.code, finding.line) for finding in findings(tmp_path)] == [("E105", line) for line in spoiled]


@pytest.mark.parametrize("together", [False, True])
def test_yaml_holds_the_same_results(tmp_path: Path, *, together: bool) -> None:
    yaml_records.write_registry(tmp_path, 60, together=together)
    found = {}
    for path in tmp_path.rglob("*.yaml"):
        loaded = yaml.load(path.read_text(), Loader=yaml.BaseLoader)  # every scalar as text
        for row in loaded if together else loaded["results"]:
            found[row["id"]] = (row["method"], row["scores"], row["locator"]["page"])
    expected = map(json.loads, records.lines(60))
    assert found == {row["id"]: (row["method"], row["scores"], str(row["locator"]["page"])) for row in expected}
    assert findings(tmp_path) == []


def test_boards_are_valid_and_have_25_results_each(tmp_path: Path) -> None:
    boards.write_registry(tmp_path, boards.Scale(20))
    rows = [json.loads(line) for path in tmp_path.glob("sources/*") for line in path.read_text().splitlines()]
    assert set(Counter(row["benchmark"] for row in rows).values()) == {25}
    assert len({row["benchmark"] for row in rows}) == 20
    assert findings(tmp_path) == []
    assert boards.change_one(tmp_path, "50.01") == "board-00000"
    assert findings(tmp_path) == []
    after = [json.loads(line) for path in tmp_path.glob("sources/*") for line in path.read_text().splitlines()]
    assert sum(one != other for one, other in zip(rows, after, strict=True)) == 1


def test_every_tool_gets_the_same_tables(tmp_path: Path) -> None:
    scale = boards.Scale(20)
    boards.write_registry(tmp_path / "data", scale)
    peers_site.write_inputs(tmp_path / "peers", scale)
    claims: dict[str, set[str]] = {}
    for path in (tmp_path / "data/sources").iterdir():
        for row in map(json.loads, path.read_text().splitlines()):
            value = next(iter(row["scores"].values()))
            claims.setdefault(row["benchmark"], set()).add(f"| {row['method_label']} | {value} | {row['date']} |")
    for name, expected in claims.items():
        page = (tmp_path / f"peers/pages/sota/{name}.md").read_text()
        assert all(claim in page for claim in expected)
        assert page.count("\n### ") == len(expected) == 25
    lines = (tmp_path / "peers/boards.jsonl").read_text().splitlines()
    assert [len(json.loads(line)["rows"]) for line in lines] == [25] * 20


def test_a_board_shows_the_best_first() -> None:
    for index in range(30):
        board = boards.board(index, boards.Scale(100))
        values = [float(row.value) for row in board.rows]
        assert values == sorted(values, reverse=board.direction.startswith("Higher"))


def test_the_page_says_which_bars_hold() -> None:
    part = report.Part("x", "Speed", "What it does.")
    part.add("fast", "1 s", bar="under 2 s", holds=True)
    part.add("slow", "3 s", others="a|b: 1 s", bar="under 2 s", holds=False)
    part.add("just so", "4 s")
    part.keep("run", measure.Cost(1.0, 2.0, 3.0, "x" * 1000))
    kept = json.loads(json.dumps(report.record(part, "python -m benchmarks", 0.52)))
    page = report.page([kept, {**kept, "title": "Again"}])
    assert "| fast | 1 s |  |  | under 2 s | yes |" in page
    assert "| slow | 3 s | a\\|b: 1 s |  | under 2 s | **no** |" in page
    assert "| just so | 4 s |  |  |  |  |" in page
    assert "load 0.5 at the start" in page
    assert page.count("Machine: ") == 1
    assert str(ROOT) not in page
    assert kept["costs"]["run"] == {**asdict(part.costs["run"]), "output": "x" * 200}


def test_the_cost_of_a_command_is_its_own() -> None:
    program = "import time; print('done'); end = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
    begin = perf_counter()
    cost = measure.run([sys.executable, "-c", program])
    assert cost.output == "done\n"
    assert 0.3 <= cost.cpu <= cost.wall + 0.1 <= perf_counter() - begin + 0.1


def peak_of(program: str) -> float:
    """Measured from a small process, as the benchmarks do: a child starts with the size of what starts it."""
    code = "import sys; from benchmarks.measure import run; print(run([sys.executable, '-c', sys.argv[1]]).peak)"
    return float(
        subprocess.run([sys.executable, "-c", code, program], capture_output=True, check=True, cwd=ROOT).stdout
    )


def test_memory_is_that_of_the_command() -> None:
    assert 60 < peak_of("held = bytearray(b'x') * 60_000_000") < 100


def test_memory_of_children_counts_together() -> None:
    child = "held = bytearray(b'x') * 60_000_000; import time; time.sleep(2)"
    both = f"import subprocess, sys; runs = [subprocess.Popen([sys.executable, '-c', {child!r}]) for _ in range(2)]"
    assert 120 < peak_of(f"{both}\nfor run in runs: run.wait()") < 200


def test_a_command_that_fails_has_no_cost() -> None:
    with pytest.raises(measure.MeasureError, match=r"ended with 3: why"):
        measure.run([sys.executable, "-c", "import sys; sys.stderr.write('why'); sys.exit(3)"])
