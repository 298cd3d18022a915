"""Sources that contradict one another: which values agree, and which claims are compared at all."""

from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulecases import SOURCE, check, edited, event, other_source, row
from sotakit.check.contested import Claim, _meet, agree, contested
from sotakit.check.findings import Origin
from sotakit.check.load import load
from sotakit.collection import Collection, Loaded, LoadedResult
from sotaschema.entities import Benchmark, BenchmarkMetric
from sotaschema.results import Result, Source

Write = Callable[..., Path]


def found(write: Write, minimal: dict[str, str], *edits: tuple[str, str | None, str]) -> list[str]:
    outcome = check(write(edited(minimal, edits)))
    assert {finding.code for finding in outcome.findings} <= {"W701", "W513"}
    return [finding.message for finding in outcome.findings if finding.code == "W701"]


def test_the_message_lists_values_sources_and_spread(write: Write, minimal: dict[str, str]) -> None:
    third = other_source(row("row-6", "accuracy: 93.2"), name="paper-c")
    (message,) = found(write, minimal, other_source(row("row-5", "accuracy: 94.05")), third)
    assert message == ("Accuracy of merge is contested: 93.2 (paper-a), 94.05 (paper-b), 93.2 (paper-c); spread 0.85")


def collection(*claims: tuple[str, str, str | None], config: dict[str, int] | None = None) -> Collection:
    """Claims (source, value, unit) about one method on one board."""
    metric = BenchmarkMetric(key="acc", label="Accuracy")
    board = Benchmark(id="b", title="B", task="t", dataset="d", metrics=[metric])
    sources = {name: Source(id=name, type="paper") for name, _, _ in claims}
    results = [
        LoadedResult(
            f"r{n}",
            Result(benchmark="b", method="m", config=config or {}, scores={"acc": {"text": text, "unit": unit}}),
            name,
            Origin("a", n),
        )
        for n, (name, text, unit) in enumerate(claims)
    ]
    kinds = {
        "benchmarks": [Loaded(board, Origin("b"))],
        "sources": [Loaded(source, Origin(name)) for name, source in sources.items()],
    }
    return Collection(kinds=kinds, results=results)


def disputed(*claims: tuple[str, str, str | None]) -> int:
    return len(list(contested(collection(*claims))))


@pytest.mark.parametrize(
    ("one", "two", "contradict"),
    [
        ("93.2", "93.20", False),
        ("93.2", "93.24", False),
        ("93.2", "93.15", False),
        ("93.2", "93.25", False),
        ("93.2", "93.26", True),
        ("93.20", "93.21", True),
        ("90", "90.4", False),
        ("24M", "24.3M", False),
        ("24M", "25.1M", True),
        ("0", "0.0", False),
    ],
)
def test_values_agree_up_to_rounding(one: str, two: str, contradict: bool) -> None:
    assert disputed(("s", one, None), ("t", two, None)) == contradict
    assert disputed(("t", two, None), ("s", one, None)) == contradict


@given(st.decimals("0", "100", places=4), st.integers(0, 3))
def test_a_value_never_contradicts_its_own_rounding(value: Decimal, digits: int) -> None:
    coarse = value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_EVEN)
    assert disputed(("s", str(value), None), ("t", str(coarse), None)) == 0
    further = coarse + Decimal(1).scaleb(-digits)
    assert disputed(("s", str(value), None), ("t", str(further), None)) == (abs(further - value) * 2 > 10**-digits)


def test_percent_and_fraction_are_compared_after_conversion() -> None:
    assert disputed(("s", "93.2", "percent"), ("t", "0.932", "fraction")) == 0
    assert disputed(("s", "93.2", "percent"), ("t", "0.942", "fraction")) == 1
    assert disputed(("s", "93.24", "percent"), ("t", "0.93", "fraction")) == 0
    assert disputed(("s", "93.2", None), ("t", "0.942", "fraction")) == 0


