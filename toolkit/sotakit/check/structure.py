"""From plain values to records: pydantic's errors become findings with a code, an expectation and a next step."""

import difflib
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sotakit.check.codes import severity_of
from sotakit.check.findings import Finding, Origin, Step
from sotakit.collection import LoadedResult, loaded
from sotakit.read.json_reader import key_count
from sotakit.read.raw import MAX_KEYS
from sotaschema.base import NUMBER_PATTERN, OWN_ERRORS, Record
from sotaschema.identity import ID_PATTERN
from sotaschema.results import ARXIV_PATTERN, DOI_PATTERN, OPENREVIEW_PATTERN, Result
from sotaschema.values import WrittenFloat, WrittenInt

_CODES = {
    "missing": "E201",
    "extra_forbidden": "E202",
    "date": "E206",
    "finite_number": "E207",
    "string_unicode": "E102",
}
_EXPECTED = {
    "string_type": "expected text",
    "int_parsing": "expected a whole number",
    "int_from_float": "expected a whole number",
    "float_parsing": "expected a number",
    "bool_parsing": "expected true or false",
    "int_type": "expected a whole number",
    "float_type": "expected a number",
    "bool_type": "expected true or false",
    "list_type": "expected a list",
    "dict_type": "expected a mapping",
    "model_type": "expected a mapping",
}
"""What is expected of a value's type, by the kind of a validation error."""

_LIMITS = {
    "list_too_short": "expected a list of at least {min_length}",
    "dict_too_short": "expected a mapping with at least {min_length} key",
    "string_too_short": "expected text that is not empty",
    "string_too_long": "expected text of at most {max_length:,} characters",
    "greater_than": "expected a number above {gt:,}",
    "greater_than_equal": "expected a number of at least {ge:,}",
    "less_than": "expected a number below {lt:,}",
    "less_than_equal": "expected a number of at most {le:,}",
    "int_parsing_size": "expected a whole number of fewer digits",
    "finite_number": "expected a finite number",
    "string_unicode": "expected text that UTF-8 can carry",
}
"""What is expected of a value that has the right type; in braces what the field asks for."""

_FORMS = {
    ID_PATTERN: "expected an id",
    NUMBER_PATTERN: "expected one number as digits, such as 0.5 or -1e-3",
    ARXIV_PATTERN: "expected an arXiv id such as 2106.07476 or hep-th/9901001",
    DOI_PATTERN: "expected a DOI such as 10.1000/182, without https://doi.org/",
    OPENREVIEW_PATTERN: "expected an OpenReview id, the letters and digits behind forum?id=",
}
"""What is expected, by the pattern of a text."""


_ID_FIELDS = frozenset(
    {"id", "task", "dataset", "metric", "method", "benchmark", "source", "origin", "paper", "target", "old", "new"}
    | {"parents", "benchmarks", "arxiv"}
)
"""Fields that hold an id or a list of ids."""


class FirstLook:
    """Reads results from single lines of JSON by pydantic's own parser, several times faster than by way of values.

    That parser keeps the last of two equal keys, so keys are counted: in the line, and in the record. Where a line has
    no more colons than the record has keys, no key is doubled and no score is a mapping; else it is counted with more
    care. A line is looked at again, slowly and with all its findings, unless it is beyond doubt in order.
    """

    def __init__(self, file: str, source: str | None = None) -> None:
        """Takes the name of the file, and the source that all its results belong to if there is one."""
        self._file = file
        self._source = source
        self._bare_scores = False

    def accept_bare_scores(self) -> "FirstLook":
        """From now on, scores that are bare numbers need no second look."""
        self._bare_scores = True
        return self

    def __call__(self, line: bytes, number: int = 1) -> LoadedResult | None:
        """The result in a line, or None for a second look."""
        if b"\\" in line:  # one key can be spelled in two ways
            return None
        try:
            record: Result = _VALIDATE(line)
        except ValidationError:
            return None
        if _has_float(record) and _LOST_ZERO.search(line):
            return None
        keys = _keys_of(record)
        if line.isascii() and line.count(b":") == keys <= MAX_KEYS and _all_texts(record, line):
            texts = {key: score.text for key, score in record.scores.items()}
            return loaded(record, self._source, Origin(self._file, number), texts)
        if key_count(line) == keys + self._keys_of_scores(record, line):
            return loaded(record, self._source, Origin(self._file, number))
        return None

    def _keys_of_scores(self, record: Result, line: bytes) -> int:
        """How many keys the scores have that are mappings; -1 if that cannot be told by their first signs."""
        colon, keys = '": ' if b'": ' in line else '":', 0
        for key, score in record.scores.items():
            if f'"{key}{colon}"{score.text}"'.encode() in line:
                continue
            if f'"{key}{colon}{{'.encode() in line and key not in _MAPPINGS:
                keys += len(score.model_fields_set)
                keys += len(score.uncertainty.model_fields_set) if score.uncertainty else 0
            elif not (self._bare_scores and f'"{key}{colon}{score.text}'.encode() in line):
                return -1
        return keys


