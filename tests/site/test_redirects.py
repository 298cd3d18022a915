"""Old addresses: a stub leads browsers and readers of Markdown to the living page, and never takes its place."""

from collections.abc import Callable
from pathlib import Path

import pytest

from browser import Browser, Server
from pagesupport import build, markdown_links, parse_html, snapshot
from sotakit.publish.site_check import check_site

Write = Callable[..., Path]
BASE = "https://example.org/r"
REDIRECTS = (
    "- {old: sorting-old, new: sorting-older, kind: benchmarks}\n"
    "- {old: sorting-older, new: sorting-on-numbers, kind: benchmarks}\n"
    "- {old: mergesort, new: merge, kind: methods}\n"
    "- {old: paper-0, new: paper-a, kind: sources}\n"
)


@pytest.fixture
def records(minimal: dict[str, str]) -> dict[str, str]:
    return minimal | {"redirects.yaml": REDIRECTS}


@pytest.mark.parametrize("base", [None, BASE])
def test_a_stub_stands_at_every_old_address_and_leads_to_the_end_of_the_chain(
    write: Write, records: dict[str, str], tmp_path: Path, base: str | None
) -> None:
    site = build(write(records), tmp_path / "public", base_url=base)
    for old, new in {
        "sota/sorting-old": "sota/sorting-on-numbers",
        "sota/sorting-older": "sota/sorting-on-numbers",
        "sota/sorting-old/accuracy": "sota/sorting-on-numbers",  # its only metric, so the page itself is the view by it
        "method/mergesort": "method/merge",
        "paper/paper-0": "paper/paper-a",
    }.items():
        path = site / old / "index.html"
        page = parse_html(path.read_text(encoding="utf-8"))
        (refresh,) = page.all("meta", http_equiv="refresh")
        delay, _, target = str(refresh.attrs["content"]).partition("; url=")
        assert delay == "0"
        assert (path.parent / target).resolve() == (site / new / "index.html").resolve()
        assert page.one("meta", name="robots").attrs["content"] == "noindex"
        (link,) = page.one("main").all("a")
        assert (path.parent / str(link.attrs["href"])).resolve() == (site / new / "index.html").resolve()
        canonical = page.one("link", rel="canonical").attrs["href"]
        assert canonical == (f"{BASE}/{new}/" if base else target)
        (site / new / "index.html").stat()
        _, markdown = markdown_links((site / f"{old}.md").read_text(encoding="utf-8"))
        assert markdown == f"{BASE}/{new}.md" if base else markdown.endswith(f"{new.split('/', 1)[1]}.md")
    assert list(check_site(site)) == []


def test_stubs_are_in_no_sitemap_no_index_and_no_search(write: Write, records: dict[str, str], tmp_path: Path) -> None:
    site = build(write(records), tmp_path / "public", base_url=BASE)
    for name in ("sitemap.xml", "llms.txt", "search/index.js", "feed.xml", "sota/index.html"):
        text = (site / name).read_text(encoding="utf-8")
        assert "sorting-old" not in text, name
        assert "mergesort" not in text, name


def test_a_redirect_never_takes_the_place_of_a_living_page_nor_leads_nowhere(
    write: Write, minimal: dict[str, str], tmp_path: Path
) -> None:
    before = snapshot(build(write(minimal), tmp_path / "before"))
    minimal["redirects.yaml"] = (
        "- {old: bubble, new: merge, kind: methods}\n"  # old lives
        "- {old: round-a, new: round-b, kind: methods}\n"
        "- {old: round-b, new: round-a, kind: methods}\n"  # a circle
    )
    from sotakit.publish.build import SiteOptions, build_site
    from sotakit.validate import validate

    outcome = validate(write(minimal), tmp_path / "build", "2026-06-01", allow_errors=True)
    assert outcome.tables
    build_site(outcome.tables, SiteOptions(tmp_path / "after"))
    after = snapshot(tmp_path / "after")
    assert set(after) == set(before)
    assert after["method/bubble.md"] == before["method/bubble.md"]
    assert b"Moved" not in after["method/bubble/index.html"]


@pytest.mark.browser
def test_a_browser_arrives_at_the_new_page(
    write: Write, records: dict[str, str], tmp_path: Path, browser: Browser
) -> None:
    with Server(build(write(records), tmp_path / "public")) as server:
        browser.open(f"{server.url}sota/sorting-old/index.html")
        browser.wait("return location.pathname.endsWith('/x/y/sota/sorting-on-numbers/index.html')")
        assert browser.errors() == []
