"""W405, W407, W408, W410, W411: names that name nothing or something else, or are not what they look like."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sotakit.check.findings import Origin, Step
from sotakit.check.problem import Problem
from sotakit.collection import Collection
from sotakit.name_folding import UNSEEN, folded
from sotaschema.entities import Method
from sotaschema.results import Result

_PLACEHOLDERS = re.compile(
    r"(?:the |this |our |my |proposed |baseline )*"
    r"(?:method|model|system|approach|work|paper|baseline|ours?|proposed|test|example)"
    r"|tbd|tba|todo|fixme|xxx|foo|bar|placeholder|none|null|nil|nan|n ?a|unknown|unnamed|untitled|anonymous"
    r"|no ?name|(?:model|method) name|no (?:model|method) name available"
)
_NO_SIGN = re.compile(r"[\s!-/:-@\[-`{-~–—…]*")
_MARKUP = re.compile(
    r"</?(?:a|b|i|u|s|em|strong|sub|sup|span|br|p|div|img|font|small|code|tt|del|table|t[dr]|[uo]l|li|h[1-6])(?:\s[^<>]*)?/?>"
    r"|&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]+|#x[0-9a-f]+);",
    re.IGNORECASE,
)
_INITIALS = re.compile(r"(?:[^\W\d_]\.[ -]?)+|[A-ZÀ-ÞΑ-ΩА-Я]")
_ADDRESS = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
_PATH = re.compile(
    r"^(?:~|\.{1,2})?/|^[a-z]:\\|/(?:home|users|scratch|mnt|tmp)/|\.(?:pth?|ckpt|safetensors|onnx|pkl|gguf)$",
    re.IGNORECASE,
)


def nameless(collection: Collection) -> Iterator[Problem]:
    """W405: methods called by a placeholder, a path or an address, and markup in any name.

    A label is what the source prints, so "Ours" is a good label; only markup, paths and addresses are not.
    """
    for origin, record, loc, name in _names(collection):
        if fault := _markup(name):
            yield _problem(origin, record, loc, name, fault)
    for method, origin in collection.methods:
        for loc, name in [(("name",), method.name), *_aliases(method.aliases)]:
            if fault := _fault(name):
                yield _problem(origin, method.id, loc, name, fault)
    for result in collection.results:
        label = result.record.method_label
        if label and (fault := label_fault(label, collection.known.methods.get(result.record.method))):
            yield _problem(result.origin, result.id, ("method_label",), label, fault)


def label_fault(label: str, method: Method | None) -> str:
    """What is wrong with the name that a source gives a method; empty if nothing is, or if it is the method's own."""
    return "" if method and label.strip() == method.name else _markup(label) or _location(label)


def invisible_character(collection: Collection) -> Iterator[Problem]:
    """W408: characters in names, labels and settings that nobody sees, or that change the order of what one sees."""
    for origin, record, loc, name in [*_names(collection), *_other_names(collection), *_names_of_results(collection)]:
        if found := UNSEEN.search(name):
            shown = name.replace(found[0], f"<U+{ord(found[0]):04X}>")
            message = f"{shown!r} holds the character U+{ord(found[0]):04X} ({_character_name(found[0])})"
            yield Problem(origin, record, message, "remove it: a name with it looks like one without", loc, found=name)


def label_of_another(collection: Collection) -> Iterator[Problem]:
    """W410: a printed label that is the name of another method than the result's."""
    names = collection.known.methods_by_name
    for result in collection.results:
        label = result.record.method_label
        if label and (other := another_method(label, result.record.method, names)):
            message = f"the label {label!r} is the name of the method {other}, not of {result.record.method}"
            hint = "correct the method or the label; if the source means it so, silence this for the result"
            yield Problem(result.origin, result.id, message, hint, ("method_label",), found=label)


def another_method(label: str, method: str, names: Mapping[str, Sequence[str]]) -> str:
    """The method that has a label as its name where the result's method has another; empty if there is none."""
    owners = names.get(folded(label), ())
    return "" if method in owners else next(iter(owners), "")


def torn_author(collection: Collection) -> Iterator[Problem]:
    """W411: an author who is nothing but initials: "Last, F." was written without quotes in a list."""
    for source, origin in collection.sources:
        for index, author in enumerate(source.authors):
            if _INITIALS.fullmatch(author):
                message = f"the author {author!r} is nothing but initials"
                hint = 'a name with a comma needs quotes in a list: ["Last, F.", "Other, G."]'
                yield Problem(origin, source.id, message, hint, ("authors", index))
                break


