"""W406, W409: one thing recorded twice, under names or addresses that people do not tell apart."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from sotakit.check.findings import Origin, Step
from sotakit.check.problem import Problem
from sotakit.collection import Collection
from sotakit.name_folding import folded
from sotaschema.entities import Dataset
from sotaschema.identity import document_keys


class _Named(NamedTuple):
    """A name of a record."""

    record: Any
    origin: Origin
    loc: tuple[Step, ...]
    name: str


def shared_name(collection: Collection) -> Iterator[Problem]:
    """W406: two records of a kind with one name, alike but for case, spaces and the like.

    It belongs to the first by id, names before aliases, whichever file was read first. Datasets may share a name if
    their versions differ.
    """
    hint = "if they are one, keep one and add a redirect; else make the names differ"
    for word in ("tasks", "datasets", "metrics", "methods", "benchmarks"):
        first: dict[str, Any] = {}
        for named in _names_of(collection, word):
            other = first.setdefault(folded(named.name), named.record)
            if other.id != named.record.id and not _told_apart(other, named.record):
                message = f"the name {named.name!r} is also a name of {other.id}"
                yield Problem(named.origin, named.record.id, message, hint, named.loc)


def _names_of(collection: Collection, kind: str) -> Iterator[_Named]:
    """Names of the records of a kind in order of id, then their aliases."""
    records = sorted(collection.of(kind), key=lambda loaded: str(getattr(loaded.record, "id", "")))
    for record, origin in records:
        field = "title" if kind == "benchmarks" else "name"
        yield _Named(record, origin, (field,), getattr(record, field))
    for record, origin in records:
        for index, alias in enumerate(getattr(record, "aliases", ())):
            yield _Named(record, origin, ("aliases", index), alias)


def _told_apart(one: Any, two: Any) -> bool:
    return isinstance(one, Dataset) and isinstance(two, Dataset) and one.version != two.version


def one_document_twice(collection: Collection) -> Iterator[Problem]:
    """W409: two sources with one DOI, arXiv paper, OpenReview forum or address.

    Snapshots of one page, such as a leaderboard, may share an address.
    """
    first: dict[str, str] = {}
    for source, origin in sorted(collection.sources, key=lambda loaded: loaded.record.id):
        for field, key in document_keys(source).items():
            if field == "url" and source.type not in _WRITINGS:
                continue
            other = first.setdefault(key, source.id)
            if other != source.id:
                message = f"{field} is that of the source {other}"
                hint = "a document is one source: move the results to one of the two and add a redirect for the other"
                yield Problem(origin, source.id, message, hint, (field,))
                break


_WRITINGS: Final = ("paper", "preprint", "report", "blog")
"""Documents that do not change, so that one address is one document."""
