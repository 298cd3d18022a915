"""CSV: every cell is text, every row has its place."""

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sotakit.read import csv_reader
from sotakit.read.files import RecordFile
from sotakit.read.raw import Fault, Raw, Unreadable
from sotakit.read.reader import read_file

Write = Callable[..., Path]


def read(text: str, mapping: dict[str, str | None] | None = None) -> list[Raw]:
    return list(csv_reader.read(iter(text.splitlines(keepends=True)), mapping))


def values(text: str, mapping: dict[str, str | None] | None = None) -> list[Any]:
    return [record.value for record in read(text, mapping)]


def fault_of(text: str, mapping: dict[str, str | None] | None = None) -> Fault:
    with pytest.raises(Unreadable) as caught:
        read(text, mapping)
    return caught.value.fault


@pytest.mark.parametrize(
    "cell", ["6976e4", "007", "NA", "None", "null", "NaN", "true", "1e400", "2024-01-01", "1_000", "-", " x ", "∞"]
)
def test_cells_stay_text(cell: str) -> None:
    assert values(f"id,name\na,{cell}\n") == [{"id": "a", "name": cell}]


def test_columns_name_fields_by_their_path() -> None:
    text = "id,config.Model,config.lr.max,scores.im1,locator.table,aliases[]\na,BNN,0.1,1.60,2,x; y ;\n"
    assert values(text) == [
        {
            "id": "a",
            "config": {"Model": "BNN", "lr.max": "0.1"},
            "scores": {"im1": "1.60"},
            "locator": {"table": "2"},
            "aliases": ["x", "y"],
        }
    ]


def test_an_empty_cell_is_an_absent_field() -> None:
    assert values('id,name,config.a\na,,""\n') == [{"id": "a"}]


def test_quotes_hold_commas_quotes_and_line_breaks() -> None:
    records = read('id,name\na,"x, ""y""\nz"\nb,w\n')
    assert [(record.line, record.value) for record in records] == [
        (2, {"id": "a", "name": 'x, "y"\nz'}),
        (4, {"id": "b", "name": "w"}),
    ]


def test_ragged_rows_are_refused_one_by_one() -> None:
    records = read("id,name\na,b\nc\nd,e,f\n\ng,h\n")
    assert [record.value for record in records if not record.faults] == [
        {"id": "a", "name": "b"},
        {"id": "g", "name": "h"},
    ]
    assert [record.faults[0][:3] for record in records if record.faults] == [("E110", 3, 1), ("E110", 4, 1)]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ('id,name\na,b\nc,"open\nd,e\n', "E104", 3),
        ('id,name\na,"b"c\n', "E104", 2),
        ("id,id\na,b\n", "E110", 1),
        ("id,aliases,aliases[]\na,b,c\n", "E110", 1),
        ("id,,name\na,b,c\n", "E110", 2),
        ("id,config,config.a\na,b,c\n", "E110", 1),
        ("id,config.a,config\na,b,c\n", "E110", 1),
    ],
)
def test_faults_of_the_whole_file(text: str, code: str, line: int) -> None:
    fault = fault_of(text)
    assert (fault.code, fault.line, fault.column) == (code, line, 1)
    assert fault.hint


def test_rows_before_an_unclosed_quote_are_read() -> None:
    reader = csv_reader.read(iter(["id\n", "a\n", '"b\n']))
    assert next(reader).value == {"id": "a"}
    with pytest.raises(Unreadable):
        next(reader)


def test_mapping_renames_and_leaves_out_columns() -> None:
    mapping = {"Model name": "method", "Rank": None, "Acc": "scores.accuracy"}
    assert values("Model name,Rank,Acc,date\nx,1,0.90,2024\n", mapping) == [
        {"method": "x", "scores": {"accuracy": "0.90"}, "date": "2024"}
    ]


def test_mapping_of_a_column_that_is_not_there() -> None:
    fault = fault_of("a,b\n1,2\n", {"c": "id"})
    assert fault.code == "E110"
    assert "'c'" in fault.message


