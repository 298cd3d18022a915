"""What is installed from a wheel works without the repository, and the source archive holds what builds it."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("schema", "toolkit", "evaluation", "site", "README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml")


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive, built from a copy and without network."""
    missing = [name for name in ("build", "hatchling") if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} not installed")
    copy = tmp_path_factory.mktemp("copy")
    ignore = shutil.ignore_patterns("__pycache__", "mnist")
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=ignore)
        else:
            shutil.copy(source, copy / name)
    (copy / "tests").mkdir()
    command = [sys.executable, "-m", "build", "--wheel", "--sdist", "--no-isolation", "--outdir", "dist", "."]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return copy / "dist"


@pytest.fixture(scope="module")
def installed(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content in a folder of its own."""
    target = tmp_path_factory.mktemp("target")
    (wheel,) = archives.glob("*.whl")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target)]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)
    return target


def toolkit(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the installed command; the editable installation of the repository is out of its sight."""
    script = (
        "import sys; sys.meta_path[:] = [f for f in sys.meta_path if 'editable' not in type(f).__module__.lower()];"
        f"sys.path[:] = [p for p in sys.path if not p.startswith({str(ROOT)!r}) or 'site-packages' in p];"
        "import sotakit, sotaschema; print(sotakit.__file__, sotaschema.__file__, file=sys.stderr);"
        "from sotakit.cli import app; app()"
    )
    environment = {**os.environ, "PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_installed_command_validates_and_builds_a_site(installed: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "data", tmp_path / "data")
    checked = toolkit(installed, tmp_path, "validate", "data")
    assert checked.returncode == 0, checked.stderr
    places = checked.stderr.split()[:2]
    assert all(place.startswith(str(installed)) for place in places), places
    built = toolkit(installed, tmp_path, "build-site", "data", "--out", "public")
    assert built.returncode == 0, built.stderr
    for name in ("index.html", "llms.txt", "static/style.css", "sota/counterfactual-explanations-on-mnist-test.md"):
        assert (tmp_path / "public" / name).is_file(), name
    page = "public/sota/counterfactual-explanations-on-mnist-test.md"
    read = toolkit(installed, tmp_path, "read", page, "--format", "jsonl")
    assert len(read.stdout.splitlines()) == 11 + 28  # recorded and regenerated


def test_the_wheel_holds_templates_types_and_the_licence_and_no_tests(archives: Path) -> None:
    (wheel,) = archives.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("sotakit/_site/templates/html/base.html", "sotakit/_site/static/style.css", "sotakit/py.typed"):
        assert name in names
    assert any(name.endswith("LICENSE") for name in names)
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"sotakit", "sotaschema", "sotaeval"}


def test_the_source_archive_holds_the_templates_and_no_records(archives: Path) -> None:
    (archive,) = archives.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    for name in ("site/templates/html/base.html", "site/static/style.css", "toolkit/sotakit/cli.py", "pyproject.toml"):
        assert name in names
    assert not [name for name in names if name.startswith(("data/", "public/", "build/"))]
