"""What most tests start from: the repository's own records, and a tiny registry to break in one place."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick", deadline=None, max_examples=60, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("quick")

ROOT = Path(__file__).resolve().parent.parent

MINIMAL = {
    "tasks.yaml": "- id: sorting\n  name: Sorting\n",
    "datasets.yaml": "- id: numbers\n  name: Numbers\n",
    "metrics.yaml": (
        "- id: accuracy\n"
        "  name: Accuracy\n"
        "  direction: higher\n"
        "  direction_source: [{source: paper-a}]\n"
        "  unit: percent\n"
        '  min: "0"\n'
        '  max: "100"\n'
    ),
    "methods.yaml": "- id: bubble\n  name: Bubble\n- id: merge\n  name: Merge\n",
    "benchmarks.yaml": (
        "- id: sorting-on-numbers\n"
        "  title: Sorting on Numbers\n"
        "  task: sorting\n"
        "  dataset: numbers\n"
        "  metrics:\n"
        "    - {key: accuracy, metric: accuracy, label: Accuracy, direction: higher, unit: percent}\n"
    ),
    "sources/paper-a.yaml": (
        "id: paper-a\n"
        "type: paper\n"
        "results:\n"
        "  - id: row-1\n"
        "    benchmark: sorting-on-numbers\n"
        "    method: bubble\n"
        "    scores: {accuracy: 70.10}\n"
        "  - id: row-2\n"
        "    benchmark: sorting-on-numbers\n"
        "    method: merge\n"
        "    scores: {accuracy: 93.2}\n"
    ),
}
"""A valid registry without any finding: one board, two methods, one source with two results."""


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def seed_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository's records as its first source has them: without our own runs and what they added."""
    data = tmp_path_factory.mktemp("seed") / "data"
    ours = shutil.ignore_patterns("run-*", "sotaeval-*", "benchmarks", "methods", "metrics", "tasks")
    shutil.copytree(ROOT / "data", data, ignore=ours)
    boards = (data / "benchmarks.yaml").read_text(encoding="utf-8")
    (data / "benchmarks.yaml").write_text(boards.split("    # Added here")[0], encoding="utf-8")
    return data


@pytest.fixture
def minimal() -> dict[str, str]:
    """A copy of the tiny registry, to change."""
    return dict(MINIMAL)


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes files (name to text or bytes) into a data folder of this test and gives the folder."""

    def write_files(files: Mapping[str, str | bytes], folder: str = "data") -> Path:
        data = tmp_path / folder
        data.mkdir(exist_ok=True)
        for name, content in files.items():
            path = data / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return data

    return write_files
