"""sitemap.xml and robots.txt, read with an XML parser."""

from xml.etree import ElementTree as ET

import pytest

from sotakit.publish import sitemap
from sotakit.publish.sitemap import sitemap_files

SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def test_without_a_base_address_there_is_only_a_robots_file() -> None:
    assert dict(sitemap_files({"index.html": None}, None)) == {"robots.txt": "User-agent: *\nAllow: /\n"}


def test_every_page_is_listed_with_the_date_of_its_data() -> None:
    pages = {"sota/b/index.html": "2026-02-26", "index.html": None, "sota/ä&/index.html": None}
    files = dict(sitemap_files(pages, "https://example.org/r/"))
    assert files["robots.txt"].endswith("Sitemap: https://example.org/r/sitemap.xml\n")
    entries = {
        url.findtext(f"{SPACE}loc"): url.findtext(f"{SPACE}lastmod") for url in ET.fromstring(files["sitemap.xml"])
    }
    assert entries == {
        "https://example.org/r/": None,
        "https://example.org/r/sota/b/": "2026-02-26",
        "https://example.org/r/sota/%C3%A4%26/": None,
    }


def test_more_pages_than_one_file_may_hold_are_split(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sitemap, "MAX_URLS", 2)
    files = dict(sitemap_files({f"p{n}/index.html": None for n in range(5)}, "https://example.org"))
    index = [entry.findtext(f"{SPACE}loc") for entry in ET.fromstring(files["sitemap.xml"])]
    assert index == [f"https://example.org/sitemap-{n}.xml" for n in (1, 2, 3)]
    listed = [url.findtext(f"{SPACE}loc") for n in (1, 2, 3) for url in ET.fromstring(files[f"sitemap-{n}.xml"])]
    assert listed == [f"https://example.org/p{n}/" for n in range(5)]
