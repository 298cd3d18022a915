"""The frozen table of rule codes. A code is never reused and keeps its letter when its severity is configured.

x1xx reading, x2xx schema, x3xx references, x4xx identity and names, x5xx metrics and values, x6xx provenance, x7xx
contradictions. The letter is the severity a rule has by default: E error, W warning, N note.
"""

from typing import Final

from sotakit.check.claim_codes import CLAIM_CODES
from sotakit.check.findings import Code, Severity
from sotakit.check.record_codes import RECORD_CODES
from sotakit.errors import UsageError

_SEVERITIES: dict[str, Severity] = {"E": "error", "W": "warning", "N": "note"}


CODES: Final[dict[str, Code]] = {**RECORD_CODES, **CLAIM_CODES}
"""Every code with its page."""


def severity_of(code: str) -> Severity:
    """The severity a code has by default: its letter."""
    return _SEVERITIES[code[0]]


def explain_one(code: str) -> str:
    """The page of one code; raises `UsageError` for a code that is not there."""
    found = CODES.get(code.upper())
    if found is None:
        raise UsageError(f"{code!r} is not a code; `toolkit explain` lists them all")
    return f"{code.upper()} {found.title} ({severity_of(code.upper())})\n\n{found.why}\n{found.remedy}"


def explain_all() -> str:
    """All codes, one a line."""
    return "\n".join(f"{code} {page.title}" for code, page in CODES.items())


def docs_page() -> str:
    """The page of the docs that lists every rule."""
    sections = (
        f"## {code}: {page.title}\n\nSeverity: {severity_of(code)}. {page.why} {page.remedy}\n"
        for code, page in CODES.items()
    )
    return "# Rules\n\nMade by `make docs`; do not edit.\n\n" + "\n".join(sections)
