"""What a task gives: values per image, and what is kept for the picture and the manifest."""

from dataclasses import dataclass, field

from torch import Tensor

from sotaeval.errors import TaskError
from sotaeval.search import Found


@dataclass(frozen=True)
class Outcome:
    """Values (N,) by metric key (None: not defined for that image) and further facts about the task.

    `converged` and `iterations` (N,) are there for methods that search; `examples` are the first few images as bytes,
    factual and counterfactual in turn, 28 by 28 each; `weights` name the models used by the hash of their weights.
    """

    values: dict[str, list[float | None]]
    converged: list[bool] | None = None
    iterations: list[int] | None = None
    examples: bytes = b""
    weights: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def check_counterfactuals(given: object, images: Tensor) -> Found:
    """What a method returned, as `Found`; raises `TaskError` for what cannot be a counterfactual.

    A method without convergence and step counts gives a plain tensor; then every row counts as converged in 0 steps.
    """
    found = given if isinstance(given, Found) else None
    changed = found.images if found else given
    if not isinstance(changed, Tensor):
        raise TaskError(f"generate returned {type(given).__name__}, expected a tensor or Found")
    if changed.shape != images.shape:
        raise TaskError(f"generate returned shape {tuple(changed.shape)}, expected {tuple(images.shape)}")
    if not changed.dtype.is_floating_point:
        raise TaskError(f"generate returned {changed.dtype}, expected a float tensor")
    if not changed.isfinite().all():
        raise TaskError(f"generate returned {int((~changed.isfinite()).sum())} values that are NaN or infinite")
    low, high = float(changed.min()), float(changed.max())
    if low < 0 or high > 1:
        raise TaskError(f"generate returned values from {low:.4g} to {high:.4g}, expected 0 to 1")
    changed = changed.detach().to(images)
    if found is None:
        ones = changed.new_ones(len(images))
        return Found(changed, ones.bool(), ones.long() * 0)
    if found.converged.shape != (len(images),) or found.iterations.shape != (len(images),):
        raise TaskError("generate returned Found with converged or iterations of another length than the images")
    return found._replace(images=changed)
