"""Single facts of a page: ids, dates, names, words and JSON, each as records may hold it, or refused with its line."""

import json
import re
from pathlib import PurePosixPath
from typing import Any, Final

from pydantic_core import PydanticCustomError

from sotakit.exchange.blocks import Block, Inline
from sotakit.publish.words import NOT_RECORDED
from sotaschema.base import check_date
from sotaschema.identity import ID_PATTERN

MAX_LINE: Final = 1000


class NotUnderstood(Exception):  # noqa: N818 - named for the situation
    """A line that cannot be read."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def target_id(inline: Inline) -> str | None:
    """The id in the address of a paper's page."""
    links = inline.links
    path = links[0][1].split("?")[0].split("#")[0] if links else ""
    return PurePosixPath(path).name.removesuffix(".md") or None


def date_or_none(line: int, text: str) -> str | None:
    """A date as printed; None where none is recorded."""
    if text == NOT_RECORDED:
        return None
    try:
        return check_date(text)
    except PydanticCustomError as error:
        raise NotUnderstood(line, f"the result date {text!r} is none: {error}; is the line whole?") from error


def line_of_text(line: int, text: str, what: str) -> str:
    """A name or value as records may hold it. Control characters may pass here: they are made visible where shown."""
    if not 0 < len(text) <= MAX_LINE:
        raise NotUnderstood(line, f"{what} has {len(text):,} characters; expected 1 to {MAX_LINE:,}")
    if "\n" in text:
        raise NotUnderstood(line, f"{what} goes on in a second line: {text[:80]!r}")
    return text


def paper_id(block: Block, text: str, name: str) -> str | None:
    """The id of a paper: `Reporting paper: [title](<address>)`, or `[Reporting paper](<address>)` as others have it."""
    links, outside = block.inline.links, block.inline.outside_links
    if not links and text == NOT_RECORDED:
        return None
    alone = (outside, links[0][0]) == ("", name) if links else False
    if len(links) != 1 or not (alone or outside == f"{name}: "):
        raise NotUnderstood(block.line, f"expected `{name}: [title](<address>)` and nothing behind it")
    return identifier(block, target_id(block.inline) or "")


def identifier(block: Block, text: str) -> str:
    """An id as records may have it."""
    if not re.fullmatch(ID_PATTERN, text):
        raise NotUnderstood(
            block.line, f"{text[:80]!r} is no id: expected lower-case letters, digits, '.', '_' and '-'"
        )
    return text


def object_in(block: Block, raw: str, what: str) -> tuple[dict[str, Any], int]:
    """The JSON object at the start of a text, and where it ends."""
    try:
        value, end = json.JSONDecoder(object_pairs_hook=_object).raw_decode(raw)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise NotUnderstood(block.line, f"{what} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise NotUnderstood(block.line, f"{what} is not a JSON object")
    return value, end


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key appears twice")
    return value


def one_word(block: Block, word: str, allowed: tuple[str, ...]) -> str:
    """A word of a closed list."""
    if word not in allowed:
        raise NotUnderstood(block.line, f"{word!r} is not one of {', '.join(allowed)}")
    return word
