"""The search loop of all gradient methods, written once; a method gives only its loss and its stop rule.

Rows are independent: each has its own Adam moments, step count and noise, so the gradient of the summed loss is the
gradient of every row. Finished rows leave the batch and waiting rows take their places (at most `window` at a time), so
the work is proportional to the steps that are needed, and a row's result does not depend on its neighbours.
(torch.optim cannot drop rows, hence the few lines of Adam here.)

A row stops when its smoothed statistics satisfy the stop rule: the exponential average (0.7 old, 0.3 new) keeps one
lucky draw of the posterior from ending the search. Rows that reach the cap give their best image by the rule's margin
and are marked as not converged.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from sotaeval.noise import RowNoise
from sotaeval.training import Progress, silent

SMOOTHING = 0.7
BETAS = (0.9, 0.999)


@dataclass(frozen=True)
class Settings:
    """How a search runs. `weight` is the distance weight lambda, multiplied by a half every `halving` steps."""

    rate: float = 0.01
    weight: float = 0.1
    iterations: int = 400
    halving: int = 100
    minimum: int = 0
    window: int = 256


class Active(NamedTuple):
    """The rows being searched at one step: images that carry the gradient, factuals, targets, noise, weights (B,)."""

    images: Tensor
    factual: Tensor
    target: Tensor
    noise: RowNoise
    weight: Tensor

    def distance(self) -> Tensor:
        """(B,) lambda times the L1 distance to the factual."""
        return self.weight * (self.images - self.factual).abs().flatten(1).sum(1)


class Step(NamedTuple):
    """Loss (B,) to descend, and the target's probability and its variance (B, 2), which the stop rule sees smoothed."""

    loss: Tensor
    statistics: Tensor


Objective = Callable[[Active], Step]
Margin = Callable[[Tensor], Tensor]
"""Smoothed statistics (B, 2) to (B,): zero or more where the row may stop; higher is nearer to stopping."""


class Found(NamedTuple):
    """Counterfactuals (N, 1, 28, 28), whether each met its stop rule, and the steps it took, both (N,)."""

    images: Tensor
    converged: Tensor
    iterations: Tensor


@dataclass(frozen=True)
class Problem:
    """What to search for: factuals (N, 1, 28, 28), targets (N,), fixed row ids (N,) and the seed of the noise."""

    factual: Tensor
    target: Tensor
    rows: Tensor
    seed: int
    progress: Progress = silent

    def __post_init__(self) -> None:
        count = len(self.factual)
        assert self.factual.shape == (count, 1, 28, 28), self.factual.shape
        assert self.target.shape == self.rows.shape == (count,), (self.target.shape, self.rows.shape)


class Rows(NamedTuple):
    """The active rows: position in the problem, image, two moments of the update, steps, smoothed statistics, best
    image so far and its margin."""

    position: Tensor
    image: Tensor
    first: Tensor
    second: Tensor
    step: Tensor
    smooth: Tensor
    best: Tensor
    margin: Tensor


Update = Callable[[Rows, Tensor, Settings], Rows]
"""One step: rows and the gradient at their images to rows with new images and moments."""


def adam(rows: Rows, gradient: Tensor, settings: Settings) -> Rows:
    """One Adam step per row, clamped to [0, 1] (CARLA clamps a copy and so never does: read in code)."""
    step = rows.step + 1
    first = BETAS[0] * rows.first + (1 - BETAS[0]) * gradient
    second = BETAS[1] * rows.second + (1 - BETAS[1]) * gradient.square()
    rate = settings.rate * (1 - torch.pow(BETAS[1], step)).sqrt() / (1 - torch.pow(BETAS[0], step))
    image = (rows.image - rate[:, None, None, None] * first / (second.sqrt() + 1e-8)).clamp(0, 1)
    return rows._replace(image=image, first=first, second=second)


def search(problem: Problem, objective: Objective, margin: Margin, settings: Settings, update: Update = adam) -> Found:
    """Descend the objective from every factual until its stop rule holds or the cap is reached."""
    count, device = len(problem.factual), problem.factual.device
    found = Found(
        problem.factual.clone(),
        torch.zeros(count, dtype=torch.bool, device=device),
        torch.zeros(count, dtype=torch.int64, device=device),
    )
    waiting = min(count, settings.window)
    rows = _enter(problem, 0, waiting)
    while len(rows.position):
        rows, gradient, reached = _evaluate(problem, objective, margin, settings, rows)
        done = (reached >= 0) & (rows.step >= settings.minimum)
        leaving = done | (rows.step >= settings.iterations)
        if leaving.any():
            _record(found, rows, done, leaving)
            staying = ~leaving
            rows, gradient = Rows(*(part[staying] for part in rows)), gradient[staying]
            problem.progress(1 - (len(rows.position) + count - waiting) / count)
        rows = update(rows, gradient, settings)._replace(step=rows.step + 1)
        if waiting < count and len(rows.position) <= settings.window * 3 // 4:
            entering = _enter(problem, waiting, min(count, waiting + settings.window - len(rows.position)))
            waiting += len(entering.position)
            rows = Rows(*(torch.cat(pair) for pair in zip(rows, entering, strict=True)))
    return found


def _enter(problem: Problem, start: int, end: int) -> Rows:
    """Fresh rows for the factuals from `start` to `end`."""
    images = problem.factual[start:end]
    index = torch.arange(start, end, device=images.device)
    zeros = torch.zeros_like(images)
    smooth = images.new_zeros(len(index), 2)
    margin = images.new_full((len(index),), -torch.inf)
    return Rows(index, images, zeros, zeros, torch.zeros_like(index), smooth, images, margin)


def _evaluate(
    problem: Problem, objective: Objective, margin: Margin, settings: Settings, rows: Rows
) -> tuple[Rows, Tensor, Tensor]:
    """The rows with statistics and best images renewed, the gradient at the current images, the current margins."""
    images = rows.image.detach().requires_grad_()
    weight = settings.weight * torch.pow(0.5, rows.step // settings.halving)
    noise = RowNoise(problem.seed, problem.rows[rows.position], rows.step)
    step = objective(Active(images, problem.factual[rows.position], problem.target[rows.position], noise, weight))
    assert step.loss.shape == rows.position.shape, step.loss.shape
    (gradient,) = torch.autograd.grad(step.loss.sum(), images)
    statistics = step.statistics.detach()
    assert statistics.shape == rows.smooth.shape, statistics.shape
    mixed = SMOOTHING * rows.smooth + (1 - SMOOTHING) * statistics
    smooth = torch.where(rows.step[:, None] == 0, statistics, mixed)
    reached = margin(smooth)
    best = torch.where((reached > rows.margin)[:, None, None, None], rows.image, rows.best)
    return rows._replace(smooth=smooth, best=best, margin=torch.maximum(reached, rows.margin)), gradient, reached


def _record(found: Found, rows: Rows, done: Tensor, leaving: Tensor) -> None:
    """Write leaving rows to their places: the current image where the rule holds, else the best one there was."""
    index = rows.position[leaving]
    found.images[index] = torch.where(done[:, None, None, None], rows.image, rows.best)[leaving]
    found.converged[index] = rows.margin[leaving] >= 0
    found.iterations[index] = rows.step[leaving]
