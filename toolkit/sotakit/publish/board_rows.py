"""The rows of a board as its pages show them: settings as columns, order by a metric, gaps, bars and groups."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import repeat
from string import ascii_uppercase
from typing import Any, NamedTuple

from sotakit.catalog import Board
from sotakit.publish import words
from sotakit.publish.contexts import Group, ResultRow
from sotakit.publish.overview import Overview
from sotakit.publish.rank_ranges import ends_of, rank_ranges
from sotakit.publish.wording import locator_words, marks_of, trust_words, unit_words, value_of
from sotakit.ranking import RANKED, in_order
from sotakit.settings import setting, settings_words
from sotakit.tables import Row

MAX_COLUMNS = 8
"""Settings with a column of their own, the most frequent ones; every row's details show all of them."""

MAX_MORE = 16
"""Settings beyond these that have a column on request."""

_UNPLACED = (None, 0, "", "", None, "")
"""What a row has while it stands in no table."""

_BADGES = {"regenerated": "run here", "imported": "imported"}


class Columns(NamedTuple):
    """Which settings vary between rows and which are the same for all."""

    shown: tuple[str, ...]
    more: tuple[str, ...]
    constants: tuple[tuple[str, str], ...]


def columns_of(board: Board, *, runs: bool) -> Columns:
    """Folded configuration keys that vary between the recorded (or regenerated) rows, and those that do not."""
    groups = [result["group"] for result in board.results if (result["origin"] == "regenerated") == runs]
    keys = sorted({key for group in groups for key in group})
    values = {key: [setting(group[key]) if key in group else None for group in groups] for key in keys}
    varying = [key for key in keys if len(set(values[key])) > 1]
    constant = tuple((key, str(values[key][0])) for key in keys if len(set(values[key])) == 1)
    frequent = sorted(varying, key=lambda key: (sum(value is None for value in values[key]), key))
    shown, more = frequent[:MAX_COLUMNS], frequent[MAX_COLUMNS : MAX_COLUMNS + MAX_MORE]
    return Columns(tuple(sorted(shown)), tuple(sorted(more)), constant)


def all_rows(overview: Overview, board: Board, columns: Mapping[bool, Columns]) -> list[ResultRow]:
    """Every result of a board, in no metric's order yet; `columns` for recorded rows (False) and runs (True)."""
    units = [(metric, metric["key"], unit_words(metric)) for metric in board.metrics]
    return [_row(overview, units, result, columns[result["origin"] == "regenerated"]) for result in board.results]


def _row(overview: Overview, units: Sequence[tuple[Row, str, str]], result: Row, columns: Columns) -> ResultRow:
    scores, source, origin = result["scores"], overview.source(result["source"]), result["origin"]
    method = overview.method(result["method"])
    return ResultRow(
        *_UNPLACED,
        id=result["id"],
        method=method.link,
        label=result["method_label"],
        values=tuple([value_of(metric, unit, scores[key]) for metric, key, unit in units if key in scores]),
        date=result["date"] or words.NOT_RECORDED,
        source=source.link,
        year=source.year,
        source_type=source.type,
        origin_paper=method.origin,
        config=result["config"],
        settings=settings_words(result["config"]),
        columns=_settings(result["group"], columns.shown),
        more=_settings(result["group"], columns.more),
        marks=marks_of(result, source.row),
        duplicate_of=result["duplicate_of"],
        origin=origin,
        locator=locator_words(result["locator"]),
        trust=trust_words(result),
        badge=_BADGES.get(origin) or words.BADGE.get(result["evidence"], "reported"),
        command=source.command,
        raw=result,
    )


def _settings(group: dict[str, Any], keys: Sequence[str]) -> tuple[str, ...]:
    return tuple([setting(group[key]) if key in group else words.NOT_RECORDED for key in keys])


