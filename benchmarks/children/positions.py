"""What line and column of an error cost.

    python -m benchmarks.children.positions DATA FILE.jsonl

Prints, as JSON, how many positions the check of a clean folder computes, the seconds for the position of one score in
every line of a file, and how many lines that file has.
"""

import json
import sys
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

from sotakit.read.json_reader import Places
from sotakit.validate import examine


def on_clean(data: Path) -> int:
    """The number of positions computed while a folder is read and checked."""
    with patch.object(Places, "of", autospec=True, side_effect=Places.of) as computed:
        outcome = examine(data, "2026-01-01")
    if outcome.findings:
        raise SystemExit(f"{data} is not clean: {outcome.findings[0]}")
    return int(computed.call_count)


def of_each(path: Path) -> tuple[float, int]:
    """CPU seconds for the position of the last score of each line, and the number of lines; every one is verified."""
    lines = path.read_text(encoding="utf-8").splitlines()
    wanted = [("scores", list(json.loads(line)["scores"])[-1]) for line in lines]
    begin = process_time()
    found = [
        Places(line, number).of(step, at_key=True)
        for number, (line, step) in enumerate(zip(lines, wanted, strict=True), 1)
    ]
    seconds = process_time() - begin
    for number, (line, step, place) in enumerate(zip(lines, wanted, found, strict=True), 1):
        if place[0] != number or not line[place[1] - 1 :].startswith(f'"{step[1]}"'):
            raise SystemExit(f"line {number}: {place} is not where {step} stands")
    return seconds, len(lines)


def main(data: str, path: str) -> None:
    """Print the three figures."""
    seconds, lines = of_each(Path(path))
    figures: dict[str, Any] = {"on_clean": on_clean(Path(data)), "seconds": seconds, "lines": lines}
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
