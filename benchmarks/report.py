"""From measured rows to `docs/benchmarks.md`."""

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from benchmarks.measure import Cost

_PACKAGES: Final = ("sotakit", "pydantic", "pyarrow", "pyyaml", "jinja2", "frictionless", "check-jsonschema", "hugo")
_HEAD: Final = ("what", "ours", "others", "ratio", "bar", "holds")

_TOP: Final = """# Benchmarks

Made by `make bench`; do not edit. What the commands cost, beside what other tools cost for the same data in the same
run. One machine, one run of each unless it says otherwise: compare ratios and CPU seconds, not wall seconds of
different days. CPU seconds are user and system time of a process and all its children, start-up included; memory is
the largest resident size of all its processes together, in MB of 10^6 bytes.
"""
_ELSEWHERE: Final = """## Elsewhere

The counterfactual search against one image at a time is measured by `python evaluation/bench/wachter_speed.py`, and a
whole evaluation by `time toolkit evaluate BENCHMARK --profile quick`; both need the extra `evaluation`.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table."""

    what: str
    ours: str
    others: str = ""
    ratio: str = ""
    bar: str = ""
    holds: bool | None = None
    """Whether the bar is met; None where there is no bar or nothing to compare with."""


@dataclass
class Part:
    """What one part of the benchmarks found."""

    name: str
    title: str
    about: str
    """What was measured, in one or two sentences."""
    rows: list[Row] = field(default_factory=list)
    costs: dict[str, Cost] = field(default_factory=dict)
    """Every run, by a name of its own."""

    def keep(self, name: str, cost: Cost) -> Cost:
        """Remember what a run cost."""
        self.costs[name] = cost
        return cost

    def add(self, what: str, ours: str, **others: Any) -> None:
        """Add a row."""
        self.rows.append(Row(what, ours, **others))


def record(part: Part, command: str, load: float) -> dict[str, Any]:
    """Everything about a part that goes into its JSON file."""
    costs = {name: {**asdict(cost), "output": cost.output[-200:]} for name, cost in part.costs.items()}
    return {
        "name": part.name,
        "title": part.title,
        "about": part.about,
        "date": datetime.now(UTC).date().isoformat(),
        "command": command,
        "load": round(load, 1),
        "machine": machine(),
        "rows": [asdict(row) for row in part.rows],
        "costs": costs,
    }


def page(parts: Sequence[Mapping[str, Any]]) -> str:
    """The page of all parts that were run."""
    machines = list(dict.fromkeys(part["machine"] for part in parts))
    return "\n".join([_TOP, *(f"Machine: {name}\n" for name in machines), *map(_section, parts), _ELSEWHERE])


def _section(part: Mapping[str, Any]) -> str:
    rows = [Row(**row) for row in part["rows"]]
    when = f"{part['date']}, `{part['command']}`, load {part['load']} at the start."
    lines = [_line(_HEAD), _line(["---"] * len(_HEAD)), *map(_row, rows)]
    return f"## {part['title']}\n\n{part['about']}\n\n{when}\n\n" + "\n".join(lines) + "\n"


def _row(row: Row) -> str:
    verdict = {True: "yes", False: "**no**", None: ""}[row.holds]
    return _line([row.what, row.ours, row.others, row.ratio, row.bar, verdict])


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def machine() -> str:
    """Processor, memory and versions in one line; nothing that names the machine."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = ", ".join(f"{name} {found}" for name in _PACKAGES if (found := _version(name)))
    cores = len(os.sched_getaffinity(0))
    return f"{_processor()}, {cores} cores, {memory:.0f} GiB; Python {platform.python_version()}, {versions}"


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
