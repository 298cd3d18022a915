"""W405, W406, W407: names that name nothing, and names that two records share."""

import re
from collections.abc import Iterator

from sotakit.check.findings import Origin, Step
from sotakit.check.problem import Problem
from sotakit.collection import Collection
from sotaschema.entities import Method

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


def shared_name(collection: Collection) -> Iterator[Problem]:
    """W406: two methods with one name, alike but for case and spaces."""
    first: dict[str, str] = {}
    for method, origin in collection.methods:
        for loc, name in [(("name",), method.name), *_aliases(method.aliases)]:
            other = first.setdefault(folded(name), method.id)
            if other != method.id:
                message = f"the name {name!r} is also a name of {other}"
                hint = "if they are one method, keep one and add a redirect; else make the names differ"
                yield Problem(origin, method.id, message, hint, loc)


def dataset_called_like_task(collection: Collection) -> Iterator[Problem]:
    """W407: a dataset that has the name of a task; the two were probably swapped."""
    tasks = {folded(name): task.id for task, _ in collection.tasks for name in (task.name, *task.aliases)}
    for dataset, origin in collection.datasets:
        if task := tasks.get(folded(dataset.name)):
            message = f"the dataset is called {dataset.name!r}, which is the task {task}"
            yield Problem(origin, dataset.id, message, "name the data, not what is done with it", ("name",))


def folded(name: str) -> str:
    """A name without what people type differently: case and spaces; records hold normal form C already."""
    return " ".join(name.casefold().split())


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
