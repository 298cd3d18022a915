"""Writes the pages of the docs that are made from the code: the rules, the records and the compiled tables."""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, Literal, get_args, get_origin, get_type_hints

import pyarrow as pa
import yaml
from pydantic import TypeAdapter

from sotakit.check.codes import docs_page
from sotaschema import base, vocabulary
from sotaschema.arrow import TABLES
from sotaschema.base import Record
from sotaschema.entities import BenchmarkMetric, Citation, ConfigPair, RuleSetting
from sotaschema.jsonschema import KINDS
from sotaschema.results import Import, ImportedRow, Locator, RecordedVia, Score, Uncertainty

FOLDER: Final = Path(__file__).parent
PARTS: Final[tuple[type[Record], ...]] = (
    *(RuleSetting, Citation, BenchmarkMetric, ConfigPair, RecordedVia, Import),
    *(Score, Uncertainty, Locator, ImportedRow),
)
"""Records that stand inside of others only."""

FORMS: Final[dict[str, tuple[Any, str]]] = {
    "id": (
        base.Id,
        "lower-case ASCII letters, digits, dots, dashes and underscores, at most 64; quoted if it looks like a number",
    ),
    "line": (base.Line, "text of one line, at most 1,000 characters"),
    "text": (base.Text, "text of one or more lines, at most 20,000 characters"),
    "date": (base.PartialDate, "a day, a month or a year, as far as it is known, with or without quotes"),
    "time": (base.Timestamp, "a time in UTC, with a final Z"),
    "address": (base.Url, "an http or https address without spaces and quotes"),
    "number": (
        base.NumberText,
        "digits, kept as they are written: in YAML with or without quotes, in JSON as a string",
    ),
    "count": (base.Count, "a whole number, at least 1"),
    "level": (base.Level, "a fraction between 0 and 1"),
    "value": (base.ScalarValue, 'one text, number, true or false: 1, 1.0 and "1" are three different values'),
    "settings": (base.Settings, "a mapping from names to values, never nested"),
}
"""Forms that fields share: name, type and what it takes."""

_PLAIN: Final[dict[Any, str]] = {str: "text", int: "whole number", bool: "true or false"}

EXAMPLES: Final = {"sources": "sources/author-2026.yaml", "results": "results/lab-board.jsonl"}
"""Files of the example folder that are not named after their kind alone."""

PLACES: Final = {
    "registry": "One record in `registry.yaml`; without that file every field has its default.",
    "sources": "`sources/<id>.yaml` holds one document with its results. Many results may stand beside it instead, in "
    "`sources/<id>.results.jsonl` or `.csv`.",
    "results": "Results stand in the `results` of their source, in `sources/<id>.results.jsonl` (or `.csv`) beside it, "
    "or in files below `results/`, where each names its `source`.",
}
"""Where records lie, for the kinds that differ from the rest."""

HEAD: Final = """# Records

Made by `make docs`; do not edit.

A record folder holds YAML, JSON, JSON Lines and CSV; the kind of a record is the first folder below it or, at the top,
the name of the file. A field that the tables below do not list is an error; what is not known is left out. The
examples on this page are the files of [`example/`](example/), a whole record folder without any finding.

The same contract is in [`schema/`](../schema/) as JSON Schema. An editor that understands it completes and checks
fields as you type; for YAML, many take the schema of a file that holds one record from its first line:

```yaml
# yaml-language-server: $schema=../../schema/source.schema.json
```
"""


def pages() -> dict[str, str]:
    """File name and text of every page."""
    return {"rules.md": docs_page(), "records.md": records_page(), "tables.md": tables_page()}


def records_page() -> str:
    """Every field of every kind of record, the forms of fields and the words of the closed lists."""
    kinds = (_section(model, *_place_and_example(kind)) for kind, model in KINDS.items())
    parts = (_section(part, _used(part)) for part in PARTS)
    return "\n".join([HEAD, _contents(), *kinds, *parts, _not_shown_section(), _forms_section(), *_word_sections()])


def tables_page() -> str:
    """Every column of every compiled table."""
    parts = ["# Compiled tables\n\nMade by `make docs`; do not edit. Files of `build/parquet/`, sorted by id.\n"]
    for name, schema in TABLES.items():
        rows = ((f"`{column.name}`", str(column.type), _null(column), _meaning(column)) for column in schema)
        parts.append(f"## {name}.parquet\n\n{_table('column type null meaning', rows)}")
    return "\n".join(parts)


def vocabularies() -> dict[str, Any]:
    """Every closed list of words by its name."""
    return {name: kind for name, kind in vars(vocabulary).items() if get_origin(kind) is Literal}


