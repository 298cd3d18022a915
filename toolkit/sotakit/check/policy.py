"""Severities that a collection sets for itself: `rules` in `registry.yaml`, each with its reason.

Everything that collects findings passes them through one `Policy`, whoever found them, and asks it at the end for the
exceptions that met nothing.
"""

import difflib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from sotakit.check.codes import CODES, severity_of
from sotakit.check.findings import Finding, Origin
from sotakit.check.problem import Problem
from sotakit.collection import Collection
from sotaschema.entities import RuleSetting

STALE: Final = "N311"
_FIXED = ("E1", "E2", "E3", "E4")


class Policy:
    """Applies the settings of a registry. `silenced` counts, by code, the findings that it left out."""

    def __init__(self, settings: Iterable[RuleSetting], origin: Origin) -> None:
        self._settings = {(rule.code, rule.record): (index, rule) for index, rule in reversed([*enumerate(settings)])}
        self._origin = origin
        self._met: set[int] = set()
        self.silenced: Counter[str] = Counter()

    @classmethod
    def of(cls, collection: Collection) -> "Policy":
        """The policy of a collection; one that changes nothing where it has no registry record."""
        registry = collection.of("registry")
        return cls(collection.registry.rules, registry[0].origin if registry else Origin("registry.yaml"))

    def applied(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """The findings with the severities of this policy, silenced ones left out; may be called for one part after
        another. An exception for one record goes before what holds for all."""
        for finding in findings:
            own, general = self._settings.get((finding.code, finding.record)), self._settings.get((finding.code, None))
            index, rule = own or general or (-1, None)
            self._met.add(index)
            if rule is None or is_fixed(finding.code):
                yield finding
            elif rule.severity == "silent":
                self.silenced[finding.code] += 1
            else:
                yield replace(finding, severity=rule.severity)

    def stale(self) -> Iterator[Finding]:
        """N311: exceptions for one record that met no finding. To be asked after all findings were seen."""
        for index, rule in sorted(self._settings.values(), key=lambda item: item[0]):
            if rule.record is not None and index not in self._met and rule.code in CODES and not is_fixed(rule.code):
                message = f"no finding {rule.code} names the record {rule.record!r}"
                hint = "remove the exception, or correct its record"
                yield Finding(STALE, "note", self._origin, message, hint, "registry", ("rules", index, "record"))


def is_fixed(code: str) -> bool:
    """Whether the severity of a code cannot be set: the record could not be read, linked or told from another."""
    return code.startswith(_FIXED)


def unknown_rule(collection: Collection) -> Iterator[Problem]:
    """E309: settings for a code that no rule has."""
    for index, rule, origin in _rules(collection):
        if rule.code not in CODES:
            close = difflib.get_close_matches(rule.code.upper(), CODES, 1)
            hint = f"did you mean {close[0]!r}?" if close else "`toolkit explain` lists all codes"
            yield Problem(origin, "registry", f"no rule has the code {rule.code!r}", hint, ("rules", index, "code"))


def fixed_rule(collection: Collection) -> Iterator[Problem]:
    """E310: settings for a code that stays an error, and settings that contradict an earlier one."""
    seen: set[tuple[str, str | None]] = set()
    for index, rule, origin in _rules(collection):
        message, hint, name = "", "", "severity"
        if is_fixed(rule.code) and rule.code in CODES and rule.severity != severity_of(rule.code):
            message = f"{rule.code} can only be an error: a record that breaks it cannot be read, linked or identified"
            hint = "mend the records; .toolkitignore leaves out files that are none"
        elif (rule.code, rule.record) in seen:
            message, hint, name = f"{rule.code} is set twice", "keep one of the two settings", "code"
        seen.add((rule.code, rule.record))
        if message:
            yield Problem(origin, "registry", message, hint, ("rules", index, name))


def _rules(collection: Collection) -> Iterator[tuple[int, RuleSetting, Origin]]:
    for loaded in collection.of("registry")[:1]:
        yield from ((index, rule, loaded.origin) for index, rule in enumerate(collection.registry.rules))
