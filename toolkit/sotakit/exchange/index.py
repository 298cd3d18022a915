"""Following an llms.txt to every benchmark page of a collection, nested indexes included.

Only local files are followed: relative links from where the index lies, absolute ones below the site's own base
address, which is the longest address that all absolute links of the root index share.
"""

import posixpath
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sotakit.errors import PageError
from sotakit.exchange.local import local_text

BENCHMARKS = "Benchmarks"
"""Title of the section that lists benchmark pages, or further indexes of them."""

MAX_INDEX_BYTES = 4 * 1024**2
_ITEM = re.compile(r"- \[(?P<title>.*)\]\((?P<url>\S+)\)(?:: .*)?")


def benchmark_pages(index: Path) -> list[Path]:
    """Every benchmark page that an index and its nested indexes name, once each, in order.

    Raises `PageError` with the line of what is not understood and `InputError` for a file that cannot be read.
    """
    base = _base(index)
    pages: dict[Path, None] = {}
    waiting, seen = [index], {index.resolve()}
    while waiting:
        current = waiting.pop(0)
        for line, url in _links(current, BENCHMARKS):
            target = _local(current, url, base, index.parent)
            if target is None or not target.is_file():
                raise PageError(f"{current}:{line}: {url} leads to no file of this site")
            if not re.fullmatch(r"llms(-[0-9]+)?\.txt", target.name):
                pages[target] = None
            elif target.resolve() not in seen:
                seen.add(target.resolve())
                waiting.append(target)
    return list(pages)


def _links(index: Path, section: str) -> list[tuple[int, str]]:
    """Line and address of every item of a section."""
    found, inside, titled = [], False, False
    for number, line in enumerate(_text(index).split("\n"), 1):
        if line.startswith("# "):
            titled = True
        elif line.startswith("## "):
            inside = line.removeprefix("## ").strip() == section
        elif inside and line.strip():
            item = _ITEM.fullmatch(line)
            if item is None:
                raise PageError(f"{index}:{number}: expected an item as `- [title](address): description`")
            found.append((number, item["url"]))
    if not titled:
        raise PageError(f"{index}:1: not an llms.txt: it has no title")
    return found


def _base(index: Path) -> str:
    """The address that all absolute links of an index share, up to a slash; empty where all are relative."""
    absolute: list[str] = re.findall(r"\]\((https?://[^\s)]+)\)", _text(index))
    if not absolute:
        return ""
    shared = str(posixpath.commonprefix(absolute))
    return shared[: shared.rfind("/") + 1]


def _local(index: Path, url: str, base: str, root: Path) -> Path | None:
    """The file below the site's folder that a link means; None where it leaves the folder."""
    if base and url.startswith(base):
        target = root / unquote(url.removeprefix(base))
    elif urlsplit(url).scheme:
        return None
    else:
        target = index.parent / unquote(url)
    inside = target.resolve().is_relative_to(root.resolve())
    return target if inside else None


def _text(index: Path) -> str:
    return local_text(index, MAX_INDEX_BYTES)
