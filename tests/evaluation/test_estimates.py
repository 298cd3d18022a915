"""Figures and their intervals against SciPy, coverage, and what must stay unknown."""

import numpy as np
import pytest
from scipy import stats

from sotaeval.estimates import estimate_mean, estimate_statistic

VALUES = np.random.default_rng(1).normal(2, 1, (4, 50))


def test_the_mean_and_its_error_against_scipy():
    found = estimate_mean(VALUES)
    assert found.value == pytest.approx(VALUES.mean())
    assert found.error == pytest.approx(stats.sem(VALUES.mean(0)))
    assert (found.seeds, found.images) == (4, 50)
    assert found.low < found.value < found.high


def test_one_seed_has_no_interval():
    found = estimate_mean(VALUES[:1])
    assert found.low is None
    assert found.high is None
    assert found.error == pytest.approx(stats.sem(VALUES[0]))


def test_missing_values_are_left_out_and_nothing_is_made_of_nothing():
    values = VALUES.copy()
    values[:, :10] = np.nan
    assert estimate_mean(values).value == pytest.approx(VALUES[:, 10:].mean())
    assert estimate_mean(values).images == 40
    assert estimate_mean(np.full((2, 3), np.nan)) is None


def test_the_same_values_give_the_same_interval():
    assert estimate_mean(VALUES, 7) == estimate_mean(VALUES, 7)
    assert estimate_mean(VALUES, 7) != estimate_mean(VALUES, 8)


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    """Many seeds with a spread of their own, which an interval over images alone would miss."""
    generator = np.random.default_rng(3)
    hits = narrow = 0
    for _ in range(100):
        values = generator.normal(0, 1, (20, 1)) + generator.normal(0, 1, (20, 40))
        found = estimate_mean(values)
        hits += found.low <= 0 <= found.high
        narrow += abs(found.value) <= 1.96 * found.error
    assert hits >= 85
    assert narrow < hits


def test_a_statistic_that_is_a_mean_agrees_with_the_mean():
    found = estimate_statistic({"a": VALUES}, lambda values: float(values["a"].mean()))
    mean = estimate_mean(VALUES)
    assert found.value == pytest.approx(mean.value)
    assert found.low == pytest.approx(mean.low, abs=0.1)
    assert found.high == pytest.approx(mean.high, abs=0.1)
    assert estimate_statistic({"a": VALUES[:1]}, lambda values: float(values["a"].mean())).low is None
