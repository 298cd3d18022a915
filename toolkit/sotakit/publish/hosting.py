"""Files that tell common hosts which headers to send: content types of Markdown, and what browsers may do.

`_headers` is read by Netlify, Cloudflare Pages and several others, `.htaccess` by Apache; `.nojekyll` keeps GitHub
Pages from leaving files out. Hosts that read none of them serve the site all the same.
"""

from collections.abc import Iterator

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'"
)
"""The same policy as every page states itself; what a header alone can say is added below."""

HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}

TYPES = {
    "md": "text/markdown; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "json": "application/json; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "xml": "application/xml; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}
"""Content types by file name extension, where hosts are known to send others."""

FEED_TYPE = "application/atom+xml; charset=utf-8"


def hosting_files() -> Iterator[tuple[str, str]]:
    """Path and text of each file."""
    yield "_headers", _netlify()
    yield ".htaccess", _apache()
    yield ".nojekyll", ""


def _netlify() -> str:
    lines = ["/*", *(f"  {name}: {value}" for name, value in HEADERS.items())]
    for extension, kind in TYPES.items():
        if extension != "xml":
            lines += [f"/*.{extension}", f"  Content-Type: {kind}"]
    return "\n".join(lines) + "\n"


def _apache() -> str:
    types = [f"AddType '{kind}' .{extension}" for extension, kind in TYPES.items()]
    headers = [f'Header always set {name} "{value}"' for name, value in HEADERS.items()]
    lines = [
        "<IfModule mod_mime.c>",
        *types,
        "</IfModule>",
        '<FilesMatch "^feed\\.xml$">',
        f"ForceType '{FEED_TYPE}'",
        "</FilesMatch>",
        "<IfModule mod_headers.c>",
        *headers,
        "</IfModule>",
    ]
    return "\n".join(lines) + "\n"
