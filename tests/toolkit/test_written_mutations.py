"""One defect in how a record is written (syntax, encoding, limits): its code at its place, the neighbours unharmed."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from richrecords import FORMS, MARK, OTHER, RESULT, unmarked
from sotakit.validate import examine

Write = Callable[..., Path]

CSV = (
    "id,benchmark,method,method_label,config.Model,config.k,scores.accuracy,locator.table,date,evidence\n"
    'row-8,sorting-on-numbers,bubble,"Bubble, plain",CNN,1,70.1,2,2026-02-27,author_reported\n'
    'row-9,sorting-on-numbers,merge,"Merge ""sort""",BNN,3,93.20,2,2026-02-28,author_reported\n'
)
TEXTS = {**{form: write([OTHER, RESULT]) for form, write in FORMS.items()}, "csv": CSV}
ROWS = 2


class Defect(NamedTuple):
    """A change of the text that stands once in it; None as the old text is the whole.

    The finding stands at the mark in the new text, or anywhere between two: parsers differ in whether they point at
    what is wrong or at what they waited for. A character U+DCxx stands for the byte xx. `lost` records are refused and
    `left` are read; where a document is one whole, a fault of its syntax leaves one refused record.
    """

    form: str
    old: str | None
    new: str
    code: str
    left: int = 0
    lost: int = 1


JSONL_9 = TEXTS["jsonl"].splitlines()[1]
DEEP = "[" * 120 + "]" * 120

