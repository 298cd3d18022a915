"""Any bytes in any file that is read: records or findings with a place inside of the file, never an exception.

Each reader gets 500 documents; ANY_BYTES=50000 makes a longer run.
"""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from richrecords import FORMS, OTHER, RESULT
from sotakit.check.codes import CODES
from sotakit.errors import UsageError
from sotakit.read.files import RecordFile
from sotakit.read.reader import read_file
from sotakit.report import FORMATS, report
from sotakit.validate import Outcome, examine

Write = Callable[..., Path]

SOURCE = {"id": "paper-a", "type": "paper", "date": "2026", "results": [OTHER]}
CSV = (
    "id,benchmark,method,config.Model,scores.accuracy,date\n"
    'row-1,board,"Merge, ""top""",BNN,70.1,2026-02-27\n'
    "row-2,board,bubble,,93.20 %,2026\n"
)
SEEDS: dict[str, list[str]] = {
    "sources/paper-a.results.yaml": [
        FORMS["yaml"]([OTHER, RESULT]),
        "- {id: a, scores: {x: [1, 2]}}\n- &a b: |\n  text\n",
    ],
    "sources/paper-a.json": [
        FORMS["json"]([SOURCE]),
        FORMS["json"]([RESULT]),
        '{"id": "\\ud83d\\udea7", "date": 1e400}',
    ],
    "sources/paper-a.results.jsonl": [
        FORMS["jsonl"]([OTHER, RESULT, OTHER]),
        FORMS["jsonl"]([OTHER]) + "\n[3]\nnull\n",
    ],
    "sources/paper-a.results.csv": [CSV, CSV.replace("\n", "\r\n"), 'id,"name[]"\n"a\nb",c;d\n'],
    "tasks.mapping.yaml": ["Key: id\nName: name\nx: null\n", '{Key: id, "Name": name, x: ~}\n'],
    ".toolkitignore": ["# drafts\ndrafts/\n*.tmp.yaml\nmethods/[a-c]*.yaml\n", "**/*\n!x\n[!a]?\n"],
    "registry.yaml": [
        "schema: 1\ntitle: Results\nlicence: CC0-1.0\nbase_url: https://example.org/x\n",
        "- schema: 1\n",
    ],
}
"""Valid documents, and odd ones, of each reader."""

BESIDE = {"tasks.csv": "Key,Name,x\na,A,1\nb,B,2\n", "methods/draft.yaml": "id: draft\nname: Draft\n"}
"""Files that the mapping and the list of ignored files speak of."""

SIGNS = [
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\xc3", b"\xe2\x80\xa8", b"\xed\xa0\x80", b"\r", b"\n", b"\t"),
    *(b"{", b"}", b"[", b"]", b'"', b"'", b",", b":", b"- ", b"#", b"&a ", b"*a", b"!!x ", b"<<: ", b"\n---\n", b"|\n"),
    *(b"\\ud800", b"\\", b"1e400", b"NaN", b"9" * 500, b"[" * 130, b"{" * 130, b"null", b"true", b";", b'""', b"? "),
]


@st.composite
def documents(draw: st.DrawFn, seeds: list[str]) -> bytes:
    """A valid document after a few accidents: bytes flipped, lost, put in, doubled, or joined to another document."""
    raw = draw(st.sampled_from(seeds)).encode()
    for _ in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(raw)))
        upto = min(len(raw), at + draw(st.integers(0, 40)))
        accident = draw(st.sampled_from(["flip", "lose", "put", "double", "join"]))
        if accident == "flip" and at < len(raw):
            raw = raw[:at] + bytes([raw[at] ^ (1 << draw(st.integers(0, 7)))]) + raw[at + 1 :]
        elif accident == "lose":
            raw = raw[:at] + raw[upto:]
        elif accident == "put":
            raw = raw[:at] + draw(st.sampled_from(SIGNS)) + raw[at:]
        elif accident == "double":
            raw = raw[:upto] + raw[at:]
        else:
            raw = raw[:at] + draw(st.sampled_from(seeds)).encode()[at:]
    return raw


def contents(seeds: list[str]) -> st.SearchStrategy[bytes]:
    return st.one_of(
        documents(seeds), st.binary(max_size=200), st.lists(st.sampled_from(SIGNS), max_size=25).map(b"".join)
    )


def check_places(outcome: Outcome, name: str, raw: bytes) -> None:
    lines = raw.decode("utf-8", "replace").split("\n")
    rows = re.split("\r\n|\r|\n", raw.decode("utf-8", "replace"))  # a row of CSV may also end as on old systems
    for found in outcome.findings:
        assert found.code in CODES
        assert len(found.message) + len(found.hint) < 2_000
        line, column = found.line or 0, found.column or 0
        assert line >= 1
        assert column >= 1
        if found.origin.file == name:
            assert line <= (len(rows) if name.endswith(".csv") else len(lines))
            assert column <= 1 + (max(map(len, lines)) if name.endswith(".csv") else len(lines[line - 1]))


def check_outcome(outcome: Outcome, data: Path) -> None:
    assert outcome.records == outcome.accepted + outcome.rejected
    assert (outcome.rejected > 0) == (outcome.count("error") > 0)
    for form in FORMATS:
        printed = "\n".join(report(outcome, form, data))
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", printed)


EXAMPLES = settings(
    max_examples=int(os.environ.get("ANY_BYTES", "500")),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.mark.parametrize("name", SEEDS)
def test_any_bytes_are_records_or_findings_inside_of_the_file(write: Write, name: str) -> None:
    data = write({**BESIDE, name: ""})

    @EXAMPLES
    @given(contents(SEEDS[name]))
    def check(raw: bytes) -> None:
        (data / name).write_bytes(raw)
        try:
            outcome: Outcome | None = examine(data, "2026-06-01")
        except UsageError as error:
            message = str(error)
            outcome = None
        if outcome is None:
            assert name == ".toolkitignore"
            assert len(message.splitlines()) == 1
            return
        assert len(outcome.findings) <= 5 * len(raw) + 12, "bounded by the file, and ten of the files beside it"
        check_places(outcome, name, raw)
        check_outcome(outcome, data)

    check()


def readings(data: Path, name: str) -> Iterator[RecordFile]:
    for form in ("yaml", "json", "jsonl", "csv"):
        yield RecordFile(data / name, name, "methods", form)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(raw=st.one_of(*(contents(seeds) for seeds in SEEDS.values())))
def test_no_reader_fails_on_what_another_one_wrote(write: Write, raw: bytes) -> None:
    data = write({"x.bin": raw})
    for file in readings(data, "x.bin"):
        records = list(read_file(file))
        assert len(records) <= len(raw) + 1
        assert all(fault.line >= 1 and fault.column >= 1 for record in records for fault in record.faults)


@pytest.mark.parametrize("name", SEEDS)
def test_every_cut_of_a_document_is_read_or_refused(write: Write, name: str) -> None:
    raw = SEEDS[name][0].encode()
    for end in range(0, len(raw), 7):
        data = write({**BESIDE, name: raw[:end]})
        outcome = examine(data, "2026-06-01")
        check_places(outcome, name, raw[:end])
        assert outcome.records == outcome.accepted + outcome.rejected
