"""Charts as SVG text: pure functions from points to one string, with no library and no script.

Widths are per cent, heights are pixels, so that lettering keeps its size on a phone. Colours come from the style sheet.
Higher values lie further up, or further to the right, whatever the direction.
"""

import calendar
import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from functools import lru_cache
from html import escape
from typing import NamedTuple

from sotakit.publish.escape import html_text

PLOT = 190
"""Height of the plot of values over time, in pixels."""
TOP = 22
"""Room above it for labels."""
LANE = 30
"""Height of a method's lane in the other chart."""
WIDTHS = (640, 290)
"""Plot widths in pixels, on a desk and on a phone, for which labels are kept apart."""
MARGIN = 184
"""Room for methods' names beside their lanes, in pixels; the style sheet makes it, and takes it away on a phone."""
LABEL = 24
"""Characters of a method's name that a label shows."""
_LETTER = 6.6
_ALIKE = 1e-12
"""Values that differ by less, as a share of their size, are drawn as equal: floating-point ticks cannot part them."""
_SMALLEST = 1e-100
"""Values nearer to zero are drawn as zero."""
_KEPT = 1 << 12
"""Scales and spans of time whose ticks are kept: those of most benchmarks come again."""
_LEADING, _RESTING = ("dot", "5.5"), ("dot rest", "4")
"""Class and radius of points over time."""
_TENTHS = tuple(f"{tenths / 10:g}" for tenths in range(10 * (TOP + PLOT + 26)))
"""Places in a chart over time as texts, since pixels and per cent alike need no more than tenths."""
_SHAPES = ("", "M-5-5H5V5H-5z", "M0-6 6 5H-6z", "M0-7 7 0 0 7-7 0z")


class Points(NamedTuple):
    """Results over time, in columns."""

    ids: Sequence[str]
    """Ids of the results, whose rows stand on the same page."""
    labels: Sequence[str]
    """Names of the methods."""
    titles: Sequence[str]
    """What is shown when pointed at: method, value as printed, settings, date."""
    values: Sequence[float]
    days: Sequence[float]
    """Places in time, as day numbers."""


class Mark(NamedTuple):
    """One result in the lane of its method."""

    id: str
    title: str
    value: float
    low: float | None = None
    high: float | None = None
    shape: int = 0
    regenerated: bool = False


