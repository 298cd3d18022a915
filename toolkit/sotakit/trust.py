"""The trust fields of a result after all events: first what was recorded, then each change by date and id."""

from collections import defaultdict
from collections.abc import Iterable
from typing import get_args

from sotaschema.results import Event, Result
from sotaschema.vocabulary import EventType, Status, TrustField

_FIELD_OF: dict[EventType, TrustField] = {
    "checked": "transcription",
    "reproduced": "reproduction",
    "disputed": "status",
    "corrected": "status",
    "superseded": "status",
    "retracted": "status",
}


def effective(result: Result, events: Iterable[Event]) -> dict[str, str | None]:
    """The five trust fields as they stand after the events that happened to the result."""
    fields: dict[str, str | None] = {name: getattr(result, name) for name in get_args(TrustField)}
    for event in sorted(events, key=lambda event: (event.date, event.id)):
        changed = changed_field(event)
        value = event.after or (event.type if event.type in get_args(Status) else None)
        if changed is not None and value is not None:
            fields[changed] = value
    return fields


def changed_field(event: Event) -> TrustField | None:
    """The trust field that an event changes: the one it names, else the one of its type."""
    return event.field or _FIELD_OF.get(event.type)


def by_target(events: Iterable[Event]) -> dict[str, list[Event]]:
    """Events by the id of what they happened to."""
    grouped: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        grouped[event.target].append(event)
    return grouped
