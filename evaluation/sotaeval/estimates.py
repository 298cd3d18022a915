"""From values per image and seed to one figure with its uncertainty. Unknown stays unknown: one seed, no interval."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Indices = NDArray[np.signedinteger]
Statistic = Callable[[dict[str, Values]], float]
"""From values (N,) by key to one figure, for figures that are not means."""

LEVEL = 0.95
RESAMPLES = 2000


class Estimate(NamedTuple):
    """A mean over seeds and images.

    `error` is the standard error over images at fixed seeds; `low` and `high` bound the bootstrap interval over images
    and seeds, None with fewer than two seeds. `images` counts those with a value.
    """

    value: float
    error: float
    low: float | None
    high: float | None
    seeds: int
    images: int


def estimate_mean(values: Values, seed: int = 0) -> Estimate | None:
    """The mean of values (K seeds, N images), NaN left out; None where nothing is left.

    The bootstrap resamples seeds and images independently, each image with all its seeds (they are crossed), and takes
    percentiles. With three seeds it understates the spread between seeds; n is stated beside it.
    """
    assert values.ndim == 2, values.shape
    known = np.isfinite(values)
    if not known.any():
        return None
    filled = np.where(known, values, 0.0)
    per_image = known.any(0)
    image_means = filled.sum(0)[per_image] / known.sum(0)[per_image]
    error = float(image_means.std(ddof=1) / np.sqrt(len(image_means))) if len(image_means) > 1 else float("nan")
    mean = float(filled.sum() / known.sum())
    low, high = _interval(filled, known.astype(float), seed) if len(values) > 1 else (None, None)
    return Estimate(mean, error, low, high, len(values), int(per_image.sum()))


def estimate_statistic(values: dict[str, Values], statistic: Statistic, seed: int = 0) -> Estimate:
    """The mean over seeds of a figure of all images, with the same bootstrap (and fewer resamples)."""
    seeds, images = next(iter(values.values())).shape
    generator = np.random.default_rng(seed)

    def figure(chosen: Indices, rows: Indices) -> float:
        return float(np.mean([statistic({key: value[k][rows] for key, value in values.items()}) for k in chosen]))

    def spread(resample_seeds: bool) -> Values:
        figures = []
        for _ in range(RESAMPLES // 10):
            chosen: Indices = np.asarray(generator.integers(0, seeds, seeds)) if resample_seeds else np.arange(seeds)
            figures.append(figure(chosen, np.asarray(generator.integers(0, images, images))))
        return np.array(figures)

    error = float(spread(resample_seeds=False).std(ddof=1))
    low, high = _percentiles(spread(resample_seeds=True)) if seeds > 1 else (None, None)
    return Estimate(figure(np.arange(seeds), np.arange(images)), error, low, high, seeds, images)


def _interval(filled: Values, known: Values, seed: int) -> tuple[float, float]:
    generator = np.random.default_rng(seed)
    seeds, images = filled.shape
    image_counts = generator.multinomial(images, np.full(images, 1 / images), size=RESAMPLES).astype(float)
    seed_counts = generator.multinomial(seeds, np.full(seeds, 1 / seeds), size=RESAMPLES).astype(float)
    total = ((filled @ image_counts.T) * seed_counts.T).sum(0)
    weight = ((known @ image_counts.T) * seed_counts.T).sum(0)
    return _percentiles(total[weight > 0] / weight[weight > 0])


def _percentiles(values: Values) -> tuple[float, float]:
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
