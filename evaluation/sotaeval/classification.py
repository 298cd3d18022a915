"""One task of the classification benchmark: how good the posterior mean of a model is on the test split."""

from typing import cast

import torch

from sotaeval import class_metrics
from sotaeval.checkpoints import load_or_train
from sotaeval.data import load_mnist
from sotaeval.models import Posterior, evaluation_draws
from sotaeval.outcome import Outcome
from sotaeval.tasks import Task
from sotaeval.training import Progress, silent

_EVALUATE = 5


def run(task: Task, progress: Progress = silent) -> Outcome:
    """Classify the first images of the test split with the posterior mean."""
    mnist = load_mnist(task.data_root)
    spec = task.model_spec(task.seed)
    trained = load_or_train(spec, lambda: mnist.train, task.device, progress)
    test = mnist.test.first(task.profile.classified)
    images, labels = test.images.to(task.device), test.labels.to(task.device)
    means = []
    with torch.no_grad():
        for ids in torch.arange(len(images), device=task.device).split(1000):
            model = cast("Posterior", trained.model)
            seed = task.seed * 8 + _EVALUATE
            means.append(evaluation_draws(model, images[ids], ids, task.profile.evaluation_draws, seed).mean(0))
            progress(int(ids[-1] + 1) / len(images))
    mean = torch.cat(means)
    values = {
        "accuracy": class_metrics.correct(mean, labels),
        "negative-log-likelihood": class_metrics.negative_log_likelihood(mean, labels),
        "brier-score": class_metrics.brier(mean, labels),
        "confidence": class_metrics.confidence(mean),
    }
    lists: dict[str, list[float | None]] = {
        key: [float(f"{value:.7g}") for value in tensor.tolist()] for key, tensor in values.items()
    }
    return Outcome(lists, weights={spec.name: trained.weights}, notes=[trained.note] if trained.note else [])
