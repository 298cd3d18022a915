"""A page that is cut, damaged or not one of results is refused with a line; a part is never passed off as the whole."""

import random
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagesupport import TINY, build
from sotakit.errors import InputError, PageError
from sotakit.exchange.pages import MAX_PAGE_BYTES, read_page, read_pages

OTHER = (TINY / "pages/other-form.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sites")
    build(TINY / "data", folder / "tiny")
    return folder


@pytest.fixture(scope="module")
def own(sites: Path) -> str:
    return (sites / "tiny/sota/sorting-numbers.md").read_text(encoding="utf-8")


# Pages that are not what they should be.

BALLS = '{"Balls":5}'
CONFIG = f"Recorded evaluation configuration: {BALLS}"


@pytest.mark.parametrize(
    ("before", "after", "at", "message"),
    [
        ("# Juggling with", "Juggling with", "# Juggling", "does not start with a title"),
        ("| Task | Juggling |", "", "# Juggling", "no row 'Task'"),
        ("| Metric | Airtime |", "", "# Juggling", "no row 'Metric'"),
        ("4 of 4", "5 of 5", "| Results loaded", "states 5 results and has sections for 4"),
        ("4 of 4", "3 of 3", "| Results loaded", "states 3 results and has sections for 4"),
        ("4 of 4", "all of them", "| Results loaded", "expected `Results loaded` as `N of M`"),
        ("4 of 4", ", of 4", "| Results loaded", "expected `Results loaded`"),
        ("4 of 4", "9" * 5000 + " of 4", "| Results loaded", "expected `Results loaded`"),
        ("## Metrics", "## Measures", "# Juggling", "lists no metrics"),
        ("Higher is better; unit: SECONDS.", "Bigger is better; unit: SECONDS.", "- [Airtime]", "expected a metric"),
        ("Higher is better; unit: SECONDS.", "Higher is better.", "- [Airtime]", "expected a metric"),
        ("[Drop Rate (per h)]", "[Airtime]", "- [Drop Rate", "listed twice"),
        ("## Recorded results", "## Results", "| Results loaded", "has sections for 0"),
        (
            "Airtime: 91.5. Result",
            "Height: 91.5. Result",
            "Airtime: 91.5.",
            "expected `Airtime: VALUE. Result ID: ID.`",
        ),
        ("Result ID: j2.", "Result ID: j1.", "### Cascade\n\nAirtime: 91.5.", "the result 'j1' appears twice"),
        (
            "Airtime: 91.5. Result ID: j2.",
            "Airtime: 91.5",
            "### Cascade\n\nAirtime: 91.5.",
            "lacks its id, configuration or value",
        ),
        (BALLS, '{"Balls":5', CONFIG, "configuration is not JSON"),
        (BALLS, "[5]", CONFIG, "not a JSON object"),
        (BALLS, '{"Balls":NaN}', CONFIG, "not JSON"),
        (BALLS, '{"Balls":1e999}', CONFIG, "not JSON"),
        (BALLS, '{"Balls":5,"Balls":6}', CONFIG, "a key appears twice"),
        (BALLS, '{"Balls":"\\ud800"}', CONFIG, "not JSON"),
        (BALLS, '{"a":' * 3000 + "1" + "}" * 3000, CONFIG, "not JSON"),
        ("| Mills Mess | 60 ± 3", "| Fountain | 60 ± 3", "| Mills Mess", "'Fountain' does not match 'Mills Mess'"),
        (
            "| Mills Mess | 60 ± 3",
            "| Mills Mess | 61 ± 3",
            "| Mills Mess",
            "has '61 ± 3' where its section has '60 ± 3'",
        ),
        ("| Mills Mess | 60 ± 3 | 2023 | p-2 |\n", "", "| Method |", "3 rows for 4 results"),
        (
            "[Reporting paper](<https://board.example/research/paper/p-2.md?x=1#top>)",
            "",
            "### Mills Mess",
            "lacks its reporting paper",
        ),
        ("### Shower\n", "", "Airtime: n/a", "a second result id"),
    ],
)
def test_a_damaged_page_of_others_is_refused_with_its_line(before: str, after: str, at: str, message: str) -> None:
    damaged = OTHER.replace(before, after, 1)
    start = damaged.index(at) if at in damaged else OTHER.index(at)
    line = damaged[:start].count("\n") + 1
    with pytest.raises(PageError) as caught:
        read_page(damaged, "x.md")
    assert str(caught.value).startswith(f"x.md:{line}: ")
    assert message in str(caught.value)


def test_a_view_by_a_metric_is_not_taken_for_the_board(sites: Path) -> None:
    with pytest.raises(PageError, match="read the benchmark's main page"):
        read_pages([str(sites / "tiny/sota/sorting-numbers/swaps.md")])


@pytest.mark.parametrize(
    "name", ["method/merge.md", "paper/doe-2024.md", "index.md", "sota/index.md", "metric/time.md"]
)
def test_other_pages_of_a_site_are_refused(sites: Path, name: str) -> None:
    with pytest.raises(PageError, match="not a benchmark page"):
        read_pages([str(sites / "tiny" / name)])


