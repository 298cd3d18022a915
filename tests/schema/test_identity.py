"""Ids and slugs: stable, distinct and safe as file names."""

import hashlib
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sotaschema.identity import ID_PATTERN, hashed_slug, reserved_id, result_id, slug, unique_slugs

NAMES = st.text(min_size=1, max_size=80)
CONFIGS = st.dictionaries(NAMES, st.one_of(st.text(max_size=10), st.integers(), st.booleans(), st.floats(-9, 9)))


def test_id_is_the_hash_of_the_claim_and_is_frozen() -> None:
    canonical = '["paper-a","board","BayesCF",{"Model":"BNN","layers":2,"warm":true,"ε":0.5},null]'
    expected = "r_" + hashlib.sha256(canonical.encode("utf-8")).hexdigest()[:16]
    config = {"ε": 0.5, "warm": True, "layers": 2, "Model": "BNN"}
    assert result_id("paper-a", "board", "BayesCF", config) == expected == "r_e4932d3fe9de0b6e"


def test_id_changes_with_each_part() -> None:
    ids = {
        result_id("p", "b", "m", {"k": 1}),
        result_id("q", "b", "m", {"k": 1}),
        result_id("p", "c", "m", {"k": 1}),
        result_id("p", "b", "n", {"k": 1}),
        result_id("p", "b", "m", {"j": 1}),
        result_id("p", "b", "m", {"k": 1}, "2"),
        result_id("p", "b", "m", {}),
    }
    assert len(ids) == 7


def test_one_and_its_look_alikes_are_four_ids() -> None:
    assert len({result_id("p", "b", "m", config) for config in ({"k": 1}, {"k": 1.0}, {"k": "1"}, {"k": True})}) == 4


@given(CONFIGS, st.randoms())
def test_id_does_not_depend_on_the_order_of_keys(config: dict, random) -> None:
    items = list(config.items())
    random.shuffle(items)
    assert result_id("p", "b", "m", dict(items)) == result_id("p", "b", "m", config)


@given(st.dictionaries(st.sampled_from(["é", "f", "e", "ä", "ü", "z"]), st.sampled_from(["ö", "o"])), st.just("Möbius"))
def test_id_does_not_depend_on_the_normal_form(config: dict, label: str) -> None:
    def decomposed(text: str) -> str:
        return unicodedata.normalize("NFD", text)

    other = {decomposed(key): decomposed(value) for key, value in config.items()}
    assert result_id("p", "b", decomposed(label), other) == result_id("p", "b", label, config)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("π0", "pi0"),
        ("MRCR v2 (≤128K)", "mrcr-v2-le128k"),
        ("≥128K", "ge128k"),
        ("C", "c"),
        ("C++", "c-plus-plus"),
        ("C#", "c-sharp"),
        ("Robustness Ratio (1e-3)", "robustness-ratio-1e-3"),
        ("IM1 Score", "im1-score"),
        ("Čeština", "cestina"),
        ("GPT-4.1", "gpt-4.1"),
        ("  a  b  ", "a-b"),
        ("R@1", "r-at-1"),
    ],
)
def test_slug_is_readable(name: str, expected: str) -> None:
    assert slug(name) == expected


@given(st.text())
def test_slug_is_a_free_id(text: str) -> None:
    name = slug(text)
    assert re.fullmatch(ID_PATTERN, name)
    assert not reserved_id(name)
    assert slug(text) == name


@pytest.mark.parametrize("text", ["", " ", "!!!", "_", "...", "\u200b", "con", "CON.txt", "lpt1.a", "Index", "page-3"])
def test_slug_of_a_name_without_letters_or_a_reserved_one(text: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]+-[0-9a-f]{8}", slug(text))
    assert not reserved_id(slug(text))


@given(st.text(min_size=56, max_size=200))
def test_long_names_stay_apart(text: str) -> None:
    assert len(slug(text)) <= 63
    assert slug("long name " * 9 + text) != slug("long name " * 9 + text + "x")


def test_colliding_names_all_get_their_hash() -> None:
    slugs = unique_slugs({"ResNet 50", "ResNet-50", "VGG"})
    assert slugs["VGG"] == "vgg"
    assert slugs["ResNet 50"] == "resnet-50-" + hashlib.sha256(b"ResNet 50").hexdigest()[:8]
    assert slugs["ResNet-50"] == "resnet-50-" + hashlib.sha256(b"ResNet-50").hexdigest()[:8]


def test_a_name_that_spells_the_hash_of_another_is_hashed_too() -> None:
    trap = hashed_slug("A b")
    assert len(set(unique_slugs({"A b", "A-b", trap}).values())) == 3


@given(st.sets(st.text(alphabet="aAbB-_ .é", max_size=4), max_size=12))
def test_unique_slugs_are_unique(names: set[str]) -> None:
    slugs = unique_slugs(names)
    assert set(slugs) == names
    assert len(set(slugs.values())) == len(names)


@pytest.mark.parametrize(
    "name", ["index", "llms", "feed", "search", "page-1", "page-20", "con", "prn.x", "aux", "nul.a.b", "com1", "a."]
)
def test_reserved(name: str) -> None:
    assert reserved_id(name)


@pytest.mark.parametrize("name", ["indexes", "page-", "page-x", "console", "com", "com10", "a.con", "mnist"])
def test_not_reserved(name: str) -> None:
    assert not reserved_id(name)
