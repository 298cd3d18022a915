"""BayesCF, as far as it is known.

No page of the reporting paper that could be read defines it. The best evidence is a conference submission on
counterfactuals for Bayesian networks by projected gradient descent (OpenReview XAO5pulJru: abstract stated) and a
public review of it, by which it differs from Wachter's method only in averaging the predictions of sampled models
(stated). That this is the BayesCF of the leaderboard is inferred, and so is everything below.
"""

from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from sotaeval.methods import Context, objective
from sotaeval.models import Posterior
from sotaeval.search import Active, Found, Settings, Step


@dataclass(frozen=True)
class BayesCf:
    """Wachter's objective and stop rule on the posterior mean (inferred from a submission's abstract and a review).

    `average` = "prediction" takes the cross-entropy of the mean probability, "loss" the mean of the draws'
    cross-entropies, which is an upper bound of it (Jensen).
    """

    label = "BayesCF"

    rate: float = 0.01
    weight: float = 0.1
    iterations: int = 400
    threshold: float = 0.5
    average: Literal["prediction", "loss"] = "prediction"

    def generate(self, model: Posterior, images: Tensor, target: Tensor, context: Context) -> Found:
        """Counterfactuals by projected gradient descent over fresh draws of the posterior."""

        def loss(active: Active) -> Step:
            log_draws = objective.target_log_draws(model, active, context.draws)
            log_mean = objective.log_mean(log_draws)
            error = -(log_mean if self.average == "prediction" else log_draws.mean(0))
            return Step(error + active.distance(), objective.only_probability(log_mean.exp()))

        settings = Settings(self.rate, self.weight, self.iterations)
        rule = objective.Rule(loss, objective.above(self.threshold), settings)
        return objective.run(model, images, target, context, rule)