_LOST_ZERO = re.compile(rb"\.[0-9]+0[\s,}]")
"""Where a number without quotes may end in a zero which it does not keep: 12.10."""

_VALIDATE = Result.__pydantic_validator__.validate_json
"""What `Result.model_validate_json` calls."""

_MAPPINGS = frozenset({"config", "config_extra", "settings", "scores", "locator", "imported", "uncertainty"})
"""Fields that hold mappings: a score with such a name could be taken for one."""


def _has_float(record: Result) -> bool:
    """Whether a setting is a number with a point, whose digits may be lost."""
    for settings in (record.config, record.settings):
        for value in settings.values():
            if isinstance(value, float):
                return True
    return False


def _keys_of(record: Result) -> int:
    """How many keys a result was read from, those of its scores' own mappings not counted."""
    keys = len(record.model_fields_set) + len(record.scores) + len(record.config)
    keys += len(record.config_extra) + len(record.settings)
    if record.locator:
        keys += len(record.locator.model_fields_set)
    if record.imported:
        keys += len(record.imported.model_fields_set)
    return keys


def _all_texts(record: Result, line: bytes) -> bool:
    """Whether all scores are plain texts, told by the quotes up to the first closing bracket; if in doubt, False.

    For a line without escapes, so that quotes stand around texts only and nothing but the scores can begin as they do.
    """
    start = line.find(b'"scores":{')
    if start < 0:
        start = line.find(b'"scores": {')
    return start >= 0 and line.count(b'"', start, line.find(b"}", start)) == 2 + 4 * len(record.scores)


def build(model: type[Record], value: Any, origin: Origin, *, texts: bool = False) -> Record | list[Finding]:
    """The record that a value is, or all that is wrong with it.

    `texts` says that every value is a text (CSV), to be read as the type of its field.
    """
    if not isinstance(value, dict):
        message = f"expected a mapping, found {_shown(value)}"
        return [Finding("E111", severity_of("E111"), origin, message, "start with the record's fields")]
    try:
        return model.model_validate(value, strict=not texts)
    except ValidationError as error:
        name = stated_id(value)
        return [_from_error(details, model, origin, name) for details in _distinct(error)]


def stated_id(value: Any) -> str:
    """The id that a refused record names as it was written, if it names one."""
    stated = (value.get("id") or value.get("key")) if isinstance(value, dict) else None
    return stated.text if isinstance(stated, WrittenInt | WrittenFloat) else str(stated or "")


def _distinct(error: ValidationError) -> Iterator[ErrorDetails]:
    """One error for each place: a union reports each of its branches."""
    seen: set[tuple[Step, ...]] = set()
    for details in error.errors(include_url=False):
        if details["loc"] not in seen:
            seen.add(details["loc"])
            yield details


class _Fault(NamedTuple):
    """What one of pydantic's errors is for the author of a record."""

    code: str
    message: str
    hint: str
    loc: tuple[Step, ...]
    at_key: bool = False
    found: str = ""


