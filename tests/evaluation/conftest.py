"""Small models trained for real, once per session, in a cache of their own; without torch nothing here is collected."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """`test_torch.py` says that torch is missing, and fails in CI; the other files could not even be imported."""
    return True if find_spec("torch") is None and collection_path.name != "test_torch.py" else None


if find_spec("torch") is not None:
    import torch
    from torch import nn

    from sotaeval.checkpoints import ModelSpec, load_or_train
    from sotaeval.data import Mnist, load_mnist
    from sotaeval.profiles import TEST

    @pytest.fixture(scope="session", autouse=True)
    def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
        """A cache of the tests' own: models are trained for real, and the user's cache is not touched."""
        folder = tmp_path_factory.mktemp("cache")
        before = os.environ.get("XDG_CACHE_HOME")
        os.environ["XDG_CACHE_HOME"] = str(folder)
        torch.set_num_threads(1)
        yield folder / "sotakit"
        if before is None:
            del os.environ["XDG_CACHE_HOME"]
        else:
            os.environ["XDG_CACHE_HOME"] = before

    @pytest.fixture(scope="session")
    def mnist(cache: Path) -> Mnist:
        """The real data, from the repository's copy."""
        return load_mnist()

    def _trained(mnist: Mnist, spec: ModelSpec) -> nn.Module:
        return load_or_train(spec, lambda: mnist.train).model

    @pytest.fixture(scope="session")
    def cnn(mnist: Mnist) -> nn.Module:
        """The dropout CNN of the profile `test`."""
        return _trained(mnist, ModelSpec("mc-dropout", TEST.cnn, TEST.training_images, 0))

    @pytest.fixture(scope="session")
    def bnn(mnist: Mnist) -> nn.Module:
        """The variational network of the profile `test`."""
        return _trained(mnist, ModelSpec("bnn", TEST.bnn, TEST.training_images, 0))

    @pytest.fixture(scope="session")
    def vae(mnist: Mnist) -> nn.Module:
        """The VAE of the profile `test`."""
        return _trained(mnist, ModelSpec("vae", TEST.vae, TEST.training_images, 0))

    @pytest.fixture(scope="session")
    def scorer(mnist: Mnist) -> nn.Module:
        """The autoencoders of the profile `test`."""
        return _trained(mnist, ModelSpec("autoencoders", TEST.autoencoders, TEST.training_images, 0))
