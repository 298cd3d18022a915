"""What the gradient methods share: posterior statistics, and the stop rule of matched confidence."""

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from sotaeval.methods import Context
from sotaeval.models import Posterior
from sotaeval.search import Active, Found, Margin, Objective, Problem, Settings, Step, Update, adam, search


def target_log_draws(model: Posterior, active: Active, draws: int) -> Tensor:
    """(S, B) log probabilities of the targets under fresh draws."""
    log_draws = model.log_draws(active.images, draws, active.noise)
    return log_draws[:, torch.arange(len(active.target), device=active.target.device), active.target]


def log_mean(log_draws: Tensor) -> Tensor:
    """(B,) logarithm of the mean probability over draws (S, B)."""
    return log_draws.logsumexp(0) - torch.tensor(float(len(log_draws)), device=log_draws.device).log()


def point_probability(logits: Tensor, target: Tensor) -> Tensor:
    """(B,) probability of the target given logits (B, C)."""
    return logits.softmax(1).gather(1, target[:, None])[:, 0]


def only_probability(probability: Tensor) -> Tensor:
    """(B, 2) statistics of a method that looks at a probability alone."""
    return torch.stack((probability, torch.zeros_like(probability)), dim=1)


def above(threshold: float) -> Margin:
    """The rule "smoothed target probability at least `threshold`"."""
    return lambda smooth: smooth[:, 0] - threshold


@dataclass(frozen=True)
class Rule:
    """A method's mathematics: its objective, its stop rule, its settings and the step it takes."""

    objective: Objective
    margin: Margin
    settings: Settings
    update: Update = adam


def run(model: Posterior, images: Tensor, target: Tensor, context: Context, rule: Rule) -> Found:
    """Search with the method's own rule or, in rows of matched confidence, with the rule that is the same for all.

    Then a row stops as soon as the smoothed mean over the posterior gives the target `context.confidence`, whatever
    the method would look at otherwise, and no minimum of steps applies. The loss stays the method's own.
    """
    problem = Problem(images, target, context.rows, context.seed, context.progress)
    if context.confidence is None:
        return search(problem, rule.objective, rule.margin, rule.settings, rule.update)

    def matched(active: Active) -> Step:
        loss, own = rule.objective(active)
        with torch.no_grad():
            mean = target_log_draws(model, active._replace(noise=active.noise.layer(7)), context.draws).exp().mean(0)
        return Step(loss, torch.stack((mean, own[:, 1]), dim=1))

    settings = replace(rule.settings, minimum=0)
    return search(problem, matched, above(context.confidence), settings, rule.update)
