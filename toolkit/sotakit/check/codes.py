"""The frozen table of rule codes. A code is never reused and keeps its letter when its severity is configured.

E1xx reading, E2xx schema, E3xx references, E4xx identity, E5xx metrics and values, E6xx provenance. The letter is the
severity a rule has by default: E error, W warning, N note.
"""

from typing import Final, NamedTuple

from sotakit.check.findings import Severity
from sotakit.errors import UsageError

_SEVERITIES: dict[str, Severity] = {"E": "error", "W": "warning", "N": "note"}


class Code(NamedTuple):
    """What a code means, in words for its page in the docs."""

    title: str
    why: str
    remedy: str


CODES: Final[dict[str, Code]] = {
    "E101": Code("file cannot be read", "The operating system refuses to read the file.", "Check its permissions."),
    "E102": Code(
        "not UTF-8 text",
        "Records are UTF-8. Other encodings are not guessed, since a wrong guess changes names silently.",
        "Save the file as UTF-8.",
    ),
    "W103": Code(
        "byte order mark",
        "The file starts with a byte order mark, which some tools take for part of the first key.",
        "Save the file as UTF-8 without BOM.",
    ),
    "E104": Code("syntax error", "The text is not valid YAML, JSON or CSV from this place on.", "Mend the syntax."),
    "E105": Code(
        "duplicate key",
        "A key appears twice in one mapping. Most tools keep the last one silently, so one value would be lost.",
        "Keep one of the two, or give them different keys.",
    ),
    "E106": Code(
        "limit exceeded",
        "The file, a line, a number or the nesting is larger than any honest record needs.",
        "Split the file, or flatten the record.",
    ),
    "E107": Code(
        "YAML feature not allowed",
        "Aliases, tags, merge keys and several documents make a file mean more than it shows.",
        "Write the values out.",
    ),
    "E108": Code("link out of the data folder", "A symbolic link leads outside DATA.", "Copy the file into DATA."),
    "E109": Code(
        "unknown kind of record",
        "The kind of a record is the first folder below DATA or, at the top, the file's name without its ending.",
        "Move or rename the file, or list it in .toolkitignore.",
    ),
    "E110": Code(
        "CSV shape",
        "A row has more or fewer cells than the header, or the header is not a list of distinct columns.",
        "Quote cells that hold commas; give every column one name.",
    ),
    "E111": Code("not a record", "A record is a mapping from fields to values.", "Start the record with its fields."),
    "E201": Code("missing field", "The schema requires the field.", "Add it; the schema names its meaning."),
    "E202": Code(
        "unknown field",
        "The schema is closed, so that a misspelt field is not lost.",
        "Correct the name, or use config, config_extra or notes.",
    ),
    "E203": Code("wrong type", "The value has another type than the field.", "Write the type the message names."),
    "E204": Code("not in the vocabulary", "The field takes one of a closed list of words.", "Use one of them."),
    "E205": Code(
        "bad identifier",
        "Identifiers are file names and addresses: lower-case ASCII letters, digits, dots, dashes, underscores.",
        "Use an id such as mnist-test; in YAML quote ids that look like numbers.",
    ),
    "E206": Code("bad date or time", "Dates are YYYY, YYYY-MM or YYYY-MM-DD; times are UTC.", "Write it so."),
    "E207": Code(
        "not a finite number",
        "NaN and infinity are not results.",
        "Leave the value out and say why with missing_reason.",
    ),
    "W208": Code(
        "value text cannot be read",
        "The text is kept, but it is not one number, so the score has no value and no rank.",
        "If the source prints one number, copy it exactly; if it prints two, use two metrics.",
    ),
    "E209": Code("value not allowed", "The value breaks a limit of its field.", "See the message."),
    "N210": Code(
        "printed digits unknown",
        "A bare number in JSON does not keep its digits: 0.90 arrives as 0.9.",
        'Write scores in JSON as strings, "0.90".',
    ),
    "E211": Code(
        "reserved identifier",
        "The id is a device name on some systems or a page of every site, or it ends in a dot.",
        "Add a word to the id.",
    ),
    "E301": Code("unknown task", "No record has this id.", "Add the task, or correct the id."),
    "E302": Code("unknown dataset", "No record has this id.", "Add the dataset, or correct the id."),
    "E303": Code("unknown metric", "No metric of the knowledge base has this id.", "Add it, or correct the id."),
    "E304": Code("unknown method", "No record has this id.", "Add the method, or correct the id."),
    "E305": Code("unknown benchmark", "No record has this id.", "Add the benchmark, or correct the id."),
    "E306": Code("unknown source", "No record has this id.", "Add the source, or correct the id."),
    "E307": Code(
        "unknown metric key",
        "A score stands under a key that its benchmark does not list.",
        "Use a key of the benchmark's metrics, or add the metric there.",
    ),
    "E308": Code("unknown target", "An event or a redirect names a record that is not there.", "Correct the id."),
    "E401": Code(
        "same id twice",
        "Two records of one kind have the same id, so a link could mean either.",
        "Remove one, or give it an id of its own.",
    ),
    "E402": Code(
        "same claim twice",
        "Two results of one source agree in benchmark, method, config and variant, so they would get the same id.",
        "Remove one; if the source really states both, tell them apart with variant.",
    ),
    "W403": Code(
        "probable duplicate",
        "Two results of one source have the same method and values, and configurations that differ only in the names "
        "of their keys. Both are shown; summaries count them once.",
        "Remove one if it is the same row read twice.",
    ),
    "W404": Code(
        "same claim with other values",
        "Two results of one source agree in benchmark, method, config and variant, but not in their values.",
        "Correct one; if the source states both, tell them apart with variant.",
    ),
    "E501": Code("value outside the metric's bounds", "No such value is possible.", "Check value, unit and metric."),
    "E502": Code(
        "unit not of the metric",
        "The score states another unit than the benchmark records for this metric.",
        "State the unit the source prints; use a metric of its own for another unit.",
    ),
    "W511": Code(
        "recorded direction contradicts the cited one",
        "The source records that higher values are better and the metric's definition says lower, or the reverse. "
        "The recorded order is kept and both ranks are shown.",
        "Check the citation; if the source is wrong, leave it recorded: the notice explains it.",
    ),
    "W512": Code(
        "direction without a citation",
        "The metric has a direction, but nothing says who defines it so.",
        "Add direction_source with the source that defines the metric.",
    ),
    "W513": Code(
        "different units on one board",
        "Values of one metric are printed in different units, so they are shown but not ranked.",
        "State the unit in the benchmark's metric, or in the scores.",
    ),
}
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
