"""Published pages are read back into exactly what the records say, or refused with a line; never a part of it."""

import json
import random
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pagesupport import AS_OF, TINY, build
from sotakit.assets import site_folder
from sotakit.catalog import read_catalog
from sotakit.errors import InputError, PageError
from sotakit.exchange.pages import MAX_PAGE_BYTES, read_page, read_pages
from sotakit.exchange.records import PageRecord
from sotakit.publish.benchmark_pages import benchmark_pages
from sotakit.publish.home_page import site_context
from sotakit.publish.render import Renderer
from sotakit.validate import validate
from sotaschema.identity import nfc

OTHER = (TINY / "pages/other-form.md").read_text(encoding="utf-8")
SEED_PAGE = Path(__file__).resolve().parents[3] / "shared/seed/counterfactual-explanations-on-mnist-test.md"

PSCE_PAPER, SCHUT, ROAR, WACHTER = (
    "6976f4e9a2b28e761d87c0f0", "68fa69901e209131cea22aa4", "68fa6a551e209131cea27783", "68fa64261e209131cea02e3a",
)  # fmt: skip
UNCERTAINTY, INFERENCE = {"Uncertainty Estimation": "MC Dropout"}, {"Inference Method": "MC Dropout"}
MODEL = {"Model": "BNN"}
# Typed by hand from the page that the repository's records were copied from, in its order.
CLAIMS: list[tuple[str, str, float, str, dict[str, str], str | None]] = [
    ("69991f7a5698665ec4866dd2", "BayesCF", 1.6426, "1.6426", UNCERTAINTY, None),
    ("69991f7a5698665ec4866de7", "BayesCF", 1.6426, "1.6426", INFERENCE, None),
    ("69991f7a5698665ec4866df6", "BayesCF", 1.6408, "1.6408", MODEL, None),
    ("69991f7a5698665ec4866dd4", "Wachter", 1.4984, "1.4984", UNCERTAINTY, WACHTER),
    ("69991f7a5698665ec4866dd5", "ROAR", 1.4739, "1.4739", UNCERTAINTY, ROAR),
    ("69991f7a5698665ec4866dd3", "Schut", 1.2373, "1.2373", UNCERTAINTY, SCHUT),
    ("69991f7a5698665ec4866de8", "Schut", 1.2373, "1.2373", INFERENCE, SCHUT),
    ("69991f7a5698665ec4866df7", "Schut", 1.2298, "1.2298", MODEL, SCHUT),
    ("69991f7a5698665ec4866df5", "PSCE", 0.9768, "0.9768", MODEL, PSCE_PAPER),
    ("69991f7a5698665ec4866dd1", "PSCE", 0.9273, "0.9273", UNCERTAINTY, PSCE_PAPER),
    ("69991f7a5698665ec4866de6", "PSCE", 0.9273, "0.9273", INFERENCE, PSCE_PAPER),
]


def claim(record: PageRecord) -> tuple[str, str, float, str, dict[str, str], str | None]:
    score = record.scores["IM1 Score"]
    return record.id, record.method, score["value"], score["text"], record.config, record.method_origin_paper


