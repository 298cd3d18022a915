"""Importing Papers with Code evaluation tables: accounting, replay, and values compared by hand with real files."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from outcomes import public_results
from sotakit.cli import app
from sotakit.errors import InputError
from sotakit.exchange.imports import import_files
from sotakit.exchange.pwc import import_pwc
from sotakit.validate import examine

FIXTURE = Path(__file__).parents[1] / "fixtures/pwc/nlp-progress-part.json"
REAL = Path(__file__).parents[3] / "shared/data/pwc-evaluation-tables"
needs_real_files = pytest.mark.skipif(not REAL.is_dir(), reason="the real files are not beside the repository")

# Typed from the raw files: rows in, and rows without a method or without any value.
COUNTS = {
    "chexpert": (175, 0),
    "eff": (1714, 0),
    "hotpotqa": (71, 5),
    "nlp-progress": (559, 2),
    "nlpprogress": (407, 6),
    "ogb": (244, 0),
    "redditsota": (32, 32),
    "squad": (451, 65),
}

# Compared by hand with the raw files: file, path of the row, method as printed, value texts by label, paper, date.
BY_HAND = json.loads((FIXTURE.parent / "by-hand.json").read_text(encoding="utf-8"))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def write(path: Path, document: Any) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def table(*rows: Any, task: str = "Tagging", dataset: str = "Corpus") -> list[dict[str, Any]]:
    return [{"task": task, "datasets": [{"dataset": dataset, "sota": {"metrics": ["F1"], "rows": list(rows)}}]}]


def row(name: Any = "Net", value: Any = "1.0", **more: Any) -> dict[str, Any]:
    return {"model_name": name, "metrics": {"F1": value}, **more}


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("real")
    import_files("pwc", [REAL], into, revision=None, dry_run=False)
    return into


@needs_real_files
@pytest.mark.parametrize(("name", "expected"), COUNTS.items(), ids=COUNTS)
def test_every_row_of_the_real_files_is_a_record_or_refused(real: Path, name: str, expected: tuple[int, int]) -> None:
    results, refused = lines(real / f"results/imported-{name}.jsonl"), lines(real / f"import-issues/{name}.jsonl")
    assert (len(results) + len(refused), len(refused)) == expected
    for issue in refused:
        scores = [value for value in issue["raw"]["metrics"].values() if str(value).strip()]
        assert not issue["raw"]["model_name"].strip() or not scores
        assert issue["path"].startswith("/")
        assert issue["reason"].startswith(("no method", "no score"))


@needs_real_files
@pytest.mark.parametrize("case", BY_HAND, ids=[f"{case['file']}{case['path']}" for case in BY_HAND])
def test_values_compared_by_hand(real: Path, case: dict[str, Any]) -> None:
    rows = lines(real / f"results/imported-{case['file']}.jsonl")
    found = next(row for row in rows if row["imported"]["path"] == case["path"])
    boards = {board["id"]: board for file in real.glob("benchmarks/*.jsonl") for board in lines(file)}
    sources = {source["id"]: source for file in real.glob("sources/*.jsonl") for source in lines(file)}
    label = {metric["key"]: metric["label"] for metric in boards[found["benchmark"]]["metrics"]}
    assert found["method_label"] == case["method"]
    assert {label[key]: text for key, text in found["scores"].items()} == case["scores"]
    assert sources[found["source"]].get("url") == case["paper"]
    assert found.get("date") == case["date"]


@needs_real_files
def test_the_real_files_validate_without_errors(real: Path) -> None:
    outcome = examine(real, "2026-11-30")
    assert outcome.count("error") == 0
    assert outcome.rejected == 0
    results = public_results(outcome, real)
    assert len(results) == sum(rows - refused for rows, refused in COUNTS.values())
    assert len({result.id for result in results}) == len(results)


@needs_real_files
def test_importing_the_real_files_again_changes_nothing(real: Path) -> None:
    before = tree(real)
    import_files("pwc", [REAL], real, revision=None, dry_run=False)
    assert tree(real) == before


@needs_real_files
def test_boards_of_one_name_stay_apart(real: Path) -> None:
    boards = [board for board in lines(real / "benchmarks/imported-nlpprogress.jsonl") if "Example" in board["title"]]
    assert [board["title"][-14:] for board in boards] == [f"[board {n} of 4]" for n in (1, 2, 3, 4)]
    rows = lines(real / "results/imported-nlpprogress.jsonl")
    assert [sum(row["benchmark"] == board["id"] for row in rows) for board in boards] == [3, 3, 3, 3]


def test_the_fixture_is_accounted_for(tmp_path: Path) -> None:
    account, _ = import_pwc(FIXTURE, tmp_path)
    assert account.rows_in == json.dumps(json.loads(FIXTURE.read_text())).count('"model_name"')
    assert account.rows_in == account.records_out + account.refused
    issues = lines(tmp_path / "import-issues/nlp-progress-part.jsonl")
    assert [issue["reason"] for issue in issues] == ["no method: model_name is empty"] * 2


def test_a_paper_is_the_source_and_the_file_is_where_there_is_none(tmp_path: Path) -> None:
    rows = [
        row("A", paper_url="https://arxiv.org/abs/1706.03762v5", paper_title="T"),
        row("B", paper_url="http://www.arxiv.org/pdf/1706.03762.pdf", paper_title="T"),
        row("C", paper_url="not an address", paper_title="A talk"),
        row("D"),
    ]
    import_pwc(write(tmp_path / "x.json", table(*rows)), tmp_path / "into", revision="2025-07")
    results = lines(tmp_path / "into/results/imported-x.jsonl")
    assert [result["source"][:16] for result in results[:2]] == ["arxiv-1706.03762"] * 2
    assert results[2]["source"] == results[3]["source"] != results[0]["source"]
    assert results[2]["notes"] == "paper as printed: A talk; paper address as printed: not an address"
    sources = {source["id"]: source for source in lines(tmp_path / "into/sources/imported-x.jsonl")}
    assert sources["arxiv-1706.03762"]["url"] == "https://arxiv.org/abs/1706.03762v5"
    assert {source["recorded_via"]["version"] for source in sources.values()} == {"2025-07"}


def test_rows_that_differ_in_values_only_become_variants(tmp_path: Path) -> None:
    file = write(tmp_path / "x.json", table(row("A", "1"), row("A", "2"), row("A", "1"), row("B", "1")))
    account, _ = import_pwc(file, tmp_path / "into")
    results = lines(tmp_path / "into/results/imported-x.jsonl")
    assert account.records_out == 4
    assert [result.get("variant") for result in results] == [None, "2", "3", None]
    assert len({result["id"] for result in results}) == 4


def test_the_same_rows_in_a_second_file_are_kept_and_told_apart(tmp_path: Path) -> None:
    rows = table(row("A", "1", paper_url="https://example.org/p"))
    for name in ("x", "y"):
        import_pwc(write(tmp_path / f"{name}.json", rows), tmp_path / "into")
    first, second = (lines(tmp_path / f"into/results/imported-{name}.jsonl")[0] for name in ("x", "y"))
    assert (first["benchmark"], first["source"]) == (second["benchmark"], second["source"])
    assert first["id"] != second["id"]
    assert not (tmp_path / "into/methods/imported-y.jsonl").exists()
    outcome = examine(tmp_path / "into", "2026-11-30")
    assert [finding.code for finding in outcome.findings] == ["W403"]


def test_existing_entities_are_referenced_and_never_rewritten(tmp_path: Path) -> None:
    into = tmp_path / "into"
    into.mkdir()
    (into / "methods.yaml").write_text("- {id: my-net, name: Net, aliases: [Network]}\n")
    (into / "tasks.yaml").write_text("- {id: seq, name: tagging}\n")
    before = tree(into)
    import_pwc(write(tmp_path / "x.json", table(row("Network"), row("C++"), row("C#"))), into)
    results = lines(into / "results/imported-x.jsonl")
    assert [result["method"] for result in results] == ["my-net", "c-plus-plus", "c-sharp"]
    assert lines(into / "benchmarks/imported-x.jsonl")[0]["task"] == "seq"
    assert tree(into).items() >= before.items()


def test_an_id_that_is_taken_by_another_name_gets_a_hash(tmp_path: Path) -> None:
    into = tmp_path / "into"
    into.mkdir()
    (into / "methods.yaml").write_text("- {id: c-plus-plus, name: Something else}\n")
    import_pwc(write(tmp_path / "x.json", table(row("C++"))), into)
    method = lines(into / "methods/imported-x.jsonl")[0]
    assert method["name"] == "C++"
    assert re.fullmatch("c-plus-plus-[0-9a-f]{8}", method["id"])


def test_numbers_keep_their_digits_and_bad_dates_their_text(tmp_path: Path) -> None:
    text = json.dumps(table(row("A", paper_date="2019-02-30"))).replace('"1.0"', "0.9000")
    (tmp_path / "x.json").write_text(text)
    import_pwc(tmp_path / "x.json", tmp_path / "into")
    result = lines(tmp_path / "into/results/imported-x.jsonl")[0]
    assert result["scores"] == {"f1": "0.9000"}
    assert (result.get("date"), result["notes"]) == (None, "date as printed: 2019-02-30")


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (row(""), "no method"),
        (row("   "), "no method"),
        (row(None), "no method"),
        (row("A", ""), "no score"),
        (row("A", None), "no score"),
        ({"model_name": "A"}, "no score"),
        ({"model_name": "A", "metrics": ["1"]}, "no score"),
        ("A: 1", "expected a row as a mapping"),
        (row("A", "9" * 201), "a value of more than 200 characters"),
        (row("A" * 1001), "a name of more than 1,000 characters"),
    ],
)
def test_what_cannot_be_a_record_is_refused_with_its_place(tmp_path: Path, bad: Any, reason: str) -> None:
    account, _ = import_pwc(write(tmp_path / "x.json", table(row("Fine"), bad)), tmp_path / "into")
    assert account == (2, 1, 1)
    issue = lines(tmp_path / "into/import-issues/x.jsonl")[0]
    assert issue["reason"].startswith(reason)
    assert (issue["row"], issue["path"], issue["raw"]) == (1, "/0/datasets/0/sota/rows/1", bad)


def test_the_command_counts_on_stderr_and_fails_when_rows_were_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "x.json", table(row("A"), row("")))
    ran = CliRunner().invoke(app, ["import", "pwc", str(file), "--into", str(tmp_path / "into")])
    assert ran.exit_code == 1
    assert ran.stderr.splitlines()[-1] == "rows in: 2, records out: 1, refused: 1"
    clean = write(tmp_path / "y.json", table(row("A")))
    assert CliRunner().invoke(app, ["import", "pwc", str(clean), "--into", str(tmp_path / "into")]).exit_code == 0


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    file = write(tmp_path / "x.json", table(row("A")))
    ran = CliRunner().invoke(app, ["import", "pwc", str(file), "--into", str(tmp_path / "into"), "--dry-run"])
    assert ran.exit_code == 0
    assert "records out: 1" in ran.stderr
    assert not (tmp_path / "into").exists()


@pytest.mark.parametrize(
    ("content", "place"),
    [(b'[{"task": "a"', ":1:14:"), (b'[\n{"task": "\xff"}]', ":2:"), (b"", ":1:1:"), (b"[" * 100_000, "nested")],
)
def test_a_file_that_is_not_json_is_one_line_with_its_place(tmp_path: Path, content: bytes, place: str) -> None:
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(InputError, match=re.escape(place)):
        import_pwc(tmp_path / "x.json", tmp_path / "into")
    ran = CliRunner().invoke(app, ["import", "pwc", str(tmp_path / "x.json"), "--into", str(tmp_path / "into")])
    assert ran.exit_code == 3
    assert ran.stderr.startswith(f"error: {tmp_path / 'x.json'}")
    assert not (tmp_path / "into").exists()


def damaged(document: Any, rng: random.Random) -> Any:
    """The document with some of its parts replaced, dropped or moved."""
    if isinstance(document, list):
        items = [damaged(item, rng) for item in document]
        rng.shuffle(items)
        return items[: rng.randint(0, len(items))] if rng.random() < 0.05 else items
    if isinstance(document, dict):
        return {key: damaged(value, rng) for key, value in document.items() if rng.random() > 0.02}
    return rng.choice([document] * 30 + [None, 3, "", "\x00\n|`<b>", "π≤128K", [], {}, "9" * 300, True])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6))
def test_damaged_files_are_records_or_refusals_that_validate(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    document = damaged(json.loads(FIXTURE.read_text(encoding="utf-8")), random.Random(seed))
    account, _ = import_pwc(write(folder / "x.json", document), folder / "into")
    assert account.rows_in == account.records_out + account.refused
    if (folder / "into").exists():
        assert [f.message for f in examine(folder / "into", "2026-11-30").findings if f.severity == "error"] == []


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 12_000), encoding=st.sampled_from(["utf-8", "utf-16", "latin-1"]))
def test_truncated_or_reencoded_files_give_one_error(
    cut: int, encoding: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    text = FIXTURE.read_text(encoding="utf-8")[: cut if encoding == "utf-8" else None]
    (folder / "x.json").write_bytes(text.encode(encoding, "replace"))
    try:
        account, _ = import_pwc(folder / "x.json", folder / "into")
    except InputError:
        assert not (folder / "into").exists()
    else:
        assert account.rows_in == account.records_out + account.refused


@pytest.mark.parametrize(
    "text",
    [
        '[{"task": "a", "task": "b"}]',
        '[{"task": "a", "datasets": [{"sota": {"rows": [{"metrics": {"F1": 3, "F1": 4}}]}}]}]',
    ],
)
def test_a_key_that_appears_twice_is_an_error_and_never_loses_a_value(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InputError, match="appears twice"):
        import_pwc(tmp_path / "x.json", tmp_path / "into")


def test_metrics_whose_names_differ_in_spaces_only_are_refused_not_merged(tmp_path: Path) -> None:
    rows = [{"model_name": "A", "metrics": {"F1": "1", "F1 ": "2"}}]
    account, batch = import_pwc(write(tmp_path / "x.json", table(*rows)), tmp_path / "into")
    assert (account, batch.refused[0].raw) == ((1, 0, 1), rows[0])


def test_files_that_would_share_an_output_are_refused(tmp_path: Path) -> None:
    for folder, name in (("a", "X.json"), ("b", "x.json")):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder / name, table(row(folder)))
    with pytest.raises(InputError, match="same name"):
        import_files(
            "pwc", [tmp_path / "a/X.json", tmp_path / "b/x.json"], tmp_path / "into", revision=None, dry_run=False
        )


def test_results_of_another_file_of_the_same_name_go_only_when_told_so(tmp_path: Path) -> None:
    into = tmp_path / "into"
    import_pwc(write(tmp_path / "x.json", table(row("A"), row("B"))), into)
    before = tree(into)
    newer = write(tmp_path / "x.json", table(row("B"), row("C")))
    with pytest.raises(InputError, match="1 results of an earlier import"):
        import_pwc(newer, into)
    assert tree(into) == before
    import_pwc(newer, into, replace=True)
    assert [result["method_label"] for result in lines(into / "results/imported-x.jsonl")] == ["B", "C"]