def ordered(rows: Sequence[ResultRow], metric: Row, by: str) -> tuple[ResultRow, ...]:
    """Rows by one of the ranks in a metric, then by id; rows without a value last, and none with its score in place."""
    key = metric["key"]
    ranks = {row.id: rank for row in rows if (score := row.raw["scores"].get(key)) and (rank := score[by])}
    places = {row.id: row for row in rows}
    return tuple(places[name] for name in in_order(list(places), ranks))


def placed(rows: Sequence[ResultRow], metric: Row, by: str, letters: Sequence[str] = ()) -> tuple[ResultRow, ...]:
    """Rows with the score of one metric in place, and with the letters of their groups."""
    key = metric["key"]
    scores = {row.id: score for row in rows if (score := row.raw["scores"].get(key))}
    bars, gaps, ranges = _bars(scores, metric), _gaps(scores, metric), _ranges(scores, metric, by)
    return tuple(
        row.placed(
            next((value for value in row.values if value.key == key), None),
            bars.get(row.id, 0),
            gaps.get(row.id, ""),
            ranges.get(row.id, ""),
            scores[row.id]["rank_in_group"] if row.id in scores else None,
            letter,
        )
        for row, letter in zip(rows, letters or repeat(""), strict=False)
    )


def grouped(rows: Sequence[ResultRow]) -> tuple[list[str], tuple[Group, ...]]:
    """The letter of each row's like-for-like group, and the groups; none where all are alike or no two distinct."""
    names = [str(row.raw["group"]) for row in rows]
    members: dict[str, list[ResultRow]] = {}
    for name, row in zip(names, rows, strict=True):
        members.setdefault(name, []).append(row)
    sizes = {name: sum(row.duplicate_of is None for row in alike) for name, alike in members.items()}
    if len(members) < 2 or max(sizes.values()) < 2:
        return [], ()
    letters = {name: _letter(place) for place, name in enumerate(members)}
    groups = tuple(
        Group(letters[name], settings_words(alike[0].raw["group"]) or "no settings recorded", sizes[name])
        for name, alike in members.items()
    )
    return [letters[name] for name in names], groups


def _letter(place: int) -> str:
    """A, B, …, Z, AA, AB, …"""
    text = ""
    while place >= 0:
        place, letter = place // 26 - 1, place % 26
        text = ascii_uppercase[letter] + text
    return text


def _bars(scores: Mapping[str, Row], metric: Row) -> dict[str, int]:
    """Lengths in per cent, from the worst value to the best; from the smallest to the largest without a direction."""
    numbers = {name: score["value"] for name, score in scores.items() if score["value"] is not None}
    low, high = min(numbers.values(), default=0.0), max(numbers.values(), default=0.0)
    span = high - low
    if not 0 < span < float("inf"):
        return dict.fromkeys(numbers, 100)
    lower = metric["direction_recorded"] == "lower"
    return {name: round(100 * ((high - value) if lower else (value - low)) / span) for name, value in numbers.items()}


def _gaps(scores: Mapping[str, Row], metric: Row) -> dict[str, str]:
    """Differences to the best value, where the direction is not disputed."""
    best = next((score["decimal"] for score in scores.values() if score["rank"] == 1), None)
    if best is None or metric["direction_conflict"]:
        return {}
    return {name: gap_words(score["decimal"], best) for name, score in scores.items() if score["rank"]}


def gap_words(value: str, best: str) -> str:
    """A difference with its sign, in the digits of the two values."""
    gap = Decimal(value) - Decimal(best)
    text = f"{gap:+f}" if len(f"{gap:f}") <= 12 else f"{gap:+.3g}"
    return text.replace("-", "−") if gap else "best"


def _ranges(scores: Mapping[str, Row], metric: Row, by: str) -> dict[str, str]:
    """Ranks that the recorded intervals leave open."""
    direction = metric["direction_recorded" if by == "rank" else "direction_cited"]
    ends = {name: found for name, score in scores.items() if score[by] and (found := ends_of(score))}
    if direction not in RANKED or not any(low < high for low, high in ends.values()):
        return {}
    ranges = rank_ranges(ends, direction)
    return {name: f"{best}–{worst}" for name, (best, worst) in ranges.items() if best < worst}
