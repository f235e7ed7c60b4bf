"""NormalizedWasserstein in scikit-learn's conventions."""
import pickle

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.metrics import adjusted_rand_score  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

import nw  # noqa: E402

CENTRES = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])


def mixture(seed, pi, n=400):
    rng = np.random.default_rng(seed)
    labels = rng.choice(3, n, p=pi)
    return CENTRES[labels] + rng.standard_normal((n, 2)), labels


X, LABELS = mixture(0, [0.5, 0.3, 0.2])


@pytest.fixture(scope="module")
def model():
    return nw.NormalizedWasserstein(3, random_state=0).fit(X)


@parametrize_with_checks([nw.NormalizedWasserstein(2, restarts=2, random_state=0),
                          nw.MixtureClustering(2, random_state=0)])
def test_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


def test_components_and_proportions_are_those_of_the_data(model):
    nearest = np.linalg.norm(model.means_[:, None] - CENTRES[None], axis=2).argmin(axis=1)
    assert sorted(nearest) == [0, 1, 2]
    np.testing.assert_allclose(model.weights_[np.argsort(nearest)], np.bincount(LABELS) / 400, atol=0.03)
    np.testing.assert_allclose(model.covariances_, np.broadcast_to(np.eye(2), (3, 2, 2)), atol=0.35)


def test_predict_finds_the_components_of_the_points(model):
    assert adjusted_rand_score(LABELS, model.predict(X)) > 0.98
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert (proba.argmax(axis=1) == model.predict(X)).all()
    assert (model.fit_predict(X) == model.predict(X)).all()


def test_score_ignores_the_mix_but_not_the_members(model):
    other, _ = mixture(1, [0.1, 0.1, 0.8])
    moved = other + [0.0, 1.5]
    assert -0.5 < model.score(other) <= 0
    assert model.score(moved) < 2 * model.score(other)
    order = np.linalg.norm(model.means_[:, None] - CENTRES[None], axis=2).argmin(axis=0)
    np.testing.assert_allclose(model.proportions(other)[order], [0.1, 0.1, 0.8], atol=0.05)
    assert model.distance(X, other) == pytest.approx(-model.score(X) - model.score(other))


def test_weights_count_as_repetitions(model):
    weights = np.where(LABELS == 0, 3.0, 1.0)
    order = np.linalg.norm(model.means_[:, None] - CENTRES[None], axis=2).argmin(axis=0)
    share = weights[LABELS == 0].sum() / weights.sum()
    assert model.proportions(X, sample_weight=weights)[order[0]] == pytest.approx(share, abs=0.02)


def test_samples_come_from_the_mixture(model):
    points, labels = model.sample(4000)
    np.testing.assert_allclose(np.bincount(labels, minlength=3) / 4000, model.weights_, atol=0.03)
    for j in range(3):
        np.testing.assert_allclose(np.cov(points[labels == j].T), model.covariances_[j], atol=0.2)


def test_two_data_sets_share_components():
    other, _ = mixture(2, [0.1, 0.2, 0.7])
    pair = nw.NormalizedWasserstein(3, random_state=0).fit_pair(X, other)
    assert pair.value_ < 0.2 * float(nw.wasserstein(X, other))
    assert pair.weights_y_.max() == pytest.approx(0.7, abs=0.06)


def test_the_number_of_components_can_be_chosen_by_the_data():
    assert nw.NormalizedWasserstein("auto", random_state=0, max_k=6).fit(X).n_components_ == 3
    with pytest.raises(ValueError, match="'some'"):
        nw.NormalizedWasserstein("some").fit(X)


def test_is_cloned_pickled_and_found_by_a_grid_search(model):
    copy = clone(model)
    assert copy.get_params() == model.get_params() and not hasattr(copy, "means_")
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(X) == model.predict(X)).all()
    search = GridSearchCV(make_pipeline(StandardScaler(), nw.NormalizedWasserstein(restarts=2, random_state=0)),
                          {"normalizedwasserstein__n_components": [1, 3]}, cv=2).fit(X)
    assert search.best_params_ == {"normalizedwasserstein__n_components": 3}


def test_high_dimensions_and_constant_columns_are_no_obstacle():
    rng = np.random.default_rng(3)
    wide = np.zeros((300, 40))
    labels = rng.choice(2, 300)
    wide[:, :30] = rng.standard_normal((300, 30)) + 6 * labels[:, None]
    found = nw.NormalizedWasserstein(2, random_state=0).fit_predict(wide)
    assert adjusted_rand_score(labels, found) > 0.95
