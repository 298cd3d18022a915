"""The compiled tables as their readers know them: rows, and the manifest that names every file with its hash."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

MANIFEST: Final = "manifest.json"
POINTER: Final = "parquet"
"""The link below a build folder that leads to its newest tables."""

Row = dict[str, Any]
"""A row of a table: what is nested in a record is JSON text, or has been parsed."""


def read_manifest(tables: Path) -> Row:
    """The manifest of a folder of tables."""
    manifest: Row = json.loads((tables / MANIFEST).read_text(encoding="utf-8"))
    return manifest


def counts_line(accounting: Mapping[str, int]) -> str:
    """How many records there were and what became of them, in one sentence."""
    count = {name: f"{number:,}" for name, number in accounting.items()}
    hidden = f", {count['hidden']} not published" if accounting["hidden"] else ""
    return (
        f"{count['records']} records in {count['files']} files: {count['accepted']} accepted{hidden}, "
        f"{count['rejected']} rejected; {count['errors']} errors, {count['warnings']} warnings"
    )


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file, as hex digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_hashes(tables: Path, files: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise `ValueError` if one of the files that a manifest names is not as it was written."""
    for name, entry in files.items():
        if file_sha256(tables / name) != entry["sha256"]:
            raise ValueError(f"{name} differs from what was written")
