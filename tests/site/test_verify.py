"""`toolkit verify`: a finished site or build folder is checked on its files alone."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagesupport import TINY, build
from sotakit.cli import app
from sotakit.publish.site_check import check_site

BOARD = "counterfactual-explanations-on-mnist-test"
PAGE = f"sota/{BOARD}"


@pytest.fixture
def site(seed_site: Path, tmp_path: Path) -> Path:
    """A copy of a whole site, to break."""
    return Path(shutil.copytree(seed_site, tmp_path / "public"))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def run(folder: Path) -> tuple[int, list[str]]:
    ran = CliRunner().invoke(app, ["verify", str(folder)])
    return ran.exit_code, ran.stdout.splitlines()


def test_a_whole_site_has_no_faults(each_site: Path) -> None:
    assert list(check_site(each_site)) == []
    assert run(each_site) == (0, [])


@pytest.mark.parametrize("base", ["https://results.example/research", "https://results.example"])
def test_a_site_with_absolute_links_has_no_faults(tmp_path: Path, base: str) -> None:
    assert list(check_site(build(TINY / "data", tmp_path / "public", base_url=base))) == []


SCORE = '<dd data-metric="im1-score"><bdi class="text">'

BREAKS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a page is gone": (lambda site: (site / "method/psce/index.html").unlink(), "which is not there"),
    "an HTML anchor is gone": (
        lambda site: change(site / f"{PAGE}/index.html", 'id="r-69991f7a5698665ec4866dd2"', 'id="other"'),
        f"leads to an anchor that '{PAGE}/index.html' does not have",
    ),
    "a Markdown anchor is gone": (
        lambda site: change(site / f"{PAGE}.md", '<a id="r-69991f7a5698665ec4866dd4"></a>\n', ""),
        f"leads to an anchor that '{PAGE}.md' does not have",
    ),
    "the index names a page that is not there": (
        lambda site: change(site / "llms.txt", f"{PAGE}.md", "sota/other.md"), "'sota/other.md', which is not there"
    ),
    "a cell of a table is lost": (
        lambda site: change(site / "method/psce.md", " | PSCE | ", " | "),
        "a table row with 8 cells below a header with 9"
    ),
    "a value differs in HTML": (
        lambda site: change(site / f"{PAGE}/index.html", f"{SCORE}1.4984", f"{SCORE}1.4985"),
        f"{PAGE}/index.html: the value '1.4984' of 'IM1 Score' of the result '69991f7a5698665ec4866dd4' is missing",
    ),
    "a value differs in JSON": (
        lambda site: change(site / f"{PAGE}.json", '"1.4739"', '"1.4738"'),
        f"{PAGE}.json: the value '1.4739' of 'IM1 Score' of the result '69991f7a5698665ec4866dd5' is missing",
    ),
    "a value differs in CSV": (
        lambda site: change(site / f"{PAGE}.csv", ",1.4739,", ",1.4738,"), f"{PAGE}.csv: '1.4738' under 'IM1 Score"
    ),
    "a rank differs in CSV": (
        lambda site: change(site / f"{PAGE}.csv", ",1,", ",99,"),
        "is '1' in the JSON",
    ),
    "a value differs in Markdown": (
        lambda site: change(site / f"{PAGE}.md", "**IM1 Score:** 1.4739", "**IM1 Score:** 1.4738"), f"{PAGE}.md"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BREAKS)
def test_every_kind_of_damage_is_named(site: Path, name: str) -> None:
    damage, expected = BREAKS[name]
    damage(site)
    assert any(expected in str(fault) for fault in check_site(site))
    code, lines = run(site)
    assert code == 1
    assert any("differs from what was written" in line or "is missing" in line for line in lines)


def test_files_that_the_build_did_not_write_are_named(site: Path) -> None:
    shutil.copy(site / f"{PAGE}.md", site / "sota/other.md")
    (site / "sota/extra.html").write_text("x", encoding="utf-8")
    (site / ".git").mkdir()
    (site / ".git/config").write_text("x", encoding="utf-8")
    code, lines = run(site)
    assert code == 1
    assert [line for line in lines if "written by the build" in line] == [
        "sota/extra.html: was not written by the build", "sota/other.md: was not written by the build",
    ]  # fmt: skip


def test_a_build_folder_is_checked_by_its_hashes(seed_data: Path, tmp_path: Path) -> None:
    build(seed_data, tmp_path / "public")
    tables = next(path for path in tmp_path.rglob("parquet") if path.is_symlink()).parent
    assert run(tables) == (0, [])
    raw = bytearray((tables / "parquet/scores.parquet").read_bytes())
    raw[len(raw) // 2] ^= 1
    (tables / "parquet/scores.parquet").write_bytes(raw)
    assert run(tables) == (1, ["scores.parquet: differs from what was written"])


def test_other_folders_are_one_error(tmp_path: Path) -> None:
    assert run(tmp_path)[0] == 3


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("index.html", b"\xff"),
        (f"{PAGE}.json", b"{"),
        (f"{PAGE}.json", b"{}"),
        (f"{PAGE}.md", b"\xff"),
        ("llms.txt", b"\xff"),
    ],
)
def test_damage_that_cannot_even_be_read_is_a_fault(site: Path, name: str, content: bytes) -> None:
    (site / name).write_bytes(content)
    code, shown = run(site)
    assert code == 1
    assert f"{name}: differs from what was written" in shown
    assert any("is damaged and cannot be checked whole" in line for line in shown)


def test_a_page_that_is_gone_is_a_fault(site: Path) -> None:
    (site / f"{PAGE}/index.html").unlink()
    code, shown = run(site)
    assert (code, shown[0]) == (1, f"{PAGE}/index.html: is missing")
