"""Schut et al., 2021 (arXiv 2103.08951)."""

from dataclasses import dataclass

import torch
from torch import Tensor

from sotaeval.methods import Context, objective
from sotaeval.models import Posterior
from sotaeval.search import Active, Found, Rows, Settings, Step


@dataclass(frozen=True)
class Schut:
    """Greedy: change the one pixel with the largest gradient of the ensemble's loss, until the target is confident.

    From the authors' published generator (read in code): the ensemble's mean prediction, steps of 1/`changes` against
    the sign of the gradient, each pixel at most `changes` times. Ours: the loss is the cross-entropy of the mean
    probability (theirs: of the mean logits); draws of the posterior stand for their ensemble of adversarially trained
    networks; rows stop one by one when the smoothed mean probability of the target reaches `threshold` (theirs ends
    the whole batch once every row has left its class); saturated pixels are passed over. With their threshold of .99
    dropout posteriors run to the cap.
    """

    label = "Schut"

    threshold: float = 0.9
    iterations: int = 400
    changes: int = 5

    def generate(self, model: Posterior, images: Tensor, target: Tensor, context: Context) -> Found:
        """Counterfactuals by greedy pixel changes."""

        def loss(active: Active) -> Step:
            log_mean = objective.log_mean(objective.target_log_draws(model, active, context.draws))
            return Step(-log_mean, objective.only_probability(log_mean.exp()))

        settings = Settings(rate=1 / self.changes, weight=0.0, iterations=self.iterations)
        rule = objective.Rule(loss, objective.above(self.threshold), settings, greedy)
        return objective.run(model, images, target, context, rule)


def greedy(rows: Rows, gradient: Tensor, settings: Settings) -> Rows:
    """Move one pixel per row by `settings.rate`; `rows.first` counts how far each pixel has moved, at most 1 in all."""
    can_move = torch.where(gradient > 0, rows.image > 0, rows.image < 1) & (rows.first < 1 - settings.rate / 2)
    score = gradient.abs().where(can_move, 0.0).flatten(1)
    best, pixel = score.max(1, keepdim=True)
    direction = -gradient.flatten(1).gather(1, pixel).sign() * (best > 0)
    image = rows.image.flatten(1).scatter_add(1, pixel, settings.rate * direction).clamp(0, 1)
    moved = rows.first.flatten(1).scatter_add(1, pixel, settings.rate * direction.abs())
    return rows._replace(image=image.view_as(rows.image), first=moved.view_as(rows.first))
