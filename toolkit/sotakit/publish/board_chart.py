"""Which chart a board gets and what is said beside it; the drawing itself is in `charts`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from operator import attrgetter
from typing import Any, NamedTuple

from sotakit.publish import words
from sotakit.publish.charts import Mark, Points, by_method, day_number, over_time, shortened
from sotakit.publish.contexts import BenchmarkPage
from sotakit.publish.rows import ResultRow
from sotakit.publish.wording import plural
from sotakit.settings import setting, settings_words

MAX_LANES = 12
"""Methods in the chart by method; the table has them all."""
_LARGEST = 1e100
_REACH = 2.0
"""How far below the frontier values are drawn, as a multiple of the progress it shows."""
_CELLS = attrgetter("id", "label", "settings", "day", "value.shown", "value.number", "value.interval")
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
    valued = _drawable(page.rows)
    left_out = _left_out(page.rows)
    dated = [row for row in valued if row.day]
    if len({row.day for row in dated}) > 1 and 2 * len(dated) >= len(valued):
        chart = _time_chart(page, dated, len(valued) - len(dated))
        return chart._replace(notes=(*chart.notes, *left_out))
    runs = _drawable(page.regenerated)
    reported = set(map(_key, valued)) if runs else set()
    alike = [row for row in runs if not valued or _key(row) in reported]
    if len(valued) + len(alike) < 2:
        return None
    chart = _method_chart(page, valued, alike)
    return chart._replace(notes=(*chart.notes, *left_out))


def _left_out(rows: Sequence[ResultRow]) -> tuple[str, ...]:
    """How many results are not drawn since they no longer stand or have only a bound."""
    fallen = sum(not row.stands for row in rows)
    bounds = sum(bool(row.stands and row.value and row.value.printed.bound) for row in rows)
    counted = ((fallen, "result no longer standing", "results no longer standing"), (bounds, "bound", "bounds"))
    return tuple(f"{count:,} {one if count == 1 else several} not drawn" for count, one, several in counted if count)


def _time_chart(page: BenchmarkPage, rows: Sequence[ResultRow], undated: int) -> Chart:
    direction = "" if page.metric.conflict else page.metric.direction_recorded
    direction = direction if direction in ("higher", "lower") else ""
    dates = [row.day for row in rows if row.day]
    every = _points(rows)
    points = _near(every, direction) if direction else every
    title = f"{page.metric.label} over time"
    drawn = plural(len(points.values), "result")
    text = f"{drawn} from {min(dates)} to {max(dates)}; the table below has every value."
    notes = [f"{plural(undated, 'undated result')} not drawn"] if undated else []
    if beyond := len(every.values) - len(points.values):
        side = "above" if direction == "lower" else "below"
        notes.append(f"{plural(beyond, 'result')} far {side} the others not drawn")
    if partial := sum([len(date) < len("2020-01-01") for date in dates]):
        notes.append(f"{plural(partial, 'result')} dated by month or year only, drawn at its middle")
    keys = [("dot rest", "●", "result")]
    if direction:
        keys = [("dot", "●", "best so far"), *keys]
    elif page.metric.conflict:
        notes.append("no frontier, since the direction is disputed")
    else:
        notes.append("no frontier, since no direction is recorded")
    return Chart(over_time(points, direction, title, text), _better(page, ("↑", "↓")), tuple(keys), tuple(notes))


def _points(rows: Iterable[ResultRow]) -> Points:
    ids, labels, settings, dates, texts, numbers, intervals = _columns(rows)
    titles = _titles(labels, texts, settings, dates, intervals)
    return Points(ids, labels, titles, numbers, list(map(day_number, dates)))


def _near(points: Points, direction: str) -> Points:
    """All points but a few that are far worse than the frontier ever was: they would press the others together."""
    sign, best = (-1, min) if direction == "lower" else (1, max)
    first = min(points.days)
    start = best([value for value, day in zip(points.values, points.days, strict=True) if day == first])
    reach = _REACH * abs(best(points.values) - start)
    near = [sign * (value - start) >= -reach for value in points.values]
    if not reach or not 0 < near.count(False) <= max(1, len(near) // 10):
        return points
    return Points._make([list(compress(column, near)) for column in points])


def _method_chart(page: BenchmarkPage, recorded: Sequence[ResultRow], runs: Sequence[ResultRow]) -> Chart:
    shapes = _shapes([*recorded, *runs])
    lanes: dict[str, list[ResultRow]] = {}
    for row in [*recorded, *runs]:
        if row.duplicate_of is None:
            lanes.setdefault(row.method_id, []).append(row)
    shown = [(rows[0].label, _marks(rows, shapes)) for rows in list(lanes.values())[:MAX_LANES]]
    title = f"{page.metric.label} by method"
    text = f"{plural(len(shown), 'method')} in the order of the table, which has every value."
    told = _told([*recorded, *runs])
    keys = [*_keys("dot", recorded, shapes, told), *_keys("dot run", runs, shapes, told)]
    notes = []
    if any(mark.low is not None for _, marks in shown for mark in marks):
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


def _marks(rows: Sequence[ResultRow], shapes: Mapping[str, int]) -> list[Mark]:
    """The rows of a method as marks in its lane."""
    ids, labels, settings, dates, texts, numbers, intervals = _columns(rows)
    titles = _titles(labels, texts, settings, dates, intervals)
    return [
        Mark(name, title, number, *_interval(row), shapes.get(_group(row), 0), row.origin == "regenerated")
        for name, title, number, row in zip(ids, titles, numbers, rows, strict=True)
    ]


def _interval(row: ResultRow) -> tuple[float | None, float | None]:
    value = row.value
    low, high = (value.printed.converted(end) for end in (value.low, value.high)) if value else (None, None)
    return (None, None) if low is None or high is None or max(abs(low), abs(high)) >= _LARGEST else (low, high)


def _columns(rows: Iterable[ResultRow]) -> Iterator[tuple[Any, ...]]:
    """Ids, labels, settings, dates and values of some rows, the values as text, number and interval."""
    return zip(*map(_CELLS, rows), strict=True)


def _titles(*columns: Iterable[Any]) -> list[str]:
    """What is shown when a mark is pointed at: method, value as printed, settings, date and interval."""
    return [
        f"{label}: {text}{settings and ', '}{settings}"
        f"{', ' if date else ''}{date or ''}{interval and ', interval '}{interval}"
        for label, text, settings, date, interval in zip(*columns, strict=True)
    ]


def _drawable(rows: Iterable[ResultRow]) -> list[ResultRow]:
    """Rows that stand and have a number that is no mere bound, but for infinite and absurd ones."""
    return [
        row
        for row in rows
        if row.stands
        and (value := row.value)
        and not value.printed.bound
        and (number := value.number) is not None
        and -_LARGEST < number < _LARGEST
    ]


def _better(page: BenchmarkPage, arrows: tuple[str, str]) -> str:
    """Where better lies, by both directions where they contradict each other."""
    towards = {"higher": arrows[0], "lower": arrows[1]}
    recorded, cited = page.metric.arrow, page.metric.cited_arrow
    turn = {words.ARROW["higher"]: towards["higher"], words.ARROW["lower"]: towards["lower"]}
    if page.metric.conflict:
        return f"better as recorded {turn[recorded]}, as cited {turn[cited]}"
    return f"better {turn[recorded]}" if recorded in turn else ""
