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
_SHAPES = ("", "M-5-5H5V5H-5z", "M0-6 6 5H-6z", "M0-7 7 0 0 7-7 0z")


class Point(NamedTuple):
    """One result in a chart."""

    anchor: str
    """Where on the page its row stands."""
    label: str
    """Name of the method."""
    title: str
    """What is shown when pointed at: method, value as printed, settings, date."""
    value: float
    day: float = 0.0
    """Place in time, as a day number; only for values over time."""
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

    def at(self, value: float) -> float:
        """The share at which a value lies."""
        if not self.log:
            return (value - self.low) / (self.high - self.low)
        low, high = math.log10(self.low), math.log10(self.high)
        return (math.log10(value) - low) / (high - low)


def scale_of(values: Sequence[float]) -> Scale:
    """Round ends and three to eight ticks around some finite values."""
    low, high = min(values), max(values)
    if low > 0 and _wide(values):
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        every = -(-(last - first) // 6)
        powers = [10.0**power for power in range(first, last + 1, every)]
        return Scale(10.0**first, 10.0**last, tuple((power, _short(power)) for power in powers), log=True)
    span = (high - low) or abs(high) / 5 or 1.0
    step = _round_step(span / 4)
    first, last = math.floor(low / step), math.ceil(high / step)
    if first == last:
        first, last = first - 1, last + 1
    ticks = tuple((tick * step, _tick(tick * step, step)) for tick in range(first, last + 1))
    return Scale(first * step, last * step, ticks)


def _wide(values: Sequence[float]) -> bool:
    """Whether most of some positive values span two powers of ten, one stray value at either end left aside."""
    inner = sorted(values)
    stray = -(-len(inner) // 10) if len(inner) > 2 else 0
    return inner[-1 - stray] / inner[stray] >= 100


def frontier(points: Sequence[Point], direction: str) -> list[Point]:
    """The points that were better than all before them, by time; of one day only the best counts."""
    sign = -1 if direction == "lower" else 1
    best: list[Point] = []
    for point in sorted(points, key=lambda point: (point.day, -sign * point.value)):
        if not best or sign * point.value > sign * best[-1].value:
            best.append(point)
    return best


def over_time(points: Sequence[Point], direction: str, title: str, description: str) -> str:
    """Values over time; with a direction, the frontier as steps and its points labelled."""
    scale = scale_of([point.value for point in points])
    days = [point.day for point in points]
    first, last = min(days), max(days)

    def x(day: float) -> float:
        return 2 + 96 * (day - first) / (last - first) if last > first else 50.0

    def y(value: float) -> float:
        return TOP + PLOT * (1 - scale.at(value))

    best = frontier(points, direction) if direction else []
    leading = {point.anchor for point in best}
    places = [(x(point.day), y(point.value)) for point in best]
    drawn = [_grid_line(y(value)) for value, _ in scale.ticks]
    drawn += [f'<text class="tick end" x="-6" y="{y(value) + 4:.1f}">{text}</text>' for value, text in scale.ticks]
    drawn += [_tick_below(x(day), TOP + PLOT + 18, text) for day, text in _dates(first, last)]
    drawn += [_steps(places)] if places else []
    marks = [_mark(point, x(point.day), y(point.value), "" if point.anchor in leading else "rest") for point in points]
    names = _labels(best, places, below=direction == "lower")
    labels = f'<g aria-hidden="true" paint-order="stroke">{"".join(names)}</g>' if best else ""
    return _frame("time", TOP + PLOT + 26, (title, description), drawn, [*marks, labels])


def by_method(lanes: Sequence[tuple[str, Sequence[Point]]], title: str, description: str) -> str:
    """One lane for each method, values from left to right, intervals as lines."""
    ends = [end for _, points in lanes for point in points for end in (point.value, point.low, point.high)]
    scale = scale_of([end for end in ends if end is not None])
    height = LANE * len(lanes)
    drawn = [_grid_upright(_share(scale, value), height) for value, _ in scale.ticks]
    drawn += [_tick_below(_share(scale, value), height + 20, text) for value, text in scale.ticks]
    marks = []
    for place, (label, points) in enumerate(lanes):
        middle = LANE * place + 20
        drawn.append(f'<text class="lab" x="-{MARGIN}" y="{middle + 4}">{escape(shortened(label))}</text>')
        drawn.append(f'<line class="lane" x1="0" x2="100%" y1="{middle}" y2="{middle}"/>')
        both = len({point.regenerated for point in points}) == 2
        for point in points:
            level = middle + (0 if not both else 5 if point.regenerated else -5)
            drawn.append(_interval(point, scale, level))
            marks.append(_mark(point, _share(scale, point.value), level, ""))
    return _frame("lanes", height + 26, (title, description), drawn, marks)


def shortened(text: str, most: int = LABEL) -> str:
    """A name as a label shows it."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


@lru_cache(1 << 14)
def day_number(text: str) -> tuple[float, bool]:
    """The place of a date in time, and whether it is a day; a year or a month alone lies at its middle."""
    year, month, day = ([int(part) for part in text.split("-")] + [0, 0])[:3]
    if day:
        return float(date(year, month, day).toordinal()), True
    start = date(year, month or 1, 1).toordinal()
    length = calendar.monthrange(year, month)[1] if month else 365 + calendar.isleap(year)
    return start + length / 2, False


def _frame(kind: str, height: int, words: tuple[str, str], drawn: list[str], marks: Iterable[str]) -> str:
    """The drawing as one image with a name; the marks stand beside it, since links inside an image reach nobody."""
    title, description = words
    return (
        f'<svg class="chart {kind}" width="100%" height="{height}">'
        '<g role="img" aria-labelledby="chart-title chart-text">'
        f'<title id="chart-title">{escape(title)}</title><desc id="chart-text">{escape(description)}</desc>'
        f"{''.join(drawn)}</g>{''.join(marks)}</svg>"
    )


def _grid_line(y: float) -> str:
    return f'<line class="grid" x1="0" x2="100%" y1="{y:.1f}" y2="{y:.1f}"/>'


def _grid_upright(x: float, height: int) -> str:
    return f'<line class="grid" x1="{x:.2f}%" x2="{x:.2f}%" y1="4" y2="{height + 4}"/>'


def _tick_below(x: float, y: int, text: str) -> str:
    return f'<text class="tick" x="{x:.2f}%" y="{y}">{text}</text>'


def _steps(places: list[tuple[float, float]]) -> str:
    """The frontier: level until the next better value, to the end of the plot."""
    (x, y), *later = places
    path = f"M{x:.2f} {y:.1f}" + "".join(f"H{x:.2f}V{y:.1f}" for x, y in later) + "H100"
    height = TOP + PLOT
    return (
        f'<svg viewBox="0 0 100 {height}" preserveAspectRatio="none" width="100%" height="{height}" overflow="visible">'
        f'<path class="frontier" vector-effect="non-scaling-stroke" d="{path}"/></svg>'
    )


def _mark(point: Point, x: float, y: float, kind: str) -> str:
    kinds = f"dot {kind}" if kind else "dot"
    kinds += " run" if point.regenerated else ""
    if outline := _SHAPES[point.shape % len(_SHAPES)]:
        drawn = f'<svg x="{x:.2f}%" y="{y:.1f}" overflow="visible"><path class="{kinds}" d="{outline}"/></svg>'
    else:
        drawn = f'<circle class="{kinds}" cx="{x:.2f}%" cy="{y:.1f}" r="{4 if kind else 5.5}"/>'
    return f'<a href="#{escape(point.anchor)}" tabindex="-1"><title>{escape(point.title)}</title>{drawn}</a>'


def _interval(point: Point, scale: Scale, y: float) -> str:
    if point.low is None or point.high is None:
        return ""
    low, high = _share(scale, point.low), _share(scale, point.high)
    kinds = "interval run" if point.regenerated else "interval"
    return f'<line class="{kinds}" x1="{low:.2f}%" x2="{high:.2f}%" y1="{y}" y2="{y}"/>'


def _share(scale: Scale, value: float) -> float:
    return 2 + 96 * scale.at(value)


def _labels(points: list[Point], places: list[tuple[float, float]], *, below: bool) -> Iterator[str]:
    """Names of the frontier's points, the latest first; one that would cover another is left out at that width."""
    taken: dict[int, list[tuple[float, float, float]]] = {width: [] for width in WIDTHS}
    after = 100.0
    for point, (x, y) in reversed(list(zip(points, places, strict=True))):
        text, level = shortened(point.label), y + 17 if below and y + 17 < TOP + PLOT else y - 9
        ends = x * WIDTHS[0] / 100 > _LETTER * len(text)
        free = []
        for width in WIDTHS:
            right = x * width / 100 if ends else x * width / 100 + _LETTER * len(text)
            box = (right - _LETTER * len(text), right, level)
            inside = box[0] > -30 and right <= after * width / 100  # the next step would cut a name that begins here
            if inside and not any(_overlap(box, other) for other in taken[width]):
                taken[width].append(box)
                free.append(width)
        after = x
        if WIDTHS[0] in free:
            kinds = ["name", *(["end"] if ends else []), *(["wide"] if len(free) == 1 else [])]
            yield f'<text class="{" ".join(kinds)}" x="{x:.2f}%" y="{level:.1f}">{escape(text)}</text>'


def _overlap(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    return one[0] < other[1] + 6 and other[0] < one[1] + 6 and abs(one[2] - other[2]) < 18


def _dates(first: float, last: float) -> Iterator[tuple[float, str]]:
    """At most six first days of months or years between two days, with their names."""
    start, end = date.fromordinal(int(first)), date.fromordinal(int(last))
    months = (end.year - start.year) * 12 + end.month - start.month
    every = next((step for step in (1, 2, 3, 6, 12, 24, 60, 120, 240) if months / step <= 6), 1200)
    month = -(-(start.year * 12 + start.month - 1) // every) * every
    while month // 12 <= end.year:
        day = date(month // 12, month % 12 + 1, 1).toordinal()
        if first <= day <= last:
            yield day, str(month // 12) if every >= 12 else f"{month // 12}-{month % 12 + 1:02d}"
        month += every


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
