"""Runs that are killed, terminated or interrupted at any moment: the old tables or the new ones, never a mix.

A helper process loads the toolkit once and forks a run for each kill. KILLS=200 kills that often at random (25 if not
given), and then before every change of a file, not before every third one.
"""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagesupport import snapshot
from sotakit.cli import app
from sotakit.verify import verify

Write = Callable[..., Path]
KILLS = int(os.environ.get("KILLS", "25"))
SOURCE = "sources/paper-a.yaml"

FORKS = """
import importlib, os, pkgutil, signal, sys
import pyarrow.parquet, sotakit
from sotakit.cli import app

for module in pkgutil.walk_packages(sotakit.__path__, "sotakit."):
    importlib.import_module(module.name)
print("ready", flush=True)

CHANGES = {"open", "os.rename", "os.mkdir", "os.symlink", "os.link", "os.remove", "os.rmdir", "os.truncate"}

def kill_at(number, folder):
    left = number
    def hook(event, arguments):
        nonlocal left
        if event in CHANGES and any(isinstance(part, str) and part.startswith(folder) for part in arguments):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)

for line in sys.stdin:
    number, folder, turns, *commands = line.rstrip().split(";")
    child = os.fork()
    if child == 0:
        print(os.getpid(), flush=True)
        if int(number):
            kill_at(int(number), folder)
        for turn in range(int(turns)):
            for arguments in commands:
                try:
                    app(arguments.split(), standalone_mode=False)
                except SystemExit:
                    pass
                if int(turns) > 1 and turn == 0 and arguments == commands[0]:
                    print("going", flush=True)
        os._exit(0)
    print(os.waitpid(child, 0)[1], flush=True)
"""
"""Forks a run for each line; with a number it kills itself just before that change of a file below the folder."""


class Forks:
    """Starts runs that repeat some commands until they are killed."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", FORKS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"

    def start(self, *line: object) -> int:
        """A new run; gives its process."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(";".join(map(str, line)) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def ended(self) -> int:
        """Waits for the end of the run and gives the signal that ended it; 0 if it ended by itself."""
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())

    def kill_after(self, seconds: float, *commands: str) -> None:
        """Run the commands in turn, over and over, and kill that run some time after the end of the first one."""
        child = self.start(0, "", 1000, *commands)
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "going\n"
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        assert self.ended() == signal.SIGKILL

    def killed_before_change(self, number: int, folder: Path, command: str) -> bool:
        """Run a command that is killed before its n-th change below a folder; false if it makes no such change."""
        self.start(number, folder, 1, command)
        return self.ended() == signal.SIGKILL


@pytest.fixture
def forks() -> Iterator[Forks]:
    server = Forks()
    with server.process:
        yield server
        server.process.stdin.close()  # type: ignore[union-attr]


def registries(write: Write, minimal: dict[str, str], rows: int) -> list[Path]:
    """Three registries that differ in rows of several tables; two generations stay, so the third is always new."""
    row = "  - {{benchmark: sorting-on-numbers, method: bubble, variant: v{}, scores: {{accuracy: {}{}}}}}\n"
    found = []
    for number in range(3):
        more = "".join(row.format(n, number, n % 10) for n in range(rows))
        methods = "".join(f"- {{id: m{n}, name: M{n}}}\n" for n in range(number))
        files = {SOURCE: minimal[SOURCE] + more, "methods.yaml": minimal["methods.yaml"] + methods}
        found.append(write({**minimal, **files}, f"data-{number}"))
    return found


@pytest.fixture
def inputs(write: Write, minimal: dict[str, str]) -> list[Path]:
    return registries(write, minimal, 60)


@pytest.fixture
def small(write: Write, minimal: dict[str, str]) -> list[Path]:
    return registries(write, minimal, 1)


def run(*arguments: object) -> int:
    return CliRunner().invoke(app, [*map(str, arguments), "--quiet"]).exit_code


def digest(folder: Path) -> str:
    """One hash of all names and bytes below a folder."""
    return hashlib.sha256(repr(sorted(snapshot(folder).items())).encode()).hexdigest()


def leftovers(build: Path) -> list[str]:
    """What does not belong into a build folder: beside the link, the lock, whole generations and the site's cache."""
    wanted = {".compiled-from.json", ".gen", ".lock", "parquet", ".site-cache"}
    inner = [path.name for path in (build / ".gen").iterdir() if path.name.startswith(".")]
    return [path.name for path in build.iterdir() if path.name not in wanted] + inner


def staged(folder: Path) -> list[str]:
    """What builds of a site have not put in place yet, or left behind."""
    return [path.name for path in folder.iterdir() if ".staging-" in path.name]


