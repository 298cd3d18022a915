"""The models' draws against slow plain versions of what they mean."""

import pytest
import torch
from torch.nn import functional

from sotaeval.models import DropoutCnn, VariationalMlp, evaluation_draws
from sotaeval.noise import RowNoise


def test_dropout_draws_have_the_mean_and_spread_of_plain_dropout(cnn, mnist):
    images = mnist.test.images[:3]
    noise = RowNoise.at(1, torch.arange(3))
    with torch.no_grad():
        ours = cnn.draws(images, 3000, noise)
        torch.manual_seed(0)
        cnn.train()
        plain = torch.stack([cnn(images).softmax(-1) for _ in range(3000)])
        cnn.eval()
    assert torch.allclose(ours.mean(0), plain.mean(0), atol=0.02)
    assert torch.allclose(ours.std(0), plain.std(0), atol=0.02)


def test_variational_draws_have_the_mean_and_spread_of_sampled_weights(bnn, mnist):
    images = mnist.test.images[:3]
    generator = torch.Generator().manual_seed(0)

    def sampled(layer, signal):
        weight = layer.mean.weight + functional.softplus(layer.rho) * torch.randn(layer.rho.shape, generator=generator)
        bias = layer.mean.bias + functional.softplus(layer.rho_bias) * torch.randn(
            layer.rho_bias.shape, generator=generator
        )
        return functional.linear(signal, weight, bias)

    with torch.no_grad():
        plain = []
        for _ in range(2000):
            hidden = sampled(bnn.second, sampled(bnn.first, images.flatten(1)).relu()).relu()
            plain.append(sampled(bnn.out, hidden).softmax(-1))
        ours = bnn.draws(images, 2000, RowNoise.at(1, torch.arange(3)))
    assert torch.allclose(ours.mean(0), torch.stack(plain).mean(0), atol=0.03)
    assert torch.allclose(ours.std(0), torch.stack(plain).std(0), atol=0.03)


def test_divergence_against_torch_distributions():
    torch.manual_seed(1)
    model = VariationalMlp(width=8, prior=0.3)
    expected = 0.0
    for layer in model.layers:
        for mean, rho in ((layer.mean.weight, layer.rho), (layer.mean.bias, layer.rho_bias)):
            posterior = torch.distributions.Normal(mean, functional.softplus(rho))
            prior = torch.distributions.Normal(0.0, 0.3)
            expected += float(torch.distributions.kl_divergence(posterior, prior).sum().detach())
    assert float(model.divergence().detach()) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("name", ["cnn", "bnn"])
def test_draws_do_not_depend_on_the_batch(name, request, mnist):
    model = request.getfixturevalue(name)
    rows = torch.arange(40)
    with torch.no_grad():
        whole = evaluation_draws(model, mnist.test.images[:40], rows, 5, 3)
        alone = evaluation_draws(model, mnist.test.images[17:18], rows[17:18], 5, 3)
    assert torch.allclose(whole[:, 17:18], alone, atol=1e-5)


@pytest.mark.parametrize("name", ["cnn", "bnn"])
def test_small_models_learn_and_give_probabilities(name, request, mnist):
    model = request.getfixturevalue(name)
    with torch.no_grad():
        draws = evaluation_draws(model, mnist.test.images[:500], torch.arange(500), 10, 3)
    assert draws.shape == (10, 500, 10)
    assert torch.allclose(draws.sum(-1), torch.ones(10, 500), atol=1e-5)
    assert (draws.mean(0).argmax(1) == mnist.test.labels[:500]).float().mean() > 0.8


def test_the_last_layer_reads_the_last_features(cnn, mnist):
    with torch.no_grad():
        features = cnn.last_features(mnist.test.images[:4])
        assert torch.allclose(cnn.out(features), cnn.point(mnist.test.images[:4]))


def test_rates_that_bytes_cannot_express_are_refused():
    with pytest.raises(AssertionError, match="1/256"):
        DropoutCnn(rate=0.3)


def test_the_lower_bound_at_the_mean_is_deterministic_and_finite(vae, mnist):
    with torch.no_grad():
        first, second = vae.elbo(mnist.test.images[:5]), vae.elbo(mnist.test.images[:5])
        blank = vae.elbo(torch.zeros(1, 1, 28, 28))
    assert torch.equal(first, second)
    assert blank.isfinite().all()
    assert first.mean() > vae.elbo(torch.rand(5, 1, 28, 28, generator=torch.Generator().manual_seed(0))).mean()
