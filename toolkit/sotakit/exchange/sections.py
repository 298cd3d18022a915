"""The section of one result on a benchmark page: its lines read into fields, each line known or the page is refused.

Two forms are read: our own (`Result ID: X. Origin: reported, paper. Result date: 2026.`, scores as a list) and the one
that others serve (`IM1 Score: 1.64. Result ID: X.`, configuration as plain JSON).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, get_args

from sotakit.exchange.blocks import Block, Inline
from sotakit.exchange.page_facts import (
    NotUnderstood,
    date_or_none,
    identifier,
    line_of_text,
    object_in,
    one_word,
    paper_id,
)
from sotakit.exchange.page_scores import StatedScore
from sotakit.publish.result_facts import LABELS
from sotakit.publish.words import NOT_RECORDED, REPRODUCTION, REPRODUCTION_BEFORE
from sotaschema.values import MAX_VALUE_TEXT
from sotaschema.vocabulary import Origin, SourceType, Transcription

CONFIG: Final = "Recorded evaluation configuration: "
SAYS_NOTHING: Final = re.compile(r"This record (?:does not assert|says nothing about) [^.]*\.")
"""What pages of others say behind a configuration: no fact, but that there is none."""

ANCHOR: Final = re.compile(r'<a id="[^"<>]*"></a>\s*')
"""Where a link to a result leads; it stands before the heading of the result."""


@dataclass
class Section:
    """One result while its section is read."""

    line: int
    method: str
    part: str = ""
    """The heading under which it stands."""
    id: str = ""
    scores: dict[str, StatedScore] = field(default_factory=dict)
    config: dict[str, Any] | None = None
    date: str | None = None
    reporting: str | None = None
    origin_paper: str | None = None
    origin: str = "reported"
    source_type: str = "paper"
    reproduction: str = "not_attempted"
    more: dict[str, Any] = field(default_factory=dict)
    """What the section states besides, by the name of the fact."""
    own: bool = False
    """Whether the section has our own form."""
    seen: set[str] = field(default_factory=set)
    """The lines that were read, by their labels."""
    unknown: tuple[int, str] | None = None
    """The first line that is none of those below."""

    def read(self, block: Block, metric: str) -> None:
        """Take in one block of the section, on a page of the given metric."""
        text = block.inline.text
        line = next((line for line in LINES if text.startswith(line[0].label) or f"{text}: " == line[0].label), None)
        if ANCHOR.fullmatch(block.inline.raw):
            return  # where the link to a result leads
        if block.kind == "item":
            self._read_score(block)
        elif block.kind != "paragraph":
            raise NotUnderstood(block.line, f"a {block.kind} in the section of {self.method!r} cannot be read")
        elif text.startswith(f"{metric}: ") and ". Result ID: " in text:
            self._read_value_and_id(block, metric)
        elif line:
            self._read_facts(block, line)
        elif ". Result ID: " in text:
            raise NotUnderstood(block.line, f"expected `{metric}: VALUE. Result ID: ID.`")
        else:
            self.unknown = self.unknown or (block.line, text)

    def check(self) -> None:
        """Whether everything is there that each section has."""
        whole = self.id and self.config is not None and self.scores
        if not whole or (self.own and "Reproduction: " not in self.seen):
            what = "id, configuration, value or reproduction" if self.own else "id, configuration or value"
            raise NotUnderstood(self.line, f"the section of {self.method!r} lacks its {what}")
        if self.unknown:
            line, text = self.unknown
            raise NotUnderstood(line, f"the section of {self.method!r} has a line that is not known: {text[:80]!r}")
        line_of_text(self.line, self.method, "the name of a method")

    def set_id(self, block: Block, text: str) -> None:
        """Keep the id of the result, once."""
        if self.id:
            raise NotUnderstood(block.line, f"a second result id in the section of {self.method!r}")
        self.id = identifier(block, text)

    def _read_facts(self, block: Block, line: "tuple[Fact, ...]") -> None:
        """A line of ours: its facts in their order, each after its label."""
        first = line[0].label
        if first in self.seen:
            raise NotUnderstood(block.line, f"a second `{first.strip()}` in the section of {self.method!r}")
        self.seen.add(first)
        if len(line) == 1:
            line[0].read(self, block, block.inline.text.removeprefix(first))
            return
        found = _pattern(line).fullmatch(block.inline.text)
        if found is None:
            form = ". ".join(f"{fact.label}…" for fact in line)
            raise NotUnderstood(block.line, f"expected `{form}.`")
        for fact, value in zip(line, found.groups(), strict=True):
            if value is not None:
                fact.read(self, block, value)

    def _read_value_and_id(self, block: Block, metric: str) -> None:
        value, _, identifier = block.inline.text.rpartition(". Result ID: ")
        self.set_id(block, identifier.removesuffix("."))
        self._set_score(block, metric, StatedScore(value.removeprefix(f"{metric}: ")))

    def _read_score(self, block: Block) -> None:
        parts = block.inline.labelled()
        if parts is None:
            raise NotUnderstood(block.line, "expected a score as `**metric:** value`")
        label, value = parts
        score = StatedScore(value.text)
        if value.tokens and value.tokens[0].type == "code_inline":
            behind = re.fullmatch(r"(?: \((.*)\))?", Inline("", value.tokens[1:]).text)
            if behind is None:
                raise NotUnderstood(block.line, 'expected a score as `"text"` and what belongs to it in parentheses')
            score = StatedScore(Inline("", value.tokens[:1]).verbatim, behind[1] or "")
        self._set_score(block, label.verbatim, score)

    def _set_score(self, block: Block, label: str, score: StatedScore) -> None:
        if label in self.scores:
            raise NotUnderstood(block.line, f"the metric {label!r} appears twice")
        if len(score.text) > MAX_VALUE_TEXT:
            raise NotUnderstood(block.line, f"a value of more than {MAX_VALUE_TEXT} characters")
        if score.text:
            line_of_text(block.line, score.text, f"the value of {label!r}")
        self.scores[label] = score


class Fact(NamedTuple):
    """One fact of a line: the label before it, and how it is read into a section."""

    label: str
    read: Callable[[Section, Block, str], None]
    optional: bool = False


def _read_id(section: Section, block: Block, text: str) -> None:
    section.set_id(block, text)
    section.own = True


def _read_origin(section: Section, block: Block, text: str) -> None:
    origin, _, source_type = text.partition(", ")
    section.origin = one_word(block, origin, get_args(Origin))
    section.source_type = one_word(block, source_type, get_args(SourceType))


def _read_date(section: Section, block: Block, text: str) -> None:
    section.date = date_or_none(block.line, text)


def _read_reporting(section: Section, block: Block, text: str) -> None:
    section.reporting = paper_id(block, text, "Reporting paper")


def _read_origin_paper(section: Section, block: Block, text: str) -> None:
    section.origin_paper = paper_id(block, text, "Method origin paper")


def _read_config(section: Section, block: Block, text: str) -> None:
    """The configuration: JSON in a code span, or plain JSON as others print it, with a sentence behind it."""
    raw = block.inline.raw.removeprefix(CONFIG)
    if raw.startswith("`"):
        raw = text
    section.config, end = object_in(block, raw, "the recorded evaluation configuration")
    remark = raw[end:].removeprefix(".").strip()
    if raw[end:] and not raw[end:].startswith("."):
        raise NotUnderstood(block.line, f"behind the configuration stands {raw[end:][:80]!r}")
    if remark and not SAYS_NOTHING.fullmatch(remark):
        section.more["remark"] = remark


def _read_settings(section: Section, block: Block, text: str) -> None:
    section.more["settings"], end = object_in(block, text, "the settings")
    if text[end:]:
        raise NotUnderstood(block.line, f"behind the settings stands {text[end:][:80]!r}")


def _read_reproduction(section: Section, block: Block, text: str) -> None:
    word = one_word(block, text.partition(" ")[0], tuple(REPRODUCTION))
    if text not in (f"{word} ({said[word]})" for said in (REPRODUCTION, REPRODUCTION_BEFORE) if word in said):
        raise NotUnderstood(block.line, f"expected `Reproduction: {word} ({REPRODUCTION[word]}).`")
    section.reproduction = word


def _kept(name: str) -> Callable[[Section, Block, str], None]:
    """Keep a fact in the words of the page, unless it is that nothing is recorded."""

    def read(section: Section, _block: Block, text: str) -> None:
        if text != NOT_RECORDED:
            section.more[name] = text

    return read


def _said(name: str) -> Callable[[Section, Block, str], None]:
    """Keep a line that is a sentence."""

    def read(section: Section, _block: Block, text: str) -> None:
        section.more[name] = text.removesuffix(".")

    return read


def _verbatim(name: str) -> Callable[[Section, Block, str], None]:
    """Keep a text as it is recorded, which stands in a code span as JSON where Markdown would change it."""

    def read(section: Section, block: Block, text: str) -> None:
        section.more[name] = Inline("", block.inline.tokens[-1:]).verbatim if block.inline.codes == [text] else text

    return read


def _read_transcription(section: Section, block: Block, text: str) -> None:
    """How the value was copied; what a record says unless it says something else is not repeated."""
    word = one_word(block, text.removesuffix("."), get_args(Transcription))
    if word != "unchecked":
        section.more["transcription"] = word


LINES: Final[tuple[tuple[Fact, ...], ...]] = (
    (Fact("Result ID: ", _read_id), Fact("Origin: ", _read_origin), Fact("Result date: ", _read_date)),
    (Fact("Reporting paper: ", _read_reporting),),
    (Fact("Method origin paper: ", _read_origin_paper),),
    (Fact(CONFIG, _read_config),),
    (Fact("Settings: ", _read_settings),),
    (Fact("Regenerate with: ", _verbatim("command")),),
    *[(Fact(f"{label}: ", _verbatim(name)),) for name, label in LABELS.items()],
    (Fact("Standing: ", _said("standing")),),
    (Fact("Transcription: ", _read_transcription),),
    (Fact("Regenerated here: ", _said("regenerated here")),),
    (
        Fact("Reproduction: ", _read_reproduction),
        Fact("Probably repeats ", _kept("duplicate_of"), optional=True),
        Fact("Evidence: ", _kept("evidence")),
        Fact("Place in the source: ", _kept("locator")),
    ),
)
"""The lines of a section by the labels of their facts, in the order in which a line has them; any other is refused."""


def _pattern(line: tuple[Fact, ...]) -> re.Pattern[str]:
    """A line of several facts. Only the last one may hold anything; the others end where the next label stands."""
    first, *others = line
    rest = "".join(rf"(?:\. {re.escape(fact.label)}(.*?)){'?' if fact.optional else ''}" for fact in others)
    return re.compile(rf"{re.escape(first.label)}(.*?){rest}\.", re.DOTALL)
