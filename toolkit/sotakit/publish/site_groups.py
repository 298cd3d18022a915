"""Everything a site consists of, as groups of files that are made together: boards, entities, and the collection."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from sotakit.catalog import Catalog
from sotakit.compiled import MANIFEST
from sotakit.publish import urls
from sotakit.publish.about import about_page
from sotakit.publish.benchmark_pages import benchmark_pages
from sotakit.publish.contexts import Page, Site
from sotakit.publish.corrections import corrections_json, corrections_page
from sotakit.publish.entity_contexts import CorrectionsPage, EntityPage
from sotakit.publish.entity_pages import entity_page, listing_pages
from sotakit.publish.feeds import Feeds
from sotakit.publish.fingerprints import Fingerprints
from sotakit.publish.home_page import error_page, home_page
from sotakit.publish.llms import llms_files
from sotakit.publish.llms_full import PATH as FULL_TEXT
from sotakit.publish.llms_full import full_text
from sotakit.publish.machine_files import machine_files
from sotakit.publish.output import Content
from sotakit.publish.overview import Overview
from sotakit.publish.pipeline import ALONE, Group, Step
from sotakit.publish.render import Renderer
from sotakit.publish.search import search_files
from sotakit.publish.site_cache import Groups
from sotakit.publish.sitemap import sitemap_files
from sotakit.publish.structured import benchmarks_json, entity_json

Files = Iterator[tuple[str, Content]]

_PAGES = ("sota/", *(f"{table}/" for table in urls.ENTITY_FOLDERS), "collection/lists", "collection/home")
"""How the names of groups begin whose HTML files are pages that stand in the sitemap."""

_LISTS = ("collection/lists", "collection/llms", "collection/search")
"""Groups that show names and counts, but no result."""

_NOT_FOUND = "404.html"


class Inputs(NamedTuple):
    """What a site is made of."""

    catalog: Catalog
    site: Site
    parquet: Path
    folders: list[Path]
    """Templates and static files; an earlier folder wins."""


class SiteGroups:
    """The groups of one site. Boards come first: links to results need to know in which part of a board they stand."""

    def __init__(self, inputs: Inputs, common: bytes) -> None:
        self._inputs = inputs
        self._keys = Fingerprints(inputs.catalog, common)
        self._common = common.hex()
        self._overview = Overview(inputs.catalog)
        self._feeds = Feeds(self._overview, inputs.site)
        self._renderer = Renderer(inputs.folders, inputs.site)

    def boards(self) -> Step:
        """Benchmarks, each with the views by its metrics."""
        catalog = self._inputs.catalog
        keys = {f"sota/{name}": key for name, key in self._keys.boards.items()}
        return Step(keys, lambda name: 1 + catalog.store.count("benchmark", _id(name)), self._boards)

    def entities(self, boards: Groups) -> Step:
        """Tasks, datasets, metrics, methods and sources, once the boards are known."""
        self._know(boards)
        places = {_id(name): made.places for name, made in boards.items() if made.places}
        keys = {f"{table}/{name}": key for (table, name), key in self._keys.entities(places).items()}
        return Step(keys, self._entity_weight, self._entities)

    def collection(self) -> Step:
        """Lists, first page, indexes, and whatever else speaks of everything."""
        key, parquet = self._keys.collection, self._inputs.parquet
        self._inputs.catalog.boards.know_facts()
        data = hashlib.sha256((parquet / MANIFEST).read_bytes()).hexdigest()
        makers = self._makers()
        keys = dict.fromkeys(makers, key) | dict.fromkeys(_LISTS, self._keys.lists)
        keys |= {"collection/data": data, "collection/schema": self._common}
        keys["collection/static"] = _static_key(self._inputs.folders)
        return self._step(makers, keys, ALONE)

    def last(self, groups: Groups, read: Callable[[str], bytes]) -> Step:
        """The sitemap of all pages made before, and the file with the text of some; `read` gives what they say."""
        rows = self._inputs.catalog.tables["benchmarks"]
        dates = {
            file.name: _day(rows[_id(name)]["updated_at"]) if name.startswith("sota/") else None
            for name, made in groups.items()
            if name.startswith(_PAGES)
            for file in made.files
            if file.name.endswith(".html") and file.name != _NOT_FOUND
        }
        pages = {file.name for made in groups.values() for file in made.files if file.name.endswith(".md")}
        site, overview = self._inputs.site, self._overview
        makers: dict[str, Callable[[], Files]] = {
            "collection/sitemap": lambda: sitemap_files(dates, site.base_url),
            "collection/full-text": lambda: iter([(FULL_TEXT, full_text(overview, site, pages, read))]),
        }
        return self._step(makers, dict.fromkeys(makers, self._keys.collection), 1)

    def _step(self, makers: Mapping[str, Callable[[], Files]], keys: Mapping[str, str], weight: int) -> Step:
        return Step(keys, lambda _: weight, lambda names: (Group(name, makers[name](), {}) for name in names))

    def _boards(self, names: Sequence[str]) -> Iterator[Group]:
        """One form of all pages after the other: a sixth faster than all forms of one page after the other."""
        catalog, renderer, site = self._inputs.catalog, self._renderer, self._inputs.site
        boards = [catalog.boards[_id(name)] for name in names]
        pages = [tuple(of_one) for of_one in benchmark_pages(self._overview, boards)]
        html = renderer.benchmarks_html([page for of_one in pages for page in of_one])
        files: list[list[tuple[str, Content]]] = [[(page.address.html, next(html)) for page in own] for own in pages]
        places = []
        for made, (main, *views) in zip(files, pages, strict=True):
            made.extend(renderer.markdown(main))
            places.append(renderer.places_beyond(main.address.md))
            for view in views:
                made.extend(renderer.markdown(view))
        json = benchmarks_json([main for main, *_ in pages], site, catalog)
        feeds = self._feeds.of_benchmarks(list(map(_id, names)))
        for made, (page, *_) in zip(files, pages, strict=True):
            made.append((page.address.json, next(json)))
            if page.table:
                made.append((page.table.path, page.table.text))
            if feed := next(feeds):
                made.append(feed)
        return map(Group, names, files, places)

    def _entities(self, names: Sequence[str]) -> Iterator[Group]:
        for name in names:
            table, _, identifier = name.partition("/")
            page = entity_page(self._overview, table, self._inputs.catalog.row(table, identifier))
            feeds = self._feeds.of_task(identifier) if table == "tasks" else ()
            yield Group(name, chain(self._files(page), feeds), {})

    def _entity_weight(self, name: str) -> int:
        table, _, identifier = name.partition("/")
        counted = table in ("methods", "sources")
        return 10 + (self._inputs.catalog.store.count(table.removesuffix("s"), identifier) if counted else 0)

    def _makers(self) -> dict[str, Callable[[], Files]]:
        """How each group of the collection is made, the longest work first."""
        inputs, overview = self._inputs, self._overview
        return {
            "collection/machine": lambda: machine_files(
                overview, inputs.site, inputs.parquet, self._renderer, self._feeds
            ),
            "collection/lists": lambda: self._all_files(listing_pages(overview)),
            "collection/llms": lambda: llms_files(overview, inputs.site),
            "collection/search": lambda: search_files(overview),
            "collection/home": lambda: self._all_files(self._single_pages()),
            "collection/data": self._data_files,
            "collection/images": self._image_files,
            "collection/schema": _schema_files,
            "collection/static": lambda: iter(_static_files(inputs.folders).items()),
        }

    def _single_pages(self) -> Iterator[Page]:
        yield home_page(self._overview)
        yield corrections_page(self._overview)
        yield about_page(self._inputs.catalog, self._inputs.site, self._inputs.parquet)
        yield error_page()

    def _know(self, boards: Groups) -> None:
        """Tells the renderer where results stand that are not on the first part of their board."""
        for made in boards.values():
            self._renderer.paged |= made.places

    def _all_files(self, pages: Iterable[Page]) -> Files:
        for page in pages:
            yield from self._files(page)

    def _files(self, page: Page) -> Files:
        """A page in all its forms."""
        yield page.address.html, self._renderer.html(page)
        if page.address.md:
            yield from self._renderer.markdown(page)
        if page.address.json:
            yield page.address.json, self._json(page)

    def _json(self, page: Page) -> Content:
        site = self._inputs.site
        if isinstance(page, EntityPage):
            return entity_json(page, site)
        if isinstance(page, CorrectionsPage):
            return corrections_json(page, site)
        raise TypeError(f"no JSON form for {type(page).__name__}")

    def _data_files(self) -> Files:
        parquet = self._inputs.parquet
        for path in sorted(parquet.iterdir()):
            if path.suffix in (".parquet", ".json"):
                yield f"data/{path.name}", path

    def _image_files(self) -> Files:
        for images in self._inputs.catalog.images.values():
            for image in images:
                yield urls.image(image["source"], image["name"]), self._inputs.parquet / image["file"]


def _id(name: str) -> str:
    """The id of the row that a group is about."""
    return name.partition("/")[2]


def _day(updated: str | None) -> str | None:
    """The day of a recorded time; None where there is none."""
    return updated[:10] if updated and updated[0].isdigit() else None


def _schema_files() -> Files:
    from sotaschema.jsonschema import schema_files  # noqa: PLC0415 - the models take long to load, and seldom change

    return ((f"schema/{name}", text) for name, text in schema_files().items())


def _static_files(folders: list[Path]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for folder in reversed(folders):
        found = sorted((folder / "static").rglob("*"))
        files |= {path.relative_to(folder).as_posix(): path for path in found if path.is_file()}
    return dict(sorted(files.items()))


def _static_key(folders: list[Path]) -> str:
    files = ((name, path.read_bytes()) for name, path in _static_files(folders).items())
    return hashlib.sha256(repr(list(files)).encode()).hexdigest()
