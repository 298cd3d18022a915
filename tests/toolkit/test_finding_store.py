"""Many findings: kept on disk, given back in order, told in few lines; their number costs no memory."""

import json
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from sotakit.check import finding_store
from sotakit.check.finding_store import Findings
from sotakit.check.findings import Finding, Origin
from sotakit.cli import app
from sotakit.streamed_json import ITEMS, streamed
from sotakit.terminal import safe
from sotakit.text_report import KINDS_OF_A_FIELD, SHOWN_OF_A_KIND

Write = Callable[..., Path]
ROW = {"source": "paper-a", "benchmark": "sorting-on-numbers", "method": "merge", "scores": {"accuracy": "50"}}

steps = st.text(st.characters(exclude_categories=[]), max_size=4) | st.integers(0, 9)
origins = st.builds(
    Origin, st.sampled_from(["a", "b/é", "b/\udcff", "𐀀", "\uffff"]), st.integers(1, 5), st.tuples(steps)
)
findings = st.builds(
    Finding,
    code=st.sampled_from(["E204", "W514", "N210"]),
    severity=st.sampled_from(["error", "warning", "note"]),
    origin=origins,
    message=st.text(st.characters(exclude_categories=[]), max_size=8),
    hint=st.sampled_from(["", "do"]),
    record=st.text(max_size=3),
    loc=st.lists(steps, max_size=3).map(tuple),
    at_key=st.booleans(),
    line=st.none() | st.integers(1, 5),
    column=st.none() | st.integers(1, 5),
    found=st.sampled_from(["", "x"]),
)


@given(st.lists(findings, max_size=12), st.integers(1, 5))
def test_what_goes_in_comes_out_in_order(given_in: list[Finding], together: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finding_store, "_WAITING", together)
        kept = Findings(given_in)
        place = lambda found: (found.origin.file, found.line or found.origin.line, found.column or 0, found.code)  # noqa: E731
        severity = ["error", "warning", "note"].index
        assert kept == sorted(given_in, key=place)
        assert list(kept.by_severity()) == sorted(given_in, key=lambda found: (severity(found.severity), *place(found)))
        by_record = [(found.code, found.origin.file, found.record, found.field) for found in kept.by_record()]
        assert by_record == sorted(by_record)
        assert (len(kept), kept.codes.total()) == (len(given_in), len(given_in))
        assert kept.severities["error"] == sum(found.severity == "error" for found in given_in)
        kinds = [
            (found.finding.origin.file, found.finding.severity, found.finding.code, found.finding.kind)
            for found in kept.in_kinds()
        ]
        for kind, found in zip(kinds, kept.in_kinds(), strict=True):
            assert found.total == kinds.count(kind)


@given(
    st.lists(st.integers() | st.dictionaries(st.text(), st.none()), max_size=4),
    st.dictionaries(st.text(), st.integers()),
)
def test_a_streamed_document_is_what_json_writes(items: list[object], head: dict[str, int]) -> None:
    whole = {"head": head, "runs": [{"results": [ITEMS]}]}
    assert "\n".join(streamed(whole, iter(items))) == json.dumps({"head": head, "runs": [{"results": items}]}, indent=1)


def run(data: Path, *arguments: object) -> str:
    return CliRunner().invoke(app, ["validate", str(data), "--check-only", *map(str, arguments)]).stdout


def lines_of(rows: list[dict[str, object]], minimal: dict[str, str]) -> dict[str, str]:
    return {**minimal, "results/x.jsonl": "".join(json.dumps(row) + "\n" for row in rows)}


@pytest.mark.parametrize("count", [1, 3, 4, 5, 127, 128, 129, 1_500])
def test_one_wrong_word_in_every_line_is_told_once(write: Write, minimal: dict[str, str], count: int) -> None:
    rows = [{**ROW, "variant": str(number), "evidence": "reported"} for number in range(count)]
    data = write(lines_of(rows, minimal))
    text = run(data)
    more = count - SHOWN_OF_A_KIND
    assert text.count(": error E204 evidence: ") == min(count, SHOWN_OF_A_KIND)
    lines = "line 4" if more == 1 else f"lines 4 to {count:,}"
    assert (f"and {more:,} more like this (E204 evidence), {lines}\n" in text) == (more > 0)
    assert f"{count:6,} x E204 " in text
    assert f"{count:,} rejected; {count:,} errors" in text
    assert run(data, "--all").count(": error E204 evidence: ") == count
    assert len(json.loads(run(data, "--format", "json"))["findings"]) == count
    assert len(json.loads(run(data, "--format", "sarif"))["runs"][0]["results"]) == count
    assert run(data, "--format", "jsonl").count("\n") == run(data, "--format", "github").count("\n") == count


def test_many_wrong_words_are_told_as_one_field(write: Write, minimal: dict[str, str]) -> None:
    rows = [{**ROW, "variant": str(number), "evidence": f"word {number % 40}"} for number in range(200)]
    text = run(write(lines_of(rows, minimal)))
    assert text.count(": error E204 evidence: ") == SHOWN_OF_A_KIND * KINDS_OF_A_FIELD
    assert text.count("more like this (E204 evidence)") == KINDS_OF_A_FIELD
    others = 200 * (40 - KINDS_OF_A_FIELD) // 40
    assert f"and {others} more with other values (E204 evidence), lines 11 to 200" in text


