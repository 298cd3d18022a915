"""What a counterfactual method is, and the methods that come along.

A method is a class whose instances have one function:

    class MyMethod:
        def generate(self, model, images, target, context): ...

`model` is a `sotaeval.models.Posterior` with gradients off for its parameters, `images` (N, 1, 28, 28) the factuals in
[0, 1], `target` (N,) the classes to reach, `context` a `Context`. It returns the counterfactuals (N, 1, 28, 28),
float, finite and in [0, 1], or a `sotaeval.search.Found`, which adds convergence and step counts.
`sotaeval.search.search` does the batching. The class is called without arguments; if it is a dataclass, its fields are
recorded as settings. It may state `label` (how it is called in records, else the name of the class) and `uses_vae =
True`.

Give it as `--method package.module:MyMethod`; the module is looked for as Python does, and then in the current folder.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

from sotaeval.data import Split
from sotaeval.models import Posterior
from sotaeval.search import Found
from sotaeval.training import Progress, silent
from sotaeval.vae import Vae


@dataclass(frozen=True)
class Context:
    """What surrounds a call of `generate`.

    `rows` (N,) are the images' fixed ids, `seed` that of the search noise, `draws` the number of posterior draws a
    step should use. `confidence` is None, or the mean probability of the target at which every method has to stop
    instead of by its own rule (matched confidence). `training` holds the training images; `vae` loads or trains the
    generative model when called.
    """

    rows: Tensor
    seed: int
    draws: int
    training: Split
    vae: Callable[[], Vae]
    confidence: float | None = None
    progress: Progress = silent


class Method(Protocol):
    """What a user's class must have; see the text of this module."""

    def generate(self, model: Posterior, images: Tensor, target: Tensor, context: Context) -> Tensor | Found:
        """Counterfactuals for all images at once."""
