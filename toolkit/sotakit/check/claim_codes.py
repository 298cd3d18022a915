"""Pages of the codes about what records claim: metrics, values, provenance and contradictions (x5xx to x7xx)."""

from typing import Final

from sotakit.check.findings import Code

CLAIM_CODES: Final[dict[str, Code]] = {
    "E501": Code("value outside the metric's bounds", "No such value is possible.", "Check value, unit and metric."),
    "E502": Code(
        "unit not of the metric",
        "The score states another unit than the benchmark records for this metric, and no factor leads from one to "
        "the other.",
        "State the unit the source prints; use a metric of its own for another unit.",
    ),
    "W511": Code(
        "recorded direction contradicts the metric's",
        "The source records that higher values are better and the metric's definition says lower, or the reverse. "
        "The recorded order is kept; where the metric cites a source for its direction, both ranks are shown.",
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
        "A few values of a board look like fractions among percentages, or the reverse. Said where all of this holds: "
        "the values have one unit (or none that is known) and lie in (0, 1] or in (1, 100]; there is a gap of a factor "
        "of ten between the two parties; the fractions have at least two decimals; the smaller party, multiplied or "
        "divided by 100, falls among the larger one. Three or more values expect others within their quartiles, "
        "widened by 1.5 times their distance or half the median; two values expect others between them, widened by 1.5 "
        "times their distance or a tenth of their mean, and only where lower is not better. Silent, so that it does "
        "not cry wolf: error rates of 0.9 beside 2.2 (no gap), a method with 0.22 % errors beside two with 21 % and 23 "
        "% (lower is better), two groups of methods near 10 and near 95. So a slip next to a single other value goes "
        "unseen. Also said where the recorded unit does not fit: a fraction above 1, or percentages that are all at "
        "most 1 (unless lower is better). Ranks are wrong by a factor of 100 then.",
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
    "W520": Code(
        "value beside the reason for its absence",
        "The score has a readable number and a missing_reason, so it says that there is a value and that there is "
        "none. It is shown with the reason and takes no part in ranks.",
        "Remove missing_reason if the source states the value; else move the number to the note.",
    ),
    "W521": Code(
        "impossible spread",
        "A deviation below zero, an interval whose lower end is above the upper one, an interval that does not hold "
        "its value (the middle half, iqr, may), or a spread in the text that the field uncertainty states otherwise.",
        "Copy text and spread from the source again.",
    ),
    "W522": Code(
        "number that may mean two things",
        "The comma of a number such as 91,205 parts thousands in some countries and is the decimal comma in others; "
        "the letter of 300K is a factor or a unit. The number is read as 91205, or 300000; other values of the board "
        "do not show that this is meant.",
        "Write the digits alone, or with a decimal point; state the unit in the benchmark's metric.",
    ),
    "W523": Code(
        "statements that exclude each other",
        "A score says that it is of a single run and of several, or that it has a deviation over runs and is of one "
        "run.",
        "Copy aggregation, n_runs and uncertainty from the source again.",
    ),
    "W524": Code(
        "unit of another kind than the metric's",
        "The benchmark records the metric in a unit of another kind than the unit of the metric that it "
        "links, such as percent for seconds. Then bounds are not checked, and it is probably another metric.",
        "Correct the unit, or link another metric.",
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
    "W609": Code(
        "events that do not fit each other",
        "An event says another state before than the event before it left, or brings back a claim that was "
        "retracted, withdrawn or superseded without saying so in after, or nobody knows which of two events came "
        "first, since the day of one is not known. What is gone stays gone until an event says otherwise in after.",
        "State the day of both events, and before and after where one undoes the other.",
    ),
    "W701": Code(
        "contested value",
        "Sources state different values for one method on one benchmark under the same configuration, further "
        "apart than rounding explains. All of them are shown; none is chosen.",
        "Check the sources. If their conditions differ, record them in config; if one is wrong, dispute it with an"
        " event.",
    ),
}
"""Codes with their pages."""
