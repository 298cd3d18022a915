"""Values that cannot be: two numbers in a cell, impossible shares, fractions among percentages, -1 for missing."""

import json
from collections.abc import Callable
from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulecases import ITEMS, NO_MAX, NO_MIN, SHARE, SOURCE, check, edited, places, row, rows
from sotakit.check.boards import doubtful_number, missing_mark, unit_slip
from sotakit.check.findings import Origin
from sotakit.check.values import holds_two, impossible_spread, inexact_value, possible_share
from sotakit.collection import Collection, Loaded, LoadedResult
from sotaschema.entities import Benchmark, BenchmarkMetric
from sotaschema.results import Result
from sotaschema.values import held_exactly, parse_value

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
        # two values tell where others are, if these are near both
        ("0.912 91.2 90.1", "0.912"),
        ("91.2 0.915 88.0", "0.915"),
        ("63.91 61.2 0.6459 0.6391", "0.6459 0.6391"),
        ("0.4 91.2 90.1", ""),
        ("0.65 91.2 90.1", ""),
        # small error rates, and two groups of methods
        ("0.92 2.2", ""),
        ("0.92 2.2 3.1", ""),
        ("0.08 0.12 0.31 92.1 93.3 95.4", ""),
        ("8.1 12.4 31.0 92.1 93.3 95.4", ""),
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
    for direction, flagged in (("higher", ["0.22"]), ("unknown", ["0.22"]), ("lower", [])):
        assert slips("0.22", "21.5", "23.0", unit="percent", direction=direction) == flagged
    assert slips("0.22", "21.5", "23.0", "22.1", unit="percent", direction="lower") == ["0.22"]


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
    assert marks("-1", "0.5", "0.7") == ["-1"]
    assert marks("-1", "0.5") == []
    assert marks("-1.0", "61.2", unit="percent") == ["-1.0"]
    assert marks("-1.0", "0.5", unit="fraction") == ["-1.0"]
    assert marks("-1.0", unit="percent") == []
    assert marks("-1", unit="seconds") == ["-1"]
    assert marks("-1.12", "25", "30", "40") == []
    assert marks("-1 ± 0.1", "3", "5") == []
    assert marks("-1.00", "2.31", "0.45", unit="points") == []


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


def commas(*texts: str, **more: str) -> list[str]:
    return [texts[problem.origin.line] for problem in doubtful_number(board(*texts, **more))]


@pytest.mark.parametrize(
    ("values", "flagged"),
    [
        ("90.112 91,205 88.300 89.754", "91,205"),
        ("91,205 90,112", "91,205 90,112"),
        ("91,205", "91,205"),
        ("**91,205** 88.3", "**91,205**"),
        ("-1,234 -1.5", "-1,234"),
        ("~91,205 88.3", "~91,205"),
        # written without doubt, or other values show that thousands are meant
        ("12,345 11200 9870.5", ""),
        ("12,345 1,234,567", "12,345"),
        ("12,345 1,211,500.5 10,000.25", ""),
        ("1,234,567 90.1", ""),
        ("1,234.5 90.1", ""),
        ("0,915 0.9", ""),
        ("12,345K 90", ""),
        # both could be meant
        ("12,345 11000 11.2", "12,345"),
    ],
)
def test_a_comma_that_may_mean_two_things_is_never_guessed_silently(values: str, flagged: str) -> None:
    assert commas(*values.split()) == flagged.split()
    assert commas(*values.split(), unit="count") == [], "a count has no decimals"


