"""The site from tables that are compiled already, nothing else.

python -m benchmarks.children.site_only PARQUET OUT
"""

import sys
from pathlib import Path

from sotakit.publish.build import SiteOptions, build_site


def main(parquet: str, out: str) -> None:
    """Build the site and print how many files were written, left and removed."""
    changes = build_site(Path(parquet), SiteOptions(Path(out), cache=Path(parquet).parent))
    sys.stdout.write(f"{changes.written} {changes.unchanged} {changes.removed}\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
