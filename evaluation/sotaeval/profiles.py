"""How much is done: `test` in seconds, `quick` under 90 seconds on two cores, `full` for figures to publish."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sotaeval.errors import OptionError
from sotaeval.training import BnnFit, Fit


@dataclass(frozen=True)
class Profile:
    """Sizes, training lengths and overrides of hyperparameters.

    `images` are the first ones of the test split; `training_images` the first ones of the training split; `draws` and
    `evaluation_draws` the posterior draws of a search step and of the metrics; `references` the training images per
    class that implausibility averages over; `confidences` the thresholds of the rows of matched confidence; `conv` is
    given where IM1 is also taken with the published autoencoder; `retrained` models of other seeds serve
    model-change validity; `more` adds the other metrics.
    """

    name: str
    images: int
    seeds: int
    training_images: int
    draws: int
    evaluation_draws: int
    cnn: Fit
    bnn: BnnFit
    vae: Fit
    autoencoders: Fit
    references: int = 1000
    classified: int = 10_000
    confidences: tuple[float, ...] = ()
    targets: tuple[str, ...] = ("random",)
    conv: Fit | None = None
    retrained: int = 0
    more: bool = False
    overrides: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


QUICK = Profile(
    name="quick",
    images=200,
    seeds=1,
    training_images=60_000,
    draws=16,
    evaluation_draws=50,
    cnn=Fit(3, 2e-3, final=0.05),
    bnn=BnnFit(5, 2e-3, final=0.05, tempering=0.3),
    vae=Fit(3, 2e-3, final=0.1),
    autoencoders=Fit(4, 2e-3, 64, final=0.1),
    overrides={"psce": {"minimum": 60, "iterations": 200}},
)

FULL = Profile(
    name="full",
    images=1000,
    seeds=3,
    training_images=60_000,
    draws=20,
    evaluation_draws=200,
    cnn=Fit(10, 1e-3, final=0.05),
    bnn=BnnFit(30, 1e-3, final=0.05, tempering=0.3),
    vae=Fit(15, 1e-3, final=0.1),
    autoencoders=Fit(20, 1e-3, 64, final=0.1),
    confidences=(0.95,),
    conv=Fit(30, 1e-3, 128),
    retrained=2,
    more=True,
    overrides={"schut": {"threshold": 0.95, "iterations": 1500}},
)

TEST = Profile(
    name="test",
    images=16,
    seeds=2,
    training_images=3000,
    draws=4,
    evaluation_draws=10,
    cnn=Fit(2, 3e-3, 64),
    bnn=BnnFit(2, 3e-3, 64, width=32, tempering=0.1),
    vae=Fit(2, 3e-3, 64),
    autoencoders=Fit(8, 3e-3, 64),
    references=100,
    classified=500,
    overrides={
        "wachter": {"iterations": 60, "weight": 0.01},
        "roar": {"iterations": 60, "weight": 0.01},
        "bayescf": {"iterations": 60, "weight": 0.01},
        "schut": {"iterations": 60},
        "psce": {"iterations": 60, "minimum": 20},
    },
)

PROFILES = {profile.name: profile for profile in (QUICK, FULL, TEST)}


def profile_named(name: str) -> Profile:
    """The profile of that name; raises `OptionError` with the list."""
    if name not in PROFILES:
        raise OptionError(f"no profile {name!r}; there are {', '.join(PROFILES)}")
    return PROFILES[name]
