"""Estimators that learn networks, in scikit-learn's conventions."""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, ClusterMixin, DensityMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from . import _command
from ._estimator import _validated
from ._transport import wasserstein

# Rows behind a score; more cost time and hardly sharpen it.
_SCORED_ROWS = 2000


def _seed(random_state) -> int:
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def _options(**values):
    """--name value for all that is given; a true flag is its name alone."""
    words = []
    for name, value in values.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [option, value]
    return words


class _Learner(BaseEstimator):
    def _common(self):
        jobs = 1 if self.n_jobs is None else self.n_jobs
        threads = 0 if jobs < 0 else max(jobs, 1)
        return {"device": self.device, "steps": self.steps, "recipe": self.recipe,
                "seed": _seed(self.random_state), "threads": threads}

    def _more_tags(self):
        # A few steps of an adversarial game promise no accuracy, and rows play no fixed part in it.
        return {"poor_score": True, "non_deterministic": False,
                "_xfail_checks": {"check_methods_sample_order_invariance": "rows share a batch",
                                  "check_methods_subset_invariance": "rows share a batch"}}


class MixtureGAN(DensityMixin, _Learner):
    """A mixture of generators with learnt proportions, trained by ``nw gan``.

    Parameters
    ----------
    n_components : int
        Number of components.
    method : {"nwgan", "wgan", "mgan"}
        Learnt proportions; one network; equal proportions with a classifier.
    recipe : {"best", "paper"}
        Networks and rates: ours, or those of the paper's tables.
    steps : int or None
        Generator steps; None means the recipe's.
    batch : int or None
        Rows of data in a step; None means the recipe's.
    fixed_pi : bool
        Hold the proportions at 1 / n_components.
    device : {"auto", "cpu", "cuda"}
    random_state : int, RandomState or None
    n_jobs : int or None
        Threads; None means 1 and -1 all cores.

    Attributes
    ----------
    weights_ : ndarray of shape (n_components,)
        The proportions.
    wasserstein_ : float
        Exact distance of generated rows from rows that were held out.
    n_iter_ : int
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np, nw
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(-4, 1, (300, 2)), rng.normal(4, 1, (100, 2))])
    >>> model = nw.MixtureGAN(n_components=2, steps=20, random_state=0).fit(X)
    >>> points, components = model.sample(50)
    >>> points.shape, components.shape
    ((50, 2), (50,))
    """

    def __init__(
        self,
        n_components: int = 3,
        *,
        method: str = "nwgan",
        recipe: str = "best",
        steps: Optional[int] = None,
        batch: Optional[int] = None,
        fixed_pi: bool = False,
        device: str = "auto",
        random_state: Any = None,
        n_jobs: Optional[int] = None,
    ):
        self.n_components = n_components
        self.method = method
        self.recipe = recipe
        self.steps = steps
        self.batch = batch
        self.fixed_pi = fixed_pi
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y=None) -> "MixtureGAN":
        """Trains on X. `y` is ignored, as scikit-learn's pipelines expect."""
        X = _validated(self, X, ensure_min_samples=2)
        arguments = _options(k=self.n_components, method=self.method, batch=self.batch,
                             fixed_pi=self.fixed_pi, **self._common())
        result, self._model = _command.learn("gan", ["x.npy", *arguments], {"x.npy": X})
        self.weights_ = np.array(result["pi"])
        self.wasserstein_ = float(result["wasserstein"])
        self.n_iter_ = int(result["steps"])
        return self

    def sample(self, n_samples: int = 1) -> Tuple[np.ndarray, np.ndarray]:
        """Draws rows of the mixture; returns them and the component of each."""
        check_is_fitted(self)
        if n_samples < 1:
            raise ValueError(f"n_samples must be at least 1, got {n_samples}")
        arguments = _options(count=n_samples, seed=_seed(self.random_state))
        rows = _command.table("sample", self._model, ["run", *arguments], {})
        return rows[:, :-1], rows[:, -1].astype(int) - 1

    def score(self, X, y=None) -> float:
        """Minus the exact distance of X from as many generated rows: 0 is best."""
        check_is_fitted(self)
        X = _validated(self, X, reset=False)
        drawn, _ = self.sample(min(max(len(X), 100), _SCORED_ROWS))
        return -wasserstein(X, drawn).distance


