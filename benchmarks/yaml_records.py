"""The same results as YAML, in the files of their sources, as people write them.

python -m benchmarks.yaml_records FOLDER COUNT [--together]
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.entities import Record, sources
from benchmarks.records import SOURCES, lines, write_entities

_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9 ._-]*[A-Za-z0-9]|[0-9]{1,3}\.[0-9]+|[0-9]{4}-[0-9]{2}(-[0-9]{2})?")
_WORDS: Final = ("true", "false", "null", "yes", "no", "on", "off")


def write_registry(folder: Path, count: int, *, together: bool = False) -> None:
    """Write all records below a folder; the results in `sources/<id>.yaml`, or together in `results/all.yaml`."""
    write_entities(folder)
    results = [{name: value for name, value in json.loads(line).items() if value is not None} for line in lines(count)]
    if together:
        _write(folder / "results" / "all.yaml", (line for record in results for line in _item(record, "")))
        return
    (folder / "sources.jsonl").unlink()
    by_source: dict[str, list[Record]] = defaultdict(list)
    for record in results:
        by_source[record.pop("source")].append(record)
    for source in sources(SOURCES):
        _write(folder / "sources" / f"{source['id']}.yaml", block({**source, "results": by_source[source["id"]]}))


def block(mapping: Record, indent: str = "") -> Iterator[str]:
    """The lines of a mapping in block style."""
    for key, value in mapping.items():
        if isinstance(value, dict) and value:
            yield f"{indent}{key}:"
            yield from block(value, indent + "  ")
        elif isinstance(value, list) and value:
            yield f"{indent}{key}:"
            for item in value:
                yield from _item(item, indent + "  ")
        else:
            yield f"{indent}{key}: {_scalar(value)}"


def _item(item: Any, indent: str) -> Iterator[str]:
    """The lines of one item of a list: a dash before the first."""
    if not isinstance(item, dict):
        yield f"{indent}- {_scalar(item)}"
        return
    first, *rest = block(item, indent + "  ")
    yield f"{indent}- {first.removeprefix(indent + '  ')}"
    yield from rest


def _scalar(value: Any) -> str:
    """A value, in quotes only where it would be read as something else."""
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.casefold() not in _WORDS:
        return value
    return json.dumps(value)


def _write(path: Path, text: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(text) + "\n", encoding="utf-8")


def main() -> None:
    """Write one registry."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--together", action="store_true")
    options = parser.parse_args()
    write_registry(options.folder, options.count, together=options.together)


if __name__ == "__main__":
    main()
