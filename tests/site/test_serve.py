"""`toolkit serve`, asked through a socket of this machine."""

import http.client
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import Browser
from pagesupport import TINY, build
from sotakit.errors import InputError, UsageError
from sotakit.publish.output import MANIFEST
from sotakit.serve import server

Reply = tuple[int, dict[str, str], bytes]


class Client:
    """Sends requests exactly as they are written."""

    def __init__(self, port: int) -> None:
        self.port = port

    def get(self, path: str, method: str = "GET", host: str | None = None) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{self.port}")
        connection.endheaders()
        answer = connection.getresponse()
        reply = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        connection.close()
        return reply


def running(site: Path, prefix: str = "") -> Iterator[Client]:
    with server(site, prefix=prefix) as found:
        thread = threading.Thread(target=found.serve_forever, daemon=True)
        thread.start()
        yield Client(found.server_port)
        found.shutdown()
        thread.join()


@pytest.fixture
def client(tiny_site: Path) -> Iterator[Client]:
    yield from running(tiny_site)


@pytest.fixture
def below(tiny_site: Path) -> Iterator[Client]:
    yield from running(tiny_site, "x/y")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/sota/sorting-numbers.md", "text/markdown; charset=utf-8"),
        ("/llms.txt", "text/plain; charset=utf-8"),
        ("/sota/sorting-numbers.json", "application/json; charset=utf-8"),
        ("/sota/sorting-numbers.csv", "text/csv; charset=utf-8"),
        ("/static/style.css", "text/css; charset=utf-8"),
        ("/static/search.js", "text/javascript; charset=utf-8"),
        ("/static/icon.svg", "image/svg+xml"),
        ("/data/scores.parquet", "application/vnd.apache.parquet"),
    ],
)
def test_files_come_as_they_are_with_their_type(client: Client, tiny_site: Path, path: str, kind: str) -> None:
    status, headers, body = client.get(path)
    assert (status, headers["content-type"], body) == (200, kind, (tiny_site / path[1:]).read_bytes())
    assert headers["x-content-type-options"] == "nosniff"
    status, head, body = client.get(path, "HEAD")
    assert (status, body) == (200, b"")
    assert {**head, "date": ""} == {**headers, "date": ""}


def test_a_folder_is_its_index_and_one_without_a_slash_is_moved(client: Client) -> None:
    status, headers, body = client.get("/sota/sorting-numbers/")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"<h1" in body
    assert client.get("/sota/sorting-numbers")[1]["location"] == "/sota/sorting-numbers/"
    assert client.get("/")[2] == client.get("/index.html")[2]


def test_pages_get_the_reloading_script_and_nothing_else_does(client: Client, tiny_site: Path) -> None:
    script = b'<script src="/.toolkit/reload.js" defer></script>'
    body = client.get("/index.html")[2]
    assert body.replace(script, b"") == (tiny_site / "index.html").read_bytes()
    assert body.count(script) == 1
    assert script not in client.get("/index.md")[2]
    assert client.get("/.toolkit/reload.js")[0] == 200


def test_the_version_changes_with_the_manifest_and_only_then(tmp_path: Path) -> None:
    site = build(TINY / "data", tmp_path / "public")
    for client in running(site):
        before = client.get("/.toolkit/version")[2]
        assert client.get("/.toolkit/version")[2] == before
        build(TINY / "data", site, "https://example.org")
        assert client.get("/.toolkit/version")[2] != before


@pytest.mark.parametrize(("query", "key"), [("Time%20(s)", "time-s"), ("swaps", "swaps"), ("Swaps", "swaps")])
def test_a_metric_of_a_markdown_page_is_answered_from_its_file(
    client: Client, tiny_site: Path, query: str, key: str
) -> None:
    status, headers, body = client.get(f"/sota/sorting-numbers.md?metric={query}")
    assert (status, headers["content-type"]) == (200, "text/markdown; charset=utf-8")
    assert body == (tiny_site / f"sota/sorting-numbers/{key}.md").read_bytes()


def test_the_only_metric_of_a_benchmark_is_answered_from_its_own_page(client: Client, tiny_site: Path) -> None:
    status, _, body = client.get("/sota/stable-sorting-numbers.md?metric=Accuracy")
    assert (status, body) == (200, (tiny_site / "sota/stable-sorting-numbers.md").read_bytes())


def test_an_unknown_metric_is_named_with_those_there_are(client: Client) -> None:
    status, _, body = client.get("/sota/sorting-numbers.md?metric=Speed")
    assert (status, body.decode()) == (404, "no metric 'Speed' on this page; it has: Time (s), Swaps, Feel\n")
    assert client.get("/sota/gone.md?metric=Speed")[0] == 404
    assert client.get("/index.md?metric=Speed")[0] == 200


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/sota/../../secret.txt", "//secret.txt",
        "/sota/%2e%2e/%2e%2e/secret.txt", "/link.txt", f"/{MANIFEST}", "/%00", "/.htaccess",
        f"/sota/%2e%2e/{MANIFEST}", "/..", "/a\\..\\b",
    ],
)  # fmt: skip
def test_nothing_outside_the_site_and_nothing_hidden_is_served(tmp_path: Path, path: str) -> None:
    site = build(TINY / "data", tmp_path / "public")
    (tmp_path / "secret.txt").write_text("secret")
    (site / "link.txt").symlink_to(tmp_path / "secret.txt")
    for client in running(site):
        status, _, body = client.get(path)
        assert status == 404
        assert b"secret" not in body.replace(b"secret.txt", b"")


def test_it_answers_to_no_other_name(client: Client) -> None:
    assert client.get("/", host="evil.example")[0] == 403
    assert client.get("/", host=f"localhost:{client.port}")[0] == 200


def test_below_a_path_the_site_is_the_same(below: Client, tiny_site: Path) -> None:
    assert below.get("/x/y")[1]["location"] == "/x/y/"
    assert b'src="/x/y/.toolkit/reload.js"' in below.get("/x/y/")[2]
    assert below.get("/x/y/llms.txt")[2] == (tiny_site / "llms.txt").read_bytes()
    assert below.get("/llms.txt")[0] == 404


def test_what_is_not_there_gets_the_error_page(client: Client) -> None:
    status, headers, body = client.get("/nowhere/")
    assert (status, headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert b"Page not found" in body


def test_a_folder_without_a_site_and_a_taken_port_are_errors(tmp_path: Path, tiny_site: Path) -> None:
    with pytest.raises(InputError, match="holds no site"):
        server(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UsageError, match=r"--port \d+: .*choose another port"):
            server(tiny_site, taken.getsockname()[1])


@pytest.mark.browser
def test_the_browser_shows_a_new_build_by_itself(tmp_path: Path, browser: Browser) -> None:
    site = build(TINY / "data", tmp_path / "public")
    for client in running(site, "x/y"):
        browser.open(f"http://127.0.0.1:{client.port}/x/y/index.html")
        assert browser.errors() == []
        browser.run("window.before = true")
        build(TINY / "data", site, f"http://127.0.0.1:{client.port}/x/y")
        browser.wait("return window.before === undefined && document.querySelector('link[rel=canonical]') !== null")
