"""What must change no verdict and no table: order, white space, line ends, the form of files, their number."""

import hashlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from richdefects import DEFECTS, mutated
from richrecords import FORMS, MARK, OTHER, RESULT, Marked, csv_text, json_text, unmarked
from sotakit.check.findings import Finding
from sotakit.read.files import RecordFile
from sotakit.read.reader import read_file
from sotakit.validate import examine, validate

Write = Callable[..., Path]
TODAY = "2026-06-01"

BOARD = {"benchmark": "sorting-on-numbers"}
ROWS: list[dict[str, Any]] = [
    {**BOARD, "id": "row-3", "method": "merge", "variant": "c", "scores": {"accuracy": "9.10"}},
    {**OTHER, "locator": {"table": "2"}, "date": "2025"},
    {**BOARD, "id": "row-7", "method": "bubble", "method_label": 'a "b", c; d', "config": {"Model": "é; π"},
     "scores": {"accuracy": "7.0 ± 0.1"}, "evidence": "author_reported"},
]  # fmt: skip
"""Rows of texts only, which every form can hold."""


def shuffled(value: Any, seed: random.Random) -> Any:
    """The same value with the keys of all its mappings in another order; marks go with what they mark."""
    if isinstance(value, Marked):
        return Marked(shuffled(value.value, seed))
    if isinstance(value, dict):
        return {key: shuffled(value[key], seed) for key in seed.sample(list(value), len(value))}
    return [shuffled(part, seed) for part in value] if type(value) is list else value


def spaced(text: str, form: str) -> str:
    """The same document with blank lines and, where there are any, comments between its lines."""
    gap = {"yaml": "\n\n# a comment ≤\n", "json": "\n \t\n", "jsonl": "\n\n  \n"}[form]
    return text.replace("\n", gap)


Change = Callable[[list[Any], str], str]
CHANGES: dict[str, Change] = {
    "keys in another order": lambda rows, form: FORMS[form](shuffled(rows, random.Random(7))),
    "records in another order": lambda rows, form: FORMS[form](rows[::-1]),
    "line ends of another system": lambda rows, form: FORMS[form](rows).replace("\n", "\r\n"),
    "a byte order mark": lambda rows, form: "\ufeff" + FORMS[form](rows),
    "blank lines": lambda rows, form: spaced(FORMS[form](rows), form),
    "no last line end": lambda rows, form: FORMS[form](rows).rstrip("\n"),
    "trailing blanks": lambda rows, form: FORMS[form](rows).replace("\n", "  \n"),
}


def verdicts(file: Path, text: str) -> list[Finding]:
    """What is found when the file has this text, apart from notes on the whole file."""
    file.write_text(text, encoding="utf-8", newline="")
    return [found for found in examine(file.parents[1], TODAY).findings if found.code not in ("N210", "W103")]


@pytest.mark.parametrize("form", FORMS)
def test_verdicts_stay_and_places_move_with_the_text(write: Write, minimal: dict[str, str], form: str) -> None:
    file = write(minimal) / f"sources/paper-a.results.{form}"
    for number, (name, defect) in enumerate(DEFECTS.items()):
        records = [OTHER, mutated(defect)]
        before = verdicts(file, unmarked(FORMS[form](records))[0])
        for change in list(CHANGES)[number % 2 :: 2]:
            if name == "the id of another result" and change == "records in another order":
                continue  # the second of two is told, and that is another one then
            text, ((line, column),) = unmarked(CHANGES[change](records, form))
            after = verdicts(file, text)
            assert [(found.code, found.record, found.field) for found in after] == [
                (found.code, found.record, found.field) for found in before
            ], (name, change)
            column -= text.startswith("\ufeff") and line == 1
            assert [(found.line, found.column) for found in after] == [(line, column)], (name, change)


@pytest.mark.parametrize("indent", [None, 0, 7])
def test_indentation_of_json_moves_places_only(write: Write, minimal: dict[str, str], indent: int | None) -> None:
    file = write(minimal) / "sources/paper-a.results.json"
    for name, defect in list(DEFECTS.items())[:: 2 if indent is None else 3]:
        text, places = unmarked(json_text([OTHER, mutated(defect)], indent))
        found = [(finding.code, finding.line, finding.column) for finding in verdicts(file, text)]
        assert found == [(defect.code, *places[0])], name


