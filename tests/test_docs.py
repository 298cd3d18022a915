"""The docs agree with the code: generated pages are current, and what the README names exists."""

import re
import runpy
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sotakit.check.codes import CODES
from sotakit.check.rules import RULES
from sotakit.cli import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [command.name or command.callback.__name__.replace("_", "-") for command in app.registered_commands]


@pytest.mark.parametrize("name", ["rules.md", "records.md", "tables.md"])
def test_generated_pages_are_current(name: str) -> None:
    pages = runpy.run_path(str(ROOT / "docs/make.py"))["pages"]()
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == pages[name], "run `make docs`"


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
