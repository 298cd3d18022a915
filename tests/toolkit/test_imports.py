"""Who may import whom, read from the source text; and what `--help` must not load."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sotakit.validate import validate

FOLDERS = {"sotaschema": "schema", "sotakit": "toolkit", "sotaeval": "evaluation"}
OURS = set(FOLDERS)


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Imported package and the function (if any) in which the import stands."""

    def visit(node: ast.AST, function: str) -> Iterator[tuple[str, str]]:
        for child in ast.iter_child_nodes(node):
            inner = child.name if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else function
            if isinstance(child, ast.Import):
                yield from ((alias.name.split(".")[0], function) for alias in child.names)
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"{path}: relative import"
                yield (child.module or "").split(".")[0], function
            yield from visit(child, inner)

    yield from visit(ast.parse(path.read_text(encoding="utf-8")), "")


def modules(root: Path, package: str) -> list[Path]:
    return sorted((root / FOLDERS[package] / package).rglob("*.py"))


@pytest.mark.parametrize(
    ("package", "allowed"), [("sotaschema", {"sotaschema"}), ("sotaeval", {"sotaschema", "sotaeval"})]
)
def test_packages_import_only_what_lies_below(root: Path, package: str, allowed: set[str]) -> None:
    assert modules(root, package)
    for path in modules(root, package):
        assert {name for name, _ in imports(path)} & OURS <= allowed, path


def test_the_toolkit_imports_the_evaluation_in_one_command_only(root: Path) -> None:
    places = [
        (path.name, function)
        for path in modules(root, "sotakit")
        for name, function in imports(path)
        if name == "sotaeval"
    ]
    assert set(places) <= {("cli.py", "evaluate")}


def test_torch_stays_in_the_evaluation(root: Path) -> None:
    for package in ("sotaschema", "sotakit"):
        for path in modules(root, package):
            assert not {name for name, _ in imports(path)} & {"torch", "torchvision"}, path


def test_heavy_libraries_are_not_imported_by_the_command_line_itself(root: Path) -> None:
    path = root / "toolkit" / "sotakit" / "cli.py"
    at_top = {name for name, function in imports(path) if not function}
    assert not at_top & {"pyarrow", "pandas", "jinja2", "yaml", "pydantic", "rich", "duckdb"}


def loaded_by(*arguments: str) -> set[str]:
    code = (
        "import sys, json\n"
        "from sotakit.cli import app\n"
        "try:\n"
        "    app(sys.argv[1:])\n"
        "except SystemExit:\n"
        "    pass\n"
        "print('\\n' + json.dumps(sorted({name.split('.')[0] for name in sys.modules})))\n"
    )
    shown = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return set(json.loads(shown.stdout.splitlines()[-1]))


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["validate", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    assert not loaded_by(*arguments) & {
        "torch",
        "pandas",
        "pyarrow",
        "numpy",
        "yaml",
        "jinja2",
        "sotaeval",
        "sotaschema",
    }


def test_checking_loads_no_arrow(seed_data: Path) -> None:
    loaded = loaded_by("validate", str(seed_data), "--check-only", "--quiet")
    assert "pydantic" in loaded
    assert not loaded & {"torch", "pandas", "pyarrow", "jinja2", "sotaeval"}


def test_building_from_tables_loads_no_pandas(seed_data: Path, tmp_path: Path) -> None:
    """It takes longer to load than a small site takes to build, and pyarrow loads it when asked for the wrong thing."""
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from sotakit.publish.build import SiteOptions, build_site\n"
        "build_site(Path(sys.argv[1]), SiteOptions(Path(sys.argv[2]), jobs=1))\n"
        "print('pandas' in sys.modules)\n"
    )
    tables = validate(seed_data, tmp_path / "build", "2026-01-01").tables
    arguments = [sys.executable, "-c", code, str(tables), str(tmp_path / "public")]
    assert subprocess.run(arguments, capture_output=True, text=True, check=True).stdout == "False\n"
