"""From plain values to records: pydantic's errors become findings with a code, an expectation and a next step."""

import difflib
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sotakit.check.codes import severity_of
from sotakit.check.findings import Finding, Origin, Step
from sotaschema.base import Record
from sotaschema.identity import ID_PATTERN
from sotaschema.values import WrittenFloat, WrittenInt

_CODES = {
    "missing": "E201",
    "extra_forbidden": "E202",
    "literal_error": "E204",
    "date": "E206",
    "finite_number": "E207",
    "string_unicode": "E102",
}
_EXPECTED = {
    "string_type": "expected text",
    "int_type": "expected a whole number",
    "float_type": "expected a number",
    "bool_type": "expected true or false",
    "list_type": "expected a list",
    "dict_type": "expected a mapping",
    "model_type": "expected a mapping",
}


def build(model: type[Record], value: Any, origin: Origin, *, texts: bool = False) -> Record | list[Finding]:
    """The record that a value is, or all that is wrong with it.

    `texts` says that every value is a text (CSV), to be read as the type of its field.
    """
    if not isinstance(value, dict):
        return [
            _finding("E111", origin, f"expected a mapping, found {_shown(value)}", "start with the record's fields")
        ]
    try:
        return model.model_validate(value, strict=not texts)
    except ValidationError as error:
        name = str(value.get("id") or value.get("key") or "")
        return [_from_error(details, model, origin, name) for details in _distinct(error)]


def _distinct(error: ValidationError) -> Iterator[ErrorDetails]:
    """One error for each place: a union reports each of its branches."""
    seen: set[tuple[Step, ...]] = set()
    for details in error.errors(include_url=False):
        if details["loc"] not in seen:
            seen.add(details["loc"])
            yield details


def _from_error(details: ErrorDetails, model: type[Record], origin: Origin, record: str) -> Finding:
    kind, loc, value = details["type"], details["loc"], details["input"]
    if kind == "missing":
        message, hint = f"the field {str(loc[-1])!r} is missing", "add it"
        return _finding("E201", origin, message, hint, record, loc)
    if kind == "extra_forbidden":
        return _finding(
            "E202", origin, f"unknown field {str(loc[-1])!r}", _similar(model, loc), record, loc, at_key=True
        )
    if loc and loc[-1] == "[key]":
        message = f"{str(loc[-2])!r} cannot be a key here: {_expectation(details)}"
        return _finding("E205", origin, message, "use another key", record, loc[:-1], at_key=True)
    code = _CODES.get(kind, "E203" if kind in _EXPECTED else "E209")
    hint = ""
    if kind == "string_pattern_mismatch" and (details.get("ctx") or {}).get("pattern") == ID_PATTERN:
        code, hint = "E205", "use lower-case letters, digits, dots, dashes and underscores, at most 64"
    if kind == "string_type" and isinstance(value, WrittenInt | WrittenFloat):
        hint = f'put it in quotes: "{value.text}"'
        code = "E205" if loc and loc[-1] in ("id", "method", "benchmark", "arxiv") else code
    if kind == "literal_error":
        hint = _word_hint(value, str((details.get("ctx") or {}).get("expected", "")))
    return _finding(code, origin, f"{_expectation(details)}, found {_shown(value)}", hint, record, loc)


def _expectation(details: ErrorDetails) -> str:
    kind = details["type"]
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    if kind == "string_pattern_mismatch":
        return "expected text of the form " + str((details.get("ctx") or {}).get("pattern"))
    if kind == "literal_error":
        return "expected one of the words of the vocabulary"
    if kind == "value_error":
        return str(details["msg"]).removeprefix("Value error, ")
    return str(details["msg"][:1].lower() + details["msg"][1:])


def _word_hint(value: Any, expected: str) -> str:
    words = [word.strip("' ") for word in expected.replace(" or ", ", ").split(",")]
    close = difflib.get_close_matches(str(value).casefold().replace(" ", "_"), words, 1)
    return f"did you mean {close[0]!r}?" if close else "one of " + ", ".join(words)


def _similar(model: type[Record], loc: tuple[Step, ...]) -> str:
    """The field of the same model that was probably meant."""
    fields: Any = model.model_fields
    for step in loc[:-1]:
        annotation = fields[step].annotation if isinstance(fields, dict) and step in fields else None
        inner = next((arg for arg in (annotation, *getattr(annotation, "__args__", ())) if _is_model(arg)), None)
        fields = inner.model_fields if inner else fields if isinstance(step, int) else {}
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


def _finding(  # noqa: PLR0913 - one argument a part of a finding
    code: str,
    origin: Origin,
    message: str,
    hint: str = "",
    record: str = "",
    loc: tuple[Step, ...] = (),
    *,
    at_key: bool = False,
) -> Finding:
    return Finding(code, severity_of(code), origin, message, hint, record, loc, at_key)
