"""Classifiers with a posterior: one point prediction, and as many draws as asked for.

Both models are ours; the architectures of the reporting paper are not known. Inputs are raw images (B, 1, 28, 28) in
[0, 1]. Draws are fresh for every row and step (`RowNoise`), because counterfactuals overfit a fixed pool of sampled
weights as adversarial examples do (measured: a pool of ten gives 58 per cent validity on other draws, fresh draws 100).
"""

from math import log
from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional

from sotaeval.noise import RowNoise

CLASSES = 10


class Posterior(Protocol):
    """What a method may ask of a model."""

    name: str

    def point(self, images: Tensor) -> Tensor:
        """(B, C) logits of the point prediction: dropout off, or the mean of the weights."""

    def log_draws(self, images: Tensor, draws: int, noise: RowNoise) -> Tensor:
        """(S, B, C) log probabilities under S draws of the posterior, those of `noise` for each row."""

    def draws(self, images: Tensor, draws: int, noise: RowNoise) -> Tensor:
        """(S, B, C) probabilities under S draws."""

    def last_features(self, images: Tensor) -> Tensor:
        """(B, H) inputs of the last affine layer at the point prediction."""


class DropoutCnn(nn.Module):
    """A small strided CNN with dropout behind its 128-wide bottleneck (Monte Carlo dropout).

    Dropout sits in the head only, so S draws cost one pass of the trunk and S passes of two small layers.
    """

    name = "mc-dropout"

    def __init__(self, rate: float = 0.25) -> None:
        super().__init__()
        assert rate * 256 == int(rate * 256), "masks are made of bytes: the rate is a multiple of 1/256"
        self.rate = rate
        self.conv1 = nn.Conv2d(1, 16, 5, stride=2, padding=2)
        self.conv2 = nn.Conv2d(16, 32, 3, stride=2, padding=1)
        self.bottleneck = nn.Linear(32 * 7 * 7, 128)
        self.hidden = nn.Linear(128, 64)
        self.out = nn.Linear(64, CLASSES)

    def trunk(self, images: Tensor) -> Tensor:
        """(B, 128) features before the first dropout."""
        features = self.conv2(self.conv1(images).relu()).relu()
        found: Tensor = self.bottleneck(features.flatten(1)).relu()
        return found

    def forward(self, images: Tensor) -> Tensor:
        """(B, C) logits with dropout as in training."""
        hidden = self.hidden(functional.dropout(self.trunk(images), self.rate, self.training)).relu()
        logits: Tensor = self.out(functional.dropout(hidden, self.rate, self.training))
        return logits

    def last_features(self, images: Tensor) -> Tensor:
        """(B, 64) inputs of the last layer, dropout off."""
        features: Tensor = self.hidden(self.trunk(images)).relu()
        return features

    def point(self, images: Tensor) -> Tensor:
        """(B, C) logits with dropout off."""
        logits: Tensor = self.out(self.last_features(images))
        return logits

    def log_draws(self, images: Tensor, draws: int, noise: RowNoise) -> Tensor:
        """(S, B, C) log probabilities; the trunk runs once."""
        rows, first, second = len(images), self.bottleneck.out_features, self.hidden.out_features
        kept = noise.bits(draws * (first + second)) >= int(self.rate * 256)
        masks = kept.to(images.dtype).div_(1 - self.rate).view(rows, draws, first + second)
        hidden = self.hidden(self.trunk(images)[:, None] * masks[:, :, :first]).relu()
        logits: Tensor = self.out(hidden * masks[:, :, first:])
        return logits.log_softmax(-1).transpose(0, 1)

    def draws(self, images: Tensor, draws: int, noise: RowNoise) -> Tensor:
        """(S, B, C) probabilities."""
        return self.log_draws(images, draws, noise).exp()


