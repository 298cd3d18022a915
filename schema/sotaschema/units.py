"""Units that measure one thing, and the factors between them."""

from decimal import Decimal
from typing import Final

from sotaschema.vocabulary import Unit

FACTORS: Final[dict[tuple[Unit, Unit], Decimal]] = {
    ("fraction", "percent"): Decimal(100),
    ("percent", "fraction"): Decimal("0.01"),
    ("seconds", "milliseconds"): Decimal(1000),
    ("milliseconds", "seconds"): Decimal("0.001"),
}
"""What a value in the first unit is to be multiplied by for the value in the second."""


def factor_between(unit: Unit, other: Unit) -> Decimal | None:
    """What a value in one unit is to be multiplied by for the value in another; None where nothing is known."""
    return Decimal(1) if unit == other else FACTORS.get((unit, other))


def times(value: Decimal, factor: Decimal) -> Decimal:
    """A product with all its digits, which decimal arithmetic would round to 28: factors are powers of ten."""
    sign, digits, exponent = value.as_tuple()
    return Decimal((sign, digits, int(exponent) + factor.adjusted()))
