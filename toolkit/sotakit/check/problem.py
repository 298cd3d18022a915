"""What a rule across records yields; the runner adds code and severity."""

from typing import NamedTuple

from sotakit.check.findings import Origin, Step


class Problem(NamedTuple):
    """One fault of one record."""

    origin: Origin
    record: str
    message: str
    hint: str = ""
    loc: tuple[Step, ...] = ()
    at_key: bool = False
    found: str = ""
    """The value that is at fault, where many records may have the same one."""
