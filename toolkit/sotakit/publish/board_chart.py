"""Which chart a board gets and what is said beside it; the drawing itself is in `charts`."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sotakit.publish import words
from sotakit.publish.charts import Point, by_method, day_number, frontier, over_time, shortened
from sotakit.publish.contexts import BenchmarkPage, ResultRow
from sotakit.publish.wording import plural
from sotakit.settings import setting, settings_words

MAX_LANES = 12
"""Methods in the chart by method; the table has them all."""
_LARGEST = 1e100
_REACH = 2.0
"""How far below the frontier values are drawn, as a multiple of the progress it shows."""
_GLYPHS = ("●■▲◆", "○□△◇")
"""For reported and for regenerated values."""


class Chart(NamedTuple):
    """A chart with its legend and notes."""

    svg: str
    better: str
    """Where better values lie; empty where no direction says so."""
    keys: tuple[tuple[str, str, str], ...]
    """Class, glyph and meaning of each mark."""
    notes: tuple[str, ...]


def board_chart(page: BenchmarkPage) -> Chart | None:
    """Values over time where most have a date, else values by method; None with fewer than two values."""
    valued = [row for row in page.rows if _drawable(row)]
    dated = [row for row in valued if row.day]
    if len({row.day for row in dated}) > 1 and 2 * len(dated) >= len(valued):
        return _time_chart(page, dated, len(valued) - len(dated))
    runs = [row for row in page.regenerated if _drawable(row) and row.value]
    reported = set(map(_key, valued)) if runs else set()
    alike = [row for row in runs if not valued or _key(row) in reported]
    return _method_chart(page, valued, alike) if len(valued) + len(alike) > 1 else None


def _time_chart(page: BenchmarkPage, rows: Sequence[ResultRow], undated: int) -> Chart:
    direction = "" if page.metric.conflict else page.metric.direction_recorded
    direction = direction if direction in ("higher", "lower") else ""
    every = [_point(row, 0) for row in rows]
    points = _near(every, direction) if direction else every
    partial = sum(not day_number(row.day)[1] for row in rows)
    title = f"{page.metric.label} over time"
    text = f"{plural(len(points), 'result')} from {_first(rows)} to {_last(rows)}; the table below has every value."
    notes = [f"{plural(undated, 'undated result')} not drawn"] if undated else []
    if beyond := len(every) - len(points):
        side = "above" if direction == "lower" else "below"
        notes.append(f"{plural(beyond, 'result')} far {side} the others not drawn")
    if partial:
        notes.append(f"{plural(partial, 'result')} dated by month or year only, drawn at its middle")
    keys = [("dot rest", "●", "result")]
    if direction:
        keys = [("dot", "●", "best so far"), *keys]
    elif page.metric.conflict:
        notes.append("no frontier, since the direction is disputed")
    else:
        notes.append("no frontier, since no direction is recorded")
    return Chart(over_time(points, direction, title, text), _better(page, ("↑", "↓")), tuple(keys), tuple(notes))


def _near(points: Sequence[Point], direction: str) -> list[Point]:
    """All points but a few that are far worse than the frontier ever was: they would press the others together."""
    best = frontier(points, direction)
    sign = -1 if direction == "lower" else 1
    reach = _REACH * abs(best[-1].value - best[0].value)
    near = [point for point in points if sign * (point.value - best[0].value) >= -reach]
    return near if reach and len(points) - len(near) <= max(1, len(points) // 10) else list(points)


def _method_chart(page: BenchmarkPage, recorded: Sequence[ResultRow], runs: Sequence[ResultRow]) -> Chart:
    shapes = _shapes([*recorded, *runs])
    lanes: dict[str, list[Point]] = {}
    for row in [*recorded, *runs]:
        if row.duplicate_of is None:
            lanes.setdefault(row.method_id, []).append(_point(row, shapes.get(_group(row), 0)))
    shown = [(points[0].label, points) for points in list(lanes.values())[:MAX_LANES]]
    title = f"{page.metric.label} by method"
    text = f"{plural(len(shown), 'method')} in the order of the table, which has every value."
    told = _told([*recorded, *runs])
    keys = [*_keys("dot", recorded, shapes, told), *_keys("dot run", runs, shapes, told)]
    notes = []
    if any(point.low is not None for _, points in shown for point in points):
        notes.append("lines are recorded intervals")
    if recorded and not any(row.day for row in recorded):
        notes.append("no result carries a date, so values stand by method")
    elif recorded:
        notes.append("too few results carry a date to draw values over time")
    if len(lanes) > len(shown):
        notes.append(f"the first {len(shown)} of {len(lanes):,} methods")
    return Chart(by_method(shown, title, text), _better(page, ("→", "←")), tuple(keys), tuple(notes))


def _told(rows: Sequence[ResultRow]) -> dict[str, str]:
    """Each configuration in few words: of settings that all have, the value alone."""
    settings = {_group(row): row.folded for row in rows}
    shared = set.intersection(*(set(group) for group in settings.values())) if settings else set()
    return {name: shortened(", ".join(_words(group, shared)) or name, 48) for name, group in settings.items()}


def _words(group: dict[str, Any], shared: set[str]) -> Iterator[str]:
    for key, value in group.items():
        yield setting(value) if key in shared else f"{key}: {setting(value)}"


def _keys(
    kind: str, rows: Sequence[ResultRow], shapes: Mapping[str, int], told: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """One entry for each shape that these rows have; settings are told where shapes differ."""
    glyphs, meaning = (_GLYPHS[1], "regenerated") if "run" in kind else (_GLYPHS[0], "reported")
    if len(shapes) < 2:
        yield from [(kind, glyphs[0], meaning)] if rows else []
        return
    for group in dict.fromkeys(map(_group, rows)):
        yield kind, glyphs[shapes[group]], f"{meaning}, {told[group]}"


def _shapes(rows: Iterable[ResultRow]) -> dict[str, int]:
    """A shape for each configuration, where two to four of them tell rows apart."""
    groups = list(dict.fromkeys(_group(row) for row in rows))
    return {group: place for place, group in enumerate(groups)} if len(groups) <= len(_GLYPHS[0]) else {}


def _group(row: ResultRow) -> str:
    return settings_words(row.folded) or "no settings"


def _key(row: ResultRow) -> tuple[Any, str]:
    """What must agree for a reported and a regenerated value to stand side by side."""
    return row.method_id, _group(row)


def _point(row: ResultRow, shape: int) -> Point:
    value = row.value
    assert value is not None  # noqa: S101 - only drawable rows come here
    assert value.number is not None  # noqa: S101
    low, high, date = value.low, value.high, row.day
    if low is None or high is None or max(abs(low), abs(high)) >= _LARGEST:
        low = high = None
    title = f"{row.label}: {value.text}"
    for part in (row.settings, date, value.interval and f"interval {value.interval}"):
        title += f", {part}" if part else ""
    return Point(
        anchor=f"r-{row.id}",
        label=row.label,
        title=title,
        value=value.number,
        day=day_number(date)[0] if date else 0.0,
        low=low,
        high=high,
        shape=shape,
        regenerated=row.origin == "regenerated",
    )


def _drawable(row: ResultRow) -> bool:
    number = row.value.number if row.value else None
    return number is not None and math.isfinite(number) and abs(number) < _LARGEST


def _better(page: BenchmarkPage, arrows: tuple[str, str]) -> str:
    """Where better lies, by both directions where they contradict each other."""
    towards = {"higher": arrows[0], "lower": arrows[1]}
    recorded, cited = page.metric.arrow, page.metric.cited_arrow
    turn = {words.ARROW["higher"]: towards["higher"], words.ARROW["lower"]: towards["lower"]}
    if page.metric.conflict:
        return f"better as recorded {turn[recorded]}, as cited {turn[cited]}"
    return f"better {turn[recorded]}" if recorded in turn else ""


def _first(rows: Sequence[ResultRow]) -> str:
    return min(row.day or "" for row in rows)


def _last(rows: Sequence[ResultRow]) -> str:
    return max(row.day or "" for row in rows)
