"""Reading a whole data folder into a `Collection`: every file, every record, every fault."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from sotakit.check.codes import severity_of
from sotakit.check.findings import Finding, Origin
from sotakit.check.structure import build, stated_id
from sotakit.collection import Collection, Loaded, LoadedResult, record_id
from sotakit.read.files import RecordFile, has_bom, list_files
from sotakit.read.raw import Fault, Raw
from sotakit.read.reader import read_file
from sotaschema.base import Record
from sotaschema.jsonschema import KINDS
from sotaschema.results import Result


def load(data: Path) -> Collection:
    """Every record below the folder; raises `InputError` only when the folder itself cannot be read."""
    collection = Collection()
    for item in list_files(data):
        collection.files += 1
        if isinstance(item, Finding):
            _refuse(collection, item.origin, [item])
        else:
            _load_file(collection, item)
    return collection


def _load_file(collection: Collection, file: RecordFile) -> None:
    seen: set[Fault] = set()
    noted = False
    for raw in read_file(file):
        origin = Origin(file.name, raw.line, raw.path)
        if raw.faults:
            faults = [fault for fault in raw.faults if fault not in seen]
            _refuse_whole(collection, file, raw.value, origin, [_from_fault(origin, fault) for fault in faults])
            seen.update(faults)
            continue
        if not noted and file.format in ("json", "jsonl") and _has_bare_score(raw.value):
            message = "scores are bare numbers, so how many digits were printed is not known"
            note = Finding("N210", "note", origin, message, 'write them as strings, for instance "0.90"')
            collection.findings.append(note)
            noted = True
        _load_record(collection, file, raw, origin)
    if file.path.is_file() and not seen and has_bom(file.path):
        bom = Finding("W103", "warning", Origin(file.name), "the file starts with a byte order mark", "save it without")
        collection.findings.append(bom.placed(1, 1))


def _load_record(collection: Collection, file: RecordFile, raw: Raw, origin: Origin) -> None:
    texts = file.format == "csv"
    if file.source is not None or file.kind == "results":
        _load_result(collection, raw.value, file.source, origin, texts=texts)
        return
    value, results = raw.value, _inner_results(file, raw.value)
    if results:
        value = {key: part for key, part in value.items() if key != "results"}
    record = build(KINDS[file.kind], value, origin, texts=texts)
    name = record_id(record) if isinstance(record, Record) else stated_id(value)
    collection.ids.setdefault(file.kind, set()).add(name)
    if isinstance(record, Record):
        collection.counted += 1
        collection.kinds.setdefault(file.kind, []).append(Loaded(record, origin))
    else:
        _refuse(collection, origin, record)
    for index, result in enumerate(results):
        place = Origin(origin.file, origin.line, (*origin.path, "results", index))
        _load_result(collection, result, name, place, texts=texts)


def _load_result(collection: Collection, value: Any, source: str | None, origin: Origin, *, texts: bool) -> None:
    """A result of a source; of the one it names itself where its file does not belong to one."""
    built = build(Result, value, origin, texts=texts)
    if isinstance(built, Result):
        of = built.source if source is None else source
        if of is not None and built.source in (None, of):
            collection.counted += 1
            result = LoadedResult(built.id_in(of), built, of, origin)
            collection.ids.setdefault("results", set()).add(result.id)
            collection.results.append(result)
            return
        built = [_wrong_source(built, source, origin)]
    collection.ids.setdefault("results", set()).add(stated_id(value))
    _refuse(collection, origin, built if isinstance(built, list) else [])


def _wrong_source(result: Result, source: str | None, origin: Origin) -> Finding:
    if source is None:
        return Finding("E201", "error", origin, "the field 'source' is missing", "name the source that states it")
    message = f"the result names the source {result.source!r}, but stands in {source!r}"
    return Finding("E209", "error", origin, message, "remove the field", loc=("source",))


def _inner_results(file: RecordFile, value: Any) -> list[Any]:
    """The results that stand in a source."""
    results = value.get("results") if file.kind == "sources" and isinstance(value, dict) else None
    return results if isinstance(results, list) else []


def _refuse_whole(
    collection: Collection, file: RecordFile, value: Any, origin: Origin, findings: list[Finding]
) -> None:
    """Refuse a record with a fault of its text, and all results in it; their ids count as known."""
    kind = "results" if file.source is not None else file.kind
    collection.ids.setdefault(kind, set()).add(stated_id(value))
    _refuse(collection, origin, findings)
    for index, result in enumerate(_inner_results(file, value)):
        collection.ids.setdefault("results", set()).add(stated_id(result))
        _refuse(collection, Origin(origin.file, origin.line, (*origin.path, "results", index)), [])


def _refuse(collection: Collection, origin: Origin, findings: list[Finding]) -> None:
    collection.counted += 1
    collection.refused.add(origin)
    collection.findings.extend(findings)


def _from_fault(origin: Origin, fault: Fault) -> Finding:
    found = Finding(fault.code, severity_of(fault.code), origin, fault.message, fault.hint)
    return replace(found, line=fault.line, column=fault.column)


def _has_bare_score(value: Any) -> bool:
    return any(isinstance(score, int | float) for scores in _score_maps(value) for score in scores.values())


def _score_maps(value: Any) -> Iterator[dict[str, Any]]:
    if not isinstance(value, dict):
        return
    rows = [value, *(value["results"] if isinstance(value.get("results"), list) else [])]
    for row in rows:
        if isinstance(row, dict) and isinstance(row.get("scores"), dict):
            yield row["scores"]
