"""Rows that keep the metrics honest: what doing nothing, showing a real image, or attacking the model would score."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from sotaeval.methods import Context
from sotaeval.models import Posterior


@dataclass(frozen=True)
class Unchanged:
    """The factual itself. It must be the worst by IM1, and invalid."""

    label = "Unchanged input"

    def generate(self, model: Posterior, images: Tensor, target: Tensor, context: Context) -> Tensor:
        """The images as they are."""
        return images.clone()


@dataclass(frozen=True)
class NearestImage:
    """The training image of the target class with the smallest Euclidean distance to the factual.

    A strong and simple baseline: real, mostly valid, far away.
    """

    label = "Nearest training image"

    def generate(self, model: Posterior, images: Tensor, target: Tensor, context: Context) -> Tensor:
        """Real images, by true label."""
        result = torch.empty_like(images)
        for label in target.unique().tolist():
            pool = context.training.of_class(int(label))
            distances = torch.cdist(images[target == label].flatten(1), pool.flatten(1))
            result[target == label] = pool[distances.argmin(1)]
        return result


@dataclass(frozen=True)
class RandomImage:
    """A training image of the target class, drawn for each row by its id and the seed."""

    label = "Random training image"

    def generate(self, model: Posterior, images: Tensor, target: Tensor, context: Context) -> Tensor:
        """Real images, by true label."""
        result = torch.empty_like(images)
        pools = {int(label): context.training.of_class(int(label)) for label in target.unique().tolist()}
        for position, (row, label) in enumerate(zip(context.rows.tolist(), target.tolist(), strict=True)):
            generator = torch.Generator().manual_seed(context.seed * 1_000_003 + row)
            chosen = int(torch.randint(len(pools[label]), (), generator=generator))
            result[position] = pools[label][chosen]
        return result


@dataclass(frozen=True)
class Pgd:
    """Projected gradient descent in an L-infinity ball (Madry et al., 2018: recalled): an adversarial attack.

    It is what a counterfactual must not be: valid by imperceptible changes.
    """

    label = "PGD attack"

    radius: float = 0.2
    rate: float = 0.02
    steps: int = 40

    def generate(self, model: Posterior, images: Tensor, target: Tensor, context: Context) -> Tensor:
        """Targeted attack on the point prediction, without random start."""
        changed = images.clone()
        for step in range(self.steps):
            changed = changed.detach().requires_grad_()
            loss = functional.cross_entropy(model.point(changed), target, reduction="sum")
            (gradient,) = torch.autograd.grad(loss, changed)
            moved = changed.detach() - self.rate * gradient.sign()
            changed = torch.minimum(torch.maximum(moved, images - self.radius), images + self.radius).clamp(0, 1)
            context.progress((step + 1) / self.steps)
        return changed.detach()
