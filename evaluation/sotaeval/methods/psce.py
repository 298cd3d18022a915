"""PSCE (Duell and Fan, 2026, arXiv 2601.16659), as far as it is known.

Stated by the abstract: delta-safe means high predictive confidence, epsilon-robust low predictive variance, both
together give a probabilistic guarantee under model change, and they enter the optimisation as constraints. The
objective is not public; ours is inferred from that and from the same first author's QUCE (arXiv 2402.17516: paper and
code read): target probability, proximity, and the evidence lower bound of a VAE.
"""

from dataclasses import dataclass
from math import log

import torch
from torch import Tensor

from sotaeval.methods import Context, objective
from sotaeval.models import Posterior
from sotaeval.search import Active, Found, Settings, Step

SAFE_PENALTY = 5.0
ROBUST_PENALTY = 0.5


@dataclass(frozen=True)
class Psce:
    """Reach {x : mean p(y'|x) >= 1 - delta and variance of p(y'|x) <= epsilon} at a plausible image (inferred).

    Constraints are hinges on logarithms, since the raw variance's gradient vanishes where it matters; they aim at half
    of delta and epsilon, so that draws the search has not seen comply too. `plausibility` weighs the lower bound;
    0 leaves the constraints alone. All weights are ours.
    """

    label = "PSCE"
    uses_vae = True

    rate: float = 0.02
    weight: float = 0.005
    iterations: int = 300
    minimum: int = 100
    delta: float = 0.05
    epsilon: float = 1e-3
    plausibility: float = 0.05

    def generate(self, model: Posterior, images: Tensor, target: Tensor, context: Context) -> Found:
        """Counterfactuals by penalised gradient descent over fresh draws of the posterior."""
        vae = context.vae() if self.plausibility else None

        def loss(active: Active) -> Step:
            log_draws = objective.target_log_draws(model, active, context.draws)
            log_mean, variance = objective.log_mean(log_draws), log_draws.exp().var(0, unbiased=False)
            unsafe = (log(1 - self.delta / 2) - log_mean).relu()
            unsteady = ((variance + 1e-6).log() - log(self.epsilon / 2)).relu()
            total = -log_draws.mean(0) + SAFE_PENALTY * unsafe + ROBUST_PENALTY * unsteady + active.distance()
            if vae is not None:
                total = total - self.plausibility * vae.elbo(active.images)
            return Step(total, torch.stack((log_mean.exp(), variance), dim=1))

        settings = Settings(self.rate, self.weight, self.iterations, minimum=self.minimum)
        return objective.run(model, images, target, context, objective.Rule(loss, self.margin, settings))

    def margin(self, smooth: Tensor) -> Tensor:
        """(B,) zero where both conditions hold, else minus the sum of the relative shortfalls."""
        unsafe = (log(1 - self.delta) - smooth[:, 0].clamp_min(1e-12).log()).relu()
        unsteady = ((smooth[:, 1] + 1e-12).log() - log(self.epsilon)).relu()
        return -(unsafe + unsteady)
