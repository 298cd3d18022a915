"""A benchmark described for search engines of data sets: schema.org Dataset as JSON-LD inside its page.

A block of data is not a script: browsers do not run it, and a policy without inline scripts lets it stand. Characters
that could end the block are written as escapes.
"""

import re
from typing import Any

from markupsafe import Markup
from pydantic_core import to_json

from sotakit.publish import words
from sotakit.publish.contexts import BenchmarkPage, MetricLine, Page, Site
from sotakit.publish.escape import one_line
from sotakit.publish.urls import relative
from sotakit.publish.wording import fallen_words

_UNSAFE = re.compile("[<>&\u2028\u2029]")

MAX_DESCRIPTION = 5000
"""Longest description that search engines of data sets take, in characters."""


def json_ld(page: Page, site: Site) -> Markup:
    """The block for the head of a benchmark's own page; nothing for any other page."""
    if not isinstance(page, BenchmarkPage) or not page.is_main:
        return Markup()
    text = to_json(dataset(page, site)).decode()
    safe = _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return Markup(f'<script type="application/ld+json">{safe}</script>\n')  # noqa: S704 - nothing in it ends the block


def dataset(page: BenchmarkPage, site: Site) -> dict[str, Any]:
    """A benchmark as a schema.org Dataset; what is not recorded is left out."""
    described: dict[str, Any] = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": page.title,
        "description": _description(page),
        "identifier": page.id,
        "keywords": [page.task.text, page.dataset_label, *(metric.label for metric in page.metrics)],
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": site.title},
        "includedInDataCatalog": {"@type": "DataCatalog", "name": site.title} | _url(site, ""),
        "measurementTechnique": page.task.text,
        "variableMeasured": [_variable(metric) for metric in page.metrics],
        "distribution": [_download(page, site, *form) for form in _FORMS],
    }
    described |= _url(site, page.address.html.removesuffix("index.html"))
    if site.licence != words.NOT_RECORDED:
        described["license"] = site.licence
    if page.changed:
        described["dateModified"] = page.changed
    return described


_FORMS = (("json", "application/json"), ("csv", "text/csv"), ("md", "text/markdown"))


def _description(page: BenchmarkPage) -> str:
    """The benchmark's description with what the table holds, which alone is long enough."""
    labels = ", ".join(metric.label for metric in page.metrics if not metric.added)
    held = (
        f"Machine-learning results recorded for {page.task.text} on {page.dataset_label}: {len(page.rows)} reported"
        f"{fallen_words(page.fallen)} and {len(page.regenerated)} regenerated results, measured by {labels}."
    )
    return one_line(f"{page.description} {held}")[:MAX_DESCRIPTION]


def _variable(metric: MetricLine) -> dict[str, str]:
    known = metric.direction != words.NOT_RECORDED
    direction = f"{metric.direction} as recorded" if known else "No direction is recorded"
    cited = f"; {metric.cited.lower()} by its cited definition" if metric.conflict else ""
    variable = {"@type": "PropertyValue", "name": metric.label, "description": f"{direction}{cited}"}
    return variable if metric.unit == words.NOT_RECORDED else variable | {"unitText": metric.unit}


def _download(page: BenchmarkPage, site: Site, extension: str, kind: str) -> dict[str, str]:
    target = f"{page.main.to.json.removesuffix('json')}{extension}"
    address = f"{site.base_url.rstrip('/')}/{target}" if site.base_url else relative(page.address.html, target)
    return {"@type": "DataDownload", "encodingFormat": kind, "contentUrl": address}


def _url(site: Site, path: str) -> dict[str, str]:
    return {"url": f"{site.base_url.rstrip('/')}/{path}"} if site.base_url else {}
