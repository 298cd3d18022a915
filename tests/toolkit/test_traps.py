"""The traps of real files from other projects, each found by its code: values as they are printed there, by hand.

Files of Papers with Code go through the importer; of the others a few raw values are carried into records here.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rulecases import AS_OF
from sotakit.check.findings import Finding
from sotakit.exchange.imports import import_files
from sotakit.validate import examine
from sotaschema.values import parse_value

Write = Callable[..., Path]

REAL = Path(__file__).parents[3] / "shared/data"
pytestmark = pytest.mark.skipif(not REAL.is_dir(), reason="the real files are not beside the repository")


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> list[Finding]:
    """What is found in the Papers with Code files after their import."""
    into = tmp_path_factory.mktemp("pwc")
    import_files("pwc", [REAL / "pwc-evaluation-tables"], into, revision=None, dry_run=False)
    return examine(into, "2026-11-30").findings


def messages(findings: list[Finding], code: str, file: str = "") -> list[str]:
    return [found.message for found in findings if found.code == code and file in found.origin.file]


def lines(records: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def one_board(write: Write, values: Mapping[str, str], **metric: Any) -> list[Finding]:
    """What is found on one board with a value of each method; the metric's own fields as given."""
    methods = {name: f"m{number}" for number, name in enumerate(values)}
    listed = {"key": "v", "metric": "v", "label": "Value of it", "unit": metric.get("unit", "unknown")}
    board = {"id": "b", "title": "B", "task": "t", "dataset": "d", "metrics": [listed]}
    if items := metric.pop("n_items", None):
        board["n_items"] = items
    source = {"id": "s", "type": "report", "url": "https://example.org", "title": "S"}
    common = {"source": "s", "benchmark": "b", "date": "2026-01-01", "locator": {"page": 1}}
    rows = [{**common, "method": methods[name], "scores": {"v": text}} for name, text in values.items()]
    files = {
        "tasks.json": '[{"id": "t", "name": "T"}]',
        "datasets.json": '[{"id": "d", "name": "D"}]',
        "metrics.jsonl": lines([{"id": "v", "name": "V", **metric}]),
        "benchmarks.jsonl": lines([board]),
        "sources.jsonl": lines([source]),
        "methods.jsonl": lines([{"id": key, "name": name} for name, key in methods.items()]),
        "results.jsonl": lines(rows),
    }
    return examine(write(files), AS_OF).findings


def euroeval(column: str) -> Iterator[tuple[str, str]]:
    """Model and cell of one column of the Danish leaderboard, as printed."""
    with (REAL / "euroeval/danish_all.csv").open(encoding="utf-8", newline="") as stream:
        _, head, *rows = csv.reader(stream)
    place = next(n for n, name in enumerate(head) if f">{column}<" in name)
    return ((row[0], row[place]) for row in rows)


def test_spreads_of_unknown_kind_are_counted(imported: list[Finding]) -> None:
    text = (REAL / "pwc-evaluation-tables/ogb.json").read_text(encoding="utf-8")
    printed = Counter(re.findall(r'"([^"]+)": "[^"]*(?:\\u00b1|±)[^"]*"', text))
    said = [
        re.match(r"([0-9,]+) of \1 spreads \(±\) of (.+) do not", text) for text in messages(imported, "N518", "ogb")
    ]
    assert {match[2]: int(match[1]) for match in said if match} == dict(printed)
    assert printed.total() == 475


