"""Many findings at once, on disk: a fault in every line of a large file costs no more memory than one fault.

They lie in a private temporary database that SQLite keeps in memory while it is small and removes when it is closed.
"""

import json
import sqlite3
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, overload

from sotakit.check.findings import Finding, Origin, Severity, Step
from sotakit.errors import OutputError

_WAITING: Final = 1_000
"""So many findings are written together."""

_SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "note")

_SET_UP = """
    PRAGMA journal_mode = off;
    PRAGMA synchronous = off;
    PRAGMA cache_size = -8000;
    PRAGMA temp_store = file;
    CREATE TABLE finding (
        id INTEGER PRIMARY KEY, file BLOB, line INTEGER, col INTEGER, code TEXT, severity INTEGER,
        record BLOB, field BLOB, kind BLOB, whole TEXT
    );
"""
_INSERT = """
    INSERT INTO finding (file, line, col, code, severity, record, field, kind, whole) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_BY_PLACE = "SELECT whole FROM finding ORDER BY file, line, col, code, id"
_BY_SEVERITY = "SELECT whole FROM finding ORDER BY severity, file, line, col, code, id"
_BY_RECORD = "SELECT whole FROM finding ORDER BY code, file, record, field, line, col, id"
_IN_KINDS = """
    SELECT whole, nth, total, lead(line) OVER kinds, max(line) OVER (PARTITION BY file, kind)
    FROM (
        SELECT *, row_number() OVER kinds AS nth, count() OVER (PARTITION BY file, kind) AS total
        FROM finding WINDOW kinds AS (PARTITION BY file, kind ORDER BY line, col, id)
    )
    WINDOW kinds AS (PARTITION BY file, kind ORDER BY line, col, id)
    ORDER BY file, line, col, code, id
"""


class OfKind(NamedTuple):
    """A finding among those of one kind in its file: the same code, field and value that was found."""

    finding: Finding
    nth: int
    total: int
    next_line: int
    """Where the next one of the kind stands; its own line for the last one."""
    last_line: int


class Findings(Sequence[Finding]):
    """Findings in order of file, line, column and code, however many they are.

    Raises `OutputError` where the temporary folder is full.
    """

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        self.codes: Counter[str] = Counter()
        self.severities: Counter[str] = Counter()
        self._waiting: list[tuple[Any, ...]] = []
        self._database: sqlite3.Connection | None = None
        self.extend(findings)

    def append(self, finding: Finding) -> None:
        """Add a finding, placed or not yet placed; one that is not counts as standing where its record begins."""
        self.codes[finding.code] += 1
        self.severities[finding.severity] += 1
        self._waiting.append(_row(finding))
        if len(self._waiting) >= _WAITING:
            self._write()

    def extend(self, findings: Iterable[Finding]) -> None:
        """Add some findings."""
        for finding in findings:
            self.append(finding)

    def __len__(self) -> int:
        return self.codes.total()

    def __iter__(self) -> Iterator[Finding]:
        return (_finding(whole) for (whole,) in self._rows(_BY_PLACE))

    @overload
    def __getitem__(self, index: int) -> Finding: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Finding]: ...
    def __getitem__(self, index: int | slice) -> Finding | Sequence[Finding]:
        return list(self)[index]

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment] # it changes as findings come

    def __repr__(self) -> str:
        return f"Findings({list(self[:10])}{', …' if len(self) > 10 else ''})"

    def by_severity(self) -> Iterator[Finding]:
        """Errors first, then warnings, then notes."""
        return (_finding(whole) for (whole,) in self._rows(_BY_SEVERITY))

    def by_record(self) -> Iterator[Finding]:
        """In order of code, file, record and field."""
        return (_finding(whole) for (whole,) in self._rows(_BY_RECORD))

    def in_kinds(self) -> Iterator[OfKind]:
        """In order of place, each beside what there is of its kind in its file."""
        for whole, nth, total, following, last in self._rows(_IN_KINDS):
            yield OfKind(_finding(whole), nth, total, last if following is None else following, last)

    def _rows(self, query: str) -> Iterator[tuple[Any, ...]]:
        if self._waiting:
            self._write()
        if self._database is not None:
            try:
                yield from self._database.execute(query)
            except sqlite3.OperationalError as error:
                raise _no_room(error) from error

    def _write(self) -> None:
        try:
            if self._database is None:
                self._database = sqlite3.connect("")
                weakref.finalize(self, self._database.close)
                self._database.executescript(_SET_UP)
            self._database.executemany(_INSERT, self._waiting)
        except sqlite3.OperationalError as error:
            raise _no_room(error) from error
        self._waiting.clear()


def _row(finding: Finding) -> tuple[Any, ...]:
    """The columns of a finding: what it is sorted and grouped by, and the whole of it as JSON."""
    file, record, field = (text.encode("utf-8", "surrogatepass") for text in _names(finding))
    kind = json.dumps([finding.code, finding.severity, *finding.kind])
    line, column = finding.line or finding.origin.line, finding.column or 0
    whole = json.dumps([getattr(finding, name) for name in Finding.__slots__])
    return file, line, column, finding.code, _SEVERITIES.index(finding.severity), record, field, kind, whole


def _names(finding: Finding) -> tuple[str, str, str]:
    return finding.origin.file, finding.record, finding.field


def _finding(whole: str) -> Finding:
    fields: dict[str, Any] = dict(zip(Finding.__slots__, json.loads(whole), strict=True))
    file, line, path = fields["origin"]
    fields["origin"] = Origin(file, line, _steps(path))
    fields["loc"] = _steps(fields["loc"])
    return Finding(**fields)


def _steps(path: list[Step]) -> tuple[Step, ...]:
    return tuple(path)


def _no_room(error: sqlite3.OperationalError) -> OutputError:
    return OutputError(f"the findings cannot be kept in the temporary folder: {error}; make room there, or set TMPDIR")
