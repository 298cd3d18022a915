"""The section of one result on a benchmark page: its lines read into fields, each line known or the page is refused.

Two forms are read: our own (`Result ID: X. Origin: reported, paper. Result date: 2026.`, scores as a list) and the one
that others serve (`IM1 Score: 1.64. Result ID: X.`, configuration as plain JSON).
"""

import json
import re
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, get_args

from sotakit.exchange.blocks import Block, Inline
from sotakit.publish.words import NOT_RECORDED
from sotaschema.vocabulary import Origin, Reproduction, SourceType

CONFIG = "Recorded evaluation configuration: "

_OWN_FIELDS = re.compile(
    r"Result ID: (?P<id>\S+)\. Origin: (?P<origin>\w+), (?P<type>\w+)\. Result date: (?P<date>.+)\."
)


class NotUnderstood(Exception):  # noqa: N818 - named for the situation
    """A line that cannot be read."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


@dataclass
class Section:
    """One result while its section is read."""

    line: int
    method: str
    id: str = ""
    scores: dict[str, str] = field(default_factory=dict)
    config: dict[str, Any] | None = None
    date: str | None = None
    reporting: str | None = None
    origin_paper: str | None = None
    origin: str = "reported"
    source_type: str = "paper"
    reproduction: str = "not_attempted"
    own: bool = False
    """Whether the section has our own form."""

    def read(self, block: Block, metric: str) -> None:
        """Take in one paragraph or item of the section, on a page of the given metric."""
        text = block.inline.text
        if block.kind == "item":
            self._read_score(block)
        elif text.startswith("Result ID: "):
            self._read_own_fields(block)
        elif ". Result ID: " in text:
            self._read_value_and_id(block, metric)
        elif text.startswith(CONFIG):
            self.config = _config(block)
        elif text.startswith("Reporting paper"):
            self.reporting = target_id(block.inline)
        elif text.startswith("Method origin paper"):
            self.origin_paper = target_id(block.inline)
        elif text.startswith("Reproduction: "):
            self.reproduction = _word(block, (block.inline.codes or [""])[0], get_args(Reproduction))

    def check(self) -> None:
        """Whether everything is there that each section has."""
        if not self.id or self.config is None or not self.scores:
            raise NotUnderstood(self.line, f"the section of {self.method!r} lacks its id, configuration or value")

    def _read_value_and_id(self, block: Block, metric: str) -> None:
        value, _, identifier = block.inline.text.rpartition(". Result ID: ")
        if not value.startswith(f"{metric}: "):
            raise NotUnderstood(block.line, f"expected `{metric}: VALUE. Result ID: ID.`")
        self._set_id(block, identifier.removesuffix("."))
        self.scores[metric] = value.removeprefix(f"{metric}: ")

    def _read_score(self, block: Block) -> None:
        parts = block.inline.labelled()
        if parts is None:
            raise NotUnderstood(block.line, "expected a score as `**metric:** value`")
        label, value = parts
        code = value.tokens[0] if value.tokens and value.tokens[0].type == "code_inline" else None
        if label.verbatim in self.scores:
            raise NotUnderstood(block.line, f"the metric {label.verbatim!r} appears twice")
        self.scores[label.verbatim] = Inline("", [code]).verbatim if code else value.text

    def _read_own_fields(self, block: Block) -> None:
        found = _OWN_FIELDS.fullmatch(block.inline.text)
        if found is None:
            raise NotUnderstood(block.line, "expected `Result ID: ID. Origin: ORIGIN, TYPE. Result date: DATE.`")
        self._set_id(block, found["id"])
        self.origin = _word(block, found["origin"], get_args(Origin))
        self.source_type = _word(block, found["type"], get_args(SourceType))
        self.date = date_or_none(found["date"])
        self.own = True

    def _set_id(self, block: Block, identifier: str) -> None:
        if self.id:
            raise NotUnderstood(block.line, f"a second result id in the section of {self.method!r}")
        self.id = identifier


def compare_with_table(rows: list[Block], sections: list[Section]) -> None:
    """Pages of others give dates in the table only, whose rows stand in the order of the sections.

    What the table repeats must agree with the sections; `rows` starts with the header.
    """
    if not sections and not rows:
        return
    header = [cell.text for cell in rows[0].cells] if rows else []
    if "Method" not in header:
        raise NotUnderstood(sections[0].line if sections else rows[0].line, "the table of recorded results is missing")
    if len(rows) - 1 != len(sections):
        raise NotUnderstood(rows[0].line, f"the table has {len(rows) - 1} rows for {len(sections)} results")
    for row, section in zip(rows[1:], sections, strict=True):
        cells = {name: cell.text for name, cell in zip(header, row.cells, strict=False)}
        if cells["Method"] != section.method:
            raise NotUnderstood(row.line, f"the row of {cells['Method']!r} does not match {section.method!r}")
        for label, text in section.scores.items():
            if cells.get(label, text) != text:
                raise NotUnderstood(row.line, f"the row has {cells[label]!r} where its section has {text!r}")
        if section.reporting is None and cells.get("Report paper", NOT_RECORDED) != NOT_RECORDED:
            raise NotUnderstood(section.line, f"the section of {section.method!r} lacks its reporting paper")
        section.date = date_or_none(cells.get("Result date", NOT_RECORDED))


def target_id(inline: Inline) -> str | None:
    """The id in the address of a paper's page."""
    links = inline.links
    path = links[0][1].split("?")[0].split("#")[0] if links else ""
    return PurePosixPath(path).name.removesuffix(".md") or None


def date_or_none(text: str) -> str | None:
    """A date as printed; None where none is recorded."""
    return None if text == NOT_RECORDED else text


def _config(block: Block) -> dict[str, Any]:
    """The configuration: JSON in a code span, or plain JSON as others print it."""
    raw = block.inline.raw.removeprefix(CONFIG)
    if raw.startswith("`") and block.inline.codes:
        raw = block.inline.codes[0]
    try:
        value, _ = json.JSONDecoder(object_pairs_hook=_object).raw_decode(raw)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise NotUnderstood(block.line, f"the recorded evaluation configuration is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise NotUnderstood(block.line, "the recorded evaluation configuration is not a JSON object")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key appears twice")
    return value


def _word(block: Block, word: str, allowed: tuple[str, ...]) -> str:
    if word not in allowed:
        raise NotUnderstood(block.line, f"{word!r} is not one of {', '.join(allowed)}")
    return word