class Scale(NamedTuple):
    """From values to shares of the plot, 0 to 1; logarithmic where most values span two powers of ten."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    """Value and text."""
    log: bool = False

    def places(self, values: Iterable[float], start: float, end: float) -> list[float]:
        """Where values lie if the scale runs from one place to another."""
        low, high = self.low, self.high
        if self.log:
            low, high, values = math.log10(low), math.log10(high), map(math.log10, values)
        span, room = high - low, end - start
        return [start + room * ((value - low) / span) for value in values]


def scale_of(values: Sequence[float]) -> Scale:
    """Round ends and three to eight ticks around some finite values."""
    low, high = min(values), max(values)
    if low > _SMALLEST and _wide(values):
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        every = -(-(last - first) // 6)
        powers = [10.0**power for power in range(first, last + 1, every)]
        return Scale(10.0**first, 10.0**last, tuple((power, _short(power)) for power in powers), log=True)
    span, size = high - low, max(abs(low), abs(high))
    if span <= _ALIKE * size or size < _SMALLEST:
        span = size / 5 if size > _SMALLEST else 1.0
    step = _round_step(span / 4)
    first, last = math.floor(low / step), math.ceil(high / step)
    if first == last:
        first, last = first - 1, last + 1
    return _linear(first, last, step)


@lru_cache(_KEPT)
def _linear(first: int, last: int, step: float) -> Scale:
    ticks = tuple((tick * step, _tick(tick * step, step)) for tick in range(first, last + 1))
    return Scale(first * step, last * step, ticks)


def _wide(values: Sequence[float]) -> bool:
    """Whether most of some positive values span two powers of ten, one stray value at either end left aside."""
    inner = sorted(values)
    stray = -(-len(inner) // 10) if len(inner) > 2 else 0
    return inner[-1 - stray] / inner[stray] >= 100


def frontier(days: Sequence[float], values: Sequence[float], direction: str) -> list[int]:
    """Where the points stand that were better than all before them, by time; of one day only the best counts."""
    sign = 1 if direction == "lower" else -1
    best, first = [], math.inf
    # From the best on, which is the order of tables: a point leads if no better one is as old.
    for _, day, place in sorted(zip([sign * value for value in values], days, range(len(days)), strict=True)):
        if day < first:
            best.append(place)
            first = day
    return best[::-1]


def over_time(points: Points, direction: str, title: str, description: str) -> str:
    """Values over time; with a direction, the frontier as steps and its points labelled."""
    first, last = min(points.days), max(points.days)
    scale = scale_of(points.values)
    across, down = _across(points.days, first, last), scale.places(points.values, TOP + PLOT, TOP)
    xs, ys = _tenths(across), _tenths(down)
    best = frontier(points.days, points.values, direction) if direction else []
    drawn, marks = [_levels(scale), _times(first, last)], _links(points, xs, ys, best)
    if best:
        drawn.append(_steps([(xs[place], ys[place]) for place in best]))
        named = [(points.labels[place], across[place], down[place]) for place in best]
        names = _labels(named, below=direction == "lower")
        marks.append(f'<g aria-hidden="true" paint-order="stroke">{"".join(names)}</g>')
    return _frame("time", TOP + PLOT + 26, (title, description), drawn, marks)


def _across(days: Iterable[float], first: float, last: float) -> list[float]:
    """Places of days between the first and the last, in per cent from the left."""
    length = last - first
    return [2 + 96 * (day - first) / length if length else 50.0 for day in days]


def _tenths(places: Iterable[float]) -> list[str]:
    last = len(_TENTHS) - 1
    return [_TENTHS[min(max(int(10 * place + 0.5), 0), last)] for place in places]


def _links(points: Points, xs: Sequence[str], ys: Sequence[str], best: Iterable[int]) -> list[str]:
    """Each point as a link to its row, those of the frontier larger."""
    looks = [_RESTING] * len(xs)
    for place in best:
        looks[place] = _LEADING
    return [
        f'<a href="#r-{name}" tabindex="-1"><title>{title}</title>'
        f'<circle class="{kinds}" cx="{x}%" cy="{y}" r="{radius}"/></a>'
        for name, title, (kinds, radius), x, y in zip(points.ids, _escaped(points.titles), looks, xs, ys, strict=True)
    ]


def _escaped(texts: Sequence[str]) -> Sequence[str]:
    """Texts for any place in HTML; one look at all of them tells in most cases that they are so already."""
    joined = "".join(texts)
    return [escape(text) for text in texts] if any(mark in joined for mark in "&<>\"'") else texts


@lru_cache(_KEPT)
def _levels(scale: Scale) -> str:
    """The ticks of values over time, with lines across the plot."""
    places = scale.places([value for value, _ in scale.ticks], TOP + PLOT, TOP)
    lines = [f'<line x2="100%" y1="{y}" y2="{y}"/>' for y in _tenths(places)]
    below = _tenths([place + 4 for place in places])
    names = [f'<text x="-6" y="{y}">{text}</text>' for y, (_, text) in zip(below, scale.ticks, strict=True)]
    return f'<g class="grid">{"".join(lines)}</g><g class="tick end">{"".join(names)}</g>'


def _times(first: float, last: float) -> str:
    """The ticks of time."""
    dates, y = _dates(first, last), TOP + PLOT + 18
    xs = _tenths(_across([day for day, _ in dates], first, last))
    names = [f'<text x="{x}%" y="{y}">{text}</text>' for x, (_, text) in zip(xs, dates, strict=True)]
    return f'<g class="tick">{"".join(names)}</g>'


def by_method(lanes: Sequence[tuple[str, Sequence[Mark]]], title: str, description: str) -> str:
    """One lane for each method, values from left to right, intervals as lines."""
    ends = [end for _, marks in lanes for mark in marks for end in (mark.value, mark.low, mark.high)]
    scale = scale_of([end for end in ends if end is not None])
    height = LANE * len(lanes)
    places = _right(scale, [value for value, _ in scale.ticks])
    drawn = [f'<line class="grid" x1="{x:.2f}%" x2="{x:.2f}%" y1="4" y2="{height + 4}"/>' for x in places]
    drawn += [_tick_below(x, height + 20, text) for x, (_, text) in zip(places, scale.ticks, strict=True)]
    links = []
    for place, (label, marks) in enumerate(lanes):
        middle = LANE * place + 20
        drawn.append(f'<text class="lab" x="-{MARGIN}" y="{middle + 4}">{escape(shortened(label))}</text>')
        drawn.append(f'<line class="lane" x1="0" x2="100%" y1="{middle}" y2="{middle}"/>')
        both = len({mark.regenerated for mark in marks}) == 2
        for mark, x in zip(marks, _right(scale, [mark.value for mark in marks]), strict=True):
            level = middle + (0 if not both else 5 if mark.regenerated else -5)
            drawn.append(_interval(mark, scale, level))
            links.append(_link(mark, x, level))
    return _frame("lanes", height + 26, (title, description), drawn, links)


def _right(scale: Scale, values: Iterable[float]) -> list[float]:
    """Places of values in per cent from the left."""
    return scale.places(values, 2, 98)


def shortened(text: str, most: int = LABEL) -> str:
    """A name as a label shows it."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


@lru_cache(1 << 14)
def day_number(text: str) -> float:
    """The place of a date in time; a year or a month alone lies at its middle."""
    year, month, day = ([int(part) for part in text.split("-")] + [0, 0])[:3]
    start = date(year, month or 1, day or 1).toordinal()
    length = calendar.monthrange(year, month)[1] if month else 365 + calendar.isleap(year)
    return float(start) if day else start + length / 2


