"""Metrics against NumPy, SciPy and values worked out by hand, and the properties they must have."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.spatial.distance import cdist

from sotaeval import class_metrics, metrics


@pytest.fixture
def images():
    return torch.rand(6, 1, 28, 28, generator=torch.Generator().manual_seed(1))


@pytest.fixture
def factual():
    return torch.rand(6, 1, 28, 28, generator=torch.Generator().manual_seed(2))


@pytest.fixture
def draws():
    logits = torch.randn(7, 6, 10, generator=torch.Generator().manual_seed(3)) * 3
    return logits.softmax(-1)


TARGET = torch.tensor([3, 1, 4, 1, 5, 9])


def test_im1_by_hand():
    errors = torch.tensor([[2.0, 8.0, 1.0], [3.0, 3.0, 6.0]])
    value = metrics.im1(errors, torch.tensor([0, 2]), torch.tensor([1, 0]))
    assert value.tolist() == pytest.approx([2 / 8, 6 / 3])


def test_im1_of_an_image_that_the_original_class_rebuilds_perfectly_is_finite():
    assert metrics.im1(torch.tensor([[0.0, 1.0]]), torch.tensor([1]), torch.tensor([0])).isfinite().all()


def test_im2_against_numpy(images):
    rebuilt = torch.rand(6, 11, 784, generator=torch.Generator().manual_seed(4))
    flat, other = images.flatten(1).numpy(), rebuilt.numpy()
    expected = [
        10 * np.linalg.norm(other[i, t] - other[i, 10]) ** 2 / np.abs(flat[i]).sum()
        for i, t in enumerate(TARGET.tolist())
    ]
    assert metrics.im2(rebuilt, images, TARGET).numpy() == pytest.approx(np.array(expected), rel=1e-4)


@pytest.mark.parametrize(("norm", "name"), [(2.0, "euclidean"), (1.0, "cityblock")])
@pytest.mark.parametrize("k", [None, 1, 5])
def test_implausibility_against_scipy(images, norm, name, k):
    references = {c: torch.rand(20, 1, 28, 28, generator=torch.Generator().manual_seed(c)) for c in range(10)}
    value = metrics.implausibility(images, TARGET, references, norm, k)
    for row, label in enumerate(TARGET.tolist()):
        distances = np.sort(cdist(images[row].reshape(1, -1), references[label].reshape(20, -1), name)[0])
        assert float(value[row]) == pytest.approx(distances[:k].mean(), rel=1e-4)


def test_changes_against_numpy(images, factual):
    change = (images - factual).flatten(1).numpy()
    assert metrics.l1(images, factual).numpy() == pytest.approx(np.linalg.norm(change, 1, axis=1), rel=1e-5)
    assert metrics.l2(images, factual).numpy() == pytest.approx(np.linalg.norm(change, axis=1), rel=1e-5)


def test_an_l2_of_two_equal_changes_has_the_root():
    factual = torch.zeros(1, 1, 28, 28)
    changed = factual.clone()
    changed[0, 0, 0, :2] = torch.tensor([0.3, 0.4])
    assert float(metrics.l2(changed, factual)) == pytest.approx(0.5)


def test_sparsity_counts_pixels(factual):
    changed = factual.clone()
    changed[:, :, 3, :7] += 0.01
    changed[:, :, 4, :7] += 0.0005
    assert metrics.sparsity(changed, factual).tolist() == pytest.approx([100 * 7 / 784] * 6)


def test_nothing_changed_is_zero(factual):
    for metric in (metrics.l1, metrics.l2, metrics.sparsity):
        assert metric(factual, factual).tolist() == [0.0] * 6


def test_validity_by_argmax_and_by_half_differ():
    mean = torch.tensor([[0.4, 0.3, 0.3], [0.1, 0.6, 0.3], [0.2, 0.3, 0.5]])
    target = torch.tensor([0, 1, 1])
    assert metrics.validity(mean, target).tolist() == [100, 100, 0]
    assert metrics.confident_validity(mean, target).tolist() == [0, 100, 0]


def test_variance_against_numpy(draws):
    expected = [np.var(draws[:, i, t].numpy()) for i, t in enumerate(TARGET.tolist())]
    assert metrics.target_variance(draws, TARGET).numpy() == pytest.approx(np.array(expected), rel=1e-4)


def test_a_steady_but_invalid_image_is_not_robust():
    steady = torch.tensor([[[0.9, 0.1]], [[0.9, 0.1]]])
    assert metrics.robustness_ratio(steady, torch.tensor([1])).tolist() == [0]
    assert metrics.robustness_ratio(steady, torch.tensor([0])).tolist() == [100]


def test_an_unsteady_valid_image_is_not_robust():
    unsteady = torch.tensor([[[0.9, 0.1]], [[0.6, 0.4]]])
    assert metrics.robustness_ratio(unsteady, torch.tensor([0])).tolist() == [0]
    assert metrics.robustness_ratio(unsteady, torch.tensor([0]), threshold=0.03).tolist() == [100]


def test_entropy_against_scipy(draws):
    mean = draws.mean(0)
    assert metrics.predictive_entropy(mean).numpy() == pytest.approx(stats.entropy(mean.numpy(), axis=1), rel=1e-4)
    assert metrics.predictive_entropy(torch.eye(3)).tolist() == [0, 0, 0]


def test_model_change_validity_leaves_out_what_was_never_valid():
    mean = torch.tensor([[0.9, 0.1], [0.9, 0.1]])
    changed = torch.tensor([[[2.0, 1.0], [2.0, 1.0]], [[1.0, 2.0], [2.0, 1.0]]])
    value = metrics.model_change_validity(changed, mean, torch.tensor([0, 1]))
    assert value[0] == 50
    assert value[1].isnan()


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=3, max_size=40), st.floats(0.05, 0.9))
def test_cantelli_bounds_every_sample(values, margin):
    sample = np.array(values)
    below = np.mean(sample <= sample.mean() - margin)
    assert below <= metrics.cantelli_bound(float(sample.var()), margin) + 1e-9


def test_the_bound_of_the_published_thresholds():
    assert metrics.cantelli_bound(1e-3, 0.45) == pytest.approx(0.0049, abs=1e-4)


def test_variance_is_bounded_by_confidence(draws):
    mean = draws.mean(0).gather(1, TARGET[:, None])[:, 0]
    assert (metrics.target_variance(draws, TARGET) <= mean * (1 - mean) + 1e-6).all()


def test_class_metrics_by_hand():
    mean = torch.tensor([[0.7, 0.2, 0.1], [0.2, 0.5, 0.3]])
    labels = torch.tensor([0, 2])
    assert class_metrics.correct(mean, labels).tolist() == [100, 0]
    assert class_metrics.negative_log_likelihood(mean, labels).tolist() == pytest.approx(
        [-math.log(0.7), -math.log(0.3)]
    )
    assert class_metrics.brier(mean, labels).tolist() == pytest.approx([0.09 + 0.04 + 0.01, 0.04 + 0.25 + 0.49])


def test_calibration_error_against_a_slow_version():
    generator = np.random.default_rng(5)
    confident = generator.uniform(0.1, 1, 500)
    right = 100.0 * (generator.uniform(size=500) < confident**2)
    total = 0.0
    for low in np.arange(15) / 15:
        inside = (confident > low) & (confident <= low + 1 / 15)
        if inside.any():
            total += inside.mean() * abs(right[inside].mean() - 100 * confident[inside].mean())
    assert class_metrics.calibration_error(confident, right) == pytest.approx(total)


def test_a_certain_and_right_model_is_calibrated():
    assert class_metrics.calibration_error(np.ones(4), np.full(4, 100.0)) == 0


def test_a_real_image_of_the_target_scores_better_than_the_factual(mnist, scorer):
    factual, labels = mnist.test.images[:100], mnist.test.labels[:100]
    target = (labels + 3) % 10
    real = torch.stack([mnist.train.of_class(int(label))[7000 % 5000] for label in target])
    with torch.no_grad():
        unchanged = metrics.im1(scorer.errors(factual), target, labels)
        replaced = metrics.im1(scorer.errors(real), target, labels)
    assert replaced.mean() < 1 < unchanged.mean()
