"""Images that stand beside a source in `sources/<id>.files/`: copied as they are, pictures only, never scripts."""

import re
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from sotakit.data_folder import BESIDE

MAX_BYTES = 2 * 1024**2
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,80}\.png")
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Image(NamedTuple):
    """One picture of a source, with its size in pixels."""

    source: str
    name: str
    path: Path
    width: int
    height: int


def find_images(data: Path, sources: Iterable[str]) -> Iterator[Image]:
    """The PNG images of some sources, in order; files of other kinds, names or sizes are left alone."""
    for source in sorted(sources):
        folder = data / "sources" / f"{source}{BESIDE}"
        for path in sorted(folder.glob("*.png")) if folder.is_dir() and not folder.is_symlink() else []:
            size = _size(path) if _NAME.fullmatch(path.name) and not path.is_symlink() else None
            if size is not None:
                yield Image(source, path.name, path, *size)


def _size(path: Path) -> tuple[int, int] | None:
    """Width and height from the first bytes of a PNG; None for anything else."""
    if path.stat().st_size > MAX_BYTES:
        return None
    with path.open("rb") as stream:
        head = stream.read(24)
    if len(head) < 24 or not head.startswith(_SIGNATURE) or head[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", head[16:24])
    return width, height
