"""The things that results are about: tasks, datasets, metrics, methods, benchmarks, and how keys fold."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from sotaschema.base import Id, Line, NumberText, PartialDate, Record, ScalarValue, Settings, Text, Timestamp, Url
from sotaschema.vocabulary import Direction, MethodKind, Unit


class Task(Record):
    """What is to be done, for instance image classification."""

    id: Id
    name: Line
    aliases: list[Line] = []
    parents: list[Id] = []
    """Broader tasks, by id; there may be several."""
    description: Text | None = None


class Dataset(Record):
    """The data a benchmark uses, in one version."""

    id: Id
    name: Line
    version: Line | None = None
    aliases: list[Line] = []
    homepage: Url | None = None
    licence: Line | None = None
    paper: Id | None = None
    """The source that introduced the dataset."""
    croissant: Url | None = None
    """Address of the Croissant description."""
    hub: Line | None = None
    """Id on a dataset hub."""
    released: PartialDate | None = None
    description: Text | None = None


class Citation(Record):
    """Where a statement is made, as a source of this registry."""

    source: Id
    locator: Line | None = None
    """Section, equation, table or page."""
    note: Line | None = None
    """What the source says about it, in the registry's own words; says so where it is inferred."""


class Metric(Record):
    """A measure and, with a citation, which of its values are better. Top-1 and top-5 are different metrics."""

    id: Id
    name: Line
    aliases: list[Line] = []
    direction: Direction = "unknown"
    """Which values are better according to `direction_source`, whatever a benchmark's source records."""
    direction_source: list[Citation] = []
    unit: Unit = "unknown"
    min: NumberText | None = None
    """Smallest possible value in `unit`; absent where there is none or it is not known."""
    max: NumberText | None = None
    """Largest possible value in `unit`."""
    share_of_items: bool = False
    """Whether one run's value is a whole number of items out of all items, as accuracy is: then k/n is checked."""
    parameters: Settings = {}
    """Fixed parameters that belong to the definition, such as k or the kind of average."""
    definition: Text | None = None
    reference: list[Citation] = []
    """Where the metric is defined."""


class Method(Record):
    """What a result was achieved with."""

    id: Id
    name: Line
    aliases: list[Line] = []
    kind: MethodKind = "method"
    origin: Id | None = None
    """The source that introduced the method."""
    code: list[Url] = []
    parameters: Line | None = None
    """Number of parameters as stated, for instance 7B."""
    organisation: Line | None = None
    released: PartialDate | None = None
    description: Text | None = None


class BenchmarkMetric(Record):
    """One metric as a benchmark's source records it."""

    key: Id
    """Name of the metric inside this benchmark: used in `scores`, in addresses and in findings."""
    metric: Id | None = None
    """The metric of the knowledge base that it is; two keys may share one (Hits@1, Hits@10)."""
    label: Line
    """The name as printed."""
    direction: Direction = "unknown"
    """The direction as recorded by the source, right or wrong."""
    unit_recorded: Line | None = None
    """The unit as printed by the source."""
    unit: Unit = "unknown"
    parameters: Settings = {}
    """Parameters that the label hides, such as 1e-3 in "Robustness Ratio (1e-3)"."""
    added: bool = False
    """Whether this registry added the metric, for regenerated results; the board's own source does not have it."""
    primary: bool = False
    """Whether the board is sorted by it; the first metric is where none is marked."""


class Benchmark(Record):
    """A task on a split of a dataset, measured by named metrics: what may be compared at all."""

    id: Id
    title: Line
    task: Id
    dataset: Id
    dataset_label: Line | None = None
    """The dataset with its split as printed, for instance "MNIST (test)"."""
    split: Line | None = None
    subset: Line | None = None
    language: Line | None = None
    protocol: Text | None = None
    """The rules that make results comparable, where they are stated."""
    protocol_version: Line | None = None
    unknowns: list[Line] = []
    """What of the protocol no source that could be read states; regenerated values then cannot be compared in level."""
    n_items: Annotated[int, Field(ge=1, le=2**53)] | None = None
    """Number of evaluated items."""
    metrics: Annotated[list[BenchmarkMetric], Field(min_length=1)]
    description: Text | None = None
    updated_at: Timestamp | None = None
    """When the recorded data last changed, in UTC."""

    @model_validator(mode="after")
    def check_metric_keys(self) -> Self:
        """Keys and labels name one metric each, and at most one metric is primary."""
        for name in ("key", "label"):
            names = [getattr(metric, name) for metric in self.metrics]
            if len(set(names)) != len(names):
                raise ValueError(f"two metrics of this benchmark have the same {name}; give each its own")
        if sum(metric.primary for metric in self.metrics) > 1:
            raise ValueError("two metrics of this benchmark are marked primary; keep one")
        return self

    @property
    def primary_metric(self) -> BenchmarkMetric:
        """The metric the board is sorted by."""
        return next((metric for metric in self.metrics if metric.primary), self.metrics[0])


class ConfigPair(Record):
    """One value of another key that means the same as a canonical key."""

    key: Line
    value: ScalarValue
    as_value: ScalarValue | None = None
    """The canonical value; the same one where absent."""


class ConfigKey(Record):
    """How configuration keys that mean one thing fold to one, for grouping and for finding duplicates."""

    key: Line
    """The canonical key."""
    aliases: list[Line] = []
    pairs: list[ConfigPair] = []
    """(key, value) pairs of keys that mean it only with that value."""
    benchmarks: list[Id] = []
    """Where the folding holds; everywhere if empty."""
    description: Text | None = None


class Redirect(Record):
    """An old id that now has another name. Ids never die."""

    old: Id
    new: Id
    kind: Line = "benchmarks"
    """Which kind of record was renamed."""


class RuleSetting(Record):
    """What a collection decides about one rule, and why: `{code: W403, severity: note, reason: "..."}`."""

    code: Line
    """A code of `toolkit explain`. Codes of reading, schema, references and identity stay errors."""
    severity: Literal["error", "warning", "note", "silent"]
    record: Line | None = None
    """The one record that it holds for, by id; all records where absent."""
    reason: Line


class Registry(Record):
    """The collection as a whole: `registry.yaml`."""

    schema_version: Annotated[int, Field(alias="schema", ge=1, le=1)] = 1
    """Version of the record format."""
    title: Line = "Results registry"
    description: Line | None = None
    licence: Line | None = None
    base_url: Url | None = None
    """Where the site is published, with its path; makes links in Markdown and llms.txt absolute."""
    contact: Line | None = None
    rules: list[RuleSetting] = []
    """Severities that differ from the ones the rules have by default."""
