"""What an import cannot carry as it is: kept as text, shortened with a note, refused with its place, or counted."""

import json
from pathlib import Path
from typing import Any

import pytest

from sotakit.errors import UsageError
from sotakit.exchange.importing import Accounting, Batch
from sotakit.exchange.imports import import_files
from sotakit.exchange.pwc import import_pwc
from sotakit.validate import examine


def document(*rows: Any, **task: Any) -> list[dict[str, Any]]:
    board = {"dataset": "Stones", "sota": {"metrics": ["Acc", "F1"], "rows": list(rows)}}
    return [{"task": "Sorting stones", "datasets": [board], **task}]


def row(name: Any = "Alpha", **more: Any) -> dict[str, Any]:
    return {"model_name": name, "metrics": {"Acc": "91.2"}, "paper_url": "https://example.org/p", **more}


def carried(tmp_path: Path, content: Any) -> tuple[Accounting, Batch, list[dict[str, Any]]]:
    """An import into an empty folder, which must validate without errors."""
    file = tmp_path / "x.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    account, batch = import_pwc(file, tmp_path / "into")
    assert account.rows_in == account.records_out + account.refused
    if (tmp_path / "into").exists():
        assert [f.message for f in examine(tmp_path / "into", "2026-12-31").findings if f.severity == "error"] == []
    return account, batch, batch.records.get("results", [])


def counts(batch: Batch) -> dict[str, int]:
    return {what: count for what, count in batch.not_carried.items() if count}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (["1", "2"], '["1", "2"]'),
        ('{"mean": 0.90, "sd": 1e-2}', '{"mean": 0.90, "sd": 1e-2}'),
        ("[70.10, null, true]", "[70.10, null, true]"),
        ('[["é\\n"]]', '[["é\\n"]]'),
        ("true", "true"),
        ("-0.50", "-0.50"),
    ],
)
def test_a_value_of_several_parts_is_kept_as_the_file_has_it(tmp_path: Path, value: Any, text: str) -> None:
    raw = value if isinstance(value, str) else json.dumps(value)
    whole = json.dumps(document(row(metrics={"Acc": "HERE", "F1": "70.1"}))).replace('"HERE"', raw)
    account, batch, results = carried(tmp_path, whole)
    assert account == (1, 1, 0)
    assert results[0]["scores"] == {"acc": text, "f1": "70.1"}
    many = raw[0] in "[{"
    assert batch.kept_as_text["value that is a list or an object"] == int(many)


@pytest.mark.parametrize("value", [["9" * 210], {"k" * 100: "v" * 100}, [[[1.5] * 60]]])
def test_a_value_too_long_to_be_kept_refuses_its_row(tmp_path: Path, value: Any) -> None:
    account, batch, _ = carried(tmp_path, document(row(), row(metrics={"Acc": value, "F1": "1"})))
    assert account == (2, 1, 1)
    assert batch.refused[0].reason == "a value of more than 200 characters"
    assert batch.refused[0].raw["metrics"]["F1"] == "1"


def test_the_report_tells_what_was_kept_as_text_and_not_carried(tmp_path: Path) -> None:
    rows = [row(metrics={"Acc": [1, 2], "F1": None}, colour="red\x1b[31m"), row("B", metrics={"Acc": {"a": 1}})]
    (tmp_path / "x.json").write_text(json.dumps(document(*rows)))
    line = import_files("pwc", [tmp_path / "x.json"], tmp_path / "into", revision=None, dry_run=False).lines[0]
    assert "; kept as text: 2 x value that is a list or an object; not carried: " in line
    assert "1 x row colour" in line
    assert "1 x metric without a value in its row" in line
    assert "\x1b" not in line


def test_everything_that_no_record_holds_is_counted(tmp_path: Path) -> None:
    links = [{"title": "T", "url": "https://example.org/1"}, {"url": "https://example.org/2"}, {"url": "no"}]
    content = document(
        row(code_links={"url": "https://example.org/code"}, paper_title=["T"], hardware="TPU", flops=3),
        row("B", uses_additional_data=False, hardware="GPU", empty="", nothing=[]),
        source_link={"url": "https://example.org/s"},
        colour="red",
        synonyms=["Ordering", True, "S" * 1001],
    )
    content[0]["datasets"][0] |= {"dataset_links": links, "size": 3, "dataset_citations": ["c"]}
    content[0]["datasets"][0]["sota"] |= {"note": "n", "metrics": ["Acc", "F1", "Recall", None]}
    other = {"dataset": "Others", "sota": {"metrics": "Acc", "rows": [row("C")]}}
    content[0]["datasets"].append(other)
    content.append({"task": "Empty", "datasets": [{"dataset": "None"}]})
    _, batch, _ = carried(tmp_path, content)
    assert counts(batch) == {
        "task source_link": 1,
        "task colour": 1,
        "synonym that is no text of one to 1,000 characters": 2,
        "dataset size": 1,
        "dataset dataset_citations": 1,
        "link that is no web address": 1,
        "title of a link, or what else stands beside its address": 1,
        "link of a dataset beside its homepage": 1,
        "board note": 1,
        "board metrics of another type": 1,
        "name of a metric that is no text": 1,
        "metric of a board without a value": 2,
        "row hardware": 2,
        "row flops": 1,
        "row code_links of another type": 1,
        "row paper_title of another type": 1,
        "uses_additional_data other than true": 1,
        "board without a result": 1,
    }


