"""Cells of the CSV twin: values stay as printed, and nothing in them runs when a spreadsheet opens the file."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sotakit.publish.sheet import cell, value_cell
from sotaschema.values import parse_value

NUMBERS = st.one_of(
    st.integers(-(10**9), 10**9).map(str),
    st.decimals(-1000, 1000, places=3).map(str),
    st.sampled_from(["-1,234.5", "+0.5", "-.5", "-5.", "-1e-3", "-24M", "−0.4", "+12%"]),
)
SPREADS = st.sampled_from(
    ["", "%", " %", " ± 0.4", "±0.4", " +/- 2", " (± 0.1)", " [-2, 3.5]", " (1 to 2)", " ± 0.4 %"]
)
VALUES = st.tuples(st.sampled_from(["", "<", ">= ", "~", "≈ "]), NUMBERS, SPREADS).map("".join)
STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def read(text: str) -> str:
    """What a program reads from a file that has one cell."""
    [[found]] = csv.reader(io.StringIO(cell(text) + "\n", newline=""))
    return found


@given(VALUES)
def test_every_value_stays_as_it_is_printed(text: str) -> None:
    assert parse_value(text).value is not None
    assert read(text) == text


@pytest.mark.parametrize("text", ["-12.3 ± 0.4", "-3", "+0.1%", "-1 [-2, 0]"])
def test_signed_numbers_get_no_apostrophe(text: str) -> None:
    assert read(text) == text


def test_what_stands_around_a_signed_value_makes_it_no_formula() -> None:
    assert value_cell("-0.5 ± 0.1 (-0.6 to -0.4)", "-0.5 ± 0.1") == "-0.5 ± 0.1 (-0.6 to -0.4)"
    assert value_cell("-0.9 (fraction)", "-0.9") == "-0.9 (fraction)"
    assert value_cell("=1+1 (not one number)", "=1+1") == "'=1+1 (not one number)"
    assert value_cell("Not recorded", "") == ""


@pytest.mark.parametrize(
    "text",
    [
        '=HYPERLINK("http://example.org","x")', "=1", "+cmd", "-cmd", "@x", "@SUM(1)", "-2+3+cmd|' /C calc'!A0", "-2+3",
        "-1 (=cmd to 2)", "-1 (2)", "+1 (1 to A1)", "\t-1", "\r-1", "-1-1", "-A1", "+1/2", "-1&2", "- (not recorded)",
    ],
)  # fmt: skip
def test_what_a_spreadsheet_would_run_becomes_text(text: str) -> None:
    assert read(text) == f"'{text}"


@given(st.sampled_from(STARTS), st.text("0123456789.+-*/()=@|!A:,;% ±to\t", max_size=12))
def test_only_values_begin_like_formulas(start: str, rest: str) -> None:
    text = read(start + rest)
    assert text.startswith("'") or (start in "+-" and parse_value(text).value is not None)
