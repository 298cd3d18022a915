"""What is remembered of each result while results stream by: about 70 bytes, whatever the record holds.

Hashes raise suspicions only: results that share one are read again, and the exact rules look at their records.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sotakit.check.findings import Origin, Step
from sotakit.collection import LoadedResult
from sotakit.folding import Folding, written_alike
from sotaschema.results import Result

Mask = NDArray[np.bool_]
"""Yes or no for each result."""
Ordinals = NDArray[np.intp]

SUSPECTS_AT_ONCE: Final = 20_000
"""How many records are held for the rules that compare results; benchmarks with more are looked at alone."""


class Codes(dict[str, int]):
    """A small number for each name, in order of appearance."""

    def __missing__(self, name: str) -> int:
        self[name] = code = len(self)
        return code


class ResultIndex:
    """Place, owner and fingerprints of every valid result, by its ordinal in order of reading."""

    def __init__(self, folding: Folding, watched: Iterable[str]) -> None:
        self._folding = folding
        self.watched: dict[str, list[int]] = {name: [] for name in watched}
        """Ordinals of the results with ids that other records name."""
        self.files, self.benchmarks, self.methods, self.sources = Codes(), Codes(), Codes(), Codes()
        self._file, self._line, self._item, self._inner = (array("i") for _ in range(4))
        self.benchmark, self.method, self.source = (array("i") for _ in range(3))
        self._keys = tuple(array("q") for _ in range(4))
        self.refused, self.hidden = bytearray(), bytearray()

    def __len__(self) -> int:
        return len(self._line)

    def add(self, results: Sequence[LoadedResult], hidden: Iterable[bool]) -> None:
        """Remember some results; column by column, which is the quickest way."""
        if not results:
            return
        first = len(self)
        names, records, sources, origins, texts = zip(*results, strict=True)
        files, lines, paths = zip(*origins, strict=True)
        self._file.extend(map(self.files.__getitem__, files))
        self._line.extend(lines)
        self._item.extend([path[0] if path and isinstance(path[0], int) else -1 for path in paths])
        self._inner.extend([path[-1] if path[-2:-1] == ("results",) else -1 for path in paths])
        self.benchmark.extend([self.benchmarks[record.benchmark] for record in records])
        self.method.extend([self.methods[record.method] for record in records])
        self.source.extend(map(self.sources.__getitem__, sources))
        fingerprints = zip(*map(self._fingerprints, records, sources, texts), strict=True)
        for column, keys in zip(self._keys, (map(hash, names), *fingerprints), strict=True):
            column.extend(keys)
        self.refused.extend(bytes(len(results)))
        self.hidden.extend(hidden)
        if not self.watched.keys().isdisjoint(names):
            for ordinal, name in enumerate(names, first):
                if name in self.watched:
                    self.watched[name].append(ordinal)

    def _fingerprints(self, record: Result, source: str, texts: dict[str, str] | None) -> tuple[int, int, int]:
        """Hashes: results that a rule could join have an equal one (1, 1.0 and true count as equal here).

        They are the same claim; one method under the same conditions; one row read twice, perhaps with other names for
        the same conditions.
        """
        config, label = record.config, record.method_label or record.method
        if texts is None:
            texts = {key: score.text for key, score in record.scores.items()}
        values = frozenset(texts.items())
        settings = folded = frozenset([(key, written_alike(value)) for key, value in config.items()])
        if self._folding.touches(config):
            folded = self._folding.alike(record.benchmark, config)
        alike = frozenset([value for _, value in settings])
        return (
            hash((source, record.benchmark, label, settings, record.variant)),
            hash((record.benchmark, record.method, folded)),
            hash((source, record.benchmark, record.method, label, values, alike)),
        )

    def origins(self, ordinals: Iterable[int]) -> Iterator[tuple[int, Origin]]:
        """Ordinals with the places of their results."""
        names = list(self.files)
        for ordinal in ordinals:
            item, inner = self._item[ordinal], self._inner[ordinal]
            path: tuple[Step, ...] = ((item,) if item >= 0 else ()) + (("results", inner) if inner >= 0 else ())
            yield ordinal, Origin(names[self._file[ordinal]], self._line[ordinal], path)

    def waiting(self, sources: set[str]) -> Iterator[tuple[str, int, Origin]]:
        """Those of some sources that have results which are not refused: their name, how many, and the first one."""
        standing = np.frombuffer(self.refused, dtype="b") == 0
        source = np.frombuffer(self.source, "i4")
        for name in sorted(sources & self.sources.keys()):
            (ordinals,) = np.nonzero(standing & (source == self.sources[name]))
            for _, origin in self.origins(ordinals[:1].tolist()):
                yield name, len(ordinals), origin

    def refuse(self, refused: set[Origin]) -> set[Origin]:
        """Refuse the results at some places, and all results inside of a source at one of them.

        Gives the places at which results stand.
        """
        met: set[Origin] = set()
        file, line = np.frombuffer(self._file, "i4"), np.frombuffer(self._line, "i4")
        files = [self.files[origin.file] for origin in refused if origin.file in self.files]
        near = np.isin(file, files) & np.isin(line, [origin.line for origin in refused])
        for ordinal, origin in self.origins(np.flatnonzero(near).tolist()):
            if origin in refused:
                met.add(origin)
            self.refused[ordinal] |= origin in refused or around(origin) in refused
        return met

    def same_id(self) -> Iterator[Ordinals]:
        """Results whose id may be that of another one, in portions; the first one with an id is in each of them."""
        keys = np.frombuffer(self._keys[0], dtype="i8")
        doubled = self._doubled(self._keys[0])
        order = doubled[np.argsort(keys[doubled], kind="stable")]
        starts = np.flatnonzero(np.diff(keys[order], prepend=0) != 0) if len(order) else order
        for begin in range(0, len(order), SUSPECTS_AT_ONCE):
            first = order[starts[np.searchsorted(starts, begin, side="right") - 1]]
            yield np.unique(np.append(order[begin : begin + SUSPECTS_AT_ONCE], first))

    def suspects(self, benchmarks: Iterable[str]) -> Iterator[Ordinals]:
        """Results that rules comparing results must look at, in portions: those of a benchmark are never parted.

        They are the results that share a fingerprint with another one, and all of some benchmarks; without those that
        repeat an id, which are refused for that. (A hash that two ids share would hide one: once in 2**64 pairs.)
        """
        marked = np.zeros(len(self), dtype=bool)
        for key in self._keys:
            marked[self._doubled(key)] = True
        benchmark = np.frombuffer(self.benchmark, "i4")
        odd = [self.benchmarks[name] for name in benchmarks]
        marked |= np.isin(benchmark, odd)
        marked[self._repeated()] = False
        chosen = np.flatnonzero(marked)
        chosen = chosen[np.argsort(benchmark[chosen], kind="stable")]
        ends = np.append(np.flatnonzero(np.diff(benchmark[chosen])) + 1, len(chosen))
        start = 0
        for end, following in zip(ends, [*ends[1:], None], strict=True):
            if end > start and (following is None or following - start > SUSPECTS_AT_ONCE):
                yield np.sort(chosen[start:end])
                start = end

    def _repeated(self) -> Ordinals:
        """Ordinals whose id was there before."""
        keys = np.frombuffer(self._keys[0], dtype="i8")
        _, first = np.unique(keys, return_index=True)
        return np.setdiff1d(np.arange(len(keys)), first, assume_unique=True)

    def _doubled(self, key: "array[int]") -> Ordinals:
        """Ordinals whose key appears again."""
        values = np.frombuffer(key, dtype="i8")
        order = np.argsort(values, kind="stable")
        same = np.flatnonzero(np.diff(values[order]) == 0)
        return np.unique(order[np.concatenate([same, same + 1])])

    def standing(self, ids: Mapping[str, set[str]]) -> Mask:
        """Which results are not refused and belong to records of some ids (by kind), by ordinal."""
        kept: Mask = np.frombuffer(self.refused, dtype="b") == 0
        columns = {"benchmarks": self.benchmark, "methods": self.method, "sources": self.source}
        for kind, codes in (("benchmarks", self.benchmarks), ("methods", self.methods), ("sources", self.sources)):
            stands = np.array([name in ids[kind] for name in codes], dtype=bool)
            kept &= stands[np.frombuffer(columns[kind], "i4")] if len(self) else True
        return kept

    def public(self) -> Mask:
        """Which results do not hide themselves, by ordinal."""
        public: Mask = np.frombuffer(self.hidden, dtype="b") == 0
        return public


def around(origin: Origin) -> Origin:
    """The source that a result stands in; the result itself if it stands alone."""
    return origin._replace(path=origin.path[:-2]) if origin.path[-2:-1] == ("results",) else origin
