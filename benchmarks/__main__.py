"""`python -m benchmarks`: run the parts, keep their figures, write the page."""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Final

from benchmarks import site, startup, validation, yaml_reading
from benchmarks.measure import ROOT, MeasureError
from benchmarks.report import Part, page, record

PARTS: Final[dict[str, Callable[[Path, int], Part]]] = {
    "startup": startup.measure,
    "validation": validation.measure,
    "compiling": validation.measure_compiling,
    "yaml": yaml_reading.measure,
    "site": site.measure,
}
QUICK_SCALE: Final = 50
FIGURES: Final = ROOT / "build" / "benchmarks"


def main() -> int:
    """Run what was asked for and put the page together from all figures that are there."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure ours and others on one input.")
    parser.add_argument("--only", action="append", choices=PARTS, help="a part; may be given several times")
    parser.add_argument(
        "--quick", action="store_true", help=f"1/{QUICK_SCALE} of the size, to try it; no page in docs/"
    )
    options = parser.parse_args()
    figures = FIGURES / "quick" if options.quick else FIGURES
    figures.mkdir(parents=True, exist_ok=True)
    failed = [name for name in options.only or PARTS if not _run_part(name, figures, quick=options.quick)]
    target = figures / "benchmarks.md" if options.quick else ROOT / "docs" / "benchmarks.md"
    found = [figures / f"{name}.json" for name in PARTS if (figures / f"{name}.json").exists()]
    target.write_text(page([json.loads(path.read_text(encoding="utf-8")) for path in found]), encoding="utf-8")
    sys.stdout.write(f"{target.relative_to(ROOT)}\n")
    return int(bool(failed))


def _run_part(name: str, figures: Path, *, quick: bool) -> bool:
    """Run one part in a folder of its own and keep its figures; False if something measured failed."""
    command = f"python -m benchmarks --only {name}" + " --quick" * quick
    load, begin = os.getloadavg()[0], perf_counter()
    with tempfile.TemporaryDirectory(dir=figures, prefix=f".{name}-") as folder:
        try:
            part = PARTS[name](Path(folder), QUICK_SCALE if quick else 1)
        except MeasureError as error:
            sys.stderr.write(f"{name}: {error}\n")
            return False
    text = json.dumps(record(part, command, load), indent=2, ensure_ascii=False)
    (figures / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    sys.stdout.write(f"{name}: {perf_counter() - begin:.0f} s\n")
    return True


if __name__ == "__main__":
    sys.exit(main())