@pytest.mark.parametrize(
    ("code", "file", "words"),
    [
        ("W212", "nlp-progress.", "'93.0/90.7' holds more than one number"),
        ("W208", "nlp-progress.", "'70.14 (measured by Ge et al., 2018)' cannot be read"),
        ("W208", "nlp-progress.", "'Kummerfeld' cannot be read"),
        ("W405", "squad", "'{Anonymous} (single model)' is a placeholder"),
        ("W405", "squad", "'test' is a placeholder"),
        ("W405", "nlpprogress", "'UKB<sub>ppr_w2w</sub>' holds HTML"),
        ("W405", "chexpert", "'YWW-YJ:https://github.com/inisis/chexper' holds an address"),
        ("W403", "chexpert", "probably the same result as"),
        ("W701", "squad", "EM of BERT (single model) is contested: 85.083 (arxiv-1810.04805), 82.062 (pwc-squad-"),
        ("N607", "eff", "1,714 of 1,714 results of eff.json have no date"),
        ("W513", "nlp-progress.", "are printed in different units: percent, unknown"),
        ("W516", "ogb", "'Test Hits@100' hides a parameter: @100"),
        ("W517", "eff", "'Score' does not say what is measured"),
    ],
)
def test_traps_of_papers_with_code(imported: list[Finding], code: str, file: str, words: str) -> None:
    assert any(words in message for message in messages(imported, code, file))


def test_honest_boards_of_papers_with_code_are_left_alone(imported: list[Finding]) -> None:
    assert {found.severity for found in imported} == {"warning", "note"}
    assert messages(imported, "W514") == []
    assert messages(imported, "W519") == []


def test_two_numbers_with_spreads_and_a_sort_key(write: Write) -> None:
    cells = [cell for _, cell in euroeval("dansk")][:20]
    assert all(re.fullmatch(r"[0-9.]+ ± [0-9.]+ / [0-9.]+ ± [0-9.]+@@[0-9.]+", cell) for cell in cells)
    found = one_board(write, {f"Net {n}": cell for n, cell in enumerate(cells)})
    assert [finding.code for finding in found] == ["W212"] * 20


def test_minus_one_for_missing(write: Write) -> None:
    keys = [cell.partition("@@")[2] for _, cell in euroeval("dansk")]
    found = one_board(write, {f"Net {n}": key for n, key in enumerate(keys)})
    assert Counter(finding.code for finding in found) == {"W519": keys.count("-1")}
    assert keys.count("-1") == 97


def test_minus_one_outside_the_bounds(write: Write) -> None:
    keys = [cell.partition("@@")[2] for _, cell in euroeval("dansk")]
    found = one_board(write, {f"Net {n}": key for n, key in enumerate(keys)}, unit="percent", min="0", max="100")
    assert Counter(finding.code for finding in found) == {"E501": 97}
    assert all("missing_reason" in finding.hint for finding in found)


def test_html_in_names(write: Write) -> None:
    names = [name for name, _ in euroeval("dansk") if name.startswith("<a href=")][:10]
    assert len(set(names)) == 10
    found = one_board(write, dict.fromkeys(names, "1.5"))
    assert [finding.code for finding in found] == ["W405"] * 10


def test_bare_nan(write: Write) -> None:
    (file,) = (REAL / "mteb/results").glob("ibm-granite*/*/MassiveScenarioClassification.json")
    raw = next(line for line in file.read_text(encoding="utf-8").splitlines() if "NaN" in line)
    token = raw.strip().rstrip(",").partition(": ")[2]
    good = json.dumps({"source": "s", "benchmark": "b", "method": "m0", "variant": "n", "scores": {"v": 0}})
    one_board(write, {"A": "0.5"})
    data = write({"results/more.jsonl": good.replace('"v": 0', f'"v": {token}') + "\n"})
    found = [finding for finding in examine(data, AS_OF).findings if finding.origin.file == "results/more.jsonl"]
    assert [(finding.code, finding.line, finding.column) for finding in found] == [
        ("N210", 1, 1),
        ("E207", 1, good.index(": 0}") + 3),
    ]


def card_value() -> str:
    """Accuracy on AmazonCounterfactualClassification (en) as a model card prints it: in percent."""
    (card,) = (REAL / "huggingface/granite-embedding").glob("*107m*/README.md")
    part = card.read_text(encoding="utf-8").split("name: MTEB AmazonCounterfactualClassification (en)\n")[1]
    return re.findall(r"type: accuracy\s+value: ([0-9.]+)", part)[0]