def flat(row: dict[str, Any]) -> dict[str, str]:
    """The row as a line of CSV: inner fields become columns with dots."""
    cells: dict[str, str] = {}
    for key, value in row.items():
        cells |= {f"{key}.{name}": part for name, part in value.items()} if isinstance(value, dict) else {key: value}
    return cells


WRITERS: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    **FORMS,
    "csv": lambda rows: csv_text([flat(row) for row in rows]),
}


def compiled(data: Path, build: Path) -> dict[str, str]:
    """The hash of each file of the tables."""
    outcome = validate(data, build, TODAY)
    assert outcome.tables is not None, outcome.findings
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(outcome.tables.iterdir())}


def test_every_form_gives_the_same_tables(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    methods = [{"id": "bubble", "name": "Bubble"}, {"id": "merge", "name": 'Merge, "top-down"'}]
    del minimal["methods.yaml"]
    found = {}
    for form, writer in WRITERS.items():
        files = {f"methods.{form}": writer(methods), f"sources/paper-a.results.{form}": writer(ROWS)}
        found[form] = compiled(write({**minimal, **files}, f"in-{form}"), tmp_path / form)
    assert all(tables == found["yaml"] for tables in found.values())
    assert len(found["yaml"]) > 5


def test_typed_forms_give_the_same_tables(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    found = [
        compiled(write({**minimal, f"sources/paper-a.results.{form}": writer([RESULT, OTHER])}, form), tmp_path / form)
        for form, writer in FORMS.items()
    ]
    assert found[0] == found[1] == found[2]


def moved(rows: list[Any], parts: int) -> dict[str, str]:
    """The rows in several files of `results/`, in all forms in turn."""
    own = [{**row, "source": "paper-a"} for row in rows]
    forms = list(WRITERS)
    return {
        f"results/{'deep/' * (part % 2)}{part}.{forms[part % 4]}": WRITERS[forms[part % 4]](own[part::parts])
        for part in range(parts)
    }


@pytest.mark.parametrize("parts", [1, 2, 3, 6])
def test_how_many_files_there_are_changes_no_table(
    write: Write, minimal: dict[str, str], tmp_path: Path, parts: int
) -> None:
    rows = [{**row, "id": f"{row['id']}-{index}", "variant": str(index)} for index in range(4) for row in ROWS]
    one = {**minimal, "sources/paper-a.results.jsonl": FORMS["jsonl"](rows)}
    expected = compiled(write(one, "one"), tmp_path / "expected")
    found = compiled(write({**minimal, **moved(rows, parts)}, "many"), tmp_path / "found")
    for tables in (expected, found):
        tables.pop("manifest.json")  # it counts the files
    assert found == expected


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False), st.text()
)
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=9,
)


def yaml_flow(value: Any) -> str:
    """YAML in one line, every sign that is not printable in escapes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{yaml_flow(key)}: {yaml_flow(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(yaml_flow, value)) + "]"
    if isinstance(value, str):
        signs = (sign if sign.isprintable() and sign not in '"\\' else f"\\U{ord(sign):08x}" for sign in value)
        return '"' + "".join(signs) + '"'
    return json.dumps(value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(st.text(max_size=9), TREES, min_size=1, max_size=4), min_size=1, max_size=3))
def test_values_come_back_as_they_were_from_every_form(write: Write, rows: list[dict[str, Any]]) -> None:
    files = {
        "yaml": yaml_flow(rows),
        "json": json.dumps(rows, ensure_ascii=False),
        "jsonl": "".join(json.dumps(row) + "\n" for row in rows),
    }
    for form, text in files.items():
        path = write({f"tasks.{form}": text}) / f"tasks.{form}"
        records = list(read_file(RecordFile(path, path.name, "tasks", form)))
        assert [record.faults for record in records] == [()] * len(rows), form
        assert [repr(record.value) for record in records] == [repr(row) for row in rows], form


def test_marks_are_where_they_were_put() -> None:
    assert unmarked(f"a\n b{MARK}c{MARK}\n{MARK}") == ("a\n bc\n", [(2, 3), (2, 4), (3, 1)])
