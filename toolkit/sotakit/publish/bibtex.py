"""BibTeX entries: of sources, and of the collection in one state."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count, product
from string import ascii_lowercase

from sotakit.compiled import Row

_COMMAS = 2
"""So many may stand in a name: "von Last, Jr, First"."""

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{mark: f"\\{mark}" for mark in "&%$#_"},
}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ARTICLES = frozenset({"paper", "preprint"})
_ARTICLES_OF_TITLES = frozenset({"a", "an", "the"})


def source_bibtex(source: Row, address: str | None) -> str:
    """The entry of a source: an article where a venue is recorded, else miscellaneous; nothing is made up."""
    date = source["date"] or ""
    kind = "article" if source["type"] in _ARTICLES and source["venue"] else "misc"
    fields = [
        ("title", f"{{{bibtex_text(source['title'] or source['id'])}}}"),
        ("author", " and ".join(_author(author) for author in source["authors"])),
        ("year", date[:4]),
        ("month", _MONTHS[int(date[5:7]) - 1] if len(date) > 4 else ""),
        ("journal" if kind == "article" else "howpublished", bibtex_text(source["venue"] or "")),
        ("eprint", source["arxiv"] or ""),
        ("archiveprefix", "arXiv" if source["arxiv"] else ""),
        ("doi", bibtex_address(source["doi"])),
        ("url", bibtex_address(address)),
    ]
    return entry(kind, _key(source), fields)


def entry(kind: str, key: str, fields: list[tuple[str, str]]) -> str:
    """One entry; fields without a value are left out, months stand without braces as BibTeX knows them."""
    lines = [
        f"  {name:<13} = {value if name == 'month' else f'{{{value}}}'}," for name, value in fields if value.strip("{}")
    ]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def told_apart(entries: Mapping[str, str]) -> dict[str, str]:
    """Entries of one page by the ids of their sources, with a letter behind keys that several would share.

    Letters go by the ids, so that the order of the entries does not matter.
    """
    keys = {name: text.partition("{")[2].partition(",")[0] for name, text in entries.items()}
    bearers = Counter(keys.values())
    taken = {key for key, number in bearers.items() if number == 1}
    found = dict(entries)
    for name in sorted(name for name, key in keys.items() if bearers[key] > 1):
        key = next(key for key in map(keys[name].__add__, _letters()) if key not in taken)
        taken.add(key)
        found[name] = entries[name].replace(f"{{{keys[name]},", f"{{{key},", 1)
    return found


def _letters() -> Iterator[str]:
    """a, b, …, z, aa, ab, …"""
    for length in count(1):
        yield from map("".join, product(ascii_lowercase, repeat=length))


def bibtex_text(text: str) -> str:
    """Text in which no character is a command. Braces get names: even behind a backslash they must come in pairs."""
    return "".join(_SPECIAL.get(char, char) for char in " ".join(text.split()))


def bibtex_address(address: str | None) -> str:
    """An address as it stands, with braces encoded: they must come in pairs."""
    return (address or "").replace("{", "%7B").replace("}", "%7D")


def _author(name: str) -> str:
    """A name, in braces where it would be taken for several, for "et al." or for a name with too many parts."""
    text = bibtex_text(name)
    parts = [part.strip() for part in text.split(",")]
    several = re.search(r"\band\b", text, re.IGNORECASE) or text.casefold() == "others"
    return f"{{{text}}}" if several or len(parts) > _COMMAS + 1 or not all(parts) else text


def _key(source: Row) -> str:
    """First author, year and first word of the title as search engines make it, else the id; ASCII letters and digits.

    The word tells most papers of one author and year apart, so that entries of one page can stand in one file.
    """
    if not source["authors"] or not source["date"]:
        return str(source["id"])
    first = source["authors"][0]
    family = _plain(first.split(",")[0] if "," in first else (first.split() or [""])[-1])
    words = filter(None, map(_plain, re.split(r"[\s-]+", source["title"] or "")))
    word = next((word for word in words if word not in _ARTICLES_OF_TITLES), "")
    return f"{family}{source['date'][:4]}{word}" if family else str(source["id"])


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9]", "", letters).lower()
