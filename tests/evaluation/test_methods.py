"""The search and the methods: independence of rows, stop rules, and each method's mathematics in the small."""

import itertools
from dataclasses import dataclass, replace

import pytest
import torch

from sotaeval import metrics
from sotaeval.methods import Context
from sotaeval.methods.bayescf import BayesCf
from sotaeval.methods.controls import NearestImage, Pgd, RandomImage, Unchanged
from sotaeval.methods.psce import Psce
from sotaeval.methods.roar import Roar, worst_logits
from sotaeval.methods.schut import Schut, greedy
from sotaeval.methods.wachter import Wachter
from sotaeval.models import evaluation_draws
from sotaeval.search import Problem, Rows, Settings, Step, search

COUNT = 24


@dataclass
class Case:
    model: object
    images: torch.Tensor
    target: torch.Tensor
    context: Context

    def of(self, rows):
        chosen = torch.tensor(rows)
        context = replace(self.context, rows=self.context.rows[chosen])
        return Case(self.model, self.images[chosen], self.target[chosen], context)

    def run(self, method):
        return method.generate(self.model, self.images, self.target, self.context)

    def valid(self, images):
        draws = evaluation_draws(self.model, images, self.context.rows, 50, 99)
        return float(metrics.validity(draws.mean(0), self.target).mean())


@pytest.fixture(params=["cnn", "bnn"])
def case(request, mnist, vae):
    model = request.getfixturevalue(request.param)
    images = mnist.test.images[:COUNT]
    target = (model.point(images).argmax(1) + 1 + torch.arange(COUNT) % 9) % 10
    return Case(model, images, target, Context(torch.arange(COUNT), 5, 8, mnist.train.first(2000), lambda: vae))


