"""Random registries are read back from their Markdown page exactly as they were drawn."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagesupport import AS_OF
from sotakit.assets import site_folder
from sotakit.catalog import read_catalog
from sotakit.exchange.pages import read_page
from sotakit.publish.benchmark_pages import benchmark_pages
from sotakit.publish.home_page import site_context
from sotakit.publish.overview import Overview
from sotakit.publish.render import Renderer
from sotakit.validate import validate
from sotaschema.identity import nfc

LINE = (
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=20)
    .map(nfc)
    .filter(lambda text: text.strip() == text)
)
SHARP = st.text(st.sampled_from("\\`*_[](){}<>|~&#@$^!+-=.:;'\" aZ09%±"), min_size=1, max_size=12).filter(
    lambda text: text.strip() == text
)
WORD = st.one_of(LINE, SHARP, st.sampled_from(["a  b", "1.", "---", "`x`", '"q"', "www.e.org", "https://e.org", "# h"]))
NUMBER = st.decimals(-1000, 1000, places=3).map(str)
VALUE = st.one_of(NUMBER, WORD, st.sampled_from(["", "n/a", "OOM", "93.2 ± 0.1", "1,234", "<0.01", "2.50%", "24M"]))
SCALAR = st.one_of(WORD, st.booleans(), st.integers(-(2**53), 2**53), st.floats(-1e12, 1e12, allow_subnormal=False))
DATE = st.one_of(st.none(), st.sampled_from(["2024", "2024-02", "2024-02-29", "1999-12-31"]))
METRICS = st.lists(
    st.tuples(WORD, st.one_of(st.none(), WORD), st.sampled_from(["higher", "lower", "none", "unknown"])),
    min_size=1,
    max_size=3,
    unique_by=lambda metric: metric[0],
)


@st.composite
def registries(draw: st.DrawFn) -> dict[str, Any]:
    metrics = draw(METRICS)
    rows = []
    for number in range(draw(st.integers(0, 4))):
        keys = draw(st.sets(st.integers(0, len(metrics) - 1), min_size=1))
        rows.append(
            {
                "id": f"r-{number}",
                "benchmark": "board",
                "method": draw(st.sampled_from(["one", "two"])),
                "method_label": draw(WORD),
                "config": draw(st.dictionaries(WORD, SCALAR, max_size=3)),
                "scores": {f"m{key}": draw(VALUE) for key in sorted(keys)},
                "reproduction": draw(st.sampled_from(["not_attempted", "partial", "consistent"])),
                "variant": str(number),
            }
            | ({"date": date} if (date := draw(DATE)) else {})
        )
    return {
        "title": draw(WORD),
        "task": draw(WORD),
        "dataset": draw(WORD),
        "metrics": metrics,
        "type": draw(st.sampled_from(["paper", "preprint", "run", "leaderboard_snapshot"])),
        "rows": rows,
    }


def write_registry(folder: Path, drawn: dict[str, Any]) -> Path:
    metrics = [
        {"key": f"m{at}", "label": label, "direction": direction} | ({"unit_recorded": unit} if unit else {})
        for at, (label, unit, direction) in enumerate(drawn["metrics"])
    ]
    board = {"id": "board", "title": drawn["title"], "task": "t", "dataset": "d", "metrics": metrics}
    files = {
        "tasks": [{"id": "t", "name": drawn["task"]}],
        "datasets": [{"id": "d", "name": "D"}],
        "methods": [{"id": "one", "name": "One", "origin": "s"}, {"id": "two", "name": "Two"}],
        "benchmarks": [{**board, "dataset_label": drawn["dataset"]}],
        "sources": [{"id": "s", "type": drawn["type"], "results": drawn["rows"]}],
    }
    folder.mkdir()
    for name, records in files.items():
        (folder / f"{name}.json").write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
    return folder


def as_stated(drawn: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What a reader must get, from what was drawn and by no code of the toolkit."""
    return {
        row["id"]: {
            "title": drawn["title"],
            "task": drawn["task"],
            "dataset": drawn["dataset"],
            "method": row["method_label"],
            "config": row["config"],
            "date": row.get("date"),
            "reporting_paper": "s",
            "method_origin_paper": "s" if row["method"] == "one" else None,
            "origin": "regenerated" if drawn["type"] == "run" else "reported",
            "source_type": drawn["type"],
            "reproduction": row["reproduction"],
            "scores": {
                label: (row["scores"][f"m{at}"], unit or None, direction)
                for at, (label, unit, direction) in enumerate(drawn["metrics"])
                if f"m{at}" in row["scores"]
            },
        }
        for row in drawn["rows"]
    }


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(drawn=registries())
def test_random_registries_are_read_back_from_their_page(
    tmp_path_factory: pytest.TempPathFactory, drawn: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("random")
    outcome = validate(write_registry(folder / "data", drawn), folder / "build", AS_OF)
    assert outcome.tables, [str(finding) for finding in outcome.findings]
    catalog = read_catalog(outcome.tables)
    page = next(next(benchmark_pages(Overview(catalog), [catalog.boards["board"]])))
    text = dict(Renderer([site_folder()], site_context(catalog, None)).markdown(page))[page.address.md]
    found = {}
    for record in read_page(text, "sota/board.md"):
        fields = asdict(record)
        scores = fields.pop("scores")
        fields["scores"] = {
            label: (score["text"], score["unit"], score["direction"]) for label, score in scores.items()
        }
        found[record.id] = {name: fields[name] for name in fields if name not in ("id", "benchmark", "page", "more")}
    assert found == as_stated(drawn)