DEFECTS: dict[str, Defect] = {
    # YAML
    "yaml: a key twice": Defect("yaml", '  variant: "b"\n', '  variant: "b"\n  ⌖variant: "c"\n', "E105", left=1),
    "yaml: a key twice inside": Defect("yaml", "    page: 7\n", "    page: 7\n    ⌖page: 8\n", "E105", left=1),
    "yaml: a key twice, in quotes": Defect("yaml", "    page: 7\n", '    page: 7\n    ⌖"page": 8\n', "E105", left=1),
    "yaml: an anchor": Defect("yaml", '"one core"', '⌖&core "one core"', "E107"),
    "yaml: an alias": Defect("yaml", '"one core"', "⌖*core", "E107"),
    "yaml: a tag": Defect("yaml", '"one core"', '⌖!!str "one core"', "E107"),
    "yaml: a constructor": Defect("yaml", '"one core"', "⌖!!python/object/apply:os.getcwd []", "E107"),
    "yaml: a merge key": Defect("yaml", '    Model: "BNN"\n', '    ⌖<<: {Model: "BNN"}\n', "E107"),
    "yaml: a list as a key": Defect("yaml", "    page: 7\n", "    ? ⌖[page]\n    : 7\n", "E107"),
    "yaml: a second document": Defect("yaml", '  visibility: "public"\n', '  visibility: "public"\n⌖---\n{}\n', "E107"),
    "yaml: a tab as indentation": Defect("yaml", "    page: 7\n", "⌖\tpage: 7⌖\n", "E104"),
    "yaml: a field too far left": Defect("yaml", "    page: 7\n", " ⌖page: 7\n", "E104"),
    "yaml: a field too far right": Defect("yaml", '  date: "2026-02-28"', '   ⌖date: "2026-02-28"', "E104"),
    "yaml: an unclosed quote": Defect("yaml", 'core"\n  extra_training_data: "', 'core\n  extra_training_data: "⌖',
                                      "E104"),
    "yaml: an unclosed bracket": Defect("yaml", '"one core"', "⌖[one core\n  extra_training_data⌖:", "E104"),
    "yaml: no colon": Defect("yaml", 'hardware: "one core"', '⌖hardware "one core"\n  extra_training_data⌖', "E104"),
    "yaml: an unknown escape": Defect("yaml", '"one core"', '"one ⌖\\⌖q core"', "E104"),
    "yaml: half a surrogate pair": Defect("yaml", '"one core"', '"one ⌖\\uD8⌖00 core"', "E104"),
    "yaml: a control character": Defect("yaml", '"one core"', '"one⌖\u0007 core"', "E104"),
    "yaml: a NUL": Defect("yaml", '"one core"', '"one\u0000 core"', "E102"),
    "yaml: a byte that is no UTF-8": Defect("yaml", '"one core"', '"one ≤ ⌖\udcff core"', "E102"),
    "yaml: Latin-1": Defect("yaml", '"one core"', '"one c⌖\udcf6re"', "E102"),
    "yaml: nested 120 deep": Defect("yaml", '"one core"', DEEP[:98] + "⌖" + DEEP[98:], "E106"),
    "yaml: an integer of 401 digits": Defect("yaml", "k: 3", "k: ⌖" + "9" * 401, "E106"),
    "yaml: a record that is text": Defect("yaml", '- id: "row-8"\n', '- ⌖row-7\n- id: "row-8"\n', "E111", left=2),
    # JSON
    "json: a key twice": Defect("json", '"k": 3,', '"k": 3,\n   ⌖"k": 3,', "E105", left=1),
    "json: a key twice, once in escapes": Defect("json", '"k": 3,', '"k": 3, ⌖"\\u006b": 3,', "E105", left=1),
    "json: a trailing comma": Defect("json", '"visibility": "public"\n  ⌖}'.replace("⌖", "").replace("  }", " }"),
                                     '"visibility": "public"⌖,\n ⌖}', "E104"),
    "json: a missing comma": Defect("json", '"k": 3,\n   "augmented"', '"k": 3⌖\n   ⌖"augmented"', "E104"),
    "json: a missing colon": Defect("json", '"k": 3', '"k"⌖ ⌖3', "E104"),
    "json: single quotes": Defect("json", '"k": 3', "⌖'k': 3", "E104"),
    "json: an unclosed quote": Defect("json", '"one core",', '⌖"one core,⌖', "E104"),
    "json: a comment": Defect("json", '"k": 3', '⌖// three\n "k": 3', "E104"),
    "json: a leading zero": Defect("json", '"k": 3', '"k": ⌖0⌖3', "E104"),
    "json: a tab in text": Defect("json", '"one core"', '"one⌖\tcore"', "E104"),
    "json: a word that is no value": Defect("json", '"k": 3', '"k": ⌖yes', "E104"),
    "json: half a surrogate pair": Defect("json", '"one core"', '⌖"one \\ud800⌖ core"', "E102", left=1),
    "json: a NUL": Defect("json", '"one core"', '"one\u0000 core"', "E102"),
    "json: a byte that is no UTF-8": Defect("json", '"one core"', '"one ≤ ⌖\udcff core"', "E102"),
    "json: an integer of 5000 digits": Defect("json", '"k": 3', '"k": ' + "9" * 5000, "E106"),
    # JSON Lines
    "jsonl: a key twice": Defect("jsonl", '"k": 3,', '"k": 3, ⌖"k": 4,', "E105", left=1),
    "jsonl: a trailing comma": Defect("jsonl", '"visibility": "public"}', '"visibility": "public"⌖,⌖}', "E104", left=1),
    "jsonl: an unclosed quote": Defect("jsonl", '"public"}', '⌖"public}⌖', "E104", left=1),
    "jsonl: a line cut short": Defect("jsonl", '"visibility": "public"}', '⌖"vis⌖', "E104", left=1),
    "jsonl: two records on a line": Defect("jsonl", "}\n{", "} ⌖{", "E104"),
    "jsonl: a record on two lines": Defect("jsonl", '"k": 3,', '⌖"k": 3,⌖\n⌖', "E104", left=1, lost=2),
    "jsonl: half a surrogate pair": Defect("jsonl", '"one core"', '⌖"one \\ud800⌖ core"', "E102", left=1),
    "jsonl: a byte that is no UTF-8": Defect("jsonl", '"one core"', '"one ≤ ⌖\udcff core"', "E102", left=1),
    "jsonl: nested 120 deep": Defect("jsonl", '"one core"', DEEP, "E106", left=1),
    "jsonl: a line over the limit": Defect("jsonl", '{"id": "row-9"', "⌖{" + " " * 16 * 1024**2 + '"id": "row-9"',
                                           "E106", left=1),
    "jsonl: a list for a record": Defect("jsonl", JSONL_9, "⌖[3]", "E111", left=1),
    "jsonl: text for a record": Defect("jsonl", JSONL_9, ' ⌖"row-9"', "E111", left=1),
    "jsonl: nothing for a record": Defect("jsonl", JSONL_9, "⌖null", "E111", left=1),
    # CSV
    "csv: a cell too few": Defect("csv", "row-9,", "⌖", "E110", left=1),
    "csv: a cell too many": Defect("csv", "row-9,", "⌖row-9,,", "E110", left=1),
    "csv: a comma without quotes": Defect("csv", 'row-9,sorting-on-numbers,merge,"Merge ""sort"""',
                                          "⌖row-9,sorting-on-numbers,merge,Merge, sort", "E110", left=1),
    "csv: an unclosed quote": Defect("csv", 'row-9,sorting-on-numbers,merge,"Merge ""sort"""',
                                     '⌖row-9,sorting-on-numbers,merge,"Merge', "E104", left=1),
    "csv: text behind a quote": Defect("csv", 'row-9,sorting-on-numbers,merge,"Merge ""sort"""',
                                       '⌖row-9,sorting-on-numbers,merge,"Merge" sort', "E104", left=1),
    "csv: a column twice": Defect("csv", "id,benchmark,", "⌖id,id,⌖", "E110"),
    "csv: a column without a name": Defect("csv", ",config.k,", ",,", "E110"),
    "csv: a column inside of another": Defect("csv", ",config.k,", ",config,", "E110"),
    "csv: a day that no calendar has": Defect("csv", "2026-02-28", "⌖2026-02-30", "E206", left=1),
    "csv: an unknown word": Defect("csv", "2026-02-28,author", "2026-02-28,⌖autor", "E204", left=1),
    "csv: an unknown method": Defect("csv", "merge,", "⌖marge,", "E304", left=1),
    "csv: an id in capitals": Defect("csv", "row-9", "⌖Row-9", "E205", left=1),
    "csv: an id that climbs": Defect("csv", "row-9", "⌖../../x", "E205", left=1),
    "csv: a value above the bounds": Defect("csv", "93.20", "⌖193.20", "E501", left=1),
    "csv: a bell in a label": Defect("csv", "Merge ", "Merge\u0007 ", "E209", left=1),
    "csv: a byte that is no UTF-8": Defect("csv", "Merge ", "Merge ≤ ⌖\udcff ", "E102", left=1),
    "csv: an empty id of a method": Defect("csv", "numbers,merge", "numbers,⌖", "E201", left=1),
}  # fmt: skip
UNMARKED = {
    "yaml: a NUL": (1, 1), "json: a NUL": (1, 1), "json: an integer of 5000 digits": (1, 1),
    "jsonl: nested 120 deep": (2, 1), "csv: a column without a name": (2, 1),
    "csv: a column inside of another": (1, 1), "csv: a bell in a label": (3, 32),
}  # fmt: skip
"""Places counted by hand: the start of what is refused as a whole, and the quote that opens a cell."""