METHODS = [
    Wachter(weight=0.01, iterations=80),
    Roar(weight=0.01, iterations=80),
    BayesCf(weight=0.01, iterations=80),
    BayesCf(weight=0.01, iterations=80, average="loss"),
    Schut(iterations=160, threshold=0.5),
    Psce(iterations=80, minimum=20),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_methods_find_valid_images_in_range(case, method):
    found = case.run(method)
    assert found.images.shape == case.images.shape
    assert found.images.min() >= 0
    assert found.images.max() <= 1
    assert found.iterations.max() <= method.iterations
    assert found.converged.float().mean() > 0.5
    assert case.valid(found.images) > 60
    assert (found.images != case.images).flatten(1).any(1).all()


@pytest.mark.parametrize("method", [Wachter(weight=0.01, iterations=60), Roar(iterations=60)], ids=["wachter", "roar"])
def test_rows_without_noise_do_not_depend_on_batch_size(case, method):
    whole, alone = case.run(method), case.of([13]).run(method)
    assert torch.allclose(whole.images[[13]], alone.images, atol=1e-5)
    assert whole.iterations[13] == alone.iterations[0]


@pytest.mark.parametrize("method", METHODS[2:], ids=lambda method: type(method).__name__)
def test_rows_with_noise_do_not_depend_on_batch_composition(case, method):
    whole, part = case.run(method), case.of([21, 4, 13]).run(method)
    assert torch.allclose(whole.images[[21, 4, 13]], part.images, atol=1e-3)
    assert torch.equal(whole.iterations[[21, 4, 13]], part.iterations)


@pytest.mark.parametrize("window", [1, 7, 256])
def test_rows_do_not_depend_on_the_window(cnn, mnist, window):
    def objective(active):
        logits = cnn.point(active.images)
        probability = logits.softmax(1).gather(1, active.target[:, None])[:, 0]
        return Step(-probability.log() + active.distance(), torch.stack((probability, probability), 1))

    images = mnist.test.images[:10]
    problem = Problem(images, (cnn.point(images).argmax(1) + 1) % 10, torch.arange(10), 0)
    reference = search(problem, objective, lambda s: s[:, 0] - 0.5, Settings(iterations=30, weight=0.01, window=3))
    found = search(problem, objective, lambda s: s[:, 0] - 0.5, Settings(iterations=30, weight=0.01, window=window))
    assert torch.equal(found.iterations, reference.iterations)
    assert torch.allclose(found.images, reference.images, atol=1e-5)


def test_search_is_adam_with_clamping():
    """Against torch.optim.Adam on one image whose goal lies partly outside the unit cube."""
    start = torch.full((1, 1, 28, 28), 0.5)
    goal = torch.linspace(-1, 2, 784).view(1, 1, 28, 28)

    def objective(active):
        loss = (active.images - goal).square().flatten(1).sum(1)
        return Step(loss, torch.stack((-loss, -loss), 1))

    problem = Problem(start, torch.zeros(1).long(), torch.zeros(1).long(), 0)
    found = search(problem, objective, lambda smooth: smooth[:, 0], Settings(rate=0.1, iterations=5, weight=0.0))
    image = start.clone().requires_grad_()
    adam = torch.optim.Adam([image], lr=0.1)
    for _ in range(5):
        adam.zero_grad()
        (image - goal).square().sum().backward()
        adam.step()
        with torch.no_grad():
            image.clamp_(0, 1)
    assert not found.converged.any()
    assert torch.allclose(found.images, image.detach(), atol=1e-5)


def test_a_row_that_never_improves_gives_its_first_image():
    start = torch.full((1, 1, 28, 28), 0.5)
    problem = Problem(start, torch.zeros(1).long(), torch.zeros(1).long(), 0)
    found = search(
        problem,
        lambda active: Step(active.images.flatten(1).sum(1), torch.zeros(1, 2)),
        lambda smooth: smooth[:, 0] - 1,
        Settings(iterations=3),
    )
    assert torch.equal(found.images, start)


def test_an_unfinished_row_gives_its_best_image_and_says_so(cnn, mnist):
    found = Wachter(iterations=2).generate(
        cnn, mnist.test.images[:4], (mnist.test.labels[:4] + 5) % 10, Context(torch.arange(4), 0, 4, mnist.train, None)
    )
    assert not found.converged.any()
    assert found.iterations.tolist() == [2, 2, 2, 2]


def test_matched_confidence_is_one_rule_for_all(case):
    case.context = replace(case.context, confidence=0.9)
    for method in (Wachter(weight=0.001, iterations=150), BayesCf(weight=0.001, iterations=150), Psce(iterations=150)):
        found = case.run(method)
        draws = evaluation_draws(case.model, found.images, case.context.rows, 100, 77)
        confidence = metrics.target_probability(draws.mean(0), case.target)[found.converged]
        assert found.converged.float().mean() > 0.6
        assert confidence.mean() > 0.8
        assert confidence.min() > 0.5


def test_psce_is_more_robust_than_bayescf(case):
    def ratio(method):
        images = case.run(method).images
        draws = evaluation_draws(case.model, images, case.context.rows, 50, 99)
        return float(metrics.robustness_ratio(draws, case.target, 1e-2).mean())

    assert ratio(Psce(iterations=200, minimum=50)) > ratio(BayesCf(weight=0.01)) + 20


def test_roar_worst_case_against_every_sign_vector():
    """The last layer of 3 features and 4 classes has 16 parameters: try all corners of the box of shifts."""
    generator = torch.Generator().manual_seed(4)
    weight, bias = torch.randn(4, 3, generator=generator), torch.randn(4, generator=generator)
    features, delta = torch.randn(1, 3, generator=generator).relu() + 0.1, 0.2
    logits = features @ weight.T + bias
    corners = torch.tensor(list(itertools.product((-1.0, 1.0), repeat=16))) * delta
    shifted = (weight + corners[:, :12].view(-1, 4, 3)) @ features[0] + bias + corners[:, 12:]
    for target in range(4):
        ours = worst_logits(logits, features, torch.tensor([target]), delta)
        worst = shifted.log_softmax(-1)[:, target].min()
        assert float(ours.log_softmax(-1)[0, target]) == pytest.approx(float(worst), abs=1e-5)


def test_greedy_moves_one_pixel_and_passes_over_saturated_ones():
    image = torch.full((1, 1, 28, 28), 0.5)
    image[0, 0, 0, 0] = 1.0
    gradient = torch.zeros_like(image)
    gradient[0, 0, 0, :3] = torch.tensor([-5.0, -3.0, 2.0])
    zeros = torch.zeros_like(image)
    rows = Rows(
        torch.zeros(1).long(), image, zeros, zeros, torch.zeros(1).long(), torch.zeros(1, 2), image, torch.zeros(1)
    )
    for _ in range(4):
        rows = greedy(rows, gradient, Settings(rate=0.2))
    assert rows.image[0, 0, 0, :3].tolist() == pytest.approx([1.0, 1.0, 0.3])
    assert (rows.image != image).sum() == 2


def test_greedy_changes_a_pixel_at_most_five_times():
    image = torch.zeros(1, 1, 28, 28)
    gradient = torch.full_like(image, -1.0)
    gradient[0, 0, 0, 0] = -9.0
    rows = Rows(
        torch.zeros(1).long(), image, image, image, torch.zeros(1).long(), torch.zeros(1, 2), image, torch.zeros(1)
    )
    for _ in range(7):
        rows = greedy(rows, gradient, Settings(rate=0.2))
        rows = rows._replace(image=rows.image * 0.9)
    assert float(rows.first[0, 0, 0, 0]) == pytest.approx(1.0)


def test_controls(case, mnist):
    training = case.context.training
    assert torch.equal(case.run(Unchanged()), case.images)
    for control in (RandomImage(), NearestImage()):
        images = case.run(control)
        for row in range(COUNT):
            same = (training.images == images[row]).flatten(1).all(1)
            assert int(training.labels[same][0]) == int(case.target[row])
    nearest, random = case.run(NearestImage()), case.run(RandomImage())
    assert (metrics.l2(nearest, case.images) <= metrics.l2(random, case.images)).all()
    attacked = case.run(Pgd())
    assert (attacked - case.images).abs().max() <= 0.2 + 1e-6
    assert (case.model.point(attacked).argmax(1) == case.target).float().mean() > 0.4


def test_the_margin_of_psce_needs_both_conditions():
    smooth = torch.tensor([[0.96, 1e-4], [0.96, 2e-3], [0.94, 1e-4]])
    assert (Psce().margin(smooth) >= 0).tolist() == [True, False, False]
