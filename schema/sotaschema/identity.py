"""Names that never change: identifiers, derived result ids, slugs and canonical configurations.

A derived id depends on what a claim is about (source, benchmark, method label, configuration as recorded, variant) and
never on its value, on the time of reading or on a folded key, so that neither a correction nor a new alias moves it.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from anyascii import anyascii

Scalar = str | int | float | bool

ID_PATTERN = r"^[a-z0-9][a-z0-9._-]{0,63}$"
"""Identifiers are safe as file names and in URLs everywhere."""

SLUG_LENGTH = 55
"""Longest slug before a hash is added; with the hash it still fits `ID_PATTERN`."""

_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
_ARXIV_PATH = re.compile(r"/(?:abs|pdf|html)/([A-Za-z.-]*/?[0-9.]+?)(?:v[0-9]+)?(?:\.pdf)?$")
_RESERVED = re.compile(r"index|llms|llms-full|feed|search|page-[0-9]+|con|prn|aux|nul|(?:com|lpt)[0-9]", re.ASCII)

# Letters and signs whose usual transliteration would merge different names: C, C++ and C#; π0 and p0; ≤128K and ≥128K.
_SYMBOLS = {
    "π": "pi", "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "λ": "lambda", "μ": "mu",
    "σ": "sigma", "τ": "tau", "φ": "phi", "ψ": "psi", "ω": "omega", "≤": "le", "≥": "ge", "<": "lt", ">": "gt",
    "→": "-to-", "±": "pm", "+": "-plus", "#": "-sharp", "%": "-percent", "&": "-and-", "@": "-at-", "×": "x",
    "∞": "inf", "=": "-eq-",
}  # fmt: skip


def nfc(text: str) -> str:
    """Text in Unicode normal form C, so that é typed in two ways is one name."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def reserved_id(identifier: str) -> bool:
    """Whether an id would be a device name, a page of every site, or end in a dot."""
    return identifier.endswith(".") or _RESERVED.fullmatch(identifier.split(".", maxsplit=1)[0]) is not None


def canonical_json(value: object) -> str:
    """One spelling for one value: NFC, keys sorted, no spaces; 1, 1.0, "1" and true stay different."""
    return nfc(_CANONICAL.encode(value))


def digest(value: object, length: int = 16) -> str:
    """The first `length` hex digits of the SHA-256 of a value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:length]


def document_address(url: str | None, doi: str | None, arxiv: str | None, openreview: str | None) -> str | None:
    """Where a reader finds a document: at its own address, else where its identifiers lead."""
    if url:
        return url
    if doi:
        return f"https://doi.org/{quote(doi, safe='/:;()')}"
    if arxiv:
        return f"https://arxiv.org/abs/{arxiv}"
    return f"https://openreview.net/forum?id={openreview}" if openreview else None


def document_keys(document: Any) -> dict[str, str]:
    """One text for each identifier of a source, by its field; equal where two name one document.

    Case of DOIs, versions of arXiv papers, schemes, www and final slashes do not matter, and an address that leads to
    a DOI, to arXiv or to OpenReview is that identifier.
    """
    keys = {}
    if document.doi:
        keys["doi"] = f"doi:{document.doi.casefold()}"
    if document.arxiv:
        keys["arxiv"] = f"arxiv:{re.sub('v[0-9]+$', '', document.arxiv)}"
    if document.openreview:
        keys["openreview"] = f"openreview:{document.openreview}"
    if document.url:
        keys["url"] = address_key(document.url)
    return keys


def address_key(url: str) -> str:
    """One text for all addresses of one document.

    >>> address_key("http://www.arxiv.org/pdf/2106.07476v2.pdf"), address_key("https://dx.doi.org/10.1000/ABC")
    ('arxiv:2106.07476', 'doi:10.1000/abc')
    """
    try:
        parts = urlsplit(url)
    except ValueError:  # a bracket that opens no address of a machine
        return url
    host, path = parts.netloc.casefold().removeprefix("www."), parts.path.rstrip("/")
    if host in ("doi.org", "dx.doi.org") and len(path) > 1:
        return f"doi:{unquote(path[1:]).casefold()}"
    if host.endswith("arxiv.org") and (found := _ARXIV_PATH.search(path)):
        return f"arxiv:{found[1]}"
    if host == "openreview.net" and (forum := parse_qs(parts.query).get("id")):
        return f"openreview:{forum[0]}"
    return f"{host}{path}" + (f"?{parts.query}" if parts.query else "")


def result_id(
    source: str, benchmark: str, method_label: str, config: Mapping[str, Scalar], variant: str | None = None
) -> str:
    """The id of a result that its file does not name: `r_` and 16 hex digits."""
    recorded = {nfc(key): value for key, value in config.items()}
    return "r_" + digest([source, benchmark, nfc(method_label), recorded, variant])


def slug(text: str) -> str:
    """A readable ASCII identifier for a name in any script, never empty, at most `SLUG_LENGTH` characters or hashed.

    >>> slug("π0"), slug("MRCR v2 (≤128K)"), slug("C++"), slug("🚧")
    ('pi0', 'mrcr-v2-le128k', 'c-plus-plus', 'construction')
    """
    spelled = "".join(_SYMBOLS.get(char, char) for char in unicodedata.normalize("NFKC", text).casefold())
    words = re.sub(r"[^a-z0-9.]+", "-", anyascii(spelled).casefold())
    plain = re.sub(r"-?\.-|-\.|\.{2,}", "-", words).strip("-.")
    if not plain or len(plain) > SLUG_LENGTH or reserved_id(plain):
        return hashed_slug(text, plain)
    return plain


def hashed_slug(text: str, stem: str | None = None) -> str:
    """A slug that no other text has: used where two names give the same slug, or none at all."""
    stem = (slug(text) if stem is None else stem).replace(".", "-")
    return f"{stem[: SLUG_LENGTH - 1].strip('-.') or 'x'}-{hashlib.sha256(nfc(text).encode()).hexdigest()[:8]}"


def unique_slugs(names: set[str]) -> dict[str, str]:
    """A slug for each name; where several names would share one, every one of them gets its hash."""
    plain = {name: slug(name) for name in names}
    counts: dict[str, int] = {}
    for value in plain.values():
        counts[value] = counts.get(value, 0) + 1
    taken = {hashed_slug(name, value) for name, value in plain.items() if counts[value] > 1}
    alone = {value for value, count in counts.items() if count == 1} - taken
    return {name: value if value in alone else hashed_slug(name, value) for name, value in plain.items()}
