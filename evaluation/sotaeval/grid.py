"""Which tasks a benchmark consists of, for the methods, models and seeds that were asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sotaeval.catalog import CONTROLS, METHODS, MODELS
from sotaeval.errors import OptionError
from sotaeval.profiles import Profile
from sotaeval.tasks import Task


@dataclass(frozen=True)
class Request:
    """What was asked for; empty methods or models mean all of them."""

    benchmark: str
    profile: Profile
    methods: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    seeds: int | None = None
    device: str = "cpu"
    data_root: Path | None = None
    folder: str = "."

    @property
    def all_seeds(self) -> range:
        """The seeds of the run, from 0."""
        count = self.profile.seeds if self.seeds is None else self.seeds
        if count < 1:
            raise OptionError(f"--seeds is at least 1, not {count}")
        return range(count)

    @property
    def all_models(self) -> tuple[str, ...]:
        """The models of the run; raises `OptionError` for one that is not there."""
        if unknown := [name for name in self.models if name not in MODELS]:
            raise OptionError(f"no model {unknown[0]!r}; there are {', '.join(MODELS)}")
        return tuple(dict.fromkeys(self.models)) or tuple(MODELS)

    def task(self, method: str, model: str, seed: int) -> Task:
        """One task of this request."""
        return Task(
            self.benchmark, method, model, seed, self.profile,
            folder=self.folder, device=self.device, data_root=self.data_root,
        )  # fmt: skip


def counterfactual_tasks(request: Request) -> list[Task]:
    """Method x model x seed x target rule, and the same at each matched confidence for methods that search."""
    methods = tuple(dict.fromkeys(request.methods)) or tuple(METHODS)
    tasks = []
    for method in methods:
        confidences: Sequence[float | None] = (None, *(request.profile.confidences if method not in CONTROLS else ()))
        for model in request.all_models:
            for seed in request.all_seeds:
                task = request.task(method, model, seed)
                task.choice.build(task.overrides)
                tasks += [
                    replace(task, target=target, confidence=confidence)
                    for target in request.profile.targets
                    for confidence in confidences
                ]
    return tasks


def classification_tasks(request: Request) -> list[Task]:
    """Model x seed; there is no method to choose."""
    if request.methods:
        raise OptionError(f"{request.benchmark} measures the models themselves: it takes --model, not --method")
    return [request.task("", model, seed) for model in request.all_models for seed in request.all_seeds]


def shard_of(tasks: Sequence[Task], shard: tuple[int, int] | None) -> list[Task]:
    """Every N-th task from the K-th on, 1 <= K <= N; all of them without a shard."""
    if shard is None:
        return list(tasks)
    number, count = shard
    if not 1 <= number <= count:
        raise OptionError(f"--shard K/N needs 1 <= K <= N, not {number}/{count}")
    return list(tasks[number - 1 :: count])
