"""Speed of the batched search: Wachter on the dropout CNN, all images together against one at a time.

    python evaluation/bench/wachter_speed.py [--images 1000] [--alone 20] [--rounds 5]

One thread, lambda .01, random targets, the quick profile's model (trained first if it is not in the cache). Both are
measured in turn, so that a busy machine slows both, and medians of the rounds are printed. "One at a time" is the same
code with batches of one, which is how common libraries work; they do more per step.
"""

import argparse
import sys
import time
from dataclasses import replace
from statistics import median
from typing import cast

import torch

from sotaeval.checkpoints import ModelSpec, load_or_train
from sotaeval.counterfactuals import choose_target
from sotaeval.data import load_mnist
from sotaeval.methods import Context
from sotaeval.methods.wachter import Wachter
from sotaeval.models import Posterior  # noqa: TC001 - a name for cast, as Vae is called
from sotaeval.noise import RowNoise
from sotaeval.profiles import QUICK
from sotaeval.vae import Vae


def main() -> None:
    """Print milliseconds per image, wall and CPU, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--alone", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    torch.set_num_threads(1)
    mnist = load_mnist()
    spec = ModelSpec("mc-dropout", QUICK.cnn, QUICK.training_images, 0)
    model = cast("Posterior", load_or_train(spec, lambda: mnist.train).model)
    images, rows = mnist.test.images[: options.images], torch.arange(options.images)
    target = choose_target("random", model.point(images).softmax(1), RowNoise.at(4, rows))
    context = Context(rows, seed=1, draws=QUICK.draws, training=mnist.train, vae=Vae)

    def run(chosen: slice) -> None:
        Wachter(weight=0.01).generate(model, images[chosen], target[chosen], replace(context, rows=rows[chosen]))

    def measure(batches: list[slice]) -> tuple[float, float]:
        wall, cpu = time.perf_counter(), time.process_time()
        for batch in batches:
            run(batch)
        count = sum(len(rows[batch]) for batch in batches)
        return 1000 * (time.perf_counter() - wall) / count, 1000 * (time.process_time() - cpu) / count

    run(slice(0, 20))
    everything = [slice(0, options.images)]
    singles = [slice(row, row + 1) for row in range(options.alone)]
    rounds = [(measure(everything), measure(singles)) for _ in range(options.rounds)]
    together, alone = ([median(part[side][unit] for part in rounds) for unit in (0, 1)] for side in (0, 1))
    sys.stdout.write(
        f"batched, {options.images} images: {together[0]:.2f} ms per image wall, {together[1]:.2f} ms CPU\n"
        f"one at a time, {options.alone} images: {alone[0]:.1f} ms per image wall, {alone[1]:.1f} ms CPU\n"
        f"ratio: {alone[0] / together[0]:.1f} wall, {alone[1] / together[1]:.1f} CPU\n"
    )


if __name__ == "__main__":
    main()
