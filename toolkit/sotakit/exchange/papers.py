"""Papers by their addresses: one source for one document, however its address is spelled."""

import re
from collections import Counter, defaultdict
from typing import Any
from urllib.parse import urlsplit

from sotakit.exchange.importing import Batch, Fields, printable
from sotakit.exchange.known import Known, name_key
from sotaschema.base import check_url
from sotaschema.identity import address_key, document_keys, hashed_slug, slug
from sotaschema.results import Source

MAX_TITLE = 1000
MAX_NOTES = 20_000


class Papers:
    """The papers that the rows of a file name; rows without a usable address belong to the file itself.

    A source of the data folder is met by any of its addresses; one without an address is met by its title.
    """

    def __init__(self, batch: Batch, known: Known, dump: Fields) -> None:
        self._batch = batch
        self._known = known
        self.dump = dump
        self._dump_used = False
        sources = [source for source in known.all("sources") if isinstance(source, Source)]
        self._found = {key: source for source in sources for key in document_keys(source).values()}
        earlier = (source for source in known.all_earlier("sources") if isinstance(source, Source))
        self._earlier = {key: source.id for source in earlier for key in document_keys(source).values()}
        self._new: dict[str, Fields] = {}
        self._titles: dict[str, Counter[str]] = defaultdict(Counter)

    def of(self, title: str, printed: str) -> tuple[str, list[str]]:
        """The id of the source with a title and an address as printed, and what of them the source cannot hold."""
        title, printed = printable(title).strip(), printable(printed).strip()
        url = web_address(printed)
        if url is None:
            self._dump_used = True
            notes = [f"paper as printed: {title}"] if title else []
            return str(self.dump["id"]), notes + ([f"paper address as printed: {printed}"] if printed else [])
        key = address_key(url)
        if source := self._meet(key, title):
            self._batch.use("sources", source.id)
            differs = title and name_key(title) != name_key(source.title or "")
            self._batch.not_carried["title that a known paper does not have"] += bool(differs)
            return source.id, [] if key in self._found else [f"paper address as printed: {printed}"]
        if key not in self._new:
            self._new[key] = self._paper(url, key)
        if title:
            self._titles[key][title] += 1
        return str(self._new[key]["id"]), []

    def write(self) -> None:
        """Write the sources that results were given to."""
        for key, source in self._new.items():
            titles = list(self._titles[key])
            self._batch.add("sources", source | self._titled(titles))
        if not self._dump_used:
            return
        if self._known.record("sources", self.dump["id"]):
            self._batch.use("sources", self.dump["id"])
        else:
            self._batch.add("sources", self.dump)

    def _meet(self, key: str, title: str) -> Source | None:
        """The source of the folder that a row means."""
        if key in self._earlier or key in self._new:
            return None
        if key in self._found:
            return self._found[key]
        same_id = self._known.record("sources", _arxiv_id(key)) if _arxiv(key) else None
        same_title = self._known.record("sources", self._known.find("sources", title) or "") if title else None
        return next((s for s in (same_id, same_title) if isinstance(s, Source) and s.address is None), None)

    def _paper(self, url: str, key: str) -> Fields:
        """The fields of a paper that its address gives."""
        arxiv = _arxiv(key)
        plain = key.replace("doi:", "doi.org/", 1)  # ids of earlier imports were made of addresses
        wanted = _arxiv_id(key) if arxiv else hashed_slug(plain, slug(plain))
        identifier = self._earlier.get(key) or self._known.new_id("sources", wanted, key)
        shared = {name: self.dump[name] for name in ("recorded_via", "imported")}
        return {"id": identifier, "type": "paper", "url": url, "arxiv": arxiv, **shared}

    def _titled(self, titles: list[str]) -> Fields:
        """The title of a paper, and notes with its other titles and with the whole of one that is too long."""
        if not titles:
            return {}
        first, *others = titles
        notes = [f"also titled: {title}" for title in others]
        if len(first) > MAX_TITLE:
            notes.insert(0, f"whole title: {first}")
            first = first[: MAX_TITLE - 1] + "…"
            self._batch.not_carried["over-long paper title in its place, kept whole in the notes"] += 1
        text = "; ".join(notes)
        if len(text) > MAX_NOTES:
            self._batch.not_carried[f"characters of paper titles beyond {MAX_NOTES:,}"] += len(text) - MAX_NOTES + 1
            text = text[: MAX_NOTES - 1] + "…"
        return {"title": first, "notes": text}


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


def _arxiv(key: str) -> str | None:
    """The arXiv id in a folded address."""
    found = re.fullmatch(r"arxiv:([0-9]{4}\.[0-9]{4,5}|[a-z.-]+/[0-9]{7})", key)
    return found[1] if found else None


def _arxiv_id(key: str) -> str:
    """The id of the source of a paper on arXiv."""
    return "arxiv-" + (_arxiv(key) or "").replace("/", "-")
