"""The models: closed, strict, frozen; and the committed JSON Schemas."""

import json
import math
from pathlib import Path

import jsonschema
import pytest
import yaml
from pydantic import ValidationError

from sotaschema import SCHEMA_FILES
from sotaschema.base import check_date, check_timestamp, check_url, first_day, last_day
from sotaschema.entities import Benchmark, Method, Metric, Task
from sotaschema.results import Event, Result, Score, Source
from sotaschema.values import WrittenFloat

ROW = {"benchmark": "b", "method": "m", "scores": {"k": "1"}}


def kinds(model: type, value: object) -> list[tuple[str, tuple]]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(value)
    return [(error["type"], error["loc"]) for error in caught.value.errors()]


def test_records_are_frozen() -> None:
    with pytest.raises(ValidationError):
        Task(id="a", name="A").name = "B"


def test_unknown_fields_are_refused() -> None:
    assert kinds(Task, {"id": "a", "name": "A", "nam": 1}) == [("extra_forbidden", ("nam",))]


@pytest.mark.parametrize("value", [1, True, 1.0, None, ["a"]])
def test_nothing_is_turned_into_text(value: object) -> None:
    assert kinds(Task, {"id": "a", "name": value})[0][1] == ("name",)


@pytest.mark.parametrize("name", ["A", "-a", "", "a b", "é", "a/b", "a" * 65, "a\n"])
def test_bad_ids(name: str) -> None:
    assert kinds(Task, {"id": name, "name": "A"}) == [("string_pattern_mismatch", ("id",))]


@pytest.mark.parametrize("text", ["2026", "2026-02", "2024-02-29", "0001-01-01"])
def test_dates(text: str) -> None:
    assert check_date(text) == text


