"""Competition ranking, against definitions and against pandas."""

from decimal import Decimal

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outcomes import ranks
from sotakit.ranking import conflict, in_order

VALUES = st.dictionaries(
    st.text(alphabet="abcdef", min_size=1, max_size=3), st.none() | st.integers(-5, 5).map(Decimal), max_size=12
)


@pytest.mark.parametrize(
    ("direction", "expected"),
    [
        ("higher", {"d": 1, "a": 2, "b": 2, "e": 4}),
        ("lower", {"e": 1, "a": 2, "b": 2, "d": 4}),
        ("target", {}),
        ("none", {}),
        ("unknown", {}),
    ],
)
def test_ties_share_a_rank_and_the_next_is_skipped(direction: str, expected: dict[str, int]) -> None:
    values = {"a": Decimal("2.0"), "b": Decimal("2"), "c": None, "d": Decimal("3"), "e": Decimal("-1")}
    assert ranks(values, direction) == expected  # type: ignore[arg-type]


@given(VALUES, st.sampled_from(["higher", "lower"]))
def test_ranks_are_those_of_pandas(values: dict[str, Decimal | None], direction: str) -> None:
    known = {name: float(value) for name, value in values.items() if value is not None}
    expected = pd.Series(known, dtype="float64").rank(method="min", ascending=direction == "lower").astype(int)
    assert ranks(values, direction) == expected.to_dict()  # type: ignore[arg-type]


@given(VALUES)
def test_one_direction_is_the_other_of_the_negated_values(values: dict[str, Decimal | None]) -> None:
    negated = {name: None if value is None else -value for name, value in values.items()}
    assert ranks(values, "higher") == ranks(negated, "lower")


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_long_values_are_compared_digit_by_digit(direction: str) -> None:
    one, two = Decimal("0." + "1" * 40 + "1"), Decimal("0." + "1" * 40 + "2")
    assert sorted(ranks({"a": one, "b": two}, direction).values()) == [1, 2]  # type: ignore[arg-type]


def test_order_is_by_rank_then_name_then_unranked() -> None:
    assert in_order(["z", "b", "a", "y"], {"b": 1, "a": 1, "z": 3}) == ["a", "b", "z", "y"]
    assert in_order(["z", "b", "a"], {}) == ["z", "b", "a"]


def test_only_higher_against_lower_is_a_conflict() -> None:
    words = ("higher", "lower", "target", "none", "unknown")
    assert {(one, two) for one in words for two in words if conflict(one, two)} == {  # type: ignore[arg-type]
        ("higher", "lower"),
        ("lower", "higher"),
    }
