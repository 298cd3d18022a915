"""The things that results are about: tasks, datasets, metrics, methods, benchmarks, and how keys fold."""

from decimal import Decimal
from typing import Annotated, Self

from pydantic import Field, model_validator

from sotaschema.base import (
    Count,
    Id,
    Line,
    NumberText,
    PartialDate,
    Record,
    ScalarValue,
    Settings,
    Text,
    Timestamp,
    Url,
)
from sotaschema.vocabulary import Direction, MethodKind, RuleSeverity, Unit


class Task(Record):
    """What is to be done, for instance image classification."""

    id: Id = Field(examples=["image-classification"])
    """Name by which other records and pages refer to the task; it never changes."""
    name: Line = Field(examples=["Image Classification"])
    """The name that readers see."""
    aliases: list[Line] = Field([], examples=[["Image Recognition"]])
    """Other names under which the task is known."""
    parents: list[Id] = Field([], examples=[["computer-vision"]])
    """Broader tasks, by id; there may be several."""
    description: Text | None = None
    """What the task asks for, in the registry's own words."""


class Dataset(Record):
    """The data a benchmark uses, in one version."""

    id: Id = Field(examples=["mnist"])
    """Name by which benchmarks refer to the dataset; it never changes."""
    name: Line = Field(examples=["MNIST"])
    """The name that readers see."""
    version: Line | None = Field(None, examples=["1.1"])
    """The version that this record describes; another version is a dataset of its own."""
    aliases: list[Line] = Field([], examples=[["MNIST Digits"]])
    """Other names under which the dataset is known."""
    homepage: Url | None = Field(None, examples=["https://example.org/digits"])
    """Address where the dataset is described or downloaded."""
    licence: Line | None = Field(None, examples=["CC BY-SA 3.0"])
    """Terms of the data, as its owner states them."""
    paper: Id | None = Field(None, examples=["author-2026"])
    """The source that introduced the dataset."""
    croissant: Url | None = Field(None, examples=["https://example.org/digits/croissant.json"])
    """Address of the dataset's description in the Croissant format."""
    hub: Line | None = Field(None, examples=["ylecun/mnist"])
    """Id of the dataset on a dataset hub."""
    released: PartialDate | None = None
    """When the dataset was first published; an earlier result gets a warning."""
    description: Text | None = None
    """What the dataset holds, in the registry's own words."""


class Citation(Record):
    """Where a statement is made, as a source of this registry."""

    source: Id = Field(examples=["author-2026"])
    """The source that makes the statement."""
    locator: Line | None = Field(None, examples=["section 4.1", "equation 6"])
    """Section, equation, table or page."""
    note: Line | None = Field(None, examples=["Defines it as a distance, so lower is better; inferred"])
    """What the source says about it, in the registry's own words; says so where it is inferred."""


class Metric(Record):
    """A measure and, with a citation, which of its values are better. Top-1 and top-5 are different metrics."""

    id: Id = Field(examples=["top-1-accuracy"])
    """Name by which benchmarks refer to the metric; it never changes."""
    name: Line = Field(examples=["Top-1 Accuracy"])
    """The name that readers see."""
    aliases: list[Line] = Field([], examples=[["Acc@1"]])
    """Other names under which the metric is known."""
    direction: Direction = "unknown"
    """Which values are better according to `direction_source`, whatever a benchmark's source records."""
    direction_source: list[Citation] = []
    """The sources that say which values are better."""
    unit: Unit = "unknown"
    """Unit of the metric's values and of its bounds."""
    min: NumberText | None = Field(None, examples=["0"])
    """Smallest possible value in `unit`; absent where there is none or it is not known."""
    max: NumberText | None = Field(None, examples=["100"])
    """Largest possible value in `unit`; absent where there is none or it is not known."""
    share_of_items: bool = False
    """Whether one run's value is a whole number of items out of all items, as accuracy is: then k/n is checked."""
    parameters: Settings = Field({}, examples=[{"k": 1}, {"average": "macro"}])
    """Fixed parameters that belong to the definition, such as k or the kind of average."""
    definition: Text | None = None
    """How the value is computed, in the registry's own words."""
    reference: list[Citation] = []
    """Where the metric is defined."""

    @model_validator(mode="after")
    def check_bounds(self) -> Self:
        """The smallest value is not above the largest."""
        if self.min is not None and self.max is not None and Decimal(self.min) > Decimal(self.max):
            raise ValueError(f"min {self.min} is above max {self.max}; swap them")
        return self


class Method(Record):
    """What a result was achieved with."""

    id: Id = Field(examples=["small-net"])
    """Name by which results refer to the method; it never changes."""
    name: Line = Field(examples=["SmallNet"])
    """The name that readers see."""
    aliases: list[Line] = Field([], examples=[["SmallNet-v1"]])
    """Other names under which the method is known."""
    kind: MethodKind = "method"
    """What sort of thing it is."""
    origin: Id | None = Field(None, examples=["author-2026"])
    """The source that introduced the method."""
    code: list[Url] = Field([], examples=[["https://example.org/small-net.git"]])
    """Addresses of its code."""
    parameters: Line | None = Field(None, examples=["7B"])
    """Number of trainable parameters as stated."""
    organisation: Line | None = Field(None, examples=["Example University"])
    """Who made it, as stated."""
    released: PartialDate | None = None
    """When the method was first published; an earlier result gets a warning."""
    description: Text | None = None
    """How the method works, in the registry's own words."""