@pytest.mark.parametrize("text", ["", "id,name\n", "\n\n"])
def test_no_rows_no_records(text: str) -> None:
    assert read(text) == []


@given(st.lists(st.lists(st.text(alphabet='ab,"\n é', min_size=1, max_size=6), min_size=3, max_size=3), max_size=5))
def test_every_place_is_the_start_of_its_cell(rows: list[list[str]]) -> None:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([["x", "y.z", "w[]"], *rows])
    text = stream.getvalue()
    columns = csv_reader.columns_of(text.splitlines(keepends=True), None)
    records = read(text)
    assert len(records) == len(rows)
    for record, cells in zip(records, rows, strict=True):
        below = "\n".join(text.split("\n")[record.line - 1 :])
        for path, cell in zip((("x",), ("y", "z"), ("w", 0)), cells, strict=True):
            line, column = csv_reader.position(below, record.line, path, columns=columns)
            rest = "\n".join(text.split("\n")[line - 1 :])[column - 1 :]
            assert next(csv.reader(rest.splitlines(keepends=True)))[0] == cell


def test_place_of_a_part_of_a_cell_is_the_cell() -> None:
    columns: list[str | None] = ["id", "scores.im1"]
    assert csv_reader.position("a,x", 5, ("scores", "im1", "text"), columns=columns) == (5, 3)
    assert csv_reader.position("a,x", 5, ("name",), columns=columns) == (5, 1)


@given(st.text(alphabet='ab,"\n\r\x00é;.[]', max_size=60))
def test_any_text_is_rows_or_a_fault(text: str) -> None:
    try:
        records = read(text)
    except Unreadable as error:
        line = error.fault.line
    else:
        line = max((record.line for record in records), default=1)
    assert 1 <= line <= len(text.splitlines()) + 1


def read_bytes(write: Write, content: bytes, mapping: str | None = None) -> list[Raw]:
    files: dict[str, str | bytes] = {"methods.csv": content}
    if mapping is not None:
        files["methods.mapping.yaml"] = mapping
    path = write(files) / "methods.csv"
    return list(read_file(RecordFile(path, "methods.csv", "methods", "csv")))


def test_byte_order_mark_is_not_part_of_the_header(write: Write) -> None:
    assert read_bytes(write, b"\xef\xbb\xbfid,name\na,b\n")[0].value == {"id": "a", "name": "b"}


def test_utf16_is_said_to_be_utf16(write: Write) -> None:
    (record,) = read_bytes(write, "id,name\na,b\n".encode("utf-16"))
    assert record.faults[0].code == "E102"
    assert "UTF-16" in record.faults[0].message


def test_latin1_is_refused_at_its_byte(write: Write) -> None:
    (record,) = read_bytes(write, "id,name\na,é\n".encode("latin-1"))
    assert record.faults[0][:3] == ("E102", 2, 3)
    assert "0xe9" in record.faults[0].message


def test_mapping_file_beside(write: Write) -> None:
    (record,) = read_bytes(write, b"Key,Name,x\na,b,c\n", "Key: id\nName: name\nx: null\n")
    assert record.value == {"id": "a", "name": "b"}


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ("- Key\n", "must map"),
        ("Key: 3\n", "must map"),
        ("Key: id\nKey: name\n", "once"),
        ("Key: [id\n", "methods.mapping.yaml:2:1"),
        ("", "must map"),
    ],
)
def test_bad_mapping_file_is_a_fault(write: Write, mapping: str, words: str) -> None:
    (record,) = read_bytes(write, b"Key,Name\na,b\n", mapping)
    assert record.faults[0].code == "E110"
    assert words in record.faults[0].message


def test_a_mapping_file_of_any_size_is_not_read_whole(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sotakit.read.files.MAX_DOCUMENT_BYTES", 20)
    (record,) = read_bytes(write, b"Key,Name\na,b\n", "Key: id\nName: name\n# and more\n")
    (fault,) = record.faults
    assert (fault.code, fault.message) == ("E110", "methods.mapping.yaml:1:1: 30 bytes; the limit is 20")
