"""Building sites in tests, and reading their pages with parsers that are not the toolkit's own."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from sotakit.publish.build import SiteOptions, build_site
from sotakit.validate import validate

AS_OF = "2026-06-01"
TINY = Path(__file__).resolve().parent / "tiny"
VOID = {"meta", "link", "br", "img", "input", "hr", "base", "rect"}


def build(data: Path, out: Path, base_url: str | None = None, site: Path | None = None) -> Path:
    """Validate, compile and publish; gives the folder of the site."""
    outcome = validate(data, out.parent / f"{out.name}.build", AS_OF)
    assert outcome.tables, [str(finding) for finding in outcome.findings]
    build_site(outcome.tables, SiteOptions(out, site, base_url))
    return out


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@dataclass
class Node:
    """An element of an HTML page."""

    tag: str
    attrs: dict[str, str | None] = field(default_factory=dict)
    children: list["Node | str"] = field(default_factory=list)

    def all(self, tag: str | None = None, **attrs: str) -> list["Node"]:
        """All elements below with a tag and attributes; `class_` for class, `_` for `-`."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attrs.items()}
        return [
            node
            for node in self.walk()
            if (tag is None or node.tag == tag) and all(node.attrs.get(name) == wanted[name] for name in wanted)
        ]

    def one(self, tag: str | None = None, **attrs: str) -> "Node":
        """The only such element."""
        found = self.all(tag, **attrs)
        assert len(found) == 1, f"{len(found)} of {tag} {attrs}"
        return found[0]

    def walk(self) -> Iterator["Node"]:
        """Every element below, in order."""
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child.walk()

    @property
    def text(self) -> str:
        """The text inside, with white space collapsed."""
        return " ".join(self.raw.split())

    @property
    def raw(self) -> str:
        """The text inside, as it stands."""
        return "".join(child if isinstance(child, str) else child.raw for child in self.children)


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("#root")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute twice in <{tag}>"
        node = Node(tag, dict(attrs))
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse_html(text: str) -> Node:
    """The tree of a page whose elements all close in order."""
    builder = _Builder()
    builder.feed(text)
    builder.close()
    assert len(builder.open) == 1, f"<{builder.open[-1].tag}> is not closed"
    return builder.root


def parse_markdown(text: str) -> list[Token]:
    """Tokens of CommonMark with tables."""
    return MarkdownIt("commonmark").enable("table").parse(text)


def inline_text(token: Token) -> str:
    """The text a reader sees of an inline token."""
    return "".join("\n" if child.type == "softbreak" else child.content for child in token.children or [])


def markdown_tables(text: str) -> list[list[list[str]]]:
    """Every table as rows of cell texts, the header first."""
    tables: list[list[list[str]]] = []
    for token in parse_markdown(text):
        if token.type == "table_open":
            tables.append([])
        elif token.type == "tr_open":
            tables[-1].append([])
        elif token.type == "inline" and tables and len(tables[-1]) and token.level >= 4:
            tables[-1][-1].append(inline_text(token))
    return tables


def headings(text: str) -> list[tuple[int, str]]:
    """Level and text of every heading."""
    tokens = parse_markdown(text)
    return [
        (int(token.tag[1]), inline_text(tokens[at + 1]))
        for at, token in enumerate(tokens)
        if token.type == "heading_open"
    ]


def markdown_links(text: str) -> list[str]:
    """The target of every link of a page."""
    found: list[Any] = []
    for token in parse_markdown(text):
        found += [child.attrs["href"] for child in token.children or [] if child.type == "link_open"]
    return found


def markdown_anchors(text: str) -> set[str]:
    """Ids of the anchors written as HTML."""
    return set(re.findall(r'<a id="([^"]+)"></a>', text))
