"""A site built on top of an earlier one is the site a fresh build makes, byte for byte, whatever changed in between.

`EDITS=50` makes the random walk longer.
"""

import os
import random
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from editedregistry import make, registry, result
from pagesupport import snapshot
from sotakit.errors import UsageError
from sotakit.publish import entity_pages
from sotakit.publish.output import MANIFEST

EDITS = int(os.environ.get("EDITS", "23"))


def rows_of(records: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for source in records["sources"] for row in source["results"]]


def unused_number(records: dict[str, Any]) -> int:
    return 1 + max(int(row["id"][2:].split(".")[0]) for row in rows_of(records))


def change_value(records: dict[str, Any], rng: random.Random) -> None:
    rng.choice(rows_of(records))["scores"]["accuracy"] = f"{rng.uniform(1, 99):.2f}"


def rename_what_is_only_referred_to(records: dict[str, Any], rng: random.Random) -> None:
    rng.choice(records["sources"][2:])["title"] = f"Origin {rng.randrange(1000)}"


def change_id(records: dict[str, Any], rng: random.Random) -> None:
    row = rng.choice(rows_of(records))
    records["events"] = [event for event in records["events"] if event["target"] != row["id"]]
    row["id"] = f"{row['id']}.{rng.randrange(1000)}"  # stands where it stood among the others


def change_row(records: dict[str, Any], rng: random.Random) -> None:
    field, values = rng.choice([("notes", "a|b"), ("date", ["2024", "2025-03"]), ("status", ["disputed", "active"])])
    rng.choice(rows_of(records))[field] = rng.choice(values) if isinstance(values, list) else values


def add_result(records: dict[str, Any], rng: random.Random) -> None:
    number = unused_number(records)
    board, method = (rng.choice(records[kind])["id"] for kind in ("benchmarks", "methods"))
    rng.choice(records["sources"][:2])["results"].append(result(number, board, method))


def remove_result(records: dict[str, Any], rng: random.Random) -> None:
    rows = rng.choice(records["sources"][:2])["results"]
    gone = rows.pop(rng.randrange(len(rows))) if rows else {"id": ""}
    records["events"] = [event for event in records["events"] if event["target"] != gone["id"]]


def rename(records: dict[str, Any], rng: random.Random) -> None:
    kind = rng.choice(["tasks", "datasets", "metrics", "methods", "benchmarks"])
    record = rng.choice(records[kind])
    record["title" if kind == "benchmarks" else "name"] = f"Name {rng.randrange(1000)} <i>&"


def rename_source(records: dict[str, Any], rng: random.Random) -> None:
    rng.choice(records["sources"])["title"] = f"Title {rng.randrange(1000)} |"


def change_metrics(records: dict[str, Any], rng: random.Random) -> None:
    """A board gets a second metric, and with it views by each; or it loses it."""
    board = rng.choice(records["benchmarks"])
    rows = [row for row in rows_of(records) if row["benchmark"] == board["id"]]
    if len(board["metrics"]) > 1:
        gone = board["metrics"].pop()["key"]
        for row in rows:
            row["scores"].pop(gone, None)
    else:
        board["metrics"].append({"key": "time", "label": "Time", "direction": "lower", "unit": "seconds"})
        for row in rows[::2]:
            row["scores"]["time"] = f"{rng.uniform(1, 99):.1f}"


def change_places(records: dict[str, Any], rng: random.Random) -> None:
    rows = [row for row in rows_of(records) if len(row["scores"]) > 1]
    scores = rng.choice(rows)["scores"] if rows else {}
    scores |= dict(zip(scores, list(scores.values())[::-1], strict=True))


def change_reference(records: dict[str, Any], rng: random.Random) -> None:
    rng.choice(records["methods"])["origin"] = rng.choice(["paper-b", "paper-e"])
    rng.choice(records["benchmarks"])["task"] = rng.choice(["find", "order"])
    rng.choice(rows_of(records))["method"] = rng.choice(records["methods"])["id"]


def add_and_remove_entities(records: dict[str, Any], rng: random.Random) -> None:
    used = {row["method"] for row in rows_of(records)}
    records["methods"] = [method for method in records["methods"] if method["id"] in used]
    records["methods"].append({"id": f"new-{rng.randrange(1000)}", "name": "New", "origin": "paper-b"})


def change_direction(records: dict[str, Any], rng: random.Random) -> None:
    records["metrics"][0]["direction"] = rng.choice(["higher", "lower"])
    rng.choice(records["benchmarks"])["metrics"][0]["direction"] = rng.choice(["higher", "lower", "unknown"])


def happen(records: dict[str, Any], rng: random.Random) -> None:
    target = rng.choice([*rows_of(records), *records["sources"]])["id"]
    event = {"id": f"e-{len(records['events'])}-{rng.randrange(9999)}", "type": rng.choice(["disputed", "retracted"])}
    records["events"].append(event | {"target": target, "date": "2026-01-02", "actor": "ada", "reason": "seen"})


