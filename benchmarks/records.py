"""A registry with any number of results in one file of JSON Lines, without errors and without warnings.

    python -m benchmarks.records FOLDER COUNT [--doubled N]

14 fields and about 390 bytes a record. The first records are the same for every count. `--doubled N` doubles a key in
N of the lines and prints their numbers.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.entities import (
    MEASURES,
    Measure,
    datasets,
    method_name,
    methods,
    metrics,
    source_id,
    sources,
    tasks,
    write_lines,
)
from benchmarks.entities import Record as Entity

TASKS: Final = 50
DATASETS: Final = 300
METHODS: Final = 500
BENCHMARKS: Final = 2000
SOURCES: Final = 200
MOST: Final = METHODS * BENCHMARKS
"""Largest number of results: each method once on each benchmark, so that no two results contradict each other."""

_STEP: Final = 618_033
"""Has no common factor with `MOST`, so that each pair is met once."""

_SETTINGS: Final = (
    ("lr", (0.1, 0.01, 0.001, 3e-4)),
    *((name, (8, 16, 32, 64, 128, 256)) for name in ("batch", "epochs", "layers", "heads", "beam", "rank")),
    *((name, (True, False)) for name in ("aug", "init", "frozen", "quant", "taught", "ema")),
    *((name, (0.0, 0.1, 0.2, 0.5)) for name in ("dropout", "momentum", "warmup", "noise", "temp", "mixup")),
    *((name, ("small", "base", "large")) for name in ("trunk", "decoder", "head", "encoder", "width")),
    ("optimizer", ("AdamW", "SGD", "Lion")),
    ("precision", ("fp32", "bf16", "int8")),
    ("prompt", ("zero-shot", "5-shot", "8-shot")),
    ("language", ("en", "de", "zh", "fr")),
    ("size", (224, 384, 512)),
    ("retrieval", ("none", "dense", "hybrid")),
)
"""30 configuration keys and the values they take."""

_NOTES: Final = ("null", '"main table"', "null", '"mean of runs"')
_EVIDENCE: Final = ("author_reported", "vendor_claim", "author_reported", "aggregator_copy")
_CHECKS: Final = ("unchecked", "human_checked", "double_checked", "source_native")


class _Pools(NamedTuple):
    """Parts of records made once, since most of a record's text repeats in others."""

    configs: list[str]
    benchmarks: list[str]
    measures: list[tuple[Measure, ...]]
    methods: list[str]


def write_registry(folder: Path, count: int, doubled: int = 0) -> list[int]:
    """Write all records below a folder and give the numbers of the lines with a doubled key."""
    write_entities(folder)
    path = folder / "results" / "bulk.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    spoiled = set(range(count // doubled // 2, count, count // doubled)[:doubled]) if doubled else set()
    with path.open("w", encoding="utf-8") as stream:
        for index, line in enumerate(lines(count)):
            stream.write(line.replace("{", '{"method":"method-000",', 1) if index in spoiled else line)
    return sorted(index + 1 for index in spoiled)


def write_entities(folder: Path) -> None:
    """Write everything but the results."""
    write_lines(folder / "tasks.jsonl", tasks(TASKS))
    write_lines(folder / "datasets.jsonl", datasets(DATASETS))
    write_lines(folder / "metrics.jsonl", metrics())
    write_lines(folder / "methods.jsonl", methods(METHODS))
    write_lines(folder / "sources.jsonl", sources(SOURCES))
    write_lines(folder / "benchmarks.jsonl", map(_benchmark, range(BENCHMARKS)))
    write_lines(folder / "config_keys.jsonl", [{"key": "learning rate", "aliases": ["lr"]}])


def lines(count: int, seed: int = 7) -> Iterator[str]:
    """The results, one line each with its line end; raises `ValueError` for more than `MOST`."""
    if count > MOST:
        raise ValueError(f"{count:,} results: at most {MOST:,} can be made")
    draw = random.Random(seed)  # noqa: S311 - made-up data, no secrets
    pools = _pools(draw)
    for index in range(count):
        method, benchmark = divmod(index * _STEP % MOST, BENCHMARKS)
        yield _line(index, draw, pools, (index * 37 % SOURCES, benchmark, method))


def _line(index: int, draw: random.Random, pools: _Pools, about: tuple[int, int, int]) -> str:
    source, benchmark, method = about
    number = draw.getrandbits(30)
    listed = pools.measures[benchmark]
    first = number % 6
    chosen = [*listed[first:], *listed[:first]][: 1 + (number >> 3) % 6]
    scores = ",".join(f'"{measure.key}":"{measure.text(draw.random())}"' for measure in chosen)
    return (
        f'{{"id":"r{(index * 0x9E3779B97F4B) % 2**48:012x}","source":"{source_id(source)}",'
        f'"benchmark":"{pools.benchmarks[benchmark]}","method":"method-{method:03d}",'
        f'"method_label":"{pools.methods[method]}","config":{pools.configs[number % len(pools.configs)]},'
        f'"scores":{{{scores}}},"locator":{{"page":{1 + number % 30}}},'
        f'"date":"{2018 + number % 7}-{1 + number % 12:02d}-{1 + number % 28:02d}","date_kind":"published",'
        f'"extra_training_data":"none","notes":{_NOTES[number % 4]},'
        f'"evidence":"{_EVIDENCE[(number >> 2) % 4]}","transcription":"{_CHECKS[(number >> 4) % 4]}"}}\n'
    )


def _pools(draw: random.Random) -> _Pools:
    configs = [json.dumps(_config(draw), separators=(",", ":")) for _ in range(3000)]
    names = [_benchmark_id(index) for index in range(BENCHMARKS)]
    return _Pools(configs, names, list(map(_measures, range(BENCHMARKS))), list(map(method_name, range(METHODS))))


def _config(draw: random.Random) -> dict[str, object]:
    chosen = draw.sample(_SETTINGS, draw.randrange(6))
    return {name: draw.choice(values) for name, values in chosen}


def _measures(benchmark: int) -> tuple[Measure, ...]:
    """The six metrics of a benchmark."""
    return tuple(MEASURES[(benchmark + 4 * place) % len(MEASURES)] for place in range(6))


def _benchmark_id(index: int) -> str:
    return f"b{index:04d}"


def _benchmark(index: int) -> Entity:
    return {
        "id": _benchmark_id(index),
        "title": f"Benchmark {index}",
        "task": f"task-{index % TASKS:03d}",
        "dataset": f"dataset-{index % DATASETS:04d}",
        "split": "test",
        "metrics": [
            {
                "key": measure.key,
                "metric": measure.key,
                "label": measure.name,
                "direction": measure.direction,
                "unit": measure.unit,
            }
            for measure in _measures(index)
        ],
    }


def main() -> None:
    """Write one registry."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--doubled", type=int, default=0)
    options = parser.parse_args()
    spoiled = write_registry(options.folder, options.count, options.doubled)
    sys.stdout.write(json.dumps(spoiled) + "\n")


if __name__ == "__main__":
    main()
