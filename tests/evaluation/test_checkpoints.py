"""Checkpoints: kept, found again, and made anew when they are not what they should be."""

from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file, save_file

from sotaeval.checkpoints import ModelSpec, load_or_train
from sotaeval.data import Split
from sotaeval.training import Fit

SPEC = ModelSpec("mc-dropout", Fit(1, 1e-3, 64), 128, 0)


@pytest.fixture
def split(mnist, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return mnist.train.first(256)


def never() -> Split:
    raise AssertionError("trained although a checkpoint is there")


def test_a_model_is_trained_once(split):
    first = load_or_train(SPEC, lambda: split)
    second = load_or_train(SPEC, never)
    assert first.weights == second.weights
    assert first.note is None
    assert second.note is None
    assert not any(parameter.requires_grad for parameter in second.model.parameters())


def test_the_same_seed_gives_the_same_weights_and_another_one_does_not(split):
    first = load_or_train(SPEC, lambda: split)
    SPEC.path.unlink()
    torch.rand(5)
    assert load_or_train(SPEC, lambda: split).weights == first.weights
    assert load_or_train(replace(SPEC, seed=1), lambda: split).weights != first.weights


def test_training_does_not_disturb_the_global_generator(split):
    torch.manual_seed(3)
    expected = torch.rand(3)
    torch.manual_seed(3)
    load_or_train(SPEC, lambda: split)
    assert torch.equal(torch.rand(3), expected)


def test_an_unreadable_checkpoint_is_trained_again_with_a_note(split):
    first = load_or_train(SPEC, lambda: split)
    SPEC.path.write_bytes(SPEC.path.read_bytes()[:500])
    again = load_or_train(SPEC, lambda: split)
    assert again.weights == first.weights
    assert "cannot be read" in again.note
    assert load_or_train(SPEC, never).note is None


def test_a_checkpoint_of_another_model_is_not_taken(split):
    first = load_or_train(SPEC, lambda: split)
    other = replace(SPEC, seed=1)
    load_or_train(other, lambda: split)
    SPEC.path.write_bytes(other.path.read_bytes())
    again = load_or_train(SPEC, lambda: split)
    assert again.weights == first.weights
    assert "of another model" in again.note


@pytest.mark.parametrize("damage", ["shape", "nan"])
def test_a_checkpoint_with_wrong_tensors_is_not_taken(split, damage):
    first = load_or_train(SPEC, lambda: split)
    tensors = load_file(SPEC.path)
    tensors["out.bias"] = torch.zeros(3) if damage == "shape" else torch.full((10,), torch.nan)
    save_file(tensors, SPEC.path, {"key": SPEC.key})
    again = load_or_train(SPEC, lambda: split)
    assert again.weights == first.weights
    assert again.note


def test_a_cache_that_cannot_be_written_costs_a_note_only(split, tmp_path):
    (tmp_path / "sotakit").write_text("in the way")
    trained = load_or_train(SPEC, lambda: split)
    assert "not kept" in trained.note


def test_the_key_covers_settings_seed_and_size():
    keys = {SPEC.key, replace(SPEC, seed=1).key, replace(SPEC, images=64).key, replace(SPEC, fit=Fit(2)).key}
    assert len(keys) == 4
