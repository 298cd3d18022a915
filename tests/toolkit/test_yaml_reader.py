"""YAML 1.2 core semantics, refusals with their places, and the place of every value."""

import gc
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sotakit.read import raw, yaml_reader
from sotakit.read.raw import Fault, Unreadable
from sotaschema.values import WrittenFloat, WrittenInt


def read_one(text: str) -> Any:
    (record,) = yaml_reader.read(text)
    assert record.faults == ()
    return record.value


def fault_of(text: str) -> Fault:
    with pytest.raises(Unreadable) as caught:
        list(yaml_reader.read(text))
    return caught.value.fault


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NO", "NO"), ("no", "no"), ("on", "on"), ("yes", "yes"), ("y", "y"), ("off", "off"),
        ("true", True), ("True", True), ("FALSE", False), ("tRue", "tRue"),
        ("null", None), ("~", None), ("", None), ("Null", None), ("nUll", "nUll"),
        ("1e-3", 0.001), ("1E3", 1000.0), ("1.", 1.0), (".5", 0.5), ("+1.5", 1.5), ("-2", -2),
        ("014", 14), ("0o14", 12), ("0x1F", 31), ("0b1", "0b1"), ("1_000", "1_000"), ("12:30:45", "12:30:45"),
        ("2024-01-01", "2024-01-01"), ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z"),
        ("12345678901234567890", 12345678901234567890), ("=", "="), (".", "."), ("-", [None]), ("1e", "1e"),
        (".inf", float("inf")), ("-.INF", float("-inf")), ("inf", "inf"), ("nan", "nan"),
        ("'1'", "1"), ('"true"', "true"), ("'~'", "~"),
    ],
)  # fmt: skip
def test_core_schema(text: str, expected: object) -> None:
    found = read_one(f"a: {text}" if text != "-" else "a:\n  -")["a"]
    assert found == expected
    assert isinstance(found, bool) == isinstance(expected, bool)
    assert isinstance(found, str) == isinstance(expected, str)


def test_nan_is_a_float() -> None:
    found = read_one("a: .nan")["a"]
    assert isinstance(found, float)
    assert found != found  # noqa: PLR0124 - that is what NaN is


@pytest.mark.parametrize("text", ["0.90", "1.0", "1e-3", "6976e4", "-0.0", "007", "1e400", "00012", "0x1F", "+3"])
def test_digits_are_kept(text: str) -> None:
    found = read_one(f"a: {text}")["a"]
    assert isinstance(found, WrittenInt | WrittenFloat)
    assert found.text == text


def test_keys_are_text_as_written() -> None:
    assert list(read_one("1: a\n0.90: b\nnull: c\nNO: d\n2024-01-01: e")) == ["1", "0.90", "null", "NO", "2024-01-01"]


def test_duplicate_keys_have_both_places_and_leave_the_neighbours() -> None:
    text = "- id: a\n- id: b\n  name: x\n  id: c\n- id: d\n"
    first, second, third = yaml_reader.read(text)
    assert (first.value, first.faults) == ({"id": "a"}, ())
    assert (third.value, third.faults) == ({"id": "d"}, ())
    (fault,) = second.faults
    assert (fault.code, fault.line, fault.column) == ("E105", 4, 3)
    assert "line 2, column 3" in fault.hint


def test_nested_duplicate_keys_are_all_found() -> None:
    (record,) = yaml_reader.read("a: {b: 1, b: 2}\nc:\n  - {d: 1, e: 2, d: 3, d: 4}\na: 5\n")
    assert [(fault.line, fault.column) for fault in record.faults] == [(1, 11), (3, 18), (3, 24), (4, 1)]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("a: &x 1\nb: *x\n", "E107", 1, 4),
        ("a: 1\nb: *x\n", "E107", 2, 4),
        ("a: !!python/object:os.system x\n", "E107", 1, 4),
        ("a: !t x\n", "E107", 1, 4),
        ("a: ! 1\n", "E107", 1, 4),
        ("a: !!str 1\n", "E107", 1, 4),
        ("b: 1\n<<: {a: 1}\n", "E107", 2, 1),
        ("? [a]\n: 1\n", "E107", 1, 3),
        ("&k a: 1\n", "E107", 1, 1),
        ("a: 1\n---\nb: 2\n", "E107", 2, 1),
        ("a: [1, 2\nb: 3\n", "E104", 2, 2),
        ("a: 1\n b: 2\n", "E104", 2, 3),
        ("a: 'x\n", "E104", 2, 1),
        ("a: 1\n\tb: 2\n", "E104", 2, 1),
        ("a: @x\n", "E104", 1, 4),
        ("a: 1\nbé: x\x07y\n", "E104", 2, 6),
        ("a: \ufffe\n", "E104", 1, 4),
        ("a: " + "9" * 401, "E106", 1, 4),
    ],
)
def test_refused_at_its_place(text: str, code: str, line: int, column: int) -> None:
    fault = fault_of(text)
    assert (fault.code, fault.line, fault.column) == (code, line, column)
    assert fault.hint


