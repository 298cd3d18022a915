"""The five trust fields are what was recorded, then changed by events in order."""

import itertools

from sotakit.trust import by_target, effective
from sotaschema.results import Event, Result

ROW = Result.model_validate(
    {"benchmark": "b", "method": "m", "scores": {"k": "1"}, "evidence": "vendor_claim", "transcription": "unchecked"}
)


def event(name: str, kind: str, date: str = "2026", **fields: str) -> Event:
    base = {"id": name, "type": kind, "target": "r", "date": date, "actor": "A. Author"}
    return Event.model_validate({**base, **fields})


def test_without_events_as_recorded() -> None:
    assert effective(ROW, []) == {
        "evidence": "vendor_claim",
        "transcription": "unchecked",
        "reproduction": "not_attempted",
        "status": "active",
        "comparability": "unknown",
    }


def test_events_change_the_field_of_their_type() -> None:
    events = [
        event("1", "checked", after="human_checked"),
        event("2", "reproduced", after="consistent"),
        event("3", "disputed"),
    ]
    fields = effective(ROW, events)
    assert (fields["transcription"], fields["reproduction"], fields["status"]) == (
        "human_checked",
        "consistent",
        "disputed",
    )


def test_a_named_field_goes_over_the_type() -> None:
    assert (
        effective(ROW, [event("1", "checked", field="comparability", after="standard")])["comparability"] == "standard"
    )


def test_an_event_that_sets_nothing_changes_nothing() -> None:
    assert effective(ROW, [event("1", "checked"), event("2", "renamed", after="x")]) == effective(ROW, [])


def test_the_last_event_holds_whatever_the_order_of_reading() -> None:
    events = [event("a", "disputed", "2025"), event("c", "corrected", "2025-03"), event("b", "superseded", "2025-03")]
    for order in itertools.permutations(events):
        assert effective(ROW, order)["status"] == "superseded", "a correction brings no claim back"
    back = event("d", "corrected", "2025-03", after="active")
    for order in itertools.permutations([*events, back]):
        assert effective(ROW, order)["status"] == "active"


def test_events_by_target() -> None:
    one, two = event("1", "disputed"), event("2", "disputed", target="s")
    assert dict(by_target([one, two])) == {"r": [one], "s": [two]}
