"""What can go wrong outside the records themselves, each with the exit code of its kind.

Faults in records are not exceptions but findings (`sotakit.check.findings`).

    ToolkitError          70
    ├── UsageError         2   an option or a configuration cannot be right
    ├── PageError          1   a page is not what it should be
    ├── InputError         3   an input cannot be read at all, or is over a limit
    └── OutputError        4   an output could not be written
"""


class ToolkitError(Exception):
    """Base of all errors that a command reports in one line."""

    exit_code = 70


class UsageError(ToolkitError):
    """An option, an argument or the configuration cannot be right."""

    exit_code = 2


class PageError(ToolkitError):
    """A page was read but is not a results page, or says something that cannot be."""

    exit_code = 1


class InputError(ToolkitError):
    """An input cannot be read at all, or is over a limit."""

    exit_code = 3


class OutputError(ToolkitError):
    """An output could not be written; the previous one is untouched."""

    exit_code = 4
