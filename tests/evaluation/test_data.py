"""Where MNIST is looked for, and what is said when it is not there or not right."""

import gzip
import shutil

import pytest
import torch

from sotaeval import data
from sotaeval.errors import DataError


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """No repository copy and an empty cache."""
    monkeypatch.setattr(data, "REPOSITORY_COPY", tmp_path / "no-repository")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    data._load.cache_clear()
    yield tmp_path
    data._load.cache_clear()


def copy(folder):
    target = folder / data.RAW
    shutil.copytree(data.Path(data.__file__).parents[1] / "mnist" / data.RAW, target)
    return target


def test_the_real_data(mnist):
    assert mnist.train.images.shape == (60_000, 1, 28, 28)
    assert mnist.test.images.shape == (10_000, 1, 28, 28)
    assert mnist.test.images.dtype == torch.float32
    assert (float(mnist.test.images.min()), float(mnist.test.images.max())) == (0.0, 1.0)
    assert mnist.test.labels[:5].tolist() == [7, 2, 1, 0, 4]
    assert mnist.train.labels.bincount().tolist() == [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949]


def test_missing_data_says_where_it_looked_and_what_to_do(elsewhere):
    with pytest.raises(DataError) as caught:
        data.load_mnist(elsewhere / "given")
    message = str(caught.value)
    for place in ("given", "no-repository", "cache"):
        assert str(elsewhere / place) in message
    assert "--data-root" in message
    assert "--download" in message
    assert caught.value.exit_code == 3


def test_archives_are_unpacked_into_the_cache_and_nothing_is_written_beside_them(elsewhere):
    raw = copy(elsewhere / "given")
    before = sorted(path.name for path in raw.iterdir())
    loaded = data.load_mnist(elsewhere / "given")
    assert len(loaded.test.labels) == 10_000
    assert sorted(path.name for path in raw.iterdir()) == before
    assert (elsewhere / "cache" / "sotakit" / data.RAW / "t10k-labels-idx1-ubyte").is_file()


def test_a_changed_file_is_named_with_the_hash_it_should_have(elsewhere):
    raw = copy(elsewhere / "given")
    archive = raw / "t10k-labels-idx1-ubyte.gz"
    content = bytearray(gzip.decompress(archive.read_bytes()))
    content[-1] ^= 1
    archive.write_bytes(gzip.compress(bytes(content)))
    with pytest.raises(DataError, match="t10k-labels-idx1-ubyte") as caught:
        data.load_mnist(elsewhere / "given")
    assert data.FILES["t10k-labels-idx1-ubyte"] in str(caught.value)


def test_an_archive_cut_short_is_named(elsewhere):
    raw = copy(elsewhere / "given")
    archive = raw / "train-labels-idx1-ubyte.gz"
    archive.write_bytes(archive.read_bytes()[:1000])
    with pytest.raises(DataError, match=r"train-labels-idx1-ubyte\.gz cannot be unpacked"):
        data.load_mnist(elsewhere / "given")


def test_a_lacking_file_is_named(elsewhere):
    raw = copy(elsewhere / "given")
    (raw / "t10k-images-idx3-ubyte.gz").unlink()
    with pytest.raises(DataError, match="lacks t10k-images-idx3-ubyte"):
        data.load_mnist(elsewhere / "given")


def test_a_damaged_file_of_the_cache_is_replaced_from_the_archives(elsewhere):
    copy(elsewhere / "given")
    data.load_mnist(elsewhere / "given")
    unpacked = elsewhere / "cache" / "sotakit" / data.RAW / "t10k-labels-idx1-ubyte"
    unpacked.write_bytes(b"damaged")
    data._load.cache_clear()
    assert data.load_mnist(elsewhere / "given").test.labels[0] == 7
