"""The tiny registry with one defect, and the places that must be named: shared by the tests of the rules."""

from collections.abc import Sequence
from pathlib import Path

from sotakit.validate import Outcome, examine

Place = tuple[str, str, int, int]
Edit = tuple[str, str | None, str]
"""File, old text (None: append) and new text."""
Case = tuple[Sequence[Edit], list[Place]]

SOURCE = "sources/paper-a.yaml"
AS_OF = "2026-06-01"


def check(data: Path) -> Outcome:
    return examine(data, AS_OF)


def places(outcome: Outcome) -> list[Place]:
    return [(found.code, found.origin.file, found.line or 0, found.column or 0) for found in outcome.findings]


def event(**fields: str) -> str:
    base = {"id": "e1", "type": "checked", "target": "row-1", "date": "'2026-01-02'", "actor": "A. Author"}
    return "- {" + ", ".join(f"{key}: {value}" for key, value in {**base, **fields}.items()) + "}\n"


def row(name: str = "", scores: str = "accuracy: 50.5", **fields: str) -> str:
    """One more result of paper-a, which begins at line 12."""
    more = "".join(f"    {key}: {value}\n" for key, value in fields.items())
    first = f"  - id: {name}\n    benchmark" if name else "  - benchmark"
    return f"{first}: sorting-on-numbers\n    method: merge\n    scores: {{{scores}}}\n{more}"


def rows(*values: str, **fields: str) -> str:
    """More results under conditions of their own, five lines each and one for each field."""
    numbered = enumerate(values, 3)
    return "".join(row(f"row-{n}", f"accuracy: {value}", config=f"{{k: {n}}}", **fields) for n, value in numbered)


def other_source(*results: str, name: str = "paper-b", head: str = "type: paper\n") -> Edit:
    """A second source; its first result begins at line 4 if its head has one line."""
    return (f"sources/{name}.yaml", None, f"id: {name}\n{head}results:\n" + "".join(results))


def edited(minimal: dict[str, str], edits: Sequence[Edit]) -> dict[str, str]:
    """The tiny registry after some edits, each of which meets exactly one place."""
    for name, old, new in edits:
        text = minimal.get(name, "")
        assert old is None or text.count(old) == 1, (name, old)
        minimal[name] = text + new if old is None else text.replace(old, new)
    return minimal


NO_MIN, NO_MAX = ("metrics.yaml", '  min: "0"\n', ""), ("metrics.yaml", '  max: "100"\n', "")
SHARE = ("metrics.yaml", None, "  share_of_items: true\n")
ITEMS = ("benchmarks.yaml", None, "  n_items: 30\n")
DOI = (SOURCE, "type: paper\n", "type: paper\ndoi: 10.1000/182\n")

