"""What an earlier build made, so that the next one makes only what has changed: groups of files with their keys.

One file for each output folder. It is written after everything else and never trusted further than the files
themselves: a group counts only while every file of it is as it was written.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from pydantic_core import from_json, to_json

from sotakit.publish.output import File

FOLDER = ".site-cache"
_FORMAT = 1

Places = Mapping[str, str]
"""The Markdown file that each result of a benchmark stands in, for benchmarks of several files."""


class Made(NamedTuple):
    """A group of files that is made together, and the key of what it was made from."""

    key: str
    files: tuple[File, ...]
    places: Places


Groups = Mapping[str, Made]
"""Groups by their names."""


def read_cache(build: Path, out: Path) -> Groups:
    """What the last build of an output folder left; nothing if there is no such file or it is damaged."""
    try:
        document = from_json(_path(build, out).read_bytes())
        return dict(_groups(document)) if document["format"] == _FORMAT else {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def write_cache(build: Path, out: Path, groups: Groups) -> None:
    """Write the groups of a build; raises `OSError` if that cannot be."""
    files = [file for made in groups.values() for file in made.files]
    document = {
        "format": _FORMAT,
        "groups": [(name, made.key, len(made.files)) for name, made in groups.items()],
        "places": {name: made.places for name, made in groups.items() if made.places},
        "files": dict(zip(File._fields, zip(*files, strict=True), strict=True)),
    }
    path = _path(build, out)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".new")
    temporary.write_bytes(to_json(document))
    temporary.replace(path)


def forget_cache(build: Path, out: Path) -> None:
    """Remove what the last build left."""
    with suppress(FileNotFoundError):
        _path(build, out).unlink()


def _groups(document: Mapping[str, Any]) -> Iterator[tuple[str, Made]]:
    columns = document["files"]
    if sum(count for *_, count in document["groups"]) != len(columns["name"]):
        raise ValueError("not the files of these groups")
    "".join([*columns["name"], *columns["sha256"]])  # raises `TypeError` unless all are texts
    files = map(File._make, zip(*(columns[field] for field in File._fields), strict=True))
    for name, key, count in document["groups"]:
        yield name, Made(key, tuple(islice(files, count)), dict(document["places"].get(name, ())))


def _path(build: Path, out: Path) -> Path:
    return build / FOLDER / f"{hashlib.sha256(str(out.resolve()).encode()).hexdigest()[:16]}.json"
