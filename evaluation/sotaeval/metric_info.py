"""Facts about each metric that its records need: name, direction, unit, digits. Mathematics is elsewhere.

Keys are those of `scores` in a benchmark, ids those of the knowledge base. For the metrics that the repository's
records already hold, label, direction and unit agree with them (tested). A direction is the definition's, not a
leaderboard's.
"""

from dataclasses import dataclass, field

from sotaeval.class_metrics import calibration_error
from sotaeval.estimates import Statistic
from sotaschema.base import ScalarValue
from sotaschema.vocabulary import Direction, Unit


@dataclass(frozen=True)
class MetricInfo:
    """One metric of a benchmark. `statistic` is given where the figure is not the mean of values per image."""

    key: str
    metric: str
    label: str
    direction: Direction
    unit: Unit
    decimals: int
    definition: str
    low: str | None = "0"
    high: str | None = None
    parameters: dict[str, ScalarValue] = field(default_factory=dict)
    statistic: Statistic | None = None


COUNTERFACTUAL = (
    MetricInfo(
        "im1-score", "im1", "IM1 Score", "lower", "ratio", 3,
        "Squared error of rebuilding the counterfactual with an autoencoder trained on the target class, divided by "
        "the squared error with one trained on the original class; mean of ratios. The autoencoder sets the level.",
    ),
    MetricInfo(
        "implausibility", "implausibility", "Implausibility", "lower", "unitless", 2,
        "Mean Euclidean distance of the counterfactual to training images of the target class, 1,000 or fewer "
        "(which variant the benchmark's source uses is inferred).",
    ),
    MetricInfo(
        "robustness-ratio-1e-3", "robustness-ratio", "Robustness Ratio (1e-3)", "higher", "percent", 1,
        "Share of counterfactuals that are valid and whose target probability varies over the posterior by at most the "
        "threshold (inferred reading).",
        high="100", parameters={"threshold": 1e-3},
    ),
    MetricInfo(
        "validity", "validity", "Validity", "higher", "percent", 1,
        "Share of counterfactuals to which the posterior mean gives the target as most probable class.",
        high="100",
    ),
    MetricInfo("l1", "l1-distance", "L1", "lower", "unitless", 1, "Sum of absolute pixel changes."),
    MetricInfo(
        "im2", "im2", "IM2 (x10)", "lower", "ratio", 3,
        "Ten times the squared distance between the rebuildings by the target-class and the all-class autoencoder, "
        "divided by the L1 norm of the counterfactual.",
    ),
    MetricInfo("l2", "l2-distance", "L2", "lower", "unitless", 2, "Euclidean length of the change."),
    MetricInfo(
        "sparsity", "changed-pixels", "Changed Pixels", "lower", "percent", 1,
        "Share of pixels that changed by more than 0.001.",
        high="100",
    ),
    MetricInfo(
        "validity-confident", "validity-at-half", "Validity (p > 0.5)", "higher", "percent", 1,
        "Share of counterfactuals to which the posterior mean gives the target more than one half.",
        high="100", parameters={"threshold": 0.5},
    ),
    MetricInfo(
        "target-probability", "target-probability", "Target Probability", "higher", "fraction", 3,
        "Probability of the target under the posterior mean.",
        high="1",
    ),
    MetricInfo(
        "predictive-entropy", "predictive-entropy", "Predictive Entropy", "lower", "nats", 3,
        "Entropy of the posterior mean.",
    ),
    MetricInfo(
        "knn-distance", "knn-distance", "5-NN Distance", "lower", "unitless", 2,
        "Mean Euclidean distance to the five nearest training images of the target class.",
        parameters={"k": 5},
    ),
    MetricInfo(
        "im1-paper-conv", "im1", "IM1 (convolutional autoencoder)", "lower", "ratio", 3,
        "IM1 with the convolutional autoencoders of published code.",
        parameters={"autoencoder": "paper_conv"},
    ),
    MetricInfo(
        "model-change-validity", "model-change-validity", "Validity under Retraining", "higher", "percent", 1,
        "Of the valid counterfactuals, the share that stay valid under the point predictions of models trained anew "
        "from other seeds.",
        high="100", parameters={"change": "retrained"},
    ),
)  # fmt: skip
"""In the order of a page. The first four are those that the benchmark's source records."""

CLASSIFICATION = (
    MetricInfo(
        "accuracy", "accuracy", "Accuracy", "higher", "percent", 2,
        "Share of images whose most probable class under the posterior mean is the label.", high="100",
    ),
    MetricInfo(
        "negative-log-likelihood", "negative-log-likelihood", "Negative Log-Likelihood", "lower", "nats", 4,
        "Mean of minus the logarithm of the probability that the posterior mean gives the label.",
    ),
    MetricInfo(
        "brier-score", "brier-score", "Brier Score", "lower", "unitless", 4,
        "Mean squared distance of the posterior mean to the one-hot label, summed over classes.", high="2",
    ),
    MetricInfo(
        "expected-calibration-error", "expected-calibration-error", "Expected Calibration Error", "lower", "percent", 2,
        "Mean gap between confidence and accuracy over 15 bins of equal width.", high="100", parameters={"bins": 15},
        statistic=lambda values: calibration_error(values["confidence"], values["accuracy"]),
    ),
)  # fmt: skip
