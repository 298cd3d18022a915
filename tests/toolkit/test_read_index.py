"""Following an llms.txt to the benchmark pages of a collection."""

from pathlib import Path

import pytest

from sotakit.errors import InputError, PageError
from sotakit.exchange.index import benchmark_pages

HEAD = "# Name\n\n> Summary.\n\nHow to read it.\n\n"


def site(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder / "llms.txt"


def test_relative_links_are_followed_in_order_and_other_sections_are_not(tmp_path: Path) -> None:
    items = "## Benchmarks\n\n- [B](sota/b.md): two\n- [A](sota/a.md): one\n\n## Lists\n\n- [X](x.md): no\n"
    index = site(tmp_path, {"llms.txt": HEAD + items, "sota/a.md": "", "sota/b.md": "", "x.md": ""})
    assert benchmark_pages(index) == [tmp_path / "sota/b.md", tmp_path / "sota/a.md"]


@pytest.mark.parametrize("base", ["", "https://example.org/r/"])
def test_nested_indexes_are_followed_and_every_page_comes_once(tmp_path: Path, base: str) -> None:
    root = f"## Benchmarks\n\n- [All]({base}sota/llms.txt): nested\n\n## Lists\n\n- [First page]({base}index.md): x\n"
    up = base or "../"
    nested = f"## Benchmarks\n\n- [A]({base or ''}{'sota/' if base else ''}a.md): one\n- [Back]({up}llms.txt): root\n"
    index = site(tmp_path, {"llms.txt": HEAD + root, "sota/llms.txt": HEAD + nested, "sota/a.md": "", "index.md": ""})
    assert [page.resolve() for page in benchmark_pages(index)] == [tmp_path / "sota/a.md"]


def test_absolute_links_below_the_sites_own_base_are_files_of_its_folder(tmp_path: Path) -> None:
    links = "- [A](https://example.org/r/sota/a.md): one\n\n## Lists\n\n- [F](https://example.org/r/index.md): x\n"
    index = site(tmp_path, {"llms.txt": HEAD + "## Benchmarks\n\n" + links, "sota/a.md": ""})
    assert benchmark_pages(index) == [tmp_path / "sota/a.md"]


@pytest.mark.parametrize(
    ("item", "line"),
    [
        ("- [A](missing.md): one", 9),
        ("- [A](../outside.md): one", 9),
        ("- [A](file:///etc/passwd): one", 9),
        ("just words", 9),
        ("- [A] (a.md)", 9),
    ],
)
def test_what_leads_nowhere_is_an_error_with_its_line(tmp_path: Path, item: str, line: int) -> None:
    (tmp_path / "outside.md").write_text("")
    index = site(tmp_path / "public", {"llms.txt": f"{HEAD}## Benchmarks\n\n{item}\n"})
    with pytest.raises(PageError, match=rf"llms\.txt:{line}: "):
        benchmark_pages(index)


def test_what_is_not_an_index_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(PageError, match="no title"):
        benchmark_pages(site(tmp_path, {"llms.txt": "hello\n"}))
    with pytest.raises(InputError, match="cannot be read"):
        benchmark_pages(tmp_path / "none.txt")
    (tmp_path / "llms.txt").write_bytes(b"# \xff")
    with pytest.raises(InputError, match="not UTF-8"):
        benchmark_pages(tmp_path / "llms.txt")
