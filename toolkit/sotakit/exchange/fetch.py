"""Fetching a published page, only when its address is given: bounded in size, time, redirects and hosts.

The name is resolved once, every address it has must be public, and the connection goes to that very address, so that
no answer of a name server can lead into a private network. Redirects stay on the host.
"""

import ipaddress
import socket
import time
from collections.abc import Callable, Iterable
from urllib.parse import urljoin, urlsplit

import httpx

from sotakit.errors import InputError

MAX_SECONDS = 30.0
MAX_REDIRECTS = 3

Resolve = Callable[[str], Iterable[str]]


def fetch(
    url: str, max_bytes: int, *, resolve: Resolve | None = None, transport: httpx.BaseTransport | None = None
) -> bytes:
    """The bytes at an https address; raises `InputError` when a bound is broken or the page cannot be had."""
    deadline = time.monotonic() + MAX_SECONDS
    host = urlsplit(url).hostname
    target = url
    with httpx.Client(transport=transport, trust_env=False, follow_redirects=False, timeout=10.0) as client:
        for _ in range(MAX_REDIRECTS + 1):
            if urlsplit(target).hostname != host:
                raise InputError(f"{url}: leads to another host, {urlsplit(target).hostname}; give that address itself")
            request = _request(client, target, _public_address(target, resolve or _addresses))
            try:
                response = client.send(request, stream=True)
                if not response.is_redirect:
                    return _body(url, response, max_bytes, deadline)
                target = urljoin(target, response.headers["location"])
                response.close()
            except httpx.HTTPError as error:
                raise InputError(f"{url}: cannot be fetched: {error or type(error).__name__}") from error
    raise InputError(f"{url}: more than {MAX_REDIRECTS} redirects")


def _public_address(url: str, resolve: Resolve) -> str:
    """The address to connect to; refuses anything but https on public addresses."""
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname or parts.username is not None:
        raise InputError(f"{url}: only https addresses without a user name are fetched")
    try:
        found = list(resolve(parts.hostname))
    except OSError as error:
        raise InputError(f"{url}: {parts.hostname} has no address: {error.strerror}") from error
    private = next((address for address in found if not ipaddress.ip_address(address).is_global), None)
    if private is not None or not found:
        raise InputError(f"{url}: {parts.hostname} leads to {private or 'nowhere'}, which is not a public address")
    return found[0]


def _addresses(host: str) -> list[str]:
    return [str(entry[4][0]) for entry in socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)]


def _request(client: httpx.Client, url: str, address: str) -> httpx.Request:
    """A request to one address under the name of the host, which its certificate must carry."""
    parsed = httpx.URL(url)
    headers = {"Host": parsed.netloc.decode(), "Accept": "text/markdown, text/plain", "User-Agent": "sotakit"}
    extensions = {"sni_hostname": parsed.host}
    return client.build_request("GET", parsed.copy_with(host=address), headers=headers, extensions=extensions)


def _body(url: str, response: httpx.Response, max_bytes: int, deadline: float) -> bytes:
    if response.status_code != httpx.codes.OK:
        raise InputError(f"{url}: the server answers {response.status_code}")
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > max_bytes:
            raise InputError(f"{url}: larger than {max_bytes:,} bytes")
        if time.monotonic() > deadline:
            raise InputError(f"{url}: takes longer than {MAX_SECONDS:.0f} seconds")
    return bytes(body)
