"""The trust fields of a result after all events: first what was recorded, then each change by date and id."""

from collections import defaultdict
from collections.abc import Iterable
from typing import get_args

import numpy as np

from sotakit.check.index import Mask, ResultIndex
from sotakit.collection import Collection
from sotaschema.results import Event, Result
from sotaschema.vocabulary import FALLEN, EventType, Status, TrustField

GONE = FALLEN
"""States of claims that no longer stand."""

_FIELD_OF: dict[EventType, TrustField] = {
    "checked": "transcription",
    "reproduced": "reproduction",
    "disputed": "status",
    "corrected": "status",
    "superseded": "status",
    "retracted": "status",
}


def effective(result: Result, events: Iterable[Event]) -> dict[str, str | None]:
    """The five trust fields as they stand after the events that happened to the result.

    What was retracted, withdrawn or superseded stays so until an event says in `after` that it stands again: the day of
    an event is often known to the year only, and a correction elsewhere in the row brings no claim back.
    """
    fields: dict[str, str | None] = {name: getattr(result, name) for name in get_args(TrustField)}
    for event in sorted(events, key=lambda event: (event.date, event.id)):
        changed, value = changed_field(event), new_value(event)
        if changed is None or value is None or (fields[changed] in GONE and event.after is None and value not in GONE):
            continue
        fields[changed] = value
    return fields


def new_value(event: Event) -> str | None:
    """The word that an event sets: the one it states, else the state of its type."""
    return event.after or (event.type if event.type in get_args(Status) else None)


def changed_field(event: Event) -> TrustField | None:
    """The trust field that an event changes: the one it names, else the one of its type."""
    return event.field or _FIELD_OF.get(event.type)


def retracted_sources(collection: Collection) -> set[str]:
    """The sources that are retracted, by their own word or by an event."""
    stated = {source.id for source, _ in collection.sources if source.retracted}
    told = {event.target for event, _ in collection.events if event.type == "retracted"}
    return stated | (told & {source.id for source, _ in collection.sources})


def stated_by(sources: set[str], index: ResultIndex) -> Mask:
    """Which results of an index some sources state."""
    codes = [code for name, code in index.sources.items() if name in sources]
    return np.isin(np.frombuffer(index.source, "i4"), codes)


def by_target(events: Iterable[Event]) -> dict[str, list[Event]]:
    """Events by the id of what they happened to."""
    grouped: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        grouped[event.target].append(event)
    return grouped