@pytest.fixture(scope="module")
def sites(seed_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sites")
    build(seed_data, folder / "seed")
    build(TINY / "data", folder / "tiny")
    build(TINY / "data", folder / "based", "https://example.org/research")
    return folder


@pytest.fixture(scope="module")
def own(sites: Path) -> str:
    return (sites / "tiny/sota/sorting-numbers.md").read_text(encoding="utf-8")


def assert_the_eleven_claims(records: list[PageRecord]) -> None:
    assert [claim(record) for record in records] == CLAIMS
    for record in records:
        assert record.title == "Counterfactual Explanations on MNIST (test)"
        assert record.task == "Counterfactual Explanations"
        assert record.dataset == "MNIST (test)"
        assert record.benchmark == "counterfactual-explanations-on-mnist-test"
        assert set(record.scores) == {"IM1 Score"}
        assert record.scores["IM1 Score"]["unit"] == "SCALAR"
        assert record.scores["IM1 Score"]["direction"] == "higher"
        assert record.reporting_paper == PSCE_PAPER
        assert record.date is None
        assert (record.origin, record.source_type, record.reproduction) == ("reported", "paper", "not_attempted")


def test_our_page_of_the_repository_gives_the_claims_that_were_typed_by_hand(sites: Path) -> None:
    assert_the_eleven_claims(read_pages([str(sites / f"seed/sota/{'counterfactual-explanations-on-mnist-test'}.md")]))


@pytest.mark.skipif(not SEED_PAGE.exists(), reason="the page that the records were copied from is not at hand")
def test_the_page_that_the_records_were_copied_from_gives_the_same_claims() -> None:
    assert_the_eleven_claims(read_pages([str(SEED_PAGE)]))


@pytest.mark.parametrize("site", ["tiny", "based"])
def test_our_page_of_the_tiny_catalogue_gives_what_its_files_say(sites: Path, site: str) -> None:
    records = {record.id: record for record in read_pages([str(sites / site / "sota/sorting-numbers.md")])}
    assert list(records) == ["t-1", "t-2", "t-3", "t-5", "t-4", "g-1"]
    less = records["t-3"]
    assert asdict(less) == {
        "id": "t-3",
        "benchmark": "sorting-numbers",
        "title": "Sorting on Numbers",
        "task": "Sorting",
        "dataset": "Numbers (test)",
        "method": 'Less<i> & "More" | Sort',
        "scores": {
            "Time (s)": {"text": "12.5", "value": 12.5, "unit": "SECONDS", "direction": "higher"},
            "Swaps": {"text": "40 ± 2", "value": 40.0, "unit": "count", "direction": "lower"},
        },
        "config": {"Threads": 2, "Stable": True, "Note": "a|b `c` <d>"},
        "date": "2024-04-30",
        "reporting_paper": "doe-2024",
        "method_origin_paper": "doe-2024",
        "origin": "reported",
        "source_type": "paper",
        "reproduction": "not_attempted",
        "page": str(sites / site / "sota/sorting-numbers.md"),
    }
    missing = records["t-4"]
    assert missing.method == "Merge"
    assert missing.scores["Time (s)"] == {"text": "OOM", "value": None, "unit": "SECONDS", "direction": "higher"}
    assert missing.scores["Swaps"] == {"text": "10 / 12", "value": None, "unit": "count", "direction": "lower"}
    assert missing.scores["Feel"] == {"text": "7", "value": 7.0, "unit": None, "direction": "unknown"}
    assert (missing.date, missing.source_type, missing.reproduction) == ("2025", "preprint", "partial")
    assert records["t-5"].scores["Feel"]["text"] == ""
    assert records["t-1"].scores["Time (s)"]["text"] == "12.50"
    assert (records["g-1"].origin, records["g-1"].source_type, records["g-1"].date) == (
        "regenerated",
        "run",
        "2025-05-01",
    )


def test_the_second_board_is_read_too(sites: Path) -> None:
    only = read_pages([str(sites / "tiny/sota/stable-sorting-numbers.md")])
    assert [(record.id, record.dataset, record.config) for record in only] == [("s-1", "Numbers v2", {})]
    expected = {"text": "99.0%", "value": 99.0, "unit": "PERCENT", "direction": "higher"}
    assert only[0].scores == {"Accuracy": expected}


def test_several_pages_are_read_in_order(sites: Path) -> None:
    names = [str(sites / f"tiny/sota/{name}.md") for name in ("stable-sorting-numbers", "sorting-numbers")]
    records = read_pages(names)
    assert [record.id for record in records] == ["s-1", "t-1", "t-2", "t-3", "t-5", "t-4", "g-1"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_line_ends_and_a_byte_order_mark_change_nothing(own: str, tmp_path: Path, end: str, bom: str) -> None:
    path = tmp_path / "sorting-numbers.md"
    for text in (own, OTHER):
        path.write_bytes((bom + text).replace("\n", end).encode())
        expected = [asdict(record) | {"benchmark": "", "page": ""} for record in read_page(text, "x.md")]
        found = [asdict(record) | {"benchmark": "", "page": ""} for record in read_pages([str(path)])]
        assert found == expected


def test_a_page_of_the_form_of_others_is_read() -> None:
    first, second, third, fourth = read_page(OTHER, "https://board.example/research/sota/juggling.md?metric=Airtime")
    assert asdict(first) == {
        "id": "j1",
        "benchmark": "juggling",
        "title": "Juggling with Three Balls (indoors)",
        "task": "Juggling",
        "dataset": "Rooms (indoors)",
        "method": "Cascade",
        "scores": {"Airtime": {"text": "91.50", "value": 91.5, "unit": "SECONDS", "direction": "higher"}},
        "config": {"Balls": 3, "Room": "hall, *large*"},
        "date": "2024-02-29",
        "reporting_paper": "p-1",
        "method_origin_paper": "p-0",
        "origin": "reported",
        "source_type": "paper",
        "reproduction": "not_attempted",
        "page": "https://board.example/research/sota/juggling.md?metric=Airtime",
    }
    assert (second.id, second.config, second.date, second.method_origin_paper) == ("j2", {}, None, None)
    assert third.config == {"Code": "`x`", "Indoor": True, "Height": 2.5, "Tags": ["a", "b"]}
    assert third.scores["Airtime"]["text"] == "60 ± 3"
    assert (third.scores["Airtime"]["value"], third.date, third.reporting_paper) == (60.0, "2023", "p-2")
    assert fourth.scores["Airtime"] == {"text": "n/a", "value": None, "unit": "SECONDS", "direction": "higher"}
    assert fourth.reporting_paper is None


@pytest.mark.parametrize("name", ["a?b/juggling.md", "juggling.md", "/x/juggling.md"])
def test_the_benchmark_is_named_by_the_file(name: str) -> None:
    assert {record.benchmark for record in read_page(OTHER, name)} == {"juggling"}


def test_a_metric_called_rank_does_not_hide_the_dates() -> None:
    page = OTHER.replace("Airtime", "Rank-1 Time")
    assert [record.date for record in read_page(page, "x.md")] == ["2024-02-29", None, "2023", None]


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
        ("Airtime: 91.5. Result", "Height: 91.5. Result", "Airtime: 91.5.", "expected `Airtime: VALUE. Result ID: ID.`"),
        ("Result ID: j2.", "Result ID: j1.", "### Cascade\n\nAirtime: 91.5.", "the result 'j1' appears twice"),
        ("Airtime: 91.5. Result ID: j2.", "Airtime: 91.5", "### Cascade\n\nAirtime: 91.5.", "lacks its id, configuration or value"),
        (BALLS, '{"Balls":5', CONFIG, "configuration is not JSON"),
        (BALLS, "[5]", CONFIG, "not a JSON object"),
        (BALLS, '{"Balls":NaN}', CONFIG, "not JSON"),
        (BALLS, '{"Balls":1e999}', CONFIG, "not JSON"),
        (BALLS, '{"Balls":5,"Balls":6}', CONFIG, "a key appears twice"),
        (BALLS, '{"Balls":"\\ud800"}', CONFIG, "not JSON"),
        (BALLS, '{"a":' * 3000 + "1" + "}" * 3000, CONFIG, "not JSON"),
        ("| Mills Mess | 60 ± 3", "| Fountain | 60 ± 3", "| Mills Mess", "'Fountain' does not match 'Mills Mess'"),
        ("| Mills Mess | 60 ± 3", "| Mills Mess | 61 ± 3", "| Mills Mess", "has '61 ± 3' where its section has '60 ± 3'"),
        ("| Mills Mess | 60 ± 3 | 2023 | p-2 |\n", "", "| Method |", "3 rows for 4 results"),
        ("[Reporting paper](<https://board.example/research/paper/p-2.md?x=1#top>)", "", "### Mills Mess", "lacks its reporting paper"),
        ("### Shower\n", "", "Airtime: n/a", "a second result id"),
    ],
)  # fmt: skip
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
        assert re.match(r"x\.md:[0-9]+: .", str(error))
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
    scores = [record["scores"] for record in whole]
    read = 0
    for what, text in damages(own):
        found = readable(text)
        if found is not None:
            read += 1
            assert [record["scores"] for record in found] == scores, what
            assert found == whole, what
    assert read > 50  # lines that state nothing about results may go


