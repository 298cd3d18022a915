"""From printed text to decimals: expected values are written by hand."""

import math
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sotaschema.values import MAX_VALUE_TEXT, ParsedValue, parse_value, plain_number, to_decimal


def value(text: str, decimals: int | None = None, **more: object) -> ParsedValue:
    numbers = {name: Decimal(more.pop(name)) for name in ("uncertainty", "low", "high") if name in more}
    return ParsedValue(Decimal(text), decimals, **numbers, **more)  # type: ignore[arg-type]


def missing(reason: str) -> ParsedValue:
    return ParsedValue(missing_reason=reason)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.6426", value("1.6426", 4)),
        ("0.90", value("0.90", 2)),
        ("70", value("70", 0)),
        ("5.", value("5", 0)),
        (".5", value("0.5", 1)),
        ("+3.1", value("3.1", 1)),
        ("-1.5", value("-1.5", 1)),
        ("−1.5", value("-1.5", 1)),
        ("  88.1\t", value("88.1", 1)),
        ("1,234", value("1234", 0)),
        ("1,234,567.8", value("1234567.8", 1)),
        ("93.2 ± 0.1", value("93.2", 1, uncertainty="0.1")),
        ("93.2±0.1", value("93.2", 1, uncertainty="0.1")),
        ("93.2 +/- 0.10", value("93.2", 1, uncertainty="0.10")),
        ("93.2 (± 0.1)", value("93.2", 1, uncertainty="0.1")),
        ("93.2% ± 0.1%", value("93.2", 1, unit="percent", uncertainty="0.1")),
        ("93.2 ± 0.1 %", value("93.2", 1, unit="percent", uncertainty="0.1")),
        ("0.5 [0.4, 0.6]", value("0.5", 1, low="0.4", high="0.6")),
        ("0.5 (0.4–0.6)", value("0.5", 1, low="0.4", high="0.6")),
        ("0.5 (0.4 to 0.6)", value("0.5", 1, low="0.4", high="0.6")),
        ("<0.01", value("0.01", 2, qualifier="less_than")),
        ("> 3", value("3", 0, qualifier="greater_than")),
        ("<= 3", value("3", 0, qualifier="at_most")),
        ("≥0.5", value("0.5", 1, qualifier="at_least")),
        ("~88", value("88", 0, qualifier="approximate")),
        ("≈ 0.5", value("0.5", 1, qualifier="approximate")),
        ("2.31%", value("2.31", 2, unit="percent")),
        ("2.31 %", value("2.31", 2, unit="percent")),
        ("24M", value("24000000")),
        ("1.5B", value("1500000000")),
        ("7k", value("7000")),
        ("2e3K", value("2000000")),
        ("1.5M ± 0.1", value("1500000", uncertainty="100000")),
        ("1e-3", value("0.001")),
        ("1.0E+2", value("100")),
        ("**70.3**", value("70.3", 1)),
        ("*70.3*", value("70.3", 1)),
        ("**12.0 %**", value("12.0", 1, unit="percent")),
        ("1234567890123456789012345678901234.5", value("1234567890123456789012345678901234.5", 1)),
    ],
)
def test_printed_number(text: str, expected: ParsedValue) -> None:
    assert parse_value(text) == expected


@pytest.mark.parametrize("text", ["", " ", "-", "–", "—", "n/a", "N/A", "NaN", "None", "?", "Not reported", "TBD"])
def test_words_for_nothing_are_not_reported(text: str) -> None:
    assert parse_value(text) == missing("not_reported")


@pytest.mark.parametrize("text", ["OOM", "Timeout", "failed", "out of memory"])
def test_words_for_a_failed_run(text: str) -> None:
    assert parse_value(text) == missing("failed")


@pytest.mark.parametrize(
    "text",
    [
        "60.17 / 72.92", "(16.97 15.58)", "3.0m", "0,5", "3,5", "1,23", "0,500", "1e400", "1e9999", "-1e400", "1e308M",
        "1e307T", "inf", "-inf", "Infinity", "93.2 ± -0.1", "93.2 ±", "70.3*", "70.3†", "2*3*4", "1.2.3", "1 234",
        "٣", "0x10", "1_000", "12:30", "93-94", "five", "1e", "<", "~", "%", "+-1", "5 6", "1.0 [0.5", "24 Mb",
        "9" * (MAX_VALUE_TEXT + 1),
    ],
)  # fmt: skip
def test_what_is_not_one_finite_number_is_unreadable(text: str) -> None:
    assert parse_value(text) == missing("unreadable")


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**60), max_value=10**60, places=None))
def test_plain_decimals_come_back_with_their_digits(number: Decimal) -> None:
    text = f"{number:f}"
    if len(text) > MAX_VALUE_TEXT:
        return
    parsed = parse_value(text)
    assert parsed.value == number
    assert str(parsed.value) == str(Decimal(text))
    assert parsed.decimals == max(0, -int(number.as_tuple().exponent))
    assert parsed.missing_reason is None


@given(st.integers(-(10**9), 10**9), st.integers(0, 8), st.integers(0, 10**6))
def test_a_spread_is_read_beside_its_value(digits: int, places: int, spread: int) -> None:
    number = Decimal(digits).scaleb(-places)
    parsed = parse_value(f"{number:f} ± {spread}")
    assert (parsed.value, parsed.decimals, parsed.uncertainty) == (number, places, Decimal(spread))


@given(st.integers(1, 10**15))
def test_thousands_separators_change_nothing(number: int) -> None:
    assert parse_value(f"{number:,}").value == number


@given(st.text())
def test_any_text_gives_a_value_or_a_reason(text: str) -> None:
    parsed = parse_value(text)
    assert (parsed.value is None) == (parsed.missing_reason is not None)


@given(st.text(alphabet="0123456789.,eE+-−±%()[]<>≤~KMBT* –/", max_size=30))
def test_any_arrangement_of_signs_gives_a_finite_value_or_a_reason(text: str) -> None:
    parsed = parse_value(text)
    assert (parsed.value is None) == (parsed.missing_reason is not None)
    for number in (parsed.value, parsed.uncertainty, parsed.low, parsed.high):
        assert number is None or float("-inf") < float(number) < float("inf")


@pytest.mark.parametrize("text", ["", "x", "1 2", "1e400", "--1", "1,2"])
def test_to_decimal_refuses_what_is_not_one_number(text: str) -> None:
    assert to_decimal(text) is None


@given(st.text("0123456789.+-eE ", max_size=12) | st.from_regex(r"[0-9]{1,4}(\.[0-9]{0,4})?", fullmatch=True))
def test_plain_numbers_are_read_as_all_others_are(text: str) -> None:
    assert parse_value(text) == parse_value(text + " ")  # with the space, by the long way


def test_a_very_long_number_is_unreadable() -> None:
    assert parse_value("1" * 201).missing_reason == "unreadable"


@given(st.text("0123456789.+-e_ ²٣", max_size=6) | st.decimals(allow_nan=False).map(str) | st.just("9" * 201))
@example("")
@example(".")
@example("1.2.3")
@example("0.30")
def test_a_plain_number_says_what_the_whole_reading_says(text: str) -> None:
    number, parsed = plain_number(text), parse_value(text)
    if not math.isnan(number):
        assert parsed.value is not None
        assert number == float(parsed.value)
        assert parsed == ParsedValue(parsed.value, parsed.decimals)


@pytest.mark.parametrize("text", ["93.2", "0", "100", "0.30", "12345"])
def test_digits_are_plain_numbers(text: str) -> None:
    assert plain_number(text) == float(text)
