"""How long one waits for nothing: the start of the command line."""

from pathlib import Path

from benchmarks.measure import TOOLKIT, repeat
from benchmarks.report import Part

TIMES = 11
BAR = 0.4


def measure(folder: Path, scale: int) -> Part:
    """Run the part."""
    part = Part("startup", "Start of the command line", f"Medians of {TIMES} runs.")
    cost = part.keep("help", repeat(TIMES, [TOOLKIT, "--help"]))
    part.add(
        "`toolkit --help`",
        f"{cost.wall:.2f} s wall, {cost.cpu:.2f} s CPU, {cost.peak:.0f} MB",
        bar=f"under {BAR} s",
        holds=cost.wall < BAR,
    )
    return part
