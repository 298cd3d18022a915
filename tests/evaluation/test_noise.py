"""Noise that belongs to rows and steps: independence of the batch, and the distributions it claims."""

import numpy as np
import torch
from scipy import stats

from sotaeval.noise import RowNoise


def test_a_row_has_the_same_numbers_in_every_batch():
    whole = RowNoise.at(3, torch.arange(50), 7)
    part = RowNoise.at(3, torch.tensor([41, 2]), 7)
    assert torch.equal(whole.normal(33)[[41, 2]], part.normal(33))
    assert torch.equal(whole.bits(33)[[41, 2]], part.bits(33))


def test_rows_at_different_steps_have_the_numbers_of_their_step():
    mixed = RowNoise(3, torch.tensor([5, 6]), torch.tensor([0, 9]))
    assert torch.equal(mixed.normal(8)[1:], RowNoise.at(3, torch.tensor([6]), 9).normal(8))


def test_seeds_steps_rows_and_layers_do_not_share_numbers():
    rows = torch.arange(4)
    base = RowNoise.at(1, rows)
    others = (RowNoise.at(2, rows), RowNoise.at(1, rows, 1), base.layer(0), base.layer(1), base.layer(0).layer(1))
    seen = [tensor.bits(16).flatten().tolist() for tensor in (base, *others)]
    rows_seen = {tuple(numbers[i : i + 16]) for numbers in seen for i in range(0, 64, 16)}
    assert len(rows_seen) == 6 * 4


def test_normals_are_normal_and_independent():
    sample = RowNoise.at(11, torch.arange(200)).normal(500).numpy()
    assert stats.kstest(sample.flatten(), "norm").pvalue > 1e-3
    correlations = np.corrcoef(sample)[np.triu_indices(200, 1)] * np.sqrt(500)
    assert abs(correlations.std() - 1) < 0.03
    assert np.abs(correlations).max() < 6


def test_bytes_are_uniform():
    counts = np.bincount(RowNoise.at(5, torch.arange(100)).bits(2560).flatten().numpy(), minlength=256)
    assert stats.chisquare(counts).pvalue > 1e-3
