"""Nothing is called cited for which no published source is cited, in any form of any page."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from pagesupport import build, markdown_tables, parse_html
from sotakit.publish.site_check import check_site

BASE = "https://example.org/r"
SAID = "as this registry's record of the metric says"
ALLOWED = [
    "Where a metric's cited definition contradicts the recorded direction, the page says so and gives both ranks.",
    "no published source is cited for",
    "metric, with its direction and what is cited for it",
    "metric of a benchmark, as recorded and as cited",
]
"""What is true of any registry, and what says that nothing is cited."""

TEXTS = (".html", ".md", ".txt", ".csv", ".xml", ".json")
HIDDEN = {"id": "secret", "type": "paper", "title": "S", "url": "https://example.org/s", "publish": False}


def records(recorded: str, of_metric: str, citations: list[dict[str, str]]) -> dict[str, Any]:
    listed = {"key": "acc", "metric": "acc", "label": "Acc", "direction": recorded, "unit": "percent"}
    rows = [
        {
            "id": f"r{at}",
            "benchmark": "b",
            "method": "m",
            "date": "2024",
            "config": {"N": at},
            "scores": {"acc": f"{at}"},
        }
        for at in (1, 2)
    ]
    run = [{**row, "id": f"run-{row['id']}"} for row in rows]
    return {
        "registry": {"title": "Uncited"},
        "tasks": [{"id": "t", "name": "Task"}],
        "datasets": [{"id": "d", "name": "Data"}],
        "metrics": [{"id": "acc", "name": "Acc", "direction": of_metric, "direction_source": citations}],
        "methods": [{"id": "m", "name": "M"}],
        "benchmarks": [{"id": "b", "title": "Board", "task": "t", "dataset": "d", "metrics": [listed]}],
        "sources": [
            {"id": "p", "type": "paper", "title": "P", "url": "https://example.org/p", "results": rows},
            {"id": "run", "type": "run", "title": "Run", "run": {"command": "go"}, "results": run},
            HIDDEN,
        ],
    }  # fmt: skip


def publish(folder: Path, registry: dict[str, Any], base: str | None) -> Path:
    (folder / "data").mkdir()
    for name, value in registry.items():
        (folder / f"data/{name}.json").write_text(json.dumps(value), encoding="utf-8")
    site = build(folder / "data", folder / "public", base_url=base)
    assert list(check_site(site)) == []
    return site


def text(site: Path, name: str) -> str:
    return (site / name).read_text(encoding="utf-8")


@pytest.fixture(
    params=[
        ("higher", "higher", []),
        ("higher", "lower", []),
        ("unknown", "lower", []),
        ("higher", "lower", [{"source": "secret"}]),
    ],
    ids=["agreeing", "contradicting", "alone", "hidden"],
)
def uncited(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str, str]:
    """A site, the recorded direction, and the one of the metric's record."""
    recorded, of_metric, citations = request.param
    return publish(tmp_path, records(recorded, of_metric, citations), BASE), recorded, of_metric


def test_the_word_stands_nowhere(uncited: tuple[Path, str, str]) -> None:
    site, *_ = uncited
    looked_at = [
        path for path in sorted(site.rglob("*")) if path.suffix in TEXTS and path.parts[-2] not in ("schema", "data")
    ]
    assert len(looked_at) > 20
    for path in looked_at:
        found = html.unescape(path.read_text(encoding="utf-8"))
        for sentence in ALLOWED:
            found = found.replace(sentence, "")
        found = re.sub(r"\b(rank|direction)_cited\b", "", found)  # names of columns
        assert not re.search(r"\bcited\b", found), (path, re.findall(r".{40}\bcited\b.{40}", found))


def test_tables_and_json_have_no_cited_direction(uncited: tuple[Path, str, str]) -> None:
    site, recorded, _ = uncited
    page = json.loads(text(site, "sota/b.json"))
    assert [(metric["direction_cited"], metric["direction_conflict"]) for metric in page["metrics"]] == [
        ("unknown", False)
    ]
    scores = [row["scores"]["acc"] for row in page["recorded"] + page["regenerated"]]
    assert {score["rank_cited"] for score in scores} == {None}
    assert {score["rank"] for score in scores} == ({1, 2} if recorded == "higher" else {None})


def test_pages_say_what_the_direction_rests_on(uncited: tuple[Path, str, str]) -> None:
    site, recorded, of_metric = uncited
    words = f"{of_metric.title()} is better"
    scope = dict(tuple(row) for row in markdown_tables(text(site, "sota/b.md"))[0])  # type: ignore[misc]
    assert (
        scope["Direction as this registry's record of the metric says"]
        == f"{words}; no published source is cited for it"
    )
    facts = parse_html(text(site, "sota/b/index.html")).text
    assert f"Direction, {SAID}{words}; no published source is cited for it" in facts.replace(f"{SAID} ", SAID)
    assert f"\n- Direction, {SAID}: {words}\n" in text(site, "metric/acc.md")
    assert "> **Direction without a citation.**" in text(site, "metric/acc.md")
    assert (
        "Direction without a citation"
        in parse_html(text(site, "metric/acc/index.html")).one("aside", id="notice-uncited").text
    )
    assert f": {words}, without a citation\n" in text(site, "metric/index.md")
    doubt = (
        f"The source records “higher is better” for Acc; {SAID}, “lower is better”, but no published source is cited "
        "for that."
    )
    assert (doubt in text(site, "sota/b.md")) == ((recorded, of_metric) == ("higher", "lower"))
    order = "The order follows the recorded direction." if recorded == "higher" else "No direction orders them."
    assert order in text(site, "sota/b.md")
    assert order in text(site, "sota/b/index.html")


def test_with_a_published_citation_it_is_cited(tmp_path: Path) -> None:
    site = publish(tmp_path, records("higher", "lower", [{"source": "p"}]), None)
    assert "| Direction by the cited definition | Lower is better |" in text(site, "sota/b.md")
    assert "| Rank as recorded | Rank as cited |" in text(site, "sota/b.md")
    assert "\n- Direction, as cited: Lower is better\n" in text(site, "metric/acc.md")
    assert "The order follows the cited direction." in text(site, "sota/b.md")
    assert "without a citation" not in text(site, "metric/acc.md")
