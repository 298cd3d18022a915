"""Values that cannot be: two numbers in a cell, impossible shares, fractions among percentages, -1 for missing."""

from collections.abc import Callable
from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulecases import ITEMS, NO_MAX, NO_MIN, SHARE, SOURCE, check, edited, places, row, rows
from sotakit.check.boards import missing_mark, unit_slip
from sotakit.check.findings import Origin
from sotakit.check.values import holds_two, possible_share
from sotakit.collection import Collection, Loaded, LoadedResult
from sotaschema.entities import Benchmark, BenchmarkMetric
from sotaschema.results import Result
from sotaschema.values import parse_value

Write = Callable[..., Path]

# As printed in tables of evaluation toolkits, leaderboards and papers.
TWO = ["0.60 / 0.72", "71.2 (70.1)", "12.3/45.6", "93.0/90.7", "91.6/91.1*", "63.59 ± 0.91 / 75.27 ± 0.64@@63.59",
       "(16.97 15.58)", "17.1(16.1 with basic dynamic evaluation)", "53.94\\* (53.6)", "1.16@@1.16", "96–97",
       "80.4 | 85.9", "3,5 / 4,5", "71.2, 70.1", "**60.1 / 70.2**", "12 to 14"]  # fmt: skip
ONE = ["3,5", "93,24 %", "12,5 ± 0,3", "63.7*", "43B?", "70.14 (measured by Ge et al., 2018)", "Kummerfeld", "--*",
       "Yes", "17.1.0.dev0", "v3.5.0", "1 234", "1 234 567", "5-shot", "top 5"]  # fmt: skip


@pytest.mark.parametrize("text", TWO)
def test_two_numbers_are_told_from_other_texts(text: str) -> None:
    assert parse_value(text).missing_reason == "unreadable"
    assert holds_two(text)


@pytest.mark.parametrize("text", ONE)
def test_texts_that_are_not_two_numbers(text: str) -> None:
    assert parse_value(text).missing_reason == "unreadable"
    assert not holds_two(text)


@pytest.mark.parametrize(
    ("text", "two"),
    [
        ("1" + " " * 199, False),
        ("1" + " " * 150 + "x", False),
        ("1," * 100, True),
        ("1 " * 100 + "x", True),
        ("*" * 200, False),
    ],
)
def test_long_texts_are_judged_at_once(text: str, two: bool) -> None:
    assert holds_two(text) is two


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("3,5", "a decimal comma is not read, since 1,234 may be a thousand; write '3.5'"),
        ("63.7*", "write the number alone and say in the score's note what its mark means"),
        ("Yes", "copy one number exactly"),
    ],
)
def test_hints_name_the_fix(write: Write, minimal: dict[str, str], text: str, hint: str) -> None:
    (found,) = check(write(edited(minimal, [(SOURCE, "93.2", f'"{text}"')]))).findings
    assert (found.code, found.hint.startswith(hint)) == ("W208", True)


@given(items=st.integers(1, 400), decimals=st.integers(0, 4), data=st.data())
def test_every_rounded_share_is_possible(items: int, decimals: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, items))
    whole = data.draw(st.sampled_from([1, 100]))
    mode = data.draw(st.sampled_from([ROUND_HALF_UP, ROUND_HALF_EVEN, ROUND_HALF_DOWN]))
    with localcontext(prec=60):
        value = (Decimal(whole * count) / items).quantize(Decimal(1).scaleb(-decimals), rounding=mode)
    assert possible_share(value, decimals, items, whole)


@given(items=st.integers(1, 60), decimals=st.integers(0, 2), data=st.data())
def test_a_share_is_possible_only_if_some_count_rounds_to_it(items: int, decimals: int, data: st.DataObject) -> None:
    unit = Decimal(1).scaleb(-decimals)
    value = data.draw(st.integers(0, 100 * 10**decimals)) * unit
    with localcontext(prec=60):
        exact = [Decimal(100 * count) / items for count in range(items + 1)]
    rounded = {share.quantize(unit, rounding=mode) for share in exact for mode in (ROUND_HALF_UP, ROUND_HALF_DOWN)}
    assert possible_share(value, decimals, items, 100) == (value in rounded)


