"""What can be said of every board without making its rows: counts, the newest date, and who leads.

Worked out on whole columns at once; lists of all boards need this and nothing more.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sotakit.columns import Column
from sotakit.compiled import Row
from sotakit.results import ResultStore


class BoardFacts(NamedTuple):
    """One board in numbers."""

    recorded: int = 0
    runs: int = 0
    """Regenerated results."""
    newest: str = ""
    """The newest date recorded for a result; empty without one."""
    values: Mapping[str, int] = {}
    """How many results have a value, by key of the metric."""
    fallen: int = 0
    """Recorded results that no longer stand."""
    leading: tuple[Row, ...] = ()
    """Recorded results that are first by some metric and direction: id, method_label, duplicate_of, and scores with
    text, value, unit, qualifier and ranks."""


_LEADER = ("id", "method_label", "duplicate_of")
_SCORE = ("text", "value", "unit", "qualifier", "rank", "rank_cited")


def board_facts(store: ResultStore) -> dict[str, BoardFacts]:
    """The facts of every board that has a result."""
    results = store.results.columns
    names, board = results["benchmark"].values.to_pylist(), results["benchmark"].codes
    run = results["origin"].codes == _code(results["origin"], "regenerated")
    fallen = results["stands"].codes == _code(results["stands"], False)
    count = len(names)
    numbers = (np.bincount(board[chosen], minlength=count).tolist() for chosen in (~run, run))
    values, leading = _values(store), _leading(store, run)
    facts = zip(
        *numbers,
        _newest(results["date"], board, count),
        (values.get(at, {}) for at in range(count)),
        np.bincount(board[~run & fallen], minlength=count).tolist(),
        (tuple(leading.get(at, ())) for at in range(count)),
        strict=True,
    )
    return dict(zip(names, map(BoardFacts._make, facts), strict=True))


def _code(column: Column, value: Any) -> int:
    """The code of a value; one that no row has if the column lacks it."""
    values = column.values.to_pylist()
    return values.index(value) if value in values else -2


def _newest(dates: Column, board: NDArray[Any], count: int) -> list[str]:
    """The greatest date of each board, as text."""
    texts = ["", *sorted(dates.values.to_pylist())]
    places = {text: at for at, text in enumerate(texts)}
    rank = np.array([*(places[text] for text in dates.values.to_pylist()), 0])
    found = np.zeros(count, np.int64)
    np.maximum.at(found, board, rank[dates.codes])
    return [texts[at] for at in found.tolist()]


def _values(store: ResultStore) -> dict[int, dict[str, int]]:
    scores = store.scores.columns
    known = scores["value"].codes >= 0
    keys = scores["metric_key"].values.to_pylist()
    board = store.results.columns["benchmark"].codes[store.owner]
    pairs = board[known].astype(np.int64) * max(1, len(keys)) + scores["metric_key"].codes[known]
    found: dict[int, dict[str, int]] = defaultdict(dict)
    for pair, number in zip(*(part.tolist() for part in np.unique(pairs, return_counts=True)), strict=True):
        found[pair // len(keys)][keys[pair % len(keys)]] = number
    return found


def _leading(store: ResultStore, run: NDArray[Any]) -> dict[int, list[Row]]:
    scores, results = store.scores, store.results
    first = np.zeros(scores.size, bool)
    for name in ("rank", "rank_cited"):
        first |= scores.columns[name].codes == _code(scores.columns[name], 1)
    chosen = np.flatnonzero(first & ~run[store.owner])
    board = results.columns["benchmark"].codes[store.owner[chosen]].tolist()
    keys = scores.columns["metric_key"].cells(chosen)
    rows = zip(board, results.rows(store.owner[chosen], _LEADER), keys, scores.rows(chosen, _SCORE), strict=True)
    found: dict[int, list[Row]] = defaultdict(list)
    for at, row, key, score in rows:
        found[at].append({**row, "scores": {key: score}})
    return found
