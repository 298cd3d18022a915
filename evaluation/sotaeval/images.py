"""Small PNG pictures, written here because their bytes must be the same on every run."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

SIDE = 28
Pixels = NDArray[np.uint8]


def png(pixels: Pixels) -> bytes:
    """An RGB image (height, width, 3) as PNG; no time, no text, one compression level."""
    assert pixels.ndim == 3, pixels.shape
    assert pixels.shape[2] == 3, pixels.shape
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(pixels, dtype=np.uint8))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def grid(groups: list[bytes]) -> Pixels:
    """One block of three lines for each group: factual, counterfactual, difference; one column per image.

    A group holds factual and counterfactual in turn, 784 bytes each. In the difference red is ink added, blue removed.
    """
    blocks = [_block(np.frombuffer(group, np.uint8).reshape(-1, 2, SIDE, SIDE)) for group in groups]
    width = max(block.shape[1] for block in blocks)
    padded = [np.pad(block, ((0, 4), (0, width - block.shape[1]), (0, 0)), constant_values=255) for block in blocks]
    return np.concatenate(padded)[:-4]


def _block(pairs: Pixels) -> Pixels:
    """(K, 2, 28, 28) to three lines of K framed pictures."""
    factual, changed = pairs[:, 0], pairs[:, 1]
    lines = (_grey(factual), _grey(changed), difference(factual, changed))
    framed = [np.pad(line, ((0, 0), (0, 1), (0, 1), (0, 0)), constant_values=128) for line in lines]
    return np.concatenate([np.concatenate(list(line), axis=1) for line in framed])


def _grey(images: Pixels) -> Pixels:
    return np.repeat(images[..., None], 3, axis=-1)


def difference(factual: Pixels, changed: Pixels) -> Pixels:
    """(K, 28, 28) twice to (K, 28, 28, 3): white where nothing changed, red for ink added, blue for ink removed."""
    change = changed.astype(int) - factual.astype(int)
    added, removed = change.clip(0, 255), (-change).clip(0, 255)
    channels = (255 - removed, 255 - added - removed, 255 - added)
    return np.stack(channels, axis=-1).clip(0, 255).astype(np.uint8)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
