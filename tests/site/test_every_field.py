"""Every field of a record stands on a page, in HTML and in Markdown, or the docs name it as not shown with a reason."""

import html
import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from pagesupport import build
from sotakit.publish.site_check import check_site

ROOT = Path(__file__).resolve().parents[2]
MAKE = runpy.run_path(str(ROOT / "docs/make.py"))
NOT_SHOWN: dict[str, dict[str, str]] = MAKE["not_shown"]()
MODELS = {model.__name__: model for model in (*MAKE["KINDS"].values(), *MAKE["PARTS"])}
FIELDS = [f"{name}.{field}" for name, model in MODELS.items() for field, *_ in MAKE["fields"](model)]

SCORE = {
    "text": "0.71625", "unit": "fraction", "qualifier": "approximate", "aggregation": "pooled", "n_runs": 8123,
    "n_items": 61234, "note": "Score note",
    "uncertainty": {"kind": "iqr", "value": "0.01234567", "low": "0.701234567", "high": "0.727654321", "level": 0.775},
}  # fmt: skip
RESULT = {
    "id": "result-id", "benchmark": "benchmark-id", "method": "method-id", "method_label": "Method label",
    "variant": "Variant word", "config": {"Config key": "Config value"}, "config_extra": {"Extra key": "Extra value"},
    "settings": {"Settings key": "Settings value"},
    "scores": {"metric-key": SCORE, "other-key": {"missing_reason": "redacted"}},
    "locator": {"page": 7345, "table": "Table word", "figure": "Figure word", "row": "Row word",
                "column": "Column word", "section": "Section word", "fragment": "Fragment.word"},
    "date": "2021-03-17", "date_kind": "retrieved", "hardware": "Hardware word", "extra_training_data": "stated",
    "notes": "Notes of\nthe result", "evidence": "vendor_claim", "transcription": "double_checked",
    "reproduction": "not_possible", "status": "under_review", "comparability": "standard",
    "comparability_note": "Comparability note",
}  # fmt: skip
SOURCE = {
    "id": "source-id", "type": "dataset_card", "title": "Source title", "authors": ["Ann Author"], "date": "2020-11-23",
    "arxiv": "2011.54321", "doi": "10.4321/source", "openreview": "openReview1", "url": "https://source.example/doc",
    "venue": "Venue word", "licence": "Source licence", "retracted": True, "notes": "Source notes",
    "recorded_via": {"name": "Archive name", "url": "https://archive.example/", "version": "Archive version",
                     "retrieved": "2022-02-22", "licence": "Archive licence"},
    "imported": {"importer": "Importer word", "importer_version": "Importer version", "file": "imported-file.json",
                 "sha256": "a1" * 32},
    "run": {"Run key": "Run value"}, "results": [RESULT],
}  # fmt: skip
RECORDS: dict[str, Any] = {
    "registry.json": {"schema": 1, "title": "Registry title", "description": "Registry description",
                      "licence": "Registry licence", "base_url": "https://base.example/site",
                      "contact": "mail@contact.example"},
    "tasks.json": [
        {"id": "task-id", "name": "Task name", "aliases": ["Task alias"], "parents": ["parent-id"],
         "description": "Task description"},
        {"id": "parent-id", "name": "Parent name"},
    ],
    "datasets.json": [
        {"id": "dataset-id", "name": "Dataset name", "version": "Dataset version", "aliases": ["Dataset alias"],
         "homepage": "https://homepage.example/", "licence": "Dataset licence", "paper": "other-source",
         "croissant": "https://croissant.example/c.json", "hub": "hub/word", "released": "2019-01-31",
         "description": "Dataset description"},
    ],
    "metrics.json": [
        {"id": "metric-id", "name": "Metric name", "aliases": ["Metric alias"], "direction": "lower", "unit": "percent",
         "direction_source": [{"source": "other-source", "locator": "Direction locator", "note": "Direction note"}],
         "min": "0.125", "max": "99.875", "share_of_items": True, "parameters": {"Parameter key": "Parameter value"},
         "definition": "Metric definition",
         "reference": [{"source": "third-source", "locator": "Reference locator", "note": "Reference note"}]},
    ],
    "methods.json": [
        {"id": "method-id", "name": "Method name", "aliases": ["Method alias"], "kind": "system",
         "origin": "other-source", "code": ["https://code.example/git"], "parameters": "Parameters word",
         "organisation": "Organisation word", "released": "2018-08-18", "description": "Method description"},
    ],
    "benchmarks.json": [
        {"id": "benchmark-id", "title": "Benchmark title", "task": "task-id", "dataset": "dataset-id",
         "dataset_label": "Dataset label", "split": "Split word", "subset": "Subset word", "language": "Language word",
         "protocol": "Protocol words", "protocol_version": "Protocol version", "unknowns": ["Unknown word"],
         "n_items": 54321, "description": "Benchmark description", "updated_at": "2023-04-05T06:07:08Z",
         "metrics": [
             {"key": "metric-key", "metric": "metric-id", "label": "Metric label", "direction": "lower",
              "unit_recorded": "Unit as printed", "unit": "percent", "parameters": {"Label key": "Label value"},
              "primary": True},
             {"key": "other-key", "label": "Other label", "added": True},
         ]},
    ],
    "sources.json": [SOURCE, {"id": "other-source", "type": "paper", "title": "Other title"},
                     {"id": "third-source", "type": "paper", "title": "Third title"}],
    "results.json": [{**RESULT, "id": "apart-id", "source": "third-source", "variant": None, "locator": None,
                      "status": "active"}],
    "events.json": [
        {"id": "event-id", "type": "disputed", "target": "result-id", "date": "2024-05-06", "actor": "Actor word",
         "field": "evidence", "before": "vendor_claim", "after": "third_party_reported", "reason": "Event reason",
         "evidence": "https://evidence.example/"},
    ],
    "redirects.json": [{"old": "old-id", "new": "method-id", "kind": "methods"}],
}  # fmt: skip

