"""Links of every file of a site: where they lead, those of pages that were copied into another file included."""

import hashlib
import json
import posixpath
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from pagesupport import TINY, build, markdown_links
from sotakit.cli import app
from sotakit.publish.markdown_links import link_targets, moved

BASE = "https://results.example/research"

TEXTS = {
    "[a](<../llms.txt>)": "[a](<llms.txt>)",
    "[a](../llms.txt)": "[a](llms.txt)",
    '[a](b.md "Title")': '[a](sota/b.md "Title")',
    "[a](page_(2).md)": "[a](sota/page_(2).md)",
    "![picture](<../paper/run/x.png>)": "![picture](<paper/run/x.png>)",
    "[a](<b/acc.md#top>)": "[a](<sota/b/acc.md#top>)",
    "[a](<#r-1>)": "[a](<sota/b.md#r-1>)",
    "[![i](<../i.png>)](<../x.md>)": "[![i](<i.png>)](<x.md>)",
    "see [a][one]\n\n[one]: ../x.md\n": "see [a][one]\n\n[one]: x.md\n",
    "[one]: <../x y.md> 'Title'": "[one]: <x y.md> 'Title'",
    '<a href="../x.md">x</a>': '<a href="x.md">x</a>',
    "[a](<https://example.org/../x>)": "[a](<https://example.org/../x>)",
    "[a](mailto:a@b.example)": "[a](mailto:a@b.example)",
    "[a](//example.org/x)": "[a](//example.org/x)",
    "`[a](<../x.md>)`": "`[a](<../x.md>)`",
    "``a ` [a](<../x.md>)``": "``a ` [a](<../x.md>)``",
    "```\n[a](<../x.md>)\n```\n[b](<../y.md>)": "```\n[a](<../x.md>)\n```\n[b](<y.md>)",
    r"\[a\](<../x.md>)": r"\[a\](<../x.md>)",
    r"\`[a](<../x.md>)\`": r"\`[a](<x.md>)\`",
    "a ` tick [a](<../x.md>)": "a ` tick [a](<x.md>)",
    "[a](<../x&amp;y.md>)": "[a](<x&amp;y.md>)",
}


@pytest.mark.parametrize("text", TEXTS)
def test_links_lead_from_the_root_to_where_they_led(text: str) -> None:
    assert moved(text, "sota/b.md", "sota/b.md") == TEXTS[text]


