"""Ranks that results may have, given the intervals that their sources state.

Only confidence intervals and standard errors (as 1.96 of them) say anything about ranks. A value without either counts
as exact, so that a range never claims more doubt than is recorded.
"""

from bisect import bisect_right
from collections.abc import Mapping
from typing import TypeVar

Ends = tuple[float, float]
Name = TypeVar("Name")
NORMAL = 1.96
"""Standard errors to either side of a value that make a 95 % interval."""


def ends_of(
    value: float | None, kind: str | None, spread: float | None, low: float | None, high: float | None
) -> Ends | None:
    """Lower and upper end of a score's interval, a point where no usable one is stated; None without a value.

    `kind` is the kind of uncertainty that `spread`, `low` and `high` are recorded as.
    """
    if value is None:
        return None
    if kind == "ci" and low is not None and high is not None:
        return low, high
    reach = {"ci": 1.0, "se": NORMAL}.get(kind or "", 0.0) * (spread or 0.0)
    return value - reach, value + reach


def rank_ranges(ends: Mapping[Name, Ends], direction: str) -> dict[Name, tuple[int, int]]:
    """Best and worst rank by name: those certainly better stand before a result, those possibly better may."""
    sign = -1 if direction == "lower" else 1
    turned = {name: (low, high) if sign == 1 else (-high, -low) for name, (low, high) in ends.items()}
    lows, highs = (sorted(end[place] for end in turned.values()) for place in (0, 1))
    count = len(turned)
    ranges = {}
    for name, (low, high) in turned.items():
        certain = count - bisect_right(lows, high)
        possible = count - bisect_right(highs, low) - (high > low)
        ranges[name] = (1 + certain, 1 + possible)
    return ranges
