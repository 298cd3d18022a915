"""Papers by their addresses: one source for one document, however its address is spelled."""

import re
from collections import Counter, defaultdict
from typing import Any
from urllib.parse import parse_qs, urlsplit

from sotakit.exchange.importing import Batch, Fields, Known, printable
from sotaschema.base import check_url
from sotaschema.identity import hashed_slug, slug
from sotaschema.results import Source


class Papers:
    """The papers that the rows of a file name; rows without a usable address belong to the file itself."""

    def __init__(self, batch: Batch, known: Known, dump: Fields) -> None:
        self.dump = dump
        self._batch = batch
        self._used_dump = False
        sources = (source for source in known.all("sources") if isinstance(source, Source) and source.address)
        self._known = {address_key(source.address or ""): source.id for source in sources}
        self._new: dict[str, Fields] = {}
        self._titles: dict[str, Counter[str]] = defaultdict(Counter)

    def of(self, title: str, printed: str) -> tuple[str, list[str]]:
        """The id of the source with a title and an address as printed, and what of them the source cannot hold."""
        title, printed = printable(title).strip(), printable(printed).strip()
        url = web_address(printed)
        if url is None:
            self._used_dump = True
            notes = [f"paper as printed: {title}"] if title else []
            return str(self.dump["id"]), notes + ([f"paper address as printed: {printed}"] if printed else [])
        key = address_key(url)
        if key in self._known:
            return self._known[key], []
        if key not in self._new:
            self._new[key] = _paper(url, key) | {name: self.dump[name] for name in ("recorded_via", "imported")}
        if title:
            self._titles[key][title] += 1
        return str(self._new[key]["id"]), []

    def write(self) -> None:
        """Write the sources that results were given to."""
        for key, source in self._new.items():
            titles = list(self._titles[key])
            also = [f"also titled: {title}" for title in titles[1:]]
            self._batch.add("sources", source | {"title": titles[0] if titles else None, "notes": "; ".join(also)})
        if self._used_dump:
            self._batch.add("sources", self.dump)


def address_key(url: str) -> str:
    """One text for all addresses of one document: schemes, www, and arXiv's forms and versions fold."""
    parts = urlsplit(url)
    host, path = parts.netloc.casefold().removeprefix("www."), parts.path.rstrip("/")
    if host.endswith("arxiv.org"):
        found = re.search(r"/(?:abs|pdf)/([a-z.-]*/?[0-9.]+?)(?:v[0-9]+)?(?:\.pdf)?$", path)
        if found:
            return f"arxiv:{found[1]}"
    if host == "openreview.net" and (forum := parse_qs(parts.query).get("id")):
        return f"openreview:{forum[0]}"
    return f"{host}{path}" + (f"?{parts.query}" if parts.query else "")


def web_address(text: str) -> str | None:
    """The text if it is a web address."""
    try:
        return check_url(text) if len(text) <= 2000 and urlsplit(text).netloc else None
    except ValueError:
        return None


def link_addresses(links: Any) -> list[str]:
    """The web addresses of a list of links as mappings with a `url`."""
    found = (web_address(str(link.get("url"))) for link in links or () if isinstance(link, dict))
    return [url for url in found if url]


def _paper(url: str, key: str) -> Fields:
    """The fields of a paper that its address gives."""
    found = re.fullmatch(r"arxiv:([0-9]{4}\.[0-9]{4,5}|[a-z.-]+/[0-9]{7})", key)
    arxiv = found[1] if found else None
    identifier = "arxiv-" + arxiv.replace("/", "-") if arxiv else hashed_slug(key, slug(key))
    return {"id": identifier, "type": "paper", "url": url, "arxiv": arxiv}