def test_quoted_merge_key_is_a_key() -> None:
    assert read_one('"<<": 1') == {"<<": 1}


def test_alias_bomb_is_refused_at_its_first_anchor() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
    assert fault_of("\n".join(lines))[:3] == ("E107", 1, 5)


@pytest.mark.parametrize("text", ["[" * 50_000, "- " * 50_000 + "a", "a: " + "{a: " * 50_000, "[" * 101 + "]" * 101])
def test_deep_nesting_is_refused(text: str) -> None:
    assert fault_of(text).code == "E106"


def test_nesting_up_to_the_limit_is_read() -> None:
    deep = read_one("a: " + "[" * (raw.MAX_DEPTH - 1) + "]" * (raw.MAX_DEPTH - 1))
    assert raw.depth(deep) == raw.MAX_DEPTH


def test_too_many_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_reader, "MAX_KEYS", 3)
    assert read_one("a: 1\nb: 2\nc: 3\n")
    assert fault_of("a: 1\nb: 2\nc: 3\nd: 4\n")[:3] == ("E106", 4, 1)


@pytest.mark.parametrize("text", ["", "\n", "# only\n# comments\n", "---\n", "null\n"])
def test_an_empty_document_has_no_records(text: str) -> None:
    assert list(yaml_reader.read(text)) == []


def test_crlf_changes_nothing() -> None:
    text = "a: 1\nb:\n  - x\n  - |\n    y\n    z\n"
    assert read_one(text.replace("\n", "\r\n")) == read_one(text)
    assert yaml_reader.places(text.replace("\n", "\r\n")).of(("b", 1), at_key=False) == (4, 5)


def test_lines_are_counted_by_line_feeds_only() -> None:
    text = 'a: "x\u2028y\x85z"\nb: 1\nb: 2\n'
    (record,) = yaml_reader.read(text)
    assert record.faults[0][1:3] == (3, 1)
    assert yaml_reader.places(text).of(("b",), at_key=True) == (2, 1)


def test_columns_count_code_points() -> None:
    assert yaml_reader.places("{é𝕏: 1, b: 2}").of(("b",), at_key=False) == (1, 12)


def test_place_of_what_is_not_there_is_the_nearest_around_it() -> None:
    places = yaml_reader.places("- id: a\n  scores: {x: 1}\n")
    assert places.of((0, "scores", "y"), at_key=False) == (2, 11)
    assert places.of((0, "name"), at_key=True) == (1, 3)
    assert places.of((7,), at_key=False) == (1, 1)


SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-(10**9), 10**9), st.text(max_size=12))
TREES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=12,
)
DOCUMENTS = st.one_of(st.lists(TREES, min_size=1, max_size=4), st.dictionaries(st.text(max_size=8), TREES, min_size=1))


def nodes(node: yaml.Node, path: tuple = ()) -> Iterator[tuple[tuple, yaml.Node, yaml.Node | None]]:
    """Path, value and key of every node, by PyYAML's own scanner, which shares nothing with libyaml."""
    yield path, node, None
    if isinstance(node, yaml.SequenceNode):
        for index, inner in enumerate(node.value):
            yield from nodes(inner, (*path, index))
    elif isinstance(node, yaml.MappingNode):
        for key, inner in node.value:
            yield (*path, key.value), inner, key
            yield from nodes(inner, (*path, key.value))


def place_in(text: str, index: int) -> tuple[int, int]:
    return text[:index].count("\n") + 1, len(text[:index].rsplit("\n", maxsplit=1)[-1]) + 1