def mteb_values() -> Iterator[tuple[str, str]]:
    """The same of the models in the results repository: as fractions."""
    for file in sorted((REAL / "mteb/results").glob("*/*/AmazonCounterfactualClassification.json")):
        for subset in json.loads(file.read_text(encoding="utf-8"))["scores"].get("test", []):
            if subset["hf_subset"] == "en":
                yield file.parts[-3], str(subset["accuracy"])


def test_percent_beside_fractions(write: Write) -> None:
    values = dict(mteb_values())
    assert len(values) >= 10
    assert all(0 < float(value) < 1 for value in values.values())
    (found,) = one_board(write, {**values, "granite-embedding-107m": card_value()})
    assert (found.code, found.message[:30]) == ("W514", "'71.6716' looks like a percent")


def harness(task: str, key: str) -> dict[str, str]:
    """A value of each model that the harness evaluated, as it prints it."""
    found: dict[str, str] = {}
    for file in sorted((REAL / "lm-eval-harness").glob("*/*/*.json")):
        value = json.loads(file.read_text(encoding="utf-8")).get("results", {}).get(task, {}).get(key)
        if value is not None:
            found[file.parent.name] = repr(value)
    return found


@pytest.mark.parametrize("key", ["exact", "NoAns_exact", "HasAns_exact", "f1"])
def test_small_percentages_of_weak_models_are_honest(write: Write, key: str) -> None:
    values = harness("squad2", key)
    assert len(values) == 7
    assert one_board(write, values) == []


def test_shares_of_the_harness_are_whole_numbers_of_items(write: Write) -> None:
    values = {name: f"{100 * float(value):.2f}" for name, value in harness("gsm8k", "acc").items()}
    assert len(values) >= 5
    metric = {"unit": "percent", "share_of_items": True, "n_items": 1319}  # the test split of GSM8K
    assert one_board(write, values, **metric) == []
    values["llama-7B"] = "8.01"
    (found,) = one_board(write, values, **metric)
    assert (
        found.message == "no whole number out of 1,319 items gives '8.01', 105 would be 7.96058, 106 would be 8.03639"
    )


def test_rows_with_too_few_cells(write: Write) -> None:
    table = (REAL / "nlp-progress/english/dialogue.md").read_text(encoding="utf-8").splitlines()[15:25]
    lines_of_cells = (line.strip()[1:].removesuffix("|").split("|") for line in table if line.startswith("|"))
    head, _, *cells = ([cell.strip() for cell in row] for row in lines_of_cells)
    columns = ["variant", "scores.v", "notes", "config.code"]
    assert [name.split()[0] for name in head] == ["Model", "Accuracy", "Paper", "Code"]
    short = [number for number, row in enumerate(cells, 2) if len(row) < len(columns)]
    one_board(write, {"A": "50.5"})
    stream = io.StringIO()
    writer = csv.writer(stream)
    writer.writerow(["method", "benchmark", "source", *columns])
    writer.writerows(["m0", "b", "s", *row] for row in cells)
    found = examine(write({"results/table.csv": stream.getvalue()}), AS_OF).findings
    assert [finding.line for finding in found if finding.code == "E110"] == short
    assert short == [4, 5]


@pytest.mark.parametrize("printed", ["null", "", "N/A", "?", "-", "NaN", "None"])
def test_spellings_of_missing_are_read_as_missing(printed: str) -> None:
    assert parse_value(printed).missing_reason == "not_reported"


def test_three_spellings_in_one_folder(write: Write) -> None:
    files = sorted((REAL / "robustbench").glob("**/*.json"))
    raw = [json.loads(file.read_text(encoding="utf-8")).get("reported", "absent") for file in files]
    missing = {text for text in raw if not re.fullmatch(r"[0-9.]+", str(text))} - {"absent", None}
    assert missing == {"", "null"}
    found = one_board(write, {f"Net {n}": text for n, text in enumerate(raw) if text not in ("absent", None)})
    assert found == []
