"""The quick look at results: whatever it passes over, no rule about single results has anything to say on."""

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from sotakit.check.findings import Origin
from sotakit.check.ordinary import Ordinary
from sotakit.check.rules import RESULT_RULES, RULES
from sotakit.collection import Collection, Loaded, loaded
from sotaschema.entities import Benchmark, BenchmarkMetric, Dataset, Method
from sotaschema.results import Result, Source

ABOUT_SCORES = {"W208", "W212", "E307", "E501", "E502", "W515"}
GOOD = {"benchmark": "b", "method": "m", "date": "2024-05-06", "source": "s"}

dates = st.sampled_from(
    [None, "2023", "2023-12-31", "2024", "2024-01", "2024-01-01", "2024-02-29", "2025-01-02", "2026"]
)
rows = st.fixed_dictionaries(
    {
        "benchmark": st.sampled_from(["b", "free", "refused", "unknown"]),
        "method": st.sampled_from(["m", "free", "refused", "unknown"]),
        "source": st.sampled_from(["s", "unknown"]),
        "method_label": st.sampled_from([None, "M", " M ", "Ours", "<b>M</b>", "/home/m.pt", "www.m.org"]),
        "date": dates,
        "reproduction": st.sampled_from(["not_attempted", "consistent"]),
    }
)


def collection(results: list[dict[str, Any]], released: str | None, as_of: str) -> Collection:
    metrics = [BenchmarkMetric(key="a", label="A")]
    kinds: Any = {
        "datasets": [Dataset(id="d", name="D", released=released), Dataset(id="free", name="Free")],
        "methods": [Method(id="m", name="M", released=released), Method(id="free", name="Free")],
        "benchmarks": [
            Benchmark(id=name, title=name, task="t", dataset=data, metrics=metrics)
            for name, data in (("b", "d"), ("free", "free"))
        ],
        "sources": [Source(id="s", type="paper")],
    }
    ids = {kind: {record.id for record in records} for kind, records in kinds.items()}
    ids["benchmarks"].add("refused")
    ids["methods"].add("refused")
    found = [loaded(Result(**row, scores={"a": "1"}), None, Origin("f", line)) for line, row in enumerate(results, 1)]
    entities = {kind: [Loaded(record, Origin(kind)) for record in records] for kind, records in kinds.items()}
    return Collection(kinds=entities, results=[result for result in found if result], ids=ids, as_of=as_of)


@given(st.lists(rows, max_size=6), dates, st.sampled_from(["2024-05-06", "2025-01-01", ""]))
@example([GOOD], "2024-05-07", "2026-01-01")
@example([GOOD], "2024-05-06", "2024-05-05")
def test_rules_find_the_same_in_what_is_left(results: list[dict[str, Any]], released: str | None, as_of: str) -> None:
    whole = collection(results, released, as_of)
    part = whole.batch(Ordinary(whole).others(whole.results))
    alone = whole.batch(whole.results)
    for code in RESULT_RULES - ABOUT_SCORES:
        assert list(RULES[code](part)) == list(RULES[code](alone)), code


def test_most_results_are_passed_over() -> None:
    rows = [GOOD, {**GOOD, "date": None}, {**GOOD, "method_label": "Ours"}, {**GOOD, "date": "2024"}]
    whole = collection(rows, "2024-05-06", "2026-01-01")
    assert Ordinary(whole).others(whole.results) == []
    late = collection(rows, "2024-05-07", "2026-01-01")
    assert [result.origin.line for result in Ordinary(late).others(late.results)] == [1, 3]
