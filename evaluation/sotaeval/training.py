"""Fitting the classifiers, the autoencoders and the VAE: one loop, one loss per kind.

Every fit starts from `torch.manual_seed(seed)` and draws its batches from a generator of its own, so that the same
settings on the same machine and thread count give the same weights.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from sotaeval.data import Split
from sotaeval.models import DropoutCnn, VariationalMlp

Progress = Callable[[float], None]
"""Called with the finished share of a piece of work, 0 to 1."""


def silent(share: float) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True)
class Fit:
    """How long and how fast to train. `final` is the share of the learning rate left at the end (cosine decay)."""

    epochs: int
    rate: float = 1e-3
    batch: int = 256
    final: float = 1.0


@dataclass(frozen=True)
class BnnFit(Fit):
    """Training of the mean-field network.

    With the full weight of the divergence (tempering 1, prior deviation 0.1) the posterior underfits: real images of
    the target class reach a mean confidence of 0.89 only (measured). `tempering` scales the divergence (a "cold"
    posterior: stated openly, since it is not the Bayesian posterior of the likelihood any more), `warm_up` is the
    share of training in which its weight grows from 0.
    """

    width: int = 128
    prior: float = 0.1
    tempering: float = 1.0
    warm_up: float = 0.33


def fit_cnn(split: Split, fit: Fit, seed: int, progress: Progress = silent) -> DropoutCnn:
    """The Monte Carlo dropout CNN, trained with cross-entropy."""
    torch.manual_seed(seed)
    model = DropoutCnn()

    def loss(images: Tensor, labels: Tensor, _: float) -> Tensor:
        return functional.cross_entropy(model(images), labels)

    optimise(model, batches(split, fit, seed), loss, fit, progress)
    return model


def fit_bnn(split: Split, fit: BnnFit, seed: int, progress: Progress = silent) -> VariationalMlp:
    """The variational network, trained on the tempered evidence lower bound."""
    torch.manual_seed(seed)
    model = VariationalMlp(fit.width, fit.prior)

    def loss(images: Tensor, labels: Tensor, share: float) -> Tensor:
        weight = fit.tempering * (min(1.0, share / fit.warm_up) if fit.warm_up else 1.0)
        return functional.cross_entropy(model(images), labels) + weight / len(split.labels) * model.divergence()

    optimise(model, batches(split, fit, seed), loss, fit, progress)
    return model


def optimise(
    model: nn.Module,
    stream: Iterator[tuple[Tensor, Tensor, float]],
    loss: Callable[[Tensor, Tensor, float], Tensor],
    fit: Fit,
    progress: Progress,
) -> None:
    """Adam over a stream of (images, labels, finished share); reports progress about a hundred times."""
    adam = torch.optim.Adam(model.parameters(), lr=fit.rate, fused=next(model.parameters()).device.type != "mps")
    model.train()
    reported = 0.0
    for images, labels, share in stream:
        cosine = 0.5 * (1 + torch.cos(torch.tensor(share * torch.pi)).item())
        adam.param_groups[0]["lr"] = fit.rate * (fit.final + (1 - fit.final) * cosine)
        adam.zero_grad(set_to_none=True)
        torch.autograd.backward(loss(images, labels, share))
        adam.step()
        if share - reported >= 0.01:
            progress(share)
            reported = share
    model.eval()
    progress(1.0)


def batches(split: Split, fit: Fit, seed: int) -> Iterator[tuple[Tensor, Tensor, float]]:
    """Shuffled batches of every epoch with the share of training that is done before each."""
    generator = torch.Generator().manual_seed(seed + 7919)
    count = len(split.labels)
    per_epoch = -(-count // fit.batch)
    for epoch in range(fit.epochs):
        order = torch.randperm(count, generator=generator).to(split.labels.device)
        for index, chosen in enumerate(order.split(fit.batch)):
            share = (epoch + index / per_epoch) / fit.epochs
            yield split.images[chosen], split.labels[chosen], share
