"""A Markdown page as a flat list of blocks with their lines: what reading pages needs of CommonMark with tables."""

import json
import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token


@dataclass(frozen=True)
class Inline:
    """Text of one block, cell or item."""

    raw: str
    """The Markdown as it stands in the file."""
    tokens: list[Token] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text a reader sees."""
        return "".join("\n" if token.type == "softbreak" else token.content for token in self.tokens)

    @property
    def verbatim(self) -> str:
        """The text, with a JSON string in a lone code span decoded, also where it is the text of a link."""
        tokens = self.tokens
        if len(tokens) == 3 and tokens[0].type == "link_open" and tokens[2].type == "link_close":
            tokens = tokens[1:2]
        value = json_text(tokens[0].content) if len(tokens) == 1 and tokens[0].type == "code_inline" else None
        return self.text if value is None else value

    @property
    def links(self) -> list[tuple[str, str]]:
        """Text and target of every link; a JSON string in a code span as the text is decoded."""
        found: list[tuple[str, str]] = []
        start, target = 0, ""
        for position, token in enumerate(self.tokens):
            if token.type == "link_open":
                start, target = position + 1, unquote(str(token.attrs["href"]))
            elif token.type == "link_close":
                found.append((Inline("", self.tokens[start:position]).verbatim, target))
        return found

    @property
    def outside_links(self) -> str:
        """The text that is not the text of a link."""
        shown, inside = "", False
        for token in self.tokens:
            inside = token.type == "link_open" or (inside and token.type != "link_close")
            shown += "" if inside else token.content
        return shown

    @property
    def codes(self) -> list[str]:
        """The contents of all code spans."""
        return [token.content for token in self.tokens if token.type == "code_inline"]

    def labelled(self) -> "tuple[Inline, Inline] | None":
        """For `**label:** rest`: the label without its colon, and the rest; None where a block starts otherwise."""
        kinds = [token.type for token in self.tokens if token.type != "text" or token.content]
        tokens = [token for token in self.tokens if token.type != "text" or token.content]
        if not kinds or kinds[0] != "strong_open" or "strong_close" not in kinds:
            return None
        end = kinds.index("strong_close")
        return Inline("", _without_colon(tokens[1:end])), Inline("", _stripped(tokens[end + 1 :]))


@dataclass(frozen=True)
class Block:
    """A heading, paragraph, item, table row or piece of HTML, with its line."""

    kind: str
    line: int
    level: int = 0
    cells: list[Inline] = field(default_factory=list)
    header: bool = False
    """Whether it is the first row of a table."""
    width: int = 0
    """How many cells a row of a table has in the file: Markdown drops and adds some to fit the first row."""

    @property
    def inline(self) -> Inline:
        """The only text of a block that is no table row."""
        return self.cells[0]


def blocks(text: str) -> list[Block]:
    """The blocks of a page in order."""
    found: list[Block] = []
    outer: list[str] = []
    line = 1
    lines = re.split(r"\r\n?|\n", text)
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        line = token.map[0] + 1 if token.map else line
        if token.type == "tr_open":
            found.append(Block("row", line, header=outer[-1:] == ["thead_open"], width=_cells(lines[line - 1])))
        elif token.type == "inline":
            inline = Inline(token.content, token.children or [])
            if outer[-1] in ("th_open", "td_open"):
                found[-1].cells.append(inline)
            else:
                kind = "item" if "list_item_open" in outer else "quote" if "blockquote_open" in outer else outer[-1]
                level = int(outer[-1][-1]) if outer[-1].startswith("heading") else 0
                found.append(Block(kind.rstrip("123456").removesuffix("_open"), line, level, [inline]))
        elif token.type in ("html_block", "fence", "code_block"):
            found.append(Block(token.type, line, 0, [Inline(token.content)]))
        if token.nesting == 1:
            outer.append(token.type + (token.tag[1:] if token.type == "heading_open" else ""))
        elif token.nesting == -1:
            outer.pop()
    return found


def _cells(row: str) -> int:
    """The number of cells between the bars of a row; a bar behind a backslash is text."""
    inside = row.strip().removeprefix("|")
    return len(re.split(r"(?<!\\)\|", inside.removesuffix("|")))


def json_text(code: str) -> str | None:
    """The string that a code span holds as JSON; None if it holds anything else, or text that UTF-8 cannot carry."""
    try:
        value = json.loads(code)
        if not isinstance(value, str):
            return None
        value.encode()
    except (ValueError, RecursionError):
        return None
    return value


def _without_colon(tokens: list[Token]) -> list[Token]:
    """The tokens of a label without the colon at their end."""
    last = tokens[-1] if tokens else None
    if last is None or last.type != "text" or not last.content.endswith(":"):
        return tokens
    shortened = Token(last.type, last.tag, last.nesting, content=last.content[:-1])
    return [*tokens[:-1], shortened] if shortened.content else tokens[:-1]


def _stripped(tokens: list[Token]) -> list[Token]:
    """The tokens of a value without the space before it."""
    if not tokens or tokens[0].type != "text":
        return tokens
    first = Token(tokens[0].type, tokens[0].tag, tokens[0].nesting, content=tokens[0].content.lstrip(" "))
    return [first, *tokens[1:]] if first.content else tokens[1:]