def test_an_impossible_share_names_its_neighbours(write: Write, minimal: dict[str, str]) -> None:
    (found,) = check(write(edited(minimal, [SHARE, ITEMS, (SOURCE, "70.10", "70.00")]))).findings
    assert found.message == "no whole number out of 30 items gives '93.2', 27 would be 90, 28 would be 93.3333"


@pytest.mark.parametrize(
    "score",
    [
        '{text: "93.2", n_runs: 5}',
        '{text: "93.2", aggregation: mean}',
        '{text: "~93.2"}',
        '{text: "93.2", n_items: 500}',
        '{text: "93.2", unit: percent, n_items: 250}',
        "93.3",
        "93",
    ],
)
def test_shares_that_may_be_right(write: Write, minimal: dict[str, str], score: str) -> None:
    assert (
        check(write(edited(minimal, [SHARE, ITEMS, (SOURCE, "70.10", "70"), (SOURCE, "93.2", score)]))).findings == []
    )


def test_items_of_the_score_count_before_those_of_the_board(write: Write, minimal: dict[str, str]) -> None:
    edits = [SHARE, ITEMS, (SOURCE, "70.10", "{text: '70.0', n_items: 7}"), (SOURCE, "93.2", "93.3")]
    assert places(check(write(edited(minimal, edits)))) == [("W515", SOURCE, 7, 24)]


def test_a_fraction_is_judged_as_one(write: Write, minimal: dict[str, str]) -> None:
    edits = [SHARE, ITEMS, ("benchmarks.yaml", "unit: percent", "unit: fraction"), (SOURCE, "70.10", "0.70")]
    outcome = check(write(edited(minimal, [*edits, (SOURCE, "93.2", "0.932")])))
    assert places(outcome) == [("W515", SOURCE, 11, 24)]


def board(*texts: str, unit: str = "unknown", direction: str = "higher") -> Collection:
    """A collection of one board with some values."""
    metric = BenchmarkMetric(key="acc", label="Accuracy", unit=unit, direction=direction)
    record = Benchmark(id="b", title="B", task="t", dataset="d", metrics=[metric])
    results = [
        LoadedResult(f"r{n}", Result(benchmark="b", method="m", scores={"acc": text}), "s", Origin("a", n))
        for n, text in enumerate(texts)
    ]
    return Collection(kinds={"benchmarks": [Loaded(record, Origin("b"))]}, results=results)


def slips(*texts: str, **more: str) -> list[str]:
    return [texts[problem.origin.line] for problem in unit_slip(board(*texts, **more))]


@pytest.mark.parametrize(
    ("values", "flagged"),
    [
        ("91.2 88.0 0.905 93.1", "0.905"),
        ("0.912 0.88 90.5 0.931", "90.5"),
        ("91.2 88.0 85.1 0.905 0.871 0", "0.905 0.871"),
        ("80.39 71.2 0.8039 66 12.5", "0.8039"),
        ("91.2 88.0 0.905 93.1 -1", "0.905"),
        # error rates spread continuously
        ("0.21 0.23 0.35 0.8 1.1 5.2 12", ""),
        ("0.4295 1.80 4.17 6.91 7.82 9.42 16.44", ""),
        ("0.10 0.37 0.81 1.21 2.74 6.14 11.81", ""),
        ("0.32 2.5 28 31 35", ""),
        # honest outliers: far from what 100 times the value would have to be, or without the digits of a fraction
        ("90.871 85.1 88.2 4.83 77.0 0.068 81.5", ""),
        ("10.2 12.1 34.0 22.5 0.2 0.1", ""),
        # no percentages at all
        ("0.91 250 3000 88", ""),
        ("-3.5 12 45 0.91 88", ""),
        # too few to tell
        ("0.912 91.2", ""),
        ("0.912 91.2 90.1", ""),
        ("1 2 3 4 100", ""),
    ],
)
def test_fractions_among_percentages(values: str, flagged: str) -> None:
    assert slips(*values.split()) == flagged.split()


