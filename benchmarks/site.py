"""Building the site of many boards, beside Hugo, Eleventy and a plain jinja2 generator with the same tables."""

import gzip
import os
import re
import sys
from pathlib import Path

from benchmarks import peers_site
from benchmarks.boards import ROWS, change_one
from benchmarks.measure import TOOLKIT, Cost, MeasureError, child, run
from benchmarks.report import Part

BOARDS = 10_000
WALL_BAR = 12
CPU_BAR = 20
MEMORY_BAR = 400
HUGO_BAR = 4
REBUILD_BAR = 1.5
PAGE_BAR = 30
ASSETS_BAR = 60


def measure(folder: Path, scale: int) -> Part:
    """Run the part in an empty folder, with all sizes divided by `scale`."""
    count = max(BOARDS // scale, 100)
    part = Part(
        "site",
        "Site",
        f"{count:,} benchmarks with one metric and {ROWS} results each. Ours writes complete pages (HTML with charts, "
        "Markdown, JSON, CSV), lists, sitemap and llms.txt from compiled tables; the full build also pages of all "
        "methods, papers, data sets, tasks and metrics. Hugo, Eleventy and jinja2 write one page a benchmark with one "
        "plain template.",
    )
    run([sys.executable, "-m", "benchmarks.boards", folder / "data", count])
    compiled = part.keep("compile", run([TOOLKIT, "validate", folder / "data", "--out", folder / "build"]))
    _benchmarks(part, folder, full_size=scale == 1)
    _full(part, folder)
    _rebuild(part, folder, full_size=scale == 1)
    part.add("for comparison: check and compile all records", _spent(compiled))
    _sizes(part, folder / "public")
    _peers(part, folder, count)
    return part


def _benchmarks(part: Part, folder: Path, *, full_size: bool) -> None:
    """What the bar counts: benchmarks in all forms, indexes and llms.txt."""
    cost = part.keep("benchmarks", run(child("benchmarks_only", folder / "build" / "parquet", folder / "benchmarks")))
    rows = (
        ("wall", f"{cost.wall:.1f} s", cost.wall, WALL_BAR, "s"),
        ("CPU", f"{cost.cpu:.1f} s", cost.cpu, CPU_BAR, "s"),
        ("memory", f"{cost.peak:,.0f} MB", cost.peak, MEMORY_BAR, "MB"),
    )
    for what, shown, value, bar, unit in rows:
        holds = value < bar if full_size else None
        name = f"pages of benchmarks, lists, indexes, llms.txt: {what}"
        part.add(name, shown, bar=f"under {bar} {unit} for {BOARDS:,}", holds=holds)


def _full(part: Part, folder: Path) -> None:
    cost = part.keep("full build", _site_only(folder))
    files, size = _written(folder / "public", "*")
    part.add("full build: also pages of methods, papers, data sets, tasks, metrics", _spent(cost))
    part.add("written by it", f"{files:,} files, {size / 1e6:,.0f} MB")


def _rebuild(part: Part, folder: Path, *, full_size: bool) -> None:
    """One record changes: the site from new tables, and the whole command, which also checks; then nothing changes."""
    board = change_one(folder / "data", "50.01")
    run([TOOLKIT, "validate", folder / "data", "--out", folder / "build"])
    cost = part.keep("rebuild", _site_only(folder))
    _expect(folder, board, "50.01")
    part.add(
        "one record changed: build from the new tables",
        f"{_spent(cost)}, {cost.output.split()[0]} files written",
        others="Hugo: as the full build",
        bar=f"under {REBUILD_BAR} s wall for {BOARDS:,}",
        holds=cost.wall < REBUILD_BAR if full_size else None,
    )
    change_one(folder / "data", "50.02")
    command = [TOOLKIT, "build-site", folder / "data", "--build", folder / "build", "--out", folder / "public"]
    whole = part.keep("rebuild, whole command", run(command))
    _expect(folder, board, "50.02")
    part.add("one record changed: `toolkit build-site`, which checks and compiles first", _spent(whole))
    part.add("nothing changed: `toolkit build-site`", _spent(part.keep("nothing changed, whole command", run(command))))


def _sizes(part: Part, public: Path) -> None:
    page = next(iter(sorted(public.glob("sota/board-*/index.html"))))
    html = page.read_text(encoding="utf-8")
    names = re.findall(r'<link[^>]+href="([^"]+\.css)"', html) + re.findall(r'<script[^>]+src="([^"]+\.js)"', html)
    assets = sum(len(gzip.compress((page.parent / name).read_bytes())) for name in names) / 1e3
    own = len(gzip.compress(html.encode())) / 1e3
    part.add(f"page of {ROWS} rows, gzipped", f"{own:.1f} KB", bar=f"under {PAGE_BAR} KB", holds=own < PAGE_BAR)
    part.add(
        "the same with style sheet and scripts",
        f"{own + assets:.1f} KB",
        bar=f"under {ASSETS_BAR} KB",
        holds=own + assets < ASSETS_BAR,
    )


def _peers(part: Part, folder: Path, count: int) -> None:
    peers = folder / "peers"
    run([sys.executable, "-m", "benchmarks.peers_site", peers, count])
    cores = len(os.sched_getaffinity(0))
    commands = {
        "Hugo, HTML only": (peers_site.hugo(peers), "hugo"),
        "Eleventy, HTML only": (peers_site.eleventy(), "eleventy"),
        "plain jinja2, HTML and Markdown, one process": (peers_site.jinja(peers, 1), "jinja-1"),
        f"plain jinja2, HTML and Markdown, {cores} processes": (peers_site.jinja(peers, cores), f"jinja-{cores}"),
    }
    ours = part.costs["benchmarks"]
    for name, (command, out) in commands.items():
        if command is None:
            part.add(name, "", others="not installed")
            continue
        inside = peers if "Eleventy" in name else None
        cost = part.keep(name, run(command, cwd=inside) if inside else run(command))
        written, _ = _written(peers / out, "*.html")
        if written != count:
            raise MeasureError(f"{name}: {written:,} pages instead of {count:,}")
        ratio = cost.wall / ours.wall
        bar = {"bar": f"Hugo at least {HUGO_BAR} times our wall", "holds": ratio >= HUGO_BAR} if "Hugo" in name else {}
        part.add(name, _spent(ours), others=_spent(cost), ratio=f"{ratio:.2f} (wall, theirs to ours)", **bar)


def _site_only(folder: Path) -> Cost:
    return run(child("site_only", folder / "build" / "parquet", folder / "public"))


def _expect(folder: Path, board: str, value: str) -> None:
    """A rebuild counts only if the page shows the new value."""
    if value not in (folder / "public" / "sota" / f"{board}.md").read_text(encoding="utf-8"):
        raise MeasureError(f"{board} does not show {value} after the rebuild")


def _written(folder: Path, pattern: str) -> tuple[int, int]:
    files = [path for path in folder.rglob(pattern) if path.is_file()]
    return len(files), sum(path.stat().st_size for path in files)


def _spent(cost: Cost) -> str:
    return f"{cost.wall:.1f} s wall, {cost.cpu:.1f} s CPU, {cost.peak:,.0f} MB"