def test_a_page_of_others_with_any_damage_is_refused_or_gives_all_values(own: str) -> None:
    """Its form has no checksum: what stands once only (a configuration, an origin) cannot be missed if it is swapped."""
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


# Round trip of random registries.

LINE = (
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=20)
    .map(nfc)
    .filter(lambda text: text.strip() == text)
)
SHARP = st.text(st.sampled_from("\\`*_[](){}<>|~&#@$^!+-=.:;'\" aZ09%±"), min_size=1, max_size=12).filter(
    lambda text: text.strip() == text
)
WORD = st.one_of(LINE, SHARP, st.sampled_from(["a  b", "1.", "---", "`x`", '"q"', "www.e.org", "https://e.org", "# h"]))
NUMBER = st.decimals(-1000, 1000, places=3).map(str)
VALUE = st.one_of(NUMBER, WORD, st.sampled_from(["", "n/a", "OOM", "93.2 ± 0.1", "1,234", "<0.01", "2.50%", "24M"]))
SCALAR = st.one_of(WORD, st.booleans(), st.integers(-(2**53), 2**53), st.floats(-1e12, 1e12, allow_subnormal=False))
DATE = st.one_of(st.none(), st.sampled_from(["2024", "2024-02", "2024-02-29", "1999-12-31"]))
METRICS = st.lists(
    st.tuples(WORD, st.one_of(st.none(), WORD), st.sampled_from(["higher", "lower", "none", "unknown"])),
    min_size=1,
    max_size=3,
    unique_by=lambda metric: metric[0],
)


