"""Our YAML reader beside PyYAML's own loader on the same parser."""

import sys
from pathlib import Path

from benchmarks.measure import child, run
from benchmarks.report import Part

RECORDS = 2_000
PASSES = 9
BAR = 7_000


def measure(folder: Path, scale: int) -> Part:
    """Run the part in an empty folder, in one size."""
    count = RECORDS
    part = Part(
        "yaml",
        "YAML with positions",
        f"{count:,} results in block style, read into plain values: the best of {PASSES} passes, start-up not counted. "
        "Ours reads YAML 1.2 and finds duplicate keys; the positions of the second row are the line and column of "
        "every key and value. PyYAML (C loader) reads YAML 1.1, gives no positions and keeps the last of equal keys.",
    )
    for layout, option, where in (("200 files", (), "sources"), ("one file", ("--together",), "results")):
        data = folder / where
        run([sys.executable, "-m", "benchmarks.yaml_records", data, count, *option])
        rates = {reader: _rate(part, reader, data / where, count) for reader in ("ours", "ours-with-places", "pyyaml")}
        for reader, what in (("ours", "values, duplicate keys found"), ("ours-with-places", "and all positions")):
            part.add(
                f"{layout}: {what}",
                f"{rates[reader]:,.0f} a CPU s",
                others=f"PyYAML: {rates['pyyaml']:,.0f} a CPU s",
                ratio=f"{rates[reader] / rates['pyyaml']:.1f}",
                bar=f"at least {BAR:,}",
                holds=rates[reader] >= BAR,
            )
    return part


def _rate(part: Part, reader: str, folder: Path, count: int) -> float:
    cost = part.keep(f"{reader}, {folder.name}", run(child("yaml_readers", reader, folder, PASSES)))
    return count / float(cost.output)