@given(DOCUMENTS, st.booleans(), st.booleans(), st.booleans())
def test_every_place_is_where_another_scanner_sees_it(tree: Any, flow: bool, plain: bool, crlf: bool) -> None:
    text = yaml.safe_dump(tree, default_flow_style=flow, allow_unicode=plain, sort_keys=False, width=30)
    text = text.replace("\n", "\r\n") if crlf else text
    places = yaml_reader.places(text)
    for path, value, key in nodes(yaml.compose(text, Loader=yaml.SafeLoader)):
        assert places.of(path, at_key=False) == place_in(text, value.start_mark.index)
        if key is not None:
            assert places.of(path, at_key=True) == place_in(text, key.start_mark.index)


TEXTS = st.recursive(
    st.text(max_size=12),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=8), TEXTS, min_size=1), st.sampled_from(["'", '"']))
def test_quoted_text_of_another_library_is_read_back(tree: Any, style: str) -> None:
    assert read_one(yaml.safe_dump(tree, default_style=style)) == tree


def all_places(text: str) -> list[tuple[int, int]]:
    """The place of a fault of the document, else of each of its records."""
    try:
        records = list(yaml_reader.read(text))
    except Unreadable as error:
        return [(error.fault.line, error.fault.column)]
    assert all(raw.depth(record.value) <= raw.MAX_DEPTH for record in records)
    return [yaml_reader.places(text).of((*record.path, "a"), at_key=True) for record in records]


@given(st.text())
def test_any_text_is_records_or_a_fault_inside_of_it(text: str) -> None:
    lines = text.split("\n")
    assert all(line <= len(lines) and column <= len(lines[line - 1]) + 1 for line, column in all_places(text))


@given(st.text(alphabet="ab:-[]{}&*!|>'\"#%@`? ,\n\t\r\ufeff\x00\x85\u2028<0.", max_size=40))
def test_any_arrangement_of_indicators_is_records_or_a_fault_inside_of_it(text: str) -> None:
    lines = text.split("\n")
    assert all(line <= len(lines) and column <= len(lines[line - 1]) + 1 for line, column in all_places(text))


@given(
    st.recursive(
        st.text("ab: -#'\u00e9\U0001f600", max_size=5) | st.integers() | st.none(),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text("abé", min_size=1, max_size=3), inner, max_size=3)
        ),
        max_leaves=8,
    ),
    st.booleans(),
)
def test_places_by_libyaml_are_those_by_line_feeds(value: object, flow: bool) -> None:
    text = yaml.safe_dump(value, allow_unicode=True, default_flow_style=flow)
    other = text + "# \u2028\n"  # libyaml takes this for a line break and counts lines in another way than we do
    places, others = yaml_reader.places(text), yaml_reader.places(other)
    for path, _, _ in nodes(yaml.compose(text, Loader=yaml.SafeLoader)):
        for at_key in (False, True):
            assert places.of(path, at_key=at_key) == others.of(path, at_key=at_key)


def test_places_beside_a_doubled_key_are_those_of_the_first_and_of_what_follows() -> None:
    places = yaml_reader.places("a: {b: [1, 2], b: {c: 3}}\nd: 4\n")
    assert places.of(("a", "b"), at_key=True) == (1, 5)
    assert places.of(("a", "b", 1), at_key=False) == (1, 12)
    assert places.of(("a", "b", "c"), at_key=False) == (1, 8)
    assert places.of(("d",), at_key=False) == (2, 4)


@pytest.mark.parametrize("text", ["a: 1\n" * 2, "a: [", "a: *b\n"])
def test_the_place_of_a_document_that_cannot_be_read_is_that_of_its_fault(text: str) -> None:
    expected = all_places(text)[0] if "[" in text or "*" in text else (1, 1)
    assert yaml_reader.places(text).of((), at_key=False) == expected


@pytest.mark.parametrize("read", [yaml_reader.places, lambda text: list(yaml_reader.read(text))])
def test_reading_a_large_document_searches_for_no_cycles(read: Any) -> None:
    text = "".join(f"r{number}: {{scores: {{x: 1.5}}, list: [a]}}\n" for number in range(3000))
    searches: list[str] = []

    def note(phase: str, _: dict[str, int]) -> None:
        searches.append(phase)

    gc.callbacks.append(note)
    try:
        read(text)
    finally:
        gc.callbacks.remove(note)
    assert len(searches) <= 2  # one may begin when the search goes on again
    assert gc.isenabled()


def test_a_document_that_cannot_be_read_leaves_the_search_for_cycles_on() -> None:
    with pytest.raises(Unreadable):
        list(yaml_reader.read("a: ["))
    assert gc.isenabled()