def _frame(kind: str, height: int, words: tuple[str, str], drawn: list[str], marks: Iterable[str]) -> str:
    """The drawing as one image with a name; the marks stand beside it, since links inside an image reach nobody."""
    title, description = words
    return (
        f'<svg class="chart {kind}" width="100%" height="{height}">'
        '<g role="img" aria-labelledby="chart-title chart-text">'
        f'<title id="chart-title">{escape(title)}</title><desc id="chart-text">{escape(description)}</desc>'
        f"{''.join(drawn)}</g>{''.join(marks)}</svg>"
    )


def _tick_below(x: float, y: int, text: str) -> str:
    return f'<text class="tick" x="{x:.2f}%" y="{y}">{text}</text>'


def _steps(places: Sequence[tuple[str, str]]) -> str:
    """The frontier: level until the next better value, to the end of the plot."""
    (x, y), *later = places
    path = f"M{x} {y}" + "".join([f"H{x}V{y}" for x, y in later]) + "H100"
    height = TOP + PLOT
    return (
        f'<svg viewBox="0 0 100 {height}" preserveAspectRatio="none" height="{height}" overflow="visible">'
        f'<path class="frontier" vector-effect="non-scaling-stroke" d="{path}"/></svg>'
    )


def _link(mark: Mark, x: float, y: float) -> str:
    kinds = "dot run" if mark.regenerated else "dot"
    if outline := _SHAPES[mark.shape % len(_SHAPES)]:
        drawn = f'<svg x="{x:.2f}%" y="{y:.1f}" overflow="visible"><path class="{kinds}" d="{outline}"/></svg>'
    else:
        drawn = f'<circle class="{kinds}" cx="{x:.2f}%" cy="{y:.1f}" r="5.5"/>'
    return f'<a href="#r-{mark.id}" tabindex="-1"><title>{escape(mark.title)}</title>{drawn}</a>'


def _interval(mark: Mark, scale: Scale, y: float) -> str:
    if mark.low is None or mark.high is None:
        return ""
    low, high = _right(scale, (mark.low, mark.high))
    kinds = "interval run" if mark.regenerated else "interval"
    return f'<line class="{kinds}" x1="{low:.2f}%" x2="{high:.2f}%" y1="{y}" y2="{y}"/>'


def _labels(points: Sequence[tuple[str, float, float]], *, below: bool) -> Iterator[str]:
    """Names of the frontier's points, the latest first; one that would cover another is left out at that width."""
    taken: dict[int, list[tuple[float, float, float]]] = {width: [] for width in WIDTHS}
    after = 100.0
    for label, x, y in reversed(points):
        text = shortened(label)
        length, level = _LETTER * len(text), y + 17 if below and y + 17 < TOP + PLOT else y - 9
        ends = x * WIDTHS[0] / 100 > length
        free = []
        for width, others in taken.items():
            right = x * width / 100 if ends else x * width / 100 + length
            left = right - length
            inside = left > -30 and right <= after * width / 100  # the next step would cut a name that begins here
            if inside and not _covers(left, right, level, others):
                others.append((left, right, level))
                free.append(width)
        after = x
        if WIDTHS[0] in free:
            kinds = f"name{' end' if ends else ''}{' wide' if len(free) == 1 else ''}"
            at, down = _tenths((x, level))
            yield f'<text class="{kinds}" x="{at}%" y="{down}">{html_text(text)}</text>'


def _covers(left: float, right: float, level: float, others: Iterable[tuple[float, float, float]]) -> bool:
    """Whether a name lies over others, all given by their ends and their level."""
    return any(left < end + 6 and start < right + 6 and abs(level - at) < 18 for start, end, at in others)


def _dates(first: float, last: float) -> list[tuple[int, str]]:
    """At most six first days of months or years between two days, with their names."""
    start, end = date.fromordinal(int(first)), date.fromordinal(int(last))
    months = _months(start.year * 12 + start.month - 1, end.year * 12 + end.month - 1)
    return [(day, text) for day, text in months if first <= day <= last]


@lru_cache(_KEPT)
def _months(first: int, last: int) -> tuple[tuple[int, str], ...]:
    """At most seven first days of months or years between two months, counted from the year 0, with their names."""
    every = next((step for step in (1, 2, 3, 6, 12, 24, 60, 120, 240) if (last - first) / step <= 6), 1200)
    chosen = [divmod(month, 12) for month in range(-(-first // every) * every, last + 1, every)]
    names = "{0}" if every >= 12 else "{0}-{1:02d}"
    return tuple((date(year, month + 1, 1).toordinal(), names.format(year, month + 1)) for year, month in chosen)


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= rough * 0.999999)


def _tick(value: float, step: float) -> str:
    if abs(value) >= 10_000 or step < 1e-4:
        return _short(value)
    decimals = next((digits for digits in range(5) if math.isclose(round(step, digits), step)), 4)
    return f"{value:.{decimals}f}"


def _short(value: float) -> str:
    """A number in few characters: 10k, 2.5M, 1e+12."""
    for power, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if power <= abs(value) < 1000 * power:
            return f"{value / power:.4g}{letter}"
    return f"{value:.4g}"