def test_what_is_said_of_known_things_is_counted(tmp_path: Path) -> None:
    into = tmp_path / "into"
    into.mkdir()
    (into / "tasks.yaml").write_text("- {id: t, name: sorting STONES, aliases: [Ordering]}\n")
    (into / "methods.yaml").write_text("- {id: a, name: Alpha, code: ['https://example.org/1']}\n")
    (into / "sources.yaml").write_text("- {id: p, type: paper, title: A title, url: 'http://www.example.org/p/'}\n")
    code = [{"url": "https://example.org/1"}, {"url": "https://example.org/2"}]
    rows = [row(code_links=code, paper_title="a Title"), row("B", paper_title="Another"), row("C")]
    _, batch, results = carried(tmp_path, document(*rows, synonyms=["Ordering", "Order"]))
    assert {result["source"] for result in results} == {"p"}
    assert counts(batch) == {
        "aliases of tasks that are there": 1,
        "code of methods that are there": 1,
        "title that a known paper does not have": 1,
        "metric of a board without a value": 1,
    }


def test_a_paper_without_an_address_is_met_by_its_title(tmp_path: Path) -> None:
    into = tmp_path / "into"
    into.mkdir()
    (into / "sources.yaml").write_text(
        "- {id: p, type: paper, title: On Stones}\n- {id: q, type: paper, url: 'https://e.org'}\n"
    )
    _, _, results = carried(tmp_path, document(row(paper_title="On stones"), row("B", paper_title="Of Stones")))
    assert results[0]["source"] == "p"
    assert results[0]["notes"] == "paper address as printed: https://example.org/p"
    assert results[1]["source"] not in ("p", "q")


@pytest.mark.parametrize("length", [1000, 1001, 3000, 19_000, 30_000])
def test_a_long_paper_title_is_kept_in_the_notes(tmp_path: Path, length: int) -> None:
    title = "T" * (length - 1) + "."
    account, batch, results = carried(
        tmp_path, document(row(), row("B", paper_title=title, paper_url="https://e.org/q"))
    )
    assert account == (2, 2, 0)
    source = next(source for source in batch.records["sources"] if source["id"] == results[1]["source"])
    if length == 1000:
        assert (source["title"], source.get("notes")) == (title, None)
    else:
        assert source["title"] == "T" * 999 + "…"
        whole = f"whole title: {title}"
        assert source["notes"] == (whole if length < 20_000 else whole[:19_999] + "…")
    lost = counts(batch).get("characters of paper titles beyond 20,000", 0)
    assert lost == (0 if length < 20_000 else len("whole title: ") + length - 19_999)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"task": "N" * 1001}, "a name of more than 1,000 characters: the name of the task"),
        ({"dataset": "N" * 1001}, "a name of more than 1,000 characters: the name of the dataset"),
        ({"task": "N" * 500, "dataset": "D" * 500}, "the names of task, dataset and parts are longer than 900"),
        ({"task": ["A"]}, 'no task: the name of the task is ["A"], expected a text'),
        ({"task": 3}, ""),
        ({"task": None}, "no task: the name of the task is empty"),
        ({"task": " "}, "no task: the name of the task is empty"),
        ({"dataset": {"name": "D"}}, 'no dataset: the name of the dataset is {"name": "D"}, expected a text'),
        ({"dataset": True}, "no dataset: the name of the dataset is true, expected a text"),
        ({"dataset": ""}, "no dataset: the name of the dataset is empty"),
        ({"subdatasets": 5}, "expected a list"),
    ],
)
def test_a_board_whose_name_cannot_be_one_refuses_its_rows(tmp_path: Path, change: dict[str, Any], reason: str) -> None:
    bad = document(row("B"))[0]
    for name, value in change.items():
        (bad if name == "task" else bad["datasets"][0])[name] = value
    account, batch, results = carried(tmp_path, [*document(row()), bad])
    assert results[0]["method_label"] == "Alpha"
    assert [refusal.reason[: len(reason)] for refusal in batch.refused] == ([reason] if reason else [])
    if "subdatasets" not in change:
        assert account == (2, 1 if reason else 2, 1 if reason else 0)


@pytest.mark.parametrize("name", [["Alpha", "Beta"], {"name": "Gamma"}, True, False, [], {}])
def test_a_method_that_is_no_text_is_refused(tmp_path: Path, name: Any) -> None:
    account, batch, results = carried(tmp_path, document(row(), row(name)))
    assert account == (2, 1, 1)
    assert [result["method"] for result in results] == ["alpha"]
    assert batch.refused[0].reason == f"no method: model_name is {json.dumps(name)}, expected a text"
    assert batch.refused[0].path == "/0/datasets/0/sota/rows/1"


@pytest.mark.parametrize("notes", ["paper_title", "paper_url", "paper_date"])
def test_a_row_whose_notes_would_be_too_long_is_refused(tmp_path: Path, notes: str) -> None:
    account, batch, _ = carried(tmp_path, document(row(), row("B", **{"paper_url": "", notes: "x" * 20_001})))
    assert account == (2, 1, 1)
    assert batch.refused[0].reason.startswith("notes: ")


@pytest.mark.parametrize("revision", ["x" * 1001, "a\nb", "\x1b[0m"])
def test_a_revision_that_no_record_holds_is_an_error_of_usage(tmp_path: Path, revision: str) -> None:
    (tmp_path / "x.json").write_text(json.dumps(document(row())))
    with pytest.raises(UsageError, match="--revision"):
        import_pwc(tmp_path / "x.json", tmp_path / "into", revision=revision)


def test_a_known_address_that_is_none_does_not_stop_the_import(tmp_path: Path) -> None:
    into = tmp_path / "into"
    into.mkdir()
    (into / "sources.yaml").write_text("- {id: p, type: paper, url: 'http://[oops'}\n")
    assert carried(tmp_path, document(row()))[0] == (1, 1, 0)
