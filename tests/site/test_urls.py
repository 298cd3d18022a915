"""Where pages lie, and that every link and anchor of a build leads to something in it."""

import json
import posixpath
from pathlib import Path
from urllib.parse import unquote

import pytest

from pagesupport import TINY, build, markdown_anchors, markdown_links, parse_html
from sotakit.publish import urls

BASE = "https://example.org/research"
SEED = "counterfactual-explanations-on-mnist-test"


def broken_html_links(site: Path, root: str = "/") -> list[str]:
    """Every link of every HTML page that does not lead to a file and an anchor of the site."""
    pages = {path: parse_html(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    anchors = {path: {node.attrs["id"] for node in page.walk() if "id" in node.attrs} for path, page in pages.items()}
    broken = []
    for path, page in pages.items():
        for node in page.walk():
            href = node.attrs.get("href") or node.attrs.get("src")
            if not href or "://" in href:
                continue
            file, _, anchor = href.partition("#")
            target = site / file.removeprefix(root) if file.startswith("/") else path.parent / unquote(file)
            target = path if not file else Path(posixpath.normpath(target.as_posix()))
            if not target.is_file() or (anchor and anchor not in anchors[target]):
                broken.append(f"{path.relative_to(site)}: {href}")
    return broken


def broken_markdown_links(site: Path, base: str | None = None) -> list[str]:
    """The same for Markdown pages, and for the links of llms.txt."""
    broken = []
    for path in [*site.rglob("*.md"), site / "llms.txt"]:
        for href in markdown_links(path.read_text(encoding="utf-8")):
            file, _, anchor = href.partition("#")
            if base and file.startswith(f"{base}/"):
                target = site / unquote(file.removeprefix(f"{base}/"))
            elif "://" in file:
                continue
            else:
                target = path if not file else Path(posixpath.normpath((path.parent / unquote(file)).as_posix()))
            found = target.is_file() and target.is_relative_to(site)
            if not found or (anchor and anchor not in markdown_anchors(target.read_text(encoding="utf-8"))):
                broken.append(f"{path.relative_to(site)}: {href}")
    return broken


def test_every_html_link_leads_to_a_file_and_an_anchor(each_site: Path) -> None:
    assert broken_html_links(each_site) == []


def test_every_markdown_link_leads_to_a_file_and_an_anchor(each_site: Path) -> None:
    assert broken_markdown_links(each_site) == []


def test_the_link_checks_find_a_broken_link_and_a_broken_anchor(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a id="x" href="b.html">b</a><a href="#y">y</a><a href="#x">x</a>')
    (tmp_path / "a.md").write_text('[b](<b.md>) [y](<#y>) [x](<#x>)\n\n<a id="x"></a>\n')
    (tmp_path / "llms.txt").write_text("- [c](c.md): d\n")
    assert broken_html_links(tmp_path) == ["a.html: b.html", "a.html: #y"]
    assert broken_markdown_links(tmp_path) == ["a.md: b.md", "a.md: #y", "llms.txt: c.md"]


def test_links_in_html_are_relative_and_name_their_file(each_site: Path) -> None:
    for path in each_site.rglob("*.html"):
        if path.name == "404.html":
            continue
        for node in parse_html(path.read_text(encoding="utf-8")).all("a"):
            href = str(node.attrs["href"])
            assert not href.startswith("/"), path
            file = href.partition("#")[0]
            assert "://" in href or not file or Path(file).suffix, f"{path}: {href}"


@pytest.fixture(scope="module")
def based_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(TINY / "data", tmp_path_factory.mktemp("based") / "public", BASE)


def test_with_a_base_url_markdown_and_llms_txt_have_absolute_links(based_site: Path) -> None:
    links = [href for path in based_site.rglob("*.md") for href in markdown_links(path.read_text(encoding="utf-8"))]
    links += markdown_links((based_site / "llms.txt").read_text(encoding="utf-8"))
    assert all("://" in href or href.startswith("#") for href in links)
    assert f"{BASE}/sota/sorting-numbers.md" in links
    assert broken_markdown_links(based_site, BASE) == []


def test_with_a_base_url_html_links_stay_relative_but_for_the_canonical_one(based_site: Path, tiny_site: Path) -> None:
    assert broken_html_links(based_site, "/research/") == []
    page = parse_html((based_site / "sota/sorting-numbers/index.html").read_text(encoding="utf-8"))
    assert page.one("link", rel="canonical").attrs["href"] == f"{BASE}/sota/sorting-numbers/"
    plain = parse_html((tiny_site / "sota/sorting-numbers/index.html").read_text(encoding="utf-8"))
    assert plain.all("link", rel="canonical") == []
    hrefs = [[node.attrs["href"] for node in tree.all("a")] for tree in (page, plain)]
    assert hrefs[0] == hrefs[1]


def test_the_error_page_links_below_the_base_path(based_site: Path, tiny_site: Path) -> None:
    page = parse_html((based_site / "404.html").read_text(encoding="utf-8"))
    assert page.one("link", rel="stylesheet").attrs["href"] == "/research/static/style.css"
    inside = [str(node.attrs["href"]) for node in page.all("a") if node.attrs["href"] != "#content"]
    assert inside
    assert all(href.startswith("/research/") for href in inside)
    plain = parse_html((tiny_site / "404.html").read_text(encoding="utf-8"))
    assert plain.one("link", rel="stylesheet").attrs["href"] == "/static/style.css"


@pytest.mark.parametrize("base", [BASE, f"{BASE}/"])
def test_a_final_slash_of_the_base_url_changes_nothing(base: str, based_site: Path, tmp_path: Path) -> None:
    again = build(TINY / "data", tmp_path / "public", base)
    assert (again / "llms.txt").read_bytes() == (based_site / "llms.txt").read_bytes()
    assert (again / "404.html").read_bytes() == (based_site / "404.html").read_bytes()


@pytest.mark.parametrize(
    ("start", "target", "way"),
    [
        ("index.html", "static/style.css", "static/style.css"),
        ("sota/a/index.html", "index.html", "../../index.html"),
        ("sota/a/index.html", "sota/a/b/index.html", "b/index.html"),
        ("sota/a/b/index.html", "sota/a/index.html", "../index.html"),
        ("sota/a.md", "sota/a/b.md", "a/b.md"),
        ("sota/a.md", "llms.txt", "../llms.txt"),
        ("404.html", "404.html", "404.html"),
    ],
)
def test_relative_ways(start: str, target: str, way: str) -> None:
    assert urls.relative(start, target) == way


def test_addresses_are_those_of_the_design(seed_site: Path) -> None:
    expected = [
        "index.html", "index.md", "llms.txt", "404.html",
        f"sota/{SEED}/index.html", f"sota/{SEED}.md", f"sota/{SEED}.json",
        f"sota/{SEED}/im1-score/index.html", f"sota/{SEED}/im1-score.md",
        "paper/6976f4e9a2b28e761d87c0f0/index.html", "paper/6976f4e9a2b28e761d87c0f0.md",
        "paper/6976f4e9a2b28e761d87c0f0.json", "method/psce/index.html", "method/psce.md", "method/psce.json",
        "task/counterfactual-explanations.md", "dataset/mnist.md", "metric/im1.md", "metric/im1.json",
        "data/manifest.json", "data/results.parquet", "schema/result.schema.json", "static/style.css",
    ]  # fmt: skip
    assert [name for name in expected if not (seed_site / name).is_file()] == []


def test_every_html_page_names_its_twins(each_site: Path) -> None:
    for path in each_site.rglob("index.html"):
        page = parse_html(path.read_text(encoding="utf-8"))
        twin = page.one("link", rel="alternate", type="text/markdown").attrs["href"]
        assert (path.parent / str(twin)).is_file()
        assert (path.parent / str(page.one("link", rel="describedby").attrs["href"])).resolve().name == "llms.txt"
        for link in page.all("link", rel="alternate", type="application/json"):
            json.loads((path.parent / str(link.attrs["href"])).read_text(encoding="utf-8"))