@pytest.mark.parametrize(
    "text", ["2026-13", "2025-02-29", "26", "2026-1-1", "2026/01/01", "", "2026-01-01T00:00:00Z", "0000"]
)
def test_bad_dates(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        check_date(text)


def test_first_day_of_a_partial_date() -> None:
    assert [first_day(text).isoformat() for text in ("2026", "2026-03", "2026-03-04")] == [
        "2026-01-01",
        "2026-03-01",
        "2026-03-04",
    ]


@pytest.mark.parametrize("text", ["2026-02-26T05:46:52.174Z", "2026-02-26T23:59:59Z"])
def test_times(text: str) -> None:
    assert check_timestamp(text) == text


@pytest.mark.parametrize(
    "text", ["2026-02-26", "2026-02-26T24:00:00Z", "2026-02-30T00:00:00Z", "2026-02-26T05:46:52+01:00", "now"]
)
def test_bad_times(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        check_timestamp(text)


@pytest.mark.parametrize("text", ["javascript:alert(1)", "http://a b", 'https://a"b', "ftp://a", "//a", "https://"])
def test_bad_urls(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        check_url(text)


def test_short_forms_of_a_score() -> None:
    assert Score.model_validate("0.90") == Score(text="0.90")
    assert Score.model_validate(None) == Score(missing_reason="not_reported")
    assert Score.model_validate(1.5).text == "1.5"
    written = WrittenFloat("0.90")
    written.text = "0.90"
    assert Score.model_validate(written).text == "0.90"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", ["scores", "config", "settings"])
def test_nan_and_infinity_are_no_values(place: str, value: float) -> None:
    assert kinds(Result, {**ROW, place: {"k": value}})[0] == ("finite_number", (place, "k"))


def test_a_huge_integer_is_a_long_text() -> None:
    assert kinds(Result, {**ROW, "scores": {"k": 10**400}}) == [("string_too_long", ("scores", "k", "text"))]


def test_two_keys_of_one_spelling_are_refused() -> None:
    assert kinds(Result, {**ROW, "config": {"\u00e9": 1, "e\u0301": 2}}) == [("keys", ("config",))]


def test_what_the_record_states_goes_over_what_the_text_says() -> None:
    score = Score.model_validate(
        {"text": "1.5 ± 0.1", "unit": "points", "qualifier": "at_least", "uncertainty": {"kind": "se", "value": "0.2"}}
    )
    assert (str(score.parsed.value), score.parsed.unit, score.parsed.qualifier) == ("1.5", "points", "at_least")
    assert str(score.parsed.uncertainty) == "0.2"


def test_a_stated_reason_goes_over_a_number() -> None:
    parsed = Score(text="12", missing_reason="redacted").parsed
    assert (parsed.value, parsed.missing_reason) == (None, "redacted")


@pytest.mark.parametrize("field", ["key", "label"])
def test_metrics_of_a_benchmark_have_their_own_names(field: str) -> None:
    metrics = [{"key": "a", "label": "A"}, {"key": "b", "label": "B"}]
    metrics[1][field] = metrics[0][field]
    board = {"id": "b", "title": "B", "task": "t", "dataset": "d", "metrics": metrics}
    assert kinds(Benchmark, board) == [("value_error", ())]


def test_one_primary_metric() -> None:
    metrics = [{"key": "a", "label": "A", "primary": True}, {"key": "b", "label": "B", "primary": True}]
    board = {"id": "b", "title": "B", "task": "t", "dataset": "d", "metrics": metrics}
    assert kinds(Benchmark, board) == [("value_error", ())]
    metrics[0]["primary"] = False
    assert Benchmark.model_validate(board).primary_metric.key == "b"
    metrics[1]["primary"] = False
    assert Benchmark.model_validate(board).primary_metric.key == "a"


def test_text_is_kept_in_normal_form_c() -> None:
    assert Method.model_validate({"id": "a", "name": "Mo\u0308bius"}).name == "M\u00f6bius"


@pytest.mark.parametrize("text", ["a\nb", "a\x00", "\x1b[31m", "a\u2028b"])
def test_names_are_one_line(text: str) -> None:
    assert kinds(Method, {"id": "a", "name": text}) == [("text", ("name",))]


@pytest.mark.parametrize(
    ("fields", "address"),
    [
        ({"arxiv": "2601.16659"}, "https://arxiv.org/abs/2601.16659"),
        ({"doi": "10.1145/1", "arxiv": "2601.16659"}, "https://doi.org/10.1145/1"),
        ({}, None),
        ({"url": "https://example.org/p", "arxiv": "2601.16659"}, "https://example.org/p"),
        ({"openreview": "abcdefgh"}, "https://openreview.net/forum?id=abcdefgh"),
    ],
)
def test_address_of_a_source(fields: dict[str, str], address: str | None) -> None:
    assert Source.model_validate({"id": "a", "type": "paper", **fields}).address == address


def test_origin_of_a_source() -> None:
    made = {"importer": "pwc", "importer_version": "1", "file": "a", "sha256": "0"}
    assert Source(id="a", type="run").origin == "regenerated"
    assert Source.model_validate({"id": "a", "type": "dump", "imported": made}).origin == "imported"
    assert Source(id="a", type="paper").origin == "reported"


def test_events_take_words_of_the_vocabulary() -> None:
    event = {"id": "e", "type": "explained", "target": "r", "date": "2026", "actor": "A. Author"}
    assert kinds(Event, event) == [("literal_error", ("type",))]


def test_bounds_are_decimals_in_text() -> None:
    assert kinds(Metric, {"id": "m", "name": "M", "min": "low"}) == [("string_pattern_mismatch", ("min",))]


class _Texts(yaml.SafeLoader):
    """YAML with dates as text and 1e-3 as a number, like the JSON that other tools see."""


_Texts.yaml_implicit_resolvers = {
    first: [(tag, regex) for tag, regex in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def schema_of(root: Path, name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((root / "schema" / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


FILES = {
    "registry.yaml": "registry",
    "tasks.yaml": "task",
    "datasets.yaml": "dataset",
    "metrics.yaml": "metric",
    "methods.yaml": "method",
    "benchmarks.yaml": "benchmark",
    "config_keys.yaml": "configkey",
    "sources/definitions.yaml": "source",
    "sources/6976f4e9a2b28e761d87c0f0.yaml": "source",
}


@pytest.mark.parametrize("name", FILES)
def test_records_follow_the_committed_schema(root: Path, seed_data: Path, name: str) -> None:
    validator = schema_of(root, FILES[name])
    value = yaml.load((seed_data / name).read_text(encoding="utf-8"), Loader=_Texts)
    records = value if isinstance(value, list) else [value]
    assert records
    for record in records:
        validator.validate(record)


@pytest.mark.parametrize(
    ("schema", "record"),
    [
        ("task", {"id": "a"}),
        ("task", {"id": "A b", "name": "x"}),
        ("task", {"id": "a", "name": "x", "nam": "y"}),
        ("metric", {"id": "a", "name": "x", "direction": "up"}),
        ("metric", {"id": "a", "name": "x", "min": "low"}),
        ("result", {**ROW, "scores": {}}),
        ("result", {**ROW, "config": {"k": [1]}}),
        ("result", {**ROW, "date": "yesterday"}),
        ("source", {"id": "a", "type": "paper", "url": "ftp://x"}),
    ],
)
def test_committed_schema_refuses_what_the_models_refuse(root: Path, schema: str, record: dict) -> None:
    with pytest.raises(jsonschema.ValidationError):
        schema_of(root, schema).validate(record)


def test_committed_schemas_have_not_drifted(root: Path) -> None:
    from sotaschema.jsonschema import schema_files

    committed = {path.name: path.read_text(encoding="utf-8") for path in (root / "schema").glob("*.schema.json")}
    assert committed == schema_files()
    assert list(SCHEMA_FILES) == sorted(committed)


@pytest.mark.parametrize(
    ("partial", "last"),
    [("2026", "2026-12-31"), ("2024-02", "2024-02-29"), ("2026-02", "2026-02-28"), ("2026-04-09", "2026-04-09")],
)
def test_the_last_day_a_partial_date_can_mean(partial: str, last: str) -> None:
    assert last_day(partial).isoformat() == last
