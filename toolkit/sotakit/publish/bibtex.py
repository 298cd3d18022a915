"""BibTeX entries: of sources, and of the collection in one state."""

import re
import unicodedata

from sotakit.compiled import Row

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
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
        ("doi", _verbatim(source["doi"])),
        ("url", _verbatim(address)),
    ]
    return entry(kind, _key(source), fields)


def entry(kind: str, key: str, fields: list[tuple[str, str]]) -> str:
    """One entry; fields without a value are left out, months stand without braces as BibTeX knows them."""
    lines = [
        f"  {name:<13} = {value if name == 'month' else f'{{{value}}}'}," for name, value in fields if value.strip("{}")
    ]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])


def bibtex_text(text: str) -> str:
    """Text in which no character is a command."""
    return "".join(_SPECIAL.get(char, char) for char in " ".join(text.split()))


def _verbatim(address: str | None) -> str:
    """An address as it stands, with braces encoded: they must come in pairs."""
    return (address or "").replace("{", "%7B").replace("}", "%7D")


def _author(name: str) -> str:
    """A name in braces where "and" in it would be taken for the word between two names."""
    text = bibtex_text(name)
    return f"{{{text}}}" if re.search(r"\band\b", text, re.IGNORECASE) else text


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
