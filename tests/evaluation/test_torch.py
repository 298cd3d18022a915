"""Whether the evaluation can be tested at all."""

import os
from importlib.util import find_spec

import pytest


def test_torch_is_there():
    missing = [name for name in ("torch", "torchvision", "safetensors", "joblib") if find_spec(name) is None]
    if missing and os.environ.get("CI") != "true":
        pytest.skip(f"{', '.join(missing)} missing, so the evaluation is not tested; pip install 'sotakit[evaluation]'")
    assert not missing