def fall(records: dict[str, Any], rng: random.Random) -> None:
    """A result or a whole source falls or stands again, or a result is contested."""
    records["sources"][rng.randrange(2)]["retracted"] = rng.choice([True, False])
    row = rng.choice(rows_of(records))
    row["status"] = rng.choice(["withdrawn", "superseded", "active"])
    row["variant"] = f"v{rng.randrange(1000)}"


def cite(records: dict[str, Any], rng: random.Random) -> None:
    cited = records["metrics"][0]["direction_source"]
    records["metrics"][0]["direction_source"] = [] if cited else [{"source": "paper-d"}]


def run_again(records: dict[str, Any], rng: random.Random) -> None:
    """A run of this project repeats a reported result."""
    row = rng.choice(records["sources"][rng.randrange(2)]["results"])
    again = {**deepcopy(row), "id": f"r-{unused_number(records)}", "date": "2026-01-01", "status": "active"}
    again["scores"] = dict.fromkeys(row["scores"], f"{rng.uniform(1, 99):.2f}")
    again["variant"] = f"run {rng.randrange(1000)}"
    name = f"run-{len(records['sources'])}"
    records["sources"].append({"id": name, "type": "run", "title": name, "results": [again]})


def nest(records: dict[str, Any], rng: random.Random) -> None:
    """A task moves below another one, or away."""
    records["tasks"][1]["parents"] = [] if records["tasks"][1].get("parents") else ["order"]


def change_registry(records: dict[str, Any], rng: random.Random) -> None:
    records["registry"][rng.choice(["title", "description"])] = f"Registry {rng.randrange(1000)}"


KINDS: list[Callable[[dict[str, Any], random.Random], None]] = [
    change_value, change_row, change_id, add_result, remove_result, rename, rename_source, change_reference,
    *[rename_what_is_only_referred_to] * 3, add_and_remove_entities, change_direction, happen, change_registry,
    *[change_metrics, change_places] * 2, fall, cite, run_again, nest,
]  # fmt: skip


def test_an_updated_site_is_the_site_of_a_fresh_build_after_each_of_many_edits(tmp_path: Path) -> None:
    rng, records = random.Random(20), registry()
    make(tmp_path, records)
    for number in range(EDITS):
        kind = KINDS[number % len(KINDS)] if number < len(KINDS) else rng.choice(KINDS)
        kind(records, rng)
        make(tmp_path, records)
        make(tmp_path, records, f"fresh-{number}", clean=True)
        assert snapshot(tmp_path / "public") == snapshot(tmp_path / f"fresh-{number}"), f"{number}: {kind.__name__}"


def changed_files(folder: Path, before: dict[str, bytes]) -> set[str]:
    after = snapshot(folder)
    return {name for name in before | after if before.get(name) != after.get(name)}


def test_only_what_shows_a_changed_value_is_written(tmp_path: Path) -> None:
    records = registry()
    make(tmp_path, records)
    before = snapshot(tmp_path / "public")
    stamps = {name: (tmp_path / "public" / name).stat().st_mtime_ns for name in before}
    records["sources"][0]["results"][0]["scores"]["accuracy"] = "99.9"
    assert records["sources"][0]["results"][0]["benchmark"] == "sorting"
    changes = make(tmp_path, records)
    changed = changed_files(tmp_path / "public", before)
    assert changes.written == len(changed - {MANIFEST})
    assert "sota/sorting/index.html" in changed
    assert not [name for name in changed if name.startswith(("sota/searching", "sota/counting", "dataset/index"))]
    touched = {name for name, stamp in stamps.items() if (tmp_path / "public" / name).stat().st_mtime_ns != stamp}
    assert touched == changed


def test_values_that_change_places_between_metrics_are_noticed(tmp_path: Path) -> None:
    records = registry()
    metrics = records["benchmarks"][2]["metrics"]
    metrics.append(metrics[0] | {"key": "other", "metric": None, "label": "Other"})
    (row,) = records["sources"][0]["results"] = [result(1, "counting", "bubble")]
    records["sources"][1]["results"] = []
    for scores in ({"accuracy": "51.5", "other": "62.5"}, {"accuracy": "62.5", "other": "51.5"}):
        row["scores"] = scores
        make(tmp_path, records)
    make(tmp_path, records, "fresh", clean=True)
    assert snapshot(tmp_path / "public") == snapshot(tmp_path / "fresh")


