"""Findings for people and programs: text with code frames, json, jsonl, SARIF and GitHub annotations.

Record text is untrusted: control and bidirectional characters never reach a terminal, workflow commands are escaped.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import quote

from sotakit.check.codes import CODES
from sotakit.check.findings import Finding
from sotakit.compiled import counts_line
from sotakit.sarif import sarif
from sotakit.validate import Outcome

FORMATS = ("text", "json", "jsonl", "sarif", "github")
SHOWN_PER_FILE = 1000
_LONGEST_LINE = 16 * 1024**2
_UNREAD = ("E101", "E108")
"""Files that must not be opened: pipes, devices, and links to what is not part of the records."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def report(outcome: Outcome, form: str, data: Path, limit: int = SHOWN_PER_FILE) -> Iterator[str]:
    """The lines of a report on standard output."""
    if form == "json":
        yield json.dumps({"summary": summary(outcome), "findings": [_plain(f) for f in outcome.findings]}, indent=1)
    elif form == "jsonl":
        yield from (json.dumps(_plain(finding)) for finding in outcome.findings)
    elif form == "sarif":
        yield json.dumps(sarif([(_uri(finding, data), finding) for finding in outcome.findings]), indent=1)
    elif form == "github":
        yield from (_annotation(finding, data) for finding in outcome.findings)
    else:
        yield from _text(outcome, data, limit)


def summary(outcome: Outcome) -> dict[str, int]:
    """The counts that every report ends with; records = accepted + rejected."""
    return {
        "files": outcome.files,
        "records": outcome.records,
        "accepted": outcome.accepted,
        "rejected": outcome.rejected,
        "errors": outcome.count("error"),
        "warnings": outcome.count("warning"),
    }


def safe(text: str) -> str:
    """Text without characters that could steer a terminal."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


def _plain(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "path": finding.origin.file,
        "line": finding.line,
        "column": finding.column,
        "record": finding.record,
        "field": finding.field,
        "message": finding.message,
        "hint": finding.hint,
    }


def _annotation(finding: Finding, data: Path) -> str:
    level = {"error": "error", "warning": "warning", "note": "notice"}[finding.severity]
    place = f"file={_property(_shown_path(finding, data))},line={finding.line},col={finding.column}"
    text = f"{finding.message}. {finding.hint}" if finding.hint else finding.message
    return f"::{level} {place},title={_property(finding.code)}::{_message(text)}"


def _message(text: str) -> str:
    return safe(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


def _shown_path(finding: Finding, data: Path) -> str:
    return os.path.relpath(data / finding.origin.file)


def _uri(finding: Finding, data: Path) -> str:
    return quote(os.fsencode(_shown_path(finding, data)))  # a name need not be UTF-8


def _text(outcome: Outcome, data: Path, limit: int) -> Iterator[str]:
    for name, group in groupby(outcome.findings, key=attrgetter("origin.file")):
        findings = list(group)
        shown = findings[:limit]
        framed = {finding.line or 1 for finding in shown if finding.code not in _UNREAD}
        lines = _source_lines(data / name, framed)
        for finding in shown:
            yield from _text_of(finding, data, lines.get(finding.line or 1))
        if len(findings) > limit:
            more = len(findings) - limit
            yield f"{safe(name)}: {more:,} more findings not shown; --format jsonl gives all of them"
    codes = Counter(finding.code for finding in outcome.findings)
    for code, count in sorted(codes.items()):
        yield f"{count:6,} x {code} {CODES[code].title}"
    yield counts_line(outcome.accounting())


def _text_of(finding: Finding, data: Path, source: str | None) -> Iterator[str]:
    path = _shown_path(finding, data)
    field = f" {finding.field}" if finding.field else ""
    yield safe(f"{path}:{finding.line}:{finding.column}: {finding.severity} {finding.code}{field}: {finding.message}")
    if source is not None:
        start = max((finding.column or 1) - 60, 1)
        yield f"    {finding.line} | {safe(source[start - 1 : start + 99])}"
        yield "    " + " " * len(str(finding.line)) + " | " + " " * ((finding.column or 1) - start) + "^"
    if finding.hint:
        yield f"    {safe(finding.hint)}"


def _source_lines(path: Path, numbers: set[int]) -> dict[int, str]:
    """Some lines of a file by number, read in one pass; none if it cannot be read."""
    if not numbers:
        return {}
    try:
        with path.open(encoding="utf-8-sig", errors="replace", newline="\n") as stream:
            lines = enumerate(islice(_lines(stream), max(numbers)), 1)
            return {number: line.rstrip("\r\n") for number, line in lines if number in numbers}
    except OSError:
        return {}


def _lines(stream: TextIO) -> Iterator[str]:
    """The lines of a file; one that is longer than records may be is cut, since a file may be one such line."""
    while line := stream.readline(_LONGEST_LINE + 1):
        yield line
        while len(line) > _LONGEST_LINE and not line.endswith("\n"):
            line = stream.readline(_LONGEST_LINE + 1)