def fields(model: type[Record]) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Name in records, annotation and JSON Schema of every field of a model."""
    hints = get_type_hints(model, include_extras=True)
    described = _object_schema(model)["properties"]
    for name, field in model.model_fields.items():
        yield field.alias or name, hints[name], described[field.alias or name]


def examples(described: dict[str, Any]) -> list[Any]:
    """The examples of a field or, where it has none of its own, of its form."""
    if "examples" in described:
        return list(described["examples"])
    if "items" in described:
        return [[example] for example in examples(described["items"])]
    return [example for choice in described.get("anyOf", ()) for example in examples(choice)]


def _object_schema(model: type[Record]) -> dict[str, Any]:
    schema = model.model_json_schema()
    full: dict[str, Any] = schema.get("anyOf", [schema])[0]  # a score may be written in a short form too
    return full


def _contents() -> str:
    kinds = " · ".join(_link(model.__name__) for model in KINDS.values())
    parts = " · ".join(_link(part.__name__) for part in PARTS)
    words = " · ".join(_link(name) for name in vocabularies())
    others = f"- [Unshown](#unshown)\n- [Forms](#forms)\n- [Words](#words): {words}\n"
    return f"- Kinds: {kinds}\n- Inside of them: {parts}\n{others}"


def _section(model: type[Record], *intro: str) -> str:
    required = _object_schema(model).get("required", [])
    rows = (
        (f"`{name}`", _form(hint), _required(described, required=name in required), _meaning_of(described))
        for name, hint, described in fields(model)
    )
    text = "\n".join(intro)
    return f"## {model.__name__}\n\n{model.__doc__} {text}\n\n{_table('field form required meaning', rows)}"


def _place_and_example(kind: str) -> tuple[str, str]:
    """Where records of a kind lie, and a file of them."""
    usual = f"`{kind}.yaml` holds a list of them; files below `{kind}/` hold one each, or a list."
    name = EXAMPLES.get(kind, f"{kind}.yaml")
    text = (FOLDER / "example" / name).read_text(encoding="utf-8")
    language = "json" if name.endswith(".jsonl") else "yaml"
    return PLACES.get(kind, usual), f"\n`{name}`:\n\n```{language}\n{text}```"


def _not_shown_section() -> str:
    rows = (
        (f"`{name}` of [{model}](#{model.lower()})", reason)
        for model, fields_of in not_shown().items()
        for name, reason in fields_of.items()
    )
    intro = "Pages of a site show every other field that a record states, in HTML and in Markdown."
    return f"## Unshown\n\n{intro}\n\n{_table('field why', rows)}"


def not_shown() -> dict[str, dict[str, str]]:
    """Fields that no page shows, by model, each with the reason."""
    found: dict[str, dict[str, str]] = yaml.safe_load((FOLDER / "not_shown.yaml").read_text(encoding="utf-8"))
    return found


def _used(part: type[Record]) -> str:
    """The fields that hold a part."""
    places = (
        f"`{name}` of [{model.__name__}](#{model.__name__.lower()})"
        for model in (*KINDS.values(), *PARTS)
        for name, hint, _ in fields(model)
        if f"[{part.__name__}]" in _form(hint)
    )
    return f"Stands in {', '.join(places)}."


def _forms_section() -> str:
    rows = ((name, meaning, _shown(TypeAdapter(kind).json_schema())) for name, (kind, meaning) in FORMS.items())
    return f"## Forms\n\n{_table('form takes examples', rows)}"


def _word_sections() -> Iterator[str]:
    yield "## Words\n\nClosed lists: a field takes one of the words of its list and no other.\n"
    for name, entry in yaml.safe_load((FOLDER / "words.yaml").read_text(encoding="utf-8")).items():
        rows = ((f"`{word}`", meaning) for word, meaning in entry["words"].items())
        yield f"### {name}\n\n{entry['about']}\n\n{_table('word meaning', rows)}"


def _form(hint: Any) -> str:
    """The form of a field in words, with links to what is explained elsewhere."""
    if link := next((link for kind, link in _links() if hint == kind), ""):
        return link
    if get_origin(hint) is Annotated:
        return _form(get_args(hint)[0])
    inner = [_form(part) for part in get_args(hint) if part is not NoneType]
    if get_origin(hint) is list:
        return f"list of {inner[0]}"
    if get_origin(hint) is dict:
        return f"mapping from {inner[0]} to {inner[1]}"
    return " or ".join(inner) or _PLAIN[hint]


def _links() -> Iterator[tuple[Any, str]]:
    """What has a place of its own on the page, and the link to it."""
    yield from ((kind, _link(name, "forms")) for name, (kind, _) in FORMS.items())
    yield from ((kind, _link(name)) for name, kind in vocabularies().items())
    yield from ((model, _link(model.__name__)) for model in (*KINDS.values(), *PARTS))


def _link(name: str, place: str = "") -> str:
    return f"[{name}](#{place or name.lower()})"


def _required(described: dict[str, Any], *, required: bool) -> str:
    default = described.get("default")
    return "yes" if required else "no" if default in (None, [], {}, "") else f"no, then `{_yaml(default)}`"


def _meaning_of(described: dict[str, Any]) -> str:
    shown = _shown(described)
    return f"{described.get('description', '')} {f'For instance {shown}.' if shown else ''}"


def _shown(described: dict[str, Any]) -> str:
    return " or ".join(f"`{_yaml(example)}`" for example in examples(described))


def _yaml(value: Any) -> str:
    """A value as it is written in YAML, in one line."""
    text = yaml.dump(
        value, Dumper=_Dumper, default_flow_style=True, width=math.inf, allow_unicode=True, sort_keys=False
    )
    return str(text).removesuffix("...\n").strip()


class _Dumper(yaml.SafeDumper):
    """YAML as the toolkit reads it: a day needs no quotes."""


_Dumper.yaml_implicit_resolvers = {
    first: [(tag, regex) for tag, regex in resolvers if not tag.endswith(":timestamp")]
    for first, resolvers in yaml.SafeDumper.yaml_implicit_resolvers.items()
}


def _table(header: str, rows: Iterable[Iterable[str]]) -> str:
    cells = [header.split(), ["---"] * len(header.split()), *([_cell(text) for text in row] for row in rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def _null(column: pa.Field) -> str:
    return "yes" if column.nullable else ""


def _meaning(column: pa.Field) -> str:
    return str(column.metadata[b"description"].decode())


if __name__ == "__main__":
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
