"""The page about the collection as data: terms, counts, tables with sizes and hashes, formats, how to cite it."""

from pathlib import Path
from typing import Final

from sotakit.catalog import Catalog
from sotakit.compiled import read_manifest
from sotakit.publish import urls, words
from sotakit.publish.bibtex import bibtex_address, bibtex_text, entry
from sotakit.publish.contexts import Site
from sotakit.publish.entity_contexts import AboutPage, TableFile
from sotaschema import SCHEMA_FILES

ADDRESS = urls.Address("about/index.html", "about/index.md")

SHOWN_HASH = 16
"""Hex digits of the content hash in a citation; the page has all of it."""

_MEANING: Final = {
    "results": "result, with its conditions and trust fields",
    "scores": "value of a result, with ranks and uncertainty",
    "config": "setting of a result, as recorded and folded",
    "sources": "paper, run or other document",
    "benchmarks": "benchmark",
    "benchmark_metrics": "metric of a benchmark, as recorded and as cited",
    "tasks": "task",
    "datasets": "dataset",
    "metrics": "metric, with its direction and what is cited for it",
    "methods": "method",
    "events": "correction, dispute, check or retraction",
    "redirects": "identifier that has another name now",
}
_COUNTS: Final = {
    "accepted": "Records accepted",
    "rejected": "Records refused by validation",
    "hidden": "Records accepted but not published",
}


def about_page(catalog: Catalog, site: Site, parquet: Path) -> AboutPage:
    """The page, from the manifest of the compiled tables."""
    manifest = read_manifest(parquet)
    content = manifest["content"]
    return AboutPage(
        address=ADDRESS,
        title="About the data",
        description=f"{site.title} as data: its terms, what it holds, in which forms, and how to cite it.",
        crumbs=(),
        licence=catalog.registry["licence"] or words.NOT_RECORDED,
        contact=catalog.registry["contact"] or "",
        content=content,
        counts=tuple((label, catalog.accounting.get(name, 0)) for name, label in _COUNTS.items()),
        tables=tuple(
            TableFile(name, table_meaning(name), entry["rows"], _size(parquet / name), entry["sha256"])
            for name, entry in manifest["files"].items()
        ),
        schemas=SCHEMA_FILES,
        formats=_formats(site),
        citation=_citation(site, content),
        bibtex=collection_bibtex(site, content),
    )


def table_meaning(name: str) -> str:
    """What one row of a table is about; takes the name of the table or of its file."""
    return _MEANING[name.removesuffix(".parquet")]


def collection_bibtex(site: Site, content: str) -> str:
    """The entry of the collection in the state that a content hash names."""
    fields = [
        ("title", f"{{{bibtex_text(site.title)}}}"),
        ("howpublished", "Collection of machine-learning results"),
        ("version", f"sha256:{content[:SHOWN_HASH]}"),
        ("note", f"Content hash sha256:{content}"),
        ("url", bibtex_address(site.base_url)),
    ]
    return entry("misc", f"results-{content[:8]}", fields)


def _citation(site: Site, content: str) -> str:
    place = f", {site.base_url}" if site.base_url else ""
    return f"{site.title}{place}, state sha256:{content[:SHOWN_HASH]}. Cite the source of each number beside it."


def _formats(site: Site) -> tuple[tuple[str, str], ...]:
    forms = [
        ("Markdown", "the address of a page with .md instead of /index.html; at most 100 results to a file"),
        ("JSON", "the same with .json: benchmarks, tasks, datasets, metrics, methods, papers, corrections"),
        ("CSV", "the same with .csv: the results of a benchmark, values as printed"),
        ("Parquet", "data/*.parquet: everything, typed, one file for each table"),
        ("For language models", "llms.txt leads to the Markdown pages; llms-full.txt holds the first of them in full"),
        ("For catalogues", "data/croissant.json, and schema.org descriptions inside the pages of benchmarks"),
        ("For hosts", "_headers and .htaccess set the types and the security headers that these files want"),
    ]
    if site.base_url:
        forms.append(("Feeds", "feed.xml, and one beside each task and benchmark with dated results, as Atom"))
    return tuple(forms)


def _size(path: Path) -> int:
    return path.stat().st_size
