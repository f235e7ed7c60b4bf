"""Estimators that learn, with as few steps as show that everything is connected."""
import os
import pathlib
import pickle

import numpy as np
import pytest

pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402

import nw  # noqa: E402
from nw import _command  # noqa: E402

if not pathlib.Path(_command.find() + "-torch").exists():
    pytest.skip("nw was built without LibTorch", allow_module_level=True)

CENTRES = np.array([[0.0, 0.0], [8.0, 0.0]])


def mixture(seed, share, n=240):
    rng = np.random.default_rng(seed)
    labels = rng.choice(2, n, p=[1 - share, share])
    return CENTRES[labels] + rng.normal(size=(n, 2)), labels


X, LABELS = mixture(0, 0.25)
TARGET, TARGET_LABELS = mixture(1, 0.75)


@pytest.fixture(scope="module")
def gan():
    return nw.MixtureGAN(2, steps=150, random_state=0).fit(X)


@pytest.fixture(scope="module")
def adapter():
    return nw.Adapter(steps=300, random_state=0).fit(X, np.array(["few", "many"])[LABELS], TARGET)


def test_a_mixture_gan_learns_rows_and_proportions(gan):
    rows, components = gan.sample(400)
    assert rows.shape == (400, 2) and set(components) <= {0, 1}
    np.testing.assert_allclose(np.sort(gan.weights_), [0.25, 0.75], atol=0.1)
    np.testing.assert_allclose(rows.mean(axis=0), X.mean(axis=0), atol=0.8)
    assert gan.n_iter_ == 150 and gan.wasserstein_ < 3.0


def test_the_same_seed_gives_the_same_model(gan):
    again = clone(gan).fit(X)
    np.testing.assert_array_equal(again.weights_, gan.weights_)
    np.testing.assert_array_equal(again.sample(20)[0], gan.sample(20)[0])


def test_scores_its_own_data_above_other_data(gan):
    assert gan.score(X) > gan.score(X + 5.0)


def test_models_survive_pickling(gan, adapter):
    copy = pickle.loads(pickle.dumps(gan))
    np.testing.assert_array_equal(copy.sample(20)[0], gan.sample(20)[0])
    copy = pickle.loads(pickle.dumps(adapter))
    np.testing.assert_array_equal(copy.predict(TARGET), adapter.predict(TARGET))


def test_an_adapter_knows_classes_and_the_mix_of_the_target(adapter):
    assert list(adapter.classes_) == ["few", "many"]
    expected = np.array(["few", "many"])[TARGET_LABELS]
    assert (adapter.predict(TARGET) == expected).mean() > 0.9
    assert adapter.score(TARGET, expected) > 0.9
    np.testing.assert_allclose(adapter.target_proportions_.sum(), 1.0, atol=1e-6)


@pytest.fixture(scope="module")
def clustering():
    return nw.MixtureClustering(2, steps=100, restarts=1, random_state=0).fit(X)


def test_clusters_of_unequal_sizes_are_found_and_new_rows_assigned(clustering):
    share = (clustering.labels_ == LABELS).mean()
    assert max(share, 1 - share) > 0.98  # clusters have no names
    np.testing.assert_allclose(np.sort(clustering.weights_), [0.25, 0.75], atol=0.08)
    assert clustering.confidence_.min() >= 0.5 - 1e-9 and clustering.confidence_.max() <= 1.0
    again = clustering.predict(TARGET)
    share = (again == TARGET_LABELS).mean()
    assert max(share, 1 - share) > 0.98
    copy = pickle.loads(pickle.dumps(clustering))
    np.testing.assert_array_equal(copy.predict(TARGET), again)
    np.testing.assert_array_equal(clone(clustering).fit_predict(X), clustering.labels_)


def test_what_the_command_refuses_is_a_value_error():
    with pytest.raises(ValueError, match="magic"):
        nw.MixtureGAN(2, method="magic").fit(X)
    with pytest.raises(ValueError, match="one class"):
        nw.Adapter().fit(X, np.zeros(len(X)), TARGET)
    with pytest.raises(ValueError):
        nw.MixtureGAN(2).fit(np.full((10, 2), np.nan))


def test_parameters_are_those_of_the_constructor():
    model = nw.MixtureGAN(4, steps=7, method="wgan")
    assert clone(model).get_params() == model.get_params()
    assert nw.Adapter(method="dann").set_params(steps=3).steps == 3


def test_an_option_of_learning_alone_chooses_the_method_that_learns():
    plain = {"k": 2, "seed": 0}
    method = lambda **more: nw._nw.clustering_method(X, {**plain, **more})
    assert method() == "evidence"
    assert method(steps=None, recipe="best") == "evidence"
    for asked in ({"steps": 5}, {"recipe": "paper"}, {"batch": 8}, {"diversity": 0.1}):
        assert method(**asked) == "nw", asked
    assert method(method="gmm", steps=5) == "gmm"


def test_says_what_to_do_without_the_command(monkeypatch):
    monkeypatch.setenv("NW_COMMAND", os.devnull)
    with pytest.raises((OSError, RuntimeError)):
        nw.MixtureGAN(2, steps=1).fit(X)
