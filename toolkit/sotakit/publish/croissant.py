"""The collection as a Croissant data set: every Parquet table with its hash, every column with its type and meaning."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from sotakit.compiled import read_manifest
from sotakit.publish.about import collection_bibtex, table_meaning
from sotakit.publish.contexts import Site
from sotaschema.arrow import TABLES

PATH: Final = "data/croissant.json"
_TYPE = "application/x-parquet"

_CONTEXT: Final = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the Croissant format 1.0 prescribes."""


def croissant_files(site: Site, parquet: Path) -> Iterator[tuple[str, str]]:
    """The description of the tables in a folder."""
    manifest = read_manifest(parquet)
    yield PATH, json.dumps(_dataset(site, manifest, parquet), indent=1, ensure_ascii=False) + "\n"


def _dataset(site: Site, manifest: dict[str, Any], parquet: Path) -> dict[str, Any]:
    base = f"{site.base_url.rstrip('/')}/" if site.base_url else ""
    described: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": site.title,
        "description": site.description,
        "license": site.licence,
        "citeAs": collection_bibtex(site, manifest["content"]),
        "creator": {"@type": "sc:Organization", "name": site.title},
        "distribution": [
            _file(name, entry, base, (parquet / name).stat().st_size) for name, entry in manifest["files"].items()
        ],
        "recordSet": [_record_set(name.removesuffix(".parquet")) for name in manifest["files"]],
    }
    return described | ({"url": base} if base else {})


def _file(name: str, entry: dict[str, Any], base: str, size: int) -> dict[str, str]:
    """A table as a file; without a base address its address is relative to the description."""
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "description": f"One row for each {table_meaning(name)}.",
        "contentUrl": f"{base}data/{name}" if base else name,
        "contentSize": f"{size} B",
        "encodingFormat": _TYPE,
        "sha256": entry["sha256"],
    }


def _record_set(table: str) -> dict[str, Any]:
    columns = TABLES[table]
    described: dict[str, Any] = {
        "@type": "cr:RecordSet",
        "@id": table,
        "name": table,
        "description": f"One record for each {table_meaning(table)}.",
        "field": [_field(table, column) for column in columns],
    }
    return described | ({"key": {"@id": f"{table}/id"}} if "id" in columns.names else {})


def _field(table: str, column: pa.Field) -> dict[str, Any]:
    repeated = pa.types.is_list(column.type)
    described: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{table}/{column.name}",
        "name": column.name,
        "description": column.metadata[b"description"].decode(),
        "dataType": _data_type(column.type.value_type if repeated else column.type),
        "source": {"fileObject": {"@id": f"{table}.parquet"}, "extract": {"column": column.name}},
    }
    return described | ({"repeated": True} if repeated else {})


def _data_type(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind):
        return "sc:Boolean"
    if pa.types.is_integer(kind):
        return "sc:Integer"
    if pa.types.is_floating(kind):
        return "sc:Float"
    if pa.types.is_date(kind):
        return "sc:Date"
    return "sc:DateTime" if pa.types.is_timestamp(kind) else "sc:Text"
