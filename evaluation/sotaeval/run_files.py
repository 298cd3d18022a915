"""The file of one finished task: what it gave, and all that is needed to do it again.

`runs/<task id>.json` is written whole or not at all, and carries a checksum of itself. A file that is there and valid
is never computed again, so killing a run and repeating it is the way to recover; one that is not valid counts as
absent.
"""

import base64
import json
import platform
import subprocess
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from sotaeval.data import DATA_HASH
from sotaeval.files import write_atomically
from sotaeval.hashing import PACKAGE
from sotaeval.outcome import Outcome
from sotaeval.tasks import Task
from sotaschema.identity import digest

FORMAT = 1


class Timing(NamedTuple):
    """When a task ran (UTC) and what it cost, in seconds."""

    started: datetime
    finished: datetime
    wall: float
    cpu: float


@dataclass(frozen=True)
class RunFile:
    """The content of a valid run file."""

    id: str
    name: str
    content: dict[str, Any]

    @property
    def values(self) -> dict[str, np.ndarray[tuple[int], np.dtype[np.float64]]]:
        """(N,) values by metric key; NaN where a value is not defined."""
        return {key: np.array(values, dtype=np.float64) for key, values in self.content["values"].items()}

    @property
    def examples(self) -> bytes:
        """Factual and counterfactual images in turn, 784 bytes each."""
        return base64.b64decode(self.content["examples"])


def revision() -> dict[str, Any]:
    """The git revision of the code and whether the tree differs from it; empty outside a repository."""
    try:
        lines = [_git("rev-parse", "HEAD"), _git("status", "--porcelain", "--untracked-files=no")]
    except (OSError, subprocess.SubprocessError):
        return {}
    return {"revision": lines[0].strip(), "dirty": bool(lines[1].strip())}


def environment(device: str) -> dict[str, str]:
    """Versions and machine, without names of hosts or people."""
    names = ("torch", "torchvision", "numpy", "safetensors", "joblib")
    packages = {name: version(name) for name in names}
    return {"python": platform.python_version(), **packages, "machine": platform.machine(), "device": device}


def write_run(folder: Path, task: Task, outcome: Outcome, timing: Timing, git: dict[str, Any]) -> str:
    """Write the file of a finished task; gives the text that was written."""
    content = {
        "format": FORMAT,
        "id": task.id,
        "name": task.name,
        "benchmark": task.benchmark,
        "settings": task.settings,
        "code": task.code,
        "data": DATA_HASH,
        "environment": environment(task.device) | {"threads": str(torch.get_num_threads())},
        "git": git,
        "started": f"{timing.started:%Y-%m-%dT%H:%M:%SZ}",
        "finished": f"{timing.finished:%Y-%m-%dT%H:%M:%SZ}",
        "wall_seconds": round(timing.wall, 3),
        "cpu_seconds": round(timing.cpu, 3),
        **asdict(outcome),
        "examples": base64.b64encode(outcome.examples).decode(),
    }
    text = json.dumps(content | {"checksum": digest(content, 64)}, allow_nan=False)
    write_atomically(run_path(folder, task), text.encode())
    return text


def run_path(folder: Path, task: Task) -> Path:
    """Where the file of a task is."""
    return folder / f"{task.id}.json"


def read_run(folder: Path, task: Task) -> RunFile | None:
    """The valid file of a task; None if it is absent, unreadable, cut short, changed, or of another task."""
    try:
        content = json.loads(run_path(folder, task).read_bytes())
        checksum = content.pop("checksum")
        if checksum != digest(content, 64) or content["format"] != FORMAT or content["id"] != task.id:
            return None
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return None
    return RunFile(task.id, task.name, content)


def now() -> datetime:
    """The time in UTC."""
    return datetime.now(UTC)


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(PACKAGE), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout  # noqa: S603
