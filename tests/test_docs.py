"""The docs agree with the code: generated pages are current, and what the README names exists."""

import json
import re
import runpy
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest
import yaml
from pydantic import TypeAdapter
from typer.testing import CliRunner

from sotakit.check.codes import CODES
from sotakit.check.rules import RULES
from sotakit.cli import app
from sotakit.read.files import list_files
from sotakit.read.reader import read_file
from sotaschema import entities, results
from sotaschema.base import Record, Text
from sotaschema.jsonschema import KINDS

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "docs/example"
MAKE = runpy.run_path(str(ROOT / "docs/make.py"))
MODELS = (*KINDS.values(), *MAKE["PARTS"])
FIELDS = [
    pytest.param(hint, described, id=f"{model.__name__}.{name}")
    for model in MODELS
    for name, hint, described in MAKE["fields"](model)
]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [command.name or command.callback.__name__.replace("_", "-") for command in app.registered_commands]


@pytest.mark.parametrize("name", ["rules.md", "records.md", "tables.md"])
def test_generated_pages_are_current(name: str) -> None:
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == MAKE["pages"]()[name], "run `make docs`"


def test_the_page_of_records_describes_every_model() -> None:
    found = [kind for module in (entities, results) for kind in vars(module).values() if is_record(kind)]
    assert set(found) - {Record} == set(MODELS)
    assert len(FIELDS) == sum(len(model.model_fields) for model in MODELS)


def is_record(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Record)


@pytest.mark.parametrize(("hint", "described"), FIELDS)
def test_every_field_says_in_a_sentence_what_it_means(hint: Any, described: dict[str, Any]) -> None:
    assert re.fullmatch(r"[A-Z].* .*\.", described.get("description", ""))


@pytest.mark.parametrize(("hint", "described"), FIELDS)
def test_every_field_whose_form_is_not_obvious_has_an_example(hint: Any, described: dict[str, Any]) -> None:
    assert MAKE["examples"](described) or described.get("default") not in (None, []) or is_obvious(hint)


def is_obvious(hint: Any) -> bool:
    """Whether the form is prose, or explained at the record or the list of words that the docs link to."""
    parts = [hint, *get_args(hint), *(inner for part in get_args(hint) for inner in get_args(part))]
    words = MAKE["vocabularies"]().values()
    return any(part == Text or is_record(part) or part in words for part in parts)


@pytest.mark.parametrize(("hint", "described"), FIELDS)
def test_the_examples_of_a_field_are_accepted(hint: Any, described: dict[str, Any]) -> None:
    for example in MAKE["examples"](described):
        adapter = TypeAdapter(hint)
        adapter.validate_python(example, strict=True)
        jsonschema.validate(example, adapter.json_schema())


def test_every_word_of_the_closed_lists_is_explained() -> None:
    explained = yaml.safe_load((ROOT / "docs/words.yaml").read_text(encoding="utf-8"))
    assert {name: tuple(entry["words"]) for name, entry in explained.items()} == {
        name: get_args(kind) for name, kind in MAKE["vocabularies"]().items()
    }
    sentences = [text for entry in explained.values() for text in (entry["about"], *entry["words"].values())]
    assert [text for text in sentences if not re.fullmatch(r"[A-Z].* .*\.", text)] == []


def test_the_example_records_are_valid_and_show_every_kind() -> None:
    ran = CliRunner().invoke(app, ["validate", str(EXAMPLE), "--check-only", "--strict"])
    assert (ran.exit_code, ran.stdout.splitlines()[-1]) == (
        0,
        "13 records in 12 files: 13 accepted, 0 rejected; 0 errors, 0 warnings",
    )
    files = list(list_files(EXAMPLE))
    assert {file.kind for file in files} == set(KINDS)
    for file in files:
        name = f"{KINDS[file.kind].__name__.lower()}.schema.json"
        schema = jsonschema.Draft202012Validator(json.loads((ROOT / "schema" / name).read_text(encoding="utf-8")))
        for raw in read_file(file):
            schema.validate(raw.value)


def test_links_inside_the_page_of_records_lead_to_headings() -> None:
    page = (ROOT / "docs/records.md").read_text(encoding="utf-8")
    headings = [heading.lower() for heading in re.findall(r"^#+ (.+)$", page, flags=re.MULTILINE)]
    assert len(headings) == len(set(headings))
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= set(headings)
    tables = re.findall(r"(?:^\|.*\n)+", page, flags=re.MULTILINE)
    columns = [[len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()] for table in tables]
    assert all(one == other for counts in columns for one, other in pairwise(counts))


def test_every_rule_has_a_page_and_says_what_to_do() -> None:
    assert set(RULES) <= set(CODES)
    for code, page in CODES.items():
        assert re.fullmatch("[EWN][1-7][0-9]{2}", code)
        assert page.title[0].islower() or not page.title[0].isalpha() or page.title.split()[0].isupper()
        assert page.why.endswith(".")
        assert page.remedy.endswith(".")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str) -> None:
    ran = CliRunner().invoke(app, [command, "--help"])
    assert ran.exit_code == 0
    assert f"Example: toolkit {command}" in " ".join(ran.stdout.split())


def test_the_readme_names_commands_and_files_that_exist() -> None:
    assert set(re.findall(r"toolkit ([a-z-]+)", README)) <= set(COMMANDS)
    linked = re.findall(r"\]\(([^)#]+)\)", README)
    assert [path for path in linked if not path.startswith("http") and not (ROOT / path).exists()] == []
    folders = re.findall(r"^\| `([a-z]+)/` \|", README, flags=re.MULTILINE)
    assert folders == ["data", "schema", "toolkit", "evaluation", "site", "tests", "benchmarks"]


def test_the_readme_begins_with_the_two_commands() -> None:
    block = README.split("```")[1].splitlines()
    assert [line.split("#")[0].strip() for line in block[1:3]] == ["make site", "make test"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {"site", "test"} <= set(re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE))