@given(st.lists(st.decimals("1.01", "100", places=2), max_size=12))
def test_values_above_one_alone_are_never_taken_for_fractions(values: list[Decimal]) -> None:
    assert slips(*map(str, values)) == []
    assert slips(*(str(value / 100) for value in values)) == []


def test_small_percentages_are_fine_where_lower_is_better() -> None:
    texts = ("0.21", "0.23", "0.35")
    assert slips(*texts, unit="percent") == ["0.21"]
    assert slips(*texts, unit="percent", direction="lower") == []
    assert slips("0", "1", "0", unit="percent") == []
    assert slips("0.21", "0.23", "1.2", unit="percent") == []


def test_other_units_are_not_shares() -> None:
    assert slips("91.2", "88.0", "0.905", "93.1", unit="seconds") == []


def test_fractions_above_one_of_a_bounded_metric_are_out_of_bounds(write: Write, minimal: dict[str, str]) -> None:
    edits = [("benchmarks.yaml", "unit: percent", "unit: fraction"), (SOURCE, "70.10", "0.7"), (SOURCE, "93.2", "1.2")]
    assert places(check(write(edited(minimal, edits)))) == [("E501", SOURCE, 11, 24)]


def marks(*texts: str, **more: str) -> list[str]:
    return [texts[problem.origin.line] for problem in missing_mark(board(*texts, **more))]


def test_minus_one_is_doubted_where_nothing_else_is_negative() -> None:
    assert marks("-1", "0.5", "0.7", "0") == ["-1"]
    assert marks("-1.00", "50", "70", "-1", "80") == ["-1.00", "-1"]
    assert marks("-1", "0.5", "-0.2", "0.3") == []
    assert marks("-1", "0.5", "0.7") == []
    assert marks("-1", unit="seconds") == ["-1"]
    assert marks("-1.12", "25", "30", "40") == []


def test_minus_one_within_or_outside_the_bounds(write: Write, minimal: dict[str, str]) -> None:
    added = (SOURCE, None, rows("50.5", "-1.0"))
    (found,) = check(write(edited(dict(minimal), [added]))).findings
    assert (found.code, "missing_reason" in found.hint) == ("E501", True)
    correlation = ("metrics.yaml", '  min: "0"\n', '  min: "-100"\n')
    assert check(write(edited(dict(minimal), [added, correlation]))).findings == []
    unbounded = check(write(edited(dict(minimal), [added, NO_MIN, NO_MAX])))
    assert [found.code for found in unbounded.findings] == ["W519"]


def test_spreads_are_counted_once_for_a_document_and_metric(write: Write, minimal: dict[str, str]) -> None:
    minimal[SOURCE] = minimal[SOURCE].replace("70.10", '"70.10 ± 0.2"').replace("93.2", '"93.2 ± 0.4"')
    minimal[SOURCE] += row(
        "row-3", '{text: "50.5 ± 1", uncertainty: {kind: sd}}'.join(["accuracy: ", ""]), config="{k: 1}"
    )
    (found,) = check(write(minimal)).findings
    assert (found.code, found.record, found.field) == ("N518", "paper-a", "scores.accuracy")
    assert found.message.startswith("2 of 3 spreads (±) of Accuracy ")


def test_intervals_are_spreads_too(write: Write, minimal: dict[str, str]) -> None:
    (found,) = check(write(edited(minimal, [(SOURCE, "93.2", '"93.2 [92.0, 94.1]"')]))).findings
    assert found.code == "N518"
