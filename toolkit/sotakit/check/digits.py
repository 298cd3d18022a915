"""W214: settings whose printed digits are lost, because they stand without quotes and so are numbers."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from sotakit.check.codes import severity_of
from sotakit.check.findings import Finding, Origin, Step
from sotaschema.values import PrintedFloat, WrittenFloat, WrittenInt

_SETTINGS: Final = frozenset({"config", "settings", "parameters", "run"})
"""Fields that hold named settings."""
_VALUES: Final = frozenset({"value", "as_value"})
"""Fields of pairs in `config_keys` that hold one."""


def lost_digits(value: Any, origin: Origin, record: str) -> Iterator[Finding]:
    """A finding for each number among the settings of a record that is not written as it is kept."""
    for loc, number in _numbers(value, ()):
        kept = str(int(number)) if isinstance(number, int) else repr(float(number))
        if _are_lost(number.text, kept):
            message = f"{number.text} is the number {kept} here, so its digits are lost"
            hint = f'if they matter, put it in quotes: "{number.text}"; else write {kept}'
            yield Finding("W214", severity_of("W214"), origin, message, hint, record, loc, found=number.text)


def _numbers(
    value: Any, path: tuple[Step, ...]
) -> Iterator[tuple[tuple[Step, ...], WrittenInt | WrittenFloat | PrintedFloat]]:
    """The written numbers among the settings of a record, with their paths."""
    for key, part in value.items() if isinstance(value, dict) else ():
        here = (*path, key)
        if key in _SETTINGS and isinstance(part, dict):
            yield from (((*here, name), number) for name, number in part.items() if _is_written(number))
        elif key in _VALUES and path and _is_written(part):
            yield here, part
        elif isinstance(part, list) and key != "results":  # results of a source are records of their own
            for index, item in enumerate(part):
                yield from _numbers(item, (*here, index))


def _is_written(value: Any) -> bool:
    return isinstance(value, WrittenInt | WrittenFloat | PrintedFloat)


def _are_lost(text: str, kept: str) -> bool:
    """Whether a number was written with zeros that it does not keep, with another base, or with too many digits.

    >>> [_are_lost(*pair) for pair in [("12.10", "12.1"), ("007", "7"), ("1e-3", "0.001"), ("1.0", "1.0")]]
    [True, True, False, False]
    """
    bare = text.lstrip("+-").casefold()
    if bare.startswith(("0x", "0o")) or Decimal(text) != Decimal(kept):
        return True
    whole, _, decimals = bare.partition(".")
    behind_the_point = "e" not in bare and decimals.endswith("0") and decimals != "0"
    return behind_the_point or (whole.startswith("0") and whole[1:2].isdigit())
