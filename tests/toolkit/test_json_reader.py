"""JSON and JSON Lines: values, faults and places, against slow and obvious ones."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sotakit.read import json_reader, raw
from sotakit.read.raw import Fault, Unreadable

SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=8))
TREES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=4)),
    max_leaves=15,
)


def fault_of(text: str) -> Fault:
    with pytest.raises(Unreadable) as caught:
        list(json_reader.read(text))
    return caught.value.fault


def nodes(value: Any, path: tuple = ()) -> Iterator[tuple[tuple, Any]]:
    yield path, value
    if isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from nodes(inner, (*path, step))


def rest_at(text: str, line: int, column: int) -> str:
    return "\n".join([text.split("\n")[line - 1][column - 1 :], *text.split("\n")[line:]])


@given(TREES, st.sampled_from([None, 0, 3, "\t"]), st.booleans())
def test_every_place_slices_to_its_value(tree: Any, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(tree, indent=indent, ensure_ascii=ascii_only)
    places = json_reader.Places(text)
    for path, value in nodes(tree):
        rest = rest_at(text, *places.of(path, at_key=False))
        assert json.JSONDecoder().raw_decode(rest)[0] == value
        if path and isinstance(path[-1], str):
            key, _ = json.JSONDecoder().raw_decode(rest_at(text, *places.of(path, at_key=True)))
            assert key == path[-1]


def test_place_of_a_key_inside_of_one_of_the_same_name() -> None:
    places = json_reader.Places('{"a": {"a": 1}}')
    assert places.of(("a", "a"), at_key=True) == (1, 8)
    assert places.of(("a", "a"), at_key=False) == (1, 13)


def test_place_of_what_is_not_there_is_the_nearest_around_it() -> None:
    places = json_reader.Places('[\n {"a": [1, 2]}\n]')
    assert places.of((0, "b"), at_key=False) == (2, 2)
    assert places.of((0, "a", 5), at_key=False) == (2, 8)
    assert places.of((4, "a"), at_key=True) == (1, 1)
    assert places.of((0, "a", 1, "x"), at_key=False) == (2, 12)


def test_place_in_a_line_of_json_lines() -> None:
    assert json_reader.Places(' {"a": 1}', 17).of(("a",), at_key=False) == (17, 8)


def test_place_in_text_that_is_not_json_is_its_start() -> None:
    assert json_reader.Places('  {"a" 1', 3).of(("a", "b"), at_key=False) == (3, 3)


def doubled(text: str) -> list[tuple[str, int, int]]:
    """Slow and obvious: every key by one pass over a tokenised text, with its place."""
    found: list[tuple[str, int, int]] = []
    line, column, stack, index = 1, 1, [], 0
    while index < len(text):
        char = text[index]
        end = index + 1
        if char == '"':
            while text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            end += 1
            after = end
            while text[after : after + 1] in (" ", "\n", "\t") and after < len(text):
                after += 1
            if text[after : after + 1] == ":":
                name = json.loads(text[index:end])
                if name in stack[-1]:
                    found.append((name, line, column))
                stack[-1].append(name)
        elif char == "{":
            stack.append([])
        elif char == "}":
            stack.pop()
        for passed in text[index:end]:
            line, column = (line + 1, 1) if passed == "\n" else (line, column + 1)
        index = end
    return found


def with_twins(tree: Any, seed: random.Random, names: tuple[str, ...] = ("a", 'q"', "é", "b:")) -> str:
    """JSON text of a tree whose keys are drawn from few names, so that many appear twice."""
    if isinstance(tree, dict):
        gap = seed.choice(["", " ", "\n"])
        parts = (f"{json.dumps(seed.choice(names))}{gap}:{gap}{with_twins(part, seed)}" for part in tree.values())
        return "{" + ("," + gap).join(parts) + "}"
    if isinstance(tree, list):
        return "[" + ",".join(with_twins(part, seed) for part in tree) + "]"
    return json.dumps(tree)


@given(TREES, st.randoms(use_true_random=False))
def test_duplicate_keys_are_those_a_slow_reader_sees(tree: Any, seed: random.Random) -> None:
    text = with_twins(tree, seed)
    faults = [fault for record in json_reader.read(text) for fault in record.faults]
    assert {fault.code for fault in faults} <= {"E105"}
    unique = list(dict.fromkeys(faults))
    assert [(fault.line, fault.column) for fault in unique] == [(line, column) for _, line, column in doubled(text)]
    assert all(repr(name) in fault.message for fault, (name, _, _) in zip(unique, doubled(text), strict=True))


def test_duplicate_keys_leave_the_neighbours() -> None:
    first, second, third = json_reader.read('[{"a": 1, "b": [1, 2]},\n {"a": [{}, {}], "a": 2},\n {"a": 3}]')
    assert (first.faults, third.faults) == ((), ())
    assert [fault[:3] for fault in second.faults] == [("E105", 2, 18)]
    assert "line 2, column 3" in second.faults[0].hint


def test_escaped_spelling_of_a_key_is_the_same_key() -> None:
    (record,) = json_reader.read('{"a": 1, "\\u0061": 2}')
    assert [fault[:3] for fault in record.faults] == [("E105", 1, 10)]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("", "E104", 1, 1),
        ("{", "E104", 1, 2),
        ('{"a": 1,\n', "E104", 2, 1),
        ('{"a": 1}\n{"a": 2}', "E104", 2, 1),
        ('{"a": 1,\n "b": 01}', "E104", 2, 8),
        ('["x\ty"]', "E104", 1, 4),
        ("[1,\n2", "E104", 2, 2),
        ("{'a': 1}", "E104", 1, 2),
        ("\ufeff{}", "E104", 1, 1),
        ("1" * 5000, "E106", 1, 1),
        ("[" * 200_000, "E106", 1, 1),
        ('{"a":' * 200_000, "E106", 1, 1),
        ("[" * 101 + "]" * 101, "E106", 1, 1),
    ],
)
def test_refused_at_its_place(text: str, code: str, line: int, column: int) -> None:
    fault = fault_of(text)
    assert fault[:3] == (code, line, column)
    assert fault.hint


def test_every_cut_of_a_document_is_a_syntax_error() -> None:
    text = '[{"id": "a", "x": [1.5, null, true, "\\u00e9"]}]'
    for end in range(len(text)):
        fault = fault_of(text[:end])
        assert fault.code == "E104"
        assert 1 <= fault.column <= end + 1


def test_nesting_up_to_the_limit_is_read() -> None:
    (record,) = json_reader.read('{"a": ' + "[" * (raw.MAX_DEPTH - 1) + "]" * (raw.MAX_DEPTH - 1) + "}")
    assert raw.depth(record.value) == raw.MAX_DEPTH


def test_too_many_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_reader, "MAX_KEYS", 3)
    assert list(json_reader.read('{"a": 1, "b": 2, "c": 3}'))
    assert fault_of('{"a": 1, "b": 2, "c": 3, "d": 4}').code == "E106"


def test_a_document_is_one_record_or_a_list_of_them() -> None:
    assert [(record.value, record.path) for record in json_reader.read('[{"a": 1}, 2]')] == [
        ({"a": 1}, (0,)),
        (2, (1,)),
    ]
    assert [(record.value, record.path) for record in json_reader.read('{"a": 1}')] == [({"a": 1}, ())]
    assert list(json_reader.read("[]")) == []


def test_a_bad_line_keeps_the_others() -> None:
    lines = [b'{"a": 1}\n', b'{"a": \n', b"\n", b'{"a": 2, "a": 3}\n', b'  {"a": 4}']
    records = list(json_reader.read_lines(iter(lines)))
    assert [(record.line, record.value) for record in records if not record.faults] == [(1, {"a": 1}), (5, {"a": 4})]
    assert [record.faults[0][:3] for record in records if record.faults] == [("E104", 2, 7), ("E105", 4, 10)]


def test_a_long_line_keeps_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_reader, "MAX_LINE", 10)
    records = list(json_reader.read_lines(iter([b'{"a": 1}\n', b'{"a": "long"}\n', b'{"a": 2}\n'])))
    assert [record.faults[0].code if record.faults else record.value for record in records] == [
        {"a": 1},
        "E106",
        {"a": 2},
    ]


@given(st.text())
def test_any_text_is_records_or_a_fault_inside_of_it(text: str) -> None:
    lines = text.split("\n")
    try:
        records = list(json_reader.read(text))
    except Unreadable as error:
        fault = error.fault
    else:
        fault = Fault("", *json_reader.Places(text).of((0, "a"), at_key=True), "")
        assert all(raw.depth(record.value) <= raw.MAX_DEPTH for record in records)
    assert fault.line <= len(lines)
    assert fault.column <= len(lines[fault.line - 1]) + 1


@given(st.text(alphabet='{}[]",:\\u01e- \ntrnaN', max_size=40))
def test_any_arrangement_of_signs_is_records_or_a_fault(text: str) -> None:
    records = list(json_reader.read_lines(iter(text.encode().splitlines(keepends=True))))
    assert len(records) == sum(bool(line.strip()) for line in text.splitlines())


@given(st.text(alphabet='{}[]",:\\ak0 ', max_size=40))
def test_keys_are_never_counted_too_low(text: str) -> None:
    pairs: list[list[tuple[str, object]]] = []
    try:
        json.loads(text, object_pairs_hook=pairs.append)
    except json.JSONDecodeError:
        return
    count = json_reader.key_count(text.encode())
    assert count is None or count >= sum(map(len, pairs))


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ('{"a": 1, "b": {"c": 2}}', 3),
        ('{"a": 1, "a": 2}', 2),
        ('{"x": "y", ":a" : 1, ":a"\t: 2}', 5),
        ('{"a": 1, "\\u0061": 2}', None),
        ('{"a": "b : c", "d": ":"}', 3),
    ],
)
def test_keys_are_counted_without_reading(line: str, count: int | None) -> None:
    assert json_reader.key_count(line.encode()) == count
