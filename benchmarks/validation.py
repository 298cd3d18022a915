"""Checking and compiling many results, beside the bare model, the naive way to Parquet and two general validators."""

import json
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure import TOOLKIT, Cost, MeasureError, child, repeat, run
from benchmarks.report import Part

MOST = 1_000_000
NAIVE = 300_000
CSV_ROWS = 20_000
JSON_ITEMS = 5_000
SPOILED = 1_000
RATE_BAR = 0.35
PARQUET_BAR = 1.3
MEMORY_BAR = 300
FLAT_BAR = 200
"""Bytes of memory for one more record: the index of ids and claims, two Python sets of 16-byte keys."""


def measure(folder: Path, scale: int) -> Part:
    """Run the part in an empty folder, with all sizes divided by `scale`."""
    most = MOST // scale
    part = Part(
        "validation",
        "Validation",
        f"`toolkit validate` of {most:,} made-up results of 14 fields in one file of JSON Lines, with "
        "3,076 other records. The bare loop applies the same pydantic model to each line and does nothing else.",
    )
    data, lines = _registry(folder / "all", most)
    _checks(part, data, lines, most)
    _faults(part, folder, most, scale)
    _defects(part, folder, most, scale)
    _peers(part, folder, lines, scale)
    _positions(part, folder, max(most // 50, 200))
    return part


def measure_compiling(folder: Path, scale: int) -> Part:
    """The way to Parquet: against the naive one, and how memory grows."""
    most = MOST // scale
    part = Part(
        "compiling", "To Parquet", "The same made-up results, `toolkit validate` with all checks and all tables."
    )
    _naive(part, folder, max(NAIVE // scale, 1))
    _memory(part, folder, most)
    return part


def _registry(folder: Path, count: int, *options: object) -> tuple[Path, Path]:
    run([sys.executable, "-m", "benchmarks.records", folder, count, *options])
    return folder, folder / "results" / "bulk.jsonl"


def _checks(part: Part, data: Path, lines: Path, count: int) -> None:
    bare = part.keep("bare loop", run(child("bare_loop", lines)))
    ours = part.keep("check only", run([TOOLKIT, "validate", data, "--check-only"]))
    if "0 errors, 0 warnings" not in ours.output:
        raise MeasureError(f"the made-up results are not clean: {ours.output[-200:]}")
    ratio = bare.cpu / ours.cpu
    part.add(
        f"check {count:,} results ({lines.stat().st_size / 1e6:,.0f} MB)",
        rate(count, ours),
        others=f"bare loop: {rate(count, bare)}",
        ratio=f"{ratio:.2f}",
        bar=f"at least {RATE_BAR} of the bare loop",
        holds=ratio >= RATE_BAR,
    )
    part.add(
        "memory of that",
        f"{ours.peak:,.0f} MB",
        others=f"bare loop: {bare.peak:,.0f} MB",
        bar=f"under {MEMORY_BAR} MB",
        holds=ours.peak < MEMORY_BAR,
    )


def _faults(part: Part, folder: Path, count: int, scale: int) -> None:
    """A key doubled in some lines: each must be found at its line."""
    doubled = max(SPOILED // scale, 5)
    written = run([sys.executable, "-m", "benchmarks.records", folder / "doubled", count, "--doubled", doubled])
    spoiled = json.loads(written.output)
    command = [TOOLKIT, "validate", folder / "doubled", "--check-only", "--format", "jsonl"]
    found = part.keep("doubled keys", run(command, allowed=(1,)))
    findings = [json.loads(line) for line in found.output.splitlines()]
    lines = Counter(finding["line"] for finding in findings if finding["code"] == "E105")
    right = sum(lines[line] == 1 for line in spoiled)
    part.add(
        f"doubled keys found, {len(spoiled):,} among {count:,} results",
        f"{right:,} at the right line, {len(findings) - right:,} other findings",
        others="pydantic, orjson, msgspec: none (the last one wins)",
        bar="all",
        holds=right == len(findings) == len(spoiled),
    )


def _defects(part: Part, folder: Path, count: int, scale: int) -> None:
    """Defects of many kinds: `benchmarks.defects` compares code, line and column of each with what it put there."""
    sizes = ("--records", count, "--defects", SPOILED // scale)
    cost = run([sys.executable, "-m", "benchmarks.defects", folder / "defects", *sizes], allowed=(0, 1))
    found = part.keep("defects", cost)
    what, _, told = found.output.splitlines()[0].partition(": ")
    part.add(
        f"{what}, of twenty kinds", told, bar="all found, with line and column, and no others", holds=cost.code == 0
    )


def _peers(part: Part, folder: Path, lines: Path, scale: int) -> None:
    """Two general validators at the sizes they can take, with the schema that ours exports."""
    rows, items = CSV_ROWS // scale, JSON_ITEMS // scale
    inputs = folder / "peers"
    inputs.mkdir()
    run(child("peer_inputs", lines, inputs, rows, items))
    commands = {
        "frictionless": (rows, "CSV rows, 14 columns", ["validate", "results.csv", "--schema", "table.schema.json"]),
        "check_jsonschema": (items, "results in one array", ["--schemafile", "array.schema.json", "results.json"]),
    }
    ours = part.costs["check only"]
    for name, (count, what, options) in commands.items():
        label = name.replace("_", "-")
        if find_spec(name) is None:
            part.add(f"{label}, {count:,} {what}", "", others="not installed")
            continue
        cost = part.keep(label, run([Path(sys.executable).with_name(label), *options], cwd=inputs))
        own = MOST // scale / ours.cpu
        part.add(
            f"{label}, {count:,} {what}",
            f"{own:,.0f} a CPU s (first row)",
            others=rate(count, cost),
            ratio=f"{own / (count / cost.cpu):.1f}",
        )


def _naive(part: Part, folder: Path, count: int) -> None:
    """Beside the naive way to the same three tables; also to the columns alone that a record itself has."""
    data, lines = _registry(folder / "naive", count)
    naive = part.keep("naive tables", run(child("naive_tables", data, folder / "naive-tables")))
    fewer = part.keep("naive columns", run(child("naive_arrow", lines, folder / "naive-columns")))
    ours = part.keep("to Parquet", run([TOOLKIT, "validate", data, "--out", folder / "naive-build"]))
    ratio = naive.cpu / ours.cpu
    part.add(
        f"{count:,} results to Parquet, all checks",
        rate(count, ours),
        others=f"the same tables by a list of models, rows as dicts, Arrow, no checks: {rate(count, naive)}",
        ratio=f"{ratio:.2f}",
        bar=f"at least {PARQUET_BAR} of the naive way to the same tables",
        holds=ratio >= PARQUET_BAR,
    )
    part.add(
        "the same, beside fewer columns",
        rate(count, ours),
        others=f"25 columns instead of 58, no units, directions, digits: {rate(count, fewer)}",
        ratio=f"{fewer.cpu / ours.cpu:.2f}",
    )
    part.add("memory of that", f"{ours.peak:,.0f} MB", others=f"{naive.peak:,.0f} MB")


def _memory(part: Part, folder: Path, most: int) -> None:
    """Peak memory to Parquet at a tenth, three tenths and all of the records."""
    sizes = {most // 10: folder / "tenth", 3 * most // 10: folder / "third", most: folder / "all"}
    peaks = []
    for count, place in sizes.items():
        _registry(place, count)
        cost = part.keep(f"to Parquet {count:,}", run([TOOLKIT, "validate", place, "--out", folder / f"build-{count}"]))
        peaks.append(cost.peak)
    (least, *_), growth = sizes, (peaks[-1] - peaks[0]) * 1e6
    part.add(
        "memory to Parquet, " + " / ".join(f"{count:,}" for count in sizes),
        " / ".join(f"{peak:,.0f}" for peak in peaks) + " MB",
        ratio=f"{growth / (most - least):,.0f} bytes for one more",
        bar=f"flat but for the index of ids and claims: under {FLAT_BAR} bytes",
        holds=growth / (most - least) < FLAT_BAR,
    )


def _positions(part: Part, folder: Path, count: int) -> None:
    data, lines = _registry(folder / "positions", count)
    cost = part.keep("positions", repeat(3, child("positions", data, lines)))
    figures = json.loads(cost.output)
    part.add(
        f"positions computed while {count:,} clean results are checked",
        f"{figures['on_clean']:,}",
        bar="no cost on clean files",
        holds=figures["on_clean"] == 0,
    )
    part.add(
        "line and column of one error",
        f"{1e6 * figures['seconds'] / figures['lines']:.0f} µs of CPU",
        others="64 µs (prototype, another day)",
    )


def rate(count: int, cost: Cost) -> str:
    """Records per CPU second, with the seconds."""
    return f"{count / cost.cpu:,.0f} a CPU s ({cost.cpu:.1f} s CPU, {cost.wall:.1f} s wall)"
