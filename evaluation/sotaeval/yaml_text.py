"""Records as YAML text, in the few forms records need: mappings, lists, texts, numbers, truth values."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./()-]+)*")
_RESERVED = {"true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"}


def to_yaml(value: Mapping[str, Any]) -> str:
    """A record as YAML 1.2, two spaces per level, keys in the given order, texts quoted where there is any doubt."""
    return "\n".join(_lines(value)) + "\n"


def _lines(value: Any) -> Iterator[str]:
    """The lines of a mapping or a list, not indented."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _entry(f"{_scalar(key)}:", item)
    else:
        for item in value:
            nested = list(_lines(item)) if isinstance(item, Mapping) and item else []
            if nested:
                yield f"- {nested[0]}"
                yield from (f"  {line}" for line in nested[1:])
            else:
                yield f"- {_scalar(item)}"


def _entry(head: str, item: Any) -> Iterator[str]:
    if isinstance(item, Mapping | list | tuple) and item:
        yield head
        yield from (f"  {line}" for line in _lines(item))
    else:
        yield f"{head} {_scalar(item)}"


def _scalar(value: Any) -> str:
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _RESERVED:
        return value
    if isinstance(value, Mapping | list | tuple):
        assert not value, "nested values are not scalars"
        return "{}" if isinstance(value, Mapping) else "[]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