def readable(text: str) -> list[dict[str, Any]] | None:
    """What a page gives, or None if it is refused as it should be: by an error that names a line."""
    try:
        return [asdict(record) for record in read_page(text, "x.md")]
    except PageError as error:
        assert re.match(r"x\.md:[0-9]+: .", str(error))  # noqa: PT017 - both outcomes are right
        return None


def damages(text: str) -> list[tuple[str, str]]:
    """The page cut at every line, without each line, with each line twice, and with lines swapped."""
    lines = text.split("\n")
    dice = random.Random(7)
    found = [(f"cut at {at}", "\n".join(lines[:at])) for at in range(len(lines))]
    found += [(f"without {at + 1}", "\n".join(lines[:at] + lines[at + 1 :])) for at in range(len(lines))]
    found += [(f"twice {at + 1}", "\n".join(lines[: at + 1] + lines[at:])) for at in range(len(lines))]
    filled = [at for at, line in enumerate(lines) if line]
    for _ in range(150):
        one, two = sorted(dice.sample(filled, 2))
        swapped = [*lines[:one], lines[two], *lines[one + 1 : two], lines[one], *lines[two + 1 :]]
        found.append((f"swapped {one + 1} and {two + 1}", "\n".join(swapped)))
    return found


def test_our_page_with_any_damage_is_refused_or_gives_all_its_results(own: str) -> None:
    whole = readable(own)
    assert whole
    read = 0
    for what, text in damages(own):
        found = readable(text)
        if found is not None:
            read += 1
            assert claims(found) == claims(whole), what
    assert read > 50  # lines that state nothing about results may go


def claims(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the checksum covers: all but what stands beside the text of a score or beside a result."""
    names = ("text", "value", "unit", "direction")
    scores = [
        {label: [score[name] for name in names] for label, score in record["scores"].items()} for record in records
    ]
    return [record | {"scores": found, "more": {}} for record, found in zip(records, scores, strict=True)]


def test_a_page_of_others_with_any_damage_is_refused_or_gives_all_values(own: str) -> None:
    """Its form has no checksum: that what stands only once (a configuration, an origin) was swapped stays unseen."""
    whole = readable(OTHER)
    assert whole
    names = ("id", "method", "scores", "date")
    for what, text in damages(OTHER):
        found = readable(text)
        if found is not None and not what.startswith("swapped"):
            assert [[record[name] for name in names] for record in found] == [
                [record[name] for name in names] for record in whole
            ], what
        elif found is not None:
            assert sorted(record["id"] for record in found) == ["j1", "j2", "j3", "j4"], what


def test_a_changed_value_in_our_page_is_refused(own: str) -> None:
    with pytest.raises(PageError, match="do not agree with their checksum"):
        read_page(own.replace("- **Time (s):** 12.50", "- **Time (s):** 12.51", 1), "x.md")


@given(raw=st.binary(max_size=300))
def test_any_bytes_are_refused_or_read(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    path = tmp_path_factory.mktemp("bytes") / "x.md"
    path.write_bytes(raw)
    with pytest.raises((PageError, InputError), match=r"x\.md:[0-9]+"):
        read_pages([str(path)])


@settings(max_examples=60)
@given(at=st.integers(0, 10_000), junk=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20))
def test_junk_anywhere_in_our_page_is_refused_or_changes_no_result(own: str, at: int, junk: str) -> None:
    place = at % len(own)
    found = readable(own[:place] + junk + own[place:])
    whole = readable(own)
    assert whole is not None
    if found is not None:
        assert [(record["id"], record["scores"], record["config"]) for record in found] == [
            (record["id"], record["scores"], record["config"]) for record in whole
        ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe#\x00", "UTF-16"),
        (b"# caf\xe9\n", "x.md:1:6: not UTF-8"),
        (b"# a\x00b\n", "NUL"),
        (b"# a\n" + b" " * 5000 + b"\n\n\x00\n", "NUL"),
        (b"", "does not start with a title"),
        (b"<!doctype html><html><h1>x</h1></html>", "does not start with a title"),
        (b"#" * (MAX_PAGE_BYTES + 1), "larger than"),
        (b"> " * 4000 + b"x", "does not start with a title"),
        (b"# t\n\n" + b"[" * 20_000, "not a benchmark page"),
        (b"# t\n\n" + b"| a | b |\n| - | - |\n" + b"|\n" * 50, "not a benchmark page"),
    ],
)
def test_files_that_are_no_pages_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.md"
    path.write_bytes(content)
    with pytest.raises((PageError, InputError), match=re.escape(message)):
        read_pages([str(path)])


@pytest.mark.parametrize("name", ["missing.md", ".", "a\0b.md", "x" * 5000])
def test_places_that_are_no_files_are_an_input_error(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError):
        read_pages([name])
