"""Configurations that mean the same: keys fold to canonical ones, for grouping and for finding duplicates only.

What is recorded is never rewritten, and ids never depend on folding.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from sotaschema.entities import ConfigKey
from sotaschema.identity import Scalar, canonical_json

COMPARED_WHOLE = 200
"""So many configurations with the same values are all compared with each other."""

_WHOLE = re.compile(r"(-?[0-9]+)\.0+")


class FoldedPair(NamedTuple):
    """A recorded pair and what it folds to."""

    key: str
    value: Scalar
    folded_key: str
    folded_value: Scalar


class Folding:
    """Folds configurations by the registry's `config_keys`, per benchmark where they say so."""

    def __init__(self, keys: Iterable[ConfigKey]) -> None:
        self._keys: dict[tuple[str, str], str] = {}
        self._pairs: dict[tuple[str, str, str], tuple[str, Scalar]] = {}
        for entry in sorted(keys, key=lambda entry: entry.key):  # whatever file was read first
            for benchmark in entry.benchmarks or [""]:
                for alias in (entry.key, *entry.aliases):
                    self._keys.setdefault((benchmark, alias), entry.key)
                for pair in entry.pairs:
                    target = pair.value if pair.as_value is None else pair.as_value
                    self._pairs.setdefault((benchmark, pair.key, canonical_json(pair.value)), (entry.key, target))
        self._scopes = {scope for scope, *_ in (*self._keys, *self._pairs)}
        self._touched = {alias for _, alias in self._keys} | {key for _, key, _ in self._pairs}

    def fold(self, benchmark: str, config: Mapping[str, Scalar]) -> list[FoldedPair]:
        """Every pair of a configuration beside its canonical form, sorted by the recorded key."""
        if not self.touches(config):
            return [FoldedPair(key, value, key, value) for key, value in sorted(config.items())]
        return [
            FoldedPair(key, value, *self._fold_pair(benchmark, key, value)) for key, value in sorted(config.items())
        ]

    def touches(self, config: Mapping[str, Scalar]) -> bool:
        """Whether any key of a configuration can fold to another one."""
        return not self._touched.isdisjoint(config)

    def scope(self, benchmark: str) -> str:
        """The benchmark if configurations may fold in a way of their own there; else nothing: as everywhere."""
        return benchmark if benchmark in self._scopes else ""

    def pairs(self, benchmark: str, config: Mapping[str, Scalar]) -> frozenset[tuple[str, Scalar]]:
        """The folded pairs of a configuration: equal if two mean the same, and also where 1 stands for 1.0 or true."""
        return frozenset([self._fold_pair(benchmark, key, value) for key, value in config.items()])

    def alike(self, benchmark: str, config: Mapping[str, Scalar]) -> frozenset[tuple[str, str]]:
        """The folded pairs of a configuration, also equal where values are written in two ways: 5 and "5"."""
        return frozenset([(key, written_alike(value)) for key, value in self.pairs(benchmark, config)])

    def group(self, benchmark: str, config: Mapping[str, Scalar]) -> str:
        """One text for all configurations that mean the same; where two keys fold to one with two values, both stay."""
        if not self.touches(config):
            return canonical_json(dict(config))
        folded: dict[str, list[Scalar]] = defaultdict(list)
        for pair in self.fold(benchmark, config):
            if canonical_json(pair.folded_value) not in map(canonical_json, folded[pair.folded_key]):
                folded[pair.folded_key].append(pair.folded_value)
        return canonical_json({key: values[0] if len(values) == 1 else values for key, values in folded.items()})

    def _fold_pair(self, benchmark: str, key: str, value: Scalar) -> tuple[str, Scalar]:
        if key not in self._touched:
            return key, value
        for scope in (benchmark, ""):
            if pair := self._pairs.get((scope, key, canonical_json(value))):
                return pair
        for scope in (benchmark, ""):
            if canonical := self._keys.get((scope, key)):
                return canonical, value
        return key, value


@lru_cache(maxsize=100_000, typed=True)
def written_alike(value: Scalar) -> str:
    """One text for all ways of writing a value: 5, 5.0 and "5"; true and "True"; texts alike but for case and spaces.

    Versions stay apart: "12.10" is not "12.1".
    """
    text = " ".join(str(value).casefold().split())
    whole = _WHOLE.fullmatch(text)
    return whole[1] if whole else text


def duplicate_groups(
    results: Iterable[tuple[str, str, Mapping[str, Scalar], object]], folding: Folding
) -> list[list[str]]:
    """Ids of results that probably repeat one another, each group in order of id.

    Takes (id, benchmark, config, claim) where `claim` holds everything else that must agree: source, method and values.
    Two configurations agree when they are equal after folding or differ only in the names of their keys or in how their
    values are written.
    """
    same: dict[tuple[object, frozenset[tuple[str, str]]], list[str]] = defaultdict(list)
    alike: dict[tuple[object, str], dict[str, tuple[str, Mapping[str, Scalar]]]] = defaultdict(dict)
    for identifier, benchmark, config, claim in sorted(results, key=lambda result: result[0]):
        same[(claim, folding.alike(benchmark, config))].append(identifier)
        nameless = canonical_json(sorted(map(written_alike, config.values())))
        alike[(claim, nameless)].setdefault(canonical_json(dict(config)), (identifier, config))
    pairs = [pair for group in alike.values() for pair in _agreeing(list(group.values()))]
    return _joined([*(ids for ids in same.values() if len(ids) > 1), *pairs])


def _agreeing(results: list[tuple[str, Mapping[str, Scalar]]]) -> Iterator[list[str]]:
    """Pairs of ids whose configurations agree; equal ones have met before. Of very many, each is paired but once."""
    for at, (identifier, config) in enumerate(results):
        earlier = ([name, identifier] for name, other in results[:at] if _agree(other, config))
        yield from islice(earlier, 1 if len(results) > COMPARED_WHOLE else None)


def _agree(one: Mapping[str, Scalar], two: Mapping[str, Scalar]) -> bool:
    """Whether two configurations have the same values: under the keys that both have, so that none was swapped, perhaps
    written in two ways; under keys that differ, exactly."""
    if any(written_alike(one[key]) != written_alike(two[key]) for key in one.keys() & two.keys()):
        return False
    alone, others = (
        [config[key] for key in config.keys() - other.keys()] for config, other in ((one, two), (two, one))
    )
    return sorted(map(canonical_json, alone)) == sorted(map(canonical_json, others))


def _joined(groups: Iterable[list[str]]) -> list[list[str]]:
    """Groups that share a member become one."""
    leader: dict[str, str] = {}

    def find(name: str) -> str:
        while leader.setdefault(name, name) != name:
            name = leader[name]
        return name

    for first, *rest in groups:
        for name in rest:
            leader[max(find(first), find(name))] = min(find(first), find(name))
    joined: dict[str, list[str]] = defaultdict(list)
    for name in sorted(leader):
        joined[find(name)].append(name)
    return [names for _, names in sorted(joined.items()) if len(names) > 1]
