"""Importing Papers with Code evaluation tables: tasks > datasets > subdatasets > rows with metrics as text.

A row becomes one result. Its source is its paper if it names a web address, else the file itself. The tables record
neither units nor directions, so both stay unknown and nothing is ranked until somebody records them.
"""

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from sotakit.exchange.importing import (
    IMPORTER_VERSION,
    Accounting,
    Batch,
    Fields,
    Known,
    Namer,
    Variants,
    printable,
    problem_words,
    read_json,
    row_hash,
    write_batch,
)
from sotakit.exchange.papers import Papers
from sotakit.exchange.pwc_tables import Digits, Row, Table, TableReader
from sotaschema.base import check_date
from sotaschema.identity import hashed_slug, slug, unique_slugs

COLLECTION = "Papers with Code evaluation tables"


def import_pwc(
    path: Path, into: Path, *, revision: str | None = None, dry_run: bool = False, replace: bool = False
) -> tuple[Accounting, Batch]:
    """Import one file of evaluation tables into a data folder.

    `revision` names the release or commit of the archive. Raises `InputError` if the file is not JSON.
    """
    document, digest = read_json(path, Digits)
    name = slug(path.stem)
    importer = _Importer(Batch(name), Known(into, name), path.name, digest, revision)
    importer.read(document)
    return write_batch(importer.batch, into, dry_run=dry_run, replace=replace), importer.batch


class _Board(NamedTuple):
    id: str
    keys: dict[str, str]
    """Metric key by label."""


class _Importer:
    """The import of one file: gather all names, write entities, then results."""

    def __init__(self, batch: Batch, known: Known, file: str, digest: str, revision: str | None) -> None:
        self.batch = batch
        self.known = known
        self.file = file
        self.digest = digest
        self.revision = revision
        self.reader = TableReader(batch)

    def read(self, document: Any) -> None:
        """Fill the batch from the document."""
        tables = self.reader.tables(document)
        kept = [(table, title) for table, title in zip(tables, _titles(tables), strict=True) if table.rows]
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
        written: set[str] = set()
        for name in sorted(names):
            if namer.new(name) and namer[name] not in written:
                written.add(namer[name])
                self.batch.add(kind, {"id": namer[name], "name": name, **self._details(kind, name, namer)})
        return namer

    def _details(self, kind: str, name: str, namer: Namer) -> Fields:
        """What the file says of a task, dataset or method beside its name."""
        if kind == "tasks":
            parents = {namer[parent] for parent in self.reader.parents[name]} - {namer[name]}
            return {"aliases": self.reader.synonyms.get(name), "parents": sorted(parents)}
        if kind == "methods":
            return {"code": list(dict.fromkeys(self.reader.code[name]))}
        return {"homepage": next(iter(self.reader.homepages[name]), None)}

    def _write_board(self, table: Table, title: str, task: str, dataset: str) -> _Board:
        """A board, written unless the folder holds one of its name with all its metrics."""
        given = {label for row in table.rows for label in row.scores}
        labels = [label for label in table.metrics if label in given]
        labels += [
            label for label in dict.fromkeys(label for row in table.rows for label in row.scores) if label not in labels
        ]
        existing = self.known.find("benchmarks", title)
        if existing is not None:
            listed = getattr(self.known.record("benchmarks", existing), "metrics", [])
            keys = {metric.label: metric.key for metric in listed}
            if given <= keys.keys():
                return _Board(existing, keys)
            title = f"{title} [{self.batch.name}]"
        slugs = unique_slugs(given)
        board = _Board(self._board_id(title), slugs)
        metrics = [{"key": slugs[label], "label": label} for label in labels]
        fields = {"title": title, "task": task, "dataset": dataset, "subset": table.subset, "metrics": metrics}
        self.batch.add("benchmarks", {"id": board.id, **fields})
        return board

    def _board_id(self, title: str) -> str:
        taken = {board["id"] for board in self.batch.records.get("benchmarks", [])}
        plain = slug(title)
        clash = plain in taken or self.known.record("benchmarks", plain) is not None
        return hashed_slug(title, plain) if clash else plain

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
        return {
            "id": hashed_slug(f"pwc {self.file}", f"pwc-{self.batch.name}"),
            "type": "dump",
            "title": f"{COLLECTION}: {printable(self.file)}",
            "recorded_via": {"name": f"{COLLECTION} ({printable(self.file)})"}
            | ({"version": self.revision} if self.revision else {}),
            "imported": {
                "importer": "pwc",
                "importer_version": IMPORTER_VERSION,
                "file": printable(self.file),
                "sha256": self.digest,
            },
        }


def _titles(tables: list[Table]) -> list[str]:
    """A title for each board; boards of one name are told apart by their place among them."""
    plain = [f"{table.task} on {table.dataset}" + (f" ({table.subset})" if table.subset else "") for table in tables]
    total, seen = Counter(plain), Counter[str]()
    titles = []
    for title in plain:
        seen[title] += 1
        titles.append(f"{title} [board {seen[title]} of {total[title]}]" if total[title] > 1 else title)
    return titles


def _day(text: str) -> str | None:
    try:
        return check_date(text) if text else None
    except ValueError:
        return None
