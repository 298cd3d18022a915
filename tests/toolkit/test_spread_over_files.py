"""Where a record stands, and in which order files are read, says nothing about it: any spreading of the same records
over files of any names, kinds, formats and sizes gives the findings and the tables of one file for each kind.

Left out, since it cannot be otherwise: of two records with one id the second in order of reading is refused.
"""

import csv
import io
import json
import tempfile
from collections import Counter, defaultdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sotakit.check.findings import Finding
from sotakit.validate import BATCH, Outcome, validate

AS_OF = "2026-06-01"
Fields = dict[str, Any]

ENTITIES: dict[str, list[Fields]] = {
    "tasks": [{"id": "sort", "name": "Sorting"}, {"id": "find", "name": "Finding", "parents": ["sort"]}],
    "datasets": [{"id": "numbers", "name": "Numbers", "released": "2020", "paper": "zz-last"}],
    "metrics": [
        {"id": "acc", "name": "Accuracy", "direction": "higher", "direction_source": [{"source": "a-first"}]}
        | {"unit": "percent", "min": "0", "max": "100"},
        {"id": "err", "name": "Error", "direction": "lower", "direction_source": [{"source": "zz-last"}]},
    ],
    "methods": [
        {"id": "merge", "name": "Merge", "origin": "m-run"},
        {"id": "quick", "name": "Quick"},
        {"id": "heap", "name": "Heap"},
    ],
    "benchmarks": [
        {"id": "b1", "title": "Sorting", "task": "sort", "dataset": "numbers"}
        | {"metrics": [{"key": "acc", "label": "Accuracy", "metric": "acc", "direction": "higher", "unit": "percent"}]},
        {"id": "b2", "title": "Finding", "task": "find", "dataset": "numbers"}
        | {"metrics": [{"key": "err", "label": "Error", "metric": "err"}, {"key": "acc", "label": "Other accuracy"}]},
    ],
    "config_keys": [{"key": "Model", "aliases": ["Net"]}, {"key": "Number", "aliases": ["Nr"]}],
    "events": [
        {"id": "e1", "type": "reproduced", "target": "again", "date": "2026-01-01", "actor": "a lab"}
        | {"reason": "see the run m-run"},
        {"id": "e2", "type": "retracted", "target": "zz-last", "date": "2026-01-02", "actor": "a lab"},
    ],
}
SOURCES: list[Fields] = [
    {"id": "a-first", "type": "paper", "url": "https://example.org/a"},
    {"id": "m-run", "type": "run", "date": "2026-01-01"},
    {"id": "zz-last", "type": "paper", "title": "Last"},
]
SPECIAL: list[Fields] = [
    {"id": "again", "benchmark": "b1", "method": "merge", "scores": {"acc": "91.5"}, "reproduction": "consistent"},
    {"id": "claimed", "benchmark": "b1", "method": "heap", "scores": {"acc": "90.5"}, "reproduction": "partial"},
    {"benchmark": "b2", "method": "quick", "scores": {"err": "0.5"}, "config": {"Model": "small"}},
    {"benchmark": "b2", "method": "quick", "scores": {"err": "0.5"}, "config": {"Net": "small"}},
    {"benchmark": "b2", "method": "heap", "scores": {"err": "0.25 ± 0.1", "acc": "12,345"}},
    {"benchmark": "b1", "method": "heap", "scores": {"acc": "0.915"}, "config": {"Model": "x\u200by"}},
    {"benchmark": "b1", "method": "heap", "scores": {"acc": "n/a"}, "date": "2019", "visibility": "private"},
]
FAULTY: list[Fields] = [
    {"benchmark": "b1", "method": "heapp", "scores": {"acc": "50.0"}, "config": {"Model": "wrong method"}},
    {"benchmark": "b1", "method": "heap", "scores": {"acc": "150"}, "config": {"Model": "wrong value"}},
    {"benchmark": "b1", "method": "heap", "scores": {"err": "5"}, "config": {"Model": "wrong key"}},
    {"benchmark": "b1", "method": "heap", "scores": {"acc": "5"}, "evidence": "reported"},
]
METHODS = ["merge", "quick", "heap"]
SIZES = [0, 1, 2, BATCH - 1, BATCH, BATCH + 1]


def rows(size: int, special: tuple[int, ...], faulty: tuple[int, ...], source: str) -> list[Fields]:
    """Results of a source: plain ones, then some that are special and some that are wrong."""
    plain = [
        {
            "benchmark": "b1",
            "method": METHODS[n % 3],
            "config": {"Number": f"{n}"},
            "scores": {"acc": f"{50 + n % 40}.{n}"},
        }
        for n in range(size)
    ]
    return [{"source": source, **row} for row in (*plain, *(SPECIAL[n] for n in special), *(FAULTY[n] for n in faulty))]


def text_of(records: list[Fields], form: str) -> str:
    if form == "json":
        return json.dumps(records)
    if form == "jsonl":
        return "".join(json.dumps(record) + "\n" for record in records)
    if form == "csv":
        return csv_of(records)
    return str(yaml.dump(records, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True))


def csv_of(records: list[Fields]) -> str:
    flat = [
        {
            f"{name}.{key}" if isinstance(value, dict) else name: cell
            for name, value in record.items()
            for key, cell in (value.items() if isinstance(value, dict) else [("", value)])
        }
        for record in records
    ]
    columns = list(dict.fromkeys(name for row in flat for name in row)) or ["id"]
    stream = io.StringIO()
    table = csv.DictWriter(stream, columns)
    table.writeheader()
    table.writerows(flat)
    return stream.getvalue()


