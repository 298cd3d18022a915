"""Facts that stand in two places, and borders that must not be crossed."""

import ast
import io
from decimal import Decimal

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from sotaeval.benchmarks import BENCHMARKS
from sotaeval.catalog import CONTROLS, METHODS
from sotaeval.hashing import PACKAGE
from sotaeval.images import difference, grid, png
from sotaeval.yaml_text import to_yaml

ALLOWED = {"sotaeval", "sotaschema", "torch", "torchvision", "numpy", "safetensors", "joblib", "rich", "dask"}


def load(path):
    return {entry["id"]: entry for entry in yaml.safe_load(path.read_text())}


def test_metrics_agree_with_the_records(seed_data):
    known, boards = load(seed_data / "metrics.yaml"), load(seed_data / "benchmarks.yaml")
    compared = 0
    for name, runner in BENCHMARKS.items():
        listed = {metric["key"]: metric for metric in boards.get(name, {}).get("metrics", [])}
        for metric in runner.metrics:
            if record := known.get(metric.metric):
                assert (metric.direction, metric.unit) == (record["direction"], record["unit"]), metric.key
                for ours, theirs in ((metric.low, record.get("min")), (metric.high, record.get("max"))):
                    assert ours is None or theirs is None or Decimal(ours) == Decimal(theirs)
            if board := listed.get(metric.key):
                assert (metric.metric, metric.label, metric.unit) == (board["metric"], board["label"], board["unit"])
                compared += 1
    assert compared >= 4


def test_methods_agree_with_the_records(seed_data):
    known = load(seed_data / "methods.yaml")
    for name in set(METHODS) - set(CONTROLS):
        assert known[name]["name"] == METHODS[name].label


def test_imports_stay_inside_the_border():
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                root = name.split(".")[0]
                assert root in ALLOWED or root in STANDARD, f"{path.name} imports {name}"
                assert root != "torchvision" or path.name == "data.py"


STANDARD = set(__import__("sys").stdlib_module_names)

TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\ufeff\u2028\u2029"), max_size=20)
LEAF = (
    TEXT
    | st.integers(-1000, 1000)
    | st.booleans()
    | st.floats(-1e6, 1e6).map(lambda value: round(value, 3))
    | st.none()
)
VALUE = st.recursive(LEAF, lambda inner: st.lists(LEAF, max_size=3) | st.dictionaries(TEXT, inner, max_size=3))


@given(
    st.dictionaries(
        TEXT, VALUE | st.lists(st.dictionaries(TEXT, VALUE, max_size=3), max_size=3), min_size=1, max_size=4
    )
)
def test_what_is_written_as_yaml_is_read_back(record):
    assert yaml.safe_load(to_yaml(record)) == record


@pytest.mark.parametrize(
    "text", ["no", "1e5", "12", "a: b", "- a", "# x", "", " a", "2026-01-01", "null", "~", "é", 'a"b']
)
def test_texts_that_look_like_something_else_stay_texts(text):
    assert yaml.safe_load(to_yaml({"key": text, "list": [text]})) == {"key": text, "list": [text]}


def test_a_picture_is_a_png_that_others_can_read():
    pixels = np.random.default_rng(0).integers(0, 256, (9, 13, 3), dtype=np.uint8)
    with Image.open(io.BytesIO(png(pixels))) as picture:
        assert (np.asarray(picture) == pixels).all()


def test_the_difference_is_white_red_and_blue():
    factual = np.array([[[0, 255, 100]]], dtype=np.uint8)
    changed = np.array([[[255, 0, 100]]], dtype=np.uint8)
    assert difference(factual, changed)[0, 0].tolist() == [[255, 0, 0], [0, 0, 255], [255, 255, 255]]


def test_a_grid_has_three_lines_for_each_group():
    group = bytes(2 * 784 * 6)
    assert grid([group]).shape == (3 * 29, 6 * 29, 3)
    assert grid([group, group]).shape == (2 * 3 * 29 + 4, 6 * 29, 3)
