"""Names that people do not tell apart, though they are written with other characters."""

import re
import unicodedata
from typing import Final

UNSEEN = re.compile(
    "[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e007f]|(?<=[\x00-\u024f])[\u200c\u200d](?=[\x00-\u024f])"
)
"""Soft hyphens, characters without a width, blank letters, marks of direction. Joiners belong to some scripts and to
emoji, so they count between Latin letters only."""

_LOOK_ALIKE: Final = str.maketrans(
    "\u2010\u2011\u2012\u2013\u2014\u2212\u2018\u2019\u02bc\u201c\u201d"
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u043a\u043c\u0442\u043d\u0432"
    "\u03b1\u03bf\u03c1\u03bd\u03b9\u03ba",
    "------'''\"\"aeopcyxijskmthbaopvik",
)
"""Dashes, quotes, and the Cyrillic and Greek letters that look like Latin ones, in small letters."""


def folded(name: str) -> str:
    """A name without what people type differently or cannot see: case, spaces, widths, dashes, quotes, alphabets."""
    plain = unicodedata.normalize("NFKC", UNSEEN.sub("", name)).casefold().translate(_LOOK_ALIKE)
    return " ".join(plain.split())
