"""What tests ask of a validation: the published results, which a run itself does not keep."""

from decimal import Decimal
from pathlib import Path

import numpy as np

from sotakit.check.load import load
from sotakit.collection import LoadedResult
from sotakit.standings import BoardKey, Directions, Standings
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
    standings = Standings()
    board = standings.board(BoardKey("b", "m", False), Directions(direction, "unknown"))
    for _ in values:
        standings.add_group("")
    count = len(values)
    standings.add(np.arange(count, dtype="i4"), [board] * count, list(values.values()), ["percent"] * count)
    recorded, _, _ = standings.ranks(np.ones(count, dtype=bool))
    return {name: int(rank) for name, rank in zip(values, recorded, strict=True) if rank}
