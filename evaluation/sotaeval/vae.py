"""The generative model that PSCE uses as plausibility term. It never scores anything (see `autoencoders`)."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from sotaeval.data import Split
from sotaeval.training import Fit, Progress, batches, optimise, silent


class Vae(nn.Module):
    """A variational autoencoder 784-400-(20, 20)-400-784 with Bernoulli pixels (architecture ours)."""

    def __init__(self, hidden: int = 400, code: int = 20) -> None:
        super().__init__()
        self.code = code
        self.encoder = nn.Linear(784, hidden)
        self.statistics = nn.Linear(hidden, 2 * code)
        self.decoder = nn.Sequential(nn.Linear(code, hidden), nn.ReLU(), nn.Linear(hidden, 784))

    def encode(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """(B, 1, 28, 28) to mean and log variance of the code, (B, 20) each."""
        mean, log_variance = self.statistics(self.encoder(images.flatten(1)).relu()).chunk(2, dim=1)
        return mean, log_variance

    def decode(self, codes: Tensor) -> Tensor:
        """(B, 20) to images (B, 1, 28, 28) in [0, 1]."""
        pixels: Tensor = self.decoder(codes)
        return pixels.sigmoid().view(-1, 1, 28, 28)

    def elbo(self, images: Tensor, sample: bool = False) -> Tensor:
        """(B,) evidence lower bound in nats; without sampling at the mean of the code, hence deterministic.

        `images` (B, 1, 28, 28) must lie in [0, 1]: the Bernoulli term means nothing outside.
        """
        mean, log_variance = self.encode(images)
        codes = mean + (0.5 * log_variance).exp() * torch.randn_like(mean) if sample else mean
        likelihood = -functional.binary_cross_entropy_with_logits(
            self.decoder(codes), images.flatten(1), reduction="none"
        ).sum(1)
        divergence = 0.5 * (mean.square() + log_variance.exp() - 1 - log_variance).sum(1)
        return likelihood - divergence


def fit_vae(split: Split, fit: Fit, seed: int, progress: Progress = silent) -> Vae:
    """Train on the sampled evidence lower bound."""
    torch.manual_seed(seed)
    model = Vae()

    def loss(images: Tensor, _labels: Tensor, _share: float) -> Tensor:
        return -model.elbo(images, sample=True).mean()

    optimise(model, batches(split, fit, seed), loss, fit, progress)
    return model
