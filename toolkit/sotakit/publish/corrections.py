"""What changed after it was recorded, when, by whom and why: the events, as a page and as JSON."""

import json

from sotakit.compiled import Row
from sotakit.publish import urls, words
from sotakit.publish.contexts import Site
from sotakit.publish.entity_contexts import Correction, CorrectionsPage
from sotakit.publish.overview import Overview
from sotakit.publish.rows import External, Link

ADDRESS = urls.Address("corrections/index.html", "corrections/index.md", "corrections/index.json")

_WHAT = {
    "checked": "Copy checked against the source",
    "reproduced": "Run again",
    "disputed": "Disputed",
    "corrected": "Corrected",
    "superseded": "Superseded",
    "retracted": "Retracted",
    "merged": "Merged",
    "renamed": "Renamed",
}
_FIELDS = {"checked": "transcription", "reproduced": "reproduction"}
"""The trust field that an event of a type changes where it names none; all others change the status."""

_DESCRIPTION = (
    "What happened to results and sources after they were recorded: corrections, disputes, checks, second runs and "
    "retractions, newest first. Recorded values are never overwritten; an event says what is thought of them now."
)


def corrections_page(overview: Overview) -> CorrectionsPage:
    """All events, newest first."""
    return CorrectionsPage(ADDRESS, "Corrections", _DESCRIPTION, (), corrections(overview))


def corrections(overview: Overview) -> tuple[Correction, ...]:
    """Every event in words, newest first."""
    rows = overview.catalog.tables["events"].values()
    return tuple(
        _correction(overview, row) for row in sorted(rows, key=lambda row: (row["date"], row["id"]), reverse=True)
    )


def corrections_json(page: CorrectionsPage, site: Site) -> str:
    """The events as they are recorded, each with the page of what it happened to."""
    entries = [{**entry.raw, "page": entry.page.to.json} for entry in page.entries]
    document = {"format": site.format, "collection": site.title, "corrections": entries}
    return json.dumps(document, ensure_ascii=False) + "\n"


def event_words(event: Row) -> str:
    """One event in a sentence."""
    reason = f": {event['reason'].removesuffix('.')}" if event["reason"] else ""
    return f"{_WHAT[event['type']]} on {event['date']} by {event['actor']}{reason}."


def _correction(overview: Overview, event: Row) -> Correction:
    subject, page, result = _target(overview, event["target"])
    return Correction(
        id=event["id"],
        date=event["date"],
        what=_WHAT[event["type"]],
        subject=subject,
        page=page,
        result=result,
        change=_change(event),
        actor=event["actor"],
        reason=event["reason"] or "",
        evidence=External(event["evidence"], event["evidence"]) if event["evidence"] else None,
        raw=event,
    )


def _target(overview: Overview, identifier: str) -> tuple[str, Link, str]:
    """What an event happened to: in words, its page, and the result's id where it is one."""
    result = overview.catalog.get("results", identifier)
    if result is None:
        link = overview.link("sources", identifier)
        return link.title or link.text, link, ""
    board = overview.link("benchmarks", result["benchmark"])
    return f"{result['method_label']} on {board.text}", board, identifier


def _change(event: Row) -> str:
    """The field that changed, with what it was and what it is, as far as that is recorded."""
    before, after = event["before"], event["after"]
    if not before and not after:
        return ""
    field = event["field"] or _FIELDS.get(event["type"], "status")
    return f"{field}: {before or words.NOT_RECORDED.lower()} → {after or words.NOT_RECORDED.lower()}"
