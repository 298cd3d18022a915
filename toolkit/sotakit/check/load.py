"""Reading a whole data folder into a `Collection`: every file, every record, every fault."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from sotakit.check.codes import severity_of
from sotakit.check.digits import lost_digits
from sotakit.check.findings import Finding, Origin
from sotakit.check.structure import FirstLook, build, stated_id
from sotakit.collection import Collection, Loaded, LoadedResult, loaded, record_id
from sotakit.read.files import RecordFile, has_bom, list_files
from sotakit.read.raw import Fault, Raw
from sotakit.read.reader import read_file
from sotaschema.base import Record
from sotaschema.jsonschema import KINDS
from sotaschema.results import Result


def load(data: Path) -> Collection:
    """Every record below the folder, results included, for folders that fit into memory."""
    collection, results = open_folder(data)
    collection.results.extend(results)
    collection.ids["results"] = collection.ids.get("results", set()) | {row.id for row in collection.results}
    return collection


def open_folder(data: Path, as_of: str = "") -> tuple[Collection, Iterator[LoadedResult]]:
    """The records below the folder: all but sources and results, and results that come as they are read.

    The collection has the sources, and every finding and count, when the results are used up. Files of sources are read
    before files of results, whatever their names are, since what a result is depends on its source: all results of a
    source come after it. Raises `InputError` only when the folder itself cannot be read.
    """
    collection = Collection(as_of=as_of)
    later: list[RecordFile] = []
    for item in list_files(data):
        if isinstance(item, Finding) and item.severity == "warning":
            collection.findings.append(item)
            continue
        collection.files += 1
        if isinstance(item, Finding):
            _refuse(collection, item.origin, [item])
        elif item.kind in ("sources", "results"):
            later.append(item)
        else:
            deque(_load_file(collection, item), maxlen=0)  # it yields no results
    later.sort(key=_sources_first)
    return collection, chain.from_iterable(_load_file(collection, file) for file in later)


def read_again(data: Path, places: Iterable[Origin]) -> list[LoadedResult]:
    """The results at some places, in order of reading: a second look at a few of many."""
    wanted: dict[str, set[Origin]] = defaultdict(set)
    for origin in places:
        wanted[origin.file].add(origin)
    files = (item for item in list_files(data) if isinstance(item, RecordFile) and item.name in wanted)
    found: list[LoadedResult] = []
    for file in sorted(files, key=_sources_first):
        lines = {origin.line for origin in wanted[file.name]}
        results = _load_file(Collection(), file, lines if file.format == "jsonl" else None)
        found += [result for result in results if result.origin in wanted[file.name]]
    return found


def _sources_first(file: RecordFile) -> tuple[bool, str]:
    return holds_results(file), file.name


def holds_results(file: RecordFile) -> bool:
    """Whether the records of a file are results, which may also stand in a source."""
    return file.kind == "results" or file.source is not None


def _load_file(collection: Collection, file: RecordFile, lines: set[int] | None = None) -> Iterator[LoadedResult]:
    """Load the records of one file (of JSON Lines, perhaps only some lines), yielding its results."""
    seen: set[Fault] = set()
    look = FirstLook(file.name, file.source) if holds_results(file) else None
    noted, empty = False, True
    for raw in read_file(file, look, lines):
        empty = False
        if isinstance(raw, LoadedResult):
            collection.counted += 1
            yield raw
            continue
        origin = Origin(file.name, raw.line, raw.path)
        if raw.faults:
            faults = [fault for fault in raw.faults if fault not in seen]
            _refuse_whole(collection, file, raw.value, origin, [_from_fault(origin, fault) for fault in faults])
            seen.update(faults)
            continue
        if not noted and file.format in ("json", "jsonl") and _has_bare_score(raw.value):
            collection.findings.append(_bare_scores(origin))
            noted = True
            look = look and look.accept_bare_scores()
        collection.findings.extend(_from_fault(origin, remark) for remark in raw.remarks)
        yield from _load_record(collection, file, raw, origin)
    if empty and not seen and file.format == "yaml" and _says_nothing(file.text()):
        hint = "write its records, or remove it; an empty list, [], says that there are none"
        nothing = Finding("W114", "warning", Origin(file.name), "the file holds no record", hint)
        collection.findings.append(nothing.placed(1, 1))
    if file.path.is_file() and not seen and has_bom(file.path):
        bom = Finding("W103", "warning", Origin(file.name), "the file starts with a byte order mark", "save it without")
        collection.findings.append(bom.placed(1, 1))


def _says_nothing(text: str) -> bool:
    """Whether a YAML document has no value at all; an empty list is one."""
    return all(line.lstrip().startswith(("#", "---", "...")) for line in text.split("\n") if line.strip())


def _bare_scores(origin: Origin) -> Finding:
    message = "scores are bare numbers, so how many digits were printed is not known"
    return Finding("N210", "note", origin, message, 'write them as strings, for instance "0.90"')


def _load_record(collection: Collection, file: RecordFile, raw: Raw, origin: Origin) -> Iterator[LoadedResult]:
    texts = file.format == "csv"
    if holds_results(file):
        yield from _load_result(collection, raw.value, file.source, origin, texts=texts)
        return
    value, results = raw.value, _inner_results(file, raw.value)
    if results:
        value = {key: part for key, part in value.items() if key != "results"}
    record = build(KINDS[file.kind], value, origin, texts=texts)
    name = record_id(record) if isinstance(record, Record) else stated_id(value)
    collection.ids.setdefault(file.kind, set()).add(name)
    if isinstance(record, Record):
        collection.findings.extend(lost_digits(value, origin, name))
        collection.counted += 1
        collection.kinds.setdefault(file.kind, []).append(Loaded(record, origin))
    else:
        _refuse(collection, origin, record)
    for index, result in enumerate(results):
        place = Origin(origin.file, origin.line, (*origin.path, "results", index))
        yield from _load_result(collection, result, name, place, texts=texts)


def _load_result(
    collection: Collection, value: Any, source: str | None, origin: Origin, *, texts: bool
) -> Iterator[LoadedResult]:
    built = build(Result, value, origin, texts=texts)
    if isinstance(built, Result):
        if result := loaded(built, source, origin):
            collection.counted += 1
            collection.findings.extend(lost_digits(value, origin, result.id))
            yield result
            return
        built = [_wrong_source(built, source, origin)]
    _refuse_result(collection, value, built if isinstance(built, list) else [])


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
    if holds_results(file):
        _refuse_result(collection, value, findings)
        return
    collection.ids.setdefault(file.kind, set()).add(stated_id(value))
    _refuse(collection, origin, findings)
    for result in _inner_results(file, value):
        _refuse_result(collection, result, [])


def _refuse(collection: Collection, origin: Origin, findings: list[Finding]) -> None:
    collection.counted += 1
    collection.unread += 1
    collection.refused.add(origin)
    collection.findings.extend(findings)


def _refuse_result(collection: Collection, value: Any, findings: list[Finding]) -> None:
    """Refuse a result of which no record was made; its place need not be remembered, since nobody will ask for it."""
    collection.counted += 1
    collection.unread += 1
    collection.note_results([stated_id(value)])
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
