"""`toolkit serve`: a preview of a built site on this machine, which reloads the page in the browser after every build.

Serves what a static host would, with the right content types; besides, `?metric=` on a Markdown page is answered from
the file of that metric, and every HTML page gets a script that asks whether the site was built anew. Nothing is served
that is not a file below the folder of the site, and nothing to hosts of other names.
"""

import hashlib
import json
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlsplit

from sotakit.errors import InputError, UsageError
from sotakit.publish.hosting import FEED_TYPE, TYPES
from sotakit.publish.output import MANIFEST

HOST = "127.0.0.1"
OWN = ".toolkit"
"""First part of the addresses that only the preview has."""

_TYPES = TYPES | {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
}
_SCRIPT = """"use strict";
(async () => {
  const address = new URL("version", document.currentScript.src);
  const ask = async () => (await fetch(address)).text();
  let before = await ask().catch(() => "");
  setInterval(async () => {
    const now = await ask().catch(() => before);
    if (before && now && now !== before) location.reload();
    before = now;
  }, 1000);
})();
"""


class Answer(NamedTuple):
    """What a request gets."""

    status: HTTPStatus
    kind: str
    body: bytes = b""
    location: str = ""


class Preview:
    """The site in a folder, below a path of the address."""

    def __init__(self, folder: Path, prefix: str = "") -> None:
        if not (folder / MANIFEST).is_file():
            raise InputError(f"{folder}: holds no site (no {MANIFEST}); run `toolkit build-site --out {folder}` first")
        self._folder = folder.resolve()
        self.prefix = f"/{prefix.strip('/')}/" if prefix.strip("/") else "/"

    def answer(self, target: str) -> Answer:
        """The answer to the path and query of a request."""
        parts = urlsplit(target)
        path = unquote(parts.path)
        if path + "/" == self.prefix:
            return _moved(self.prefix)
        if not path.startswith(self.prefix):
            return self._missing()
        name = path.removeprefix(self.prefix)
        if name.startswith(f"{OWN}/"):
            return self._own(name.removeprefix(f"{OWN}/"))
        metric = parse_qs(parts.query).get("metric", [""])[0]
        if metric and name.endswith(".md"):
            return self._metric(name, metric)
        return self._page(name)

    def _page(self, name: str) -> Answer:
        path = self._inside(name or "index.html")
        if path and path.is_dir():
            if not name.endswith("/"):
                return _moved(f"{self.prefix}{quote(name)}/")
            path = self._inside(f"{name}index.html")
        return self._file(path) if path and path.is_file() else self._missing()

    def _inside(self, name: str) -> Path | None:
        """The file of a name; None if it would lie outside the site or is hidden."""
        parts = name.split("/")
        if "\0" in name or any(part == ".." for part in parts) or parts[0].startswith("."):
            return None
        path = (self._folder / name).resolve()
        return path if path.is_relative_to(self._folder) else None

    def _file(self, path: Path, status: HTTPStatus = HTTPStatus.OK) -> Answer:
        kind = FEED_TYPE if path.name == "feed.xml" else _TYPES.get(path.suffix[1:], "application/octet-stream")
        body = path.read_bytes()
        if path.suffix == ".html":
            script = f'<script src="{self.prefix}{OWN}/reload.js" defer></script></body>'
            body = body.replace(b"</body>", script.encode(), 1)
        return Answer(status, kind, body)

    def _missing(self) -> Answer:
        page = self._folder / "404.html"
        return self._file(page, HTTPStatus.NOT_FOUND) if page.is_file() else _text(HTTPStatus.NOT_FOUND, "not found")

    def _own(self, name: str) -> Answer:
        if name == "version":
            manifest = self._folder / MANIFEST
            digest = hashlib.sha256(manifest.read_bytes()).hexdigest() if manifest.is_file() else ""
            return _text(HTTPStatus.OK, digest)
        if name == "reload.js":
            return Answer(HTTPStatus.OK, _TYPES["js"], _SCRIPT.encode())
        return self._missing()

    def _metric(self, name: str, metric: str) -> Answer:
        """The Markdown of a benchmark by a metric that is named by its label or its key."""
        described = self._inside(f"{name.removesuffix('.md')}.json")
        if described is None or not described.is_file():
            return self._page(name)
        metrics = json.loads(described.read_text(encoding="utf-8")).get("metrics", [])
        keys = {name: entry["key"] for entry in metrics for name in (entry["key"], entry["label"])}
        if metric not in keys:
            known = ", ".join(entry["label"] for entry in metrics)
            return _text(HTTPStatus.NOT_FOUND, f"no metric {metric!r} on this page; it has: {known}")
        return self._page(f"{name.removesuffix('.md')}/{keys[metric]}.md" if len(metrics) > 1 else name)


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, preview: Preview, *arguments: Any, **named: Any) -> None:
        self._preview = preview
        super().__init__(*arguments, **named)

    def do_GET(self) -> None:
        self._send(self._answer())

    def do_HEAD(self) -> None:
        self._send(self._answer(), body=False)

    def _answer(self) -> Answer:
        host = (self.headers.get("Host") or "").rpartition(":")[0] or self.headers.get("Host") or ""
        if host not in (HOST, "localhost"):
            return _text(HTTPStatus.FORBIDDEN, f"this preview answers to {HOST} and localhost only")
        try:
            return self._preview.answer(self.path)
        except (OSError, ValueError, KeyError, TypeError) as error:
            return _text(HTTPStatus.INTERNAL_SERVER_ERROR, f"cannot be served: {type(error).__name__}")

    def _send(self, answer: Answer, *, body: bool = True) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.kind)
        self.send_header("Content-Length", str(len(answer.body)))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-store")
        if answer.location:
            self.send_header("Location", answer.location)
        self.end_headers()
        if body:
            self.wfile.write(answer.body)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the name of the overridden method
        """Say nothing: the terminal belongs to the one line that was printed."""


def server(folder: Path, port: int = 0, prefix: str = "") -> ThreadingHTTPServer:
    """A server of the site on this machine, not yet running; port 0 takes a free one."""
    preview = Preview(folder, prefix)
    try:
        return ThreadingHTTPServer((HOST, port), partial(_Handler, preview))
    except OSError as error:
        raise UsageError(f"--port {port}: {error.strerror}; choose another port, or 0 for a free one") from error


def serve(folder: Path, port: int, prefix: str, *, show: bool, say: Callable[[str], None]) -> None:
    """Serve until interrupted; `show` opens the first page in a browser, `say` gets the address."""
    with server(folder, port, prefix) as http:
        url = f"http://{HOST}:{http.server_port}{Preview(folder, prefix).prefix}"
        say(f"{folder} at {url}; press Ctrl-C to stop; the page reloads after `toolkit build-site`")
        if show:
            webbrowser.open(url)
        with suppress(KeyboardInterrupt):
            http.serve_forever()


def _moved(location: str) -> Answer:
    return Answer(HTTPStatus.MOVED_PERMANENTLY, _TYPES["txt"], b"", location)


def _text(status: HTTPStatus, text: str) -> Answer:
    return Answer(status, _TYPES["txt"], f"{text}\n".encode())
