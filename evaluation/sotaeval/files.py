"""Writing files so that nobody ever reads half of one."""

import os
import tempfile
from pathlib import Path

from sotaeval.errors import WriteError


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file beside its place and move it there; raises `WriteError`, and then the old file is untouched."""
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".part", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise WriteError(f"{path} could not be written: {error.strerror or error}") from error
