"""Escapers for Markdown and llms.txt: record text comes from strangers and must come out as text, exactly.

HTML is escaped by jinja2 and, in rows, by `html_text`. Text that Markdown cannot carry unchanged (double spaces, line
breaks) is printed as a JSON string in a code span, so that a reader of the page gets it back.
"""

import re
from functools import lru_cache
from html import escape
from typing import Any

from sotakit.settings import tight_json

_MARKS = re.compile(r"[\\`*_\[\]<>|~&#@$^]|(?<=\bwww)\.|:(?=//)", re.IGNORECASE)
_BLOCK_START = re.compile(r"^([-+=:])|^([0-9]{1,9})([.)])(?=\s|$)")
_WORD = "[0-9A-Za-z(),;/%'?-]"
_PLAIN = re.compile(rf"[A-Za-z(]{_WORD}*(?: {_WORD}+)*|[0-9]+(?:\.[0-9]+|(?:[ -][0-9A-Za-z]+)*)")
"""Most names and numbers, which mean nothing in Markdown but themselves."""

_SPACES = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+")
_UNSAFE_IN_SPAN = re.compile(r"[`|\x7f-\x9f\u061c\u2000-\u200f\u2028-\u202f\u205f\u2066-\u2069\u00a0\ufeff]")
_ENTITY = re.compile(r"&(?=#?[0-9A-Za-z]+;)")
REMEMBERED = 1 << 14
"""Escaped texts that are kept: names, titles and settings come again on page after page."""

_UNSAFE_IN_URL = re.compile(r"[\x00-\x20<>\\`|\"{}^\x7f]")


html_text = lru_cache(REMEMBERED)(escape)
"""Text for any place in HTML; for texts that stand on many pages, since the last ones are kept."""


@lru_cache(REMEMBERED)
def narrow(html: str) -> str:
    """HTML with references for what lies beyond Latin-1.

    One such letter would double the memory of all the text that it is joined to.
    """
    return html.encode("latin-1", "xmlcharrefreplace").decode("latin-1")


class Markdown(str):
    """Text that is Markdown already and is not escaped again."""

    __slots__ = ()


@lru_cache(REMEMBERED)
def md_text(text: str) -> Markdown:
    """Text for any place inside a line; white space and control characters collapse to single spaces."""
    if _PLAIN.fullmatch(text):
        return Markdown(text)
    plain = _SPACES.sub(" ", text).strip()
    escaped = _MARKS.sub(r"\\\g<0>", plain)
    return Markdown(_BLOCK_START.sub(lambda found: f"\\{found[1]}" if found[1] else f"{found[2]}\\{found[3]}", escaped))


@lru_cache(REMEMBERED)
def md_verbatim(text: str) -> Markdown:
    """Text that must be read back unchanged: plain where Markdown keeps it so, else a JSON string in a code span."""
    if _PLAIN.fullmatch(text):
        return Markdown(text)
    return md_text(text) if text and text == _SPACES.sub(" ", text).strip() else md_json(text)


def md_json(value: Any) -> Markdown:
    """A value as JSON in a code span; characters that end a span or a table cell are written as JSON escapes."""
    return _span(tight_json(value))


@lru_cache(REMEMBERED)
def _span(written: str) -> Markdown:
    return Markdown(f"`{_UNSAFE_IN_SPAN.sub(_json_escape, written)}`")


@lru_cache(REMEMBERED, typed=True)
def md_link(text: str, url: str) -> Markdown:
    """A link with its target in angle brackets, as CommonMark reads it whatever the target holds."""
    return Markdown(f"[{text if isinstance(text, Markdown) else md_text(text)}](<{md_target(url)}>)")


def md_target(url: str) -> str:
    """An address as it stands between angle brackets."""
    return _ENTITY.sub("&amp;", _encode(url))


def md_id(identifier: str) -> str:
    """An identifier as `md_text` writes it, without looking for all the characters that it cannot have."""
    return identifier.replace("_", "\\_") if "www." not in identifier else md_text(identifier)


@lru_cache(REMEMBERED)
def llms_link(title: str, url: str, description: str) -> str:
    """An item of llms.txt in the form its reference parser reads: bare target, no brackets in the title, one line."""
    target = _encode(url).replace("(", "%28").replace(")", "%29")
    return f"- [{llms_text(title)}]({target}): {llms_text(description)}"


def llms_text(text: str) -> str:
    """Text on one line that makes no link and no HTML where llms.txt is read as Markdown, and is plain otherwise."""
    return re.sub(r"[\\`<]", r"\\\g<0>", one_line(text).translate(str.maketrans("[]", "()")))


def one_line(text: str) -> str:
    """Text on one line, without control characters."""
    return _SPACES.sub(" ", text).strip()


def _encode(url: str) -> str:
    return _UNSAFE_IN_URL.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), url)


def _json_escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
