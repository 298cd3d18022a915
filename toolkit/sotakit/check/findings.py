"""Findings: what is wrong, where, what was expected and what to do."""

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]

Step = str | int
"""One step inside a document: a key or an index."""


class Origin(NamedTuple):
    """Where a record stands: file relative to DATA, first line (JSON Lines, CSV) and path inside the document."""

    file: str
    line: int = 1
    path: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to mend, or to know.

    `loc` is the path from the record to the fault; `at_key` tells whether the key or the value is meant. `line` and
    `column` count from 1, columns in Unicode code points; they are filled in by `read.reader.place` for those findings
    that are shown.
    """

    code: str
    severity: Severity
    origin: Origin
    message: str
    hint: str = ""
    record: str = ""
    loc: tuple[Step, ...] = ()
    at_key: bool = False
    line: int | None = None
    column: int | None = None

    @property
    def field(self) -> str:
        """The path inside the record, with dots."""
        return ".".join(str(step) for step in self.loc)

    def placed(self, line: int, column: int) -> "Finding":
        """The same finding at a line and column."""
        return replace(self, line=line, column=column)