def _character_name(char: str) -> str:
    return unicodedata.name(char, "no name").casefold()


def _names_of_results(collection: Collection) -> Iterator[tuple[Origin, str, tuple[Step, ...], str]]:
    """Texts of results that name what was measured: two that look alike would be two methods or two conditions."""
    for result in collection.results:
        record = result.record
        for name in ("method_label", "variant"):
            yield result.origin, result.id, (name,), getattr(record, name) or ""
        for key, value in record.config.items():
            yield result.origin, result.id, ("config", key), f"{key} {value}"


def unseen_in(record: Result) -> bool:
    """Whether a result has a name with such a character; most are plain ASCII, which is told at once."""
    for text in (record.method_label, record.variant):
        if text and not text.isascii() and UNSEEN.search(text):
            return True
    for key, value in record.config.items():
        if not (key.isascii() and (not isinstance(value, str) or value.isascii())) and UNSEEN.search(f"{key} {value}"):
            return True
    return False


def dataset_called_like_task(collection: Collection) -> Iterator[Problem]:
    """W407: a dataset that has the name of a task; the two were probably swapped."""
    tasks = {folded(name): task.id for task, _ in collection.tasks for name in (task.name, *task.aliases)}
    for dataset, origin in collection.datasets:
        if task := tasks.get(folded(dataset.name)):
            message = f"the dataset is called {dataset.name!r}, which is the task {task}"
            yield Problem(origin, dataset.id, message, "name the data, not what is done with it", ("name",))


def _names(collection: Collection) -> Iterator[tuple[Origin, str, tuple[Step, ...], str]]:
    """Names other than those of methods."""
    for task, origin in collection.tasks:
        yield origin, task.id, ("name",), task.name
    for dataset, origin in collection.datasets:
        yield origin, dataset.id, ("name",), dataset.name
    for metric, origin in collection.metrics:
        yield origin, metric.id, ("name",), metric.name
    for benchmark, origin in collection.benchmarks:
        for index, listed in enumerate(benchmark.metrics):
            yield origin, benchmark.id, ("metrics", index, "label"), listed.label


def _other_names(collection: Collection) -> Iterator[tuple[Origin, str, tuple[Step, ...], str]]:
    """Names that may hold markup, since they are not made here: those of methods, aliases, titles and authors."""
    entities: list[Any] = [*collection.tasks, *collection.datasets, *collection.metrics, *collection.methods]
    for record, origin in entities:
        for loc, alias in _aliases(record.aliases):
            yield origin, record.id, loc, alias
    for method, origin in collection.methods:
        yield origin, method.id, ("name",), method.name
    for benchmark, origin in collection.benchmarks:
        yield origin, benchmark.id, ("title",), benchmark.title
        yield origin, benchmark.id, ("dataset_label",), benchmark.dataset_label or ""
    for source, origin in collection.sources:
        yield origin, source.id, ("title",), source.title or ""
        for index, author in enumerate(source.authors):
            yield origin, source.id, ("authors", index), author


def _aliases(aliases: list[str]) -> list[tuple[tuple[Step, ...], str]]:
    return [(("aliases", index), alias) for index, alias in enumerate(aliases)]


def _problem(origin: Origin, record: str, loc: tuple[Step, ...], name: str, fault: str) -> Problem:
    shown = name if len(name) <= 80 else name[:77] + "..."
    return Problem(origin, record, f"the name {shown!r} {fault}", "use the name that people would search for", loc)


def _fault(name: str) -> str:
    """What is wrong with a method's name; empty if nothing is."""
    return _markup(name) or _location(name) or _placeholder(name)


def _markup(name: str) -> str:
    return "holds HTML" if _MARKUP.search(name) else ""


def _location(name: str) -> str:
    if _ADDRESS.search(name):
        return "holds an address"
    return "is a path" if _PATH.search(name) else ""


def _placeholder(name: str) -> str:
    bare = re.sub(r"\s*\([^()]*\)$", "", folded(name))  # "Ours (large)" names no more than "Ours"
    words = " ".join(re.findall(r"[^\W_]+", bare))
    nothing = _PLACEHOLDERS.fullmatch(words) if words else _NO_SIGN.fullmatch(bare)
    return "is a placeholder" if nothing else ""
