"""What this program consists of: code, and templates with styles, which lie beside it or, in a checkout, in `site/`."""

import hashlib
from functools import cache
from pathlib import Path

import sotaschema
from sotakit.errors import UsageError


def site_folder() -> Path:
    """The folder of templates and static files that comes with this installation."""
    here = Path(__file__).resolve().parent
    candidates = (here / "_site", here.parents[1] / "site")
    for folder in candidates:
        if (folder / "templates").is_dir():
            return folder
    raise UsageError(f"no templates in {candidates[0]} or {candidates[1]}; install the package again or give --site")


@cache
def code_digest() -> str:
    """The SHA-256 of all code that reads, checks, compiles and publishes."""
    folders = [Path(__file__).parent, *map(Path, sotaschema.__path__)]
    files = [(path.name, path.read_bytes()) for folder in folders for path in sorted(folder.rglob("*.py"))]
    return hashlib.sha256(repr(files).encode()).hexdigest()
