"""Made-up tasks, data sets, metrics, methods and sources: what the results of the benchmarks are about.

Everything is a function of its number, so the same registry comes out every time.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

Record = dict[str, Any]

_AREAS = ("image", "speech", "text", "video", "graph", "table", "code", "music", "protein", "weather")
_AIMS = ("classification", "retrieval", "generation", "segmentation", "forecasting")
_FIRST = ("Sparse", "Deep", "Gated", "Masked", "Robust", "Tiny", "Hybrid", "Linear", "Causal", "Frozen")
_SECOND = (
    "Residual",
    "Bayesian",
    "Contrastive",
    "Recurrent",
    "Spectral",
    "Graph",
    "Dual",
    "Adaptive",
    "Latent",
    "Mixed",
)
_THIRD = ("Encoder", "Transformer", "Network", "Ensemble", "Mixer")
_PLACES = ("Harbour", "Meadow", "Summit", "Delta", "Canyon", "Forest", "Island", "Valley", "Lagoon", "Prairie")


class Measure(NamedTuple):
    """A metric and the range in which its made-up values lie."""

    key: str
    name: str
    direction: str
    unit: str
    low: float
    high: float
    decimals: int
    top: str | None = None
    """Largest possible value; the smallest is 0 for all of them."""

    def text(self, share: float) -> str:
        """The value at a share (0 to 1) of the range, as a source would print it."""
        return f"{self.low + share * (self.high - self.low):.{self.decimals}f}"


MEASURES = (
    *(
        Measure(name.lower().replace(" ", "-"), name, "higher", "percent", 20, 99, 2, "100")
        for name in ("Accuracy", "Solved", "Precision", "Recall", "Match", "Coverage", "Passed")
    ),
    *(
        Measure(name.lower().replace(" ", "-"), name, "higher", "fraction", 0.2, 0.99, 3, "1")
        for name in ("F1", "Macro F1", "AUROC", "mIoU", "NDCG", "Dice", "Rouge-L", "MRR")
    ),
    *(
        Measure(name.lower().replace(" ", "-"), name, "lower", "percent", 2, 80, 2, "100")
        for name in ("Errors", "WER", "Misses", "ECE")
    ),
    *(
        Measure(name.lower().replace(" ", "-"), name, "lower", "unitless", 1, 60, 2)
        for name in ("Perplexity", "FID", "MAE", "Log Loss")
    ),
    Measure("latency", "Latency", "lower", "milliseconds", 3, 900, 1),
    Measure("training-time", "Training Time", "lower", "seconds", 60, 9000, 0),
)
"""25 metrics in six units."""


def tasks(count: int) -> Iterator[Record]:
    """Tasks, for instance image classification."""
    for index in range(count):
        name = f"{_AREAS[index % 10]} {_AIMS[index // 10 % 5]}".capitalize()
        yield {"id": f"task-{index:03d}", "name": name if index < 50 else f"{name} {index}"}


def datasets(count: int) -> Iterator[Record]:
    """Data sets, released before any result."""
    for index in range(count):
        name = f"{_PLACES[index % 10]}-{index}"
        yield {"id": f"dataset-{index:04d}", "name": name, "released": f"{2010 + index % 7}", "licence": "CC-BY-4.0"}


def metrics() -> Iterator[Record]:
    """The metrics with bounds and the source that gives their direction."""
    for measure in MEASURES:
        yield {
            "id": measure.key,
            "name": measure.name,
            "direction": measure.direction,
            "direction_source": [{"source": source_id(0), "locator": "section 3"}],
            "unit": measure.unit,
            "min": "0",
            **({"max": measure.top} if measure.top else {}),
        }


def method_name(index: int) -> str:
    """Name of a method; distinct for all numbers."""
    return f"{_FIRST[index % 10]} {_THIRD[index // 10 % 5]} {index}"


def methods(count: int) -> Iterator[Record]:
    """Methods, each introduced by the first source."""
    for index in range(count):
        yield {"id": f"method-{index:03d}", "name": method_name(index), "origin": source_id(0)}


def source_id(index: int) -> str:
    """Id of a source."""
    return f"paper-{index:04d}"


def source_title(index: int) -> str:
    """Title of a source."""
    words = (_SECOND[index % 10], _THIRD[index // 10 % 5], _AIMS[index // 50 % 5], _AREAS[index // 250 % 10])
    return "{} {}s for {} of {} data, part {}".format(*words, index)


def sources(count: int) -> Iterator[Record]:
    """Papers, without their results."""
    for index in range(count):
        yield {
            "id": source_id(index),
            "type": "paper",
            "title": source_title(index),
            "authors": [f"Author {index % 97}", f"Author {index % 89 + 100}"],
            "date": f"{2018 + index % 8}-{index % 12 + 1:02d}",
            "arxiv": f"{18 + index % 8}{index % 12 + 1:02d}.{index:05d}",
        }


def write_lines(path: Path, records: Iterable[Record]) -> None:
    """Write records as JSON Lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)
