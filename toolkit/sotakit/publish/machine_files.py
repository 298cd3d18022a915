"""What programs read beside the pages: the feed of everything, Croissant, headers, old addresses.

Everything here follows from the catalogue in one pass each.
"""

from collections.abc import Iterator
from pathlib import Path

from sotakit.publish.contexts import Site
from sotakit.publish.croissant import croissant_files
from sotakit.publish.feeds import Feeds
from sotakit.publish.hosting import hosting_files
from sotakit.publish.overview import Overview
from sotakit.publish.redirects import moved_pages
from sotakit.publish.render import Renderer


def machine_files(
    overview: Overview, site: Site, parquet: Path, renderer: Renderer, feeds: Feeds
) -> Iterator[tuple[str, str | bytes]]:
    """Path and content of every such file."""
    for page in moved_pages(overview.catalog):
        yield page.address.html, renderer.html(page)
        yield from renderer.markdown(page)
    yield from feeds.of_collection()
    yield from croissant_files(site, parquet)
    yield from hosting_files()
