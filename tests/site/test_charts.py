"""Charts: positions worked out by hand, frontiers as sets of unbeaten points, and text that stays text."""

import math
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sotakit.publish.charts import (
    LABEL,
    LANE,
    PLOT,
    TOP,
    Mark,
    Points,
    by_method,
    day_number,
    frontier,
    over_time,
    scale_of,
    shortened,
)

SVG = "{http://www.w3.org/2000/svg}"


def tree(svg: str) -> ET.Element:
    return ET.fromstring(svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def points(*rows: tuple[str, float, str]) -> Points:
    """Points over time from names, values and dates."""
    names, values, dates = zip(*rows, strict=True)
    return Points(names, names, [f"{name}: {value}" for name, value, _ in rows], values, list(map(day_number, dates)))


def mark(name: str, value: float, **more: object) -> Mark:
    return Mark(name, f"{name}: {value}", value, **more)  # type: ignore[arg-type]


def share(text: str | None) -> float:
    assert text
    assert text.endswith("%")
    return float(text[:-1])


def dots(root: ET.Element) -> dict[str, tuple[float, float]]:
    """Place of every circle by the anchor it links to: per cent of the width, pixels from the top."""
    return {
        link.attrib["href"]: (share(link[1].get("cx")), float(link[1].attrib["cy"]))
        for link in root.iter(f"{SVG}a")
        if link[1].tag == f"{SVG}circle"
    }


# Values 1 to 3 make ticks at 1, 1.5, 2, 2.5 and 3; 2020-01-01 to 2020-01-11 are ten days over 2 % to 98 %.
BOARD = points(("a", 1.0, "2020-01-01"), ("b", 2.0, "2020-01-06"), ("c", 1.5, "2020-01-07"), ("d", 3.0, "2020-01-11"))


def test_points_over_time_lie_where_their_date_and_value_say() -> None:
    assert (TOP, PLOT) == (22, 190)
    assert dots(tree(over_time(BOARD, "higher", "T", "D"))) == {
        "#r-a": (2.0, 212.0),
        "#r-b": (50.0, 117.0),
        "#r-c": (59.6, 164.5),
        "#r-d": (98.0, 22.0),
    }


@pytest.mark.parametrize(
    ("direction", "path"),
    [
        ("higher", "M2 212H50V117H98V22H100"),
        ("lower", "M2 212H100"),
        ("", None),
    ],
)
def test_the_frontier_steps_at_each_better_point(direction: str, path: str | None) -> None:
    found = [node.get("d") for node in tree(over_time(BOARD, direction, "T", "D")).iter(f"{SVG}path")]
    assert found == ([path] if path else [])


def test_points_off_the_frontier_are_drawn_apart_and_unlabelled() -> None:
    root = tree(over_time(BOARD, "higher", "T", "D"))
    quiet = {link.attrib["href"] for link in root.iter(f"{SVG}a") if "rest" in link[1].attrib["class"]}
    names = [node.text for node in root.iter(f"{SVG}text") if "name" in node.get("class", "")]
    assert quiet == {"#r-c"}
    assert sorted(filter(None, names)) == ["a", "b", "d"]


def test_ticks_name_their_values_and_the_time() -> None:
    texts = [node.text for node in tree(over_time(BOARD, "higher", "T", "D")).iter(f"{SVG}text")]
    assert [text for text in texts if text and re.fullmatch(r"[0-9.]+", text)] == ["1.0", "1.5", "2.0", "2.5", "3.0"]
    years = points(("a", 1, "2018-03-01"), ("b", 2, "2023-06-01"))
    texts = [node.text for node in tree(over_time(years, "", "T", "D")).iter(f"{SVG}text")]
    assert [text for text in texts if text and text.startswith("20")] == ["2019", "2020", "2021", "2022", "2023"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("2021-05-04", 737914),
        ("2021-05", 737911 + 15.5),
        ("2021", 737791 + 182.5),
        ("2020", 737425 + 183),
    ],
)
def test_a_month_or_a_year_lies_at_its_middle(text: str, place: float) -> None:
    """Day numbers count from 0001-01-01 as 1: 2020-01-01 is 737425."""
    assert day_number(text) == place


