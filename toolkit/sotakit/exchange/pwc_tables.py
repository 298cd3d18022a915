"""The structure of a Papers with Code file: tasks, their datasets and subdatasets, and the rows of each board.

Whatever does not have the expected shape is refused with its place; nothing here raises.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from sotakit.exchange.importing import Batch, Fields, printable
from sotakit.exchange.papers import link_addresses
from sotaschema.values import MAX_VALUE_TEXT

MAX_NAME = 1000


class Digits(str):
    """A number of the file, as its digits."""

    __slots__ = ()


class Row(NamedTuple):
    """One usable row: what a result is made of."""

    number: int
    """Ordinal in the file, from 0."""
    path: str
    raw: Fields
    label: str
    """The method as printed."""
    scores: dict[str, str]
    """Value text by metric label."""

    @property
    def method(self) -> str:
        """The method's name."""
        return self.label.strip()

    def text(self, name: str) -> str:
        """A field of the row as text; empty where there is none."""
        value = self.raw.get(name)
        return value if isinstance(value, str) else ""


class Table(NamedTuple):
    """One board of the file with its usable rows."""

    task: str
    dataset: str
    subset: str
    metrics: list[str]
    rows: list[Row]


class TableReader:
    """Walks one file; gathers what tasks, datasets and methods carry beside their names."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.parents: dict[str, set[str]] = defaultdict(set)
        self.synonyms: dict[str, list[str]] = {}
        self.homepages: dict[str, list[str]] = defaultdict(list)
        self.code: dict[str, list[str]] = defaultdict(list)

    def tables(self, document: Any) -> list[Table]:
        """Every board of the file, in its order."""
        return list(self._tables(document))

    def with_parents(self, tasks: set[str]) -> set[str]:
        """Some tasks and all tasks above them."""
        found, waiting = set(tasks), set(tasks)
        while waiting:
            waiting = {parent for name in waiting for parent in self.parents[name]} - found
            found |= waiting
        return found

    def _tables(self, document: Any) -> Iterator[Table]:
        number = 0
        for path, raw_task, above in self._tasks(document, "", ()):
            task = _name(raw_task.get("task"), "Unnamed task")
            self.parents[task].update(above)
            self.synonyms.setdefault(task, _texts(raw_task.get("synonyms")))
            self.batch.not_carried["task description"] += bool(raw_task.get("description"))
            self.batch.not_carried["task category"] += len(_list(raw_task.get("categories")))
            for where, raw, (dataset, *subset) in self._datasets(raw_task.get("datasets"), f"{path}/datasets", ()):
                self.batch.not_carried["dataset description"] += bool(raw.get("description"))
                self.homepages[dataset] += link_addresses(_list(raw.get("dataset_links"))) if not subset else []
                sota: Fields = raw["sota"] if isinstance(raw.get("sota"), dict) else {"rows": raw.get("sota")}
                listed = self._expect_list(sota.get("rows"), f"{where}/sota/rows")
                rows = [
                    self._row(number + index, f"{where}/sota/rows/{index}", row) for index, row in enumerate(listed)
                ]
                number += len(listed)
                usable = [row for row in rows if row is not None]
                yield Table(task, dataset, " / ".join(subset), _texts(sota.get("metrics")), usable)

    def _tasks(self, items: Any, path: str, above: tuple[str, ...]) -> Iterator[tuple[str, Fields, tuple[str, ...]]]:
        for index, item in enumerate(self._expect_list(items, path or "/")):
            here = f"{path}/{index}"
            if not isinstance(item, dict):
                self._refuse_shape(here, "expected a task as a mapping", item)
                continue
            yield here, item, above
            name = _name(item.get("task"), "Unnamed task")
            yield from self._tasks(item.get("subtasks"), f"{here}/subtasks", (name,))

    def _datasets(self, items: Any, path: str, above: tuple[str, ...]) -> Iterator[tuple[str, Fields, tuple[str, ...]]]:
        for index, item in enumerate(self._expect_list(items, path)):
            here = f"{path}/{index}"
            if not isinstance(item, dict):
                self._refuse_shape(here, "expected a dataset as a mapping", item)
                continue
            name = _name(item.get("dataset") or item.get("subdataset"), "Unnamed dataset")
            yield here, item, (*above, name)
            yield from self._datasets(item.get("subdatasets"), f"{here}/subdatasets", (*above, name))

    def _expect_list(self, items: Any, path: str) -> list[Any]:
        if items is not None and not isinstance(items, list):
            self._refuse_shape(path, "expected a list", items)
        return _list(items)

    def _refuse_shape(self, path: str, reason: str, raw: Any) -> None:
        """Something that is not what it should be counts as a row that was refused."""
        self.batch.rows_in += 1
        self.batch.refuse(-1, path, reason, raw)

    def _row(self, number: int, path: str, raw: Any) -> Row | None:
        self.batch.rows_in += 1
        if not isinstance(raw, dict):
            self.batch.refuse(number, path, "expected a row as a mapping", raw)
            return None
        label = printable(str(raw.get("model_name") or ""))
        given = [(printable(str(name)).strip(), _value_text(value)) for name, value in _items(raw.get("metrics"))]
        named = [(name, text) for name, text in given if name and text.strip()]
        scores = dict(named)
        reason = _unusable(label, scores)
        if len(scores) < len(named):
            reason = "two metrics have one name when spaces around it are left out"
        if reason:
            self.batch.refuse(number, path, reason, raw)
            return None
        row = Row(number, path, raw, label, scores)
        links = [*_list(raw.get("code_links")), *_list(raw.get("model_links"))]
        code = link_addresses(links)
        self.code[row.method] += code
        self.batch.not_carried["link that is no web address"] += len(links) - len(code)
        return row


def _unusable(label: str, scores: dict[str, str]) -> str:
    """Why a row cannot become a record; empty if it can."""
    if not label.strip():
        return "no method: model_name is empty"
    if not scores:
        return "no score: metrics holds no value"
    if max(map(len, (label, *scores))) > MAX_NAME:
        return f"a name of more than {MAX_NAME:,} characters"
    if max(map(len, scores.values())) > MAX_VALUE_TEXT:
        return f"a value of more than {MAX_VALUE_TEXT} characters"
    return ""


def _name(value: Any, fallback: str) -> str:
    """A name as one line of at most the length a record takes; the fallback where there is none."""
    return printable(value if isinstance(value, str) else "").strip()[:MAX_NAME] or fallback


def _value_text(value: Any) -> str:
    return "" if value is None or isinstance(value, list | dict) else printable(str(value))


def _items(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _texts(value: Any) -> list[str]:
    return list(
        dict.fromkeys(printable(item).strip() for item in _list(value) if isinstance(item, str) and item.strip())
    )
