"""The frozen table of rule codes. A code is never reused and keeps its letter when its severity is configured.

x1xx reading, x2xx schema, x3xx references, x4xx identity and names, x5xx metrics and values, x6xx provenance, x7xx
contradictions. The letter is the severity a rule has by default: E error, W warning, N note.
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
    "W212": Code(
        "two numbers in one cell",
        'A cell such as "0.60 / 0.72" or "71.2 (70.1)" holds values of two things, so it has no value and no rank. The '
        "text is kept.",
        "Give each number a metric key of its own. A spread belongs into uncertainty, a condition into config.",
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
    "E309": Code(
        "unknown rule",
        "A setting in registry.yaml names a code that no rule has, so it would change nothing.",
        "Correct the code; `toolkit explain` lists them all.",
    ),
    "E310": Code(
        "severity cannot be set",
        "Errors of reading, schema, references and identity (E1xx to E4xx) mean that a record cannot be read, "
        "linked or told from another; nothing right can be published of it. Nor can one code be set twice for the "
        "same records.",
        "Mend the records; remove the setting.",
    ),
    "N311": Code(
        "exception that meets nothing",
        "registry.yaml makes an exception for one record, but the rule finds nothing there: the fault is mended, "
        "or the record has another name.",
        "Remove the exception, or correct its record.",
    ),
    "E312": Code(
        "results of a refused source",
        "Results stand apart from their source, and the source was refused. They may be right, but nobody could say where"
        " they come from. Said once for each source.",
        "Mend the source; the results need no change.",
    ),
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
    "W405": Code(
        "name that names nothing",
        'A method called "ours", "model", N/A, a path or an address cannot be found again and cannot be told from the '
        "next one of that name. Markup in a name shows as text, since record text is never taken for HTML.",
        "Use the name that people would search for. What the source prints stays in method_label.",
    ),
    "W406": Code(
        "two methods with one name",
        "Two methods share a name or an alias, alike but for case and spaces, so their results may belong together"
        " and a search finds only one of them.",
        "If they are one method, keep one and add a redirect for the other; else make the names differ.",
    ),
    "W407": Code(
        "dataset called like a task",
        "A dataset has the name of a task. Sources often swap the two fields.",
        "Name the data, not what is done with it.",
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
    "W514": Code(
        "fractions and percentages mixed",
        "A few values of a board look like fractions among percentages, or the reverse: there is a gap of a factor"
        " of ten between the two parties, and after multiplying or dividing by 100 the smaller party falls among "
        "the larger one. Or the recorded unit does not fit: a fraction above 1, or percentages that are all at "
        "most 1. Ranks are wrong by a factor of 100 then.",
        "State the unit that the source prints in the score, or correct the value.",
    ),
    "W515": Code(
        "value impossible for the number of items",
        "The metric is a share of items (share_of_items) and the value is of a single run, so it must be a whole "
        "number of items out of all items, rounded to the printed digits. No whole number gives this value: the "
        "value, the number of items or the claim of a single run is wrong.",
        "Check value and n_items; for a mean of several runs or parts state n_runs or aggregation.",
    ),
    "W516": Code(
        "parameter hidden in a name",
        "A number in the metric's name, such as the 10 of Hits@10, decides what is measured, but is not recorded as a "
        "parameter. Hits@1 and Hits@10 then look like unrelated metrics, and nothing can be selected by the number.",
        "State it in the metric's parameters, for instance {k: 10}.",
    ),
    "W517": Code(
        "metric too vague",
        'A name such as "score" or "average" does not say what is measured, and no linked metric defines it.',
        "Link a metric with a definition, or use the name that the source's text gives it.",
    ),
    "N518": Code(
        "spread without its kind",
        'A "±" or an interval may be a standard deviation, a standard error or a confidence interval; they differ by '
        "large factors. A spread of unknown kind is shown, but says nothing about ranks.",
        "State uncertainty.kind if the source says it. If it does not, nothing needs to be done.",
    ),
    "W519": Code(
        "-1 for a missing value",
        "Many programs write -1 where there is no value. As a number it is ranked last, or first where lower is "
        "better.",
        "Leave the value out and say why with missing_reason. If -1 was really measured, silence this for the record.",
    ),
    "N601": Code(
        "source without an address",
        "The source has no url, doi, arxiv, openreview or venue, and was not read through an archive, so no reader can "
        "check what it states. Said from ten results on.",
        "Add one of them, or say in recorded_via where the numbers were read.",
    ),
    "W602": Code(
        "date in the future",
        "A date lies after the day that counts as today (--as-of).",
        "Correct the date; day and month may be swapped.",
    ),
    "W603": Code(
        "result older than its dataset or method",
        "The result is dated before its dataset or its method was released. Often the dataset is another version, or "
        "one of the dates is wrong.",
        "Check both dates; a later version of a dataset is a dataset of its own.",
    ),
    "W604": Code(
        "reproduction without evidence",
        "A result is said to be reproduced, or not to be, but no event gives the address of evidence or names a run of "
        "this registry. Readers would take it for more than it is.",
        "Add an event of the type reproduced with evidence, or name the id of the run in its reason.",
    ),
    "W605": Code(
        "results of a retracted source are active",
        "A source was retracted, but results that it states still stand as active and are ranked.",
        "Add an event for each result that falls with it; leave those that stand by themselves, with a reason.",
    ),
    "N606": Code(
        "terms may forbid the export",
        "The terms of a source exclude commercial use or derived works, or reserve all rights, and the source is to be "
        "published. Whether single numbers are covered is a question of law that this tool does not answer.",
        "Set publish: false where the terms forbid it; else silence this with a reason.",
    ),
    "N607": Code(
        "results without a date",
        "Without a date a result has no place in a trend, and nobody can tell which of two came first. "
        "Said once for a document that lacks ten or more dates.",
        "Add date and date_kind where the source states them. A date is never guessed.",
    ),
    "N608": Code(
        "results without a locator",
        "Without page, table or row a reader has to search the whole source to check a number. Said once "
        "for a source that lacks ten or more.",
        "Add a locator.",
    ),
    "W701": Code(
        "contested value",
        "Sources state different values for one method on one benchmark under the same configuration, further "
        "apart than rounding explains. All of them are shown; none is chosen.",
        "Check the sources. If their conditions differ, record them in config; if one is wrong, dispute it with an"
        " event.",
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
