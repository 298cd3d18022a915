"""What goes on: nothing refused, nothing that hangs on it, nothing private."""

from collections.abc import Callable
from pathlib import Path

import pytest

from outcomes import public_ids
from sotakit.check.load import load
from sotakit.validate import Outcome, examine, validate

Write = Callable[..., Path]
SOURCE = "sources/paper-a.yaml"

PRIVATE = (
    "id: paper-b\ntype: report\n{how}\nresults:\n"
    "  - {{id: row-7, benchmark: sorting-on-numbers, method: merge, scores: {{accuracy: 99.5}}}}\n"
)


def check(data: Path, as_of: str = "2026-06-01") -> Outcome:
    return examine(data, as_of)


EVERYTHING = {"sorting", "numbers", "accuracy", "bubble", "merge", "sorting-on-numbers", "paper-a", "row-1", "row-2"}


@pytest.mark.parametrize(
    ("name", "old", "new", "gone"),
    [
        (SOURCE, "accuracy: 93.2", "accuracy: 193.2", {"row-2"}),
        ("methods.yaml", "name: Merge", "nam: Merge", {"merge", "row-2"}),
        ("tasks.yaml", "name: Sorting", "name: 5", {"sorting", "sorting-on-numbers", "row-1", "row-2"}),
        ("metrics.yaml", "name: Accuracy", "name: 5", {"accuracy", "sorting-on-numbers", "row-1", "row-2"}),
        (SOURCE, "type: paper", "type: papyrus", EVERYTHING - {"sorting", "numbers", "bubble", "merge"}),
    ],
)
def test_what_hangs_on_a_refused_record_goes_with_it(
    write: Write, minimal: dict[str, str], name: str, old: str, new: str, gone: set[str]
) -> None:
    minimal[name] = minimal[name].replace(old, new)
    data = write(minimal)
    outcome = check(data)
    assert EVERYTHING - public_ids(outcome, data) == gone
    assert (outcome.records, outcome.rejected) == (9, len(gone))


def test_results_of_a_second_source_of_one_id_are_not_given_to_the_first(write: Write, minimal: dict[str, str]) -> None:
    minimal["sources/paper-b.yaml"] = minimal[SOURCE].replace("row", "line")
    data = write(minimal)
    outcome = check(data)
    assert [finding.code for finding in outcome.findings if finding.severity == "error"] == ["E401"]
    assert public_ids(outcome, data) == EVERYTHING
    assert (outcome.records, outcome.rejected) == (12, 3)


def test_events_of_refused_results_go_too(write: Write, minimal: dict[str, str]) -> None:
    minimal[SOURCE] = minimal[SOURCE].replace("93.2", "193.2")
    minimal["events.yaml"] = "- {id: e1, type: disputed, target: row-2, date: '2026', actor: A. Author}\n"
    data = write(minimal)
    outcome = check(data)
    assert [finding.code for finding in outcome.findings] == ["E501"]
    assert "e1" not in public_ids(outcome, data)


@pytest.mark.parametrize(
    ("how", "as_of", "shown"),
    [
        ("visibility: private", "2026-06-01", False),
        ("publish: false", "2026-06-01", False),
        ("embargo_until: 2026-06-02", "2026-06-01", False),
        ("embargo_until: 2026-06-02", "2026-06-02", True),
        ("embargo_until: 2026-07", "2026-07-30", False),
        ("embargo_until: 2026-07", "2026-07-31", True),
        ("visibility: public", "2026-06-01", True),
    ],
)
def test_private_sources_stay_in_the_data(
    write: Write, minimal: dict[str, str], how: str, as_of: str, shown: bool
) -> None:
    minimal["sources/paper-b.yaml"] = PRIVATE.format(how=how)
    minimal["events.yaml"] = "- {id: e1, type: disputed, target: row-7, date: '2026', actor: A. Author}\n"
    data = write(minimal)
    outcome = check(data, as_of)
    assert {"paper-b", "row-7", "e1"} & public_ids(outcome, data) == ({"paper-b", "row-7", "e1"} if shown else set())
    assert (outcome.records, outcome.rejected, outcome.hidden) == (12, 0, 0 if shown else 2)


@pytest.mark.parametrize("how", ["visibility: private", "embargo_until: '2099'"])
def test_private_results_of_a_public_source(write: Write, minimal: dict[str, str], how: str) -> None:
    minimal[SOURCE] += f"    {how}\n"
    data = write(minimal)
    outcome = check(data)
    assert public_ids(outcome, data) == EVERYTHING - {"row-2"}
    assert outcome.hidden == 1


def test_not_even_the_id_of_a_private_source_is_compiled(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    minimal["sources/paper-b.yaml"] = PRIVATE.format(how="visibility: private")
    minimal["methods.yaml"] += "  origin: paper-b\n"
    minimal["datasets.yaml"] += "  paper: paper-b\n"
    minimal["metrics.yaml"] = minimal["metrics.yaml"].replace("paper-a}]", "paper-a}, {source: paper-b}]")
    outcome = validate(write(minimal), tmp_path / "build", "2026-06-01")
    assert outcome.count("error") == 0
    assert outcome.tables is not None
    import pyarrow.parquet as pq

    text = " ".join(str(pq.read_table(path).to_pylist()) for path in sorted(outcome.tables.glob("*.parquet")))
    assert "paper-a" in text
    assert "paper-b" not in text
    assert "row-7" not in text


def test_loading_keeps_the_ids_of_refused_records(write: Write, minimal: dict[str, str]) -> None:
    minimal["methods.yaml"] += "- id: 12e5\n  name: X\n- id: quick\n  nam: X\n- id: deep\n  name: X\n  name: Y\n"
    assert load(write(minimal)).ids["methods"] == {"bubble", "merge", "12e5", "quick", "deep"}


@pytest.mark.parametrize(
    ("name", "line", "gone"),
    [
        ("methods.yaml", "  origin: paper-b\n", {"merge", "row-2"}),
        ("datasets.yaml", "  paper: paper-b\n", {"numbers", "sorting-on-numbers", "row-1", "row-2"}),
    ],
)
def test_what_was_introduced_by_a_refused_source_goes_with_it(
    write: Write, minimal: dict[str, str], name: str, line: str, gone: set[str]
) -> None:
    minimal["sources/paper-b.yaml"] = "id: paper-b\ntype: papyrus\n"
    minimal[name] += line
    data = write(minimal)
    outcome = check(data)
    assert [finding.code for finding in outcome.findings] == ["E204"]
    assert EVERYTHING - public_ids(outcome, data) == gone
