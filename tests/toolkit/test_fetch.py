"""Fetching: every bound, against a server that only exists in memory."""

from collections.abc import Callable

import httpx
import pytest

from sotakit.errors import InputError
from sotakit.exchange import fetch as module
from sotakit.exchange.fetch import fetch

URL = "https://example.org/page.md"
Handler = Callable[[httpx.Request], httpx.Response]


def get(handler: Handler, url: str = URL, addresses: tuple[str, ...] = ("93.184.216.34",), limit: int = 100) -> bytes:
    return fetch(url, limit, resolve=lambda _: addresses, transport=httpx.MockTransport(handler))


def test_the_connection_goes_to_the_resolved_address_under_the_name_of_the_host() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, text="# Page")

    assert get(answer) == b"# Page"
    assert (seen[0].url.host, seen[0].headers["host"]) == ("93.184.216.34", "example.org")
    assert seen[0].extensions["sni_hostname"] == "example.org"


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.8", "192.168.1.1", "169.254.169.254", "::1", "fe80::1", "0.0.0.0", "100.64.0.1"]
)
def test_private_addresses_are_refused_even_beside_public_ones(address: str) -> None:
    with pytest.raises(InputError, match="not a public address"):
        get(lambda _: httpx.Response(200), addresses=("93.184.216.34", address))


@pytest.mark.parametrize(
    "url", ["http://example.org/", "file:///etc/passwd", "https://user@example.org/", "https:///x"]
)
def test_only_plain_https_is_fetched(url: str) -> None:
    with pytest.raises(InputError, match="only https"):
        get(lambda _: httpx.Response(200), url=url)


def test_redirects_stay_on_the_host_and_are_bounded() -> None:
    def onward(request: httpx.Request) -> httpx.Response:
        return (
            httpx.Response(200, text="there")
            if request.url.path == "/b"
            else httpx.Response(302, headers={"location": "/b"})
        )

    assert get(onward) == b"there"
    with pytest.raises(InputError, match="another host"):
        get(lambda _: httpx.Response(302, headers={"location": "https://example.com/"}))
    with pytest.raises(InputError, match="only https"):
        get(lambda _: httpx.Response(302, headers={"location": "http://example.org/"}))
    with pytest.raises(InputError, match="more than 3 redirects"):
        get(lambda _: httpx.Response(302, headers={"location": URL}))


def test_size_time_status_and_failures_are_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="larger than 100 bytes"):
        get(lambda _: httpx.Response(200, content=b"x" * 101))
    with pytest.raises(InputError, match="answers 404"):
        get(lambda _: httpx.Response(404))

    def broken(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("refused", request=request)

    with pytest.raises(InputError, match="cannot be fetched: refused"):
        get(broken)
    monkeypatch.setattr(module, "MAX_SECONDS", -1.0)
    with pytest.raises(InputError, match="takes longer"):
        get(lambda _: httpx.Response(200, content=b"x"))


def test_a_host_without_an_address_is_one_error() -> None:
    def unknown(_: str) -> list[str]:
        raise OSError(-2, "Name or service not known")

    with pytest.raises(InputError, match="has no address"):
        fetch(URL, 100, resolve=unknown, transport=httpx.MockTransport(lambda _: httpx.Response(200)))
