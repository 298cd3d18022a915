"""What many pages say about the same benchmark, task or source, worked out once for a whole build."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from sotakit.catalog import Board, Catalog
from sotakit.compiled import Row
from sotakit.publish import urls, words
from sotakit.publish.bibtex import source_bibtex
from sotakit.publish.entity_contexts import BoardLine, Leader
from sotakit.publish.printed import printed
from sotakit.publish.rows import External, Link
from sotakit.publish.wording import benchmark_link, entity_link, external, plural, source_link, unit_words
from sotaschema.vocabulary import Unit


class Metric(NamedTuple):
    """A metric of a benchmark as lists of results name it."""

    key: str
    words: str
    """Label and unit."""
    conflict: bool
    unit: Unit


class MethodFacts(NamedTuple):
    """What the rows of a benchmark say about their method."""

    link: Link
    origin: Link | None
    """The source that introduced it."""


class SourceFacts(NamedTuple):
    """What the rows of a benchmark say about the source that states them."""

    link: Link
    year: str
    """Empty if not recorded."""
    type: str
    command: str
    """What regenerates its results; empty for anything but a run."""
    via: External | None
    """Where it was copied from."""
    bibtex: str
    retracted: bool


class Overview:
    """A catalogue with its benchmarks in one line each and its references followed backwards."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self._lines: dict[str, BoardLine] = {}
        self._links: dict[tuple[str, str], Link] = {}
        self._metrics: dict[str, tuple[Metric, ...]] = {}
        self._methods: dict[str, MethodFacts] = {}
        self._sources: dict[str, SourceFacts] = {}

    def line(self, benchmark: str) -> BoardLine:
        """A benchmark in one line."""
        if benchmark not in self._lines:
            self._lines[benchmark] = _line(self, self.catalog.boards[benchmark])
        return self._lines[benchmark]

    def lines(self, benchmarks: Iterable[str]) -> tuple[BoardLine, ...]:
        """Some benchmarks, those with most results first."""
        return tuple(map(self.line, self.largest_first(benchmarks)))

    def largest_first(self, benchmarks: Iterable[str]) -> list[str]:
        """Some benchmarks, those with most results first."""
        return sorted(benchmarks, key=self._places.__getitem__)

    @cached_property
    def _places(self) -> dict[str, int]:
        """The place of each benchmark among all, those with most results first."""
        facts = self.catalog.boards.facts
        keys = [
            (-sum(facts(name)[:2]), row["title"].casefold(), name)
            for name, row in self.catalog.tables["benchmarks"].items()
        ]
        return {name: place for place, (*_, name) in enumerate(sorted(keys))}

    def link(self, table: str, identifier: str) -> Link:
        """A link to the page of a benchmark or an entity; sources are named as papers cite them."""
        key = table, identifier
        if key not in self._links:
            self._links[key] = _link(self.catalog, table, identifier)
        return self._links[key]

    def metrics(self, benchmark: str) -> tuple[Metric, ...]:
        """The metrics of a benchmark, the primary one first."""
        if benchmark not in self._metrics:
            rows = sorted(self.catalog.boards[benchmark].metrics, key=lambda metric: not metric["primary"])
            self._metrics[benchmark] = tuple(
                Metric(row["key"], f"{row['label']} ({_unit(row)})", row["direction_conflict"], row["unit"])
                for row in rows
            )
        return self._metrics[benchmark]

    def method(self, identifier: str) -> MethodFacts:
        """A method as the rows of a benchmark show it."""
        if identifier not in self._methods:
            origin = self.catalog.row("methods", identifier)["origin"]
            facts = MethodFacts(self.link("methods", identifier), self.link("sources", origin) if origin else None)
            self._methods[identifier] = facts
        return self._methods[identifier]

    def source(self, identifier: str) -> SourceFacts:
        """A source as the rows of a benchmark show it."""
        if identifier not in self._sources:
            self._sources[identifier] = _source(self, identifier)
        return self._sources[identifier]

    @cached_property
    def by_task(self) -> dict[str, list[str]]:
        """Benchmarks of each task."""
        return self._boards_by("task")

    @cached_property
    def by_dataset(self) -> dict[str, list[str]]:
        """Benchmarks of each dataset."""
        return self._boards_by("dataset")

    @cached_property
    def uses(self) -> dict[str, list[tuple[Board, Row]]]:
        """Benchmarks that use each metric, with the metric as they record it."""
        found: dict[str, list[tuple[Board, Row]]] = defaultdict(list)
        for board in self.catalog.boards.values():
            for metric in board.metrics:
                if metric["metric"]:
                    found[metric["metric"]].append((board, metric))
        return found

    @cached_property
    def narrower(self) -> dict[str, list[str]]:
        """Tasks that name each task as a broader one."""
        found: dict[str, list[str]] = defaultdict(list)
        for task in self.catalog.tables["tasks"].values():
            for parent in dict.fromkeys(task["parents"]):
                found[parent].append(task["id"])
        return found

    def broader(self, task: str) -> list[str]:
        """The tasks that a task names as broader ones and that are here, by their names."""
        tasks = self.catalog.tables["tasks"]
        known = [name for name in tasks[task]["parents"] if name in tasks]
        return sorted(known, key=lambda name: (str(tasks[name]["name"]).casefold(), name))

    @cached_property
    def introduced(self) -> dict[str, list[str]]:
        """Methods that each source introduced."""
        found: dict[str, list[str]] = defaultdict(list)
        for method in self.catalog.tables["methods"].values():
            if method["origin"]:
                found[method["origin"]].append(method["id"])
        return found

    @cached_property
    def events(self) -> dict[str, list[Row]]:
        """Events by the result or source they happened to, in order of their dates."""
        found: dict[str, list[Row]] = defaultdict(list)
        for event in sorted(self.catalog.tables["events"].values(), key=lambda row: (row["date"], row["id"])):
            found[event["target"]].append(event)
        return found

    def below(self, task: str) -> set[str]:
        """The benchmarks of a task and of all narrower ones."""
        seen, waiting = {task}, [task]
        while waiting:
            new = [name for name in self.narrower.get(waiting.pop(), ()) if name not in seen]
            seen.update(new)
            waiting += new
        return {board for name in seen for board in self.by_task.get(name, ())}

    def held(self, task: str) -> str:
        """How many benchmarks a task holds, in words: each once, those of narrower tasks included."""
        every = self.below(task)
        narrower = len(every) - len(self.by_task.get(task, ()))
        return plural(len(every), "benchmark") + (f", {narrower:,} of them in narrower tasks" if narrower else "")

    def results_below(self, task: str) -> int:
        """How many results those benchmarks hold, regenerated ones included."""
        return sum(sum(self.catalog.boards.facts(board)[:2]) for board in self.below(task))

    def _boards_by(self, column: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for name, board in self.catalog.boards.items():
            found[board.benchmark[column]].append(name)
        return found


def metric_address(board: Board, metric: Row) -> urls.Address:
    """The view of a benchmark by one of its metrics; its own page is that view where it has only one."""
    name = board.benchmark["id"]
    return urls.metric_view(name, metric["key"]) if len(board.metrics) > 1 else urls.benchmark(name)


def _unit(metric: Row) -> str:
    """The unit; behind a label "not recorded" alone would not say what is not."""
    unit = unit_words(metric)
    return f"unit {unit.lower()}" if unit == words.NOT_RECORDED else unit


def _link(catalog: Catalog, table: str, identifier: str) -> Link:
    if table == "benchmarks":
        return benchmark_link(catalog, identifier)
    return source_link(catalog, identifier) if table == "sources" else entity_link(catalog, table, identifier)


def _source(overview: Overview, identifier: str) -> SourceFacts:
    row = overview.catalog.row("sources", identifier)
    via, document = row["recorded_via"], external(row)
    return SourceFacts(
        link=overview.link("sources", identifier),
        year=(row["date"] or "")[:4],
        type=row["type"],
        command=row["run"].get("command", ""),
        via=External(via["name"], via["url"]) if via.get("url") else None,
        bibtex=source_bibtex(row, document.url if document else None),
        retracted=bool(row["retracted"]),
    )


def _line(overview: Overview, board: Board) -> BoardLine:
    benchmark, primary, facts = board.benchmark, board.primary, board.facts
    dataset = overview.link("datasets", benchmark["dataset"])
    return BoardLine(
        id=benchmark["id"],
        board=Link(benchmark["title"], urls.benchmark(benchmark["id"])),
        task=overview.link("tasks", benchmark["task"]),
        dataset=dataset,
        dataset_label=benchmark["dataset_label"] or dataset.text,
        metric=primary["label"],
        arrow=words.ARROW[primary["direction_recorded"]],
        direction=words.DIRECTION[primary["direction_recorded"]],
        disputed=primary["direction_conflict"],
        leaders=tuple(_leaders(primary, facts.leading)),
        recorded=facts.recorded,
        fallen=facts.fallen,
        runs=facts.runs,
        updated=(benchmark["updated_at"] or "")[:10],
        newest=facts.newest,
    )


def _leaders(metric: Row, leading: tuple[Row, ...]) -> Iterator[Leader]:
    """The first result by the recorded direction and, where a citation contradicts that, by the cited one too."""
    key = metric["key"]
    sides = (("recorded", "rank"), ("cited", "rank_cited")) if metric["direction_conflict"] else (("", "rank"),)
    for by, rank in sides:
        first = [result for result in leading if key in result["scores"] and result["scores"][key][rank] == 1]
        if first:
            best = min(first, key=lambda result: (result["duplicate_of"] is not None, result["id"]))
            score = best["scores"][key]
            said = printed(score["text"], score["qualifier"], score["unit"], metric["unit"], score["value"])
            yield Leader(by, said.shown(score["text"]), best["method_label"])
