"""A counterfactual method of one's own, to be run beside the others:

    toolkit evaluate counterfactual-explanations-on-mnist-test --method own_method:Blend --method wachter

from the folder of this file (or from anywhere, if the module is installed).
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from sotaeval.methods import Context
from sotaeval.methods.controls import RandomImage
from sotaeval.models import Posterior


@dataclass(frozen=True)
class Blend:
    """Fade the image into a training image of the target class until the model changes its mind."""

    label = "Blend"
    steps: int = 20

    def generate(self, model: Posterior, images: Tensor, target: Tensor, context: Context) -> Tensor:
        """The first mixture that the point prediction assigns to the target; the training image itself if none is."""
        others = RandomImage().generate(model, images, target, context)
        result, waiting = others.clone(), torch.ones(len(images), dtype=torch.bool, device=images.device)
        for step in range(1, self.steps):
            mixed = torch.lerp(images, others, step / self.steps)
            reached = waiting & (model.point(mixed).argmax(1) == target)
            result[reached] = mixed[reached]
            waiting &= ~reached
        return result
