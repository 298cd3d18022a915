"""Findings: what is wrong, where, what was expected and what to do."""

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]

LONGEST = 900
"""Most characters of a message or a hint; names and values that records hold may be much longer."""

Step = str | int
"""One step inside a document: a key or an index."""


class Code(NamedTuple):
    """What a code means, in words for its page in the docs."""

    title: str
    why: str
    remedy: str


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
    found: str = ""
    """The value that was found where another one was expected: findings that agree in it are of one kind."""

    def __post_init__(self) -> None:
        """Cuts what is too long in the middle, since a message begins and ends with what it is about."""
        for name in ("message", "hint", "record"):
            text = getattr(self, name)
            if len(text) > LONGEST:
                object.__setattr__(self, name, f"{text[: LONGEST - 200]} … {text[-197:]}")

    @property
    def field(self) -> str:
        """The path inside the record, with dots."""
        return ".".join(str(step) for step in self.loc)

    @property
    def kind(self) -> tuple[str, str]:
        """What findings of one code and file have in common if they are alike: field, and what was found there.

        Indexes are left out of the field. Where a key is at fault, the key is what was found.
        """
        names = [step for step in self.loc if isinstance(step, str)]
        found = names.pop() if self.at_key and names else self.found
        return ".".join(names), found

    def placed(self, line: int, column: int) -> "Finding":
        """The same finding at a line and column."""
        return replace(self, line=line, column=column)