def test_lanes_hold_the_points_of_a_method_and_intervals_are_lines() -> None:
    lanes = [
        ("First", [mark("a", 10.0), mark("b", 14.0, low=12.0, high=20.0, regenerated=True)]),
        ("Second", [mark("c", 20.0)]),
    ]
    root = tree(by_method(lanes, "T", "D"))  # ticks from 10 to 20, so 10 lies at 2 % and 20 at 98 %
    assert dots(root) == {"#r-a": (2.0, 15.0), "#r-b": (40.4, 25.0), "#r-c": (98.0, 20.0 + LANE)}
    (line,) = [node for node in root.iter(f"{SVG}line") if "interval" in node.attrib["class"]]
    assert (share(line.get("x1")), share(line.get("x2")), line.get("y1")) == (21.2, 98.0, "25")
    assert "run" in line.attrib["class"]
    assert [node.text for node in root.iter(f"{SVG}text") if node.get("class") == "lab"] == ["First", "Second"]


def test_shapes_tell_settings_apart_and_stand_at_their_point() -> None:
    root = tree(by_method([("M", [mark("a", 1.0), mark("b", 3.0, shape=1), mark("c", 2.0, shape=2)])], "T", "D"))
    placed = {link.attrib["href"]: link[1] for link in root.iter(f"{SVG}a")}
    assert placed["#r-a"].tag == f"{SVG}circle"
    assert [share(placed[name].get("x")) for name in ("#r-b", "#r-c")] == [98.0, 50.0]
    outlines = {node.get("d") for node in root.iter(f"{SVG}path")}
    assert len(outlines) == 2


def test_labels_that_would_cover_one_another_are_left_out_on_a_phone_or_everywhere() -> None:
    """Names of 16 letters are 106 pixels wide; thirty days lie over 640 pixels on a desk and 290 on a phone.

    The first name begins at 13 pixels, where the step at 33 would cut it. Those of the 24th and the 31st end at 484 and
    627 pixels on a desk, but at 219 and 284 on a phone.
    """
    days = {"a": (1.00, 1), "b": (1.01, 2), "c": (1.47, 16), "d": (1.48, 24), "e": (1.5, 31), "f": (1.49, 31)}
    crowd = [(name * 16, value, f"2020-01-{day:02d}") for name, (value, day) in days.items()]
    labels = [node for node in tree(over_time(points(*crowd), "higher", "T", "D")).iter(f"{SVG}text") if node.text]
    found = {node.text[0]: node.get("class") for node in labels if node.text and "name" in str(node.get("class"))}
    assert found == {"b": "name", "c": "name end", "d": "name end wide", "e": "name end"}


def test_a_chart_is_an_image_with_a_name_and_a_description() -> None:
    root = tree(over_time(BOARD, "higher", "Accuracy over time", "4 results"))
    (image,) = [node for node in root.iter() if node.get("role") == "img"]
    names = image.attrib["aria-labelledby"].split()
    assert [next(node.text for node in image if node.get("id") == name) for name in names] == [
        "Accuracy over time",
        "4 results",
    ]
    assert not list(image.iter(f"{SVG}a"))  # a reader could not reach links inside an image
    assert len(list(root.iter(f"{SVG}a"))) == 4


@pytest.mark.parametrize("evil", ["<script>alert(1)</script>", '"><img src=x>', "a & b", "]]>", "'"])
def test_text_stays_text(evil: str) -> None:
    for svg in (
        over_time(Points("ab", (evil, "b"), (evil, "b: 2"), (1.0, 2.0), (1.0, 2.0)), "higher", evil, evil),
        by_method([(evil, [Mark("a", evil, 1.0)])], evil, evil),
    ):
        root = tree(svg)
        tags = {node.tag.removeprefix(SVG) for node in root.iter()}
        assert tags <= {"svg", "title", "desc", "g", "text", "line", "path", "circle", "a"}
        titles = [node.text for node in root.iter(f"{SVG}title")]
        assert titles[:2] == [evil, evil]  # of the chart and of its first point
        assert shortened(evil) in {node.text for node in root.iter(f"{SVG}text")}


