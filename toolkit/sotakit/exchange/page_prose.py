"""What a benchmark page says of itself or of its benchmark: no part of any result, so told apart from what was read."""

import re
from collections.abc import Iterable
from typing import Final

from sotakit.exchange.blocks import Block
from sotakit.exchange.page import RESULTS
from sotakit.publish.words import LIKE_FOR_LIKE, NOT_RECORDED, SETTINGS_NOTE

_PHRASES: Final = (LIKE_FOR_LIKE, SETTINGS_NOTE)
_STARTS: Final = re.compile(
    r"Source: |Collection index: |Best recorded here|No best value is named: |Disputed: "
    r"|Added here for regenerated results, "
)
"""How the lines of our pages begin that follow from the results and metrics below them."""
_TEXTS: Final = ("paragraph", "quote", "fence", "code_block", "html_block")
_READ: Final = ("Scope", "Task", "Dataset (including any stated split)", "Metric", "Unit", "Results loaded")
_DERIVED: Final = ("Direction", "Distinct claims", "No longer standing", "Transcription", "Coverage")
"""Rows of the scope that are read or follow from what is read; others that begin with a word of these do, too."""


def prose_lines(blocks: Iterable[Block]) -> list[int]:
    """The lines before the results that state something which no record holds: a description, a protocol, a time.

    Notices of our own pages follow from the results; what others put into a quote may be anything.
    """
    every, lines = list(blocks), list[int]()
    own = bool(every) and bool(every[-1].cells) and "Checksum: " in every[-1].inline.text
    for block in every[1:]:
        if block.kind == "heading" and block.inline.text in RESULTS:
            break  # from here on each line is read
        if block.kind == "row":
            unread = block.width == 2 and not block.header and _states_more(block)
        else:
            unread = block.kind in _TEXTS and not _is_known(block) and not (own and block.kind == "quote")
        if unread:
            lines.append(block.line)
    return lines


def lines_in_words(lines: list[int]) -> str:
    """ "line 5" or "lines 5, 9 and 27"."""
    *first, last = map(str, lines)
    return f"lines {', '.join(first)} and {last}" if first else f"line {last}"


def _states_more(row: Block) -> bool:
    name, value = row.cells[0].text, row.cells[1].text
    return value != NOT_RECORDED and name not in _READ and not name.startswith(_DERIVED)


def _is_known(block: Block) -> bool:
    text = block.inline.text
    return text in _PHRASES or _STARTS.match(text) is not None or text == f"Data updated: {NOT_RECORDED}"
