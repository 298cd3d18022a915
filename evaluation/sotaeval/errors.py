"""What can go wrong in an evaluation, each with the exit code of its kind.

    EvaluationError        70
    ├── OptionError         2   an option cannot be right: unknown method, model, profile, shard
    ├── DataError           3   an input is missing or is not what it should be
    ├── WriteError          4   a run file, a checkpoint or a record could not be written
    └── TaskError           1   one task failed; the others go on

The codes are those of the command line, so that a caller can report any of them in one line without a table.
"""


class EvaluationError(Exception):
    """Base of all errors of this package."""

    exit_code = 70


class OptionError(EvaluationError):
    """An option cannot be right; the message lists what can be given."""

    exit_code = 2


class DataError(EvaluationError):
    """An input file is missing, unreadable or not the expected one; the message says which and how to get it."""

    exit_code = 3


class WriteError(EvaluationError):
    """A file could not be written; what was there before is untouched."""

    exit_code = 4


class TaskError(EvaluationError):
    """One task did not give a usable result: wrong shape, NaN, values out of range, or a worker that died."""

    exit_code = 1