def changed(defect: Defect) -> str:
    if defect.old is None:
        return defect.new
    assert TEXTS[defect.form].count(defect.old) == 1
    return TEXTS[defect.form].replace(defect.old, defect.new)


@pytest.mark.parametrize("form", TEXTS)
def test_what_is_mutated_has_no_fault(write: Write, minimal: dict[str, str], form: str) -> None:
    minimal[f"sources/paper-a.results.{form}"] = TEXTS[form]
    outcome = examine(write(minimal), "2026-06-01")
    assert (outcome.findings, outcome.accepted) == ([], 9 + ROWS)


@pytest.mark.parametrize("name", DEFECTS)
def test_one_defect_is_one_finding_at_its_place(write: Write, minimal: dict[str, str], name: str) -> None:
    defect, file = DEFECTS[name], f"sources/paper-a.results.{DEFECTS[name].form}"
    text, places = unmarked(changed(defect))
    places = places or [UNMARKED[name]]
    minimal[file] = text.encode("utf-8", "surrogateescape")  # type: ignore[assignment]
    outcome = examine(write(minimal), "2026-06-01")
    found = [finding for finding in outcome.findings if finding.code != "N210"]
    assert [(finding.code, finding.origin.file) for finding in found] == [(defect.code, file)] * defect.lost
    assert places[0] <= (found[0].line or 0, found[0].column or 0) <= places[min(1, len(places) - 1)]
    if defect.lost == 2:
        assert (found[1].line, found[1].column) > places[1]
    assert (outcome.accepted, outcome.rejected) == (9 + defect.left, defect.lost)


@pytest.mark.parametrize("form", TEXTS)
@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-32"])
def test_other_encodings_are_named_not_guessed(write: Write, minimal: dict[str, str], form: str, codec: str) -> None:
    file = f"sources/paper-a.results.{form}"
    outcome = examine(write({**minimal, file: TEXTS[form].encode(codec)}), "2026-06-01")
    errors = {(finding.code, finding.origin.file) for finding in outcome.findings}
    assert errors == {("E102", file)}
    assert outcome.accepted == 9
    assert "UTF-16" in outcome.findings[0].message or codec != "utf-16"


@pytest.mark.parametrize("form", TEXTS)
def test_a_byte_order_mark_is_a_warning_only(write: Write, minimal: dict[str, str], form: str) -> None:
    file = f"sources/paper-a.results.{form}"
    outcome = examine(write({**minimal, file: "\ufeff" + TEXTS[form]}), "2026-06-01")
    shown = [(finding.code, finding.origin.file, finding.line, finding.column) for finding in outcome.findings]
    assert shown == [("W103", file, 1, 1)]
    assert outcome.accepted == 9 + ROWS


@pytest.mark.parametrize("form", TEXTS)
def test_an_empty_file_or_one_without_records(write: Write, minimal: dict[str, str], form: str) -> None:
    empty = {"yaml": "# nothing\n", "json": "[]\n", "jsonl": "\n\n", "csv": "id,method\n"}[form]
    outcome = examine(write({**minimal, f"sources/paper-a.results.{form}": empty}), "2026-06-01")
    assert [found.code for found in outcome.findings] == (["W114"] if form == "yaml" else [])
    assert outcome.records == 9


def test_every_defect_is_marked_once_or_counted_by_hand() -> None:
    assert {name for name in DEFECTS if MARK not in DEFECTS[name].new} == set(UNMARKED)
    assert len(DEFECTS) > 60
