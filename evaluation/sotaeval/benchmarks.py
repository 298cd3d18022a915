"""Which benchmarks can be regenerated, and the records that describe them: a plain dictionary."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sotaeval import classification, counterfactuals
from sotaeval.catalog import CONTROLS
from sotaeval.errors import OptionError
from sotaeval.grid import Request, classification_tasks, counterfactual_tasks
from sotaeval.metric_info import CLASSIFICATION, COUNTERFACTUAL, MetricInfo
from sotaeval.outcome import Outcome
from sotaeval.tasks import Task
from sotaeval.training import Progress
from sotaschema.entities import Benchmark, BenchmarkMetric, Citation, Dataset, Method, Metric
from sotaschema.entities import Task as TaskRecord
from sotaschema.results import Source
from sotaschema.vocabulary import MethodKind  # noqa: TC001 - stands with its package

DEFINITIONS = Source(
    id="sotaeval-definitions",
    type="report",
    title="Definitions of the metrics of the evaluation package",
    notes="Directions that follow from a definition itself; the definitions stand in the metrics and in the code.",
)
"""Cited for directions where a registry has no record of a metric yet."""


@dataclass(frozen=True)
class Runner:
    """A benchmark: its description, its metrics, its grid of tasks, how one is run, and what its methods are called."""

    title: str
    task: TaskRecord
    metrics: tuple[MetricInfo, ...]
    tasks: Callable[[Request], list[Task]]
    run: Callable[[Task, Progress], Outcome]
    method: Callable[[Task], Method]

    def benchmark(self, identifier: str, keys: frozenset[str]) -> Benchmark:
        """The benchmark's record with those of its metrics that a run has."""
        return Benchmark(
            id=identifier,
            title=self.title,
            task=self.task.id,
            dataset=MNIST.id,
            dataset_label="MNIST (test)",
            split="test",
            metrics=[_listed(metric, index == 0) for index, metric in enumerate(self.metrics) if metric.key in keys],
        )


MNIST = Dataset(
    id="mnist",
    name="MNIST",
    licence="CC BY-SA 3.0 (as commonly stated)",
    description="Grey images of handwritten digits, 28 by 28 pixels, ten classes.",
)

MODEL_METHODS: Mapping[str, Method] = {
    "mc-dropout": Method(
        id="mc-dropout-cnn",
        name="CNN with MC Dropout",
        kind="model",
        description="Two strided convolutions, three affine layers; dropout of 0.25 in the head, also when predicting.",
    ),
    "bnn": Method(
        id="mean-field-bnn",
        name="Mean-field BNN",
        kind="model",
        description="A network of two hidden layers whose weights have independent normal posteriors; the divergence "
        "from the prior is weighted by less than 1 (a cold posterior).",
    ),
}
"""The models as methods of the classification benchmark."""


def metric_record(metric: MetricInfo) -> Metric:
    """The metric as a record of a knowledge base that lacks it."""
    return Metric(
        id=metric.metric,
        name=metric.label,
        direction=metric.direction,
        direction_source=[Citation(source=DEFINITIONS.id, note="Follows from the definition.")],
        unit=metric.unit,
        min=metric.low,
        max=metric.high,
        definition=metric.definition,
    )


def _listed(metric: MetricInfo, primary: bool) -> BenchmarkMetric:
    return BenchmarkMetric(
        key=metric.key,
        metric=metric.metric,
        label=metric.label,
        direction=metric.direction,
        unit=metric.unit,
        parameters=metric.parameters,
        primary=primary,
    )


def _counterfactual_method(task: Task) -> Method:
    choice = task.choice
    summary = (choice.kind.__doc__ or "").strip().split("\n\n")[0].replace("\n    ", " ").strip()
    kind: MethodKind = "baseline" if choice.id in CONTROLS else "method"
    return Method(id=choice.id, name=choice.label, kind=kind, description=summary[:2000] or None)


def _model_method(task: Task) -> Method:
    return MODEL_METHODS[task.model]


BENCHMARKS: Mapping[str, Runner] = {
    "counterfactual-explanations-on-mnist-test": Runner(
        title="Counterfactual Explanations on MNIST (test)",
        task=TaskRecord(id="counterfactual-explanations", name="Counterfactual Explanations"),
        metrics=COUNTERFACTUAL,
        tasks=counterfactual_tasks,
        run=counterfactuals.run,
        method=_counterfactual_method,
    ),
    "image-classification-on-mnist-test": Runner(
        title="Image Classification on MNIST (test)",
        task=TaskRecord(id="image-classification", name="Image Classification"),
        metrics=CLASSIFICATION,
        tasks=classification_tasks,
        run=classification.run,
        method=_model_method,
    ),
}
"""Runner by the id of the benchmark's record."""


def runner_of(benchmark: str) -> Runner:
    """The runner of a benchmark; raises `OptionError` with the list."""
    if benchmark not in BENCHMARKS:
        raise OptionError(f"no runner for {benchmark!r}; there are {', '.join(BENCHMARKS)}")
    return BENCHMARKS[benchmark]
