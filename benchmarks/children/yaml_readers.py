"""CPU seconds of one YAML reader for all files of a folder, start-up not counted; the least of several passes.

python -m benchmarks.children.yaml_readers READER FOLDER PASSES
"""

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

import yaml

from sotakit.read import yaml_reader


def ours(text: str) -> object:
    """Values by the YAML 1.2 core schema, duplicate keys found; positions only when something is to be pointed at."""
    return list(yaml_reader.read(text))


def ours_with_places(text: str) -> object:
    """The same with the line and column of every key and value."""
    return yaml_reader.places(text)


def pyyaml(text: str) -> object:
    """PyYAML's own loader on libyaml: YAML 1.1, no positions, the last of equal keys wins."""
    return yaml.load(text, Loader=yaml.CSafeLoader)


READERS: dict[str, Callable[[str], object]] = {
    "ours": ours,
    "ours-with-places": ours_with_places,
    "pyyaml": pyyaml,
}


def main(reader: str, folder: str, passes: int) -> None:
    """Print the seconds."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("*.yaml"))]
    read = READERS[reader]
    seconds = []
    for _ in range(passes):
        begin = process_time()
        for text in texts:
            read(text)
        seconds.append(process_time() - begin)
    sys.stdout.write(f"{min(seconds)}\n")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
