"""BibTeX entries as a program reads them: braces pair up whatever the records say, and no two of a page share a key."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesupport import build, parse_html
from sotakit.publish.bibtex import source_bibtex, told_apart

Write = Callable[..., Path]
HOSTILE = st.text(st.sampled_from("{}\\\"@,=%#~^&$_ aäZ-.'and"), min_size=1, max_size=30)
BARE = {
    "id": "s", "type": "paper", "date": "2021-05", "venue": None, "arxiv": None, "doi": None, "title": None,
    "authors": [],
}  # fmt: skip


def fields(entry: str) -> dict[str, str]:
    """The fields of one entry by BibTeX's own rule: a value ends where its braces close."""
    found = re.match(r"@[a-z]+\{([a-z0-9._-]+),\n", entry)
    assert found
    values, at = {"": found[1]}, found.end()
    while field := re.compile(r"  ([a-z]+) += (?=\{)").match(entry, at):
        depth, end = 0, field.end()
        while True:
            depth += {"{": 1, "}": -1}.get(entry[end], 0)
            end += 1
            if not depth:
                break
        values[field[1]] = entry[field.end() + 1 : end - 1]
        assert entry[end : end + 2] == ",\n"
        at = end + 2
        if month := re.compile(r"  month +=( [a-z]{3},\n)").match(entry, at):
            at = month.end()
    assert entry[at:] == "}"
    return values


@given(HOSTILE, st.lists(HOSTILE, max_size=3), HOSTILE)
def test_braces_pair_up_whatever_is_recorded(title: str, authors: list[str], venue: str) -> None:
    source = {**BARE, "title": title, "authors": authors, "venue": venue}
    read = fields(source_bibtex(source, "https://example.org/{a}}"))
    assert read["url"] == "https://example.org/%7Ba%7D%7D"
    assert {"title", "url"} <= read.keys() <= {"", "title", "author", "year", "journal", "url"}


def test_a_brace_has_a_name() -> None:
    made = source_bibtex({**BARE, "title": "Sets of the form {x"}, None)
    assert fields(made)["title"] == "{Sets of the form \\textbraceleft{}x}"


@pytest.mark.parametrize("name", ["others", "A, B, C, D", ", Li", "Search and Rescue"])
def test_a_name_that_bibtex_would_take_apart_stands_in_braces(name: str) -> None:
    assert fields(source_bibtex({**BARE, "authors": [name]}, None))["author"] == f"{{{name}}}"


def entry_of(key: str) -> str:
    return f"@misc{{{key},\n  title         = {{x}},\n}}"


KEYS = st.dictionaries(
    st.from_regex(r"[a-z]{1,3}", fullmatch=True), st.sampled_from(["li", "lia", "lib", "liaa", "bo"])
)


@given(KEYS)
def test_keys_differ_and_do_not_depend_on_the_order(keys: dict[str, str]) -> None:
    entries = {name: entry_of(key) for name, key in keys.items()}
    made = told_apart(entries)
    found = {name: fields(text)[""] for name, text in made.items()}
    assert len(set(found.values())) == len(found)
    assert all(found[name].startswith(key) for name, key in keys.items())
    assert told_apart(dict(reversed(entries.items()))) == made
    alone = [name for name, key in keys.items() if list(keys.values()).count(key) == 1]
    assert all(made[name] == entries[name] for name in alone)


def test_two_papers_of_one_page_have_two_keys(write: Write, tmp_path: Path, minimal: dict[str, str]) -> None:
    for number, title in enumerate(("Fast Nets", "Fast Trees")):
        results = [{"benchmark": "sorting-on-numbers", "method": "merge", "scores": {"accuracy": f"7{number}.5"}}]
        source = {"id": f"p{number}", "type": "paper", "title": title, "authors": ["Ana Li"], "date": "2021"}
        minimal[f"sources/p{number}.json"] = json.dumps({**source, "results": results})
    site = build(write(minimal), tmp_path / "public")
    page = parse_html((site / "sota/sorting-on-numbers/index.html").read_text(encoding="utf-8"))
    keys = [fields(node.raw)[""] for node in page.all("pre")[1:]]
    assert sorted(keys) == ["li2021fasta", "li2021fastb", "paper-a"]
