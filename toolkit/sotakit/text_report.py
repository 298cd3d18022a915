"""Findings for people: place, message, the line with a caret, and what to do; many that are alike are told as one.

A fault in every line of a large file is the most usual large fault. The first findings of a kind are shown, the others
are counted with their lines; findings are of one kind if they agree in file, code, field and the value that was found.
"""

import os
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Final, Self, TextIO

from sotakit.check.codes import CODES
from sotakit.check.finding_store import OfKind
from sotakit.check.findings import Finding
from sotakit.compiled import counts_line
from sotakit.terminal import safe
from sotakit.validate import Outcome

SHOWN_OF_A_KIND: Final = 3
KINDS_OF_A_FIELD: Final = 10
"""So many values that were found under one field with one code are shown; the others are counted together."""

_BEGIN: Final = """\
{data} holds no records. A folder of records looks like this (.yaml, .json, .jsonl or .csv; a kind may be a folder too):

    tasks.yaml, datasets.yaml, metrics.yaml, methods.yaml, benchmarks.yaml   what is measured, on what, how
    sources/my-paper.yaml                                                    a document with its results

Begin with one task, one dataset, one benchmark, one method and one source: every validation says what is missing.
The README of the project describes each kind; `toolkit schema FOLDER` writes the JSON Schema of each for editors.
"""

_LONGEST_LINE: Final = 16 * 1024**2
_UNREAD: Final = ("E101", "E108")
"""Files that must not be opened: pipes, devices, and links to what is not part of the records."""


def all_text(outcome: Outcome, data: Path) -> Iterator[str]:
    """Every finding, and the counts."""
    for name, findings in groupby(outcome.findings, key=lambda finding: finding.origin.file):
        with _SourceLines(data / name) as lines:
            for finding in findings:
                yield from _text_of(finding, data, lines)
    yield from _counts(outcome)


def grouped_text(outcome: Outcome, data: Path, limit: int) -> Iterator[str]:
    """The first findings of each kind, at most `limit` of a file, how many more there are, and the counts."""
    if not outcome.records:
        yield _BEGIN.format(data=safe(str(data)))
    for name, findings in groupby(outcome.findings.in_kinds(), key=lambda found: found.finding.origin.file):
        with _SourceLines(data / name) as lines:
            yield from _file_text(name, findings, data, lines, limit)
    yield from _counts(outcome)


def _file_text(name: str, findings: Iterator[OfKind], data: Path, lines: "_SourceLines", limit: int) -> Iterator[str]:
    kinds, counted, shown, left_out = _Kinds(), set[tuple[str, ...]](), 0, 0
    path = os.path.relpath(data / name)
    for found in findings:
        finding, kind = found.finding, (found.finding.code, *found.finding.kind)
        if kind in counted or not kinds.shows(finding):
            continue
        if shown >= limit:
            left_out += 1
            continue
        shown += 1
        yield from _text_of(finding, data, lines)
        if found.nth == SHOWN_OF_A_KIND and found.total > SHOWN_OF_A_KIND:
            counted.add(kind)
            what = " ".join(filter(None, kind[:2]))
            more, where = found.total - SHOWN_OF_A_KIND, _span(found.next_line, found.last_line)
            yield safe(f"{path}: and {more:,} more like this ({what}), {where}")
    for what, number, where in kinds.others():
        yield safe(f"{path}: and {number:,} more with other values ({what}), {where}")
    if left_out:
        yield safe(f"{path}: {left_out:,} more findings not shown; --all shows everything")


class _Kinds:
    """Which values that were found are shown for one code and field of a file, and how many findings have others."""

    def __init__(self) -> None:
        self._shown: dict[tuple[str, str], set[str]] = {}
        self._others: dict[tuple[str, str], tuple[int, int, int]] = {}

    def shows(self, finding: Finding) -> bool:
        """Whether a finding is of a kind that is shown; else it is counted."""
        field, value = finding.kind
        what, line = (finding.code, field), finding.line or 1
        values = self._shown.setdefault(what, set())
        if len(values) < KINDS_OF_A_FIELD:
            values.add(value)
        if value in values:
            return True
        number, first, _ = self._others.get(what, (0, line, line))
        self._others[what] = number + 1, first, line
        return False

    def others(self) -> Iterator[tuple[str, int, str]]:
        """Code and field, number and lines of the findings that were counted."""
        for what, (number, first, last) in self._others.items():
            yield " ".join(filter(None, what)), number, _span(first, last)


def _span(first: int, last: int) -> str:
    return f"line {first:,}" if first == last else f"lines {first:,} to {last:,}"


def _counts(outcome: Outcome) -> Iterator[str]:
    for code, count in sorted(outcome.findings.codes.items()):
        yield f"{count:6,} x {code} {CODES[code].title}"
    yield counts_line(outcome.accounting())


def shown_path(finding: Finding, data: Path) -> str:
    """The path of a finding's file, relative to the current folder."""
    return os.path.relpath(data / finding.origin.file)


def _text_of(finding: Finding, data: Path, lines: "_SourceLines") -> Iterator[str]:
    path, line, column = shown_path(finding, data), finding.line or 1, finding.column or 1
    field = f" {finding.field}" if finding.field else ""
    yield safe(f"{path}:{line}:{column}: {finding.severity} {finding.code}{field}: {finding.message}")
    source = None if finding.code in _UNREAD else lines.at(line)
    if source is not None:
        start = max(column - 60, 1)
        before, number = safe(source[start - 1 : column - 1]), str(line)
        yield f"    {number} | {before}{safe(source[column - 1 : start + 99])}"
        yield f"    {' ' * len(number)} | {' ' * len(before)}^"
    if finding.hint:
        yield f"    {safe(finding.hint)}"


class _SourceLines:
    """Lines of a file by number, asked for in ascending order, so that the file is read once and none of it is kept."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stream: TextIO | None = None
        self._number = 0
        self._line: str | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._stream.close()

    def at(self, number: int) -> str | None:
        """The line without its end; None if there is none or the file cannot be read."""
        try:
            if self._stream is None:
                self._stream = self._path.open(encoding="utf-8-sig", errors="replace", newline="\n")
            while self._number < number:
                self._line = self._next()
                self._number += 1
        except OSError:
            return None
        return self._line

    def _next(self) -> str | None:
        """The next line; one that is longer than records may be is cut, since a file may be one such line."""
        assert self._stream is not None  # noqa: S101 - opened by `at`
        line = rest = self._stream.readline(_LONGEST_LINE + 1)
        while len(rest) > _LONGEST_LINE and not rest.endswith("\n"):
            rest = self._stream.readline(_LONGEST_LINE + 1)
        return line.rstrip("\r\n") if line else None
