"""Making what has changed: groups of files by their keys, rendered in worker processes, staged, and put in place.

A group is a page with all its forms, made from one set of rows. It is left alone while its key is the one of the last
build and its files are as they were written.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sotakit.cycles import settled
from sotakit.publish.output import Changes, Content, File, Output, check_paths
from sotakit.publish.site_cache import Groups, Made
from sotakit.publish.workers import run

MAX_WEIGHT = 1000
"""How much one worker takes at a time: large enough to make rows in bulk, small enough to keep memory flat."""

MAX_GROUPS = 32
ALONE = 500
"""Less work than this is not worth another process."""


class Group(NamedTuple):
    """A group as it is made."""

    name: str
    files: Iterable[tuple[str, Content]]
    places: dict[str, str]


class Step(NamedTuple):
    """Groups that can be made side by side."""

    keys: Mapping[str, str]
    weight: Callable[[str], int]
    """How much there is to do for a group, about one for each result."""
    make: Callable[[Sequence[str]], Iterable[Group]]


class _Outcome(NamedTuple):
    name: str
    made: Made
    staged: list[str]


class _Chunk(NamedTuple):
    step: Step
    names: list[str]
    weight: int


class Pipeline:
    """A build on its way: what was made so far, and what of it differs from what lies in the folder."""

    def __init__(self, output: Output, before: Groups, jobs: int) -> None:
        self._output, self._before, self._jobs = output, before, jobs
        self.groups: dict[str, Made] = {}
        self.staged: list[str] = []

    def take(self, *steps: Step) -> None:
        """Make the groups of some steps that have changed, and keep the others."""
        chunks = [chunk for step in steps for chunk in _chunks(step, self._stale(step))]
        jobs = self._jobs if sum(chunk.weight for chunk in chunks) >= ALONE else 1
        with settled():
            found = run(chunks, self._make, jobs)
        for outcomes in found:
            for name, made, staged in outcomes:
                self.groups[name] = made
                self.staged += staged

    def finish(self) -> Changes:
        """Put everything in place; raises `OutputError` with the folder untouched if two files share a path."""
        self.check()
        return self._output.install(self._files(), self.staged)

    def check(self) -> None:
        """Raise `OutputError` if two files made so far share a path."""
        if not self._output.owns(file.name for file in self._files()):
            check_paths(file.name for file in self._files())

    def read(self, name: str) -> bytes:
        """What a file that was made says."""
        return self._output.read(name)

    def _files(self) -> Iterator[File]:
        return (file for made in self.groups.values() for file in made.files)

    @property
    def changed(self) -> bool:
        """Whether there is anything that the last build did not know."""
        return self.groups != self._before

    def _stale(self, step: Step) -> Iterator[str]:
        for name, key in step.keys.items():
            old = self._before.get(name)
            if old is not None and old.key == key and all(map(self._output.untouched, old.files)):
                self.groups[name] = old
            else:
                yield name

    def _make(self, chunk: _Chunk) -> list[_Outcome]:
        made = [self._put(group, chunk.step.keys[group.name]) for group in chunk.step.make(chunk.names)]
        gc.collect(1)  # cycles among what was made just now; what has stayed once is not looked through again
        return made

    def _put(self, group: Group, key: str) -> _Outcome:
        found = [self._output.put(name, content) for name, content in group.files]
        made = Made(key, tuple(file for file, _ in found), group.places)
        return _Outcome(group.name, made, [file.name for file, staged in found if staged])


def _chunks(step: Step, names: Iterable[str]) -> Iterator[_Chunk]:
    chosen: list[str] = []
    total = 0
    for name in names:
        weight = step.weight(name)
        if chosen and (total + weight > MAX_WEIGHT or len(chosen) >= MAX_GROUPS):
            yield _Chunk(step, chosen, total)
            chosen, total = [], 0
        chosen.append(name)
        total += weight
    if chosen:
        yield _Chunk(step, chosen, total)
