"""`toolkit compare`: the verdicts of a benchmark as text, Markdown or JSON."""

import json
from dataclasses import asdict
from pathlib import Path

from sotakit.catalog import read_catalog
from sotakit.errors import PageError, UsageError
from sotakit.publish.escape import md_text
from sotakit.settings import settings_words
from sotakit.terminal import safe
from sotakit.validate import validate
from sotakit.verdicts import Pair, Verdict, compare

FORMATS = ("text", "markdown", "json")


def comparison(benchmark: str, data: Path, build: Path, as_of: str, form: str) -> str:
    """The verdicts of a benchmark; raises `UsageError` for one that is not there, `PageError` for faulty records."""
    outcome = validate(data, build, as_of)
    if outcome.tables is None:
        raise PageError(f"{data}: {outcome.count('error')} errors; run `toolkit validate {data}` and mend them first")
    boards = read_catalog(outcome.tables).boards
    if benchmark not in boards:
        raise UsageError(f"no benchmark has the id {benchmark!r}; there are: {', '.join(sorted(boards)) or 'none'}")
    verdicts = list(compare(boards[benchmark]))
    if form == "json":
        return json.dumps([_plain(verdict) for verdict in verdicts], ensure_ascii=False, indent=1)
    if not verdicts:
        return f"{benchmark}: nothing was both reported and regenerated under the same configuration"
    return "\n\n".join(_markdown(verdict) if form == "markdown" else safe(_text(verdict)) for verdict in verdicts)


def _plain(verdict: Verdict) -> dict[str, object]:
    pairs = [asdict(pair) | {"ratio": pair.ratio, "close": pair.close} for pair in verdict.pairs]
    return asdict(verdict) | {"order": verdict.order, "pairs": pairs}


def _subject(verdict: Verdict) -> str:
    settings = settings_words(verdict.config)
    return f"{verdict.label} ({settings})" if settings else verdict.label


def _text(verdict: Verdict) -> str:
    rows = "; ".join(f"{pair.label} {pair.reported:g} / {pair.regenerated:g}" for pair in verdict.pairs)
    return f"{_subject(verdict)}: {verdict.word}. {verdict.order}. Reported / regenerated: {rows}. {verdict.reason}"


def _markdown(verdict: Verdict) -> str:
    lines = [
        f"**{md_text(_subject(verdict))}: {verdict.word}.** {md_text(verdict.order)}; {md_text(verdict.reason)}.",
        "",
        "| Method | Reported | Regenerated | Ratio |",
        "| --- | --: | --: | --: |",
        *(
            f"| {md_text(pair.label)} | {pair.reported:g} | {pair.regenerated:g} | {_ratio(pair)} |"
            for pair in verdict.pairs
        ),
    ]
    return "\n".join(lines)


def _ratio(pair: Pair) -> str:
    return "–" if pair.ratio is None else f"{pair.ratio:.2f}"
