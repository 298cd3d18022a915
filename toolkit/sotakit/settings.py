"""Configurations in words and as JSON, for every page and report that shows one."""

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
_encode_tightly = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


class Settings(dict[str, Any]):
    """A configuration of a compiled table. Equal ones read together are one object, described only once."""

    @classmethod
    def parse(cls, text: str) -> "Settings":
        """The configuration in a cell."""
        return cls(json.loads(text))

    @cached_property
    def texts(self) -> dict[str, str]:
        """Each setting as people write it."""
        return {key: setting(value) for key, value in self.items()}

    def under(self, keys: tuple[str, ...], missing: str) -> tuple[str, ...]:
        """The settings of some keys as people write them; what stands for one that is missing is always the same."""
        if keys not in self._under:
            self._under[keys] = tuple([self.texts.get(key, missing) for key in keys])
        return self._under[keys]

    @cached_property
    def _under(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        return {}

    @cached_property
    def words(self) -> str:
        """The configuration in one phrase; empty without any setting."""
        return _words(self)

    @cached_property
    def json(self) -> str:
        """The configuration as JSON on one line, its keys in order."""
        return _encode(self)

    @cached_property
    def tight_json(self) -> str:
        """The same without spaces."""
        return _encode_tightly(self)


def settings_words(config: Mapping[str, Any]) -> str:
    """A configuration in one phrase."""
    return config.words if isinstance(config, Settings) else _words(config)


def settings_json(config: Mapping[str, Any]) -> str:
    """A configuration as JSON on one line, its keys in order."""
    return config.json if isinstance(config, Settings) else _encode(config)


def tight_json(value: Any) -> str:
    """A configuration, or any other value, as JSON without spaces."""
    return value.tight_json if isinstance(value, Settings) else _encode_tightly(value)


def setting(value: Any) -> str:
    """A configuration value as people write it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return " and ".join(setting(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _words(config: Mapping[str, Any]) -> str:
    return ", ".join([f"{key}: {setting(value)}" for key, value in config.items()])
