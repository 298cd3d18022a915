"""Several processes make the site that one makes; what goes wrong in one of them is told as if it were here."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pagesupport import AS_OF, TINY, snapshot
from sotakit.errors import OutputError, UsageError
from sotakit.publish.build import SiteOptions, build_site
from sotakit.publish.output import MANIFEST
from sotakit.publish.workers import run
from sotakit.validate import validate

KILLS = 5
BUILD = (
    "import sys; from pathlib import Path; from sotakit.publish import pipeline;"
    "from sotakit.publish.build import SiteOptions, build_site; pipeline.ALONE = pipeline.MAX_GROUPS = 1;"
    "build_site(Path(sys.argv[1]), SiteOptions(Path(sys.argv[2]), cache=Path(sys.argv[3]), jobs=2))"
)


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even the tiny catalogue is shared out."""
    monkeypatch.setattr("sotakit.publish.pipeline.ALONE", 1)
    monkeypatch.setattr("sotakit.publish.pipeline.MAX_GROUPS", 1)


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    outcome = validate(TINY / "data", tmp_path / "tables", AS_OF)
    assert outcome.tables
    return outcome.tables


def test_the_number_of_processes_does_not_show(tables: Path, tmp_path: Path, tiny_site: Path) -> None:
    for jobs in (1, 2, 5):
        build_site(tables, SiteOptions(tmp_path / f"{jobs}", jobs=jobs))
        assert snapshot(tmp_path / f"{jobs}") == snapshot(tiny_site)


def test_the_hash_seed_of_python_does_not_show(tables: Path, tmp_path: Path, tiny_site: Path) -> None:
    for seed in ("0", "31337"):
        command = [sys.executable, "-c", BUILD, tables, tmp_path / seed, tmp_path / "cache"]
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True, timeout=120)
        assert snapshot(tmp_path / seed) == snapshot(tiny_site)


def test_a_fault_in_a_template_is_told_as_by_one_process(tables: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine/templates/html/benchmark.html"
    path.parent.mkdir(parents=True)
    path.write_text("a\n\n{{ page.titel }}")
    told = []
    for jobs in (1, 3):
        with pytest.raises(UsageError, match=r"benchmark\.html:3: .*titel.*page sota/") as caught:
            build_site(tables, SiteOptions(tmp_path / "public", tmp_path / "mine", jobs=jobs))
        told.append(str(caught.value))
    assert told[0] == told[1]
    assert [path.name for path in tmp_path.iterdir() if "public" in path.name] == []


def test_results_come_in_order_and_the_first_failure_counts() -> None:
    assert run(range(50), lambda number: number * number, 3) == [number * number for number in range(50)]

    def fail(number: int) -> int:
        if number % 10 == 7:
            time.sleep(0.05 if number == 7 else 0)
            raise OutputError(f"number {number}")
        return number

    for jobs in (1, 2, 4):
        with pytest.raises(OutputError, match="number 7"):
            run(range(50), fail, jobs)


def test_an_error_that_cannot_be_sent_is_told_in_words() -> None:
    class OddError(Exception):
        """Its class is known to nobody else."""

    def fail(number: int) -> int:
        raise OddError(f"at {number}")

    with pytest.raises(RuntimeError, match="OddError: at 0"):
        run(range(4), fail, 2)


def test_a_worker_that_is_killed_is_an_error_with_a_way_on() -> None:
    def die(number: int) -> int:
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    with pytest.raises(OutputError, match=r"signal 9.*--jobs 1"):
        run(range(8), die, 2)


def children(process: subprocess.Popen[bytes]) -> list[int]:
    path = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [int(pid) for pid in path.read_text().split()] if path.exists() else []


@pytest.mark.parametrize("number", range(KILLS))
def test_a_build_killed_at_any_moment_is_healed_by_the_next(
    tables: Path, tmp_path: Path, number: int, tiny_site: Path
) -> None:
    """Killed over an earlier site with other pages, so that half of it may be the new one."""
    out, cache = tmp_path / "public", tmp_path / "cache"
    build_site(tables, SiteOptions(out, base_url="https://old.example", cache=cache))
    old = snapshot(out)
    with subprocess.Popen([sys.executable, "-c", BUILD, tables, out, cache]) as process:
        time.sleep(random.Random(number).uniform(0.3, 1.5))
        process.kill()
    new = snapshot(tiny_site)
    for name, raw in snapshot(out).items():
        assert name.startswith(MANIFEST) or raw in (old.get(name), new.get(name)), f"{name} is neither old nor new"
    build_site(tables, SiteOptions(out, cache=cache))
    assert snapshot(out) == new
    build_site(tables, SiteOptions(out, cache=cache))
    assert snapshot(out) == new


def test_ctrl_c_ends_all_processes_and_leaves_no_half_site(tables: Path, tmp_path: Path) -> None:
    out = tmp_path / "public"
    command = [sys.executable, "-c", BUILD, tables, out, tmp_path / "cache"]
    with subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".public.staging-*")) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=60)
    assert process.returncode == 0 or told.count(b"KeyboardInterrupt\n") == 1
    assert process.returncode == 0 or not out.exists()
    assert list(tmp_path.glob(".public.staging-*")) == []