VALUE_CASES: dict[str, Case] = {
    "W208": ([(SOURCE, "93.2", '"93.2*"')], [("W208", SOURCE, 11, 24)]),
    "W208 comma": ([(SOURCE, "93.2", '"3,5"')], [("W208", SOURCE, 11, 24)]),
    "W208 underflow": ([NO_MIN, (SOURCE, "93.2", '"1e-400"')], [("W208", SOURCE, 11, 24)]),
    "W213": ([NO_MAX, (SOURCE, "93.2", "9007199254740993")], [("W213", SOURCE, 11, 24)]),
    "W212": ([(SOURCE, "93.2", '"60.17 / 72.92"')], [("W212", SOURCE, 11, 24)]),
    "E501 above": ([(SOURCE, "93.2", "100.1")], [("E501", SOURCE, 11, 24)]),
    "E501 below": ([(SOURCE, "93.2", "-0.1")], [("E501", SOURCE, 11, 24)]),
    "W513": ([("benchmarks.yaml", ", unit: percent", ""), (SOURCE, "93.2", '"93.2 %"')], [("W513", SOURCE, 11, 24)]),
    "W514 fraction among percentages": ([(SOURCE, None, rows("88.1", "0.912"))], [("W514", SOURCE, 20, 24)]),
    "W514 percentage among fractions": (
        [("benchmarks.yaml", "unit: percent", "unit: unknown"), (SOURCE, "70.10", "0.701"), (SOURCE, "93.2", "0.932"),
         (SOURCE, None, rows("0.88", "91.2"))],
        [("W514", SOURCE, 20, 24)],
    ),
    "W514 fraction above one": (
        [("benchmarks.yaml", "unit: percent", "unit: fraction"), NO_MAX, (SOURCE, "70.10", "0.701"),
         (SOURCE, "93.2", "1.2")],
        [("W514", SOURCE, 11, 24)],
    ),
    "W514 percent below one": (
        [(SOURCE, "70.10", "0.701"), (SOURCE, "93.2", "0.932"), (SOURCE, None, rows("0.88"))],
        [("W514", SOURCE, 7, 24)],
    ),
    "W515": ([SHARE, ITEMS, (SOURCE, "70.10", "70.00")], [("W515", SOURCE, 11, 24)]),
    "N518": ([(SOURCE, "70.10", '"70.10 ± 0.2"')], [("N518", SOURCE, 7, 24)]),
    "W520": ([(SOURCE, "93.2", "{text: '93.2', missing_reason: failed}")], [("W520", SOURCE, 11, 24)]),
    "W521": ([(SOURCE, "93.2", "{text: '93.2', uncertainty: {kind: sd, value: -0.1}}")], [("W521", SOURCE, 11, 24)]),
    "W522": ([NO_MAX, (SOURCE, "93.2", '"93,205"')], [("W522", SOURCE, 11, 24)]),
    "W523": (
        [(SOURCE, "93.2", "{text: '93.2', aggregation: single_run, n_runs: 3}")], [("W523", SOURCE, 11, 24)]
    ),
    "W524": ([("metrics.yaml", "unit: percent", "unit: seconds")], [("W524", "benchmarks.yaml", 6, 83)]),
    "W519": ([NO_MIN, (SOURCE, None, rows("50.5", "-1.0"))], [("W519", SOURCE, 20, 24)]),
}  # fmt: skip

NAME_CASES: dict[str, Case] = {
    "W405": ([("methods.yaml", "name: Merge", "name: Our Method")], [("W405", "methods.yaml", 4, 9)]),
    "W405 alias": ([("methods.yaml", None, '  aliases: [MS, "/home/x/a"]\n')], [("W405", "methods.yaml", 5, 17)]),
    "W405 label": ([(SOURCE, None, row("row-3", method_label="<b>M</b>"))], [("W405", SOURCE, 16, 19)]),
    "W405 dataset": ([("datasets.yaml", "name: Numbers", "name: <i>N</i>")], [("W405", "datasets.yaml", 2, 9)]),
    "W406": ([("methods.yaml", None, "- id: m\n  name: MERGE\n")], [("W406", "methods.yaml", 4, 9)]),
    "W406 boards": (
        [
            (
                "benchmarks.yaml",
                None,
                "- id: b2\n  title: sorting  on Numbers\n  task: sorting\n  dataset: numbers\n"
                "  split: test\n  metrics:\n    - {key: accuracy, label: Accuracy, metric: accuracy}\n",
            )
        ],
        [("W406", "benchmarks.yaml", 2, 10)],
    ),
    "W409": (
        [
            (SOURCE, "type: paper\n", "type: paper\ndoi: 10.1000/ABC\n"),
            ("sources/z.yaml", None, "id: z\ntype: paper\nurl: https://doi.org/10.1000/abc\n"),
        ],
        [("W409", "sources/z.yaml", 3, 6)],
    ),
    "W410": ([(SOURCE, None, row("row-3", method_label="BUBBLE"))], [("W410", SOURCE, 16, 19)]),
    "W411": ([(SOURCE, "type: paper\n", "type: paper\nauthors: [Duell, J., Fan, X.]\n")], [("W411", SOURCE, 3, 18)]),
    "W407": ([("datasets.yaml", "name: Numbers", "name: sorting")], [("W407", "datasets.yaml", 2, 9)]),
    "W408": ([("methods.yaml", "name: Merge", 'name: "Me\\u200brge"')], [("W408", "methods.yaml", 4, 9)]),
    "W408 label": ([(SOURCE, None, row("row-3", method_label='"M\\u202ex"'))], [("W408", SOURCE, 16, 19)]),
    "W408 setting": ([(SOURCE, None, row("row-3", config='{Model: "B\\u00adNN"}'))], [("W408", SOURCE, 16, 21)]),
    "W516": ([("benchmarks.yaml", "label: Accuracy", "label: Hits@10")], [("W516", "benchmarks.yaml", 6, 48)]),
    "W517": ([("benchmarks.yaml", "label: Accuracy", "label: Score")], [("W517", "benchmarks.yaml", 6, 48)]),
}

