"""E204, W609: what events set must be words of the field that they change, and fit what other events say."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from typing import get_args

from sotakit.check.problem import Problem
from sotakit.collection import Collection, Loaded
from sotakit.trust import GONE, changed_field, new_value
from sotaschema.base import first_day, last_day
from sotaschema.results import Event, Result


def foreign_word(collection: Collection) -> Iterator[Problem]:
    """E204: words before or after an event that the trust field does not have."""
    for event, origin in collection.events:
        name = changed_field(event)
        if name is None:
            continue
        words = [word for part in get_args(Result.model_fields[name].annotation) for word in get_args(part) or (part,)]
        for side in ("before", "after"):
            word = getattr(event, side)
            if word is not None and word not in words:
                hint = "one of " + ", ".join(word for word in words if isinstance(word, str))
                yield Problem(origin, event.id, f"{word!r} is not a word of the field {name}", hint, (side,))


def against_the_state(collection: Collection) -> Iterator[Problem]:
    """W609: an event whose state before is not what the event before it left, that brings back a claim that is gone
    without saying so, or whose order among others is not known."""
    by_field: dict[tuple[str, str], list[Loaded[Event]]] = defaultdict(list)
    for loaded in collection.events:
        if changed := changed_field(loaded.record):
            by_field[loaded.record.target, changed].append(loaded)
    for (_, field), events in by_field.items():
        events.sort(key=lambda loaded: (loaded.record.date, loaded.record.id))
        state: str | None = None
        for (earlier, _), (event, origin) in pairwise(events):
            state = _state_after(earlier, state)
            if message := _against(earlier, event, state):
                hint = "state the day of both events, and before and after where one undoes the other"
                yield Problem(origin, event.id, f"{message} ({field})", hint, ("date",))


def _state_after(event: Event, state: str | None) -> str | None:
    """What an event leaves: its word, or the state before it where it has none or what is gone stays so."""
    value = new_value(event)
    stays = state in GONE and event.after is None and value not in GONE
    return state if value is None or stays else value


def _against(earlier: Event, event: Event, state: str | None) -> str:
    """What is wrong with an event that follows another one, which left a state; empty if nothing is."""
    value = new_value(event)
    unordered = last_day(earlier.date) >= first_day(event.date) and earlier.date != event.date
    if unordered and value != new_value(earlier):
        return f"it is of {event.date} and {earlier.id} of {earlier.date}: nobody knows which of the two came first"
    if state is not None and event.before is not None and event.before != state:
        return f"it says that the state before was {event.before!r}, but it was {state!r} after {earlier.id}"
    if state in GONE and value not in (None, *GONE) and event.after is None:
        return f"the claim was {state} after {earlier.id}; that stays, since this event does not say `after`"
    return ""
