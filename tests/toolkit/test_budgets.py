"""Sizes that keep the code readable, measured on its syntax trees."""

import ast
from pathlib import Path

import pytest

PACKAGES = ("schema/sotaschema", "toolkit/sotakit", "evaluation/sotaeval")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(root: Path) -> list[Path]:
    return sorted(path for package in PACKAGES for path in (root / package).rglob("*.py"))


def functions(root: Path) -> dict[str, Function]:
    return {
        f"{path.relative_to(root)}:{node.lineno} {node.name}": node
        for path in modules(root)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, Function)
    }


def length(node: Function) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def parameters(node: Function) -> int:
    listed = node.args
    named = [*listed.posonlyargs, *listed.args, *listed.kwonlyargs]
    return len([name for name in named if name.arg not in ("self", "cls")])


def test_there_is_something_to_measure(root: Path) -> None:
    assert len(modules(root)) > 40
    assert len(functions(root)) > 300


def test_modules_are_short(root: Path) -> None:
    lengths = {
        str(path.relative_to(root)): len(path.read_text(encoding="utf-8").splitlines()) for path in modules(root)
    }
    assert {name: size for name, size in lengths.items() if size > 350} == {}
    assert sum(size > 300 for size in lengths.values()) <= len(lengths) // 20


def test_functions_are_short(root: Path) -> None:
    lengths = {name: length(node) for name, node in functions(root).items()}
    assert {name: size for name, size in lengths.items() if size > 60} == {}
    assert sum(size > 40 for size in lengths.values()) <= len(lengths) // 10


def test_functions_take_few_parameters(root: Path) -> None:
    many = {
        name: parameters(node) for name, node in functions(root).items() if not name.split(":")[0].endswith("cli.py")
    }
    assert {name: count for name, count in many.items() if count > 6} == {}


@pytest.mark.parametrize("name", ["utils", "util", "helpers", "common", "misc"])
def test_no_module_without_a_subject(root: Path, name: str) -> None:
    assert [path for path in modules(root) if path.stem == name] == []


def test_every_module_and_public_function_says_what_it_is(root: Path) -> None:
    silent = [str(path) for path in modules(root) if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert silent == []


def test_no_global_state_is_changed(root: Path) -> None:
    for path in modules(root):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert not [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Global)], path
