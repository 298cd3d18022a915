"""The patterns of the committed JSON Schemas are regular expressions of ECMA-262, so that editors can use them."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SCHEMAS = sorted((Path(__file__).parents[2] / "schema").glob("*.schema.json"))

_ESCAPES = re.compile(
    r"[dDsSwWbBfnrtv0^$\\.*+?()\[\]{}|/-]|c[A-Za-z]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[pP]\{\w+(=\w+)?\}"
)
"""What may follow a backslash in unicode mode, references to groups left out."""

_COMPILE = """
const patterns = JSON.parse(require("fs").readFileSync(0));
const refused = patterns.filter(pattern => { try { new RegExp(pattern, "u"); } catch { return true; } return false; });
console.log(JSON.stringify(refused));
"""


def patterns_of(schema: Any) -> Iterator[str]:
    """Every pattern of values and of keys in a schema."""
    if isinstance(schema, list):
        for part in schema:
            yield from patterns_of(part)
    elif isinstance(schema, dict):
        for key, part in schema.items():
            if key == "pattern" and isinstance(part, str):
                yield part
            elif key == "patternProperties":
                yield from part
            yield from patterns_of(part)


def faults(pattern: str) -> list[str]:
    """Escapes and groups that Python takes and ECMA-262 in unicode mode does not."""
    escapes = re.finditer(r"\\(?P<rest>.[^\\]*)", pattern)
    unknown = [escape[0][:2] for escape in escapes if not _ESCAPES.match(escape["rest"])]
    return unknown + re.findall(r"(?<!\\)\(\?(?![:=!]|<[=!]|<\w+>)", pattern)


def refused_by_node(patterns: list[str]) -> list[str]:
    ran = subprocess.run(
        ["node", "-e", _COMPILE], input=json.dumps(patterns), capture_output=True, text=True, check=True
    )
    return list(json.loads(ran.stdout))


@pytest.fixture(params=SCHEMAS, ids=lambda path: path.name)
def patterns(request: pytest.FixtureRequest) -> list[str]:
    return list(patterns_of(json.loads(request.param.read_text(encoding="utf-8"))))


def test_patterns_hold_no_escape_that_ecma_refuses(patterns: list[str]) -> None:
    assert [(pattern, found) for pattern in patterns if (found := faults(pattern))] == []


def test_the_patterns_are_found() -> None:
    counts = {path.name: len(set(patterns_of(json.loads(path.read_text(encoding="utf-8"))))) for path in SCHEMAS}
    assert counts["task.schema.json"] == 1  # ids
    assert counts["source.schema.json"] == 7  # ids, numbers, dates, addresses, arXiv, DOI and OpenReview


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed: patterns are not compiled")
def test_node_compiles_every_pattern(patterns: list[str]) -> None:
    assert refused_by_node(patterns) == []


REFUSED = [r"[^\"]", r"\_", r"\A1", r"1\Z", r"\ ", r"(?P<year>1)", r"(?i)a", r"(?#note)", r"\@"]
TAKEN = [
    r"^[a-z0-9][a-z0-9._-]{0,63}$",
    r"\^\$\\\.\/",
    r"[\]\-]",
    r"(?:a)(?=b)(?!c)(?<year>1)(?<=1)(?<!2)",
    r"\u00e9\p{L}",
]


@pytest.mark.parametrize("pattern", REFUSED)
def test_what_python_alone_takes_is_found(pattern: str) -> None:
    assert faults(pattern)


@pytest.mark.parametrize("pattern", TAKEN)
def test_what_ecma_takes_is_not_a_fault(pattern: str) -> None:
    assert faults(pattern) == []


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed: the cases are not compared with it")
def test_node_judges_the_cases_alike() -> None:
    assert refused_by_node([*REFUSED, *TAKEN]) == REFUSED