@st.composite
def registries(draw: st.DrawFn) -> dict[str, Any]:
    metrics = draw(METRICS)
    rows = []
    for number in range(draw(st.integers(0, 4))):
        keys = draw(st.sets(st.integers(0, len(metrics) - 1), min_size=1))
        rows.append(
            {
                "id": f"r-{number}",
                "benchmark": "board",
                "method": draw(st.sampled_from(["one", "two"])),
                "method_label": draw(WORD),
                "config": draw(st.dictionaries(WORD, SCALAR, max_size=3)),
                "scores": {f"m{key}": draw(VALUE) for key in sorted(keys)},
                "reproduction": draw(st.sampled_from(["not_attempted", "partial", "consistent"])),
                "variant": str(number),
            }
            | ({"date": date} if (date := draw(DATE)) else {})
        )
    return {
        "title": draw(WORD),
        "task": draw(WORD),
        "dataset": draw(WORD),
        "metrics": metrics,
        "type": draw(st.sampled_from(["paper", "preprint", "run", "leaderboard_snapshot"])),
        "rows": rows,
    }


def write_registry(folder: Path, drawn: dict[str, Any]) -> Path:
    metrics = [
        {"key": f"m{at}", "label": label, "direction": direction} | ({"unit_recorded": unit} if unit else {})
        for at, (label, unit, direction) in enumerate(drawn["metrics"])
    ]
    board = {"id": "board", "title": drawn["title"], "task": "t", "dataset": "d", "metrics": metrics}
    files = {
        "tasks": [{"id": "t", "name": drawn["task"]}],
        "datasets": [{"id": "d", "name": "D"}],
        "methods": [{"id": "one", "name": "One", "origin": "s"}, {"id": "two", "name": "Two"}],
        "benchmarks": [{**board, "dataset_label": drawn["dataset"]}],
        "sources": [{"id": "s", "type": drawn["type"], "results": drawn["rows"]}],
    }
    folder.mkdir()
    for name, records in files.items():
        (folder / f"{name}.json").write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
    return folder


def as_stated(drawn: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What a reader must get, from what was drawn and by no code of the toolkit."""
    return {
        row["id"]: {
            "title": drawn["title"],
            "task": drawn["task"],
            "dataset": drawn["dataset"],
            "method": row["method_label"],
            "config": row["config"],
            "date": row.get("date"),
            "reporting_paper": "s",
            "method_origin_paper": "s" if row["method"] == "one" else None,
            "origin": "regenerated" if drawn["type"] == "run" else "reported",
            "source_type": drawn["type"],
            "reproduction": row["reproduction"],
            "scores": {
                label: (row["scores"][f"m{at}"], unit or None, direction)
                for at, (label, unit, direction) in enumerate(drawn["metrics"])
                if f"m{at}" in row["scores"]
            },
        }
        for row in drawn["rows"]
    }


@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(drawn=registries())
def test_random_registries_are_read_back_from_their_page(
    tmp_path_factory: pytest.TempPathFactory, drawn: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("random")
    outcome = validate(write_registry(folder / "data", drawn), folder / "build", AS_OF)
    assert outcome.tables, [str(finding) for finding in outcome.findings]
    catalog = read_catalog(outcome.tables)
    page = next(iter(benchmark_pages(catalog, catalog.boards["board"])))
    text = dict(Renderer([site_folder()]).markdown(page, site_context(catalog, None)))[page.address.md]
    found = {}
    for record in read_page(text, "sota/board.md"):
        fields = asdict(record)
        scores = fields.pop("scores")
        fields["scores"] = {
            label: (score["text"], score["unit"], score["direction"]) for label, score in scores.items()
        }
        found[record.id] = {name: fields[name] for name in fields if name not in ("id", "benchmark", "page")}
    assert found == as_stated(drawn)
