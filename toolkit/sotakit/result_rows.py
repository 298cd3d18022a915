"""From results to the rows of the tables `results` and `config`."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from json import dumps
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from sotakit.cells import Cells, table
from sotakit.collection import Known, LoadedResult
from sotakit.folding import Folding
from sotakit.spill import Part
from sotaschema.arrow import TABLES
from sotaschema.base import first_day
from sotaschema.identity import Scalar, canonical_json
from sotaschema.results import Locator

MOST_CONFIGS = 50_000
"""How many configurations are remembered with their cells."""

_AS_RECORDED = (
    *("benchmark", "method", "method_label", "variant", "date", "date_kind", "hardware", "extra_training_data"),
    *("notes", "evidence", "transcription", "reproduction", "status", "comparability", "comparability_note"),
)
_OF_RESULT = ("id", "source", "locator", "config_extra", "settings", "imported_file", "imported_row", *_AS_RECORDED)
_recorded = attrgetter(*_AS_RECORDED)
_located_at = attrgetter(*Locator.model_fields)
_CONFIG_ROWS = pa.schema([field for field in TABLES["config"] if field.name != "result"])
_LATE = ("duplicate_of", "stands")
"""Columns that are known only when everything was read."""
_RESULT_ROWS = pa.schema([field for field in TABLES["results"] if field.name not in _LATE])


class Config(NamedTuple):
    """A configuration as the tables show it: as one text, folded, and pair by pair in order of the keys."""

    text: str
    group: str
    keys: tuple[str, ...]
    values: tuple[str, ...]
    folded_keys: tuple[str, ...]
    folded_values: tuple[str, ...]


_NO_CONFIG = Config("{}", "{}", (), (), (), ())


class ResultRows:
    """Takes some thousand results; what configurations have in common is worked out once."""

    def __init__(self, known: Known, folding: Folding) -> None:
        self._known = known
        self._configs = _Configs(folding)
        self._clear()

    def __len__(self) -> int:
        return len(self._rows)

    def _clear(self) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self._config_of: list[Config] = []

    def add(self, result: LoadedResult) -> None:
        """Take the next result. Nothing of its record but texts is kept, so that it is freed while it is at hand."""
        record = result.record
        locator, imported = record.locator, record.imported
        row = (
            result.id,
            result.source,
            _place(_located_at(locator)) if locator else "{}",
            canonical_json(dict(record.config_extra)) if record.config_extra else "{}",
            canonical_json(dict(record.settings)) if record.settings else "{}",
            imported.file if imported else None,
            imported.row if imported else None,
            *_recorded(record),
        )
        self._rows.append(row)
        self._config_of.append(self._configs.of(record.benchmark, record.config))

    def take(self) -> tuple[pa.Table, Part, Sequence[str]]:
        """Rows of all results taken since the last time, of their configurations, and these folded."""
        rows, configs = self._rows, self._config_of
        self._clear()
        columns: dict[str, Cells] = dict(zip(_OF_RESULT, zip(*rows, strict=True), strict=True))
        columns["method_label"] = self._labels(columns["method_label"], columns["method"])
        columns["origin"] = self._origins(columns["source"], columns["imported_file"])
        columns["config"] = tuple(config.text for config in configs)
        columns["group"] = tuple(config.group for config in configs)
        columns["first_day"] = tuple(first_day(date) if date else None for date in columns["date"])
        return table(columns, _RESULT_ROWS), _config_part(configs), columns["group"]

    def _labels(self, labels: Cells, methods: Cells) -> Cells:
        if None not in labels:
            return labels
        known = self._known.methods
        names = {name: known[name].name if name in known else name for name in set(methods)}
        return [label or names[method] for label, method in zip(labels, methods, strict=True)]

    def _origins(self, sources: Cells, imported: Cells) -> Cells:
        known = self._known.sources
        origins = {name: known[name].origin if name in known else "reported" for name in set(sources)}
        found = [origins[source] for source in sources]
        if set(imported) == {None}:
            return found
        imports = zip(found, imported, strict=True)
        return ["imported" if file and origin == "reported" else origin for origin, file in imports]


class _Configs:
    """The cells of configurations, made once for equal ones."""

    def __init__(self, folding: Folding) -> None:
        self._folding = folding
        self._known: dict[tuple[str, str], Config] = {}

    def of(self, benchmark: str, config: Mapping[str, Scalar]) -> Config:
        """The cells of a configuration of a benchmark, which may decide how keys fold."""
        if not config:
            return _NO_CONFIG
        written = repr(config)  # tells 1, 1.0 and True apart, and 0.0 and -0.0, which are equal themselves
        scoped = self._folding.scope(benchmark), written
        found = self._known.get(scoped)
        return found or self._made(scoped, benchmark, config)

    def _made(self, scoped: tuple[str, str], benchmark: str, config: Mapping[str, Scalar]) -> Config:
        pairs = self._folding.fold(benchmark, config)
        keys, values, folded_keys, folded_values = zip(*pairs, strict=True)
        found = Config(
            canonical_json(dict(config)),
            self._folding.group(benchmark, config),
            keys,
            _jsons(values),
            folded_keys,
            _jsons(folded_values),
        )
        if len(self._known) >= MOST_CONFIGS:
            self._known.clear()
        self._known[scoped] = found
        return found


def _config_part(configs: Sequence[Config]) -> Part:
    columns = {
        "key": _joined(config.keys for config in configs),
        "value": _joined(config.values for config in configs),
        "folded_key": _joined(config.folded_keys for config in configs),
        "folded_value": _joined(config.folded_values for config in configs),
    }
    return Part(table(columns, _CONFIG_ROWS), np.array([len(config.keys) for config in configs], "i4"))


def _joined(parts: Iterable[tuple[str, ...]]) -> list[str]:
    return list(chain.from_iterable(parts))


@lru_cache(maxsize=10_000)
def _place(found: tuple[int | str | None, ...]) -> str:
    """The canonical JSON of a locator, from its fields in order."""
    return canonical_json(
        {name: value for name, value in zip(Locator.model_fields, found, strict=True) if value is not None}
    )


def _jsons(values: Iterable[Scalar]) -> tuple[str, ...]:
    return tuple(dumps(value, ensure_ascii=False) if not value else _scalar(value) for value in values)


@lru_cache(maxsize=10_000, typed=True)
def _scalar(value: Scalar) -> str:
    return dumps(value, ensure_ascii=False)
