"""What means the same: keys and pairs that fold, and results that repeat one another."""

import itertools
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sotakit.folding import Folding, duplicate_groups
from sotaschema.entities import ConfigKey

INFERENCE = ConfigKey.model_validate(
    {
        "key": "Inference",
        "aliases": ["Uncertainty"],
        "pairs": [{"key": "Model", "value": "BNN"}, {"key": "Dropout", "value": True, "as_value": "MC Dropout"}],
        "benchmarks": ["board"],
    }
)
EVERYWHERE = ConfigKey(key="Shots", aliases=["k"])


def group(config: dict[str, Any], benchmark: str = "board") -> Any:
    return json.loads(Folding([INFERENCE, EVERYWHERE]).group(benchmark, config))


def test_aliases_fold_to_the_canonical_key() -> None:
    assert group({"Uncertainty": "HMC", "k": 5}) == {"Inference": "HMC", "Shots": 5}


def test_pairs_fold_with_their_value_only() -> None:
    assert group({"Model": "BNN"}) == {"Inference": "BNN"}
    assert group({"Model": "CNN"}) == {"Model": "CNN"}
    assert group({"Dropout": True}) == {"Inference": "MC Dropout"}
    assert group({"Dropout": 1}) == {"Dropout": 1}
    assert group({"Dropout": "true"}) == {"Dropout": "true"}


def test_folding_holds_where_it_says() -> None:
    assert group({"Uncertainty": "HMC", "k": 5}, "other") == {"Uncertainty": "HMC", "Shots": 5}


def test_the_folding_of_a_benchmark_goes_over_the_general_one() -> None:
    general, special = ConfigKey(key="A", aliases=["x"]), ConfigKey(key="B", aliases=["x"], benchmarks=["board"])
    for keys in ([general, special], [special, general]):
        assert json.loads(Folding(keys).group("board", {"x": 1})) == {"B": 1}
        assert json.loads(Folding(keys).group("other", {"x": 1})) == {"A": 1}


def test_two_values_of_one_key_both_stay() -> None:
    assert group({"Inference": "HMC", "Model": "BNN"}) == {"Inference": ["HMC", "BNN"]}
    assert group({"Inference": "BNN", "Model": "BNN"}) == {"Inference": "BNN"}


def test_types_are_told_apart() -> None:
    assert (
        len({Folding([]).group("b", {"a": value}) for value in ("1", True)} | {Folding([]).group("b", {"a": 1})}) == 3
    )


@given(st.dictionaries(st.text(max_size=3), st.integers() | st.booleans() | st.text(max_size=3), max_size=5))
def test_without_folding_a_group_is_the_configuration(config: dict[str, Any]) -> None:
    other = dict(reversed(config.items()))
    assert Folding([]).group("b", config) == Folding([]).group("b", other)
    assert [(pair.key, pair.folded_key) for pair in Folding([]).fold("b", config)] == [
        (key, key) for key in sorted(config)
    ]


def groups(rows: dict[str, tuple[dict[str, Any], str]]) -> list[list[str]]:
    claims = [(name, "board", config, claim) for name, (config, claim) in rows.items()]
    return duplicate_groups(claims, Folding([INFERENCE]))


def test_duplicates_after_folding_or_by_values() -> None:
    rows: dict[str, tuple[dict[str, Any], str]] = {
        "c": ({"Uncertainty": "MC Dropout"}, "psce 0.9"),
        "a": ({"Inference": "MC Dropout"}, "psce 0.9"),
        "d": ({"Dropout": True}, "psce 0.9"),
        "b": ({"Anything": "MC Dropout"}, "psce 0.9"),
        "e": ({"Inference": "MC Dropout"}, "psce 0.8"),
        "f": ({"Model": "BNN"}, "psce 0.9"),
    }
    assert groups(rows) == [["a", "b", "c", "d"]]


def test_other_claims_are_no_duplicates() -> None:
    assert groups({"a": ({}, "x"), "b": ({}, "y"), "c": ({"k": 1}, "x")}) == []


def test_groups_do_not_depend_on_the_order() -> None:
    rows = [("b", {"x": 1}, "c"), ("a", {"y": 1}, "c"), ("c", {"z": 1}, "c"), ("e", {}, "d"), ("d", {}, "d")]
    for order in itertools.permutations(rows):
        assert groups({name: (config, claim) for name, config, claim in order}) == [["a", "b", "c"], ["d", "e"]]


def test_many_rows_of_one_configuration_are_one_group() -> None:
    rows = [(f"r{n:05d}", "b", {"Seed": 1}, "claim") for n in range(20_000)]
    (group,) = duplicate_groups(rows, Folding([]))
    assert len(group) == 20_000
