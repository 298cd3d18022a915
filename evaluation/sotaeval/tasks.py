"""One piece of work of a benchmark, and its name by content."""

from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from sotaeval.catalog import MODELS, MethodChoice, resolve_method
from sotaeval.checkpoints import ModelSpec
from sotaeval.data import DATA_HASH
from sotaeval.errors import OptionError
from sotaeval.hashing import code_hash, fields_of
from sotaeval.profiles import Profile
from sotaschema.identity import digest

RETRAINED_SEED = 1000
"""Models that only judge model-change validity have seeds from here on."""


@dataclass(frozen=True)
class Task:
    """A method on a model for one seed: what one worker does, and what one run file holds.

    `method` is empty where the model itself is what is measured. `folder` is where a user's module may lie;
    `device` and `data_root` say how the work is done. None of these three is part of the identity.
    """

    benchmark: str
    method: str
    model: str
    seed: int
    profile: Profile
    target: str = "random"
    confidence: float | None = None
    folder: str = "."
    device: str = "cpu"
    data_root: Path | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Without the class of the method: a worker finds a user's module by itself."""
        return {name: value for name, value in self.__dict__.items() if name != "choice"}

    @cached_property
    def choice(self) -> MethodChoice:
        """The method that was asked for."""
        return resolve_method(self.method, Path(self.folder))

    @property
    def name(self) -> str:
        """What a person calls it in progress bars and errors."""
        extra = [] if self.confidence is None else [f"matched {self.confidence}"]
        extra += [] if self.target == "random" else [f"target {self.target}"]
        return " / ".join([*([self.method] if self.method else []), self.model, f"seed {self.seed}", *extra])

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Everything the result depends on but code and data; never how many other tasks there are."""
        profile = self.profile
        shared = {"model": self.model, "seed": self.seed, "model_fit": asdict(self.model_spec(self.seed).fit)}
        shared |= {"training_images": profile.training_images, "evaluation_draws": profile.evaluation_draws}
        if not self.method:
            return shared | {"images": profile.classified}
        fits = {name: asdict(fit) for name in ("vae", "autoencoders", "conv") if (fit := getattr(profile, name))}
        own = {"target": self.target, "confidence": self.confidence, "draws": profile.draws, "fits": fits}
        own |= {"references": profile.references, "retrained": profile.retrained, "more": profile.more}
        return shared | own | {"images": profile.images, "method": self.choice.id, "parameters": self.parameters}

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """Hyperparameters of the method, those of the profile put above the defaults; scalars, others as text."""
        found = fields_of(self.choice.build(self.overrides)) if self.method else {}
        return {
            name: value if isinstance(value, str | int | float | bool) else repr(value) for name, value in found.items()
        }

    @property
    def overrides(self) -> dict[str, Any]:
        """What the profile changes about the method."""
        return dict(self.profile.overrides.get(self.choice.id, {}))

    @cached_property
    def code(self) -> str:
        """Hash of the source text that the result depends on."""
        if not self.method:
            return code_hash((*_COMMON, "class_metrics.py", "classification.py"))
        own = [] if self.choice.source else [f"methods/{self.choice.kind.__module__.rpartition('.')[2]}.py"]
        return code_hash((*_COMMON, *_COUNTERFACTUAL, *own), self.choice.source)

    @cached_property
    def id(self) -> str:
        """Hash of code, settings (with the seed), data and benchmark; not of the git revision."""
        return digest([self.benchmark, self.code, self.settings, DATA_HASH])

    def model_spec(self, seed: int) -> ModelSpec:
        """The classifier of this task, trained from a seed."""
        if self.model not in MODELS:
            raise OptionError(f"no model {self.model!r}; there are {', '.join(MODELS)}")
        fit = self.profile.cnn if self.model == "mc-dropout" else self.profile.bnn
        return ModelSpec(self.model, fit, self.profile.training_images, seed)

    def specs(self) -> list[ModelSpec]:
        """All models the task needs, to be trained before it."""
        profile, images = self.profile, self.profile.training_images
        specs = [self.model_spec(self.seed)]
        if not self.method:
            return specs
        specs.append(ModelSpec("autoencoders", profile.autoencoders, images, self.seed))
        if self.choice.uses_vae:
            specs.append(self.vae_spec())
        if profile.conv is not None:
            specs += [ModelSpec("paper-conv", profile.conv, images, 0, member) for member in range(11)]
        return specs + [self.model_spec(RETRAINED_SEED + extra) for extra in range(profile.retrained)]

    def vae_spec(self) -> ModelSpec:
        """The generative model for PSCE."""
        return ModelSpec("vae", self.profile.vae, self.profile.training_images, self.seed)


_COMMON = ("checkpoints.py", "data.py", "models.py", "noise.py", "tasks.py", "training.py")
_COUNTERFACTUAL = (
    "autoencoders.py",
    "counterfactuals.py",
    "metrics.py",
    "methods/__init__.py",
    "methods/objective.py",
    "search.py",
    "vae.py",
)