def _from_error(details: ErrorDetails, model: type[Record], origin: Origin, record: str) -> Finding:
    fault = _fault(details, model)
    plain = Finding(fault.code, severity_of(fault.code), origin, fault.message, fault.hint, record)
    return replace(plain, loc=fault.loc, at_key=fault.at_key, found=fault.found)


def _fault(details: ErrorDetails, model: type[Record]) -> _Fault:
    kind, loc = details["type"], details["loc"]
    if kind == "missing":
        return _Fault("E201", f"the field {str(loc[-1])!r} is missing", "add it", loc)
    if kind == "extra_forbidden":
        return _Fault("E202", f"unknown field {_shown(str(loc[-1]))}", _similar(model, loc), loc, at_key=True)
    if loc and loc[-1] == "[key]":
        message = f"{_shown(str(loc[-2]))} cannot be a key here: {_expectation(details)}"
        return _Fault("E205", message, "use another key", loc[:-1], at_key=True)
    code, hint = _code_and_hint(details)
    found = _shown(details["input"])
    if kind == "value_error" and isinstance(details["input"], dict):  # of a record as a whole: nothing single was found
        return _Fault(code, _expectation(details), hint, loc)
    return _Fault(code, f"{_expectation(details)}, found {found}", hint, loc, found=found)


def _code_and_hint(details: ErrorDetails) -> tuple[str, str]:
    """The code of a value that is wrong, and what to do about it where the message does not say so."""
    kind, loc, value, context = details["type"], details["loc"], details["input"], details.get("ctx") or {}
    if kind == "string_pattern_mismatch" and context.get("pattern") == ID_PATTERN:
        return "E205", "use lower-case letters, digits, dots, dashes and underscores, at most 64"
    if kind == "string_type" and isinstance(value, WrittenInt | WrittenFloat):
        return "E205" if _ID_FIELDS.intersection(loc[-2:]) else "E203", f'put it in quotes: "{value.text}"'
    if kind == "literal_error":
        return "E204", _word_hint(str(value), str(context.get("expected", "")))
    return _CODES.get(kind, "E203" if kind in _EXPECTED else "E209"), ""


def _expectation(details: ErrorDetails) -> str:
    """What the schema asks for, in our own words: those of the validation library are for programmers."""
    kind, context = details["type"], details.get("ctx") or {}
    if kind in ("too_short", "too_long"):
        kind = f"{'dict' if isinstance(details['input'], dict) else 'list'}_{kind}"
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    if kind in _LIMITS:
        return _LIMITS[kind].format(**context)
    if kind == "literal_error":
        return "expected one of the words of the vocabulary"
    if kind == "string_pattern_mismatch":
        return _FORMS.get(str(context.get("pattern")), "expected text of another form")
    if kind == "value_error":
        return str(context["error"])
    return str(details["msg"]) if kind in OWN_ERRORS else "expected another value"


@lru_cache(maxsize=1000)  # one wrong word may stand in every line
def _word_hint(value: str, expected: str) -> str:
    words = [word.strip("' ") for word in expected.replace(" or ", ", ").split(",")]
    close = difflib.get_close_matches(value.casefold().replace(" ", "_"), words, 1)
    return f"did you mean {close[0]!r}?" if close else "one of " + ", ".join(words)


def _similar(model: type[Record], loc: tuple[Step, ...]) -> str:
    """The field of the same model that was probably meant."""
    fields: Any = model.model_fields
    for step in loc[:-1]:
        if step in fields:  # else an index or a key of a mapping, which stays in the model of its items
            annotation = fields[step].annotation
            inner = next((arg for arg in (annotation, *getattr(annotation, "__args__", ())) if _is_model(arg)), None)
            fields = inner.model_fields if inner else {}
    close = difflib.get_close_matches(str(loc[-1]), list(fields), 1)
    return f"did you mean {close[0]!r}?" if close else "remove it, or put it into notes"


def _is_model(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Record)


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    if value is None:
        return "nothing"
    text = value.text if isinstance(value, WrittenInt | WrittenFloat) else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
