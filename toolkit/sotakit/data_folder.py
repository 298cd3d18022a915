"""What a data folder may hold: which files are records, which stand beside them, and which are nobody's business."""

FORMATS = {".yaml": "yaml", ".yml": "yaml", ".json": "json", ".jsonl": "jsonl", ".csv": "csv"}
"""Formats of records by the ends of file names."""

IGNORE = ".toolkitignore"
"""Patterns of files that are not read, one a line."""

RESERVED = ("import-issues",)
"""Folders that importers write to and nobody reads."""

BESIDE = ".files"
"""How the folder of the images of a source ends."""


def hidden(name: str) -> bool:
    """Whether a file or folder is passed over by its name."""
    return name.startswith(".") or name in RESERVED
