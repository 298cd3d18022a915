"""JSON-LD of benchmarks: a schema.org Dataset that says what the page says, and text that cannot leave its block."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from browser import Browser
from pagesupport import TINY, build, parse_html

BASE = "https://example.org/x/y"


def blocks(path: Path) -> list[dict[str, Any]]:
    page = parse_html(path.read_text(encoding="utf-8"))
    return [json.loads(node.raw) for node in page.one("head").all("script", type="application/ld+json")]


@pytest.fixture(scope="module")
def based(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny site with a base address."""
    return build(TINY / "data", tmp_path_factory.mktemp("based") / "public", BASE)


def test_a_benchmark_is_described_as_a_dataset(based: Path) -> None:
    (found,) = blocks(based / "sota/sorting-numbers/index.html")
    assert (found["@context"], found["@type"]) == ("https://schema.org/", "Dataset")
    assert found["name"] == "Sorting on Numbers"
    assert found["url"] == f"{BASE}/sota/sorting-numbers/"
    assert found["dateModified"] == "2025-06-01"
    assert found["license"] == "CC0-1.0"
    assert found["includedInDataCatalog"] == {"@type": "DataCatalog", "name": "Tiny registry", "url": f"{BASE}/"}
    assert found["description"] == (
        "Sorting of a hundred numbers. Machine-learning results recorded for Sorting on Numbers (test): 5 reported and "
        "1 regenerated results, measured by Time (s), Swaps, Feel."
    )
    assert found["variableMeasured"][0] == {
        "@type": "PropertyValue",
        "name": "Time (s)",
        "description": "Higher is better as recorded; lower is better by its cited definition",
        "unitText": "SECONDS",
    }
    assert "unitText" not in found["variableMeasured"][2]  # not recorded


@pytest.mark.parametrize("base", [None, BASE])
def test_its_downloads_are_files_of_the_site(based: Path, tiny_site: Path, base: str | None) -> None:
    site = based if base else tiny_site
    page = site / "sota/sorting-numbers/index.html"
    (found,) = blocks(page)
    names = set()
    for download in found["distribution"]:
        url = download["contentUrl"]
        target = site / url.removeprefix(f"{base}/") if base else (page.parent / url).resolve()
        assert target.is_file(), url
        names.add((target.name, download["encodingFormat"]))
    assert names == {
        ("sorting-numbers.json", "application/json"),
        ("sorting-numbers.csv", "text/csv"),
        ("sorting-numbers.md", "text/markdown"),
    }


def test_what_is_not_recorded_is_not_claimed(tiny_site: Path) -> None:
    (found,) = blocks(tiny_site / "sota/stable-sorting-numbers/index.html")
    assert "dateModified" not in found
    assert "url" not in found
    assert len(found["description"]) >= 50


def test_only_the_own_page_of_a_benchmark_has_one(tiny_site: Path) -> None:
    with_block = [path.relative_to(tiny_site).as_posix() for path in tiny_site.rglob("*.html") if blocks(path)]
    assert sorted(with_block) == ["sota/sorting-numbers/index.html", "sota/stable-sorting-numbers/index.html"]


HOSTILE = "</script><script>window.pwned=1</script><!-- \u2028 & ]]>"


@pytest.fixture
def hostile(tmp_path: Path, minimal: dict[str, str]) -> Path:
    minimal["registry.yaml"] = "schema: 1\ntitle: " + json.dumps(HOSTILE.replace("\u2028", "")) + "\n"
    minimal["tasks.yaml"] = "- id: sorting\n  name: " + json.dumps(HOSTILE.replace("\u2028", "")) + "\n"
    minimal["benchmarks.yaml"] += "  description: " + json.dumps(HOSTILE) + "\n"
    for name, text in minimal.items():
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return build(tmp_path / "data", tmp_path / "public")


def test_text_of_records_cannot_end_the_block(hostile: Path) -> None:
    page = hostile / "sota/sorting-on-numbers/index.html"
    raw = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)
    assert len(raw) == 1
    assert not set("<>&\u2028\u2029") & set(raw[0])
    assert json.loads(raw[0])["measurementTechnique"] == HOSTILE.replace("\u2028", "")


@pytest.mark.browser
def test_the_policy_lets_the_block_stand_and_nothing_in_it_runs(hostile: Path, browser: Browser) -> None:
    browser.open(f"file://{hostile}/sota/sorting-on-numbers/index.html")
    assert browser.errors() == []
    assert browser.run("return typeof window.pwned") == "undefined"
    assert browser.run("return document.querySelectorAll('script[type=\"application/ld+json\"]').length") == 1
