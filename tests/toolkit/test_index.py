"""The index of results: which of them are looked at again, in which portions, and that portions change nothing."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sotakit.check.contested import contested
from sotakit.check.findings import Origin
from sotakit.check.identity import contested_claim, probable_duplicate, same_claim, same_id
from sotakit.check.index import ResultIndex
from sotakit.collection import Collection, Loaded, LoadedResult, loaded
from sotakit.folding import Folding
from sotakit.validate import validate
from sotaschema.entities import Benchmark, BenchmarkMetric, ConfigKey
from sotaschema.results import Result, Source

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
    assert list(index.same_id()) == []


FOLDING = [
    ConfigKey(key="shots", aliases=["k"]),
    ConfigKey.model_validate({"key": "size", "pairs": [{"key": "large", "value": True, "as_value": 1}]}),
]
CONFIGS = st.dictionaries(
    st.sampled_from(["shots", "k", "size", "large", "n"]), st.sampled_from([1, 2, 1.0, True, "1"]), max_size=3
)
ROWS = st.tuples(
    st.sampled_from(["s", "t"]),
    st.fixed_dictionaries(
        {
            "id": st.sampled_from([None, None, "x", "y"]),
            "benchmark": st.sampled_from(["b", "c"]),
            "method": st.sampled_from(["m", "n"]),
            "method_label": st.sampled_from([None, "m", "M"]),
            "config": CONFIGS,
            "scores": st.dictionaries(st.sampled_from(["a", "z"]), st.sampled_from(["1", "2", "1.0"]), min_size=1),
            "variant": st.sampled_from([None, None, "v"]),
        }
    ),
)


CLAIM = {"id": None, "benchmark": "b", "method": "m", "method_label": None, "variant": None}


@given(st.lists(ROWS, max_size=8), st.booleans())
@example(
    [
        ("s", {**CLAIM, "config": {"k": 1, "large": True}, "scores": {"a": "1"}}),
        ("t", {**CLAIM, "config": {"shots": 1, "size": 1}, "scores": {"a": "2"}}),
    ],
    True,
)
def test_rules_that_compare_results_find_the_same_among_suspects(
    rows: list[tuple[str, dict[str, Any]]], known_texts: bool
) -> None:
    listed = [BenchmarkMetric(key=key, label=key) for key in ("a", "z")]
    boards = [Benchmark(id=name, title=name, task="t", dataset="d", metrics=listed) for name in ("b", "c")]
    sources = [Source(id=name, type="paper") for name in ("s", "t")]
    kinds: Any = {"config_keys": FOLDING, "benchmarks": boards, "sources": sources}
    whole = Collection(kinds={kind: [Loaded(row, Origin(kind)) for row in rows] for kind, rows in kinds.items()})
    for line, (source, row) in enumerate(rows):
        found = loaded(Result(**row), source, Origin("f", line), row["scores"] if known_texts else None)
        assert found is not None
        whole.results.append(found)
    index = ResultIndex(Folding(FOLDING), ())
    index.add(whole.results, [False] * len(rows))
    suspects = whole.batch([whole.results[at] for portion in index.suspects([]) for at in portion.tolist()])
    suspects.results.sort(key=lambda result: result.origin)
    once = whole.batch(list({row.id: row for row in reversed(whole.results)}.values())[::-1])
    once.results.sort(key=lambda result: result.origin)
    for rule in (probable_duplicate, contested_claim, contested):
        assert list(rule(suspects)) == list(rule(once)), rule
    for at_once in (1, 2, 3, 100):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sotakit.check.index.SUSPECTS_AT_ONCE", at_once)
            portions = [whole.batch([whole.results[at] for at in part.tolist()]) for part in index.same_id()]
        assert all(len(part.results) <= at_once + 1 for part in portions)
        for rule in (same_id, same_claim):
            found = [problem for part in portions for problem in rule(part)]
            expected = [problem for problem in rule(whole) if problem.origin.file == "f"]
            assert sorted(found) == sorted(expected), (rule, at_once)


def test_equal_values_under_other_conditions_are_no_reason_to_look_again() -> None:
    index = ResultIndex(Folding([]), ())
    rows = [Result(benchmark="b", method="m", config={"seed": seed}, scores={"a": "1"}) for seed in range(50)]
    named = [Result(benchmark="b", method="m", config={name: "x"}, scores={"a": "1"}) for name in ("size", "width")]
    results = [loaded(row, "s", Origin("f", line)) for line, row in enumerate([*rows, *named])]
    index.add([result for result in results if result], [False] * len(results))
    assert [portion.tolist() for portion in index.suspects([])] == [[50, 51]]


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
        ("spill.CHUNK", 3), ("standings.PORTION", 2), ("check.index.SUSPECTS_AT_ONCE", 1),
    ):  # fmt: skip
        monkeypatch.setattr(f"sotakit.{name}", value)
    assert compiled("parts") == whole
    assert [path.name for path in (tmp_path / "parts").iterdir() if path.name.startswith(".spill")] == []
