"""What tests ask of a validation: the published results, which a run itself does not keep."""

import math
from decimal import Decimal
from pathlib import Path

import numpy as np

from sotakit.check.load import load
from sotakit.collection import LoadedResult
from sotakit.standings import Directions, Repeats, Scores, Standings, inexact
from sotakit.validate import Outcome
from sotaschema.vocabulary import Direction


def public_results(outcome: Outcome, data: Path) -> list[LoadedResult]:
    """The results that are published, in order of reading."""
    return [result for result, public in zip(load(data).results, outcome.public, strict=True) if public]


def public_ids(outcome: Outcome, data: Path) -> set[str]:
    """The ids of everything that is published."""
    others = {name for _, name, _ in outcome.collection.everything()}
    return others | {result.id for result in public_results(outcome, data)}


def ranks(values: dict[str, Decimal | None], direction: Direction) -> dict[str, int]:
    """The ranks of one board alone, by name."""
    standings, count = Standings(), len(values)
    standings.add(scores([0] * count, list(values.values())), [""] * count)
    recorded, _, _ = standings.ranks(np.ones(count, dtype=bool), Repeats(), [Directions(direction, "unknown")])
    return {name: int(rank) for name, rank in zip(values, recorded, strict=True) if rank}


def scores(metrics: list[int], values: list[Decimal | None], units: list[int] | None = None) -> Scores:
    """Scores of results that have one each, as standings take them."""
    floats = [math.nan if value is None else float(value) for value in values]
    return Scores(
        np.ones(len(values), "i4"),
        np.array(metrics, "i4"),
        np.zeros(len(values), bool),
        np.array(floats, "f8"),
        np.array(units or [0] * len(values), "i1"),
        {place: value for place, value in enumerate(values) if value is not None and inexact(value)},
    )