def test_one_source_may_state_several_values() -> None:
    assert disputed(("s", "93.2", None), ("s", "94.0", None)) == 0
    assert disputed(("s", "93.2", None), ("s", "94.0", None), ("t", "94.0", None)) == 0
    assert disputed(("s", "93.2", None), ("s", "94.0", None), ("t", "95.0", None)) == 1


@pytest.mark.parametrize("text", ["~94", "<94", "n/a", "94 / 95"])
def test_what_is_not_an_exact_value_contradicts_nothing(text: str) -> None:
    assert disputed(("s", "93.2", None), ("t", text, None)) == 0


def test_other_conditions_or_methods_are_not_compared(write: Write, minimal: dict[str, str]) -> None:
    conditions = other_source(row("row-5", "accuracy: 94.0", config="{k: 1}"))
    assert found(write, dict(minimal), conditions) == []
    method = (conditions[0], None, conditions[2].replace("method: merge", "method: bubble"))
    assert found(write, minimal, method) == []


def test_conditions_are_compared_after_folding(write: Write, minimal: dict[str, str]) -> None:
    keys = ("config_keys.yaml", None, "- key: Model\n  aliases: [Net]\n")
    mine = (SOURCE, None, row("row-3", "accuracy: 91.0", config="{Model: BNN}"))
    theirs = other_source(row("row-5", "accuracy: 92.0", config="{Net: BNN}"))
    assert found(write, dict(minimal), mine, theirs) == []
    assert len(found(write, minimal, keys, mine, theirs)) == 1


def test_runs_and_claims_that_no_longer_stand_are_left_out(write: Write, minimal: dict[str, str]) -> None:
    run = other_source(row("row-5", "accuracy: 94.0"), head="type: run\n")
    assert found(write, dict(minimal), run) == []
    withdrawn = other_source(row("row-5", "accuracy: 94.0", status="withdrawn"))
    assert found(write, dict(minimal), withdrawn) == []
    happened = ("events.yaml", None, event(type="superseded", target="row-5"))
    assert found(write, minimal, other_source(row("row-5", "accuracy: 94.0")), happened) == []


def test_conditions_that_one_side_does_not_state_are_a_likely_reason(write: Write, minimal: dict[str, str]) -> None:
    fields = {"config_extra": "{shots: five}", "extra_training_data": "stated"}
    (message,) = found(write, minimal, other_source(row("row-5", "accuracy: 94.0", **fields)))
    assert message.endswith("; only some of them state extra training data, shots, a likely reason")


def test_long_lists_are_cut(write: Write, minimal: dict[str, str]) -> None:
    more = [other_source(row(f"r-{n}", f"accuracy: {n}"), name=f"paper-{n}") for n in range(10, 20)]
    (message,) = found(write, minimal, *more)
    assert "5 more" in message
    assert message.endswith("spread 83.2")


def test_the_suspects_alone_give_the_same_findings(write: Write, minimal: dict[str, str]) -> None:
    fields = {"config": "{k: 1}"}
    mine = (SOURCE, None, row("row-3", "accuracy: 50.5", **fields))
    whole = load(write(edited(minimal, [mine, other_source(row("row-5", "accuracy: 94.0"))])))
    suspects = [result for result in whole.results if result.record.method == "merge" and not result.record.config]
    assert len(suspects) < len(whole.results)
    assert list(contested(whole.batch(suspects))) == list(contested(whole)) != []


NUMBERS = st.lists(st.decimals("-9", "9", places=0) | st.decimals("-9", "9", places=2), min_size=1, max_size=8)


@given(NUMBERS, NUMBERS)
def test_values_in_common_are_found_however_many_there_are(ones: list[Decimal], twos: list[Decimal]) -> None:
    def claims(values: list[Decimal]) -> list[Claim]:
        nothing: Any = None
        return [Claim(nothing, nothing, nothing, value, "percent") for value in sorted(values)]

    every = any(agree(one, two) for one in claims(ones) for two in claims(twos))
    assert _meet(claims(ones), claims(twos)) == every
