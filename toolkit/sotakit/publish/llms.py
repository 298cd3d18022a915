"""llms.txt: what is here, for language models, in the form its reference parser and strict validators read."""

from sotakit.catalog import Catalog
from sotakit.publish import urls, words
from sotakit.publish.contexts import Site
from sotakit.publish.escape import llms_link, one_line
from sotakit.publish.home_page import board_line


def llms_txt(catalog: Catalog, site: Site) -> str:
    """The index: title, summary, how to read the data, then links to every benchmark and to the lists of the rest."""

    def item(title: str, target: str, description: str) -> str:
        return llms_link(title, urls.from_markdown("llms.txt", target, site.base_url), description)

    boards = sorted(catalog.boards.values(), key=lambda board: str(board.benchmark["title"]).casefold())
    lines = [
        f"# {one_line(site.title)}",
        "",
        f"> {one_line(site.description)}",
        "",
        words.READING_NOTE,
        "",
        "## Benchmarks",
        "",
        *(item(b.benchmark["title"], urls.benchmark(b.benchmark["id"]).md, board_line(b)) for b in boards),
        "",
        "## Lists",
        "",
        item("First page", urls.HOME.md, "counts and benchmarks by task"),
        *(
            item(words.KIND_TITLES[folder], urls.listing(folder).md, f"all {words.KIND_TITLES[folder].lower()}")
            for folder in ("sota", *urls.ENTITY_FOLDERS.values())
        ),
        "",
        "## Data",
        "",
        item("Manifest of the Parquet tables", "data/manifest.json", "row counts and hashes of data/*.parquet"),
        item("Record format", "schema/result.schema.json", "JSON Schema of a result; its siblings describe the rest"),
    ]
    return "\n".join(lines) + "\n"
