"""ROAR: Upadhyay, Joshi and Lakkaraju, 2021."""

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor
from torch.nn import functional

from sotaeval.methods import Context, objective
from sotaeval.models import Posterior
from sotaeval.search import Active, Found, Settings, Step


@dataclass(frozen=True)
class Roar:
    """Wachter's objective under the worst shift of the model: min over x', max over ||d||_inf <= delta.

    The authors linearise the model and solve the inner problem as a linear program (read in code). For shifts of one
    affine layer its optimum is known: every weight moves against the target, so no program is solved. `mode` says
    which layer: "last" shifts the weights and biases of the last layer; "input" reads the local linear model's
    coefficients literally, one per pixel (inferred: both are our forms for a neural network). Stop when the worst-case
    probability of the target exceeds 1/2 (ours; the authors stop when the loss stands still).
    """

    label = "ROAR"

    rate: float = 0.01
    weight: float = 0.1
    iterations: int = 400
    threshold: float = 0.5
    delta: float = 0.02
    mode: Literal["last", "input"] = "last"

    def generate(self, model: Posterior, images: Tensor, target: Tensor, context: Context) -> Found:
        """Counterfactuals by gradient descent on the pixels against the worst case."""

        def loss(active: Active) -> Step:
            features = model.last_features(active.images) if self.mode == "last" else active.images.flatten(1)
            worst = worst_logits(model.point(active.images), features, active.target, self.delta)
            error = functional.cross_entropy(worst, active.target, reduction="none")
            probability = objective.point_probability(worst, active.target)
            return Step(error + active.distance(), objective.only_probability(probability))

        settings = Settings(self.rate, self.weight, self.iterations)
        rule = objective.Rule(loss, objective.above(self.threshold), settings)
        return objective.run(model, images, target, context, rule)


def worst_logits(logits: Tensor, features: Tensor, target: Tensor, delta: float) -> Tensor:
    """(B, C) logits after the worst shift, at most `delta` per weight and bias, of the layer that reads `features`.

    A shift changes each logit by at most delta (||h||_1 + 1); the worst one lowers the target's and raises the others'.
    """
    assert logits.ndim == features.ndim == 2, (logits.shape, features.shape)
    reach = delta * (features.abs().sum(1, keepdim=True) + 1)
    sign = torch.ones_like(logits).scatter(1, target[:, None], -1.0)
    return logits + reach * sign