EIGHT = [f"{value}.5" for value in range(50, 58)]
LATER = {"date": "'2026-01-02'", "locator": "{page: 1}"}

PROVENANCE_CASES: dict[str, Case] = {
    "N601": ([(SOURCE, None, rows(*EIGHT, **LATER))], [("N601", SOURCE, 4, 5)]),
    "W602 result": ([(SOURCE, None, rows("50.5", date="'2026-06-02'"))], [("W602", SOURCE, 17, 11)]),
    "W602 source": ([(SOURCE, "type: paper\n", "type: paper\ndate: 2026-07\n")], [("W602", SOURCE, 3, 7)]),
    "W602 dataset": ([("datasets.yaml", None, "  released: '2027'\n")], [("W602", "datasets.yaml", 3, 13)]),
    "W602 event": ([("events.yaml", None, event(date="'2026-12'"))], [("W602", "events.yaml", 1, 48)]),
    "W602 board": (
        [("benchmarks.yaml", None, "  updated_at: 2026-06-02T00:00:00Z\n")], [("W602", "benchmarks.yaml", 7, 15)]
    ),
    "W603 dataset": (
        [("datasets.yaml", None, "  released: 2020-02\n"), (SOURCE, None, rows("50.5", date="2020-01"))],
        [("W603", SOURCE, 17, 11)],
    ),
    "W603 method": (
        [("methods.yaml", None, "  released: '2021'\n"), (SOURCE, None, rows("50.5", date="'2020'"))],
        [("W603", SOURCE, 17, 11)],
    ),
    "W604 result": ([(SOURCE, None, rows("50.5", reproduction="partial"))], [("W604", SOURCE, 17, 19)]),
    "W604 event": (
        [("events.yaml", None, event(type="reproduced", after="partial"))], [("W604", "events.yaml", 1, 18)]
    ),
    "W605": ([(SOURCE, "type: paper\n", "type: paper\nretracted: true\n")], [("W605", SOURCE, 5, 5)]),
    "W609": (
        [("events.yaml", None, event(type="retracted", date="'2024'")
          + event(id="e2", type="corrected", date="2024-03-01"))],
        [("W609", "events.yaml", 2, 50)],
    ),
    "N606": ([(SOURCE, "type: paper\n", "type: paper\nlicence: CC BY-NC 4.0\n")], [("N606", SOURCE, 3, 10)]),
    "N607": ([DOI, (SOURCE, None, rows(*EIGHT, locator="{page: 1}"))], [("N607", SOURCE, 5, 5)]),
    "N608": ([DOI, (SOURCE, None, rows(*EIGHT, date="'2026'"))], [("N608", SOURCE, 5, 5)]),
}  # fmt: skip

CONTESTED_CASES: dict[str, Case] = {
    "W701": ([other_source(row("row-5", "accuracy: 94.0"))], [("W701", "sources/paper-b.yaml", 7, 24)]),
}

POLICY_CASES: dict[str, Case] = {
    "E309": (
        [("registry.yaml", None, "rules:\n  - {code: W9, severity: note, reason: why}\n")],
        [("E309", "registry.yaml", 2, 12)],
    ),
    "E310": (
        [("registry.yaml", None, "rules:\n  - {code: E304, severity: warning, reason: why}\n")],
        [("E310", "registry.yaml", 2, 28)],
    ),
    "E310 twice": (
        [("registry.yaml", None, "rules:\n" + "  - {code: W403, severity: note, reason: why}\n" * 2)],
        [("E310", "registry.yaml", 3, 12)],
    ),
}
