"""The structure of a Papers with Code file: tasks, their datasets and subdatasets, and the rows of each board.

Whatever does not have the expected shape is refused with its place, and what no record has a field for is counted;
nothing here raises.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from sotakit.exchange.importing import Batch, Fields, printable
from sotakit.exchange.papers import link_addresses
from sotakit.exchange.pwc_rows import MAX_NAME, Row, Unusable, one_name, usable_row

MAX_TITLE = MAX_NAME - 100
"""Longest title of a board, before what may be added to tell it apart."""

_READ: Final = {
    "task": {"task", "synonyms", "subtasks", "datasets"},
    "dataset": {"dataset", "subdataset", "dataset_links", "subdatasets", "sota"},
    "board": {"metrics", "rows"},
    "row": {"model_name", "metrics", "paper_title", "paper_url", "paper_date", "code_links", "model_links"},
}
"""Fields that records are made of; all others are counted by name."""
_LISTS: Final = {
    ("task", "synonyms"),
    ("dataset", "dataset_links"),
    ("board", "metrics"),
    ("row", "code_links"),
    ("row", "model_links"),
}
_TEXTS: Final = {"paper_title", "paper_url", "paper_date"}
_NOTHING: Final[tuple[Any, ...]] = (None, "", [], {})


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
        self.synonyms: dict[str, list[str]] = defaultdict(list)
        self.homepages: dict[str, list[str]] = defaultdict(list)
        self.code: dict[str, list[str]] = defaultdict(list)
        self._rows = 0

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
        for path, raw, task, parents in self._tasks(document, "", ()):
            if isinstance(task, str):
                self.parents[task].update(parents)
                self._read_synonyms(task, raw.get("synonyms"))
            self._count_unread("task", raw)
            for where, held, names in self._datasets(raw.get("datasets"), f"{path}/datasets", ()):
                yield from self._table(task, names, where, held)

    def _table(
        self, task: "str | Unusable", names: "tuple[str | Unusable, ...]", path: str, raw: Fields
    ) -> Iterator[Table]:
        """The board of a dataset; its rows are refused if anything around them has no name."""
        self._count_unread("dataset", raw)
        addresses = self._addresses(raw.get("dataset_links"))
        if len(names) == 1 and isinstance(names[0], str):
            self._count("link of a dataset beside its homepage", len(addresses[1:]))
            self.homepages[names[0]] += addresses[:1]
        else:
            self._count("link of a part of a dataset", len(addresses))
        sota: Fields = raw["sota"] if isinstance(raw.get("sota"), dict) else {"rows": raw.get("sota")}
        self._count_unread("board", sota)
        bad = next((name for name in (task, *names) if isinstance(name, Unusable)), None)
        texts = [str(name) for name in names]
        if bad is None and len(_board_title(str(task), texts)) > MAX_TITLE:
            bad = Unusable(f"the names of task, dataset and parts are longer than {MAX_TITLE} characters together")
        rows = self._read_rows(sota.get("rows"), f"{path}/sota/rows", bad)
        if bad is None:
            metrics = _texts(sota.get("metrics"))
            self._count("name of a metric that is no text", len(_list(sota.get("metrics"))) - len(metrics))
            self._count(
                "metric of a board without a value", len(set(metrics) - {m for row in rows for m in row.scores})
            )
            yield Table(str(task), texts[0], " / ".join(texts[1:]), metrics, rows)

    def _tasks(
        self, items: Any, path: str, above: tuple[str, ...]
    ) -> "Iterator[tuple[str, Fields, str | Unusable, tuple[str, ...]]]":
        for index, item in enumerate(self._expect_list(items, path or "/")):
            here = f"{path}/{index}"
            if not isinstance(item, dict):
                self._refuse_shape(here, "expected a task as a mapping", item)
                continue
            name = _name(item.get("task"), "task", "the name of the task")
            yield here, item, name, above
            yield from self._tasks(item.get("subtasks"), f"{here}/subtasks", (name,) if isinstance(name, str) else ())

    def _datasets(
        self, items: Any, path: str, above: "tuple[str | Unusable, ...]"
    ) -> "Iterator[tuple[str, Fields, tuple[str | Unusable, ...]]]":
        for index, item in enumerate(self._expect_list(items, path)):
            here = f"{path}/{index}"
            if not isinstance(item, dict):
                self._refuse_shape(here, "expected a dataset as a mapping", item)
                continue
            if item.get("dataset") and item.get("subdataset"):
                self._count("name of a subdataset beside that of its dataset", 1)
            name = _name(item.get("dataset") or item.get("subdataset"), "dataset", "the name of the dataset")
            yield here, item, (*above, name)
            yield from self._datasets(item.get("subdatasets"), f"{here}/subdatasets", (*above, name))

    def _read_rows(self, items: Any, path: str, bad: Unusable | None) -> list[Row]:
        """The usable rows of a board; none where the board cannot be one."""
        rows = []
        for index, raw in enumerate(self._expect_list(items, path)):
            self.batch.rows_in += 1
            here, number = f"{path}/{index}", self._rows
            self._rows += 1
            if bad is not None:
                self.batch.refuse(number, here, str(bad), raw)
                continue
            try:
                rows.append(self._read_row(usable_row(self.batch, number, here, raw)))
            except Unusable as reason:
                self.batch.refuse(number, here, str(reason), raw)
        return rows

    def _read_row(self, row: Row) -> Row:
        """A row, whose links belong to its method."""
        self.code[row.method] += self._addresses(row.raw.get("code_links"))
        self.code[row.method] += self._addresses(row.raw.get("model_links"))
        self._count_unread("row", row.raw)
        return row

    def _addresses(self, items: Any) -> list[str]:
        """The web addresses in a list of links."""
        links = _list(items)
        addresses = link_addresses(links)
        self._count("link that is no web address", len(links) - len(addresses))
        besides = [name for link in links if isinstance(link, dict) for name in link if link[name] not in _NOTHING]
        self._count("title of a link, or what else stands beside its address", len(besides) - besides.count("url"))
        return addresses

    def _read_synonyms(self, task: str, items: Any) -> None:
        names = _texts(items)
        fitting = [name for name in names if len(name) <= MAX_NAME]
        self.synonyms[task] += [name for name in fitting if name not in self.synonyms[task]]
        self._count("synonym that is no text of one to 1,000 characters", len(_list(items)) - len(fitting))

    def _count_unread(self, kind: str, raw: Fields) -> None:
        """Count what no record has a field for: unknown fields, and known ones that hold something unexpected."""
        for name, value in raw.items():
            if value in _NOTHING:
                continue
            if name == "uses_additional_data" and kind == "row":
                if (
                    value is not True
                ):  # which the record states; false is what the archive has where nobody said anything
                    self._count("uses_additional_data other than true", 1)
            elif name not in _READ[kind]:
                self._count(f"{kind} {printable(name)[:40]}", 1)
            elif ((kind, name) in _LISTS and not isinstance(value, list)) or (
                name in _TEXTS and not isinstance(value, str)
            ):
                self._count(f"{kind} {name} of another type", 1)

    def _count(self, what: str, number: int) -> None:
        self.batch.not_carried[what] += number

    def _expect_list(self, items: Any, path: str) -> list[Any]:
        if items is not None and not isinstance(items, list):
            self._refuse_shape(path, "expected a list", items)
        return _list(items)

    def _refuse_shape(self, path: str, reason: str, raw: Any) -> None:
        """Something that is not what it should be counts as a row that was refused."""
        self.batch.rows_in += 1
        self.batch.refuse(-1, path, reason, raw)


def _board_title(task: str, names: list[str]) -> str:
    return f"{task} on {names[0]}" + (f" ({' / '.join(names[1:])})" if names[1:] else "")


def _name(value: Any, what: str, place: str) -> "str | Unusable":
    """A name without spaces around it, or why there is none."""
    try:
        return one_name(value, what, place).strip()
    except Unusable as reason:
        return reason


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _texts(value: Any) -> list[str]:
    return list(
        dict.fromkeys(printable(item).strip() for item in _list(value) if isinstance(item, str) and item.strip())
    )
