"""Imports into folders that hold records already: these are used as they are, and nothing clashes afterwards."""

import json
import shutil
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sotakit.cli import app
from sotakit.errors import InputError
from sotakit.exchange.imports import import_files
from sotakit.exchange.pwc import import_pwc
from sotakit.validate import examine

ROOT = Path(__file__).parents[2]
FIXTURE = ROOT / "tests/fixtures/pwc/nlp-progress-part.json"
REAL = ROOT.parent / "shared/data/pwc-evaluation-tables"
CLASHES = ("E3", "E401", "E402")

Write = Callable[[str, Any], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def call(name: str, document: Any) -> Path:
        path = tmp_path / name
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    return call


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    """A copy of this repository's own records."""
    return shutil.copytree(ROOT / "data", tmp_path / "registry")


def table(*rows: Any, task: str = "Tagging", dataset: str = "Corpus") -> list[dict[str, Any]]:
    return [{"task": task, "datasets": [{"dataset": dataset, "sota": {"metrics": ["F1"], "rows": list(rows)}}]}]


def row(name: str, value: Any = "1.0", label: str = "F1", **more: Any) -> dict[str, Any]:
    return {"model_name": name, "metrics": {label: value}, **more}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def errors(folder: Path) -> list[str]:
    findings = examine(folder, "2026-12-31").findings
    return [f"{finding.code} {finding.message}" for finding in findings if finding.severity == "error"]


def report(*files: Path, into: Path) -> str:
    return "\n".join(import_files("pwc", list(files), into, revision=None, dry_run=False).lines)


def test_the_repository_takes_an_import_and_the_second_one_changes_no_byte(registry: Path) -> None:
    before = tree(registry)
    first = import_pwc(FIXTURE, registry)[0]
    after = tree(registry)
    assert after.items() >= before.items()
    assert errors(registry) == []
    assert import_pwc(FIXTURE, registry)[0] == first
    assert tree(registry) == after


def test_the_command_says_what_it_used(registry: Path, write: Write) -> None:
    paper = "http://arxiv.org/abs/2601.16659v2"
    rows = table(row("psce", paper_url=paper), row("Probabilistically-Safe counterfactual explanations"), row("New"))
    rows[0] |= {"task": "image classification"}
    rows[0]["datasets"][0]["dataset"] = "mnist"
    ran = CliRunner().invoke(app, ["import", "pwc", str(write("x.json", rows)), "--into", str(registry)])
    assert ran.exit_code == 0, ran.stderr
    assert "used what is there: 1 task, 1 dataset, 1 method, 1 source" in ran.stdout
    results = lines(registry / "results/imported-x.jsonl")
    assert [result["method"] for result in results] == ["psce", "psce", "new"]
    assert results[0]["source"] == "6976f4e9a2b28e761d87c0f0"
    board = lines(registry / "benchmarks/imported-x.jsonl")[0]
    assert (board["task"], board["dataset"]) == ("image-classification", "mnist")
    assert errors(registry) == []


def test_a_board_that_is_there_takes_the_rows_if_it_has_their_metrics(registry: Path, write: Write) -> None:
    document = table(row("Net", "1.5", "im1 score"), task="Counterfactual Explanations", dataset="MNIST (test)")
    assert "used what is there: 1 task, 1 benchmark" in report(write("x.json", document), into=registry)
    result = lines(registry / "results/imported-x.jsonl")[0]
    assert (result["benchmark"], result["scores"]) == (
        "counterfactual-explanations-on-mnist-test",
        {"im1-score": "1.5"},
    )
    document[0]["datasets"][0]["sota"]["rows"].append(row("Net", "2", "Other Score"))
    import_files("pwc", [write("y.json", document)], registry, revision=None, dry_run=False)
    board = lines(registry / "benchmarks/imported-y.jsonl")[0]
    assert board["title"] == "Counterfactual Explanations on MNIST (test) [y]"
    assert errors(registry) == []


@pytest.mark.parametrize(
    ("held", "printed", "used"),
    [
        ("{id: bert, name: BERT}", "bert", "bert"),
        ("{id: b, name: BERT-Large}", "bert  large", "b"),
        ("{id: b, name: BERT_large}", "BERT-LARGE", "b"),
        ("{id: b, name: X, aliases: [Bert Large]}", "BERT-Large", "b"),
        ("{id: bert-large, name: Bidirectional Encoder}", "BERT Large", "bert-large"),
        ("{id: bert, name: BERT}", "BERT*", None),
        ("{id: c, name: C}", "C++", None),
        ("{id: x, name: One, aliases: [Net]}\n- {id: y, name: Two, aliases: [Net]}", "Net", None),
        ("{id: x, name: One, aliases: [Net]}\n- {id: y, name: net}", "Net", "y"),
    ],
)
def test_which_method_a_name_means(tmp_path: Path, write: Write, held: str, printed: str, used: str | None) -> None:
    into = tmp_path / "into"
    into.mkdir()
    (into / "methods.yaml").write_text(f"- {held}\n", encoding="utf-8")
    import_pwc(write("x.json", table(row(printed))), into)
    result, new = lines(into / "results/imported-x.jsonl")[0], lines(into / "methods/imported-x.jsonl")
    assert (result["method"] if not new else None) == used
    assert result["method_label"] == printed
    assert errors(into) == []


def test_ids_of_records_that_the_schema_refuses_are_taken(tmp_path: Path, write: Write) -> None:
    into = tmp_path / "into"
    into.mkdir()
    (into / "tasks.yaml").write_text("- {id: tagging, name: 5}\n", encoding="utf-8")
    (into / "methods.json").write_text('[{"id": "net", "nme": "Net"}]', encoding="utf-8")
    (into / "sources.yaml").write_text("- {id: arxiv-1706.03762, type: paper, titel: T}\n", encoding="utf-8")
    import_pwc(write("x.json", table(row("Net", paper_url="https://arxiv.org/abs/1706.03762"))), into)
    written = {kind: lines(into / f"{kind}/imported-x.jsonl")[0]["id"] for kind in ("tasks", "methods", "sources")}
    assert {kind: name.rpartition("-")[0] for kind, name in written.items()} == {
        "tasks": "tagging",
        "methods": "net",
        "sources": "arxiv-1706-03762",
    }
    assert [error for error in errors(into) if error.startswith(CLASHES)] == []


def test_an_id_that_was_renamed_is_not_given_again(tmp_path: Path, write: Write) -> None:
    into = tmp_path / "into"
    into.mkdir()
    (into / "methods.yaml").write_text("- {id: network, name: Network}\n", encoding="utf-8")
    redirects = "- {old: net, new: network, kind: methods}\n- {old: c-plus-plus, new: network, kind: methods}\n"
    (into / "redirects.yaml").write_text(redirects, encoding="utf-8")
    import_pwc(write("x.json", table(row("Net"), row("C++"))), into)
    assert [result["method"][:12] for result in lines(into / "results/imported-x.jsonl")] == ["network", "c-plus-plus-"]
    assert errors(into) == []


@pytest.mark.parametrize("order", list(permutations(("a", "b"))), ids="".join)
def test_two_files_in_any_order_and_again(tmp_path: Path, write: Write, order: tuple[str, ...]) -> None:
    tagging = table(row("NET", "2"), row("New Net", label="Recall"), task="tagging", dataset="CORPUS")
    other = {**table(row("Net"))[0], "task": "Parts of Speech", "synonyms": ["Tagging"]}
    documents = {"a": table(row("Net"), row("Old Net"), task="Tagging"), "b": [*tagging, other]}
    into = tmp_path / "into"
    files = [write(f"{name}.json", documents[name]) for name in order]
    report(*files, into=into)
    assert errors(into) == []
    before = tree(into)
    for again in (files, files[::-1], files[:1], files[1:]):
        report(*again, into=into)
        assert tree(into) == before


def test_imports_made_apart_and_copied_together_are_mended_by_importing_one_again(tmp_path: Path, write: Write) -> None:
    one, two = write("one.json", table(row("Net"), row("A"))), write("two.json", table(row("NET", "3"), row("B")))
    for file in (one, two):
        import_pwc(file, tmp_path / file.stem)
    into = shutil.copytree(tmp_path / "one", tmp_path / "into")
    shutil.copytree(tmp_path / "two", into, dirs_exist_ok=True)
    assert any(error.startswith("E401") for error in errors(into))
    import_pwc(two, into)
    assert errors(into) == []
    assert len(lines(into / "results/imported-one.jsonl") + lines(into / "results/imported-two.jsonl")) == 4


def test_what_other_files_name_stays_when_an_import_is_replaced(tmp_path: Path, write: Write) -> None:
    into = tmp_path / "into"
    first = table(row("A"), row("B"), task="Tagging")
    first[0]["datasets"][0]["sota"]["rows"].append(row("A", label="F-1"))
    import_pwc(write("a.json", first), into)
    import_pwc(write("b.json", table(row("A", "5", "F-1"))), into)
    import_pwc(write("a.json", table(row("C"), task="Tagging")), into, replace=True)
    import_pwc(write("a.json", table(row("D"), task="Parsing")), into, replace=True)
    assert errors(into) == []
    assert [method["name"] for method in lines(into / "methods/imported-a.jsonl")] == ["D", "A"]


def test_keys_of_metrics_stay_when_a_newer_file_has_more_of_them(tmp_path: Path, write: Write) -> None:
    into = tmp_path / "into"
    first = table(row("A", label="F 1"))
    import_pwc(write("a.json", first), into)
    import_pwc(write("b.json", table(row("B", "5", "F 1"))), into)
    first[0]["datasets"][0]["sota"]["rows"].append(row("C", label="F-1"))
    import_pwc(write("a.json", first), into)
    metrics = lines(into / "benchmarks/imported-a.jsonl")[0]["metrics"]
    assert [metric["key"][:4] for metric in metrics if metric["label"] == "F 1"] == ["f-1"]
    assert len({metric["key"] for metric in metrics}) == 2
    assert errors(into) == []


def test_a_damaged_earlier_import_is_not_written_over(tmp_path: Path, write: Write) -> None:
    into = tmp_path / "into"
    file = write("x.json", table(row("A"), row("B")))
    import_pwc(file, into)
    results = into / "results/imported-x.jsonl"
    results.write_bytes(b'{"id": "mine", \xff\n' + results.read_bytes())
    damaged = tree(into)
    with pytest.raises(InputError, match="give --replace"):
        import_pwc(file, into)
    assert tree(into) == damaged
    import_pwc(file, into, replace=True)
    assert errors(into) == []


@pytest.mark.skipif(not REAL.is_dir(), reason="the real files are not beside the repository")
@pytest.mark.parametrize("step", [1, -1], ids=["in order", "backwards"])
def test_the_real_files_go_into_the_repository(registry: Path, step: int) -> None:
    files = sorted(REAL.glob("*.json"))[::step]
    report(*files, into=registry)
    assert errors(registry) == []
    before = tree(registry)
    report(*files[::-1], into=registry)
    assert tree(registry) == before
