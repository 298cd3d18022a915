"""One quick look at each result, its scores aside: which of them the exact rules must look at.

Nearly all results name things that are known, on a day on which they could be. Of those that are passed over here, no
rule about single results finds anything but in their scores; of the others it may or may not.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from sotakit.check.names import another_method, label_fault, unseen_in
from sotakit.collection import Collection, LoadedResult
from sotaschema.base import first_day, last_day
from sotaschema.entities import Dataset, Method

_FIRST, _LAST, _NEVER = "0000-00-00", "9999-99-99", "~"
"""Days before, after and never reached by all others, as texts."""

REMEMBERED = 20_000
"""So many names, and so many dates, are looked at but once."""


class Ordinary:
    """Knows the first day that a result of each board and method can have, and the last that each date can mean."""

    def __init__(self, collection: Collection) -> None:
        self._ids, self._known, self._as_of = collection.ids, collection.known, collection.as_of
        self._from_board: Callable[[str], str] = lru_cache(REMEMBERED)(self._first_of_board)
        self._from_method: Callable[[str, str | None], str] = lru_cache(REMEMBERED)(self._first_of_method)
        self._until: Callable[[str | None], str] = lru_cache(REMEMBERED)(self._last_of_date)

    def others(self, results: Sequence[LoadedResult]) -> list[LoadedResult]:
        """The results that are not passed over."""
        return [result for result in results if not self._passes(result)]

    def _passes(self, result: LoadedResult) -> bool:
        record = result.record
        day = self._until(record.date)
        known = (
            self._from_board(record.benchmark) <= day and self._from_method(record.method, record.method_label) <= day
        )
        return known and (result.texts is not None or not unseen_in(record))

    def _first_of_board(self, name: str) -> str:
        if name not in self._ids.get("benchmarks", set()):
            return _NEVER
        return _released(self._known.releases[1].get(name))

    def _first_of_method(self, name: str, label: str | None) -> str:
        if name not in self._ids.get("methods", set()):
            return _NEVER
        named = self._known.methods.get(name)
        odd = label is not None and (
            label_fault(label, named) or another_method(label, name, self._known.methods_by_name)
        )
        return _NEVER if odd else _released(named)

    def _last_of_date(self, date: str | None) -> str:
        if date is None:
            return _LAST
        future = self._as_of and date[:10] > self._as_of
        return "" if future else last_day(date).isoformat()


def _released(thing: Dataset | Method | None) -> str:
    return first_day(thing.released).isoformat() if thing and thing.released else _FIRST