def test_long_names_are_cut_with_a_mark() -> None:
    assert shortened("x" * LABEL) == "x" * LABEL
    assert shortened("x" * 300) == "x" * (LABEL - 1) + "…"


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.0, 100.0], ["0", "25", "50", "75", "100"]),
        ([93.1, 94.2], ["93.0", "93.5", "94.0", "94.5"]),
        ([5.0], ["4.75", "5.00", "5.25"]),
        ([0.0], ["-0.25", "0.00", "0.25"]),
        ([1e3, 5e6], ["1k", "10k", "100k", "1M", "10M"]),
        ([0.07, *range(60, 91, 5)], ["0", "25", "50", "75", "100"]),  # one stray value makes no powers of ten
        ([-2.0, 2.0], ["-2", "-1", "0", "1", "2"]),
    ],
)
def test_scales_have_round_ticks(values: list[float], ticks: list[str]) -> None:
    assert [text for _, text in scale_of(values).ticks] == ticks


NUMBERS = st.floats(min_value=-1e12, max_value=1e12, allow_nan=False).map(lambda value: round(value, 6))
DAYS = st.integers(min_value=700_000, max_value=760_000)
ANY = st.floats(min_value=-1e99, max_value=1e99)


def nearby(value: float, steps: list[int]) -> list[float]:
    """Numbers that a few last bits tell apart, as means of the same numbers are."""
    return [value + step * math.ulp(value) for step in steps]


NEARBY = st.builds(nearby, NUMBERS | ANY, st.lists(st.integers(-5, 5), min_size=1, max_size=30))


@given(st.lists(NUMBERS, min_size=1, max_size=30) | st.lists(ANY, min_size=1, max_size=9) | NEARBY)
def test_every_value_lies_inside_its_scale(values: list[float]) -> None:
    scale = scale_of(values)
    assert all(-1e-9 <= place <= 1 + 1e-9 for place in scale.places(values, 0, 1))
    places = scale.places([value for value, _ in scale.ticks], 0, 1)
    assert places == sorted(places)
    assert 2 <= len(places) <= 9


@given(st.lists(st.tuples(DAYS, NUMBERS), min_size=1, max_size=40), st.sampled_from(["higher", "lower"]))
def test_the_frontier_only_gets_better_and_nothing_before_a_point_beats_it(
    raw: list[tuple[int, float]], direction: str
) -> None:
    days, values = zip(*raw, strict=True)
    sign = -1 if direction == "lower" else 1
    best = [(days[place], sign * values[place]) for place in frontier(days, values, direction)]
    assert [value for _, value in best] == sorted({value for _, value in best})
    assert [day for day, _ in best] == sorted({day for day, _ in best})
    for day, value in best:
        assert all(sign * other < value for before, other in raw if before < day)
        assert all(sign * other <= value for on, other in raw if on == day)
    assert max(sign * value for value in values) == best[-1][1]


@given(st.lists(NUMBERS, min_size=1, max_size=25) | NEARBY, st.data(), st.sampled_from(["higher", "lower", ""]))
@example([0.4699999999999999, 0.47000000000000003, 0.47], None, "higher")
@example([123456.78900000002, 123456.78899999996, 123456.78900000005], None, "lower")
@example([99.9, 99.90000000000002], None, "higher")
def test_every_point_lies_inside_the_frame(values: list[float], data: st.DataObject | None, direction: str) -> None:
    count = len(values)
    days = data.draw(st.lists(DAYS, min_size=count, max_size=count)) if data else list(range(738_000, 738_000 + count))
    names = [f"m{place}" for place in range(count)]
    root = tree(over_time(Points(names, names, names, values, days), direction, "T", "D"))
    height = float(root.attrib["height"])
    places = dots(root)
    assert len(places) == count
    assert all(0 <= x <= 100 and 0 <= y <= height for x, y in places.values())
    assert all(math.isfinite(x) and math.isfinite(y) for x, y in places.values())
