"""Findings as SARIF 2.1.0, the format that code hosts show beside the changed lines."""

from typing import Any

from sotakit import __version__
from sotakit.check.codes import CODES, severity_of
from sotakit.check.findings import Finding, Severity

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "note": "note"}


def sarif(findings: list[tuple[str, Finding]]) -> dict[str, Any]:
    """One run with all findings and their paths relative to the current folder; errors first, as hosts cut lists."""
    order = sorted(findings, key=lambda item: ("error", "warning", "note").index(item[1].severity))
    used = sorted({finding.code for _, finding in order})
    driver = {"name": "sotakit", "version": __version__, "rules": [_rule(code) for code in used]}
    results = [_result(path, finding, used.index(finding.code)) for path, finding in order]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


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
