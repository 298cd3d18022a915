"""What is measured about classifiers: pure functions of the posterior mean (N, C) and the labels (N,)."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


def correct(mean: Tensor, labels: Tensor) -> Tensor:
    """(N,) 100 where the most probable class is the label, else 0; higher."""
    return 100 * (mean.argmax(1) == labels).float()


def negative_log_likelihood(mean: Tensor, labels: Tensor) -> Tensor:
    """(N,) minus the logarithm of the label's probability, in nats; lower. Probabilities below 1e-12 count as 1e-12."""
    return -mean.gather(1, labels[:, None])[:, 0].clamp_min(1e-12).log()


def brier(mean: Tensor, labels: Tensor) -> Tensor:
    """(N,) squared distance to the one-hot label, summed over classes, 0 to 2 (Brier, 1950: recalled); lower."""
    return (mean - torch.nn.functional.one_hot(labels, mean.shape[1])).square().sum(1)


def confidence(mean: Tensor) -> Tensor:
    """(N,) the largest probability."""
    return mean.max(1).values


def calibration_error(confident: NDArray[np.float64], right: NDArray[np.float64], bins: int = 15) -> float:
    """Expected calibration error in per cent: mean gap of accuracy and confidence over equal-width bins; lower.

    `confident` (N,) in [0, 1], `right` (N,) 0 or 100. Each bin (a, b] weighs by its share of the images (Guo et al.,
    2017: recalled, with their 15 bins).
    """
    assert confident.shape == right.shape
    index = np.clip(np.ceil(confident * bins).astype(int) - 1, 0, bins - 1)
    gaps = np.bincount(index, right - 100 * confident, minlength=bins)
    return float(np.abs(gaps).sum() / len(right))
