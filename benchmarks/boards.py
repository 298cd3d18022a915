"""A registry of many small boards for the site: one metric and 25 results each.

    python -m benchmarks.boards FOLDER COUNT

`board` gives the same facts to other generators, so that every tool writes the same tables.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.entities import (
    MEASURES,
    Measure,
    Record,
    datasets,
    method_name,
    methods,
    metrics,
    source_id,
    source_title,
    sources,
    tasks,
    write_lines,
)

ROWS: Final = 25
_TASKS: Final = 100
_METHODS: Final = 500
_SEED: Final = 0x5EED


class Row(NamedTuple):
    """One result as every tool shows it."""

    id: str
    method: str
    value: str
    date: str
    paper: str
    title: str
    config: str
    """As JSON."""


class Board(NamedTuple):
    """One benchmark with its results, the best first."""

    id: str
    title: str
    task: str
    dataset: str
    metric: str
    unit: str
    direction: str
    rows: list[Row]


class Scale(NamedTuple):
    """How many boards there are, and what follows from it."""

    boards: int

    @property
    def sources(self) -> int:
        """Number of papers; 1,000 for 10,000 boards."""
        return max(1, min(1000, self.boards // 10))

    @property
    def datasets(self) -> int:
        """Number of data sets."""
        return max(1, self.boards // 10)

    def source_of(self, board: int, place: int) -> int:
        """The paper that states a result."""
        return (board + 37 * place) % self.sources

    def boards_of(self, source: int, place: int) -> range:
        """The boards whose result at a place is stated by a paper."""
        return range((source - 37 * place) % self.sources, self.boards, self.sources)


def write_registry(folder: Path, scale: Scale) -> None:
    """Write all records: the results of each paper in a file of their own."""
    write_lines(folder / "tasks.jsonl", tasks(_TASKS))
    write_lines(folder / "datasets.jsonl", datasets(scale.datasets))
    write_lines(folder / "metrics.jsonl", metrics())
    write_lines(folder / "methods.jsonl", methods(_METHODS))
    write_lines(folder / "sources.jsonl", sources(scale.sources))
    write_lines(folder / "benchmarks.jsonl", (_benchmark(index, scale) for index in range(scale.boards)))
    for source in range(scale.sources):
        write_lines(folder / "sources" / f"{source_id(source)}.results.jsonl", _results_of(source, scale))


def change_one(folder: Path, value: str) -> str:
    """Give the first result of the first paper another value, and return the id of its board."""
    path = folder / "sources" / f"{source_id(0)}.results.jsonl"
    first, _, rest = path.read_text(encoding="utf-8").partition("\n")
    record = json.loads(first)
    record["scores"] = dict.fromkeys(record["scores"], value)
    path.write_text(json.dumps(record) + "\n" + rest, encoding="utf-8")
    return str(record["benchmark"])


def board(index: int, scale: Scale) -> Board:
    """The facts of one board."""
    measure = _measure(index)
    rows = sorted((_row(index, place, scale) for place in range(ROWS)), key=lambda row: float(row.value))
    if measure.direction == "higher":
        rows.reverse()
    return Board(
        _board_id(index),
        _title(index, scale),
        f"task {index % _TASKS}",
        f"dataset {index % scale.datasets} (test)",
        measure.name,
        measure.unit,
        "Higher is better" if measure.direction == "higher" else "Lower is better",
        rows,
    )


def boards(scale: Scale) -> Iterator[Board]:
    """All boards in order."""
    return (board(index, scale) for index in range(scale.boards))


def _results_of(source: int, scale: Scale) -> Iterator[Record]:
    for place in range(ROWS):
        for index in scale.boards_of(source, place):
            row = _row(index, place, scale)
            yield {
                "id": row.id,
                "benchmark": _board_id(index),
                "method": f"method-{_method_of(index, place):03d}",
                "method_label": row.method,
                "config": json.loads(row.config),
                "scores": {_measure(index).key: row.value},
                "locator": {"page": 1 + index % 20, "table": f"Table {1 + place % 7}"},
                "date": row.date,
                "date_kind": "published",
                "evidence": "author_reported",
                "transcription": "human_checked",
            }


def _row(index: int, place: int, scale: Scale) -> Row:
    number = _mixed(index * ROWS + place)
    source = scale.source_of(index, place)
    config = {"size": ("small", "base", "large")[number % 3], "augmented": number % 2 == 0, "epochs": 10 * place}
    return Row(
        f"r{index:05d}{place:02d}{number & 0xFFFFFFFF:08x}",
        method_name(_method_of(index, place)),
        _measure(index).text((number >> 11) / 2**53),
        f"{2018 + (number >> 8) % 7}-{1 + (number >> 16) % 12:02d}-{1 + (number >> 24) % 28:02d}",
        source_id(source),
        source_title(source),
        json.dumps(dict(sorted(config.items())[: 1 + number % 3]), sort_keys=True),
    )


def _mixed(number: int) -> int:
    """64 bits that look random, the same ones for the same number (the finaliser of splitmix64)."""
    number = (number + _SEED) * 0x9E3779B97F4A7C15 % 2**64
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    number = (number ^ number >> 27) * 0x94D049BB133111EB % 2**64
    return number ^ number >> 31


def _method_of(board: int, place: int) -> int:
    """25 different methods on each board: 19 and 500 have no common factor."""
    return (7 * board + 19 * place) % _METHODS


def _measure(index: int) -> Measure:
    return MEASURES[index % len(MEASURES)]


def _board_id(index: int) -> str:
    return f"board-{index:05d}"


def _title(index: int, scale: Scale) -> str:
    return f"Task {index % _TASKS} on data set {index % scale.datasets} (test), board {index}"


def _benchmark(index: int, scale: Scale) -> Record:
    measure = _measure(index)
    return {
        "id": _board_id(index),
        "title": _title(index, scale),
        "task": f"task-{index % _TASKS:03d}",
        "dataset": f"dataset-{index % scale.datasets:04d}",
        "split": "test",
        "metrics": [
            {
                "key": measure.key,
                "metric": measure.key,
                "label": measure.name,
                "direction": measure.direction,
                "unit": measure.unit,
            }
        ],
        "description": f"Results of {ROWS} methods on one split, each under the settings that its paper states.",
        "updated_at": "2026-01-15T00:00:00Z",
    }


def main() -> None:
    """Write one registry."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int)
    options = parser.parse_args()
    write_registry(options.folder, Scale(options.count))


if __name__ == "__main__":
    main()
