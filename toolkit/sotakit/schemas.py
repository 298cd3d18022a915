"""`toolkit schema`: the committed JSON Schema files are generated and never edited."""

from pathlib import Path

from sotakit.errors import OutputError, PageError
from sotaschema.jsonschema import schema_files


def write_schemas(folder: Path) -> str:
    """Write every schema file to a folder."""
    files = schema_files()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{error.filename}: cannot be written: {error.strerror}") from error
    return f"{len(files)} schema files in {folder}"


def check_schemas(folder: Path) -> str:
    """Compare the files in a folder with what would be written; raises `PageError` if they differ."""
    drifted = [
        name
        for name, text in schema_files().items()
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text
    ]
    if drifted:
        raise PageError(f"{folder / drifted[0]}: differs from the models; run `toolkit schema {folder}`")
    return f"{folder}: up to date"
