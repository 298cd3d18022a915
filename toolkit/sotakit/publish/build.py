"""`toolkit build-site`: gather the pages, render them, write them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sotakit.assets import site_folder
from sotakit.catalog import Catalog, read_catalog
from sotakit.errors import UsageError
from sotakit.publish import urls
from sotakit.publish.benchmark_pages import benchmark_pages
from sotakit.publish.contexts import BenchmarkPage, EntityPage, Page, Site
from sotakit.publish.entity_pages import entity_pages, listing_pages
from sotakit.publish.home_page import error_page, home_page, site_context
from sotakit.publish.llms import llms_files
from sotakit.publish.output import Changes, publish
from sotakit.publish.render import Renderer
from sotakit.publish.sheet import benchmark_csv
from sotakit.publish.sitemap import sitemap_files
from sotakit.publish.structured import benchmark_json, entity_json
from sotaschema.jsonschema import schema_files


@dataclass(frozen=True)
class SiteOptions:
    """Where a site goes and what it looks like."""

    out: Path
    templates: Path | None = None
    """A folder whose files take the place of the toolkit's own of the same name."""
    base_url: str | None = None


def build_site(parquet: Path, options: SiteOptions) -> Changes:
    """Build the site of the compiled tables in a folder."""
    catalog = read_catalog(parquet)
    site = site_context(catalog, options.base_url)
    return publish(site_files(catalog, site, parquet, _folders(options.templates)), options.out)


def site_files(catalog: Catalog, site: Site, parquet: Path, folders: list[Path]) -> Iterator[tuple[str, str | bytes]]:
    """Every file of the site: its path and its content."""
    renderer = Renderer(folders)
    dates: dict[str, str | None] = {}
    for page in gather(catalog, parquet):
        yield page.address.html, renderer.html(page, site)
        if page.address.md:
            dates[page.address.html] = page.changed if isinstance(page, BenchmarkPage) else None
            yield from renderer.markdown(page, site)
        if page.address.json:
            yield page.address.json, _json(page, catalog, site)
        if isinstance(page, BenchmarkPage) and page.is_main:
            yield page.address.json.replace(".json", ".csv"), benchmark_csv(page)
    yield from llms_files(catalog, site)
    yield from sitemap_files(dates, site.base_url)
    yield from _data_files(parquet)
    yield from _image_files(catalog, parquet)
    yield from ((f"schema/{name}", text) for name, text in schema_files().items())
    yield from _static_files(folders)


def gather(catalog: Catalog, parquet: Path) -> Iterator[Page]:
    """Every page of the site, as what its template gets; benchmarks first, since others link to their results."""
    files = json.loads((parquet / "manifest.json").read_text(encoding="utf-8"))["files"]
    for board in catalog.boards.values():
        yield from benchmark_pages(catalog, board)
    yield from entity_pages(catalog)
    yield from listing_pages(catalog)
    yield home_page(catalog, {name: entry["rows"] for name, entry in files.items()})
    yield error_page()


def _json(page: Page, catalog: Catalog, site: Site) -> str:
    if isinstance(page, BenchmarkPage):
        board = catalog.boards[page.id]
        return benchmark_json(page, site, board.metrics, board.benchmark)
    if isinstance(page, EntityPage):
        return entity_json(page, site)
    raise TypeError(f"no JSON form for {type(page).__name__}")


def _data_files(parquet: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(parquet.iterdir()):
        if path.suffix in (".parquet", ".json"):
            yield f"data/{path.name}", path.read_bytes()


def _image_files(catalog: Catalog, parquet: Path) -> Iterator[tuple[str, bytes]]:
    for images in catalog.images.values():
        yield from (
            (urls.image(image["source"], image["name"]), (parquet / image["file"]).read_bytes()) for image in images
        )


def _static_files(folders: list[Path]) -> Iterator[tuple[str, bytes]]:
    files: dict[str, Path] = {}
    for folder in reversed(folders):
        found = sorted((folder / "static").rglob("*"))
        files |= {path.relative_to(folder).as_posix(): path for path in found if path.is_file()}
    for name, path in sorted(files.items()):
        yield name, path.read_bytes()


def _folders(templates: Path | None) -> list[Path]:
    own = site_folder()
    if templates is None:
        return [own]
    if not templates.is_dir():
        raise UsageError(f"{templates}: no such folder; --site takes a folder with templates/ or static/")
    return [templates, own] if templates.resolve() != own.resolve() else [own]
