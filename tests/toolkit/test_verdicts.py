"""Verdicts: order against SciPy, words and reasons by hand, and the command that prints them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau
from typer.testing import CliRunner

from sotakit.catalog import Board
from sotakit.cli import app
from sotakit.facts import BoardFacts
from sotakit.verdicts import Verdict, compare

Values = dict[str, tuple[float, float]]
"""Reported and regenerated value by method."""


def result(method: str, value: float, origin: str, **more: Any) -> dict[str, Any]:
    score = {"value": value, "text": str(value), "low": more.pop("low", None), "high": more.pop("high", None)}
    fields = {"id": f"{origin}-{method}", "method": method, "method_label": method.upper(), "origin": origin}
    return fields | {"group": {}, "duplicate_of": None, "stands": True, "date": None, "scores": {"m": score}} | more


def board(rows: list[dict[str, Any]], unknowns: list[str] | None = None) -> Board:
    def facts(_: str) -> BoardFacts:
        return BoardFacts()

    return Board({"id": "b", "unknowns": unknowns or []}, [{"key": "m", "label": "M", "primary": True}], rows, facts)


def verdict(values: Values, unknowns: list[str] | None = None) -> Verdict:
    rows = [result(name, pair[0], "reported") for name, pair in values.items()]
    rows += [result(name, pair[1], "regenerated") for name, pair in values.items()]
    (found,) = compare(board(rows, unknowns))
    return found


def test_values_within_a_tenth_in_the_same_order_are_consistent() -> None:
    found = verdict({"a": (1.0, 1.05), "b": (2.0, 1.85), "c": (4.0, 4.0)})
    assert (found.word, found.tau, found.flips, found.order) == ("consistent", 1.0, (), "order agrees")
    assert [(pair.label, pair.ratio) for pair in found.pairs] == [("C", 1.0), ("B", 0.925), ("A", 1.05)]


def test_the_same_order_at_another_level_is_partial_and_names_who_is_off() -> None:
    found = verdict({"a": (1.0, 2.0), "b": (2.0, 2.1)})
    assert (found.word, found.reason) == ("partial", "the order agrees, but these differ by more than 10%: A")


def test_a_flipped_pair_is_inconsistent_and_named() -> None:
    found = verdict({"a": (1.0, 1.0), "b": (2.0, 0.9), "c": (3.0, 3.0)})
    assert (found.word, found.order) == ("inconsistent", "order differs in 1 of 3 pairs")
    assert found.reason == "the order differs: B and A"
    assert found.tau == pytest.approx(1 / 3)


def test_unknowns_of_the_protocol_make_levels_not_comparable_whatever_the_values() -> None:
    found = verdict({"a": (1.0, 1.0), "b": (2.0, 2.0)}, ["which split", "which seed"])
    assert (found.word, found.order) == ("not comparable", "order agrees")
    assert found.reason == "not known of the protocol: which split; which seed"


def test_an_interval_that_holds_the_reported_value_counts_as_agreement() -> None:
    rows = [result("a", 1.0, "reported"), result("a", 1.5, "regenerated", low=0.9, high=2.1)]
    (found,) = compare(board(rows))
    assert (found.word, found.tau, found.order) == ("consistent", None, "one method only, so no order")


def test_only_equal_configurations_are_compared_and_repeats_count_once() -> None:
    rows = [
        result("a", 1.0, "reported"),
        result("a", 9.0, "reported", id="again", duplicate_of="reported-a"),
        result("a", 1.0, "regenerated", date="2026-01-01"),
        result("a", 1.1, "regenerated", id="newer", date="2026-02-01"),
        result("a", 5.0, "regenerated", id="other", group={"Confidence": 0.95}),
        result("b", 2.0, "regenerated"),
    ]
    (found,) = compare(board(rows))
    assert [(pair.reported, pair.regenerated, pair.result) for pair in found.pairs] == [(1.0, 1.1, "newer")]


def test_what_no_longer_stands_is_compared_with_nothing() -> None:
    rows = [result("a", 1.0, "reported"), result("a", 2.0, "regenerated"), result("b", 1.0, "reported", stands=False)]
    rows += [result("b", 1.0, "regenerated"), result("a", 9.0, "regenerated", id="newer", date="2026", stands=False)]
    (found,) = compare(board(rows))
    assert [(pair.method, pair.reported, pair.regenerated) for pair in found.pairs] == [("a", 1.0, 2.0)]


def test_a_reported_zero_has_no_ratio() -> None:
    found = verdict({"a": (0.0, 0.5), "b": (1.0, 1.0)})
    assert [pair.ratio for pair in found.pairs] == [1.0, None]


@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.integers(0, 40)),
        min_size=2,
        max_size=8,
        unique_by=(lambda p: p[0], lambda p: p[1]),
    )
)
def test_tau_is_kendalls(pairs: list[tuple[int, int]]) -> None:
    found = verdict({f"m{n}": (float(x), float(y)) for n, (x, y) in enumerate(pairs)})
    expected = kendalltau([x for x, _ in pairs], [y for _, y in pairs]).statistic
    assert found.tau == pytest.approx(expected)
    assert (found.flips == ()) == (expected == pytest.approx(1.0))


RUN = """id: run-1
type: run
run: {command: toolkit evaluate sorting-on-numbers}
results:
  - benchmark: sorting-on-numbers
    method: bubble
    scores: {accuracy: {text: "71.0", n_runs: 3, uncertainty: {kind: ci, low: 70.0, high: 72.0, level: 0.95}}}
    evidence: run_log_attached
"""


def test_the_command_prints_verdicts_in_three_forms(
    write: Callable[..., Path], minimal: dict[str, str], tmp_path: Path
) -> None:
    data = write(minimal | {"sources/run-1.yaml": RUN})
    command = ["compare", "sorting-on-numbers", str(data), "--build", str(tmp_path / "build")]
    text = CliRunner().invoke(app, command)
    assert text.exit_code == 0
    assert text.stdout.startswith(
        "Accuracy: consistent. one method only, so no order. Reported / regenerated: Bubble 70.1 / 71"
    )
    (found,) = json.loads(CliRunner().invoke(app, [*command, "--format", "json"]).stdout)
    assert (found["word"], found["pairs"][0]["reported"], found["pairs"][0]["covered"]) == ("consistent", 70.1, True)
    markdown = CliRunner().invoke(app, [*command, "--format", "markdown"]).stdout
    assert "| Bubble | 70.1 | 71 | 1.01 |" in markdown


def test_the_command_names_unknown_benchmarks_and_faulty_records(
    write: Callable[..., Path], minimal: dict[str, str], tmp_path: Path
) -> None:
    build = ["--build", str(tmp_path / "build")]
    ran = CliRunner().invoke(app, ["compare", "nothing", str(write(minimal)), *build])
    assert (ran.exit_code, ran.stderr.strip()) == (
        2, "error: no benchmark has the id 'nothing'; there are: sorting-on-numbers"
    )  # fmt: skip
    ran = CliRunner().invoke(app, ["compare", "sorting-on-numbers", str(write(minimal)), *build])
    assert "nothing was both reported and regenerated" in ran.stdout
    bad = write({"tasks.yaml": "- {id: X}\n"}, "bad")
    assert CliRunner().invoke(app, ["compare", "b", str(bad), *build]).exit_code == 1