SHOWN = {
    "Task": {"id": "task-id", "name": "Task name", "aliases": "Task alias", "parents": "Parent name",
             "description": "Task description"},
    "Dataset": {"id": "dataset-id", "name": "Dataset name", "version": "Dataset version", "aliases": "Dataset alias",
                "homepage": "https://homepage.example/", "licence": "Dataset licence", "paper": "Other title",
                "croissant": "https://croissant.example/c.json", "hub": "hub/word", "released": "2019-01-31",
                "description": "Dataset description"},
    "Citation": {"source": "Other title", "locator": "Reference locator", "note": "Direction note"},
    "Metric": {"id": "metric-id", "name": "Metric name", "aliases": "Metric alias", "direction": "Lower is better",
               "direction_source": "Direction locator", "unit": "percent", "min": "0.125", "max": "99.875",
               "share_of_items": "a whole number of items", "parameters": "Parameter key: Parameter value",
               "definition": "Metric definition", "reference": "Reference note"},
    "Method": {"id": "method-id", "name": "Method name", "aliases": "Method alias", "kind": "system",
               "origin": "Other title", "code": "https://code.example/git", "parameters": "Parameters word",
               "organisation": "Organisation word", "released": "2018-08-18", "description": "Method description"},
    "BenchmarkMetric": {"key": "sota/benchmark-id/metric-key", "metric": "metric/metric-id", "label": "Metric label",
                        "direction": "Lower is better", "unit_recorded": "Unit as printed", "unit": "percent",
                        "parameters": '{"Label key": "Label value"}', "added": "Other label",
                        "primary": "Metric label"},
    "Benchmark": {"id": "benchmark-id", "title": "Benchmark title", "task": "Task name", "dataset": "Dataset name",
                  "dataset_label": "Dataset label", "split": "Split word", "subset": "Subset word",
                  "language": "Language word", "protocol": "Protocol words", "protocol_version": "Protocol version",
                  "unknowns": "Unknown word", "n_items": "54,321", "metrics": "Metric label",
                  "description": "Benchmark description", "updated_at": "2023-04-05"},
    "Redirect": {"old": "", "new": "method/method-id", "kind": ""},
    "Registry": {"title": "Registry title", "description": "Registry description", "licence": "Registry licence",
                 "base_url": "https://base.example/site", "contact": "mail@contact.example"},
    "Result": {"id": "result-id", "source": "Third title", "benchmark": "Benchmark title", "method": "method-id",
               "method_label": "Method label", "variant": "Variant word", "config": "Config value",
               "config_extra": '"Extra key":"Extra value"', "settings": "Settings value", "scores": "0.71625",
               "locator": "Table word", "date": "2021-03-17", "date_kind": "when it was retrieved",
               "hardware": "Hardware word", "extra_training_data": "stated: trained on data beyond",
               "notes": "the result", "evidence": "vendor", "transcription": "checked by two persons",
               "reproduction": "recorded as not possible to run again", "status": "under review",
               "comparability": "follows the benchmark's protocol", "comparability_note": "Comparability note"},
    "Score": {"text": "0.71625", "unit": "fraction", "qualifier": "≈ 0.71625", "uncertainty": "iqr 0.01234567",
              "aggregation": "pooled", "n_runs": "8,123 runs", "n_items": "61,234 items", "missing_reason": "Redacted",
              "note": "Score note"},
    "Uncertainty": {"kind": "iqr", "value": "0.01234567", "low": "0.701234567", "high": "0.727654321",
                    "level": "77.5% iqr"},
    "Locator": {"page": "page 7345", "table": "table Table word", "figure": "figure Figure word", "row": "row Row word",
                "column": "column Column word", "section": "section Section word",
                "fragment": "fragment Fragment.word"},
    "Source": {"id": "source-id", "type": "dataset card", "title": "Source title", "authors": "Ann Author",
               "date": "2020-11-23", "arxiv": "2011.54321", "doi": "10.4321/source", "openreview": "openReview1",
               "url": "https://source.example/doc", "venue": "Venue word", "licence": "Source licence",
               "retracted": "recorded as retracted", "recorded_via": "Archive name", "imported": "Importer word",
               "run": '"Run key": "Run value"', "notes": "Source notes", "results": "result-id"},
    "RecordedVia": {"name": "Archive name", "url": "https://archive.example/", "version": "Archive version",
                    "retrieved": "2022-02-22", "licence": "Archive licence"},
    "Import": {"importer": "Importer word", "importer_version": "Importer version", "file": "imported-file.json",
               "sha256": "a1" * 32},
    "Event": {"id": "event-id", "type": "isputed", "target": "Method label on Benchmark title", "date": "2024-05-06",
              "actor": "Actor word", "field": "evidence: ", "before": "vendor_claim", "after": "third_party_reported",
              "reason": "Event reason", "evidence": "https://evidence.example/"},
}  # fmt: skip
"""Each field of each model as a page words the value that it has above; empty where it is the address of the page."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("every")
    (folder / "data").mkdir()
    for name, records in RECORDS.items():
        (folder / "data" / name).write_text(json.dumps(records), encoding="utf-8")
    return build(folder / "data", folder / "public")


def texts(site: Path, ending: str) -> str:
    """All pages of a kind in one text, as a reader sees them; values of attributes stay."""
    pages = sorted(site.rglob(f"*{ending}"))
    return "\n".join(
        html.unescape(re.sub(r"\\(?=[^0-9A-Za-z\s])", "", page.read_text(encoding="utf-8"))) for page in pages
    )


def test_every_field_is_shown_or_named_as_not_shown() -> None:
    shown = {f"{model}.{field}" for model, fields in SHOWN.items() for field in fields}
    named = {f"{model}.{field}" for model, fields in NOT_SHOWN.items() for field in fields}
    assert shown | named == set(FIELDS)
    assert not shown & named
    assert all(reason.endswith(".") for fields in NOT_SHOWN.values() for reason in fields.values())


@pytest.mark.parametrize("ending", [".html", ".md"])
def test_what_a_field_states_stands_on_a_page(site: Path, ending: str) -> None:
    text = texts(site, ending)
    missing = [(model, field) for model, words in SHOWN.items() for field, word in words.items() if word not in text]
    assert missing == []


def test_an_old_id_is_the_address_of_a_page(site: Path) -> None:
    assert (site / "method/old-id/index.html").is_file()
    assert (site / "method/old-id.md").is_file()


def leaves(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() if inner is not None for leaf in leaves(inner)]
    return [leaf for inner in value for leaf in leaves(inner)] if isinstance(value, list) else [str(value)]


def test_the_json_of_the_pages_has_the_values_as_recorded(site: Path) -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in site.rglob("*.json") if page.parent.name != "schema")
    stated = [
        leaf
        for name, records in RECORDS.items()
        if name not in ("registry.json", "redirects.json")
        for leaf in leaves(records)
    ]
    plain = [leaf.replace("\n", "\\n").replace("True", "true") for leaf in stated]
    assert [leaf for leaf in plain if leaf not in text] == []


def test_the_forms_of_the_site_agree(site: Path) -> None:
    assert [str(fault) for fault in check_site(site)] == []
