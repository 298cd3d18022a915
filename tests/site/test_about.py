"""The page about the data: what it counts and hashes are the files themselves; host files say what pages say."""

import hashlib
import json
import re
from pathlib import Path

import duckdb
import pytest

from pagesupport import AS_OF, build, markdown_tables, parse_html
from sotakit.publish.build import SiteOptions, build_site
from sotakit.publish.hosting import POLICY
from sotakit.publish.wording import size_words
from sotakit.validate import validate


def test_every_table_stands_with_its_rows_size_and_hash(tiny_site: Path) -> None:
    page = parse_html((tiny_site / "about/index.html").read_text(encoding="utf-8"))
    rows = [[cell.text for cell in row.all() if cell.tag in ("td", "th")] for row in page.one("tbody").all("tr")]
    assert [row[0] for row in rows] == sorted(path.name for path in (tiny_site / "data").glob("*.parquet"))
    markdown = markdown_tables((tiny_site / "about/index.md").read_text(encoding="utf-8"))[0][1:]
    for row, plain in zip(rows, markdown, strict=True):
        path = tiny_site / "data" / row[0]
        ((count,),) = duckdb.sql(f"SELECT count(*) FROM '{path}'").fetchall()
        assert row[2] == plain[2] == str(count)
        assert row[4] == plain[4] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert plain[3] == str(path.stat().st_size)
        size = path.stat().st_size
        assert 1_000 <= size < 1_000_000
        assert row[3] == f"{size / 1000:.1f} kB"


def test_the_state_of_the_data_is_named_by_its_content(tiny_site: Path) -> None:
    content = json.loads((tiny_site / "data/manifest.json").read_text(encoding="utf-8"))["content"]
    page = parse_html((tiny_site / "about/index.html").read_text(encoding="utf-8"))
    assert f"sha256:{content}" in page.all("dl", class_="facts")[0].text
    bibtex = page.one("pre").raw
    assert bibtex.startswith(f"@misc{{results-{content[:8]},\n")
    assert "{{Tiny registry}}" in bibtex
    assert content in bibtex


def test_what_was_refused_and_what_is_hidden_is_counted(tmp_path: Path, minimal: dict[str, str]) -> None:
    minimal["methods.yaml"] += "- {id: broken, nam: Broken}\n"
    minimal["sources/paper-a.yaml"] += (
        "  - {id: row-3, benchmark: sorting-on-numbers, method: merge, variant: s, visibility: private,"
        " scores: {accuracy: 1}}\n"
    )
    for name, text in minimal.items():
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    outcome = validate(tmp_path / "data", tmp_path / "build", AS_OF, allow_errors=True)
    assert outcome.tables
    build_site(outcome.tables, SiteOptions(tmp_path / "public"))
    text = (tmp_path / "public/about/index.md").read_text(encoding="utf-8")
    assert "- Records refused by validation: 1\n" in text
    assert "- Records accepted but not published: 1\n" in text
    assert not [path for path in (tmp_path / "public").rglob("*") if path.is_file() and b"row-3" in path.read_bytes()]


def test_schemas_and_licence_are_named(tiny_site: Path) -> None:
    page = parse_html((tiny_site / "about/index.html").read_text(encoding="utf-8"))
    linked = {
        str(link.attrs["href"]).rpartition("/")[2] for link in page.all("a") if "schema/" in str(link.attrs["href"])
    }
    assert linked == {path.name for path in (tiny_site / "schema").iterdir()}
    assert "CC0-1.0" in page.one("main").text


def test_with_a_base_address_the_citation_has_it(tmp_path: Path, root: Path) -> None:
    site = build(root / "tests/tiny/data", tmp_path / "public", "https://example.org/r")
    assert "  url           = {https://example.org/r}," in (site / "about/index.md").read_text(encoding="utf-8")


# Files for hosts.


def test_the_policy_of_the_host_files_is_that_of_the_pages(tiny_site: Path) -> None:
    page = parse_html((tiny_site / "index.html").read_text(encoding="utf-8"))
    stated = page.one("meta", http_equiv="Content-Security-Policy").attrs["content"]
    assert stated == POLICY
    for name in ("_headers", ".htaccess"):
        assert f"{stated}; frame-ancestors 'none'" in (tiny_site / name).read_text(encoding="utf-8")


def test_headers_are_written_in_blocks_of_a_path_and_its_lines(tiny_site: Path) -> None:
    blocks: dict[str, dict[str, str]] = {}
    for line in (tiny_site / "_headers").read_text(encoding="utf-8").splitlines():
        if not line.startswith(" "):
            blocks[line] = current = {}
        else:
            name, _, value = line.strip().partition(": ")
            current[name] = value
    assert blocks["/*.md"] == {"Content-Type": "text/markdown; charset=utf-8"}
    assert blocks["/*"]["X-Content-Type-Options"] == "nosniff"
    assert all(re.fullmatch(r"/\*(\.[a-z]+)?", path) for path in blocks)


def test_the_file_for_apache_sets_types_and_is_balanced(tiny_site: Path) -> None:
    lines = (tiny_site / ".htaccess").read_text(encoding="utf-8").splitlines()
    assert "AddType 'text/markdown; charset=utf-8' .md" in lines
    opened = [line.split()[0].strip("<>") for line in lines if line.startswith("<") and not line.startswith("</")]
    closed = [line.strip("</>") for line in lines if line.startswith("</")]
    assert opened == closed
    assert (tiny_site / ".nojekyll").read_bytes() == b""


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1024, "1.0 kB"), (1550, "1.6 kB"),
        (999_900, "999.9 kB"), (999_999, "1.0 MB"), (1_000_000, "1.0 MB"), (2_500_000_000, "2500.0 MB"),
    ],
)  # fmt: skip
def test_a_size_has_one_unit_everywhere(size: int, words: str) -> None:
    assert size_words(size) == words


def test_sizes_on_pages_of_benchmarks_are_in_the_same_unit(tiny_site: Path) -> None:
    raw = (tiny_site / "sota/sorting-numbers.csv").read_bytes()
    page = (tiny_site / "sota/sorting-numbers/index.html").read_text(encoding="utf-8")
    assert len(raw) > 1000
    assert f"{len(raw) / 1000:.1f} kB, SHA-256" in page
    for path in tiny_site.rglob("*.html"):
        assert not re.search(r"[0-9] (KB|KiB|B)\b", path.read_text(encoding="utf-8")), path
