"""Names that name nothing, names of two records, parameters hidden in names, and names too vague."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rulecases import SOURCE, Edit, check, edited, places, row

Write = Callable[..., Path]

PLACEHOLDERS = [
    "TBD", "ours", "Our method", "model", "N/A", "-", "Ours (large)", "our proposed model",
    "no_model_name_available", "{Anonymous} (single model)", "Unnamed", "This work",
    "the proposed method", "baseline", "?",
]  # fmt: skip
PATHS = [
    "/home/x/ckpt", "net/home/plgrid/run1", "./out/best", "C:\\models\\a", "runs/last.ckpt", "~/model",
]  # fmt: skip
ADDRESSES = [
    "https://example.org/m", "YWW-YJ:https://github.com/inisis/chexper", "see www.example.org",
]  # fmt: skip
MARKUP = [
    "<b>X</b>", "Bi-LSTM<sub>att+LEX</sub>", "2D &amp; 7 layers",
    "<a id=11 href='https://x.org'>gpt</a>", "A<br/>B",
]  # fmt: skip
GOOD = [
    "None of the above", "Model-Based RL", "OURS-Net", "Baseline: Lead-3", "SE-ResNet152 / WMW",
    "google/gemma-3-27b-pt", "VGG/Resnet/LACE", "X<y", "a < b > c", "R&D", "C++", "🚧", "π0", "2",
    "Proposed-Net", "testosterone", "GPT-4 (test)", "BERT (single model)", "Human",
    "method of moments",
]  # fmt: skip


@pytest.mark.parametrize("name", [*PLACEHOLDERS, *PATHS, *ADDRESSES, *MARKUP])
def test_names_that_name_nothing(write: Write, minimal: dict[str, str], name: str) -> None:
    quoted = "'" + name.replace("'", "''") + "'"
    outcome = check(write(edited(minimal, [("methods.yaml", "name: Merge", f"name: {quoted}")])))
    assert places(outcome) == [("W405", "methods.yaml", 4, 9)]


@pytest.mark.parametrize("name", GOOD)
def test_names_that_are_names(write: Write, minimal: dict[str, str], name: str) -> None:
    assert check(write(edited(minimal, [("methods.yaml", "name: Merge", f"name: '{name}'")]))).findings == []


def test_a_label_is_what_the_source_prints(write: Write, minimal: dict[str, str]) -> None:
    minimal[SOURCE] += row("row-3", method_label="Ours")
    assert check(write(minimal)).findings == []


def test_a_label_is_not_named_beside_its_method(write: Write, minimal: dict[str, str]) -> None:
    minimal[SOURCE] += row("row-3", method_label="<b>M</b>")
    outcome = check(write(edited(minimal, [("methods.yaml", "name: Merge", "name: <b>M</b>")])))
    assert places(outcome) == [("W405", "methods.yaml", 4, 9)]


@pytest.mark.parametrize("other", ["merge", "MERGE", " Merge  ", "M\\u0065rge"])
def test_names_alike_but_for_case_and_spaces(write: Write, minimal: dict[str, str], other: str) -> None:
    outcome = check(write(edited(minimal, [("methods.yaml", None, f'- id: m\n  name: N\n  aliases: ["{other}"]\n')])))
    assert [found.code for found in outcome.findings] == ["W406"]
    assert "a name of merge" in outcome.findings[0].message


UNSEEN = ["\\u200b", "\\u00ad", "\\u2060", "\\ufeff", "\\u200d", "\\u202e", "\\U000E0041"]


@pytest.mark.parametrize("char", UNSEEN)
def test_a_name_with_an_invisible_character_is_no_other_name(write: Write, minimal: dict[str, str], char: str) -> None:
    two = f'- id: a\n  name: Beta\n- id: b\n  name: "Be{char}ta"\n'
    outcome = check(write(edited(minimal, [("methods.yaml", None, two)])))
    assert [(found.code, found.record) for found in outcome.findings] == [("W406", "b"), ("W408", "b")]
    assert all(found.message.isprintable() for found in outcome.findings if found.code == "W408")


@pytest.mark.parametrize("name", ["می\u200cخواهم", "👩\u200d💻 coder", "क्\u200dष", "Ünïcode ≤ 1", "日本語"])
def test_joiners_of_scripts_and_emoji_are_letters(write: Write, minimal: dict[str, str], name: str) -> None:
    assert check(write(edited(minimal, [("methods.yaml", "name: Merge", f"name: '{name}'")]))).findings == []


INVISIBLE = [
    ("tasks.yaml", "name: Sorting", 'name: "Sort\\u200bing"'),
    ("tasks.yaml", None, '  aliases: ["a\\u200bb"]\n'),
    ("datasets.yaml", "name: Numbers", 'name: "Num\\u200bbers"'),
    ("benchmarks.yaml", "label: Accuracy", 'label: "Acc\\u200b"'),
    ("methods.yaml", None, '  aliases: ["M\\u200bS"]\n'),
    (SOURCE, "type: paper\n", 'type: paper\ntitle: "A \\u202etitle"\n'),
    (SOURCE, "type: paper\n", 'type: paper\nauthors: ["Ann", "B\\u00adC"]\n'),
    (SOURCE, None, row("row-3", method_label='"M\\u200b"')),
    (SOURCE, None, row("row-3", variant='"M\\u200b"')),
    (SOURCE, None, row("row-3", config='{"K\\u200b": 1}')),
    (SOURCE, None, row("row-3", config='{K: "v\\u200b"}')),
]


@pytest.mark.parametrize("edit", INVISIBLE)
def test_no_name_hides_a_character(write: Write, minimal: dict[str, str], edit: Edit) -> None:
    assert [found.code for found in check(write(edited(minimal, [edit]))).findings] == ["W408"]


def test_letters_typed_in_two_ways_are_one_name(write: Write, minimal: dict[str, str]) -> None:
    two = '- id: a\n  name: "Caf\\u00e9"\n- id: b\n  name: "Cafe\\u0301"\n'
    assert places(check(write(edited(minimal, [("methods.yaml", None, two)])))) == [("W406", "methods.yaml", 8, 9)]


def test_a_method_may_repeat_its_own_name(write: Write, minimal: dict[str, str]) -> None:
    assert check(write(edited(minimal, [("methods.yaml", None, "  aliases: [merge, MERGE]\n")]))).findings == []


def test_a_dataset_called_like_an_alias_of_a_task(write: Write, minimal: dict[str, str]) -> None:
    edits = [("tasks.yaml", None, "  aliases: [ordering]\n"), ("datasets.yaml", "name: Numbers", "name: Ordering")]
    assert places(check(write(edited(minimal, edits)))) == [("W407", "datasets.yaml", 2, 9)]


HIDDEN = [
    "Robustness Ratio (1e-3)", "Top-5 accuracy", "top 1 Accuracy", "F1@10", "BLEU-4", "Hits@1",
    "mAP@0.5", "P@10%", "ROUGE-2", "5-shot accuracy", "Validity (p > 0.5)", "Accuracy (k=5)",
    "R_100@50", "Accuracy (10)",
]  # fmt: skip
PLAIN = [
    "F1", "F0.5", "L2", "IM1 Score", "IM2 (x10)", "ROUGE-L", "Accuracy (test)", "SemEval 2013",
    "Senseval 2", "F-1", "1-1", "RACE-m", "CIDEr-D", "MultiNLI", "Test perplexity", "AUC (macro)",
    "Bit per Character (BPC)",
]  # fmt: skip


def labelled(write: Write, minimal: dict[str, str], label: str, more: str = "") -> list[str]:
    edit = ("benchmarks.yaml", "label: Accuracy", f"label: '{label}'{more}")
    return [found.code for found in check(write(edited(minimal, [edit]))).findings]


@pytest.mark.parametrize("label", HIDDEN)
def test_parameters_hidden_in_names(write: Write, minimal: dict[str, str], label: str) -> None:
    assert labelled(write, minimal, label) == ["W516"]


@pytest.mark.parametrize("label", PLAIN)
def test_numbers_that_are_no_parameters(write: Write, minimal: dict[str, str], label: str) -> None:
    assert labelled(write, minimal, label) == []


def test_a_parameter_that_is_stated_is_not_hidden(write: Write, minimal: dict[str, str]) -> None:
    assert labelled(write, dict(minimal), "Hits@10", ", parameters: {k: 10}") == []
    minimal["metrics.yaml"] += "  parameters: {k: 10}\n"
    assert labelled(write, minimal, "Hits@10") == []


@pytest.mark.parametrize(
    "label", ["score", "Average", "Overall score", "result", "Performance", "Metric", "AVG", "Score (%)"]
)
def test_names_too_vague(write: Write, minimal: dict[str, str], label: str) -> None:
    assert labelled(write, dict(minimal), label) == ["W517"]
    minimal["metrics.yaml"] += "  definition: Share of right answers.\n"
    assert labelled(write, minimal, label) == []


@pytest.mark.parametrize("label", ["F1 score", "Average Precision", "Mean Reciprocal Rank", "Quality Index", "Testing"])
def test_names_that_say_something(write: Write, minimal: dict[str, str], label: str) -> None:
    assert labelled(write, minimal, label) == []
