"""Trained models, kept in the user's cache under the hash of everything that made them.

The hash covers settings, seed, the source text of model and training, and the data. A file that cannot be read, or is
not the one its name promises, is trained again with a note; it is never an error, since it can always be made anew.
"""

import hashlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import nn

from sotaeval.autoencoders import ConvAutoencoder, MlpAutoencoders, fit_conv, fit_mlp
from sotaeval.data import DATA_HASH, Split, cache_folder
from sotaeval.errors import WriteError
from sotaeval.files import write_atomically
from sotaeval.hashing import code_hash
from sotaeval.models import DropoutCnn, VariationalMlp, freeze
from sotaeval.training import BnnFit, Fit, Progress, fit_bnn, fit_cnn, silent
from sotaeval.vae import Vae, fit_vae
from sotaschema.identity import digest

_SHARED = ("data.py", "training.py")


@dataclass(frozen=True)
class ModelSpec:
    """One model to train: its kind, how, on how many training images, from which seed; `member` of a family."""

    kind: str
    fit: Fit
    images: int
    seed: int
    member: int = 0

    @property
    def key(self) -> str:
        """Hash of everything the weights depend on, the machine and the versions of libraries aside."""
        sources = code_hash((*_SHARED, *_KINDS[self.kind].sources))
        return digest([asdict(self), type(self.fit).__name__, sources, DATA_HASH])

    @property
    def name(self) -> str:
        """What a person calls it."""
        member = f", member {self.member}" if self.kind == "paper-conv" else ""
        return f"{self.kind}, seed {self.seed}{member}"

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return cache_folder() / "checkpoints" / f"{self.kind}-{self.key}.safetensors"


class Trained(NamedTuple):
    """A frozen model on its device, the hash of its weights, and what there is to say about how it came."""

    model: nn.Module
    weights: str
    note: str | None


class _Kind(NamedTuple):
    build: Callable[[ModelSpec], nn.Module]
    fit: Callable[[ModelSpec, Split, Progress], nn.Module]
    sources: tuple[str, ...]


_KINDS = {
    "mc-dropout": _Kind(
        lambda _: DropoutCnn(), lambda spec, split, tell: fit_cnn(split, spec.fit, spec.seed, tell), ("models.py",)
    ),
    "bnn": _Kind(
        lambda spec: VariationalMlp(cast("BnnFit", spec.fit).width, cast("BnnFit", spec.fit).prior),
        lambda spec, split, tell: fit_bnn(split, cast("BnnFit", spec.fit), spec.seed, tell),
        ("models.py",),
    ),
    "vae": _Kind(lambda _: Vae(), lambda spec, split, tell: fit_vae(split, spec.fit, spec.seed, tell), ("vae.py",)),
    "autoencoders": _Kind(
        lambda _: MlpAutoencoders(),
        lambda spec, split, tell: fit_mlp(split, spec.fit, spec.seed, tell),
        ("autoencoders.py",),
    ),
    "paper-conv": _Kind(
        lambda spec: ConvAutoencoder(spec.member),
        lambda spec, split, tell: fit_conv(split, spec.fit, spec.seed, spec.member, tell),
        ("autoencoders.py",),
    ),
}


def load_or_train(
    spec: ModelSpec, training: Callable[[], Split], device: str = "cpu", progress: Progress = silent
) -> Trained:
    """The model of a spec, from the cache if it is there and right; `training` is called only if it is not.

    The state of torch's global generator is the same afterwards as before.
    """
    with torch.random.fork_rng(devices=[]):
        return _load_or_train(spec, training, device, progress)


def _load_or_train(spec: ModelSpec, training: Callable[[], Split], device: str, progress: Progress) -> Trained:
    model = _KINDS[spec.kind].build(spec)
    fault = _load(spec, model)
    if fault is None:
        freeze(model.to(device))
        return Trained(model, weights_hash(model), None)
    split = training().first(spec.images)
    model = _KINDS[spec.kind].fit(spec, split, progress).cpu()
    notes = [f"checkpoint of {spec.name} trained again: {fault}"] if fault else []
    try:
        write_atomically(spec.path, save(_tensors(model), {"key": spec.key}))
    except WriteError as error:
        notes.append(f"checkpoint of {spec.name} not kept: {error}")
    freeze(model.to(device))
    return Trained(model, weights_hash(model), "; ".join(notes) or None)


def weights_hash(model: nn.Module) -> str:
    """16 hex digits over names and bytes of all weights."""
    state = hashlib.sha256()
    for name, tensor in sorted(_tensors(model).items()):
        state.update(name.encode() + tensor.cpu().numpy().tobytes())
    return state.hexdigest()[:16]


def _load(spec: ModelSpec, model: nn.Module) -> str | None:
    """Fill the model from its file; None if that worked, "" if there is no file, else what is wrong with it."""
    if not spec.path.is_file():
        return ""
    try:
        with safe_open(str(spec.path), "pt") as stored:
            if (stored.metadata() or {}).get("key") != spec.key:
                return f"{spec.path} is of another model"
            tensors = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118 - not a mapping
        model.load_state_dict(tensors)
    except (SafetensorError, OSError, RuntimeError) as error:
        return f"{spec.path} cannot be read ({str(error).splitlines()[0]})"
    if not all(tensor.isfinite().all() for tensor in tensors.values()):
        return f"{spec.path} holds values that are not finite"
    return None


def _tensors(model: nn.Module) -> dict[str, Any]:
    return {name: tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()}
