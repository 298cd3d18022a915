"""Writing the compiled tables: all of them or none, the same bytes for the same records.

`build/parquet` is a relative symbolic link to `build/.gen/<hash>`. A run writes a new generation beside the old ones,
reads it back, and then moves the link in one step; the two newest generations stay. POSIX only.
"""

import fcntl
import filecmp
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sotakit import __version__
from sotakit.compiled import MANIFEST, POINTER, file_sha256
from sotakit.content import Content, Summary
from sotakit.errors import OutputError
from sotakit.images import Image
from sotakit.spill import sweep_spills
from sotakit.unchanged import remember
from sotaschema import SCHEMA_VERSION
from sotaschema.arrow import TABLES, table_schema
from sotaschema.entities import Registry

KEPT_GENERATIONS = 2
ROW_GROUP = 65_536


@dataclass(frozen=True)
class Generation:
    """Everything that is written together."""

    tables: Mapping[str, Iterable[pa.Table]]
    """Each table in pieces, in order."""
    registry: Registry
    accounting: Mapping[str, int]
    images: Sequence[Image] = ()
    source: Callable[[], str] = str
    """The fingerprint of what it was made from, once everything was read; empty if that is not known."""


def write_tables(generation: Generation, build: Path) -> Path:
    """Write all tables, images and their manifest below `build` and return the folder `build/parquet`.

    Raises `OutputError` when something cannot be written; then the previous tables are as they were.
    """
    try:
        with _lock(build):
            return _write_generation(generation, build)
    except OSError as error:
        why = error.strerror or error
        place = error.filename2 or error.filename or build  # of a link the second is the one that is made
        raise OutputError(f"{place}: cannot be written: {why}; the previous tables are unchanged") from error


def _write_generation(generation: Generation, build: Path) -> Path:
    pointer, generations = build / POINTER, build / ".gen"
    ours = pointer.is_symlink() and pointer.readlink().parent == Path(".gen")
    if os.path.lexists(pointer) and not ours:
        raise OutputError(f"{pointer}: exists and is not a link of this tool; choose another --out or move it away")
    generations.mkdir(exist_ok=True)
    _sweep(build)
    staging = generations / f".new-{os.getpid()}"
    staging.mkdir()
    try:
        name = _write_files(generation, staging)
        target = generations / name
        if target.exists() and not _same(staging, target):
            target.rename(generations / f".new-{os.getpid()}-damaged")
        if not target.exists():
            staging.rename(target)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise
    link = build / f".{POINTER}-{os.getpid()}"
    link.symlink_to(Path(".gen") / name)
    link.replace(pointer)
    with suppress(OSError):  # the new tables are in place: the rest can be left to the next run
        _sync(build)
        _sweep(build)
        _drop_old(generations, name)
        remember(build, generation.source())
    return pointer


def _sweep(build: Path) -> None:
    """Remove what an interrupted run left."""
    sweep_spills(build)
    for stale in (build / ".gen").glob(".new-*"):
        shutil.rmtree(stale)
    for link in build.glob(f".{POINTER}-*"):
        link.unlink()


def _write_files(generation: Generation, folder: Path) -> str:
    registry = generation.registry
    files: dict[str, dict[str, Any]] = {}
    content = hashlib.sha256()
    for name in sorted(TABLES):
        path = folder / f"{name}.parquet"
        written = _write_table(generation.tables[name], table_schema(name, registry.licence), path)
        if written != _read_table(path):
            raise OutputError(f"{path.name}: reads back differently from what was written; nothing was changed")
        files[path.name] = {"rows": written.rows, "sha256": file_sha256(path)}
        content.update(f"{name} {written.digest}\n".encode())
        _sync(path)
    manifest = {
        "format": SCHEMA_VERSION,
        "generator": f"sotakit {__version__}",
        "arrow": pa.__version__,
        "registry": registry.model_dump(by_alias=True, exclude_none=True),
        "accounting": dict(generation.accounting),
        "content": content.hexdigest(),
        "files": files,
        "images": [_copy_image(image, folder) for image in generation.images],
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    _sync(folder / MANIFEST)
    _sync(folder)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _write_table(pieces: Iterable[pa.Table], schema: pa.Schema, path: Path) -> Content:
    """Write a table, a row group at a time, and return what it holds."""
    content = Summary()
    with pq.ParquetWriter(path, schema, compression="zstd", write_page_checksum=True) as writer:
        for group in _row_groups(pieces, schema):
            writer.write_table(group.replace_schema_metadata(schema.metadata), row_group_size=ROW_GROUP)
            content.add(group)
            del group  # it would stay until the next one is there
    return content.content()


def _row_groups(pieces: Iterable[pa.Table], schema: pa.Schema) -> Iterator[pa.Table]:
    """The rows in groups of one size, whatever pieces they come in."""
    waiting: list[pa.Table] = []
    for piece in pieces:
        waiting.append(piece.cast(schema))
        while sum(table.num_rows for table in waiting) >= ROW_GROUP:
            yield _first_group(waiting)
    rest = pa.concat_tables(waiting) if waiting else schema.empty_table()
    if rest.num_rows:
        yield rest.combine_chunks()


def _first_group(waiting: list[pa.Table]) -> pa.Table:
    """Take a group from what waits: while it is written, nothing else keeps its rows."""
    together = pa.concat_tables(waiting)
    waiting[:] = [together.slice(ROW_GROUP)]
    return together.slice(0, ROW_GROUP).combine_chunks()


def _read_table(path: Path) -> Content:
    content = Summary()
    with pq.ParquetFile(path, page_checksum_verification=True, pre_buffer=False) as file:
        for number in range(file.num_row_groups):
            content.add(file.read_row_group(number, use_threads=False))
    return content.content()


def _copy_image(image: Image, folder: Path) -> dict[str, Any]:
    """The manifest entry of an image, copied under the hash of its content."""
    raw = image.path.read_bytes()
    digest = hashlib.sha256(raw).hexdigest()
    path = folder / f"image-{digest[:16]}.png"
    path.write_bytes(raw)
    _sync(path)
    size = {"width": image.width, "height": image.height}
    return {"source": image.source, "name": image.name, "file": path.name, "sha256": digest, **size}


def _same(one: Path, other: Path) -> bool:
    """Whether two folders hold the same files with the same bytes: tables once written may have been damaged since."""
    names = sorted(path.name for path in one.iterdir())
    if names != sorted(path.name for path in other.iterdir()):
        return False
    return not any(filecmp.cmpfiles(one, other, names, shallow=False)[1:])


@contextmanager
def _lock(build: Path) -> Iterator[None]:
    """Holds the folder for one run at a time; the lock goes with the process."""
    build.mkdir(parents=True, exist_ok=True)
    with (build / ".lock").open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise OutputError(f"{build}: another run is writing here; wait for it to end") from error
        yield


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _drop_old(generations: Path, current: str) -> None:
    others = sorted(
        (path for path in generations.iterdir() if path.name != current), key=lambda path: path.stat().st_mtime
    )
    for path in others[: -(KEPT_GENERATIONS - 1)]:
        shutil.rmtree(path, ignore_errors=True)
