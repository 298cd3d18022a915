"""Records written to do harm: names that climb, links, bombs, and text that would steer a terminal or a CI system."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result as Run
from typer.testing import CliRunner

from pagesupport import snapshot
from sotakit.cli import app
from sotakit.validate import Outcome, examine

Write = Callable[..., Path]
SOURCE = "sources/paper-a.yaml"
TODAY = "2026-06-01"

CLIMBS = [
    *(
        "../x",
        "..",
        ".",
        "/etc/passwd",
        "a/b",
        "a\\b",
        "..\\x",
        "a\0b",
        "%2e%2e",
        "~root",
        "a:b",
        "C:",
        "a b",
        "-x",
        ".x",
    ),
    *("_x", "x\n", "$(id)", "`id`", "é", "ⅷ", "ª", "x" * 65, ""),
]
"""Ids that some file system, shell or address would read as more than a name."""


def run(*arguments: object) -> Run:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def codes(outcome: Outcome) -> list[str]:
    return [finding.code for finding in outcome.findings]


def quoted(text: str) -> str:
    """YAML in double quotes, with everything but ASCII in escapes."""
    return '"' + "".join(c if c.isascii() and c.isalnum() else f"\\U{ord(c):08x}" for c in text) + '"'


@pytest.mark.parametrize("kind", ["methods", "tasks", "datasets", "metrics", "sources"])
def test_ids_that_climb_are_refused_for_every_kind(write: Write, minimal: dict[str, str], kind: str) -> None:
    more = "type: paper" if kind == "sources" else "name: X"
    for number, name in enumerate(CLIMBS):
        minimal[f"{kind}/hostile-{number:02}.yaml"] = f"id: {quoted(name)}\n{more}\n"
    outcome = examine(write(minimal), TODAY)
    found = [(finding.origin.file, finding.code, finding.field) for finding in outcome.findings]
    assert found == [(f"{kind}/hostile-{number:02}.yaml", "E205", "id") for number in range(len(CLIMBS))]
    assert (outcome.accepted, outcome.rejected) == (9, len(CLIMBS))


def test_a_site_of_hostile_records_stays_in_its_folder(write: Write, minimal: dict[str, str], tmp_path: Path) -> None:
    for number, name in enumerate(CLIMBS):
        minimal[f"methods/hostile-{number}.yaml"] = f"id: {quoted(name)}\nname: {quoted('N' + name)}\n"
        minimal[f"tasks/hostile-{number}.yaml"] = f"id: t{number}\nname: {quoted('../../' + str(number))}\n"
    data, site, build = write(minimal), tmp_path / "public", tmp_path / "b"
    before = {path for path in tmp_path.parent.rglob("*") if not path.is_symlink()}
    assert run("build-site", data, "--out", site, "--build", build, "--allow-errors").exit_code == 0
    made = {path for path in tmp_path.parent.rglob("*") if not path.is_symlink()} - before
    assert all(path in (site, build) or {site, build} & set(path.parents) for path in made)
    assert not any("hostile" in path.name or "passwd" in path.name for path in made)


@pytest.mark.parametrize("name", CLIMBS)
def test_ids_and_keys_that_climb_are_refused_in_results(write: Write, minimal: dict[str, str], name: str) -> None:
    id_ = minimal[SOURCE].replace("id: row-1", f"id: {quoted(name)}")
    assert codes(examine(write({**minimal, SOURCE: id_}), TODAY)) == ["E205"]
    key = minimal[SOURCE].replace("{accuracy: 70.10}", f"{{{quoted(name)}: 70.10}}")
    assert codes(examine(write({**minimal, SOURCE: key}), TODAY)) == ["E205"]


@pytest.mark.parametrize("name", ["A b.results.jsonl", "x y.results.csv", "con.results.jsonl", "Ü.results.yaml"])
def test_a_file_name_is_no_way_to_a_source(write: Write, minimal: dict[str, str], name: str) -> None:
    text = {"jsonl": '{"benchmark": "sorting-on-numbers", "method": "merge", "scores": {"accuracy": "1"}}\n',
            "csv": "benchmark,method,scores.accuracy\nsorting-on-numbers,merge,1\n",
            "yaml": "- {benchmark: sorting-on-numbers, method: merge, scores: {accuracy: 1}}\n"}  # fmt: skip
    outcome = examine(write({**minimal, f"sources/{name}": text[name.rpartition(".")[2]]}), TODAY)
    assert codes(outcome) == ["E306", *(["W115"] if name.startswith("con") else [])]
    assert outcome.rejected == 1


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file outside of the data folder that must never be read."""
    path = tmp_path / "outside" / "secret.yaml"
    path.parent.mkdir()
    path.write_text("id: SECRET-TEXT\nname: SECRET-TEXT\ntype: paper\n")
    (path.parent / "secret.csv").write_text("id,SECRET\nsecret,SECRET-TEXT\n")
    return path


