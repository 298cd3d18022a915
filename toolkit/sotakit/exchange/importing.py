"""What all importers share: reading JSON, accounting, and writing, file by file.

An importer turns a file into a `Batch`; this module writes it to `<kind>/imported-<name>.jsonl` below the data folder
and the refused rows to `import-issues/<name>.jsonl`. What the folder already holds (`exchange.known`) is referenced,
never rewritten; the files of an earlier import of the same name are replaced, so that importing a file twice changes
nothing.
"""

import hashlib
import json
import os
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from sotakit.errors import InputError, OutputError
from sotakit.exchange.known import Known
from sotakit.exchange.local import local_text
from sotaschema.identity import nfc
from sotaschema.jsonschema import KINDS

IMPORTER_VERSION = "2"
"""Raised when an importer starts to write other records for the same file."""

Fields = dict[str, Any]


class Refusal(NamedTuple):
    """A row that became no record, with the reason and its place in the file."""

    row: int
    path: str
    reason: str
    raw: Any


@dataclass
class Batch:
    """Everything that one file gave. `rows_in` = results + refused."""

    name: str
    rows_in: int = 0
    records: dict[str, list[Fields]] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)
    not_carried: Counter[str] = field(default_factory=Counter)
    """What the record format has no place for, by what it is."""
    kept_as_text: Counter[str] = field(default_factory=Counter)
    """Values that are more than one number, by what they are."""
    used: dict[str, set[str]] = field(default_factory=dict)
    """Ids of records of the data folder that stand for what the file names, by kind."""

    def add(self, kind: str, fields: Fields) -> None:
        """Add a record; fields that are None or empty are left out. Raises `ValidationError` if it is not valid."""
        kept = {name: value for name, value in fields.items() if value not in (None, "", [], {})}
        KINDS[kind].model_validate(kept)
        self.records.setdefault(kind, []).append(kept)

    def use(self, kind: str, identifier: str) -> None:
        """Note that a record of the folder stands for something that the file names."""
        self.used.setdefault(kind, set()).add(identifier)

    def refuse(self, row: int, path: str, reason: str, raw: Any) -> None:
        """Count a row that cannot become a record."""
        self.refused.append(Refusal(row, path, reason, raw))


class Accounting(NamedTuple):
    """What an import did: every row of the input is in one of the two counts."""

    rows_in: int
    records_out: int
    refused: int

    def line(self) -> str:
        """The line every import ends with."""
        return f"rows in: {self.rows_in}, records out: {self.records_out}, refused: {self.refused}"


def write_batch(batch: Batch, known: Known, into: Path, *, dry_run: bool = False, replace: bool = False) -> Accounting:
    """Write a batch below a data folder; raises `OutputError` when something cannot be written.

    Results of an earlier import of the same name that are not in this one go only with `replace`.
    """
    out = len(batch.records.get("results", []))
    if out + len(batch.refused) != batch.rows_in:
        raise AssertionError(f"{batch.name}: {batch.rows_in} rows in, {out} out, {len(batch.refused)} refused")
    _keep_named(batch, known)
    files = {
        **{f"{kind}/imported-{batch.name}.jsonl": batch.records.get(kind, []) for kind in KINDS},
        f"import-issues/{batch.name}.jsonl": [refusal._asdict() for refusal in batch.refused],
    }
    if not replace:
        _keep_earlier(batch, known, into / f"results/imported-{batch.name}.jsonl")
    if not dry_run:
        try:
            for name, rows in files.items():
                _write_lines(into / name, rows)
        except OSError as error:
            raise OutputError(f"{error.filename or into}: cannot be written: {error.strerror}") from error
    return Accounting(batch.rows_in, out, len(batch.refused))


def _keep_named(batch: Batch, known: Known) -> None:
    """Write again what an earlier import brought and other files name by now: without it they would name nothing."""
    written = {kind: {row["id"] for row in rows} for kind, rows in batch.records.items()}
    for kind, record in known.still_named(written):
        batch.records.setdefault(kind, []).append(record.model_dump(exclude_defaults=True))


def _keep_earlier(batch: Batch, known: Known, path: Path) -> None:
    """Refuse to remove results: another file of the same name may have brought them."""
    new = {row["id"] for row in batch.records.get("results", [])}
    if gone := len(known.earlier_results - new):
        raise InputError(
            f"{path}: {gone:,} results of an earlier import are not in this file, or have another id now;"
            " rename the file, or give --replace"
        )
    if known.unreadable_results:
        raise InputError(
            f"{path}: {known.unreadable_results:,} records cannot be read; mend them, or give --replace to let them go"
        )


def read_json(path: Path, parse_number: Any) -> tuple[Any, str]:
    """A JSON document with numbers as their digits, and the SHA-256 of the file; raises `InputError` with the place."""
    text = local_text(path)
    try:
        value = json.loads(
            text,
            parse_int=parse_number,
            parse_float=parse_number,
            parse_constant=str,
            object_pairs_hook=lambda pairs: _distinct(path, pairs),
        )
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}:{error.lineno}:{error.colno}: JSON syntax: {error.msg}; is the file whole?"
        ) from error
    except RecursionError as error:
        raise InputError(f"{path}: nested too deeply") from error
    return value, hashlib.sha256(path.read_bytes()).hexdigest()


def _distinct(path: Path, pairs: list[tuple[str, Any]]) -> Fields:
    """The members of an object; a key that appears twice would lose a value."""
    members = dict(pairs)
    if len(members) < len(pairs):
        name = next(key for index, (key, _) in enumerate(pairs) if key in dict(pairs[:index]))
        raise InputError(f"{path}: the key {name!r} appears twice in one object; keep one of them, or rename it")
    return members


def row_hash(raw: Any) -> str:
    """The SHA-256 of a row as it was read."""
    text = json.dumps(raw, ensure_ascii=True, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def printable(text: str) -> str:
    """Text that a record can hold: line breaks and tabs become spaces, other control characters their pictures.

    U+0002 becomes ␂ (U+2402) and so on, so that nothing is lost and nothing steers a terminal.
    """
    spaced = re.sub(r"[\t\n\r\x0b\x0c\u2028\u2029]", " ", text)
    pictured = re.sub(
        r"[\x00-\x1f\x7f]", lambda found: chr(0x2421 if found[0] == "\x7f" else 0x2400 + ord(found[0])), spaced
    )
    return nfc(pictured.encode("utf-8", "replace").decode())


def problem_words(error: ValidationError) -> str:
    """What a model does not accept, in one line."""
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(str(step) for step in first['loc'])}: {first['msg']}"


def _write_lines(path: Path, rows: list[Fields]) -> None:
    """Write one JSON object a line, atomically and only if it differs; without rows the file is removed."""
    if not rows:
        path.unlink(missing_ok=True)
        return
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if path.is_file() and path.read_bytes() == text.encode():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
