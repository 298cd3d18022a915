"""Findings for people and programs: text with code frames, json, jsonl, SARIF and GitHub annotations.

Record text is untrusted: control and bidirectional characters never reach a terminal, workflow commands are escaped.
Every report is made while it is written, so that its size costs no memory.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sotakit.check.findings import Finding
from sotakit.sarif import sarif
from sotakit.streamed_json import ITEMS, streamed
from sotakit.terminal import safe
from sotakit.text_report import all_text, grouped_text, shown_path
from sotakit.validate import Outcome

FORMATS = ("text", "json", "jsonl", "sarif", "github")
SHOWN_PER_FILE = 1000


def report(outcome: Outcome, form: str, data: Path, limit: int | None = SHOWN_PER_FILE) -> Iterator[str]:
    """The lines of a report on standard output, made as findings are read, however many these are.

    Text shows the first findings of each kind in a file and counts the others, at most `limit` findings of a file;
    all of them where `limit` is None.
    """
    findings = outcome.findings
    if form == "json":
        yield from streamed({"summary": summary(outcome), "findings": [ITEMS]}, map(_plain, findings))
    elif form == "jsonl":
        yield from (json.dumps(_plain(finding)) for finding in findings)
    elif form == "sarif":
        yield from sarif(findings, lambda finding: _uri(finding, data))
    elif form == "github":
        yield from (_annotation(finding, data) for finding in findings)
    else:
        yield from all_text(outcome, data) if limit is None else grouped_text(outcome, data, limit)


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
    place = f"file={_property(shown_path(finding, data))},line={finding.line},col={finding.column}"
    text = f"{finding.message}. {finding.hint}" if finding.hint else finding.message
    return f"::{level} {place},title={_property(finding.code)}::{_message(text)}"


def _message(text: str) -> str:
    return safe(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


def _uri(finding: Finding, data: Path) -> str:
    return quote(os.fsencode(shown_path(finding, data)))  # a name need not be UTF-8
