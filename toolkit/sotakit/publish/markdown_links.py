"""Where the links of a Markdown text lead: found without parsing all of it, since there are thousands of pages.

Code is left alone. Known are inline links and images, with their targets bare or in angle brackets, definitions of
references, and HTML links.
"""

import posixpath
import re
from collections.abc import Callable, Iterator

from sotakit.publish.escape import md_target

_LINK = re.compile(
    r"""
    ^(?P<fence>`{3,}|~{3,})[^\n]*\n (?:.*\n)*? (?P=fence) [`~]*[ ]*$  # a block of code
    | (?P<ticks>(?<!`)`+(?!`)) (?:(?!\n\n)[\s\S])+? (?<!`)(?P=ticks)(?!`)  # a code span
    | \\[\s\S]  # an escaped character
    | \]\( \s* (?: <(?P<angled>[^<>\n]*)> | (?P<bare>[^\s()<>\[\]]+ (?:\([^\s()\[\]]*\)[^\s()\[\]]*)*) )
    | ^[ ]{0,3}\[[^\]\n]+\]: [ ]* (?: <(?P<defined>[^<>\n]*)> | (?P<named>[^\s<]\S*) )
    | <(?:a|img)\b[^>\n]*?\s(?:href|src)="(?P<html>[^"\n]*)"
    """,
    re.MULTILINE | re.VERBOSE,
)
_TARGETS = ("angled", "bare", "defined", "named", "html")
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|/")


def link_targets(text: str) -> Iterator[str]:
    """The targets of all links of a text, as they stand."""
    for found in _LINK.finditer(text):
        yield from (found[name] for name in _TARGETS if found[name])


def moved(text: str, start: str, place: str) -> str:
    """A text that was written for the file `start`, with relative links as they lead from a file at the root.

    `place` is where `start` itself is found from there: links to its own anchors lead to that.
    """
    return _with_targets(text, lambda target: _from_root(target, start, place))


def _with_targets(text: str, changed: Callable[[str], str]) -> str:
    pieces, done = [], 0
    for found in _LINK.finditer(text):
        for name in _TARGETS:
            if found[name]:
                pieces += [text[done : found.start(name)], changed(found[name])]
                done = found.end(name)
    return "".join([*pieces, text[done:]])


def _from_root(target: str, start: str, place: str) -> str:
    if target.startswith("#"):
        return md_target(place) + target
    if _ELSEWHERE.match(target):
        return target
    path, mark, anchor = target.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(start), path)) + mark + anchor
