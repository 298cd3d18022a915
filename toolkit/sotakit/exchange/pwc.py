"""Importing Papers with Code evaluation tables: tasks > datasets > subdatasets > rows with metrics as text.

A row becomes one result. Its source is its paper if it names a web address, else the file itself. The tables record
neither units nor directions, so both stay unknown and nothing is ranked until somebody records them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from sotakit.errors import UsageError
from sotakit.exchange.importing import (
    IMPORTER_VERSION,
    Accounting,
    Batch,
    Fields,
    printable,
    problem_words,
    read_json,
    row_hash,
    write_batch,
)
from sotakit.exchange.known import Known, Namer, Variants, name_key
from sotakit.exchange.papers import Papers
from sotakit.exchange.pwc_rows import MAX_NAME, Digits, Row
from sotakit.exchange.pwc_tables import Table, TableReader
from sotaschema.base import check_date
from sotaschema.entities import Benchmark
from sotaschema.identity import hashed_slug, slug, unique_slugs

COLLECTION = "Papers with Code evaluation tables"


def import_pwc(
    path: Path, into: Path, *, revision: str | None = None, dry_run: bool = False, replace: bool = False
) -> tuple[Accounting, Batch]:
    """Import one file of evaluation tables into a data folder.

    `revision` names the release or commit of the archive. Raises `InputError` if the file is not JSON.
    """
    if revision and (len(revision) > MAX_NAME or printable(revision) != revision):
        raise UsageError(f"--revision: expected one line of at most {MAX_NAME:,} characters")
    document, digest = read_json(path, Digits)
    batch = Batch(slug(path.stem))
    known = Known(into, batch.name)
    _Importer(batch, known, path.name, digest, revision).read(document)
    return write_batch(batch, known, into, dry_run=dry_run, replace=replace), batch


class _Board(NamedTuple):
    id: str
    keys: dict[str, str]
    """Metric key by label."""


class _Importer:
    """The import of one file: gather all names, write entities, then results."""

    def __init__(self, batch: Batch, known: Known, file: str, digest: str, revision: str | None) -> None:
        self.batch = batch
        self.known = known
        self.file = printable(file)
        self.digest = digest
        self.revision = revision
        self.reader = TableReader(batch)
        self._board_ids: set[str] = set()

    def read(self, document: Any) -> None:
        """Fill the batch from the document."""
        tables = self.reader.tables(document)
        kept = [(table, title) for table, title in zip(tables, _titles(tables), strict=True) if table.rows]
        self.batch.not_carried["board without a result"] += len(tables) - len(kept)
        rows = [row for table, _ in kept for row in table.rows]
        tasks = self._write_named("tasks", self.reader.with_parents({table.task for table, _ in kept}))
        datasets = self._write_named("datasets", {table.dataset for table, _ in kept})
        methods = self._write_named("methods", {row.method for row in rows})
        papers = Papers(self.batch, self.known, self._dump())
        variants = Variants(self.known, self.batch.name)
        for table, title in kept:
            board = self._write_board(table, title, tasks[table.task], datasets[table.dataset])
            for row in table.rows:
                self._write_result(row, board, methods[row.method], papers, variants)
        papers.write()

    def _write_named(self, kind: str, names: set[str]) -> Namer:
        """Records for the names of a kind that the folder does not hold yet."""
        namer = Namer(kind, names, self.known)
        for key, spellings in namer.spellings.items():
            details = self._details(kind, spellings, namer)
            if key in namer.new:
                self.batch.add(kind, {"id": namer.new[key], "name": spellings[0], **details})
            else:
                self.batch.use(kind, namer.used[key])
                self._count_unused(kind, namer.used[key], details)
        return namer

    def _details(self, kind: str, spellings: list[str], namer: Namer) -> Fields:
        """What the file says of a task, dataset or method beside its name, however that is spelled there."""

        def gathered(told: Mapping[str, Iterable[str]]) -> list[str]:
            return list(dict.fromkeys(item for name in spellings for item in told.get(name, ())))

        if kind == "tasks":
            parents = {namer[parent] for parent in gathered(self.reader.parents)} - {namer[spellings[0]]}
            return {"aliases": gathered(self.reader.synonyms), "parents": sorted(parents)}
        if kind == "methods":
            return {"code": gathered(self.reader.code)}
        homepages = gathered(self.reader.homepages)
        self.batch.not_carried["link of a dataset beside its homepage"] += len(homepages[1:])
        return {"homepage": next(iter(homepages), None)}

    def _count_unused(self, kind: str, identifier: str, details: Fields) -> None:
        """Count what the file says of something that the folder holds, whose record is left as it is."""
        record = self.known.record(kind, identifier)
        for name, told in details.items():
            held = {identifier, getattr(record, "name", None), *_listed(getattr(record, name, None))}
            self.batch.not_carried[f"{name} of {kind} that are there"] += len(set(_listed(told)) - held)

    def _write_board(self, table: Table, title: str, task: str, dataset: str) -> _Board:
        """A board, written unless the folder holds one of its name with all its metrics."""
        given = dict.fromkeys(label for row in table.rows for label in row.scores)
        labels = [label for label in table.metrics if label in given]
        labels += [label for label in given if label not in labels]
        for name in (title, f"{title} [{self.batch.name}]"):
            existing = self._board_there(name)
            if existing is None:
                break
            if keys := _keys_in(existing, labels):
                self.batch.use("benchmarks", existing.id)
                return _Board(existing.id, keys)
        identifier = self._board_id(name)
        self._board_ids.add(identifier)
        kept = self.known.earlier_keys(name)
        labels += [label for label in kept if label not in labels and self.known.named(identifier)]
        board = _Board(identifier, _metric_keys(labels, kept))
        metrics = [{"key": board.keys[label], "label": label} for label in labels]
        fields = {"title": name, "task": task, "dataset": dataset, "subset": table.subset, "metrics": metrics}
        self.batch.add("benchmarks", {"id": board.id, **fields})
        return board

    def _board_there(self, title: str) -> Benchmark | None:
        """The board of the folder that a title means, unless an earlier import of this file made one of its own."""
        found = None if self.known.earlier("benchmarks", title) else self.known.find("benchmarks", title)
        record = self.known.record("benchmarks", found) if found else None
        return record if isinstance(record, Benchmark) else None

    def _board_id(self, title: str) -> str:
        earlier = self.known.earlier("benchmarks", title)
        return earlier or self.known.new_id("benchmarks", slug(title), title, self._board_ids)

    def _write_result(self, row: Row, board: _Board, method: str, papers: Papers, variants: Variants) -> None:
        source, notes = papers.of(row.text("paper_title"), row.text("paper_url"))
        identifier, variant = variants.identify(source, board.id, row.label, {})
        day, printed = _day(row.text("paper_date")), row.text("paper_date")
        notes += [f"date as printed: {printable(printed)}"] if printed and not day else []
        fields = {
            "source": source,
            "id": identifier,
            "benchmark": board.id,
            "method": method,
            "method_label": row.label,
            "variant": variant,
            "scores": {board.keys[label]: text for label, text in row.scores.items()},
            "date": day,
            "date_kind": "published" if day and source != papers.dump["id"] else None,
            "extra_training_data": "stated" if row.raw.get("uses_additional_data") is True else None,
            "notes": "; ".join(notes),
            "evidence": "aggregator_copy",
            "imported": {"file": self.file, "row": row.number, "path": row.path, "sha256": row_hash(row.raw)},
        }
        try:
            self.batch.add("results", fields)
        except ValidationError as error:
            self.batch.refuse(row.number, row.path, problem_words(error), row.raw)

    def _dump(self) -> Fields:
        """The source that is the file itself."""
        identifier = hashed_slug(f"pwc {self.file}", f"pwc-{self.batch.name}")
        if self.known.taken("sources", identifier) and self.known.record("sources", identifier) is None:
            identifier = self.known.new_id("sources", identifier, f"pwc {self.file}")
        version = {"version": self.revision} if self.revision else {}
        return {
            "id": identifier,
            "type": "dump",
            "title": f"{COLLECTION}: {self.file}",
            "recorded_via": {"name": f"{COLLECTION} ({self.file})"} | version,
            "imported": {
                "importer": "pwc",
                "importer_version": IMPORTER_VERSION,
                "file": self.file,
                "sha256": self.digest,
            },
        }


def _metric_keys(labels: list[str], kept: Mapping[str, str]) -> dict[str, str]:
    """A key for each label: the one it had in an earlier import, since results of other files may use it."""
    new = unique_slugs(set(labels) - kept.keys())
    taken = set(kept.values())
    fresh = {label: hashed_slug(label, key) if key in taken else key for label, key in new.items()}
    return {label: kept.get(label) or fresh[label] for label in labels}


def _keys_in(board: Benchmark, labels: list[str]) -> dict[str, str]:
    """The key that each label has in a board; empty unless it has all of them, each one apart."""
    exact = {metric.label: metric.key for metric in board.metrics}
    folded = {name_key(metric.label): metric.key for metric in board.metrics}
    keys = {label: exact.get(label) or folded.get(name_key(label), "") for label in labels}
    apart = all(keys.values()) and len(set(keys.values())) == len(keys)
    return keys if apart else {}


def _titles(tables: list[Table]) -> list[str]:
    """A title for each board; boards of one name are told apart by their place among them."""
    plain = [f"{table.task} on {table.dataset}" + (f" ({table.subset})" if table.subset else "") for table in tables]
    total, seen = Counter(plain), Counter[str]()
    titles = []
    for title in plain:
        seen[title] += 1
        titles.append(f"{title} [board {seen[title]} of {total[title]}]" if total[title] > 1 else title)
    return titles


def _listed(value: Any) -> list[Any]:
    """A list as it is; anything else as the only item of one, nothing as no item."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _day(text: str) -> str | None:
    try:
        return check_date(text) if text else None
    except ValueError:
        return None
