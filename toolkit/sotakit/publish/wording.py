"""Numbers, names and facts of single rows in words; shared by all pages."""

from functools import cache, lru_cache
from typing import Any

from sotakit.catalog import Catalog
from sotakit.compiled import Row
from sotakit.publish import urls, words
from sotakit.publish.escape import REMEMBERED
from sotakit.publish.printed import OPEN_END, number_words
from sotakit.publish.rows import External, Link
from sotaschema.identity import document_address
from sotaschema.values import parse_value

_PARTICLES = frozenset(
    {
        "van",
        "von",
        "de",
        "der",
        "den",
        "del",
        "della",
        "di",
        "da",
        "dos",
        "du",
        "la",
        "le",
        "el",
        "al",
        "bin",
        "ibn",
        "ten",
        "ter",
    }
)


_PLACES = ("page", "table", "figure", "row", "column", "section", "fragment")
"""Fields of a locator, from the page to what stands on it."""

_KILO = 1000


def source_name(source: Row) -> str:
    """A short name as papers cite it, "Duell & Fan 2026"; the title or the id where no authors are known."""
    surnames = [_surname(author) for author in source["authors"]]
    if not surnames:
        return str(source["title"] or source["id"])
    year = f" {source['date'][:4]}" if source["date"] else ""
    match surnames:
        case [only]:
            return only + year
        case [first, second]:
            return f"{first} & {second}{year}"
        case _:
            return f"{surnames[0]} et al.{year}"


def source_link(catalog: Catalog, identifier: str) -> Link:
    """A link to the page of a source, named as papers cite it."""
    source = catalog.row("sources", identifier)
    return Link(source_name(source), urls.entity("sources", identifier), source["title"] or identifier)


def entity_link(catalog: Catalog, table: str, identifier: str) -> Link:
    """A link to the page of a task, dataset, metric or method."""
    return Link(catalog.row(table, identifier)["name"], urls.entity(table, identifier))


def benchmark_link(catalog: Catalog, identifier: str) -> Link:
    """A link to the page of a benchmark."""
    return Link(catalog.row("benchmarks", identifier)["title"], urls.benchmark(identifier))


def external(source: Row) -> External | None:
    """A link to the document itself."""
    address = document_address(source["url"], source["doi"], source["arxiv"], source["openreview"])
    return External(address, address) if address else None


def unit_words(metric: Row) -> str:
    """The unit as recorded, else the word for it."""
    return str(metric["unit_recorded"] or (words.NOT_RECORDED if metric["unit"] == "unknown" else metric["unit"]))


def size_words(size: int) -> str:
    """A number of bytes as people write it: kB of 1000 bytes, MB of 1000 kB."""
    if size < _KILO:
        return plural(size, "byte")
    kilos = round(size / _KILO, 1)
    return f"{kilos:.1f} kB" if kilos < _KILO else f"{size / _KILO**2:.1f} MB"


def locator_words(locator: dict[str, Any]) -> str:
    """Where in its source a number stands."""
    return ", ".join([f"{name} {locator[name]}" for name in _PLACES if name in locator]) or words.NOT_RECORDED


@cache  # some thousand combinations at most
def trust_words(
    evidence: str | None, transcription: str, reproduction: str, status: str, comparability: str
) -> tuple[tuple[str, str], ...]:
    """The five trust fields with their meaning."""
    return (
        ("Evidence", words.EVIDENCE[evidence] if evidence else words.NOT_RECORDED),
        ("Transcription", words.TRANSCRIPTION[transcription]),
        ("Reproduction", words.REPRODUCTION[reproduction]),
        ("Status", words.STATUS[status]),
        ("Comparability", words.COMPARABILITY[comparability]),
    )


@lru_cache(REMEMBERED)
def marks_of(
    status: str, variant: str | None, comparability: str, note: str | None, reproduction: str, retracted: bool | None
) -> tuple[tuple[str, str], ...]:
    """What a reader must know of a claim's standing before using it: a word and its meaning.

    All but the last are fields of the result; `retracted` is one of its source.
    """
    marks = [(words.STATUS[status], words.STATUS_MEANING)] if status != "active" else []
    if retracted and status != "retracted":
        marks.append(words.RETRACTED_SOURCE)
    if variant:
        marks.append(words.CONTESTED)
    if comparability == "deviates":
        marks.append(("other protocol", note or words.COMPARABILITY["deviates"]))
    if reproduction in words.RUN_AGAIN:
        marks.append((words.RUN_AGAIN[reproduction], words.REPRODUCTION[reproduction]))
    return tuple(marks)


def plural(count: int, word: str) -> str:
    """A count with its noun."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def fallen_words(count: int) -> str:
    """Behind a number of results: how many of them were retracted, withdrawn or superseded; empty for none."""
    return f", {count:,} no longer standing" if count else ""


def kind_words(kind: str | None, spread: float | None, interval: str, level: float | None, text: str) -> str | None:
    """What kind of number a spread is: with its level where no interval has it, "±" where only the record states it."""
    if spread is None or kind is None:
        return kind
    shown = "±" if kind == "unknown" and parse_value(text).uncertainty is None else kind
    return f"{_share(level)}{shown}" if level and not interval else shown


def _share(level: float | None) -> str:
    """A confidence level before what it belongs to; empty if none is recorded."""
    return f"{level * 100:.10g}% " if level else ""


@lru_cache(REMEMBERED)
def detail_words(
    uncertainty: tuple[str | None, float | None],
    interval: str,
    level: float | None,
    aggregation: str | None,
    counts: tuple[int | None, int | None],
    note: str | None,
) -> str:
    """What belongs to a value besides its text: kind and size of its uncertainty, numbers of runs and items, …"""
    parts, (kind, spread), (n_runs, n_items) = [], uncertainty, counts
    if spread is not None and kind != "unknown":
        parts.append(f"{kind} {number_words(spread)}")
    if interval:
        parts.append(f"{_share(level)}{'interval' if kind in ('unknown', '±', None) else kind} {interval}")
    if aggregation:
        parts.append(aggregation.replace("_", " "))
    if n_runs:
        parts.append(plural(n_runs, "run"))
    if n_items:
        parts.append(plural(n_items, "item"))
    if note:
        parts.append(note)
    return "; ".join(parts)


def is_uncited(metric: Row) -> bool:
    """Whether a metric has a direction for which no published source is cited."""
    return metric["direction"] != "unknown" and not metric["direction_source"]


def missing_words(reason: str | None) -> str:
    """Why there is no value; empty if there is one."""
    return words.MISSING[reason] if reason else ""


def interval_words(low: float | None, high: float | None) -> str:
    """An interval, perhaps open at one end; empty if it is not recorded."""
    if low is None and high is None:
        return ""
    return " to ".join(OPEN_END if end is None else number_words(end) for end in (low, high))


def _surname(author: str) -> str:
    """The family name, with the particles before it; all of a name that has a comma is in order already."""
    if "," in author:
        return author.split(",", maxsplit=1)[0].strip()
    names = author.split()
    start = len(names) - 1
    while start > 1 and names[start - 1].casefold() in _PARTICLES:
        start -= 1
    return " ".join(names[start:])