PIECES = st.sampled_from(
    [
        "[a](<../x.md>)",
        "[a](b.md)",
        "`",
        "``",
        "\\",
        "[",
        "](",
        "word ",
        "\n\n",
        "\n",
        "![i](<../i.png>)",
        "&amp;",
        "<",
        ">",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_a_parser_finds_the_same_links_before_and_after(text: str) -> None:
    before = [unquote(link) for link in markdown_links(text)]
    after = [unquote(link) for link in markdown_links(moved(text, "sota/b.md", "sota/b.md"))]
    assert after == [posixpath.normpath(posixpath.join("sota", link)) if link else link for link in before]


@given(st.lists(PIECES, max_size=12).map("".join))
def test_no_link_that_a_parser_finds_is_missed(text: str) -> None:
    assert set(map(unquote, filter(None, markdown_links(text)))) <= set(map(unquote, link_targets(text)))


@pytest.fixture(scope="module", params=[None, BASE])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(TINY / "data", tmp_path_factory.mktemp("links") / "public", base_url=request.param)


@pytest.fixture
def copy(site: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(site, tmp_path / "public"))


def run(folder: Path) -> tuple[int, list[str]]:
    ran = CliRunner().invoke(app, ["verify", str(folder)])
    return ran.exit_code, ran.stdout.splitlines()


def put(folder: Path, name: str, text: str) -> None:
    """Replace a file, with its hash in the manifest, as a build would have written it."""
    (folder / name).write_text(text, encoding="utf-8")
    manifest = folder / ".toolkit-manifest.json"
    document = json.loads(manifest.read_text(encoding="utf-8"))
    document["files"][name] = hashlib.sha256(text.encode()).hexdigest()
    manifest.write_text(json.dumps(document), encoding="utf-8")


def based(site: Path) -> bool:
    return f"({BASE}/" in (site / "llms.txt").read_text(encoding="utf-8")


def test_the_text_in_full_has_the_links_of_its_pages(site: Path) -> None:
    text = (site / "llms-full.txt").read_text(encoding="utf-8")
    parts = text.split("\n=== ")[1:]
    assert len(parts) > 3
    links = 0
    for part in parts:
        name, _, body = part.partition(" ===\n")
        own = markdown_links((site / name).read_text(encoding="utf-8"))
        here = markdown_links(body)
        assert len(own) == len(here)
        for link, there in zip(own, here, strict=True):
            if "://" in link:
                assert there == link
                continue
            target = (
                posixpath.normpath(posixpath.join(posixpath.dirname(name), link)) if link[0] != "#" else name + link
            )
            assert there == (f"{BASE}/{target}" if based(site) else target)
            assert (site / target.partition("#")[0]).is_file()
            links += 1
    assert links >= 10


def test_a_text_in_full_with_the_links_of_the_pages_is_a_fault(copy: Path) -> None:
    """Pages used to be copied as they are: their links were dead where they are relative."""
    head, *parts = (copy / "llms-full.txt").read_text(encoding="utf-8").split("\n=== ")
    names = [part.partition(" ===\n")[0] for part in parts]
    pages = [f"=== {name} ===\n\n{(copy / name).read_text(encoding='utf-8')}" for name in names]
    put(copy, "llms-full.txt", "\n".join([head, *pages]))
    code, lines = run(copy)
    if based(copy):  # all links but those inside of a page were absolute
        assert (code, lines) == (0, [])
    else:
        assert code == 1
        assert "llms-full.txt: the link '../llms.txt' leads to '../llms.txt', which is not there" in lines


@pytest.mark.parametrize(
    ("name", "old", "new", "expected"),
    [
        ("llms-full.txt", "(<sota/sorting-numbers.md>)", "(<sota/gone.md>)", "'sota/gone.md', which is not there"),
        ("404.html", 'href="/static/style.css"', 'href="/static/gone.css"', "'static/gone.css', which is not there"),
        ("index.md", "[Methods](<method/index.md>)", "[Methods](gone.md)", "'gone.md', which is not there"),
        ("data/croissant.json", '"contentUrl": "scores.parquet"', '"contentUrl": "x.parquet"', "'data/x.parquet'"),
        (
            "sota/sorting-numbers/index.html",
            '"contentUrl":"../sorting-numbers.csv"',
            '"contentUrl":"../x.csv"',
            "x.csv",
        ),
        ("paper/doe-2024.json", '"page":"method/', '"page":"method/gone-', "which is not there"),
        ("method/merge.json", '"benchmark":"sota/', '"benchmark":"sota/gone-', "which is not there"),
    ],
)
def test_a_dead_link_of_any_kind_is_named(copy: Path, name: str, old: str, new: str, expected: str) -> None:
    if based(copy):
        return
    text = (copy / name).read_text(encoding="utf-8") if (copy / name).is_file() else ""
    assert old in text, name
    put(copy, name, text.replace(old, new, 1))
    code, lines = run(copy)
    assert code == 1
    assert [line for line in lines if line.startswith(name) and expected in line], lines


@pytest.mark.parametrize(
    "name", ["feed.xml", "sitemap.xml", "robots.txt", "llms-full.txt", "data/croissant.json", "404.html"]
)
def test_a_dead_address_below_the_base_is_named(copy: Path, name: str) -> None:
    if not based(copy):
        return
    text = (copy / name).read_text(encoding="utf-8")
    place = "/research/static/" if name == "404.html" else f"{BASE}/"
    changed = text.replace("sitemap.xml", "gone.xml") if name == "robots.txt" else text.replace(place, f"{place}gone/")
    put(copy, name, changed)
    code, lines = run(copy)
    assert code == 1
    assert [line for line in lines if line.startswith(f"{name}: the link") and "which is not there" in line]
