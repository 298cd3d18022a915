"""Dates, reproductions, retractions, terms, and what is counted once for a whole document."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rulecases import EIGHT, LATER, SOURCE, check, edited, event, other_source, places, row, rows
from sotakit.check.load import load
from sotakit.check.rules import TALLIED_RULES
from sotakit.check.tally import Sorts

Write = Callable[..., Path]


def codes(data: Path) -> list[str]:
    return [found.code for found in check(data).findings]


@pytest.mark.parametrize(
    ("date", "future"), [("2026", 0), ("2026-06", 0), ("2026-06-01", 0), ("2026-06-02", 1), ("2027", 1)]
)
def test_a_date_is_in_the_future_if_all_of_it_is(write: Write, minimal: dict[str, str], date: str, future: int) -> None:
    assert codes(write(edited(minimal, [(SOURCE, None, rows("50.5", date=f"'{date}'"))]))) == ["W602"] * future


@pytest.mark.parametrize(
    "edit",
    [
        (SOURCE, "type: paper\n", "type: paper\nrecorded_via: {name: Archive, retrieved: 2026-07-01}\n"),
        ("methods.yaml", None, "  released: 2026-07\n"),
    ],
)
def test_dates_of_other_records(write: Write, minimal: dict[str, str], edit: tuple[str, str | None, str]) -> None:
    assert codes(write(edited(minimal, [edit]))) == ["W602"]


def test_an_embargo_may_end_in_the_future(write: Write, minimal: dict[str, str]) -> None:
    assert codes(write(edited(minimal, [(SOURCE, "type: paper\n", "type: paper\nembargo_until: 2099-01\n")]))) == []


@pytest.mark.parametrize(
    ("released", "date", "early"),
    [("2020-02", "2020-01", 1), ("2020-02", "2020-02", 0), ("2020-02", "2020", 0), ("2020", "2020-01-01", 0),
     ("2020-02-02", "2020-02-01", 1)],
)  # fmt: skip
def test_a_result_is_too_early_only_if_it_must_be(
    write: Write, minimal: dict[str, str], released: str, date: str, early: int
) -> None:
    edits = [("datasets.yaml", None, f"  released: '{released}'\n"), (SOURCE, None, rows("50.5", date=f"'{date}'"))]
    assert codes(write(edited(minimal, edits))) == ["W603"] * early


RUN = other_source(name="run-1", head="type: run\n")[0], None, "id: run-1\ntype: run\n"


@pytest.mark.parametrize(
    ("fields", "proved"),
    [
        ({"evidence": "'https://example.org/log'"}, True),
        ({"reason": "see run-1"}, True),
        ({"reason": "see the lab book"}, False),
        ({}, False),
    ],
)
def test_a_reproduction_needs_evidence_or_a_run(
    write: Write, minimal: dict[str, str], fields: dict[str, str], proved: bool
) -> None:
    claimed = (SOURCE, None, rows("50.5", reproduction="consistent"))
    happened = ("events.yaml", None, event(type="reproduced", target="row-3", after="consistent", **fields))
    assert codes(write(edited(minimal, [RUN, claimed, happened]))) == ([] if proved else ["W604", "W604"])


def test_attempts_and_runs_themselves_prove_nothing_and_need_nothing(write: Write, minimal: dict[str, str]) -> None:
    run = other_source(row("r-1", reproduction="consistent", config="{k: 9}"), name="run-1", head="type: run\n")
    attempted = (SOURCE, None, rows("50.5", reproduction="incomplete"))
    assert codes(write(edited(minimal, [run, attempted]))) == []


def test_a_source_is_retracted_by_an_event_too(write: Write, minimal: dict[str, str]) -> None:
    happened = event(type="retracted", target="paper-a") + event(id="e2", type="retracted", target="row-1")
    (found,) = check(write(edited(minimal, [("events.yaml", None, happened)]))).findings
    assert found.message == "1 of 2 results of the retracted source paper-a are still active"
    assert (found.code, found.line) == ("W605", 8)


def test_results_that_fell_with_their_source(write: Write, minimal: dict[str, str]) -> None:
    fallen = "".join(event(id=f"e{n}", type="retracted", target=f"row-{n}") for n in (1, 2))
    retracted = (SOURCE, "type: paper\n", "type: paper\nretracted: true\n")
    assert codes(write(edited(minimal, [retracted, ("events.yaml", None, fallen)]))) == []


@pytest.mark.parametrize(
    ("licence", "noted"),
    [("CC-BY-NC-4.0", 1), ("cc by-nd 3.0", 1), ("All rights reserved", 1), ("non-commercial use only", 1),
     ("Proprietary", 1), ("CC-BY-4.0", 0), ("Apache-2.0", 0), ("public domain; and more", 0), ("NCSA", 0)],
)  # fmt: skip
def test_terms_that_may_forbid_the_export(write: Write, minimal: dict[str, str], licence: str, noted: int) -> None:
    said = (SOURCE, "type: paper\n", f"type: paper\nlicence: {licence}\n")
    assert codes(write(edited(dict(minimal), [said]))) == ["N606"] * noted
    kept = (SOURCE, "type: paper\n", f"type: paper\nlicence: {licence}\npublish: false\n")
    assert codes(write(edited(minimal, [kept]), "kept")) == []


def test_terms_of_an_archive_are_named_once(write: Write, minimal: dict[str, str]) -> None:
    head = "type: paper\nrecorded_via: {name: Archive, licence: CC BY-NC 4.0}\n"
    sources = [other_source(row("r-1", config="{a: 1}"), head=head)]
    sources.append(other_source(row("r-2", config="{a: 2}"), name="paper-c", head=head))
    assert places(check(write(edited(minimal, sources)))) == [("N606", "sources/paper-b.yaml", 3, 40)]


def test_counts_begin_at_ten(write: Write, minimal: dict[str, str]) -> None:
    assert codes(write(edited(dict(minimal), [(SOURCE, None, rows(*EIGHT[:7]))]))) == []
    outcome = check(write(edited(minimal, [(SOURCE, None, rows(*EIGHT) + row("row-x", config="{a: 1}", **LATER))])))
    assert [found.message for found in outcome.findings] == [
        "nothing says where paper-a can be found, which states 11 results",
        "10 of 11 results of paper-a have no date",
        "10 of 11 results of paper-a have no locator",
    ]
    assert {found.record for found in outcome.findings} == {"paper-a"}


@pytest.mark.parametrize("address", ["url: 'https://example.org'", "venue: Annals", "recorded_via: {name: Archive}"])
def test_sources_that_can_be_found(write: Write, minimal: dict[str, str], address: str) -> None:
    edits = [(SOURCE, "type: paper\n", f"type: paper\n{address}\n"), (SOURCE, None, rows(*EIGHT))]
    assert codes(write(edited(minimal, edits))) == ["N607", "N608"]


def lines(**fields: object) -> str:
    base = {"benchmark": "sorting-on-numbers", "method": "merge"}
    results = ({**base, "config": {"n": n}, "scores": {"accuracy": f"5{n}.5"}, **fields} for n in range(10))
    return "".join(json.dumps(result) + "\n" for result in results)


def test_a_run_dates_and_locates_its_results_even_if_it_is_read_after_them(
    write: Write, minimal: dict[str, str]
) -> None:
    minimal["sources/run-1.results.jsonl"] = lines()
    minimal["sources/run-1.yaml"] = "id: run-1\ntype: run\ndate: '2026-01-02'\n"
    assert codes(write(minimal)) == []
    minimal["sources/run-1.yaml"] = "id: run-1\ntype: run\n"
    assert codes(write(minimal, "undated")) == ["N607"]


def test_results_of_an_importer_are_counted_for_its_file(write: Write, minimal: dict[str, str]) -> None:
    row_of = {"file": "dump.json", "row": 1, "sha256": "0" * 64}
    minimal["sources/paper-b.yaml"] = "id: paper-b\ntype: paper\nurl: 'https://example.org'\n"
    minimal["sources/paper-b.results.jsonl"] = lines(imported=row_of)
    (found,) = check(write(minimal)).findings
    assert (found.code, found.record) == ("N607", "dump.json")
    assert found.message == "10 of 10 results of dump.json have no date"


def test_a_tally_says_the_same_of_batches_as_of_the_whole(write: Write, minimal: dict[str, str]) -> None:
    spread = '{text: "50.5 ± 1"}'
    whole = load(write(edited(minimal, [(SOURCE, None, rows(*EIGHT, *[spread] * 5))])))
    for rule in TALLIED_RULES.values():
        tally = rule.tally()
        for start in range(0, len(whole.results), 4):
            tally.add(whole.batch(whole.results[start : start + 4]))
        assert list(tally.problems()) == list(rule(whole))


def test_sorts_of_results_are_gathered_in_any_portions(write: Write, minimal: dict[str, str]) -> None:
    placed = row("row-x", config="{a: 1}", locator="{page: 1}") + row("row-y", config="{a: 2}", date="'2026-01-02'")
    events = ("events.yaml", None, "- {id: e1, type: retracted, target: row-x, date: '2026-01-03', actor: a}\n")
    whole = load(write(edited(minimal, [(SOURCE, None, rows(*EIGHT) + placed), events])))
    sorts = Sorts(whole.known)
    for result in whole.results:
        sorts.add([result])
    assert list(sorts) == list(Sorts(whole.known).add(whole.results))
    counts = {sort[2:]: count for sort, count, _ in sorts}
    assert counts == {(False, False, True): len(whole.results) - 2, (False, True, False): 1, (True, False, True): 1}
    assert {sort.document for sort, *_ in sorts} == {"paper-a"}
    gathered = whole.batch([])
    gathered.sorts = sorts
    for code in ("N601", "W605", "N607", "N608"):
        assert list(TALLIED_RULES[code](gathered)) == list(TALLIED_RULES[code](whole)), code
