"""One task of the counterfactual benchmark: search, then measure with draws that no search has seen."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor

from sotaeval import metrics
from sotaeval.autoencoders import ConvAutoencoder, ConvAutoencoders, Scorer
from sotaeval.checkpoints import ModelSpec, load_or_train
from sotaeval.data import Mnist, Split, load_mnist
from sotaeval.errors import OptionError
from sotaeval.methods import Context
from sotaeval.models import CLASSES, Posterior, evaluation_draws
from sotaeval.noise import RowNoise
from sotaeval.outcome import Outcome, check_counterfactuals
from sotaeval.search import Found
from sotaeval.tasks import RETRAINED_SEED, Task
from sotaeval.training import Progress, silent
from sotaeval.vae import Vae  # noqa: TC001 - a name for cast, as the others

SIMILAR = (8, 9, 7, 8, 9, 8, 8, 9, 6, 7)
"""A similar class for each class, picked from the table of similar classes in Schut's published code (read in code)."""

NEIGHBOURS = 5
EXAMPLES = 6
_SEARCH, _EVALUATE, _PREDICT, _TARGET = 1, 2, 3, 4


@dataclass(frozen=True)
class _Setting:
    """The instances of a task: model, factuals, row ids, the model's own classes and the targets."""

    model: Posterior
    factual: Tensor
    rows: Tensor
    original: Tensor
    target: Tensor


class _Models:
    """Loads what a task needs and remembers weights and notes."""

    def __init__(self, task: Task, training: Callable[[], Split]) -> None:
        self.task, self.training = task, training
        self.weights: dict[str, str] = {}
        self.notes: list[str] = []

    def get(self, spec: ModelSpec) -> torch.nn.Module:
        trained = load_or_train(spec, self.training, self.task.device)
        self.weights[spec.name] = trained.weights
        self.notes += [trained.note] if trained.note else []
        return trained.model


def run(task: Task, progress: Progress = silent) -> Outcome:
    """Make counterfactuals for the first images of the test split and measure them."""
    mnist = load_mnist(task.data_root)
    models = _Models(task, lambda: mnist.train)
    setting = _setting(task, mnist, cast("Posterior", models.get(task.model_spec(task.seed))))
    method = task.choice.build(task.overrides)
    training = Split(mnist.train.images.to(task.device), mnist.train.labels.to(task.device))
    context = Context(
        rows=setting.rows,
        seed=task.seed * 8 + _SEARCH,
        draws=task.profile.draws,
        training=training,
        vae=lambda: cast("Vae", models.get(task.vae_spec())),
        confidence=task.confidence,
        progress=progress,
    )
    # Copies, so that a method that works in place cannot change what it is measured against.
    given = method.generate(setting.model, setting.factual.clone(), setting.target.clone(), context)
    found = check_counterfactuals(given, setting.factual)
    with torch.no_grad():
        values = _measure(task, setting, found.images, models, training)
    return _outcome(setting, found, values, models, searched=isinstance(given, Found))


def choose_target(rule: str, mean: Tensor, noise: RowNoise) -> Tensor:
    """(N,) classes to reach, never the predicted one: `random` (uniform over the nine others), `similar`, `second`.

    `mean` (N, C) is the model's prediction. Which rule the benchmark's source uses is not known.
    """
    predicted = mean.argmax(1)
    if rule == "random":
        steps = 1 + (noise.bits(8).to(torch.int64) * (256 ** torch.arange(4).repeat(2)).to(predicted.device)).sum(1) % 9
        return (predicted + steps) % CLASSES
    if rule == "similar":
        return torch.tensor(SIMILAR, device=predicted.device)[predicted]
    if rule == "second":
        return mean.topk(2, dim=1).indices[:, 1]
    raise OptionError(f"no target rule {rule!r}; there are random, similar, second")


