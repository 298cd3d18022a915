"""Autoencoders that score counterfactuals (IM1, IM2): one per class and one for all classes.

The level of IM1 is set by the autoencoder, so its kind is part of the protocol. `mlp` (default) is ours:
784-128-32-128-784 with relu, linear code and output. `paper_conv` is the convolutional kind of the code published with
Schut et al., 2021 (read in code: oscarkey/explanations-by-minimizing-uncertainty, im_evaluation.py), which names Van
Looveren and Klaise, 2019, as its origin; its codes are nearly as large as the image, so its ratios lie close to 1.
Member k < 10 knows class k only, member 10 all classes.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.nn import functional

from sotaeval.data import Split
from sotaeval.training import Fit, Progress, batches, optimise, silent

MEMBERS = 11
ALL_CLASSES = 10


class Scorer(nn.Module):
    """Eleven autoencoders behind one call."""

    def rebuild(self, images: Tensor) -> Tensor:
        """(B, 11, 784): every image (B, 1, 28, 28) rebuilt by every member."""
        raise NotImplementedError

    def errors(self, images: Tensor) -> Tensor:
        """(B, 11) squared L2 errors of rebuilding."""
        return (self.rebuild(images) - images.flatten(1)[:, None]).square().sum(-1)


class MlpAutoencoders(Scorer):
    """All members as one stack of weights, so that each layer is one batched product."""

    def __init__(self, widths: tuple[int, ...] = (784, 128, 32, 128, 784)) -> None:
        super().__init__()
        pairs = list(pairwise(widths))
        self.weights = nn.ParameterList(_uniform((MEMBERS, a, b), a) for a, b in pairs)
        self.biases = nn.ParameterList(_uniform((MEMBERS, 1, b), a) for a, b in pairs)

    def forward(self, signal: Tensor) -> Tensor:
        """(11, B, 784) to (11, B, 784): member k rebuilds row k."""
        layers = list(zip(self.weights, self.biases, strict=True))
        for index, (weight, bias) in enumerate(layers):
            signal = torch.baddbmm(bias, signal, weight)
            signal = signal.relu() if index in {0, len(layers) - 2} else signal
        return signal

    def rebuild(self, images: Tensor) -> Tensor:
        """(B, 11, 784) in chunks that keep memory flat."""
        parts = (self(part.flatten(1).expand(MEMBERS, -1, -1)).transpose(0, 1) for part in images.split(512))
        return torch.cat(list(parts))


def fit_mlp(split: Split, fit: Fit, seed: int, progress: Progress = silent) -> MlpAutoencoders:
    """Train all members at once on the mean squared error. An epoch is one pass over a class of average size.

    Member 10 sees as many batches as the others, drawn from all classes.
    """
    torch.manual_seed(seed)
    model = MlpAutoencoders()

    def loss(images: Tensor, _labels: Tensor, _share: float) -> Tensor:
        # The sum over members, so that each one's gradient is that of its own mean squared error.
        return functional.mse_loss(model(images), images) * MEMBERS

    optimise(model, _member_batches(split, fit, seed), loss, fit, progress)
    return model


def _member_batches(split: Split, fit: Fit, seed: int) -> Iterator[tuple[Tensor, Tensor, float]]:
    """(11, batch, 784) images, member k's from its own class, reshuffled whenever a class has been passed through."""
    generator = torch.Generator().manual_seed(seed + 104729)
    flat = split.images.flatten(1)
    every = torch.arange(len(flat))
    labels = split.labels.cpu()
    pools = [every[labels == label] for label in range(ALL_CLASSES)] + [every]
    assert all(len(pool) for pool in pools), "a class has no training image"
    steps = fit.epochs * -(-len(flat) // (ALL_CLASSES * fit.batch))
    orders = torch.stack([_cycle(pool, steps * fit.batch, generator) for pool in pools]).to(flat.device)
    for step, chosen in enumerate(orders.split(fit.batch, dim=1)):
        yield flat[chosen], chosen, step / steps


def _cycle(pool: Tensor, count: int, generator: torch.Generator) -> Tensor:
    rounds = -(-count // len(pool))
    return torch.cat([pool[torch.randperm(len(pool), generator=generator)] for _ in range(rounds)])[:count]


class ConvAutoencoder(nn.Sequential):
    """One member of the published kind: codes of 8x7x7 for one class, of 1x14x14 for all classes."""

    def __init__(self, member: int) -> None:
        super().__init__(*(_all_classes() if member == ALL_CLASSES else _one_class()))


class ConvAutoencoders(Scorer):
    """Eleven separately trained members."""

    def __init__(self, members: list[ConvAutoencoder]) -> None:
        super().__init__()
        assert len(members) == MEMBERS, len(members)
        self.members = nn.ModuleList(members)

    def rebuild(self, images: Tensor) -> Tensor:
        """(B, 11, 784) in chunks that keep memory flat."""
        parts = images.split(256)
        rebuilt = (torch.stack([member(part).flatten(1) for member in self.members], dim=1) for part in parts)
        return torch.cat(list(rebuilt))


def fit_conv(split: Split, fit: Fit, seed: int, member: int, progress: Progress = silent) -> ConvAutoencoder:
    """Train one member; the all-class one on fewer epochs, 4 for 30 as published."""
    torch.manual_seed(seed * MEMBERS + member)
    model = ConvAutoencoder(member).to(memory_format=torch.channels_last)  # a third less time on a CPU
    chosen = split if member == ALL_CLASSES else _only(split, member)
    own = replace(fit, epochs=max(1, round(fit.epochs * 4 / 30))) if member == ALL_CLASSES else fit

    def loss(images: Tensor, _labels: Tensor, _share: float) -> Tensor:
        return functional.mse_loss(model(images), images)

    optimise(model, batches(chosen, own, seed), loss, own, progress)
    return model


def _one_class() -> list[nn.Module]:
    return [
        _conv(1, 16), nn.ReLU(), nn.MaxPool2d(2), _conv(16, 8), nn.ReLU(), nn.MaxPool2d(2), _conv(8, 8),
        _conv(8, 8), nn.ReLU(), nn.Upsample(scale_factor=2), _conv(8, 16), nn.ReLU(), nn.Upsample(scale_factor=2),
        _conv(16, 1),
    ]  # fmt: skip


def _all_classes() -> list[nn.Module]:
    return [
        _conv(1, 16), nn.ReLU(), _conv(16, 16), nn.ReLU(), nn.MaxPool2d(2), _conv(16, 1),
        _conv(1, 16), nn.ReLU(), nn.Upsample(scale_factor=2), _conv(16, 16), nn.ReLU(), _conv(16, 1),
    ]  # fmt: skip


def _conv(inputs: int, outputs: int) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, 3, padding=1)


def _only(split: Split, label: int) -> Split:
    return Split(split.of_class(label), split.labels[split.labels == label])


def _uniform(shape: tuple[int, ...], inputs: int) -> nn.Parameter:
    """The usual start of an affine layer: uniform within one over the root of the number of inputs."""
    bound = inputs**-0.5
    return nn.Parameter(torch.empty(shape).uniform_(-bound, bound))
