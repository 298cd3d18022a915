"""Links by which readers report a mistake, filled in with the result they mean."""

import re
from html import escape
from urllib.parse import quote

_MAIL = re.compile(r"(?:mailto:)?([^\s@<>:/?#&]+@[^\s@<>:/?#&]+\.[^\s@<>:/?#&]+)")
_WEB = re.compile(r"https://[^\s<>\"']+")


class ReportLink:
    """Writes links to a contact: a mail address, or a web address such as that of an issue form."""

    def __init__(self, contact: str, title: str) -> None:
        about = quote(f"Mistake in {title}", safe="")
        if found := _MAIL.fullmatch(contact):
            self._start = f"mailto:{quote(found[1], safe='@+')}?subject={about}&body=Result:%20"
        elif _WEB.fullmatch(contact) and "#" not in contact:
            self._start = f"{contact}{'&' if '?' in contact else '?'}title={about}&body=Result:%20"
        else:
            self._start = ""

    def html(self, result: str) -> str:
        """The link with a separator before it; empty without a usable contact."""
        if not self._start:
            return ""
        return f' &middot; <a href="{escape(self._start + quote(result, safe=""))}" rel="noopener">report a mistake</a>'