def linked(name: str) -> Callable[[Path, Path], object]:
    return lambda data, secret: (data / "tasks" / f"x{secret.suffix}").symlink_to(name.format(secret))


LINKS: dict[str, Callable[[Path, Path], object]] = {
    "a folder": lambda data, secret: (data / "tasks" / "x").symlink_to(secret.parent),
    "a kind": lambda data, secret: (data / "methods").symlink_to(secret.parent),
    "a record": linked("{0}"),
    "a record by climbing": linked("../../outside/secret.yaml"),
    "a link to a link": lambda data, secret: (
        (data / "x.yaml").symlink_to(secret), (data / "tasks" / "x.yaml").symlink_to("../x.yaml")
    ),
    "rows": lambda data, secret: (data / "tasks" / "x.csv").symlink_to(secret.with_suffix(".csv")),
    "the machine's memory": linked("/proc/self/environ"),
}  # fmt: skip


@pytest.mark.parametrize("case", LINKS)
@pytest.mark.parametrize("form", ["text", "github", "json", "sarif"])
def test_links_that_leave_the_folder_are_not_followed(
    write: Write, minimal: dict[str, str], secret: Path, case: str, form: str
) -> None:
    data = write(minimal)
    (data / "tasks").mkdir()
    LINKS[case](data, secret)
    shown = run("validate", data, "--check-only", "--format", form)
    assert shown.exit_code == 1
    assert "E108" in shown.stdout
    assert "SECRET" not in shown.output
    assert "PATH=" not in shown.output
    assert ":1:1:" in shown.stdout or form != "text"


SPECIAL: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a link to an endless file": lambda path: path.symlink_to("/dev/zero"),
    "a link to a terminal": lambda path: path.symlink_to("/dev/tty"),
    "a folder": Path.mkdir,
}


@pytest.mark.parametrize("case", SPECIAL)
@pytest.mark.parametrize("name", ["tasks/x.yaml", "tasks/x.jsonl"])
def test_special_files_are_findings_and_are_never_opened(
    write: Write, minimal: dict[str, str], case: str, name: str
) -> None:
    """In a process of its own, which a file without end would hold for ever or fill."""
    data = write(minimal)
    (data / "tasks").mkdir()
    SPECIAL[case](data / name)
    code = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31)); from sotakit.cli import app; app()"
    command = [sys.executable, "-c", code, "validate", str(data), "--check-only"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL, check=False)
    assert ended.returncode == (0 if case == "a folder" else 1), ended.stderr
    assert (f"{name}:1:1: error E10" in ended.stdout) == (case != "a folder")


def test_links_in_circles_end(write: Write, minimal: dict[str, str]) -> None:
    data = write(minimal)
    (data / "tasks").mkdir()
    (data / "tasks" / "a.yaml").symlink_to("b.yaml")
    (data / "tasks" / "b.yaml").symlink_to("a.yaml")
    (data / "tasks" / "up").symlink_to("..")
    (data / "tasks" / "self").symlink_to("self")
    outcome = examine(data, TODAY)
    assert set(codes(outcome)) == {"E101"}
    assert outcome.accepted == 9


def test_links_beside_records_do_not_leave_the_folder_either(
    write: Write, minimal: dict[str, str], secret: Path, tmp_path: Path
) -> None:
    """Mapping files, ignore files and images are read too."""
    data = write({**minimal, "tasks/t.csv": "Key,Name\nx,X\n"})
    picture = secret.with_name("secret.png")
    picture.write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01SECRET")
    (data / "sources/paper-a.files").mkdir()
    (data / "sources/paper-a.files/x.png").symlink_to(picture)
    secret.write_text("SECRET: id\n")
    (data / "tasks/t.mapping.yaml").symlink_to(secret)
    shown = run("validate", data, "--out", tmp_path / "build", "--allow-errors")
    assert "SECRET" not in shown.output
    assert all(b"SECRET" not in content for content in snapshot(tmp_path / "build").values())