def write(data: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return data


def in_one_file_a_kind(results: list[Fields]) -> dict[str, str]:
    everything = {**ENTITIES, "sources": SOURCES, "results": results}
    return {f"{kind}.jsonl": text_of(records, "jsonl") for kind, records in everything.items()}


NAMES = st.text("abmzAZ059_-", min_size=1, max_size=3).map(str.casefold)
FORMS = st.sampled_from(["yaml", "json", "jsonl"])


@st.composite
def spread(draw: st.DrawFn, results: list[Fields]) -> dict[str, str]:
    """The same records in other files."""
    files: dict[str, str] = {}

    def add(folder: str, records: list[Fields], form: str) -> None:
        name = draw(NAMES.filter(lambda name: f"{folder}/{name}.{form}" not in files))
        files[f"{folder}/{name}.{form}"] = text_of(records, form)

    for kind, records in ENTITIES.items():
        cut = draw(st.integers(0, len(records)))
        for part in (records[:cut], records[cut:]):
            add(kind, part[::-1] if draw(st.booleans()) else part, draw(FORMS))
    of_source: dict[str, list[Fields]] = defaultdict(list)
    for row in results:
        of_source[row["source"]].append(row)
    for source in draw(st.permutations(SOURCES)):
        own = of_source.pop(source["id"], [])
        place = draw(st.sampled_from(["inside", "beside", "apart", "both"]))
        inside = own[: len(own) // 2] if place == "both" else own if place == "inside" else []
        document = {**source, "results": [without_source(row) for row in inside]} if inside else source
        if draw(st.booleans()):
            files[f"sources/{source['id']}.yaml"] = text_of([document], "yaml")
        else:
            add("sources", [document], draw(FORMS))
        outside = own[len(inside) :]
        form = draw(st.sampled_from(["jsonl", "csv"]))
        if place in ("beside", "both"):
            files[f"sources/{source['id']}.results.{form}"] = text_of(list(map(without_source, outside)), form)
        elif place == "apart":
            add("results", outside, draw(st.sampled_from(["yaml", "json", "jsonl", "csv"])))
    for name, waiting in of_source.items():  # their source is nowhere
        if draw(st.booleans()):
            files[f"sources/{name}.results.jsonl"] = text_of(list(map(without_source, waiting)), "jsonl")
        else:
            add("results", waiting, "csv")
    return files


def without_source(row: Fields) -> Fields:
    return {name: value for name, value in row.items() if name != "source"}


def told(finding: Finding) -> tuple[str, ...]:
    """What a finding says, its place aside; messages about two records name the place of the other one."""
    message = "" if finding.code in ("E401", "E402", "W403", "W404") else finding.message
    return finding.code, finding.severity, finding.record, finding.field, message


def judged(files: dict[str, str]) -> tuple[Counter[tuple[str, ...]], tuple[int, ...], dict[str, list[Fields]] | None]:
    """Findings, counts and tables."""
    with tempfile.TemporaryDirectory() as folder:
        data = write(Path(folder) / "data", files)
        outcome: Outcome = validate(data, Path(folder) / "build", AS_OF)
        found = Counter(map(told, outcome.findings))
        counts = (outcome.records, outcome.accepted, outcome.hidden)
        return (
            found,
            counts,
            outcome.tables
            and {path.name: pq.read_table(path).to_pylist() for path in sorted(outcome.tables.glob("*.parquet"))},
        )


@lru_cache(maxsize=64)
def reference(drawn: str) -> Any:
    return judged(in_one_file_a_kind(json.loads(drawn)))


@st.composite
def registries(draw: st.DrawFn) -> list[Fields]:
    """Results of all sources, each special one at most once; half of the registries have faults."""
    special = draw(st.permutations(range(1, len(SPECIAL))))
    cuts = sorted(draw(st.tuples(st.integers(0, len(SPECIAL)), st.integers(0, len(SPECIAL)))))
    parts = ([0, *special[: cuts[0]]], special[cuts[0] : cuts[1]], [])
    results = []
    for source, part in zip(SOURCES, parts, strict=True):
        results += rows(draw(st.sampled_from(SIZES)), tuple(part), (), source["id"])
    if draw(st.booleans()):
        results += rows(draw(st.sampled_from([0, 1, BATCH])), (), (), "nowhere")
        faulty = draw(st.lists(st.integers(0, len(FAULTY) - 1), unique=True))
        results += rows(0, (), tuple(faulty), "zz-last")
    return results


@settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_findings_and_tables_do_not_depend_on_files(data: st.DataObject) -> None:
    results = data.draw(registries())
    files = data.draw(spread(results))
    assert judged(files) == reference(json.dumps(results))


@pytest.mark.parametrize("size", [1_000, 10 * BATCH, 10 * BATCH + 1])
@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_results_beside_their_source_are_accepted_however_many(size: int, form: str, tmp_path: Path) -> None:
    results = rows(size - 1, (0,), (), "zz-last")
    files = in_one_file_a_kind([])
    del files["sources.jsonl"]
    for source in SOURCES:
        files[f"sources/{source['id']}.yaml"] = yaml.safe_dump(source)
    files[f"sources/zz-last.results.{form}"] = text_of(list(map(without_source, results)), form)
    outcome = validate(write(tmp_path / "data", files), tmp_path / "build", AS_OF)
    assert (outcome.count("error"), outcome.rejected) == (0, 0)
    assert outcome.tables is not None
    origins = pq.read_table(outcome.tables / "results.parquet")["origin"].to_pylist()
    assert origins == ["reported"] * size
