"""The same boards for other site generators: their input, and the commands that build a site from it.

    python -m benchmarks.peers_site FOLDER COUNT

writes `pages/` (Markdown with front matter, for Hugo and Eleventy) and `boards.jsonl` (for the jinja2 generator).
Each generator gets one plain template and no feeds, lists or themes: its best case.
"""

import argparse
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from benchmarks.boards import Board, Scale, boards
from benchmarks.entities import write_lines
from benchmarks.measure import ROOT, child

NODE: Final = ROOT / "build" / "benchmarks" / "node"
"""Where `make bench` puts Eleventy."""

_HUGO_CONFIG: Final = """baseURL = "https://example.org/"
title = "Results"
contentDir = "pages"
layoutDir = "hugo-layouts"
publishDir = "hugo"
disableKinds = ["home", "section", "taxonomy", "term", "RSS", "sitemap", "robotsTXT", "404"]
"""
_HUGO_PAGE: Final = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title></head>
<body><h1>{{ .Title }}</h1>{{ .Content }}</body></html>
"""
_ELEVENTY_PAGE: Final = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ title }}</title></head>
<body><h1>{{ title }}</h1>{{ content }}</body></html>
"""
_ELEVENTY_CONFIG: Final = """module.exports = (config) => {
  config.addGlobalData("layout", "page.html");
  return { dir: { input: "pages", includes: "../layouts", output: "eleventy" }, markdownTemplateEngine: false };
};
"""


def write_inputs(folder: Path, scale: Scale) -> None:
    """Write what all the generators read."""
    pages = folder / "pages" / "sota"
    pages.mkdir(parents=True)
    for board in boards(scale):
        head = f'---\ntitle: "{board.title}"\n---\n'
        (pages / f"{board.id}.md").write_text(head + markdown_body(board), encoding="utf-8")
    write_lines(folder / "boards.jsonl", (_plain(board) for board in boards(scale)))
    _write(folder / "hugo.toml", _HUGO_CONFIG)
    _write(folder / "hugo-layouts" / "single.html", _HUGO_PAGE)
    _write(folder / "layouts" / "page.html", _ELEVENTY_PAGE)
    _write(folder / "eleventy.config.cjs", _ELEVENTY_CONFIG)


def markdown_body(board: Board) -> str:
    """The page of a board below its title: scope, metrics, table, one section for each result; about 9 KB."""
    address = f"https://example.org/research/sota/{board.id}"
    scope = {
        "Task": board.task,
        "Dataset (including any stated split)": board.dataset,
        "Metric": board.metric,
        "Unit": board.unit,
        "Direction": board.direction,
        "Results loaded": f"{len(board.rows)} of {len(board.rows)}",
    }
    parts = [
        f"Source: [{board.title}](<{address}>)",
        "Compare like with like: the same dataset, split, metric and configuration. The best result here is the best "
        "one recorded, not a claim about all that exist.",
        _table("Scope | Recorded value", (f"{name} | {value}" for name, value in scope.items())),
        "## Metrics",
        f"- [{board.metric}](<{address}.md>): {board.direction}; unit: {board.unit}.",
        "## Recorded results",
        _table(
            f"Method | {board.metric} | Result date | Report paper",
            (f"{row.method} | {row.value} | {row.date} | {row.title}" for row in board.rows),
        ),
    ]
    for row in board.rows:
        parts += [
            f"### {row.method}",
            f"{board.metric}: {row.value}. Result ID: {row.id}. Result date: {row.date}.",
            f"[Reporting paper: {row.title}](<https://example.org/research/paper/{row.paper}.md>)",
            f"Recorded evaluation configuration: {row.config}. This record does not assert independent reproduction.",
        ]
    return "\n\n".join(parts) + "\n"


def hugo(folder: Path) -> list[str] | None:
    """The command that builds the pages with Hugo; None where it is not installed."""
    program = Path(sys.executable).with_name("hugo")
    found = str(program) if program.exists() else shutil.which("hugo")
    return [found, "--quiet", "--source", str(folder)] if found else None


def eleventy() -> list[str] | None:
    """The command that builds the pages with Eleventy in its folder; None where it is not installed."""
    node, program = shutil.which("node"), NODE / "node_modules" / "@11ty" / "eleventy" / "cmd.cjs"
    return [node, str(program), "--quiet"] if node and program.exists() else None


def jinja(folder: Path, jobs: int) -> list[str]:
    """The command that writes HTML and Markdown of the boards with plain jinja2."""
    return child("jinja_site", folder / "boards.jsonl", folder / f"jinja-{jobs}", jobs)


def _plain(board: Board) -> dict[str, object]:
    return {**board._asdict(), "rows": [row._asdict() for row in board.rows]}


def _table(head: str, rows: Iterable[str]) -> str:
    rule = " | ".join(["---"] * (head.count("|") + 1))
    return "\n".join(f"| {row} |" for row in [head, rule, *rows])


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Write the inputs of the generators."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int)
    options = parser.parse_args()
    write_inputs(options.folder, Scale(options.count))


if __name__ == "__main__":
    main()
