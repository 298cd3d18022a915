"""A small registry that tests edit, and the way from it to a site that is built anew or upon the last one."""

from pathlib import Path
from typing import Any

import yaml

from pagesupport import AS_OF
from sotakit.publish.build import SiteOptions, build_site
from sotakit.validate import validate

BOARDS = ("sorting", "searching", "counting")


def make(folder: Path, registry: dict[str, Any], out: str = "public", **options: Any) -> Any:
    """Write the records of a registry, compile them, and build or update a site."""
    data = folder / "data"
    for path in sorted(data.rglob("*.yaml")) if data.exists() else []:
        path.unlink()
    for name, records in registry.items():
        path = data / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(records, sort_keys=False), encoding="utf-8")
    outcome = validate(data, folder / "build", AS_OF)
    assert outcome.tables, [str(finding) for finding in outcome.findings]
    return build_site(outcome.tables, SiteOptions(folder / out, cache=folder / "build", **options))


def result(number: int, board: str, method: str) -> dict[str, Any]:
    text = f"{50 + number / 7:.3f}"
    config = {"Shots": number % 3}
    return {"id": f"r-{number}", "benchmark": board, "method": method, "config": config, "scores": {"accuracy": text}}


def registry() -> dict[str, Any]:
    """Three boards and methods, two sources that report, and three that are only referred to, each in its own way."""
    metric = {"id": "accuracy", "name": "Accuracy", "direction": "higher", "unit": "percent"}
    listed = {"key": "accuracy", "metric": "accuracy", "label": "Accuracy", "direction": "higher", "unit": "percent"}
    methods = ["bubble", "merge", "quick"]
    rows = [result(number, BOARDS[number % 3], methods[number // 3 % 3]) for number in range(18)]
    return {
        "registry": {"schema": 1, "title": "Edited", "base_url": "https://example.org/r"},
        "tasks": [{"id": "order", "name": "Ordering"}, {"id": "find", "name": "Finding", "parents": ["order"]}],
        "datasets": [{"id": "numbers", "name": "Numbers", "paper": "paper-c"}],
        "metrics": [{**metric, "direction_source": [{"source": "paper-d"}]}],
        "methods": [{"id": name, "name": name.title(), "origin": "paper-e"} for name in methods],
        "benchmarks": [
            {"id": name, "title": name.title(), "task": "find", "dataset": "numbers", "metrics": [dict(listed)]}
            for name in BOARDS
        ],
        "sources": [
            {"id": "paper-a", "type": "paper", "title": "A", "results": rows[:9]},
            {"id": "paper-b", "type": "paper", "title": "B", "authors": ["Ada Roe"], "results": rows[9:]},
            *({"id": f"paper-{name}", "type": "paper", "title": name, "results": []} for name in "cde"),
        ],
        "events": [],
    }
