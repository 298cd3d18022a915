"""From records to rows: values, units, ranks and flags that a reader of the tables relies on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sotakit.validate import validate
from sotaschema.arrow import TABLES, table_schema

Write = Callable[..., Path]
SOURCE = "sources/paper-a.yaml"


def tables(data: Path) -> dict[str, list[dict[str, Any]]]:
    outcome = validate(data, data.parent / "build", "2026-06-01")
    assert outcome.tables is not None, outcome.findings
    return {name: pq.read_table(outcome.tables / f"{name}.parquet").to_pylist() for name in TABLES}


def test_rows_have_exactly_the_columns_of_their_table(write: Write, minimal: dict[str, str]) -> None:
    minimal["events.yaml"] = "- {id: e1, type: disputed, target: row-1, date: '2026', actor: A. Author}\n"
    rows = tables(write(minimal))
    assert set(rows) == set(TABLES)
    for name, found in rows.items():
        assert all(set(row) == set(TABLES[name].names) for row in found), name
    assert [len(rows[name]) for name in ("results", "scores", "methods", "events", "config")] == [2, 2, 2, 1, 0]


def test_null_only_where_null_means_something(write: Write, minimal: dict[str, str]) -> None:
    for name, rows in tables(write(minimal)).items():
        table = pa.Table.from_pylist(rows, schema=table_schema(name, None))
        table.validate(full=True)
        for field in table.schema:
            assert field.nullable or table[field.name].null_count == 0, (name, field.name)


def score_rows(write: Write, minimal: dict[str, str], *scores: str, unit: str = "percent") -> list[dict[str, Any]]:
    rows = "".join(
        f"  - {{id: s{index}, benchmark: sorting-on-numbers, method: merge, variant: v{index},"
        f" scores: {{accuracy: {score}}}}}\n"
        for index, score in enumerate(scores)
    )
    minimal[SOURCE] = f"id: paper-a\ntype: paper\nresults:\n{rows}"
    minimal["benchmarks.yaml"] = minimal["benchmarks.yaml"].replace("unit: percent", f"unit: {unit}")
    return tables(write(minimal))["scores"]


def test_text_value_decimal_and_digits(write: Write, minimal: dict[str, str]) -> None:
    rows = score_rows(write, minimal, "0.90", "9e1", '"~88 ± 0.5"', '"–"', '"60 / 70"', "{missing_reason: not_run}")
    columns = ("text", "value", "decimal", "decimals", "qualifier", "uncertainty", "uncertainty_kind", "missing_reason")
    assert [tuple(row[column] for column in columns) for row in rows] == [
        ("0.90", 0.9, "0.90", 2, "exact", None, None, None),
        ("9e1", 90.0, "90", None, "exact", None, None, None),
        ("~88 ± 0.5", 88.0, "88", 0, "approximate", 0.5, "unknown", None),
        ("–", None, None, None, "exact", None, None, "not_reported"),
        ("60 / 70", None, None, None, "exact", None, None, "unreadable"),
        ("", None, None, None, "exact", None, None, "not_run"),
    ]
    assert [row["rank"] for row in rows] == [3, 1, 2, None, None, None]


def test_stated_uncertainty_has_its_kind(write: Write, minimal: dict[str, str]) -> None:
    (row,) = score_rows(write, minimal, "{text: '50', uncertainty: {kind: ci, low: '49', high: '51', level: 0.95}}")
    assert (row["uncertainty_kind"], row["low"], row["high"], row["level"]) == ("ci", 49.0, 51.0, 0.95)


def test_different_units_are_shown_but_not_ranked(write: Write, minimal: dict[str, str]) -> None:
    rows = score_rows(write, minimal, '"50 %"', '"0.6"', unit="unknown")
    assert [(row["unit"], row["rank"], row["rank_cited"], row["rank_in_group"]) for row in rows] == [
        ("percent", None, None, None),
        ("unknown", None, None, None),
    ]
    rows = score_rows(write, minimal, '"50 %"', '"60%"', '"–"', unit="unknown")
    assert [row["rank"] for row in rows] == [2, 1, None]


def test_regenerated_rows_rank_among_themselves(write: Write, minimal: dict[str, str]) -> None:
    minimal["sources/run-1.yaml"] = (
        "id: run-1\ntype: run\nresults:\n"
        "  - {id: run-row, benchmark: sorting-on-numbers, method: merge, scores: {accuracy: 99.9}}\n"
    )
    found = tables(write(minimal))
    assert {row["result"]: row["rank"] for row in found["scores"]} == {"row-1": 2, "row-2": 1, "run-row": 1}
    assert {row["id"]: row["origin"] for row in found["results"]}["run-row"] == "regenerated"


def test_ranks_follow_recorded_and_cited_direction(write: Write, minimal: dict[str, str]) -> None:
    minimal["benchmarks.yaml"] = minimal["benchmarks.yaml"].replace("direction: higher", "direction: lower")
    rows = {row["result"]: (row["rank"], row["rank_cited"]) for row in tables(write(minimal))["scores"]}
    assert rows == {"row-1": (1, 2), "row-2": (2, 1)}


def test_ranks_in_groups_of_equal_configuration(write: Write, minimal: dict[str, str]) -> None:
    minimal[SOURCE] = minimal[SOURCE].replace("70.10}\n", "70.10}\n    config: {k: 1}\n")
    minimal[SOURCE] += "    config: {k: 2}\n"
    assert {row["result"]: row["rank_in_group"] for row in tables(write(minimal))["scores"]} == {"row-1": 1, "row-2": 1}


def test_events_reach_results_and_sources(write: Write, minimal: dict[str, str]) -> None:
    minimal["events.yaml"] = (
        "- {id: e1, type: reproduced, target: row-1, date: '2026', actor: A. Author, after: consistent}\n"
        "- {id: e2, type: retracted, target: paper-a, date: '2026', actor: A. Author}\n"
    )
    found = tables(write(minimal))
    assert {row["id"]: row["reproduction"] for row in found["results"]} == {
        "row-1": "consistent",
        "row-2": "not_attempted",
    }
    assert [row["retracted"] for row in found["sources"]] == [True]


def test_configuration_keeps_its_types(write: Write, minimal: dict[str, str]) -> None:
    minimal[SOURCE] += '    config: {a: 1, b: 1.0, c: "1", d: true, e: 1e-3}\n'
    found = tables(write(minimal))
    assert {row["key"]: row["value"] for row in found["config"]} == {
        "a": "1",
        "b": "1.0",
        "c": '"1"',
        "d": "true",
        "e": "0.001",
    }
    assert {row["id"]: row["config"] for row in found["results"]}["row-2"] == (
        '{"a":1,"b":1.0,"c":"1","d":true,"e":0.001}'
    )


def test_partial_dates_have_a_first_day(write: Write, minimal: dict[str, str]) -> None:
    minimal[SOURCE] += "    date: 2025-11\n"
    (row,) = [row for row in tables(write(minimal))["results"] if row["id"] == "row-2"]
    assert (row["date"], row["first_day"].isoformat()) == ("2025-11", "2025-11-01")