def test_a_kill_leaves_the_old_tables_or_the_new_ones(forks: Forks, inputs: list[Path], tmp_path: Path) -> None:
    whole = []
    for data in inputs:
        assert run("validate", data, "--out", tmp_path / "alone" / data.name) == 0
        whole.append(digest(tmp_path / "alone" / data.name / "parquet"))
    build, chance, seen, torn = tmp_path / "build", random.Random(1), set(), 0
    assert run("validate", inputs[0], "--out", build) == 0
    commands = [f"validate {data} --out {build} --quiet" for data in inputs]
    for number in range(KILLS):
        forks.kill_after(chance.uniform(0, 0.4), *commands[number % 3 :], *commands[: number % 3])
        assert verify(build) == []
        found = digest(build / "parquet")
        assert found in whole, f"a mixture after kill {number}"
        seen.add(found)
        torn += leftovers(build) != []
        if number % 5 == 0:
            assert run("validate", inputs[number % 3], "--out", build) == 0
            assert digest(build / "parquet") == whole[number % 3]
            assert leftovers(build) == []
            assert len(list((build / ".gen").iterdir())) <= 2
    assert run("validate", inputs[1], "--out", build) == 0
    assert (digest(build / "parquet"), leftovers(build)) == (whole[1], [])
    assert len(seen) > 1, "kills met several states"
    assert torn > 0, "and runs in the middle of writing"


def test_a_kill_before_any_change_of_a_file(forks: Forks, small: list[Path], tmp_path: Path) -> None:
    """Nothing is left to chance here: every change that the run makes is the last one once."""
    build, whole = tmp_path / "build", []
    for data in small[::-1]:
        assert run("validate", data, "--out", build) == 0
        whole.insert(0, digest(build / "parquet"))
    command, swapped = f"validate {small[1]} --out {build} --quiet", 0
    assert run("validate", small[2], "--out", build) == 0
    assert run("validate", small[0], "--out", build) == 0  # what the run compiles is not there any more
    for number in range(1, 500, 3 if KILLS < 200 else 1):
        killed = forks.killed_before_change(number, build, command)
        assert verify(build) == []
        found = digest(build / "parquet")
        assert found == whole[0] or (found == whole[1] and number > 20), number
        if not killed:
            break
        if found == whole[1]:
            swapped += 1
            assert run("validate", small[2], "--out", build) == 0
            assert run("validate", small[0], "--out", build) == 0
    assert (found, leftovers(build)) == (whole[1], [])
    assert number > 30
    assert swapped > 0, "tidying up behind the new tables is a change too"


def test_a_killed_build_of_the_site_heals(forks: Forks, small: list[Path], tmp_path: Path) -> None:
    site, options = tmp_path / "public", "--as-of 2026-06-01 --quiet"
    for data in small[:2]:
        alone = tmp_path / "alone" / data.name
        assert run("build-site", data, "--out", alone / "public", "--build", alone / "b", *options.split()[:2]) == 0
    commands = [f"build-site {data} --out {site} --build {tmp_path / data.name}.b {options}" for data in small[:2]]
    chance, torn = random.Random(2), 0
    for number in range(max(5, KILLS // 5)):
        if number:
            forks.kill_after(chance.uniform(0, 1.0), *commands)
        else:  # one kill that meets a build at work for certain
            assert forks.killed_before_change(4, tmp_path / f".{site.name}.staging", commands[0])
        torn += staged(tmp_path) != []
        data = small[number % 2]
        build = tmp_path / f"{data.name}.b"
        assert run("build-site", data, "--out", site, "--build", build, "--as-of", "2026-06-01") == 0
        assert snapshot(site) == snapshot(tmp_path / "alone" / data.name / "public")
        for _ in range(20):  # worker processes of the killed build may write on for a moment: then the next one sweeps
            if not staged(tmp_path):
                break
            time.sleep(0.5)
            assert run("build-site", data, "--out", site, "--build", build, "--as-of", "2026-06-01") == 0
        assert staged(tmp_path) == []
        assert (leftovers(build), verify(site)) == ([], [])
        if number % 2:
            shutil.rmtree(site)
    assert torn > 0


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_run_and_leaves_nothing(
    small: list[Path], tmp_path: Path, sent: signal.Signals, code: int
) -> None:
    build = tmp_path / "build"
    assert run("validate", small[0], "--out", build) == 0
    before = digest(build / "parquet")
    ready = tmp_path / "ready"
    slow = (  # the run says that it has begun to write, and takes its time
        "import os, signal, sys, time, pathlib; from sotakit.cli import app; real = os.fsync\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a job in the background inherits it ignored
        "def fsync(handle):\n"
        f"    pathlib.Path({str(ready)!r}).touch(); real(handle); time.sleep(30)\n"
        "os.fsync = fsync; app()"
    )
    command = [sys.executable, "-c", slow, "validate", str(small[1]), "--out", str(build)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not ready.exists() and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(sent)
        _, shown = process.communicate(timeout=60)
    assert process.returncode == code
    assert len(shown.splitlines()) == 1
    assert "Traceback" not in shown
    assert digest(build / "parquet") == before
    assert leftovers(build) == []
