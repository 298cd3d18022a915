"""About eighty named defects of one record, with the code that each must give."""

import copy
from typing import Any, NamedTuple

from richrecords import MARK, RESULT, Marked, Written

GONE = object()
SCORE = "scores.accuracy"
_NUMBERS = {
    "not a number": Written("NaN", ".nan"),
    "infinity": Written("Infinity", ".inf"),
    "minus infinity": Written("-Infinity", "-.inf"),
    "a number beyond all": Written("1e400", "1e400"),
}


class Defect(NamedTuple):
    """What becomes of the field at a path, and the code that this must give.

    The finding stands at the value; at the key with `key`, and at the mapping around a field that is `GONE`. `yaml`
    is the code in YAML where it differs: there the reader knows that a number was written without quotes.
    """

    path: str
    value: Any
    code: str
    key: str | None = None
    yaml: str | None = None


DEFECTS: dict[str, Defect] = {
    "a required field is gone": Defect("benchmark", GONE, "E201"),
    "the method is gone": Defect("method", GONE, "E201"),
    "all scores are gone": Defect("scores", GONE, "E201"),
    "a required inner field is gone": Defect("imported.file", GONE, "E201"),
    "a misspelt field": Defect("method_label", "M", "E202", key="method_lable"),
    "a misspelt inner field": Defect(f"{SCORE}.uncertainty.kind", "ci", "E202", key="kinds"),
    "a field in another case": Defect("date", "2026", "E202", key="Date"),
    "text for a mapping": Defect("locator", "Table 2", "E203"),
    "a list for a mapping": Defect("config", ["BNN"], "E203"),
    "a mapping for text": Defect("hardware", {"gpu": "one"}, "E203"),
    "a list for text": Defect("notes", ["first"], "E203"),
    "a number for text": Defect("hardware", 12, "E203"),
    "true for text": Defect("variant", True, "E203"),
    "nothing for a required field": Defect("method", None, "E203"),
    "true for a number": Defect("locator.page", True, "E203"),
    "true for a score": Defect(SCORE, True, "E203"),
    "a list for a score": Defect(SCORE, [1, 2], "E203"),
    "text for a count": Defect(f"{SCORE}.n_runs", "5", "E203"),
    "a fraction for a count": Defect(f"{SCORE}.n_runs", 2.5, "E203"),
    "text for a level": Defect(f"{SCORE}.uncertainty.level", "0.95", "E203"),
    "a number for a note": Defect("config_extra.Split", 3, "E203"),
    "a date that is a number": Defect("date", 20260, "E203"),
    **{f"{name} in the config": Defect("config.epsilon", value, "E207") for name, value in _NUMBERS.items()},
    "not a number as a score": Defect(SCORE, _NUMBERS["not a number"], "E207"),
    "a day that no calendar has": Defect("date", "2024-02-30", "E206"),
    "a month that no calendar has": Defect("date", "2026-13", "E206"),
    "a date in another order": Defect("date", "28.02.2026", "E206"),
    "a date with a time": Defect("date", "2026-02-28T00:00:00Z", "E206"),
    "an id in capitals": Defect("id", "Row-9", "E205"),
    "an id of 65 characters": Defect("id", "x" * 65, "E205"),
    "an id with a slash": Defect("id", "a/b", "E205"),
    "an id that climbs": Defect("id", "../row-9", "E205"),
    "an id of dots": Defect("id", "..", "E205"),
    "an id with a line break": Defect("id", "row-9\n", "E205"),
    "an empty id": Defect("id", "", "E205"),
    "an id in other letters": Defect("id", "röw-9", "E205"),
    "an id that is a number": Defect("id", Written("6976", "6976e4"), "E203", yaml="E205"),
    "a metric key that cannot be one": Defect(SCORE, "93.2", "E205", key="Acc Y"),
    **{
        f"an unknown word for {path.rpartition('.')[2]}": Defect(path, "perhaps", "E204")
        for path in (
            *("date_kind", "evidence", "transcription", "reproduction", "status", "comparability", "visibility"),
            *(f"{SCORE}.unit", f"{SCORE}.qualifier", f"{SCORE}.aggregation", f"{SCORE}.uncertainty.kind"),
        )
    },
    "a negative count": Defect(f"{SCORE}.n_runs", -1, "E209"),
    "page nought": Defect("locator.page", 0, "E209"),
    "a count beyond all": Defect(f"{SCORE}.n_items", 10**20, "E209"),
    "a level in percent": Defect(f"{SCORE}.uncertainty.level", 95, "E209"),
    "a bound that is no number": Defect(f"{SCORE}.uncertainty.low", "low", "E209"),
    "a bell in a label": Defect("method_label", "Merge\u0007", "E209"),
    "a line break in a label": Defect("method_label", "Merge\nsort", "E209"),
    "an escape in a key": Defect("config.k", 3, "E205", key="k\u001b[31m"),
    "an empty label": Defect("method_label", "", "E209"),
    "a label of 1001 characters": Defect("method_label", "x" * 1001, "E209"),
    "notes without end": Defect("notes", "x" * 20_001, "E209"),
    "a value of 201 characters": Defect(f"{SCORE}.text", "1" * 201, "E209"),
    "no score at all": Defect("scores", {}, "E209"),
    "nested config": Defect("config.Model", ["BNN"], "E209"),
    "two spellings of one key": Defect("config", {"caf\u00e9": 1, "cafe\u0301": 2}, "E209"),
    "another source than its file": Defect("source", "paper-b", "E209"),
    "an unknown method": Defect("method", "marge", "E304"),
    "an unknown benchmark": Defect("benchmark", "sorting-on-letters", "E305"),
    "an unknown metric": Defect(SCORE, {"text": "93.20"}, "E307", key="acuracy"),
    "the id of another result": Defect("id", "row-8", "E401"),
    "a value above the bounds": Defect(f"{SCORE}", "193.2", "E501"),
    "a value below the bounds": Defect(f"{SCORE}", {"text": "-0.1"}, "E501"),
    "another unit than the board's": Defect(f"{SCORE}", {"text": "93.2", "unit": "seconds"}, "E502"),
    "two numbers in one value": Defect(f"{SCORE}", "60.17 / 72.92", "W212"),
    "a decimal comma": Defect(f"{SCORE}", "93,2", "W208"),
    "a spread of unknown kind": Defect(f"{SCORE}", {"text": "93.2 ± 0.1"}, "N518"),
    "a date in the future": Defect("date", "2026-06-02", "W602"),
    "a reproduction without evidence": Defect("reproduction", "consistent", "W604"),
}


def mutated(defect: Defect) -> Any:
    """The rich result with the defect, marked where the finding belongs."""
    result: Any = copy.deepcopy(RESULT)
    *above, name = defect.path.split(".")
    inner = result
    for step in above:
        inner = inner[step]
    if defect.value is not GONE:
        key = name if defect.key is None else MARK + defect.key
        changed = {key: defect.value if defect.key else Marked(defect.value)}
        items = {**inner, **({name: None} if name not in inner else {})}.items()
        fresh = {k: v for item in items for k, v in (changed.items() if item[0] == name else [item])}
        inner.clear()
        inner.update(fresh)
        return result
    del inner[name]
    if not above:
        return Marked(result)
    outer = result
    for step in above[:-1]:
        outer = outer[step]
    outer[above[-1]] = Marked(inner)
    return result
