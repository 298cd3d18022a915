"""How a score stands in tables: its text, and what its record says of it that the text does not show.

Pages are read back by the same rules, so both sides are here.
"""

from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple, get_args

from sotakit.publish.escape import REMEMBERED
from sotakit.publish.words import BOUND, QUALIFIER, STATED_AS
from sotakit.ranking import BOUNDS
from sotaschema.units import factor_between
from sotaschema.values import parse_value
from sotaschema.vocabulary import Qualifier, Unit

_SIGNS: Final = {"approximate": "≈", "less_than": "<", "greater_than": ">", "at_most": "≤", "at_least": "≥"}
_UNIT: Final = "unit "


OPEN_END: Final = "…"
"""Stands where an interval has no end recorded."""


def number_words(number: float) -> str:
    """A number with all the digits that a record can have given it."""
    return f"{number:.15g}"


class Printed(NamedTuple):
    """What belongs to the text of a score."""

    qualifier: Qualifier | None = None
    """As stated beside the text; None where the text shows it."""
    unit: str = ""
    """The unit of this score where that is another one than its metric's and the text does not show it."""
    bound: bool = False
    factor: Decimal | None = None
    """What a number is to be multiplied by for one in the unit of the metric; None where that is its unit."""

    def converted(self, number: float | None) -> float | None:
        """A number of the score in the unit of the metric wherever a factor leads there."""
        return number if number is None or self.factor is None else number * float(self.factor)

    def shown(self, text: str, missing: str = "") -> str:
        """What stands in place of the value; `missing` says why there is none."""
        if not text:
            return missing
        sign, behind = self.sign, self.behind(missing)
        return f"{sign}{' ' if sign else ''}{text}{f' ({behind})' if behind else ''}"

    @property
    def sign(self) -> str:
        """What stands before the text; empty where that shows it."""
        return _SIGNS.get(self.qualifier or "", "")

    def behind(self, missing: str = "") -> str:
        """What stands in parentheses behind the text; may be empty."""
        exact = f"{STATED_AS}exact" if self.qualifier == "exact" else ""
        return "; ".join(filter(None, (exact, self.unit, BOUND if self.bound else "", missing.lower())))

    @property
    def words(self) -> tuple[str, ...]:
        """The same for a page that gives the text alone, in words that can be read back."""
        stated = f"{STATED_AS}{QUALIFIER[self.qualifier]}" if self.qualifier else ""
        unit = f"{_UNIT}{self.unit}" if self.unit else ""
        return tuple(filter(None, (stated, BOUND if self.bound else "", unit)))


PLAIN: Final = Printed()
"""A value in its metric's unit whose text says it all."""

_QUALIFIERS: Final = {f"{STATED_AS}{words}": name for name, words in QUALIFIER.items()}
_UNITS: Final = frozenset(f"{_UNIT}{unit}" for unit in get_args(Unit))
_DIGITS: Final = frozenset("0123456789.")


def printed(text: str, qualifier: Qualifier, unit: Unit, listed: Unit, value: float | None) -> Printed:
    """What belongs to a text with the given qualifier and unit, on a board with a unit listed for the metric."""
    if qualifier == "exact" and unit == listed and text[:1] in _DIGITS:
        return PLAIN  # nearly all
    return _printed(text, qualifier, unit, listed, value is not None)


@lru_cache(REMEMBERED)
def _printed(text: str, qualifier: Qualifier, unit: Unit, listed: Unit, valued: bool) -> Printed:
    parsed = parse_value(text)
    return Printed(
        qualifier=None if qualifier == parsed.qualifier or not valued else qualifier,
        unit="" if unit in (listed, parsed.unit) else unit,
        bound=valued and qualifier in BOUNDS,
        factor=None if unit == listed else factor_between(unit, listed),
    )


def read_words(parts: list[str]) -> Printed:
    """What the first of some words say, as `Printed.words` writes them; takes these words away."""
    qualifier = _QUALIFIERS.get(parts[0]) if parts else None
    if qualifier:
        parts.pop(0)
    bound = bool(parts) and parts[0] == BOUND
    if bound:
        parts.pop(0)
    unit = parts.pop(0).removeprefix(_UNIT) if parts and parts[0] in _UNITS else ""
    return Printed(qualifier, unit, bound)
