"""What a data folder may hold: which files are records, which stand beside them, and which are nobody's business."""

from pathlib import PurePath

FORMATS = {".yaml": "yaml", ".yml": "yaml", ".json": "json", ".jsonl": "jsonl", ".csv": "csv"}
"""Formats of records by the ends of file names, which may be written in capitals."""

IGNORE = ".toolkitignore"
"""Patterns of files that are not read, one a line."""

RESERVED = ("import-issues",)
"""Folders that importers write to and nobody reads."""

BESIDE = ".files"
"""How the folder of the images of a source ends."""


def hidden(name: str) -> bool:
    """Whether a file or folder is passed over by its name."""
    return name.startswith(".") or name in RESERVED


def format_of(path: PurePath) -> str | None:
    """The format of a file of records; None for another file."""
    return FORMATS.get(path.suffix.lower())