class BenchmarkMetric(Record):
    """One metric as a benchmark's source records it."""

    key: Id = Field(examples=["im1-score"])
    """Name of the metric inside this benchmark: used in `scores`, in addresses and in findings."""
    metric: Id | None = Field(None, examples=["im1"])
    """The metric of the knowledge base that it is; two keys may share one (Hits@1, Hits@10)."""
    label: Line = Field(examples=["IM1 Score"])
    """The name as printed."""
    direction: Direction = "unknown"
    """The direction as recorded by the source, right or wrong."""
    unit_recorded: Line | None = Field(None, examples=["SCALAR"])
    """The unit as printed by the source."""
    unit: Unit = "unknown"
    """The unit of this column's values, as a word of the vocabulary."""
    parameters: Settings = Field({}, examples=[{"threshold": 0.001}])
    """Parameters that the label hides, such as 1e-3 in "Robustness Ratio (1e-3)"."""
    added: bool = False
    """Whether this registry added the metric, for regenerated results; the board's own source does not have it."""
    primary: bool = False
    """Whether the board is sorted by it; the first metric is where none is marked."""


class Benchmark(Record):
    """A task on a split of a dataset, measured by named metrics: what may be compared at all."""

    id: Id = Field(examples=["image-classification-on-mnist-test"])
    """Name by which results refer to the benchmark, and the address of its page; it never changes."""
    title: Line = Field(examples=["Image Classification on MNIST (test)"])
    """The heading that readers see."""
    task: Id = Field(examples=["image-classification"])
    """The task, by id."""
    dataset: Id = Field(examples=["mnist"])
    """The dataset, by id."""
    dataset_label: Line | None = Field(None, examples=["MNIST (test)"])
    """The dataset with its split as printed."""
    split: Line | None = Field(None, examples=["test"])
    """The part of the dataset that is evaluated."""
    subset: Line | None = Field(None, examples=["digits 0 to 4"])
    """A named portion of the split, where not all of it is evaluated."""
    language: Line | None = Field(None, examples=["en"])
    """Language of the items, where the benchmark is of one."""
    protocol: Text | None = None
    """The rules that make results comparable, where they are stated."""
    protocol_version: Line | None = Field(None, examples=["2.0"])
    """The version of these rules, where they have one."""
    unknowns: list[Line] = Field([], examples=[["normalisation of the images"]])
    """What of the protocol no source that could be read states; regenerated values then cannot be compared in level."""
    n_items: Count | None = None
    """Number of evaluated items."""
    metrics: Annotated[list[BenchmarkMetric], Field(min_length=1)]
    """The metrics that are measured, at least one."""
    description: Text | None = None
    """What the benchmark is about, in the registry's own words."""
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

    key: Line = Field(examples=["Model"])
    """The other key."""
    value: ScalarValue = Field(examples=["BNN"])
    """The value with which the other key means the canonical one."""
    as_value: ScalarValue | None = Field(None, examples=["Bayesian network"])
    """The value that the canonical key then has; `value` where absent."""


class ConfigKey(Record):
    """How configuration keys that mean one thing fold to one, for grouping and for finding duplicates."""

    key: Line = Field(examples=["Inference Method"])
    """The canonical key."""
    aliases: list[Line] = Field([], examples=[["Uncertainty Estimation"]])
    """Other keys that mean the same with every value."""
    pairs: list[ConfigPair] = []
    """Other keys that mean the same with one value only."""
    benchmarks: list[Id] = Field([], examples=[["image-classification-on-mnist-test"]])
    """Where the folding holds; everywhere if empty."""
    description: Text | None = None
    """What the key stands for, in the registry's own words."""


class Redirect(Record):
    """An old id that now has another name. Ids never die."""

    old: Id = Field(examples=["digits-classification"])
    """The id that records and links used before."""
    new: Id = Field(examples=["image-classification-on-mnist-test"])
    """The id of the record that took its place."""
    kind: Line = Field("benchmarks", examples=["benchmarks", "methods"])
    """The kind of the renamed record, by the name of its folder."""


class RuleSetting(Record):
    """What a collection decides about one rule, and why."""

    code: Line = Field(examples=["W403"])
    """A code of `toolkit explain`; codes of reading, schema, references and identity (E1xx to E4xx) stay errors."""
    severity: RuleSeverity
    """What a finding of the rule counts as from now on."""
    record: Line | None = Field(None, examples=["author-2026"])
    """The one record that it holds for, by id; all records where absent."""
    reason: Line = Field(examples=["Both rows are printed in the paper"])
    """Why the collection decides so, for those who review it."""


class Registry(Record):
    """The collection as a whole."""

    schema_version: Annotated[int, Field(alias="schema", ge=1, le=1)] = 1
    """Version of the record format; there is only one so far."""
    title: Line = Field("Results registry", examples=["Results on small images"])
    """Name of the collection, the heading of its site."""
    description: Line | None = Field(None, examples=["What small networks reach on small images"])
    """What the collection holds, in one line."""
    licence: Line | None = Field(None, examples=["CC0-1.0"])
    """Terms of the collection itself; each source keeps its own."""
    base_url: Url | None = Field(None, examples=["https://example.org/results"])
    """Where the site is published, with its path; makes links in Markdown and llms.txt absolute."""
    contact: Line | None = Field(None, examples=["results@example.org"])
    """Mail address, or web address such as that of an issue form, where readers reach those who keep the collection."""
    rules: list[RuleSetting] = []
    """Severities that differ from the ones the rules have by default."""
