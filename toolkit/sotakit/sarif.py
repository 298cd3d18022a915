"""Findings as SARIF 2.1.0, the format that code hosts show beside the changed lines."""

from collections.abc import Callable, Iterator
from typing import Any

from sotakit import __version__
from sotakit.check.codes import CODES, severity_of
from sotakit.check.finding_store import Findings
from sotakit.check.findings import Finding, Severity
from sotakit.streamed_json import ITEMS, streamed

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "note": "note"}


def sarif(findings: Findings, address: Callable[[Finding], str]) -> Iterator[str]:
    """The lines of one run with all findings, errors first, as hosts cut lists; `address` gives the path of a file."""
    used = sorted(findings.codes)
    driver = {"name": "sotakit", "version": __version__, "rules": [_rule(code) for code in used]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": [ITEMS]}
    results = (_result(address(found), found, used.index(found.code)) for found in findings.by_severity())
    yield from streamed({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, results)


def _rule(code: str) -> dict[str, Any]:
    page = CODES[code]
    return {
        "id": code,
        "shortDescription": {"text": page.title},
        "fullDescription": {"text": page.why},
        "help": {"text": page.remedy},
        "defaultConfiguration": {"level": _LEVELS[severity_of(code)]},
    }


def _result(path: str, finding: Finding, rule: int) -> dict[str, Any]:
    region = {"startLine": finding.line or 1, "startColumn": finding.column or 1}
    place = {"artifactLocation": {"uri": path}, "region": region}
    text = f"{finding.message}. {finding.hint}" if finding.hint else finding.message
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
    }
