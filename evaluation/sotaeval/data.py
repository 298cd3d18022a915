"""MNIST as tensors: where it is looked for, how it is checked, how it is unpacked.

This is the only module that imports torchvision, which is slow to load; metrics, models and methods do without it.
torchvision reads unpacked IDX files only, so archives (the repository's copy) are unpacked once into the user's cache,
never into the folder they lie in. torchvision knows the MD5 of its own archives only; what is checked here is the
SHA-256 of the four unpacked files, which is the same for every archive.
"""

import gzip
import hashlib
import os
import shutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import torch
from torch import Tensor

from sotaeval.errors import DataError, WriteError
from sotaeval.files import write_atomically

FILES = {
    "train-images-idx3-ubyte": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    "train-labels-idx1-ubyte": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
}
"""SHA-256 of the unpacked files."""

DATA_HASH = hashlib.sha256("".join(FILES.values()).encode()).hexdigest()[:16]
"""One short name for exactly these four files; part of every task and checkpoint id."""

REPOSITORY_COPY = Path(__file__).resolve().parent.parent / "mnist"
RAW = Path("MNIST") / "raw"
"""Where torchvision looks below its root."""


@dataclass(frozen=True)
class Split:
    """Images (N, 1, 28, 28), float32 in [0, 1], and their labels (N,), int64."""

    images: Tensor
    labels: Tensor

    def __post_init__(self) -> None:
        assert self.images.shape[1:] == (1, 28, 28), self.images.shape
        assert self.labels.shape == self.images.shape[:1], self.labels.shape

    def first(self, count: int) -> "Split":
        """The first images of the split."""
        return Split(self.images[:count], self.labels[:count])

    def of_class(self, label: int) -> Tensor:
        """(N_c, 1, 28, 28): the images of one class, in the order of the split."""
        return self.images[self.labels == label]


@dataclass(frozen=True)
class Mnist:
    """The 60,000 training and 10,000 test images."""

    train: Split
    test: Split


def cache_folder() -> Path:
    """The user's cache: `$XDG_CACHE_HOME/sotakit`, else `~/.cache/sotakit`."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "sotakit"


def load_mnist(root: Path | None = None, download: bool = False) -> Mnist:
    """MNIST from `root` if files are there, else from the repository's copy, else from the user's cache.

    The three places can only hold the same bytes, since all are checked; a folder named by the caller is looked at
    first so that a fault in it is reported instead of passed over. With `download` torchvision fetches into the cache
    what is nowhere. Raises `DataError`: missing (names the places and the remedies) or corrupt (names file and hash).
    """
    return _load(_ready_root(root, download))


def _ready_root(root: Path | None, download: bool) -> Path:
    """A folder that torchvision can read, all four files checked."""
    places = [place for place in (root, REPOSITORY_COPY, cache_folder()) if place is not None]
    found = next((place for place in places if any(_stored(place, name) for name in FILES)), None)
    if found is None and download:
        _download(cache_folder())
        found = cache_folder()
    if found is None:
        looked = ", ".join(str(place / RAW) for place in places)
        raise DataError(
            f"MNIST is in none of these folders: {looked}; give --data-root DIR with the four IDX files (.gz or "
            f"unpacked) in DIR/{RAW}, work in a checkout of the repository, or allow fetching with --download"
        )
    if all((found / RAW / name).is_file() for name in FILES):
        for name, expected in FILES.items():
            _check(found / RAW / name, (found / RAW / name).read_bytes(), expected)
        return found
    return _unpack(found, cache_folder(), trust=found != root)


def _stored(place: Path, name: str) -> Path | None:
    """The file, unpacked or as an archive, in a place."""
    for path in (place / RAW / name, place / RAW / f"{name}.gz"):
        if path.is_file():
            return path
    return None


def _unpack(place: Path, target: Path, *, trust: bool) -> Path:
    """Unpack what is in `place` to where torchvision can read it.

    With `trust` a right file that is there already saves reading the archive it came from.
    """
    for name, expected in FILES.items():
        unpacked = target / RAW / name
        ready = unpacked.is_file() and _sha256(unpacked.read_bytes()) == expected
        if ready and trust:
            continue
        stored = _stored(place, name)
        if stored is None:
            raise DataError(f"{place / RAW} lacks {name}; the four files belong together, fetch them with --download")
        content = _read(stored)
        _check(stored, content, expected)
        if not ready:
            write_atomically(unpacked, content)
    return target


def _read(path: Path) -> bytes:
    try:
        return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    except (OSError, EOFError, ValueError) as error:
        raise DataError(f"{path} cannot be unpacked ({error}); replace it or remove it and use --download") from error


def _check(path: Path, content: bytes, expected: str) -> None:
    if (actual := _sha256(content)) != expected:
        raise DataError(
            f"{path} is not the file of MNIST: SHA-256 of the unpacked bytes is {actual}, expected {expected}; "
            "replace it, or remove it and use --download"
        )


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _download(target: Path) -> None:
    """Fetch with torchvision; the hashes are checked afterwards like those of any other place."""
    from torchvision.datasets import MNIST  # noqa: PLC0415 - slow to load, and not needed by most users of this module

    try:
        MNIST(str(target), train=True, download=True)
    except (OSError, RuntimeError) as error:
        shutil.rmtree(target / RAW, ignore_errors=True)
        kind = WriteError if isinstance(error, PermissionError) else DataError
        raise kind(f"MNIST could not be fetched into {target}: {str(error).splitlines()[-1]}") from error


@lru_cache(maxsize=1)
def _load(root: Path) -> Mnist:
    """Both splits; kept for the process, since every task of a worker needs them."""
    from torchvision.datasets import MNIST  # noqa: PLC0415 - as above

    splits = (MNIST(str(root), train=train, download=False) for train in (True, False))
    train, test = (Split(split.data[:, None].to(torch.float32).div_(255), split.targets) for split in splits)
    return Mnist(train, test)
