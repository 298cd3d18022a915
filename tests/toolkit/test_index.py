"""The index of results: which of them are looked at again, in which portions, and that portions change nothing."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from sotakit.check.findings import Origin
from sotakit.check.index import ResultIndex
from sotakit.collection import LoadedResult
from sotakit.folding import Folding
from sotakit.validate import validate
from sotaschema.results import Result

Write = Callable[..., Path]


def indexed(*rows: tuple[str, str, str]) -> ResultIndex:
    """An index of results given by benchmark, method and value."""
    index = ResultIndex(Folding([]), ())
    results = [
        LoadedResult(f"r{line}", Result(benchmark=board, method=method, scores={"a": value}), "s", Origin("f", line))
        for line, (board, method, value) in enumerate(rows)
    ]
    index.add(results, [False] * len(results))
    return index


@pytest.mark.parametrize("at_once", [1, 2, 3, 100])
def test_portions_hold_every_suspect_once_and_part_no_benchmark(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    monkeypatch.setattr("sotakit.check.index.SUSPECTS_AT_ONCE", at_once)
    index = indexed(
        ("a", "m", "1"), ("b", "m", "1"), ("a", "m", "2"), ("c", "m", "1"), ("c", "n", "1"),
        ("b", "m", "3"), ("d", "m", "1"), ("e", "x", "1"), ("e", "x", "2"), ("e", "x", "3"),
    )  # fmt: skip
    portions = [portion.tolist() for portion in index.suspects(["d"])]
    assert sorted(ordinal for portion in portions for ordinal in portion) == [0, 1, 2, 5, 6, 7, 8, 9]
    boards = [{"aba--bdeee"[ordinal] for ordinal in portion} for portion in portions]
    assert sum(map(len, boards)) == len(set().union(*boards)) == 4
    assert all(len(portion) <= at_once or len(names) == 1 for portion, names in zip(portions, boards, strict=True))


def test_results_without_a_like_are_not_looked_at_again() -> None:
    index = indexed(("a", "m", "1"), ("a", "n", "2"), ("b", "m", "1"))
    assert list(index.suspects([])) == []
    assert index.same_id().tolist() == []


def test_small_portions_and_runs_on_disk_change_no_byte(
    seed_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compiled(name: str) -> tuple[list[str], list[str]]:
        outcome = validate(seed_data, tmp_path / name, "2026-06-01")
        assert outcome.tables is not None
        files = sorted(outcome.tables.iterdir())
        return [hashlib.sha256(path.read_bytes()).hexdigest() for path in files], [str(f) for f in outcome.findings]

    whole = compiled("whole")
    for name, value in (
        ("validate.BATCH", 2), ("result_tables.PIECE", 3), ("spill.RUN_BYTES", 500), ("spill.BATCH_ROWS", 2),
        ("standings.PORTION", 2), ("check.index.SUSPECTS_AT_ONCE", 1),
    ):  # fmt: skip
        monkeypatch.setattr(f"sotakit.{name}", value)
    assert compiled("parts") == whole
    assert [path.name for path in (tmp_path / "parts").iterdir() if path.name.startswith(".spill")] == []
