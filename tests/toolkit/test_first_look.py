"""Reading results from JSON Lines quickly against slowly: what is accepted is equal and has no doubled key."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sotakit.check.findings import Origin
from sotakit.check.structure import FirstLook, build
from sotakit.read import json_reader
from sotaschema.results import Result

GOOD = {"benchmark": "b", "method": "m", "scores": {"a": "1.50"}}

texts = st.text(st.sampled_from('ab1:"{}\\ é,\u2028'), max_size=4)
scalars = texts | st.integers(-(10**20), 10**20) | st.floats() | st.booleans() | st.none()
names = st.sampled_from(["a", "b", "locator", "config", ":a", "a:", "text", "unit"])
full_scores = st.fixed_dictionaries(
    {"text": st.sampled_from(["1", "2.50", "± 3"])},
    optional={"unit": st.sampled_from(["percent", "x"]), "uncertainty": st.just({"kind": "unknown", "value": "0.1"})},
)
scores = st.sampled_from(["1", "2.50", "-", ""]) | st.floats(0, 9) | st.integers(0, 9) | full_scores | st.none()


def pairs_of(entries: st.SearchStrategy[Any]) -> st.SearchStrategy[list[tuple[str, Any]]]:
    """Members of a mapping, names perhaps doubled."""
    return st.lists(st.tuples(names, entries), max_size=3)


class Doubled(dict[str, Any]):
    """A mapping that is written with all its pairs, doubled names included."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs

    def items(self) -> Any:
        return self.pairs


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    fields: list[tuple[str, Any]] = [
        ("benchmark", "b"),
        ("method", draw(st.sampled_from(["m", "n"]))),
        ("scores", Doubled([("a", "1"), *draw(pairs_of(scores))])),
        ("config", Doubled(draw(pairs_of(scalars)))),
        ("settings", Doubled(draw(pairs_of(scalars)))),
        ("locator", draw(st.none() | st.just({"table": "1"}))),
        *draw(
            st.lists(
                st.tuples(st.sampled_from(["notes", "date", "method"]), st.sampled_from(["n", "2024"])), max_size=2
            )
        ),
    ]
    spaces = draw(st.sampled_from([(", ", ": "), (",", ":"), (" , ", " : ")]))
    text = json.dumps(Doubled(fields), ensure_ascii=draw(st.booleans()), separators=spaces)
    return (text + draw(st.sampled_from(["", "\n", "\r\n", " \n", "}"]))).encode("utf-8", "surrogatepass")


@given(lines())
@example(json.dumps({**GOOD, "config": {"a": "1.50"}, "scores": {"a": 1.5}}).encode())
def test_what_is_accepted_at_first_sight_is_the_same_at_second(line: bytes) -> None:
    for bare in (False, True):
        look = FirstLook("f", "s").accept_bare_scores() if bare else FirstLook("f", "s")
        found = look(line)
        if found is None:
            continue
        record = found.record
        (raw,) = json_reader.read_lines(iter([line]))
        assert raw.faults == ()
        slow = build(Result, raw.value, Origin("x"))
        assert slow == record
        assert repr(slow) == repr(record)  # 1, 1.0 and true are equal, but not the same
        assert found.texts in (None, raw.value["scores"])


@pytest.mark.parametrize(
    ("line", "accepted"),
    [
        (GOOD, True),
        ({**GOOD, "locator": {"table": "1"}, "config": {"x": 1, "y": "z"}, "date": "2024"}, True),
        ({**GOOD, "scores": {"a": {"text": "1.50", "uncertainty": {"kind": "unknown", "value": "1"}}}}, True),
        ({**GOOD, "scores": {"a": 1.5}}, False),
        ({**GOOD, "scores": {"a": None}}, False),
        ({**GOOD, "scores": {"locator": {"text": "1"}}}, False),
        ({**GOOD, "colour": "red"}, False),
        ({**GOOD, "notes": 'a "quote"'}, False),
    ],
)
def test_most_good_lines_are_accepted_at_first_sight(line: dict[str, Any], accepted: bool) -> None:
    assert (FirstLook("f", "s")(json.dumps(line).encode()) is not None) is accepted
    assert (FirstLook("f", "s")(json.dumps(line, separators=(",", ":")).encode()) is not None) is accepted


@pytest.mark.parametrize(
    ("scores", "plain"),
    [
        ({"a": "1.50", "b": "2"}, True),
        ({"a": "1.50", "b": {"text": "2"}}, False),
        ({"a": "1.50", "b": {}}, False),
        ({"a": "1.50", "b": 2}, False),
        ({"a": "1.50", "b": "}"}, False),
        ({"a": '": {', "b": "2"}, None),
    ],
)
def test_scores_that_are_texts_alone_are_known_as_such(scores: dict[str, Any], plain: bool | None) -> None:
    for separators in ((",", ":"), (", ", ": ")):
        line = {**GOOD, "config": {"scores": "x", "k": 1}, "scores": scores}
        found = FirstLook("f", "s").accept_bare_scores()(json.dumps(line, separators=separators).encode())
        assert (found and found.texts == scores) is plain


@pytest.mark.parametrize(("own", "of_file", "expected"), [
    (None, "s", "s"), ("s", "s", "s"), ("s", None, "s"), ("t", "s", None), (None, None, None),
])  # fmt: skip
def test_a_result_belongs_to_the_source_of_its_file_or_to_the_one_it_names(
    own: str | None, of_file: str | None, expected: str | None
) -> None:
    line = json.dumps(GOOD if own is None else {**GOOD, "source": own}).encode()
    found = FirstLook("f", of_file)(line, 7)
    assert (found and found.source) == expected
    if found:
        assert found.origin == Origin("f", 7)
        assert found.id == found.record.id_in(expected or "")


@pytest.mark.parametrize("colon", [":", ": ", " :", "\t:", "\r: ", "  :  "])
def test_keys_are_counted_with_any_space_before_their_colon(colon: str) -> None:
    line = f'{{"a"{colon}"1", "b"{colon}{{"c"{colon}" d"}}}}\r\n'.encode()
    assert json_reader.key_count(line) == 3


def test_bare_numbers_are_accepted_when_they_are_known() -> None:
    line = json.dumps({**GOOD, "scores": {"a": 1.5, "b": 2}}).encode()
    assert FirstLook("f", "s")(line) is None
    assert FirstLook("f", "s").accept_bare_scores()(line) is not None


@pytest.mark.parametrize("inside", ["", '"config": ', '"scores": ', '"settings": ', '"locator": '])
def test_a_doubled_key_is_never_accepted(inside: str) -> None:
    members = {
        "": '"benchmark": "b", "benchmark": "c"',
        '"config": ': '"config": {"k": 1, "k": 1}',
        '"scores": ': '"benchmark": "b"',
        '"settings": ': '"settings": {"k": "v", "j": 2, "k": "v"}',
        '"locator": ': '"locator": {"table": "1", "table": "2"}',
    }[inside]
    doubled = '{"a": "1", "a": "1"}' if inside == '"scores": ' else '{"a": "1"}'
    head = "" if "benchmark" in members else '"benchmark": "b", '
    line = f'{{{head}{members}, "method": "m", "scores": {doubled}}}'
    assert json.loads(line)["method"] == "m"
    for look in (FirstLook("f", "s"), FirstLook("f", "s").accept_bare_scores()):
        assert look(line.encode()) is None
