"""The quick pass over scores: whatever it passes over, no rule about single scores has anything to say on."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sotakit.check.boards import doubtful_number, missing_mark, mixed_units, unit_slip
from sotakit.check.findings import Origin
from sotakit.check.glance import FirstGlance, Glance
from sotakit.check.rules import RULES, TALLIED_RULES
from sotakit.collection import Collection, Loaded, LoadedResult
from sotaschema.entities import Benchmark, BenchmarkMetric, Metric
from sotaschema.results import Result

ABOUT_SCORES = ("W208", "W212", "W213", "E501", "E502", "W515", "N518", "W520", "W521", "W523")

PRINTED = [
    "1",
    "0.5",
    "99.9",
    "100.5",
    "-1",
    "50 %",
    "1 ± 0.1",
    "2 [1, 3]",
    "60 / 70",
    "3,5",
    "–",
    "~7",
    "33.3",
    "1e3",
    "1,234",
    "3 [2, 1]",
]
ODD = [
    "x",
    "1.0",
    "1.00000000000000000001",
    "100.00000000000000000001",
    "0.55",
    "5.5",
    "0",
    ".5",
    "5.",
    "1.2.3",
    ".",
    "9007199254740993",
    "1.5e-322",
    "91,205",
    "3K",
    "24M",
]
texts = st.sampled_from([*PRINTED, *ODD])
stated = st.fixed_dictionaries(
    {"text": texts},
    optional={
        "unit": st.sampled_from(["percent", "seconds"]),
        "qualifier": st.just("at_most"),
        "uncertainty": st.sampled_from(
            [{"kind": "unknown"}, {"kind": "sd", "value": "1"}, {"low": "1", "high": "2"}, {"value": "-1"}]
        ),
        "missing_reason": st.just("not_run"),
        "n_runs": st.sampled_from([1, 3]),
        "aggregation": st.sampled_from(["single_run", "mean"]),
    },
)
metrics = st.fixed_dictionaries(
    {"unit": st.sampled_from(["percent", "fraction", "unknown"])},
    optional={"min": st.just("0"), "max": st.just("100"), "share_of_items": st.just(True)},
)


def collection(scores: list[Any], metric: dict[str, Any], unit: str) -> Collection:
    """A collection of one board with two metrics, one of which the knowledge base has."""
    known = Metric(id="acc", name="Accuracy", **metric)
    listed = [
        BenchmarkMetric(key="acc", metric="acc", label="Accuracy", unit=unit, direction="higher"),
        BenchmarkMetric(key="other", label="Other", unit=unit, direction="lower"),
    ]
    board = Benchmark(id="b", title="B", task="t", dataset="d", n_items=3, metrics=listed)
    results = [
        LoadedResult(
            f"r{n}",
            Result(benchmark="b", method="m", scores={key: score}),
            "s",
            Origin("a", n),
            {key: score} if isinstance(score, str) and n % 2 else None,
        )
        for n, score in enumerate(scores)
        for key in ("acc", "other", "unlisted")
    ]
    kinds = {"benchmarks": [Loaded(board, Origin("b"))], "metrics": [Loaded(known, Origin("m"))]}
    return Collection(kinds=kinds, results=results)


@given(st.lists(texts | stated, max_size=6), metrics, st.sampled_from(["percent", "fraction", "unknown"]))
def test_rules_find_the_same_in_what_is_left(scores: list[Any], metric: dict[str, Any], unit: str) -> None:
    whole = collection(scores, metric, unit)
    batch = whole.batch(whole.results)
    batch.scored = FirstGlance(whole.known).remarkable(whole.results)
    for code in ABOUT_SCORES:
        if code in TALLIED_RULES:
            problems = [list(TALLIED_RULES[code](part)) for part in (whole, batch)]
        else:
            problems = [list(RULES[code](part)) for part in (whole, batch)]
        assert problems[0] == problems[1], code


@given(st.lists(texts | stated, max_size=6), st.sampled_from(["percent", "fraction", "unknown", "seconds"]))
def test_a_board_that_is_not_suspicious_has_nothing_to_find(scores: list[Any], unit: str) -> None:
    whole = collection(scores, {"unit": "unknown"}, unit)
    glance = FirstGlance(whole.known)
    glance.remarkable(whole.results)
    found = [problem for rule in (unit_slip, missing_mark, mixed_units, doubtful_number) for problem in rule(whole)]
    assert "b" in glance.suspicious() or not found


def test_plain_values_are_passed_over() -> None:
    whole = collection(["93.2", "50", "0.5"], {"unit": "percent", "min": "0", "max": "100"}, "percent")
    assert FirstGlance(whole.known).remarkable(whole.results) == []


def test_what_rounding_makes_equal_to_a_bound_is_not_passed_over() -> None:
    whole = collection(["100.00000000000000000001"], {"unit": "percent", "min": "0", "max": "100"}, "percent")
    found = FirstGlance(whole.known).remarkable(whole.results)
    assert [key for _, key, *_ in found] == ["acc", "other"], "outside of one's bounds, too long for both"


@pytest.mark.parametrize(
    ("values", "unit"), [(["1.00000000000000000001"], "fraction"), (["0.55", "5.5"], "unknown"), (["0.5"], "percent")]
)
def test_what_rounding_changes_is_suspicious_all_the_same(values: list[str], unit: str) -> None:
    whole = collection(values, {"unit": "unknown"}, unit)
    glance = FirstGlance(whole.known)
    glance.remarkable(whole.results)
    assert list(glance.suspicious()) == ["b"]


def test_what_makes_a_board_suspicious() -> None:
    def suspicious(*values: str, unit: Any = "percent") -> bool:
        glance = Glance()
        for value in values:
            glance.add(Decimal(value), unit)
        return glance.suspicious

    assert not suspicious("93.2", "50", "9.1")
    assert not suspicious("0.9", "8.9")
    assert suspicious("0.9", "9")
    assert suspicious("0.9", "0.8")
    assert suspicious("50", "-1")
    assert suspicious("0.9", "1.2", unit="fraction")
