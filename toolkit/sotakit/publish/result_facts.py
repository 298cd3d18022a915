"""What the record of a result says beside its values and its standing: shown where it is stated, and read back."""

from functools import lru_cache
from typing import Any, Final

from sotakit.publish.escape import REMEMBERED
from sotakit.publish.words import COMPARABILITY, DATE_KIND, EXTRA_TRAINING_DATA
from sotakit.settings import tight_json

LABELS: Final = {
    "variant": "Variant",
    "date_kind": "Kind of date",
    "hardware": "Hardware",
    "extra_training_data": "Extra training data",
    "config_extra": "Further conditions",
    "comparability": "Protocol",
    "comparability_note": "Remark on the protocol",
    "notes": "Notes",
}
"""How pages call these fields of a result."""

Facts = tuple[tuple[str, str], ...]
"""Label and text of each fact that is stated."""


@lru_cache(REMEMBERED)
def result_facts(*stated: str | None) -> Facts:
    """The facts of one result; `stated` has its fields in the order of `LABELS`, conditions as JSON, empty for none."""
    variant, date_kind, hardware, training, conditions, comparability, comparability_note, notes = stated
    texts = (
        variant,
        DATE_KIND.get(date_kind or ""),
        hardware,
        EXTRA_TRAINING_DATA.get(training or ""),
        conditions,
        None if comparability in (None, "unknown") else COMPARABILITY[comparability],
        comparability_note,
        notes,
    )
    return tuple([(label, text) for label, text in zip(LABELS.values(), texts, strict=True) if text])


def conditions_words(conditions: dict[str, Any]) -> str:
    """Conditions that nobody has typed yet, as JSON; empty for none."""
    return tight_json(conditions) if conditions else ""