class VariationalLinear(nn.Module):
    """An affine layer whose weights have independent normal posteriors.

    Bayes by Backprop (Blundell et al., 2015: recalled) with local reparameterisation (Kingma et al., 2015: recalled):
    the outputs are sampled, not the weights. For one input that has exactly the distribution of sampled weights.
    """

    def __init__(self, inputs: int, outputs: int, prior: float) -> None:
        super().__init__()
        self.prior = prior
        self.mean = nn.Linear(inputs, outputs)
        self.rho = nn.Parameter(torch.full((outputs, inputs), -3.0))
        self.rho_bias = nn.Parameter(torch.full((outputs,), -3.0))

    def variance(self, inputs: Tensor) -> Tensor:
        """Variance of the outputs; (…, inputs) to (…, outputs)."""
        return functional.linear(inputs.square(), self._sigma(self.rho).square(), self._sigma(self.rho_bias).square())

    def divergence(self) -> Tensor:
        """Kullback-Leibler divergence of the posterior from the normal prior, in nats."""
        pairs = ((self.mean.weight, self.rho), (self.mean.bias, self.rho_bias))
        return torch.stack([self._divergence(mean, self._sigma(rho)) for mean, rho in pairs]).sum()

    def _divergence(self, mean: Tensor, sigma: Tensor) -> Tensor:
        ratio = (sigma.square() + mean.square()) / self.prior**2
        return (0.5 * (ratio - 1) - sigma.log() + log(self.prior)).sum()

    @staticmethod
    def _sigma(rho: Tensor) -> Tensor:
        return functional.softplus(rho)


class VariationalMlp(nn.Module):
    """A mean-field Bayesian network 784-H-H-10 with relu units."""

    name = "bnn"

    def __init__(self, width: int = 128, prior: float = 0.1) -> None:
        super().__init__()
        self.first = VariationalLinear(784, width, prior)
        self.second = VariationalLinear(width, width, prior)
        self.out = VariationalLinear(width, CLASSES, prior)

    @property
    def layers(self) -> tuple[VariationalLinear, VariationalLinear, VariationalLinear]:
        """The three layers in order."""
        return self.first, self.second, self.out

    def forward(self, images: Tensor) -> Tensor:
        """(B, C) logits of one draw per row, from torch's generator, for training."""
        signal = images.flatten(1)
        for layer in self.layers:
            mean, variance = layer.mean(signal), layer.variance(signal)
            signal = mean + variance.sqrt() * torch.randn_like(mean)
            signal = signal if layer is self.out else signal.relu()
        return signal

    def last_features(self, images: Tensor) -> Tensor:
        """(B, H) inputs of the last layer with the mean weights."""
        features: Tensor = self.second.mean(self.first.mean(images.flatten(1)).relu()).relu()
        return features

    def point(self, images: Tensor) -> Tensor:
        """(B, C) logits with the mean weights."""
        logits: Tensor = self.out.mean(self.last_features(images))
        return logits

    def log_draws(self, images: Tensor, draws: int, noise: RowNoise) -> Tensor:
        """(S, B, C) log probabilities; the first layer's cost does not grow with S."""
        widths = [layer.mean.out_features for layer in self.layers]
        normals = noise.normal(draws * sum(widths)).view(len(images), draws, sum(widths)).split(widths, dim=2)
        signal = images.flatten(1)[:, None]
        for layer, normal in zip(self.layers, normals, strict=True):
            signal = layer.mean(signal) + layer.variance(signal).sqrt() * normal
            signal = signal if layer is self.out else signal.relu()
        return signal.log_softmax(-1).transpose(0, 1)

    def draws(self, images: Tensor, draws: int, noise: RowNoise) -> Tensor:
        """(S, B, C) probabilities."""
        return self.log_draws(images, draws, noise).exp()

    def divergence(self) -> Tensor:
        """Divergence of all weights from the prior, in nats."""
        return torch.stack([layer.divergence() for layer in self.layers]).sum()


def evaluation_draws(model: Posterior, images: Tensor, rows: Tensor, draws: int, seed: int) -> Tensor:
    """(S, N, C) probabilities under draws that depend on seed and row alone, in chunks that keep memory flat."""
    parts = zip(images.split(256), rows.split(256), strict=True)
    return torch.cat([model.draws(part, draws, RowNoise.at(seed, ids)) for part, ids in parts], dim=1)


def freeze(model: nn.Module) -> None:
    """Evaluation mode, no gradients for parameters: what every search expects."""
    model.eval().requires_grad_(False)