BOMBS = {
    "laughs": "\n".join(["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40)]),
    "a circle": "a: &a [*a]\n",
    "merges": "a: &a {x: 1}\nb: {<<: [*a, *a, *a]}\n",
    "brackets": "[" * 60_000,
    "braces": "{a: " * 30_000,
    "dashes": "- " * 60_000,
    "keys": "? " * 30_000,
    "quotes": '"' + "\\\n" * 60_000,
    "digits": "a: " + "9" * 1_000_000,
    "colons": "a" + ": a" * 1,
    "documents": "---\n" * 50_000,
    "directives": "%TAG ! x\n" * 3,
    "one long key": f"{'k' * 2000}: 1\n",
    "many keys": "".join(f"k{n}: 1\n" for n in range(20_000)),
}


@pytest.mark.parametrize("case", BOMBS)
@pytest.mark.parametrize("name", ["tasks/bomb.yaml", "tasks/bomb.mapping.yaml"])
def test_yaml_bombs_are_one_finding(write: Write, minimal: dict[str, str], case: str, name: str) -> None:
    beside = {"tasks/bomb.csv": "id,name\nx,X\n"} if "mapping" in name else {}
    outcome = examine(write({**minimal, **beside, name: BOMBS[case]}), TODAY)
    assert set(codes(outcome)) <= {"E104", "E106", "E107", "E110", "E111", "E201", "E202"}
    assert outcome.rejected == 1
    assert 1 <= len(outcome.findings) <= 3
    assert all(len(finding.message) < 300 for finding in outcome.findings)


STEERING = {
    "colour": "\x1b[31mred\x1b[0m",
    "clear": "\x1b[2J\x1b[H",
    "title": "\x1b]0;owned\x07",
    "a link": "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "eight bit": "\x9b31m\x9d0;owned\x9c",
    "backspaces": "safe\b\b\b\bevil",
    "return": "safe\revil",
    "right to left": "abc\u202edcba\u202c",
    "isolates": "\u2066abc\u2069\u2067def\u2069",
    "marks": "\u200e\u200f\u061c",
    "delete": "a\x7fb",
    "NUL": "a\x00b",
    "next line": "a\x85b\u2028c\u2029d",
    "a command": "x\n::error file=a::b\n::set-env name=PATH::/tmp",
    "percent": "%0A::warning::x%0D",
}
FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize("form", ["text", "github", "json", "jsonl", "sarif"])
@pytest.mark.parametrize("case", STEERING)
def test_text_of_records_steers_nothing(write: Write, minimal: dict[str, str], case: str, form: str) -> None:
    """As a value, a key, an id, a reference, and raw in a file of JSON Lines."""
    text = quoted(STEERING[case])
    minimal["methods/a.yaml"] = f"id: {text}\nname: {text}\n{text}: 1\nkind: {text}\nreleased: {text}\n"
    minimal[SOURCE] = minimal[SOURCE].replace("method: merge", f"method: {text}").replace("70.10", text)
    minimal["tasks/raw.jsonl"] = f'{{"id": "{STEERING[case]}", "nam": 3}}\n{STEERING[case]}\n'
    shown = run("validate", write(minimal), "--check-only", "--format", form)
    assert shown.exit_code == 1
    assert not FORBIDDEN.search(shown.stdout)
    assert not FORBIDDEN.search(shown.stderr)
    if form == "github":
        lines = shown.stdout.splitlines()
        assert all(
            re.match(r"::(error|warning|notice) file=[^:\s]+,line=\d+,col=\d+,title=[A-Z]\d+::", at) for at in lines
        )


@pytest.mark.parametrize("form", ["text", "github", "json", "sarif"])
def test_names_of_files_steer_nothing(write: Write, minimal: dict[str, str], form: str) -> None:
    names = [
        "methods/\x1b[31m.yaml",
        "methods/a\nb.yaml",
        "methods/\u202ex.yaml",
        "methods/a,b:c%0A.yaml",
        "::error::.yaml",
    ]
    data = write({**minimal, **dict.fromkeys(names, "id: A\n")})
    shown = run("validate", data, "--check-only", "--format", form)
    assert shown.exit_code == 1
    assert not FORBIDDEN.search(shown.stdout)
    assert "5 rejected" in shown.stdout + shown.stderr or form == "json"


def test_a_name_that_is_no_utf8_is_a_finding_or_is_read(write: Write, minimal: dict[str, str]) -> None:
    data = write(minimal)
    (data / "methods").mkdir()
    Path(os.fsdecode(bytes(data / "methods") + b"/\xff.yaml")).write_text("id: A\n")
    for form in ("text", "github", "json", "jsonl", "sarif"):
        shown = run("validate", data, "--check-only", "--format", form)
        assert shown.exit_code == 1, form
        assert "Traceback" not in shown.output
        shown.stdout.encode("utf-8")