def test_pages_of_boards_that_did_not_change_are_not_even_rendered(tmp_path: Path) -> None:
    """A fault in the template of boards shows only when one is rendered, and the key does not see it here."""
    records = registry()
    make(tmp_path, records)
    records["tasks"].append({"id": "count", "name": "Counting"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sotakit.publish.site_groups.benchmark_pages", None)
        make(tmp_path, records)
        with pytest.raises(TypeError):
            make(tmp_path, records, clean=True)
    assert (tmp_path / "public/task/count.md").is_file()


def test_pages_of_methods_are_made_again_only_for_their_own_results(tmp_path: Path) -> None:
    """The best value of a board gets better: no rank changes, so that no other method shows anything new."""
    records = registry()
    make(tmp_path, records)
    best = next(row for row in rows_of(records) if row["id"] == "r-17")
    best["scores"] = {"accuracy": "59.000"}
    made = []

    def entity_page(overview: Any, table: str, row: Any) -> Any:
        made.append((table, row["id"]))
        return entity_pages.entity_page(overview, table, row)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sotakit.publish.site_groups.entity_page", entity_page)
        make(tmp_path, records, jobs=1)
    assert [name for table, name in made if table == "methods"] == [best["method"]]
    assert "59.000" in (tmp_path / f"public/method/{best['method']}.md").read_text()
    make(tmp_path, records, "fresh", clean=True)
    assert snapshot(tmp_path / "public") == snapshot(tmp_path / "fresh")


def test_records_that_are_gone_leave_no_page_and_foreign_files_stay(tmp_path: Path) -> None:
    records = registry()
    make(tmp_path, records)
    (tmp_path / "public/CNAME").write_text("example.org")
    (tmp_path / "public/sota/counting/mine.txt").write_text("mine")
    records["benchmarks"].pop()
    records["methods"].pop()
    for source in records["sources"]:
        source["results"] = [
            row for row in source["results"] if row["benchmark"] != "counting" and row["method"] != "quick"
        ]
    make(tmp_path, records)
    left = snapshot(tmp_path / "public")
    assert [name for name in left if "counting" in name or "quick" in name] == ["sota/counting/mine.txt"]
    assert left["CNAME"] == b"example.org"


def test_links_to_results_on_later_parts_hold_although_the_board_is_not_made_again(tmp_path: Path) -> None:
    records = registry()
    records["sources"][0]["results"] = [result(number, "sorting", "bubble") for number in range(100, 250)]
    make(tmp_path, records)
    records["methods"].append({"id": "new", "name": "New", "origin": "paper-a"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sotakit.publish.site_groups.benchmark_pages", None)
        make(tmp_path, records)
    page = (tmp_path / "public/paper/paper-a.md").read_text()
    assert "method/new.md" in page
    assert "/sota/sorting/page-2.md#r-" in page + (tmp_path / "public/paper/paper-a/page-2.md").read_text()
    make(tmp_path, records, "fresh", clean=True)
    assert snapshot(tmp_path / "public") == snapshot(tmp_path / "fresh")


@pytest.mark.parametrize("name", ["sota/sorting/index.html", "method/bubble.md", "llms.txt", "data/results.parquet"])
@pytest.mark.parametrize("damage", ["gone", "other bytes", "other bytes at the old time"])
def test_a_file_that_was_damaged_is_made_again(tmp_path: Path, name: str, damage: str) -> None:
    records = registry()
    make(tmp_path, records)
    before = snapshot(tmp_path / "public")
    path = tmp_path / "public" / name
    stat = path.stat()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(b"damaged")
        if damage.endswith("time"):
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert make(tmp_path, records).written == 1
    assert snapshot(tmp_path / "public") == before


def test_a_changed_template_style_or_address_reaches_every_page(tmp_path: Path) -> None:
    records = registry()
    make(tmp_path, records)
    mine = tmp_path / "mine"
    (mine / "templates/markdown").mkdir(parents=True)
    (mine / "static").mkdir()
    (mine / "templates/markdown/benchmark.md").write_text("# Mine: {{ page.title | verbatim }}\n")
    (mine / "static/style.css").write_text("/* mine */")
    make(tmp_path, records, templates=mine)
    assert (tmp_path / "public/sota/sorting.md").read_text() == "# Mine: Sorting\n"
    assert (tmp_path / "public/static/style.css").read_text() == "/* mine */"
    (mine / "templates/markdown/benchmark.md").write_text("# Ours: {{ page.title | verbatim }}\n")
    make(tmp_path, records, templates=mine, base_url="https://other.example")
    assert (tmp_path / "public/sota/sorting.md").read_text() == "# Ours: Sorting\n"
    assert "https://other.example" in (tmp_path / "public/method/bubble.md").read_text()
    make(tmp_path, records)
    make(tmp_path, records, "fresh", clean=True)
    assert snapshot(tmp_path / "public") == snapshot(tmp_path / "fresh")


def test_a_build_that_fails_is_as_if_it_had_not_been(tmp_path: Path) -> None:
    records = registry()
    make(tmp_path, records)
    before = snapshot(tmp_path / "public")
    (tmp_path / "mine/templates/html").mkdir(parents=True)
    (tmp_path / "mine/templates/html/listing.html").write_text("{{ page.titel }}")
    records["tasks"][0]["name"] = "Sorted"
    with pytest.raises(UsageError, match="titel"):
        make(tmp_path, records, templates=tmp_path / "mine")
    assert snapshot(tmp_path / "public") == before
    make(tmp_path, records)
    make(tmp_path, records, "fresh", clean=True)
    assert snapshot(tmp_path / "public") == snapshot(tmp_path / "fresh")
