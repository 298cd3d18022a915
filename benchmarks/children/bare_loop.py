"""The least that validation can cost: the model applied to each line, nothing checked between records, nothing kept.

python -m benchmarks.children.bare_loop FILE.jsonl
"""

import sys
from pathlib import Path

from sotaschema.results import Result


def main(path: str) -> None:
    """Validate every line and print how many there were."""
    count = 0
    with Path(path).open("rb") as lines:
        for line in lines:
            Result.model_validate_json(line)
            count += 1
    sys.stdout.write(f"{count}\n")


if __name__ == "__main__":
    main(sys.argv[1])
