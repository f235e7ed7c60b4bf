"""The measure in scikit-learn's conventions."""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _nw
from ._arrays import as_count
from ._choose_k import choose_k
from ._measure import _DEFAULTS, normalized_wasserstein

# Covariances are widened by at least this share of the data's mean variance before densities are
# computed: constant columns make them singular.
_RIDGE = 1e-6


def _validated(estimator, X, **more):
    if hasattr(estimator, "_validate_data"):
        return estimator._validate_data(X, dtype=np.float64, order="C", **more)
    from sklearn.utils.validation import validate_data  # scikit-learn 1.6 and later

    return validate_data(estimator, X, dtype=np.float64, order="C", **more)


def _weighted(X, sample_weight):
    """Points without mass are left out: they would only change how finely the rest is resolved."""
    if sample_weight is None:
        return X, None
    weights = np.ascontiguousarray(_check_sample_weight(sample_weight, X), dtype=np.float64)
    heavy = weights != 0
    return (X, weights) if heavy.all() else (X[heavy], weights[heavy])


class NormalizedWasserstein(DensityMixin, BaseEstimator):
    """Components shared by data sets whose proportions may differ.

    ``fit`` finds the mixture of Gaussian components nearest to the data in Wasserstein distance.
    The components are then a yardstick for other data sets: ``proportions`` says how much of each
    component a data set holds, and ``score`` how far it is from *any* mixture of them, whatever
    its proportions.

    Parameters
    ----------
    n_components : int or "auto"
        Number of components; "auto" chooses it from the curve NW(k), up to `max_k`.
    shape : {"full", "diagonal", "spherical"}
        Family of the components.
    p : {1, 2}
        Order of the Wasserstein distance.
    restarts : int
        Starting points of the fit.
    max_points : int
        Rows in a transport problem; larger data are represented by subsamples of this size.
    max_dim : int
        Data of more columns are fitted on at most this many principal axes.
    max_k : int
        Largest number of components that "auto" tries.
    random_state : int, RandomState or None
        Seed of the fit.
    n_jobs : int or None
        Threads; None means 1 and -1 all cores. The answer does not depend on it.

    Attributes
    ----------
    n_components_ : int
    means_ : ndarray of shape (n_components_, n_features)
    covariances_ : ndarray of shape (n_components_, n_features, n_features)
    weights_ : ndarray of shape (n_components_,)
        Proportions in the data of ``fit``.
    value_ : float
        Distance of the data to the mixture (after ``fit_pair``: W_N).
    floor_ : float
        What sampling noise alone would make of `value_`.
    noise_variance_ : float
        Variance per column that the components leave out, as for data of more than `max_dim`
        columns; densities count it in.
    converged_ : bool
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np, nw
    >>> rng = np.random.default_rng(4)
    >>> X = np.concatenate([rng.normal(-5, 1, (150, 2)), rng.normal(5, 1, (50, 2))])
    >>> model = nw.NormalizedWasserstein(n_components=2, random_state=0).fit(X)
    >>> sorted(model.weights_.round(2).tolist())
    [0.25, 0.75]
    >>> other = np.concatenate([rng.normal(-5, 1, (50, 2)), rng.normal(5, 1, (150, 2))])
    >>> sorted(model.proportions(other).round(1).tolist())
    [0.2, 0.8]
    >>> model.score(other) > model.score(other + 3)  # another mix is near, other members are not
    True
    """

    def __init__(
        self,
        n_components: Any = 2,
        *,
        shape: str = _DEFAULTS["shape"],
        p: int = _DEFAULTS["p"],
        restarts: int = _DEFAULTS["restarts"],
        max_points: int = _DEFAULTS["max_points"],
        max_dim: int = _DEFAULTS["max_dim"],
        max_k: int = 20,
        random_state: Any = None,
        n_jobs: Optional[int] = None,
    ):
        self.n_components = n_components
        self.shape = shape
        self.p = p
        self.restarts = restarts
        self.max_points = max_points
        self.max_dim = max_dim
        self.max_k = max_k
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y=None, sample_weight=None) -> "NormalizedWasserstein":
        """Fits the components to X. `y` is ignored, as scikit-learn's pipelines expect."""
        X = _validated(self, X, ensure_min_samples=2)
        return self._fit(X, None, sample_weight)

    def fit_pair(self, X, Y) -> "NormalizedWasserstein":
        """Fits components shared by two data sets: `value_` is W_N(P_X, P_Y), `weights_` and
        `weights_y_` are the proportions in X and in Y."""
        X = _validated(self, X, ensure_min_samples=2)
        return self._fit(X, _validated(self, Y, reset=False, ensure_min_samples=2), None)

    def _fit(self, X, Y, sample_weight):
        X, weights = _weighted(X, sample_weight)
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        common = {"shape": self.shape, "p": self.p, "restarts": self.restarts,
                  "max_points": self.max_points, "max_dim": self.max_dim, "weights_x": weights,
                  "seed": seed, "threads": self._threads()}
        components = as_count(self.n_components, "n_components", auto=True)
        if components is None:
            fit = choose_k(X, Y, max_k=min(self.max_k, len(X)), **common).fit
        else:
            fit = normalized_wasserstein(X, Y, k=components, **common)
        self.n_components_ = fit.k
        self.means_ = fit.centres
        self.covariances_ = fit.covariances
        self.weights_ = fit.pi_x
        if Y is not None:
            self.weights_y_ = fit.pi_y
        self.noise_variance_ = self._left_out(X, weights)
        self.value_ = fit.value
        self.floor_ = fit.floor
        self.converged_ = fit.converged
        return self

    def fit_predict(self, X, y=None):
        """Fits the components and returns the component of each row."""
        return self.fit(X, y).predict(X)

    def predict(self, X) -> np.ndarray:
        """The most probable component of each row."""
        return self._log_joint(X).argmax(axis=1)

    def predict_proba(self, X) -> np.ndarray:
        """The probability of each component for each row, given the proportions of ``fit``."""
        joint = self._log_joint(X)
        joint -= joint.max(axis=1, keepdims=True)
        joint = np.exp(joint)
        return joint / joint.sum(axis=1, keepdims=True)

    def proportions(self, X, sample_weight=None) -> np.ndarray:
        """How much of each component X holds: the proportions whose mixture is nearest to X."""
        return self._fit_proportions(X, sample_weight)["pi"]

    def score(self, X, y=None, sample_weight=None) -> float:
        """Minus the distance from X to the nearest mixture of the components, whatever its
        proportions: 0 is best."""
        return -self._distance(self._fit_proportions(X, sample_weight)["upper"])

    def distance(self, X, Y) -> float:
        """W_N of two data sets for the components of this fit: only proportions are optimised."""
        return self._fit_proportions(X, None)["upper"] + self._fit_proportions(Y, None)["upper"]

    def sample(self, n_samples: int = 1) -> Tuple[np.ndarray, np.ndarray]:
        """Draws points of the fitted mixture; returns them and the component of each."""
        check_is_fitted(self)
        if n_samples < 1:
            raise ValueError(f"n_samples must be at least 1, got {n_samples}")
        rng = check_random_state(self.random_state)
        labels = rng.choice(self.n_components_, n_samples, p=self.weights_ / self.weights_.sum())
        points = np.empty((n_samples, self.n_features_in_))
        for j in range(self.n_components_):
            rows = labels == j
            noise = rng.standard_normal((rows.sum(), self.n_features_in_))
            values, vectors = np.linalg.eigh(self.covariances_[j])
            points[rows] = self.means_[j] + (noise * np.sqrt(values.clip(0))) @ vectors.T
        return points, labels

    def _left_out(self, X, weights) -> float:
        mean = np.average(X, axis=0, weights=weights)
        total = np.average(np.square(X - mean).sum(axis=1), weights=weights)
        centre = self.weights_ @ self.means_
        between = self.weights_ @ np.square(self.means_ - centre).sum(axis=1)
        within = self.weights_ @ np.trace(self.covariances_, axis1=1, axis2=2)
        d = X.shape[1]
        return max((total - between - within) / d, _RIDGE * total / d, np.finfo(float).tiny)

    def _threads(self) -> int:
        jobs = 1 if self.n_jobs is None else self.n_jobs
        return 0 if jobs < 0 else max(jobs, 1)

    def _distance(self, cost):
        return float(np.sqrt(cost)) if self.p == 2 else cost

    def _fit_proportions(self, X, sample_weight):
        check_is_fitted(self)
        X = _validated(self, X, reset=False)
        X, weights = _weighted(X, sample_weight)
        return _nw.fit_proportions(X, weights, self.means_, self.covariances_, self.p,
                                   self._threads())

    def _log_joint(self, X):
        """log pi_j + log N(x; mean_j, covariance_j), up to a constant: [n, k]."""
        check_is_fitted(self)
        X = _validated(self, X, reset=False)
        d = X.shape[1]
        joint = np.empty((len(X), self.n_components_))
        for j in range(self.n_components_):
            values, vectors = np.linalg.eigh(self.covariances_[j])
            values = values.clip(0) + self.noise_variance_
            scaled = (X - self.means_[j]) @ vectors / np.sqrt(values)
            share = np.log(max(self.weights_[j], np.finfo(float).tiny))
            joint[:, j] = share - 0.5 * (np.square(scaled).sum(axis=1) + np.log(values).sum())
        return joint
