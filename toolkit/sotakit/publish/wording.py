"""Numbers, names and facts of single rows in words; shared by all pages."""

from functools import cache
from operator import itemgetter
from typing import Any

from sotakit.catalog import Catalog
from sotakit.publish import urls, words
from sotakit.publish.contexts import External, Link, Value
from sotakit.tables import Row
from sotaschema.results import Locator, Source

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


_PLACES = tuple(Locator.model_fields)


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
    fields = {name: source[name] for name in ("id", "type", "arxiv", "doi", "openreview", "url") if source[name]}
    address = Source.model_validate(fields).address
    return External(address, address) if address else None


def value_of(metric: Row, unit: str, score: Row) -> Value:
    """A score in words; `unit` is the metric's, in words too."""
    interval = _interval(score)
    return Value(
        key=metric["key"],
        label=metric["label"],
        text=score["text"],
        missing=words.MISSING[score["missing_reason"]] if score["missing_reason"] else "",
        number=score["value"],
        unit=unit,
        rank=score["rank"],
        rank_cited=score["rank_cited"],
        interval=interval,
        detail=_detail(score, interval),
    )


def unit_words(metric: Row) -> str:
    """The unit as recorded, else the word for it."""
    return str(metric["unit_recorded"] or (words.NOT_RECORDED if metric["unit"] == "unknown" else metric["unit"]))


def locator_words(locator: dict[str, Any]) -> str:
    """Where in its source a number stands."""
    return ", ".join([f"{name} {locator[name]}" for name in _PLACES if name in locator]) or words.NOT_RECORDED


_trust_fields = itemgetter("evidence", "transcription", "reproduction", "status", "comparability")


def trust_words(result: Row) -> tuple[tuple[str, str], ...]:
    """The five trust fields with their meaning."""
    return _trust_words(*_trust_fields(result))


@cache  # some thousand combinations at most
def _trust_words(
    evidence: str | None, transcription: str, reproduction: str, status: str, comparability: str
) -> tuple[tuple[str, str], ...]:
    return (
        ("Evidence", words.EVIDENCE[evidence] if evidence else words.NOT_RECORDED),
        ("Transcription", words.TRANSCRIPTION[transcription]),
        ("Reproduction", words.REPRODUCTION[reproduction]),
        ("Status", words.STATUS[status]),
        ("Comparability", words.COMPARABILITY[comparability]),
    )


def marks_of(result: Row, source: Row) -> tuple[tuple[str, str], ...]:
    """What a reader must know of a claim's standing before using it: a word and its meaning."""
    marks = [(words.STATUS[result["status"]], words.STATUS_MEANING)] if result["status"] != "active" else []
    if source["retracted"] and result["status"] != "retracted":
        marks.append(words.RETRACTED_SOURCE)
    if result["variant"]:
        marks.append(words.CONTESTED)
    if result["comparability"] == "deviates":
        marks.append(("other protocol", result["comparability_note"] or words.COMPARABILITY["deviates"]))
    if result["reproduction"] in words.RUN_AGAIN:
        marks.append((words.RUN_AGAIN[result["reproduction"]], words.REPRODUCTION[result["reproduction"]]))
    return tuple(marks)


def plural(count: int, word: str) -> str:
    """A count with its noun."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _detail(score: Row, interval: str) -> str:
    parts = []
    spread, kind = score["uncertainty"], score["uncertainty_kind"]
    if spread is not None and kind != "unknown":
        parts.append(f"{kind} {spread:g}")
    if interval:
        level = f"{score['level']:.0%} " if score["level"] else ""
        parts.append(f"{level}{'interval' if kind in ('unknown', None) else kind} {interval}")
    if score["aggregation"]:
        parts.append(str(score["aggregation"]).replace("_", " "))
    if score["n_runs"]:
        parts.append(plural(score["n_runs"], "run"))
    if score["n_items"]:
        parts.append(plural(score["n_items"], "item"))
    if score["note"]:
        parts.append(score["note"])
    return "; ".join(parts)


def _interval(score: Row) -> str:
    low, high = score["low"], score["high"]
    return "" if low is None or high is None else f"{low:g} to {high:g}"


def _surname(author: str) -> str:
    """The family name, with the particles before it; all of a name that has a comma is in order already."""
    if "," in author:
        return author.split(",", maxsplit=1)[0].strip()
    names = author.split()
    start = len(names) - 1
    while start > 1 and names[start - 1].casefold() in _PARTICLES:
        start -= 1
    return " ".join(names[start:])