@pytest.mark.parametrize(
    ("score", "said"),
    [
        ({"text": "91.2", "uncertainty": {"kind": "ci", "low": "92", "high": "90"}}, "begins at 92 and ends at 90"),
        ({"text": "91.2 [93, 90]"}, "begins at 93 and ends at 90"),
        ({"text": "91.2", "uncertainty": {"kind": "sd", "value": "-0.3"}}, "-0.3 of '91.2' is below zero"),
        ({"text": "91.2", "uncertainty": {"kind": "ci", "low": "92", "high": "93"}}, "92 to 93 does not hold"),
        ({"text": "91.2", "uncertainty": {"high": "91"}}, "… to 91 does not hold"),
        ({"text": "91.2 ± 0.3", "uncertainty": {"kind": "sd", "value": "0.4"}}, "says 0.3 where the field"),
        (
            {"text": "91.2 [90, 93]", "uncertainty": {"kind": "ci", "low": "90", "high": "92"}},
            "says 93 where the field",
        ),
        ({"text": "91.2", "uncertainty": {"kind": "sd", "value": "1e-400"}}, "1e-400, which no 64-bit number holds"),
        ({"text": "91.2", "uncertainty": {"kind": "iqr", "low": "92", "high": "93"}}, ""),
        ({"text": "91.2 ± 0.3", "uncertainty": {"kind": "sd"}}, ""),
        ({"text": "91.2 ± 0.30", "uncertainty": {"kind": "sd", "value": "0.3"}}, ""),
        ({"text": "91.2", "uncertainty": {"kind": "ci", "low": "91.2", "high": "91.2"}}, ""),
        ({"text": "failed", "missing_reason": "failed", "uncertainty": {"value": "-1"}}, ""),
    ],
)
def test_spreads_that_cannot_be(score: dict[str, Any], said: str) -> None:
    results = [LoadedResult("r", Result(benchmark="b", method="m", scores={"acc": score}), "s", Origin("a"))]
    whole = board("1")
    found = [problem.message for problem in impossible_spread(Collection(kinds=whole.kinds, results=results))]
    assert len(found) == bool(said)
    assert all(said in message for message in found)


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("9007199254740993", False),
        ("9007199254740992", True),
        ("0.8571428571428571", True),
        ("0.84999999999999998", True),
        ("0.12345678901234567890", False),
        ("1e300", True),
        ("123456789012345678901", False),
    ],
)
def test_digits_beyond_a_64_bit_number_are_told(text: str, exact: bool) -> None:
    assert [problem.found for problem in inexact_value(board(text))] == ([] if exact else [text])


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_programs_print_is_held_exactly(number: float) -> None:
    assert held_exactly(Decimal(repr(number)))
    assert held_exactly(Decimal(number)), "with all its digits"


@pytest.mark.parametrize(
    ("text", "plain"),
    [("1.234,56", "1234.56"), ("91,25", "91.25"), ("1.234.567,8", "1234567.8"), ("1 234,56", "1234.56"),
     ("1'234,5", "1234.5"), ("1’234,5 %", "1234.5 %"), ("-1.234,56", "-1234.56")],
)  # fmt: skip
def test_a_decimal_comma_is_told_how_to_be_written(
    write: Write, minimal: dict[str, str], text: str, plain: str
) -> None:
    (found,) = check(write(edited(minimal, [(SOURCE, "93.2", f'"{text}"')]))).findings
    assert found.code == "W208"
    assert found.hint.endswith(f"write {plain!r}")


@pytest.mark.parametrize(
    ("text", "reason", "doubted"),
    [("91.7", "failed", True), ("~91.7 %", "not_run", True), ("OOM", "failed", False), ("", "not_run", False)],
)
def test_a_number_beside_the_reason_of_its_absence(
    write: Write, minimal: dict[str, str], text: str, reason: str, doubted: bool
) -> None:
    score = f'{{text: "{text}", missing_reason: {reason}}}'
    outcome = check(write(edited(minimal, [(SOURCE, "93.2", score)])))
    assert [found.code for found in outcome.findings] == ["W520"] * doubted


LOST = ["12.10", "007", "0.50", "1.00", "-0.10", "0x10", "00.5", "0.12345678901234567890"]
KEPT = ["12.1", "7", "0", "0.5", "1.0", "-1", "1e-3", "1E5", ".5", "'12.10'", "12.10a", "true", "10", "100", "1.05"]


@pytest.mark.parametrize("form", ["yaml", "json", "jsonl"])
@pytest.mark.parametrize("text", [*LOST, *KEPT])
def test_digits_of_settings_that_are_lost_are_told(write: Write, minimal: dict[str, str], text: str, form: str) -> None:
    if form == "yaml":
        minimal[SOURCE] += row(config=f"{{CUDA: {text}}}")
    else:
        try:
            json.loads(text)
        except ValueError:
            return  # JSON has no such number
        start = '{"benchmark": "sorting-on-numbers", "method": "merge", "scores": {"accuracy": "50"}, "config": '
        minimal[f"sources/paper-a.results.{form}"] = f'{start}{{"CUDA": {text}}}}}\n'
    outcome = check(write(minimal))
    assert [(found.code, found.field) for found in outcome.findings] == [("W214", "config.CUDA")] * (text in LOST)
    assert all(f'"{text}"' in found.hint for found in outcome.findings)


def test_digits_are_told_in_every_record_with_settings(write: Write, minimal: dict[str, str]) -> None:
    edits = [
        ("metrics.yaml", None, "  parameters: {version: 1.10}\n"),
        (SOURCE, "type: paper\n", "type: run\nrun: {torch: 2.10}\n"),
    ]
    outcome = check(write(edited(minimal, edits)))
    assert [(found.code, found.field) for found in outcome.findings] == [
        ("W214", "parameters.version"), ("W214", "run.torch")]  # fmt: skip
