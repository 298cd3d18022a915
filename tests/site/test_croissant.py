"""The Croissant description agrees with the files it describes, as another reader of Parquet sees them."""

import hashlib
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from pagesupport import TINY, build

BASE = "https://example.org/r"
TYPES = {
    "VARCHAR": "sc:Text",
    "VARCHAR[]": "sc:Text",
    "BIGINT": "sc:Integer",
    "INTEGER": "sc:Integer",
    "SMALLINT": "sc:Integer",
    "DOUBLE": "sc:Float",
    "BOOLEAN": "sc:Boolean",
    "DATE": "sc:Date",
    "TIMESTAMP WITH TIME ZONE": "sc:DateTime",
}


def description(site: Path) -> dict[str, Any]:
    return dict(json.loads((site / "data/croissant.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("base", [None, BASE])
def test_every_table_is_a_file_with_its_hash_and_size(tiny_site: Path, tmp_path: Path, base: str | None) -> None:
    site = build(TINY / "data", tmp_path / "public", base) if base else tiny_site
    files = description(site)["distribution"]
    assert {file["@id"] for file in files} == {path.name for path in (site / "data").glob("*.parquet")}
    for file in files:
        path = site / "data" / file["name"]
        assert file["@type"] == "cr:FileObject"
        assert file["contentUrl"] == (f"{BASE}/data/{path.name}" if base else path.name)
        assert file["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert file["contentSize"] == f"{path.stat().st_size} B"
    assert description(site).get("url") == (f"{BASE}/" if base else None)


def test_every_column_is_a_field_of_the_type_another_reader_sees(tiny_site: Path) -> None:
    sets = {entry["@id"]: entry for entry in description(tiny_site)["recordSet"]}
    for path in (tiny_site / "data").glob("*.parquet"):
        columns = duckdb.sql(f"DESCRIBE SELECT * FROM '{path}'").fetchall()
        fields = sets.pop(path.stem)["field"]
        assert [field["name"] for field in fields] == [column[0] for column in columns]
        for field, (name, kind, *_) in zip(fields, columns, strict=True):
            assert field["@id"] == f"{path.stem}/{name}"
            assert field["dataType"] == TYPES[kind], (path.stem, name)
            assert field.get("repeated", False) == kind.endswith("[]")
            assert field["source"] == {"fileObject": {"@id": path.name}, "extract": {"column": name}}
            assert field["description"]
    assert sets == {}


def test_identifiers_are_unique_and_every_reference_has_its_target(tiny_site: Path) -> None:
    found = description(tiny_site)
    parts = [
        *found["distribution"],
        *found["recordSet"],
        *(field for one in found["recordSet"] for field in one["field"]),
    ]
    ids = [part["@id"] for part in parts]
    assert len(ids) == len(set(ids))
    assert {one["key"]["@id"] for one in found["recordSet"] if "key" in one} <= set(ids)


def test_it_says_what_the_format_asks_of_a_data_set(tiny_site: Path) -> None:
    found = description(tiny_site)
    assert (found["@type"], found["conformsTo"]) == ("sc:Dataset", "http://mlcommons.org/croissant/1.0")
    assert (found["name"], found["license"]) == ("Tiny registry", "CC0-1.0")
    assert found["description"] == "A few made-up results that show every kind of row."
    content = json.loads((tiny_site / "data/manifest.json").read_text(encoding="utf-8"))["content"]
    assert content in found["citeAs"]
    assert found["@context"]["cr"] == "http://mlcommons.org/croissant/"
