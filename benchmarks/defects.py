"""A registry with many results in one file of JSON Lines, and defects of twenty kinds scattered over it.

    python benchmarks/defects.py FOLDER --records 1000000 --defects 1000 --seed 1

writes `FOLDER/data`, lets `toolkit validate` report on it, and compares each finding with the defect that was put
there: code, line and column. It prints what was found, missed and made up, and what the run cost. Exit code 1 if any
finding is missed or made up.
"""

import argparse
import json
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

_MARK: Final = "⌖"
BOARDS: Final = 50
METHODS: Final = 40
FILE: Final = "sources/paper-a.results.jsonl"


class Defect(NamedTuple):
    """A code and the place where it must be found; an error refuses the record, a warning does not."""

    code: str
    line: int
    column: int


class _Kind(NamedTuple):
    """A change of one line: what the pattern matches becomes the text, with a mark where the finding belongs."""

    code: str
    pattern: str
    text: str


_KINDS: Final = (
    _Kind("E102", r'"Method ', r'⌖"Method \\ud800'),
    _Kind("E104", r'"page": 7', r'"page": ⌖seven'),
    _Kind("E105", r'"page": 7', r'"page": 7, ⌖"page": 8'),
    _Kind("E201", r'^\{(.*)"method": "[^"]*", ', r"⌖{\1"),
    _Kind("E202", r'"date"', r'⌖"dat"'),
    _Kind("E203", r'"page": 7', r'"page": ⌖"7"'),
    _Kind("E203", r'"n_runs": 5', r'"n_runs": ⌖true'),
    _Kind("E204", r'"author_reported"', r'⌖"autor_reported"'),
    _Kind("E205", r'"r-', r'⌖"R-'),
    _Kind("E205", r'"r-', r'⌖"../r-'),
    _Kind("E206", r'"2026-02-28"', r'⌖"2026-02-30"'),
    _Kind("E207", r"0\.25", r"⌖NaN"),
    _Kind("E207", r"0\.25", r"⌖-1e400"),
    _Kind("E209", r'"n_runs": 5', r'"n_runs": ⌖-1'),
    _Kind("E209", r'"Method ', r'⌖"Method\\u0007 '),
    _Kind("E304", r'"method": "', r'"method": ⌖"x'),
    _Kind("E305", r'"benchmark": "', r'"benchmark": ⌖"x'),
    _Kind("E307", r'"accuracy"', r'⌖"acuracy"'),
    _Kind("E401", r'"r-[0-9]*"', r'⌖"r-0"'),
    _Kind("E501", r'\{"text": "', r'⌖{"text": "9'),
)
"""Every line with a defect gives exactly this one finding."""


def write_registry(folder: Path, n_records: int, n_defects: int, seed: int) -> list[Defect]:
    """Write a data folder whose results have some defects and return them in order of line; its other records are fine.

    The first result is always good, since defects refer to it.
    """
    chance = random.Random(seed)  # noqa: S311 - made-up data, no secrets
    spoiled = dict.fromkeys(chance.sample(range(1, n_records), n_defects))
    kinds = [_KINDS[number % len(_KINDS)] for number in range(n_defects)]
    chance.shuffle(kinds)
    by_line = dict(zip(sorted(spoiled), kinds, strict=True))
    for name, text in _entities().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    found: list[Defect] = []
    with (folder / FILE).open("w", encoding="utf-8") as stream:
        for number in range(n_records):
            line = _record(number)
            if kind := by_line.get(number):
                line, column = _spoil(line, kind)
                found.append(Defect(kind.code, number + 1, column))
            stream.write(line + "\n")
    return found


def others() -> int:
    """How many records a registry has beside its results."""
    return 4 + BOARDS + METHODS


def _record(number: int) -> str:
    value = f"{number % 90 + 10}.{number % 10}0"
    return (
        f'{{"id": "r-{number}", "benchmark": "board-{number % BOARDS}", "method": "method-{number % METHODS}", '
        f'"method_label": "Method {number % METHODS} ≤ π", "config": {{"seed": {number}, "rate": 0.25}}, '
        f'"scores": {{"accuracy": {{"text": "{value}", "n_runs": 5}}}}, "locator": {{"table": "2", "page": 7}}, '
        f'"date": "2026-02-28", "date_kind": "published", "evidence": "author_reported"}}'
    )


def _spoil(line: str, kind: _Kind) -> tuple[str, int]:
    """The line with a defect, and the column where that stands."""
    changed, count = re.subn(kind.pattern, kind.text, line, count=1)
    column = changed.index(_MARK) + 1
    assert count == 1, kind  # noqa: S101 - a slip in the table above
    return changed.replace(_MARK, ""), column


def _entities() -> dict[str, str]:
    metric = '{"key": "accuracy", "metric": "accuracy", "label": "Accuracy", "direction": "higher", "unit": "percent"}'
    boards = (
        f'{{"id": "board-{number}", "title": "Board {number}", "task": "sorting", "dataset": "numbers", '
        f'"metrics": [{metric}]}}\n'
        for number in range(BOARDS)
    )
    methods = (f'{{"id": "method-{number}", "name": "Method {number}"}}\n' for number in range(METHODS))
    return {
        "tasks.jsonl": '{"id": "sorting", "name": "Sorting"}\n',
        "datasets.jsonl": '{"id": "numbers", "name": "Numbers", "released": "2020"}\n',
        "metrics.jsonl": (
            '{"id": "accuracy", "name": "Accuracy", "direction": "higher", "unit": "percent", "min": "0", "max": "100",'
            ' "direction_source": [{"source": "paper-a", "locator": "Section 2"}]}\n'
        ),
        "methods.jsonl": "".join(methods),
        "benchmarks.jsonl": "".join(boards),
        "sources/paper-a.json": (
            '{"id": "paper-a", "type": "paper", "title": "A paper", "date": "2026-02", '
            '"url": "https://example.org/a", "licence": "CC-BY-4.0"}\n'
        ),
    }


def _reported(data: Path) -> Iterator[Defect]:
    """What `toolkit validate` finds, as it prints it."""
    command = [sys.executable, "-c", "from sotakit.cli import app; app()", "validate", str(data), "--check-only"]
    command += ["--format", "jsonl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        for line in process.stdout:
            finding = json.loads(line)
            yield Defect(finding["code"], finding["line"], finding["column"])


def main() -> int:
    """Write, check, compare, print."""
    parser = argparse.ArgumentParser(description="Find scattered defects.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--defects", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    data = options.folder / "data"
    expected = write_registry(data, options.records, options.defects, options.seed)
    start = time.perf_counter()
    found = sorted(_reported(data), key=lambda defect: defect[1:])
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    missed, made_up = set(expected) - set(found), set(found) - set(expected)
    sys.stdout.write(
        f"{options.records:,} records, {len(expected):,} defects: {len(found):,} findings, {len(missed):,} missed, "
        f"{len(made_up):,} made up; {seconds:.1f} s, {peak:.0f} MB\n"
    )
    for defect in sorted(missed | made_up, key=lambda defect: defect[1:])[:20]:
        what = "missed" if defect in missed else "made up"
        sys.stdout.write(f"  {what}: {defect.code} at {defect.line}:{defect.column}\n")
    return int(bool(missed or made_up))


if __name__ == "__main__":
    sys.exit(main())
