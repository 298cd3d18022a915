"""Text from strangers on a terminal: what could steer it, or cannot be seen, is shown instead of sent."""

import re

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Control and bidirectional characters, characters without a width, and what UTF-8 cannot carry."""


def safe(text: str) -> str:
    """The text with a picture for each such character: ␛ for an escape, <U+202E> for an override."""
    return _UNSEEN.sub(_picture, text)


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"<U+{code:04X}>"