class Adapter(ClassifierMixin, _Learner):
    """A classifier for data whose classes come in other proportions, trained by ``nw adapt``.

    Parameters
    ----------
    method : {"nw", "source-only", "dann", "wasserstein", "iwdan", "sdann", "bbse"}
        What is done about the target.
    recipe : {"best", "paper"}
    steps : int or None
        Steps; None means the recipe's.
    device : {"auto", "cpu", "cuda"}
    random_state : int, RandomState or None
    n_jobs : int or None
        Threads; None means 1 and -1 all cores.

    Attributes
    ----------
    classes_ : ndarray
    target_proportions_ : ndarray of shape (n_classes,)
        The estimated share of each class in the target.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np, nw
    >>> rng = np.random.default_rng(0)
    >>> centres = np.array([[0.0, 0.0], [8.0, 0.0]])
    >>> y = rng.choice(2, 200, p=[0.8, 0.2])
    >>> X = centres[y] + rng.normal(size=(200, 2))
    >>> target = centres[rng.choice(2, 200, p=[0.3, 0.7])] + rng.normal(size=(200, 2)) + 0.5
    >>> model = nw.Adapter(steps=100, random_state=0).fit(X, y, target)
    >>> model.predict(target).shape, model.target_proportions_.shape
    ((200,), (2,))
    """

    def __init__(
        self,
        *,
        method: str = "nw",
        recipe: str = "best",
        steps: Optional[int] = None,
        device: str = "auto",
        random_state: Any = None,
        n_jobs: Optional[int] = None,
    ):
        self.method = method
        self.recipe = recipe
        self.steps = steps
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, X_target=None) -> "Adapter":
        """Trains on X with the classes y, for rows like those of `X_target` (default: like X)."""
        X = _validated(self, X, ensure_min_samples=2)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        if len(y) != len(X):
            raise ValueError(f"X has {len(X)} rows and y has {len(y)} classes")
        target = X if X_target is None else _validated(self, X_target, reset=False)
        self.classes_, labels = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"a classifier needs at least two classes, y has one class, "
                             f"{self.classes_[0]!r}")
        arguments = _options(source="x.npy", source_labels="labels.npy", target="target.npy",
                             method=self.method, **self._common())
        arrays = {"x.npy": X, "labels.npy": labels.astype(np.int64), "target.npy": target}
        result, self._model = _command.learn("adapt", arguments, arrays)
        self.target_proportions_ = np.array(result["pi_target"])
        return self

    def predict(self, X) -> np.ndarray:
        """The class of each row."""
        check_is_fitted(self)
        X = _validated(self, X, reset=False)
        rows = _command.table("predict", self._model, ["run", "x.npy"], {"x.npy": X})
        return self.classes_[rows[:, 1].astype(int)]


class MixtureClustering(ClusterMixin, _Learner):
    """Clusters of unequal sizes: a mixture of generators with learnt proportions, by ``nw cluster``.

    A point belongs to the component that can make a point closest to it.

    Parameters
    ----------
    n_clusters : int
    features : {"auto", "none", "diffusion"}
        Cluster the rows themselves, or coordinates of a walk between neighbours; "auto" walks where rows
        are long.
    recipe : {"best", "paper"}
        Networks and rates: ours, or those of the paper's table.
    steps : int or None
        Generator steps of each start; None means the recipe's.
    restarts : int or None
        Starts; the best one by the training objective wins. None means the command's own number.
    device : {"auto", "cpu", "cuda"}
    random_state : int, RandomState or None
    n_jobs : int or None
        Threads; None means 1 and -1 all cores.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row of the data it was fitted to.
    confidence_ : ndarray of shape (n_samples,)
        How sure each of them is, between 1 / n_clusters and 1.
    weights_ : ndarray of shape (n_clusters,)
        The learnt proportions.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np, nw
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(-4, 1, (300, 2)), rng.normal(4, 1, (60, 2))])
    >>> model = nw.MixtureClustering(2, steps=20, restarts=1, random_state=0).fit(X)
    >>> model.predict(X).shape, model.weights_.shape
    ((360,), (2,))
    """

    def __init__(
        self,
        n_clusters: int = 3,
        *,
        features: str = "auto",
        recipe: str = "best",
        steps: Optional[int] = None,
        restarts: Optional[int] = None,
        device: str = "auto",
        random_state: Any = None,
        n_jobs: Optional[int] = None,
    ):
        self.n_clusters = n_clusters
        self.features = features
        self.recipe = recipe
        self.steps = steps
        self.restarts = restarts
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y=None) -> "MixtureClustering":
        """Finds the clusters of X. `y` is ignored, as scikit-learn's pipelines expect."""
        X = _validated(self, X, ensure_min_samples=2)
        arguments = _options(k=self.n_clusters, method="nw", features=self.features,
                             restarts=self.restarts, **self._common())
        result, self._model = _command.learn("cluster", ["x.npy", *arguments], {"x.npy": X})
        self.weights_ = np.array(result["pi"])
        self.labels_, self.confidence_ = self._assign(X)
        return self

    def predict(self, X) -> np.ndarray:
        """The cluster of each row."""
        check_is_fitted(self)
        return self._assign(_validated(self, X, reset=False))[0]

    def _assign(self, X):
        rows = _command.table("cluster", self._model,
                              _options(run="run", assign="x.npy", seed=_seed(self.random_state)),
                              {"x.npy": X})
        return rows[:, 0].astype(int) - 1, rows[:, 1]
