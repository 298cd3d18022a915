"""`toolkit import`: the formats there are, and importing several files with one account."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from sotakit.errors import InputError
from sotakit.exchange.importing import Accounting, Batch
from sotakit.exchange.pwc import import_pwc
from sotakit.terminal import safe
from sotaschema.identity import slug

Importer = Callable[..., tuple[Accounting, Batch]]

MOST_KINDS: Final = 20
"""How many kinds of things that were not carried are named."""

FORMATS: Final[dict[str, Importer]] = {"pwc": import_pwc}


class ImportReport(NamedTuple):
    """What an import did: a line for each file, and the sum of all."""

    lines: list[str]
    total: Accounting


def import_files(
    form: str, paths: list[Path], into: Path, *, revision: str | None, dry_run: bool, replace: bool = False
) -> ImportReport:
    """Import files one after the other, so that later ones can refer to what earlier ones brought."""
    lines, accounts = [], []
    for path in _files(paths):
        account, batch = FORMATS[form](path, into, revision=revision, dry_run=dry_run, replace=replace)
        accounts.append(account)
        lines.append(safe(f"{path}: {account.line()}{_report(batch)}"))
    return ImportReport(lines, Accounting(*(sum(column) for column in zip(*accounts, strict=True))))


def _files(paths: list[Path]) -> list[Path]:
    """The files, and the JSON files of the folders."""
    found = [file for path in paths for file in (sorted(path.glob("*.json")) if path.is_dir() else [path])]
    if not found:
        raise InputError(f"{paths[0]}: no JSON files in this folder")
    names = [slug(file.stem) for file in found]
    doubled = next((file for file, name in zip(found, names, strict=True) if names.count(name) > 1), None)
    if doubled:
        raise InputError(f"{doubled}: another file of this import has the same name; import them one by one, renamed")
    return found


def _report(batch: Batch) -> str:
    """What else there is to say of a file: what of the folder was used, and what was not carried over as it is."""
    used = [f"{len(ids):,} {kind if len(ids) > 1 else kind[:-1]}" for kind, ids in batch.used.items()]
    parts = [
        ("used what is there", used),
        ("kept as text", _counts(batch.kept_as_text)),
        ("not carried", _counts(batch.not_carried)),
    ]
    return "".join(f"; {what}: {', '.join(items)}" for what, items in parts if items)


def _counts(counter: Counter[str]) -> list[str]:
    """Counts in words; of many kinds only the most frequent ones."""
    counts = [f"{count:,} x {what}" for what, count in counter.most_common(MOST_KINDS) if count]
    rest = [count for _, count in counter.most_common()[MOST_KINDS:] if count]
    return counts + ([f"{sum(rest):,} x {len(rest):,} other things"] if rest else [])
