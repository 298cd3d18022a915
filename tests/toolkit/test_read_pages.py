"""Published pages, ours and those of others, are read back into exactly what the records say."""

from dataclasses import asdict
from pathlib import Path

import pytest

from pagesupport import TINY, build
from sotakit.exchange.pages import read_page, read_pages
from sotakit.exchange.records import PageRecord

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
            "Swaps": {
                "text": "40 ± 2",
                "value": 40.0,
                "unit": "count",
                "direction": "lower",
                "uncertainty": {"kind": "sd", "value": "2"},
                "aggregation": "mean",
                "n_runs": 5,
            },
        },
        "config": {"Threads": 2, "Stable": True, "Note": "a|b `c` <d>"},
        "date": "2024-04-30",
        "reporting_paper": "doe-2024",
        "method_origin_paper": "doe-2024",
        "origin": "reported",
        "source_type": "paper",
        "reproduction": "not_attempted",
        "page": str(sites / site / "sota/sorting-numbers.md"),
        "more": {"evidence": "authors", "locator": "table 3, row LT"},
    }
    missing = records["t-4"]
    assert missing.method == "Merge"
    assert missing.scores["Time (s)"] == {
        "text": "OOM",
        "value": None,
        "unit": "SECONDS",
        "direction": "higher",
        "missing_reason": "failed",
    }
    assert missing.scores["Swaps"] == {
        "text": "10 / 12",
        "value": None,
        "unit": "count",
        "direction": "lower",
        "missing_reason": "unreadable",
    }
    assert missing.scores["Feel"] == {"text": "7", "value": 7.0, "unit": None, "direction": "unknown"}
    assert (missing.date, missing.source_type, missing.reproduction) == ("2025", "preprint", "partial")
    assert records["t-5"].scores["Feel"]["text"] == ""
    assert records["t-5"].scores["Feel"]["missing_reason"] == "not_reported"
    assert records["t-2"].more["duplicate_of"] == "t-1"
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
        "more": {},
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


def test_a_file_that_is_not_called_like_a_record_gives_an_id_all_the_same() -> None:
    assert {record.benchmark for record in read_page(OTHER, "pages/Juggling (indoors).md")} == {"juggling-indoors"}


def test_a_metric_called_rank_does_not_hide_the_dates() -> None:
    page = OTHER.replace("Airtime", "Rank-1 Time")
    assert [record.date for record in read_page(page, "x.md")] == ["2024-02-29", None, "2023", None]
