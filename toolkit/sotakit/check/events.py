"""E204: what an event sets must be a word of the field that it changes."""

from collections.abc import Iterator
from typing import get_args

from sotakit.check.problem import Problem
from sotakit.collection import Collection
from sotakit.trust import changed_field
from sotaschema.results import Result


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
