"""Whether another process still lives: what a dead one left may be swept away."""

import os


def alive(pid: str) -> bool:
    """Whether a process with this number runs; False for what is no number."""
    try:
        os.kill(int(pid), 0)
    except (ValueError, OverflowError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
