"""nw.wasserstein against SciPy and POT."""
import pickle

import numpy as np
import pytest

import nw

RNG = np.random.default_rng(5)
X, Y = RNG.standard_normal((60, 3)), RNG.standard_normal((50, 3)) + 0.5


@pytest.mark.parametrize("p", [1, 2])
def test_distance_equals_that_of_pot(p):
    ot = pytest.importorskip("ot")
    weights = RNG.random(60)
    cost = ot.dist(X, Y, metric="euclidean" if p == 1 else "sqeuclidean")
    expected = ot.emd2(weights / weights.sum(), np.full(50, 1 / 50), cost) ** (1 / p)
    result = nw.wasserstein(X, Y, p=p, weights_x=weights)
    assert result.distance == pytest.approx(expected, rel=1e-9)
    assert result.exact and result.converged and abs(result.gap) < 1e-9


def test_distance_on_the_line_equals_that_of_scipy():
    stats = pytest.importorskip("scipy.stats")
    x, y = RNG.standard_normal(100), RNG.standard_normal(70) * 2
    assert float(nw.wasserstein(x, y)) == pytest.approx(stats.wasserstein_distance(x, y), rel=1e-12)


def test_plan_has_the_marginals_and_costs_the_distance():
    result = nw.wasserstein(X, Y)
    source, target, mass = result.plan
    np.testing.assert_allclose(np.bincount(source, mass, 60), 1 / 60, rtol=1e-9)
    np.testing.assert_allclose(np.bincount(target, mass, 50), 1 / 50, rtol=1e-9)
    cost = np.linalg.norm(X[source] - Y[target], axis=1)
    assert mass @ cost == pytest.approx(result.distance, rel=1e-12)


def test_potentials_prove_the_distance():
    result = nw.wasserstein(X, Y)
    f, g = result.potentials
    cost = np.linalg.norm(X[:, None] - Y[None], axis=2)
    assert (f[:, None] + g[None] <= cost + 1e-9).all()
    assert f.mean() + g.mean() == pytest.approx(result.distance, rel=1e-9)


def test_approximate_methods_say_that_they_are():
    sinkhorn = nw.wasserstein(X, Y, method="sinkhorn", epsilon=0.1)
    assert not sinkhorn.exact and sinkhorn.marginal_error is not None
    exact = nw.wasserstein(X, Y).distance
    assert sinkhorn.dual <= exact + 1e-9 and exact <= sinkhorn.primal + 1e-9
    assert nw.wasserstein(X, Y, method="sliced", seed=3).standard_error > 0


def test_results_can_be_pickled_and_shown():
    result = nw.wasserstein(X, Y)
    again = pickle.loads(pickle.dumps(result))
    assert again.distance == result.distance and (again.plan[2] == result.plan[2]).all()
    assert "distance=" in repr(result) and "plan" not in repr(result)
    assert f"{result.distance:.6g}" in result._repr_html_()
