"""sitemap.xml and robots.txt: every HTML page with the date its data last changed, never the time of building."""

from collections.abc import Iterator, Mapping
from urllib.parse import quote
from xml.sax.saxutils import escape

MAX_URLS = 50_000
"""What one file may hold by the sitemaps protocol; more are split, with an index in sitemap.xml."""

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap_files(pages: Mapping[str, str | None], base_url: str | None) -> Iterator[tuple[str, str]]:
    """The files for some pages: path of the HTML file to the date of its data, None where it has none.

    Without a base address there are no addresses to list: then only a robots.txt that allows everything is made.
    """
    robots = "User-agent: *\nAllow: /\n"
    if not base_url:
        yield "robots.txt", robots
        return
    base = base_url.rstrip("/")
    urls = [
        _entry("url", f"{base}/{quote(path.removesuffix('index.html'))}", day) for path, day in sorted(pages.items())
    ]
    parts = [urls[start : start + MAX_URLS] for start in range(0, len(urls), MAX_URLS)]
    if len(parts) == 1:
        yield "sitemap.xml", _document("urlset", parts[0])
    else:
        names = [f"sitemap-{number}.xml" for number in range(1, len(parts) + 1)]
        yield "sitemap.xml", _document("sitemapindex", [_entry("sitemap", f"{base}/{name}", None) for name in names])
        yield from ((name, _document("urlset", part)) for name, part in zip(names, parts, strict=True))
    yield "robots.txt", f"{robots}Sitemap: {base}/sitemap.xml\n"


def _entry(tag: str, url: str, day: str | None) -> str:
    changed = f"<lastmod>{day}</lastmod>" if day else ""
    return f"<{tag}><loc>{escape(url)}</loc>{changed}</{tag}>"


def _document(root: str, entries: list[str]) -> str:
    lines = "\n".join(entries)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} xmlns="{_NAMESPACE}">\n{lines}\n</{root}>\n'
