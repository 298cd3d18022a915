"""Accuracy of the two classifiers and their confidence on real training images of the target class.

    python evaluation/bench/model_quality.py [--profile full] [--seed 0]

The second figure says whether a perfect counterfactual could be confident at all: a posterior that is unsure of real
images puts a ceiling on every method.
"""

import argparse
import sys
from typing import cast

import torch

from sotaeval.checkpoints import load_or_train
from sotaeval.data import load_mnist
from sotaeval.grid import Request
from sotaeval.metrics import target_probability, target_variance
from sotaeval.models import Posterior, evaluation_draws
from sotaeval.profiles import profile_named


def main() -> None:
    """Print one line for each model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="full")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    mnist = load_mnist()
    request = Request("image-classification-on-mnist-test", profile_named(options.profile))
    real = mnist.train.first(5000)
    for name in request.all_models:
        spec = request.task("", name, options.seed).model_spec(options.seed)
        model = cast("Posterior", load_or_train(spec, lambda: mnist.train).model)
        with torch.no_grad():
            tested = evaluation_draws(model, mnist.test.images, torch.arange(10_000), 50, 1).mean(0)
            drawn = evaluation_draws(model, real.images, torch.arange(5000), 50, 2)
        accuracy = (tested.argmax(1) == mnist.test.labels).float().mean()
        confidence = target_probability(drawn.mean(0), real.labels).mean()
        steady = (target_variance(drawn, real.labels) <= 1e-3).float().mean()
        sys.stdout.write(
            f"{name}: accuracy {100 * accuracy:.2f} %, mean probability of the true class of 5,000 real training images"
            f" {confidence:.4f}, variance at most 1e-3 for {100 * steady:.1f} %\n"
        )


if __name__ == "__main__":
    main()
