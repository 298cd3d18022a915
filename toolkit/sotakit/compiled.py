"""The compiled tables as their readers know them: rows, and the manifest that names every file with its hash."""

import hashlib
from pathlib import Path
from typing import Any, Final

MANIFEST: Final = "manifest.json"

Row = dict[str, Any]
"""A row of a table: what is nested in a record is JSON text, or has been parsed."""


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file, as hex digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