def test_each_kind_is_told_where_kinds_are_mixed(write: Write, minimal: dict[str, str]) -> None:
    rows: list[dict[str, object]] = []
    for number in range(60):
        wrong = [{"evidence": "reported"}, {"method": "marge"}, {"spam": 1}][number % 3]
        rows.append({**ROW, "variant": str(number), **wrong})
    text = run(write(lines_of(rows, minimal)))
    for code, field in (("E204", "evidence"), ("E304", "method"), ("E202", "spam")):
        assert text.count(f": error {code} {field}: ") == SHOWN_OF_A_KIND
    assert text.count("and 17 more like this") == 3


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 7])
def test_every_finding_is_shown_or_counted(write: Write, minimal: dict[str, str], limit: int) -> None:
    rows = [{**ROW, "variant": str(n), **([{"evidence": "x"}, {"method": "y"}][n % 2])} for n in range(20)]
    text = run(write(lines_of(rows, minimal)), "--limit", limit)
    shown = text.count(": error E")
    more = [line.split(": ")[1] for line in text.splitlines() if " more " in line and "x.jsonl" in line]
    counted = [int(words.removeprefix("and ").split()[0]) for words in more]
    assert shown + sum(counted) == 20
    assert shown == min(limit, 6)


def test_thousands_of_faults_in_a_document_are_placed(write: Write, minimal: dict[str, str]) -> None:
    rows = [{**ROW, "variant": str(number), "evidence": "reported"} for number in range(3_000)]
    minimal["results/x.json"] = "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n"
    found = [json.loads(line) for line in run(write(minimal), "--format", "jsonl").splitlines()]
    assert [item["line"] for item in found] == list(range(2, 3_002))
    assert {item["column"] for item in found} <= {
        json.dumps(rows[n]).index('"reported"') + 1 for n in (0, 10, 100, 1_000)
    }


def test_faults_of_long_csv_rows_are_placed(write: Write, minimal: dict[str, str]) -> None:
    note = '"first\nsecond, ""quoted""\nthird"'
    text = "source,benchmark,method,variant,notes,evidence,scores.accuracy\n"
    for number in range(300):
        text += f"paper-a,sorting-on-numbers,merge,v{number},{note},{'x' if number % 3 else 'vendor_claim'},50\n"
    minimal["results/x.csv"] = text
    said = map(json.loads, run(write(minimal), "--format", "jsonl").splitlines())
    found = [item for item in said if item["code"] == "E204"]
    assert [(item["line"], item["column"]) for item in found] == [
        (2 + 3 * n + 2, len("third") + 3) for n in range(300) if n % 3
    ]


def test_memory_does_not_grow_with_findings() -> None:
    def peak(count: int) -> int:
        tracemalloc.start()
        kept = Findings(
            Finding("E204", "error", Origin("a", number), "m" * 100, loc=("evidence",)) for number in range(count)
        )
        assert sum(1 for _ in kept.in_kinds()) == count
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    assert peak(20_000) < 1.2 * peak(4_000)


def test_no_room_for_findings_is_said_in_one_line(
    write: Write, minimal: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding_store, "_SET_UP", finding_store._SET_UP + "PRAGMA max_page_count = 8;")
    rows = [{**ROW, "variant": str(n), "evidence": "reported"} for n in range(3_000)]
    done = CliRunner().invoke(app, ["validate", str(write(lines_of(rows, minimal))), "--check-only"])
    assert done.exit_code == 4
    assert "the findings cannot be kept" in done.output
    assert "TMPDIR" in done.output


BROKEN = {"that is no YAML": "id: [paper-z\n", "that is refused": "id: paper-z\ntype: novel\n", "that is missing": ""}


@pytest.mark.parametrize("count", [1, 2, 128, 129])
@pytest.mark.parametrize("why", BROKEN)
@pytest.mark.parametrize("form", ["beside", "apart"])
def test_results_wait_for_their_source_in_one_line(
    write: Write, minimal: dict[str, str], count: int, why: str, form: str
) -> None:
    rows = [{**ROW, "source": "paper-z", "variant": str(number)} for number in range(count)]
    random.Random(count).shuffle(rows)
    minimal["results/x.jsonl" if form == "apart" else "sources/paper-z.results.jsonl"] = "".join(
        json.dumps(row) + "\n" for row in rows
    )
    if BROKEN[why]:
        minimal["sources/paper-z.yaml"] = BROKEN[why]
    said = map(json.loads, run(write(minimal), "--format", "jsonl").splitlines())
    found = [item for item in said if item["severity"] != "note"]
    waiting = [item for item in found if item["code"] in ("E306", "E312")]
    assert len(found) == 1 + bool(BROKEN[why])
    assert len(waiting) == 1
    assert (f"{count:,} results wait for it" in waiting[0]["message"]) == (count > 1)
    assert ("mend sources/paper-z.yaml first" in waiting[0]["hint"]) == (why == "that is no YAML")


def test_safe_shows_what_cannot_be_seen() -> None:
    assert safe("a\u202eb\x1b[2J\u200b\x7f\x9b") == "a<U+202E>b␛[2J<U+200B>␡<U+009B>"
