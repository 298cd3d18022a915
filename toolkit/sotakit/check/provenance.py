"""W6xx, N6xx: where a claim comes from, when it was made, and what stands behind it."""

import re
from collections.abc import Iterator
from typing import Any

from sotakit.check.findings import Origin, Step
from sotakit.check.problem import Problem
from sotakit.check.tally import Counted, Words, of_sorts
from sotakit.collection import Collection, Known
from sotakit.trust import changed_field
from sotaschema.base import first_day, last_day
from sotaschema.results import Event

Dated = tuple[Origin, str, tuple[Step, ...], str | None]
"""Place of a record, its id, path of the date and the date."""

LEAST = 10
"""From how many results on it is worth a note that a document lacks addresses, dates or locators: smaller ones are
read at a glance, and a registry of many of them would drown in notes."""

REPRODUCED = ("inconsistent", "partial", "consistent")
"""Words of the field reproduction that say that somebody ran it and what came out."""

_ID = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9_-])?")
_RESTRICTED = re.compile(
    r"(?<![a-z])(?:nc|nd)(?![a-z])|non-?commercial|no[- ]?deriv|all rights reserved|proprietary|confidential",
    re.IGNORECASE,
)


def date_in_future(collection: Collection) -> Iterator[Problem]:
    """W602: dates after the day that counts as today."""
    for origin, record, loc, date in [*_entity_dates(collection), *_result_dates(collection)]:
        if date and collection.as_of and date[:10] > collection.as_of:  # a month or a year sorts as its first day
            message = f"the date {date} is in the future, seen from {collection.as_of}"
            yield Problem(origin, record, message, "correct the date, or give another day with --as-of", loc)


def result_too_early(collection: Collection) -> Iterator[Problem]:
    """W603: results from before their dataset or method was there."""
    methods, boards = collection.known.releases
    for result in collection.results if methods or boards else ():
        record, date = result.record, result.record.date
        released = (boards.get(record.benchmark), methods.get(record.method))
        if date is None or released == (None, None):
            continue
        for word, thing in zip(("dataset", "method"), released, strict=True):
            if thing and thing.released and last_day(date) < first_day(thing.released):
                message = f"the result is of {date}, but the {word} {thing.name} was released {thing.released}"
                hint = "check both dates; a later version of a dataset is a dataset of its own"
                yield Problem(result.origin, result.id, message, hint, ("date",))


def unproven_reproduction(collection: Collection) -> Iterator[Problem]:
    """W604: a reproduction is claimed, but no event gives evidence or names a run."""
    known = collection.known
    hint = "add an event of the type reproduced with evidence (an address), or name the id of a run in its reason"
    for event, origin in collection.events:
        if _claims_reproduction(event) and not _proves(event, known):
            message = f"{event.after or 'reproduced'} is claimed without evidence"
            yield Problem(origin, event.id, message, hint, ("type",))
    for result in collection.results:
        claim = result.record.reproduction
        if claim in REPRODUCED and not _is_run(result.source, known):
            if any(_proves(event, known) for event in known.events.get(result.id, ())):
                continue
            message = f"the reproduction is said to be {claim}, but nothing shows it"
            yield Problem(result.origin, result.id, message, hint, ("reproduction",))


def restricted_licence(collection: Collection) -> Iterator[Problem]:
    """N606: terms that may forbid what publishing does; once for each archive that numbers came through."""
    archives: set[tuple[str, str]] = set()
    for source, origin in collection.sources:
        if not source.publish or source.visibility == "private":
            continue
        hint = "publish: false keeps the source and its results out of everything published"
        if source.licence and _RESTRICTED.search(source.licence):
            message = f"the terms {source.licence!r} may not allow the export"
            yield Problem(origin, source.id, message, hint, ("licence",))
        via = source.recorded_via
        if via and via.licence and _RESTRICTED.search(via.licence) and (via.name, via.licence) not in archives:
            archives.add((via.name, via.licence))
            message = f"the terms {via.licence!r} of {via.name} may not allow the export"
            yield Problem(origin, source.id, message, hint, ("recorded_via", "licence"))


def _not_retracted(name: str, known: Known) -> bool:
    """Whether a source stands: neither its record nor an event says that it was retracted."""
    source = known.sources.get(name)
    happened = {event.type for event in known.events.get(name, ())}
    return "retracted" not in happened and not (source and source.retracted)


def _can_be_found(name: str, known: Known) -> bool:
    """Whether a reader can find a source; a run says itself what was run."""
    source = known.sources.get(name)
    if source is None or source.type == "run":
        return True
    return any((source.address, source.venue, source.recorded_via, source.imported))


def _is_run(name: str, known: Known) -> bool:
    source = known.sources.get(name)
    return source is not None and source.type == "run"


def _is_dated_run(name: str, known: Known) -> bool:
    """Whether a source is a run with a date, which is that of its results."""
    return _is_run(name, known) and known.sources[name].date is not None


retracted_source = Counted(
    of_sorts(lambda sort: (sort.source, sort.active)),
    Words(
        "{count} of {total} results of the retracted source {name} are still active",
        "add an event for each result that falls with it: retracted, withdrawn or superseded, with the reason",
    ),
    exempt=_not_retracted,
)
"""W605: results that outlive the document that states them; one finding for each source."""

source_without_address = Counted(
    of_sorts(lambda sort: (sort.source, True)),
    Words(
        "nothing says where {name} can be found, which states {total} results",
        "add url, doi, arxiv, openreview or venue, or say in recorded_via where the numbers were read",
    ),
    exempt=_can_be_found,
    least=LEAST,
)
"""N601: sources of results that no reader can find."""

results_without_date = Counted(
    of_sorts(lambda sort: (sort.document, not sort.dated)),
    Words(
        "{count} of {total} results of {name} have no date",
        "add date and date_kind where the source states them; a date is never guessed",
    ),
    exempt=_is_dated_run,
    least=LEAST,
)
"""N607: how many results of a document have no date."""

results_without_locator = Counted(
    of_sorts(lambda sort: (sort.document, not sort.placed)),
    Words(
        "{count} of {total} results of {name} have no locator",
        "add locator (page, table, row), so that a reader can check the number",
    ),
    exempt=_is_run,
    least=LEAST,
)
"""N608: how many results of a document do not say where in it they stand."""


def _entity_dates(collection: Collection) -> Iterator[Dated]:
    for source, origin in collection.sources:
        yield origin, source.id, ("date",), source.date
        if source.recorded_via:
            yield origin, source.id, ("recorded_via", "retrieved"), source.recorded_via.retrieved
    released: list[Any] = [*collection.datasets, *collection.methods]
    yield from ((origin, record.id, ("released",), record.released) for record, origin in released)
    yield from ((origin, board.id, ("updated_at",), board.updated_at) for board, origin in collection.benchmarks)
    yield from ((origin, event.id, ("date",), event.date) for event, origin in collection.events)


def _result_dates(collection: Collection) -> Iterator[Dated]:
    return ((result.origin, result.id, ("date",), result.record.date) for result in collection.results)


def _claims_reproduction(event: Event) -> bool:
    if changed_field(event) != "reproduction":
        return False
    return event.after in REPRODUCED or (event.after is None and event.type == "reproduced")


def _proves(event: Event, known: Known) -> bool:
    """Whether an event about a reproduction gives an address or names a run of this registry."""
    if changed_field(event) != "reproduction":
        return False
    return event.evidence is not None or any(_is_run(word, known) for word in _ID.findall(event.reason or ""))
