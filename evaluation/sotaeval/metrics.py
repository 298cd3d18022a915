"""What is measured about counterfactuals: pure functions from tensors to one value per image.

Notation: x' the counterfactual, (N, 1, 28, 28) in [0, 1]; y' its target (N,); y0 the model's own prediction for the
factual (not the label); p_s probabilities under posterior draw s, (S, N, C), of draws no search has seen; pbar their
mean (N, C). Shares are per-image 0 or 100, so that their mean is a percentage. Where a definition is inferred, its
docstring says so.
"""

from collections.abc import Mapping

import torch
from torch import Tensor

EPSILON = 1e-7
"""Keeps ratios finite (read in code: Schut et al.)."""

CHANGED = 1e-3
"""A pixel counts as changed if it moved by more than this."""


def im1(errors: Tensor, target: Tensor, original: Tensor) -> Tensor:
    """(N,) error of the target-class autoencoder over that of the original-class one; lower is better.

    `errors` (N, K) are squared L2 errors of rebuilding x' by class. Lower means nearer the target's images (Verma et
    al., 2024, equations 6 and 7: stated). Averaged as a mean of ratios.
    """
    _rows(errors, target, original)
    return _pick(errors, target) / (_pick(errors, original) + EPSILON)


def im2(rebuilt: Tensor, images: Tensor, target: Tensor) -> Tensor:
    """(N,) ten times the squared distance of target-class and all-class rebuilding over the L1 norm of x'; lower.

    `rebuilt` (N, 11, 784) as `Scorer.rebuild` gives it. The factor ten is customary (recalled).
    """
    _rows(rebuilt, images, target)
    own = rebuilt[torch.arange(len(target), device=target.device), target]
    distance = (own - rebuilt[:, -1]).square().sum(1)
    return 10 * distance / (images.flatten(1).abs().sum(1) + EPSILON)


def implausibility(
    images: Tensor, target: Tensor, references: Mapping[int, Tensor], norm: float = 2.0, k: int | None = None
) -> Tensor:
    """(N,) mean distance of x' to reference images of the target class, or to the `k` nearest of them; lower.

    `references` holds (M, 1, 28, 28) per class, chosen by true label. The mean over a sample is ECCCo's (Altmeyer et
    al., 2024: recalled); which variant and norm the benchmark's source uses is not known (inferred: this one, L2).
    """
    _rows(images, target)
    result = torch.empty(len(target), device=images.device)
    for label in target.unique().tolist():
        mine = target == label
        reference = references[int(label)].flatten(1)
        assert len(reference), f"no reference image of class {label}"
        mine_flat = images[mine].flatten(1)
        distances = torch.cdist(mine_flat, reference, p=norm, compute_mode="use_mm_for_euclid_dist")
        if k is not None:
            # Near zero the fast form above is off by rounding, so the chosen distances are taken again.
            nearest = reference[distances.topk(min(k, len(reference)), largest=False).indices]
            distances = torch.linalg.vector_norm(nearest - mine_flat[:, None], ord=norm, dim=2)
        result[mine] = distances.mean(1)
    return result


def validity(mean: Tensor, target: Tensor) -> Tensor:
    """(N,) 100 where the target is the most probable class of the posterior mean, else 0; higher."""
    _rows(mean, target)
    return _percent(mean.argmax(1) == target)


def confident_validity(mean: Tensor, target: Tensor, threshold: float = 0.5) -> Tensor:
    """(N,) 100 where the posterior mean gives the target more than `threshold`, else 0; higher."""
    _rows(mean, target)
    return _percent(_pick(mean, target) > threshold)


def robustness_ratio(draws: Tensor, target: Tensor, threshold: float = 1e-3) -> Tensor:
    """(N,) 100 where x' is valid and the target's probability varies by at most `threshold` over the draws; higher.

    Inferred: the reporting paper's abstract ties robustness to low predictive variance (stated); that 1e-3 bounds the
    variance, and that an invalid counterfactual is not robust, is our reading. The second half matters: an unchanged
    image has a steady target probability near zero. v <= pbar (1 - pbar), so for the most part this is a threshold
    on confidence.
    """
    variance = target_variance(draws, target)
    return _percent((variance <= threshold) & (draws.mean(0).argmax(1) == target))


def target_variance(draws: Tensor, target: Tensor) -> Tensor:
    """(N,) population variance of the target's probability over the draws (S, N, C)."""
    assert draws.ndim == 3, draws.shape
    _rows(draws[0], target)
    return draws[:, torch.arange(len(target), device=target.device), target].var(0, unbiased=False)


def target_probability(mean: Tensor, target: Tensor) -> Tensor:
    """(N,) probability of the target under the posterior mean."""
    _rows(mean, target)
    return _pick(mean, target)


def predictive_entropy(mean: Tensor) -> Tensor:
    """(N,) entropy of the posterior mean in nats, 0 to log C; lower is more certain."""
    terms: Tensor = torch.special.entr(mean)
    return terms.sum(1)


def l1(images: Tensor, factual: Tensor) -> Tensor:
    """(N,) sum of absolute pixel changes; lower."""
    return _change(images, factual).abs().sum(1)


def l2(images: Tensor, factual: Tensor) -> Tensor:
    """(N,) Euclidean length of the change (with the root); lower."""
    return _change(images, factual).square().sum(1).sqrt()


def sparsity(images: Tensor, factual: Tensor) -> Tensor:
    """(N,) percentage of pixels that moved by more than `CHANGED`; lower."""
    return 100 * (_change(images, factual).abs() > CHANGED).float().mean(1)


def model_change_validity(changed: Tensor, mean: Tensor, target: Tensor) -> Tensor:
    """(N,) percentage of changed models (M, N, C; logits or probabilities) under which a valid x' stays valid.

    An x' that the original model's `mean` (N, C) does not assign to the target is NaN: it has no validity to keep and
    is left out of the average.
    """
    assert changed.ndim == 3, changed.shape
    kept = 100 * (changed.argmax(-1) == target).float().mean(0)
    return kept.where(mean.argmax(1) == target, torch.nan)


def cantelli_bound(variance: float, margin: float) -> float:
    """Largest probability that a value with this variance falls `margin` or more below its mean (Cantelli).

    With variance 1e-3 and margin .45 at most 0.5 per cent of new draws of the posterior can take the target below .5.
    That this is the guarantee the reporting paper has in mind is inferred.
    """
    assert variance >= 0
    assert margin > 0
    return variance / (variance + margin**2)


def _change(images: Tensor, factual: Tensor) -> Tensor:
    assert images.shape == factual.shape, (images.shape, factual.shape)
    return (images - factual).flatten(1)


def _pick(values: Tensor, columns: Tensor) -> Tensor:
    return values.gather(1, columns[:, None])[:, 0]


def _percent(condition: Tensor) -> Tensor:
    return 100 * condition.float()


def _rows(*tensors: Tensor) -> None:
    assert len({len(tensor) for tensor in tensors}) == 1, [tuple(tensor.shape) for tensor in tensors]
