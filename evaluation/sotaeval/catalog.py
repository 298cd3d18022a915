"""The methods and models by name, and how a user's own class is found."""

import importlib
import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, cast

from sotaeval.errors import OptionError
from sotaeval.methods import Method
from sotaeval.methods.bayescf import BayesCf
from sotaeval.methods.controls import NearestImage, Pgd, RandomImage, Unchanged
from sotaeval.methods.psce import Psce
from sotaeval.methods.roar import Roar
from sotaeval.methods.schut import Schut
from sotaeval.methods.wachter import Wachter
from sotaschema.identity import slug

METHODS: Mapping[str, type[Any]] = {
    "wachter": Wachter,
    "roar": Roar,
    "schut": Schut,
    "bayescf": BayesCf,
    "psce": Psce,
    "unchanged-input": Unchanged,
    "nearest-training-image": NearestImage,
    "random-training-image": RandomImage,
    "pgd-attack": Pgd,
}
"""Our methods by the id of their record."""

CONTROLS = ("unchanged-input", "nearest-training-image", "random-training-image", "pgd-attack")
"""Rows for comparison: they have no stop rule, hence no row of matched confidence."""

MODELS: Mapping[str, str] = {"mc-dropout": "MC Dropout", "bnn": "BNN"}
"""Names of the models and what records call them."""


@dataclass(frozen=True)
class MethodChoice:
    """A method that was asked for: its class, the id and label of its record, and its module's text if not ours."""

    spec: str
    kind: type[Any]
    id: str
    label: str
    source: str = ""

    @property
    def uses_vae(self) -> bool:
        """Whether the VAE is worth training beforehand."""
        return bool(getattr(self.kind, "uses_vae", False))

    def build(self, overrides: Mapping[str, Any]) -> Method:
        """An instance; `overrides` replaces defaults of our own classes."""
        known = {field.name for field in fields(self.kind)} if is_dataclass(self.kind) else set()
        if unknown := set(overrides) - known:
            raise OptionError(f"{self.spec} has no setting {', '.join(sorted(unknown))}")
        return cast("Method", self.kind(**overrides))


def resolve_method(spec: str, folder: Path) -> MethodChoice:
    """A method by its name or as `package.module:Class`; modules are looked for in `folder` as well.

    Raises `OptionError` that says what is missing: the module, the class, or its `generate`.
    """
    if spec in METHODS:
        return MethodChoice(spec, METHODS[spec], spec, METHODS[spec].label)
    module_name, colon, class_name = spec.partition(":")
    if not colon:
        raise OptionError(
            f"no method {spec!r}; there are {', '.join(METHODS)}, or give your own as package.module:Class"
        )
    module = _import(module_name, folder, spec)
    kind = getattr(module, class_name, None)
    if not isinstance(kind, type):
        raise OptionError(f"--method {spec}: module {module_name} has no class {class_name}")
    if not callable(getattr(kind, "generate", None)):
        raise OptionError(f"--method {spec}: {class_name} has no function generate(model, images, target, context)")
    label = str(getattr(kind, "label", class_name))
    if slug(label) in METHODS:
        raise OptionError(f"--method {spec}: the label {label!r} is one of ours; give the class another `label`")
    return MethodChoice(spec, kind, slug(label), label, inspect.getsource(module))


def _import(name: str, folder: Path, spec: str) -> Any:
    """Import a user's module; the folder is on the path only meanwhile."""
    sys.path.append(str(folder))
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise OptionError(f"--method {spec}: {name} cannot be imported ({error}); looked also in {folder}") from error
    except Exception as error:
        raise OptionError(f"--method {spec}: {name} fails on import: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(folder))
