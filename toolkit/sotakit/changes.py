"""`toolkit validate --changed-since REV`: what a change brought, told by examining the data as they were before."""

import io
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from sotakit.check.finding_store import Findings
from sotakit.check.findings import Finding
from sotakit.errors import UsageError
from sotakit.validate import Outcome, examine


def only_new(outcome: Outcome, data: Path, revision: str) -> tuple[Outcome, int]:
    """The outcome with those findings only that the data of a git revision did not have, and how many were left out.

    A finding is the same if code, file, record and field are. Raises `UsageError` if git does not know the revision.
    """
    with TemporaryDirectory() as folder:
        before = Path(folder) / "data"
        _unpack(data, revision, before)
        older = examine(before, outcome.collection.as_of).findings
    new = Findings(_beyond(outcome.findings, older))
    return replace(outcome, findings=new), len(outcome.findings) - len(new)


def _beyond(findings: Findings, older: Findings) -> Iterator[Finding]:
    """The findings that are left when each older one takes one away; both come in order of their keys."""
    before = groupby(older.by_record(), key=_key)
    key, known = next(before, (None, iter(())))
    for wanted, group in groupby(findings.by_record(), key=_key):
        while key is not None and key < wanted:
            key, known = next(before, (None, iter(())))
        already = sum(1 for _ in known) if key == wanted else 0
        yield from islice(group, already, None)


def _key(finding: Finding) -> tuple[str, str, str, str]:
    return finding.code, finding.origin.file, finding.record, finding.field


def _unpack(data: Path, revision: str, target: Path) -> None:
    """The data folder as it was at a revision; an empty folder if it was not there."""
    target.mkdir()
    commit = _git(data, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        raise UsageError(f"--changed-since {revision!r}: not a revision of the git repository of {data}")
    top, inside = (_git(data, "rev-parse", "--show-toplevel", "--show-prefix") or b"\n\n").decode().split("\n")[:2]
    archive = _git(Path(top), "archive", "--format=tar", f"{commit.decode().strip()}:{inside}")
    if archive is not None:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(target, filter=_plain)  # noqa: S202 - the filter keeps everything inside


def _plain(member: tarfile.TarInfo, target: str) -> tarfile.TarInfo | None:
    """Folders and files that stay inside; links are findings of their own and need no second look."""
    return tarfile.data_filter(member, target) if member.isfile() or member.isdir() else None


def _git(data: Path, *arguments: str) -> bytes | None:
    """What git prints; None if it fails."""
    try:
        command = ["git", "-C", str(data), *arguments]
        done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - no shell, options end before REV
    except OSError as error:
        raise UsageError(f"--changed-since needs git: {error.strerror}") from error
    return done.stdout if done.returncode == 0 else None