def _setting(task: Task, mnist: Mnist, model: Posterior) -> _Setting:
    factual = mnist.test.images[: task.profile.images].to(task.device)
    rows = torch.arange(len(factual), device=task.device)
    with torch.no_grad():
        draws = evaluation_draws(model, factual, rows, task.profile.evaluation_draws, task.seed * 8 + _PREDICT)
    mean = draws.mean(0)
    target = choose_target(task.target, mean, RowNoise.at(task.seed * 8 + _TARGET, rows))
    return _Setting(model, factual, rows, mean.argmax(1), target)


def _measure(task: Task, setting: _Setting, images: Tensor, models: _Models, training: Split) -> dict[str, Tensor]:
    """Values (N,) of every metric of the task by key."""
    profile, target = task.profile, setting.target
    seed = task.seed * 8 + _EVALUATE
    draws = evaluation_draws(setting.model, images, setting.rows, profile.evaluation_draws, seed)
    mean = draws.mean(0)
    scorer = cast(
        "Scorer", models.get(ModelSpec("autoencoders", profile.autoencoders, profile.training_images, task.seed))
    )
    rebuilt = scorer.rebuild(images)
    errors = (rebuilt - images.flatten(1)[:, None]).square().sum(-1)
    values = {
        "im1-score": metrics.im1(errors, target, setting.original),
        "implausibility": metrics.implausibility(images, target, _references(training, profile.references, task.seed)),
        "robustness-ratio-1e-3": metrics.robustness_ratio(draws, target),
        "validity": metrics.validity(mean, target),
        "l1": metrics.l1(images, setting.factual),
    }
    if not profile.more:
        return values
    everything = {label: training.of_class(label) for label in range(CLASSES)}
    values |= {
        "im2": metrics.im2(rebuilt, images, target),
        "l2": metrics.l2(images, setting.factual),
        "sparsity": metrics.sparsity(images, setting.factual),
        "validity-confident": metrics.confident_validity(mean, target),
        "target-probability": metrics.target_probability(mean, target),
        "predictive-entropy": metrics.predictive_entropy(mean),
        "knn-distance": metrics.implausibility(images, target, everything, k=NEIGHBOURS),
    }
    if profile.conv is not None:
        values["im1-paper-conv"] = metrics.im1(_conv(task, models).errors(images), target, setting.original)
    if profile.retrained:
        others = [models.get(task.model_spec(RETRAINED_SEED + extra)) for extra in range(profile.retrained)]
        changed = torch.stack([cast("Posterior", other).point(images) for other in others])
        values["model-change-validity"] = metrics.model_change_validity(changed, mean, target)
    return values


def _conv(task: Task, models: _Models) -> ConvAutoencoders:
    specs = [spec for spec in task.specs() if spec.kind == "paper-conv"]
    return ConvAutoencoders([cast("ConvAutoencoder", models.get(spec)) for spec in specs])


def _references(training: Split, count: int, seed: int) -> dict[int, Tensor]:
    """Up to `count` training images per class by true label, drawn with the seed."""
    generator = torch.Generator().manual_seed(seed + 31)
    pools = {label: training.of_class(label) for label in range(CLASSES)}
    return {
        label: pool[torch.randperm(len(pool), generator=generator)[:count].to(pool.device)]
        for label, pool in pools.items()
    }


def _outcome(setting: _Setting, found: Found, values: dict[str, Tensor], models: _Models, *, searched: bool) -> Outcome:
    pairs = torch.stack((setting.factual[:EXAMPLES, 0], found.images[:EXAMPLES, 0]), dim=1)
    return Outcome(
        values={key: _plain(value) for key, value in values.items()},
        converged=found.converged.tolist() if searched else None,
        iterations=found.iterations.tolist() if searched else None,
        examples=(pairs * 255).round().to(torch.uint8).cpu().numpy().tobytes(),
        weights=models.weights,
        notes=models.notes,
    )


def _plain(values: Tensor) -> list[float | None]:
    """Seven significant digits, which is what float32 holds; NaN as None."""
    return [None if value != value else float(f"{value:.7g}") for value in values.tolist()]  # noqa: PLR0124 - NaN
