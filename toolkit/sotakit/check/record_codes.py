"""Pages of the codes about records as such: reading, schema, references, identity and names (x1xx to x4xx)."""

from typing import Final

from sotakit.check.findings import Code

RECORD_CODES: Final[dict[str, Code]] = {
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
    "E112": Code(
        "merge conflict",
        "Two versions of some lines stand between <<<<<<<, ======= and >>>>>>>, as git leaves them where a merge or a "
        "rebase met two changes of one place. Nobody can say which of them is meant.",
        "Keep one version, or both as records of their own, and remove the three marks.",
    ),
    "W113": Code(
        "text cut by a comment",
        "In YAML a space and # begin a comment, so the plain text Entry #2 is read as Entry. Said where no space "
        "stands behind the sign, as people write it in a comment.",
        "Put the whole text in quotes, or a space behind the #.",
    ),
    "W114": Code(
        "file without a record",
        "The file is of a kind of records, but holds nothing or comments only: its records may have been lost.",
        "Write its records, or remove the file. An empty list, [], says that there are none.",
    ),
    "W115": Code(
        "file name that other systems cannot hold",
        "The name has a sign, an end or a word that Windows refuses, or differs from another one in case or in the "
        "way its letters are typed only, so a checkout there fails or loses a file.",
        "Rename the file with letters, digits, dots, dashes and underscores.",
    ),
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
        "The id is a device name on some systems or a page of every site, it ends in a dot, or it is that of another "
        "record with the end of a file, such as x.json beside x, whose pages would lie in one place.",
        "Add a word to the id.",
    ),
    "W212": Code(
        "two numbers in one cell",
        'A cell such as "0.60 / 0.72" or "71.2 (70.1)" holds values of two things, so it has no value and no rank. The '
        "text is kept.",
        "Give each number a metric key of its own. A spread belongs into uncertainty, a condition into config.",
    ),
    "W213": Code(
        "more digits than a number holds",
        "Ranks, charts and the column value are 64-bit numbers with 15 to 17 digits. The printed value has more, so "
        "two values that differ in their last digits may get one rank. The text and the column decimal keep them all.",
        "Nothing, if the last digits do not matter.",
    ),
    "W214": Code(
        "digits of a setting are lost",
        "A setting without quotes is a number, so 12.10 becomes 12.1 and 007 becomes 7: two versions of a program "
        "would count as one, and their results as one claim.",
        'Put it in quotes ("12.10") if the digits matter, as in a version; else write the number as it is kept.',
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
        "Results stand apart from their source, and the source was refused. They may be right, but nobody could say "
        "where they come from. Said once for each source.",
        "Mend the source; the results need no change.",
    ),
    "E313": Code(
        "task above itself",
        "The parents of the task lead back to it, so it has no place in the tree of tasks.",
        "Remove one of the parents that lead in a circle.",
    ),
    "E401": Code(
        "same id twice",
        "Two records of one kind have the same id, so a link could mean either.",
        "Remove one, or give it an id of its own.",
    ),
    "E402": Code(
        "same claim twice",
        "Two results of one source agree in benchmark, method, config and variant, so they would get the same id. The "
        "message says whether their values agree too.",
        "Remove one; if the source really states both, tell them apart with variant.",
    ),
    "W403": Code(
        "probable duplicate",
        "Two results of one source have the same method and values, and configurations that differ only in the names "
        'of their keys or in how their values are written (5 and "5", "MC Dropout" and "mc dropout"). Both are shown; '
        "summaries count them once. Rows that a curator told apart with variant are not meant.",
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
        "two records with one name",
        "Two tasks, datasets, metrics, methods or benchmarks share a name or an alias, alike but for case, spaces, "
        "widths, dashes, quotes, letters of another alphabet that look the same and characters that nobody sees. Their "
        "results may belong together, and a search finds only some of them. Datasets may share a name if their "
        "versions differ.",
        "If they are one, keep one and add a redirect for the other; else make the names differ.",
    ),
    "W407": Code(
        "dataset called like a task",
        "A dataset has the name of a task. Sources often swap the two fields.",
        "Name the data, not what is done with it.",
    ),
    "W408": Code(
        "invisible character in a name",
        "A name, label or setting holds a character without a width, such as U+200B or a soft hyphen, or one that "
        "turns the direction of text. It looks like another name and is not equal to it, or it hides what stands "
        "behind it.",
        "Remove the character; it usually came with a copy from a PDF or a web page.",
    ),
    "W409": Code(
        "one document as two sources",
        "Two sources have one DOI, arXiv paper, OpenReview forum or, for papers and reports, one address. Their "
        "results would count as those of two documents that agree.",
        "Move the results to one of the two sources and add a redirect for the other.",
    ),
    "W410": Code(
        "label of another method",
        "The name that the source prints for the method is the name of another method of this registry, so the board "
        "shows one name for two methods.",
        "Correct the method or the label.",
    ),
    "W411": Code(
        "author torn apart",
        'An author is nothing but initials, so a name such as "Last, F." was probably written without quotes in a list '
        "and became two authors.",
        'Put names with a comma in quotes: ["Last, F.", "Other, G."].',
    ),
}
"""Codes with their pages."""
