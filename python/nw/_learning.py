"""Estimators that learn networks, in scikit-learn's conventions."""
from __future__ import annotations

from typing import Any, Optional, Tuple, Union

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, ClusterMixin, DensityMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from . import _library, _nw
from ._arrays import as_count
from ._choose_k import choose_k
from ._estimator import _validated
from ._progress import Progress, reporting
from ._transport import wasserstein

# The options structs of the library hold every default but the number of components.
_GENERATION, _ADAPTATION = _nw.generation_defaults(), _nw.adaptation_defaults()
_CLUSTERING, _DENOISING = _nw.clustering_defaults(), _nw.denoising_defaults()

# Rows behind a score; more cost time and hardly sharpen it.
_SCORED_ROWS = 2000


def _seed(random_state) -> int:
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


class _Learner(BaseEstimator):
    def _common(self):
        return {"device": self.device, "steps": self.steps, "recipe": self.recipe,
                "seed": _seed(self.random_state), "threads": self._threads()}

    def _threads(self) -> int:
        jobs = 1 if self.n_jobs is None else self.n_jobs
        return 0 if jobs < 0 else max(jobs, 1)

    def _learn(self, application: str, *arguments, by=None):
        """Calls the application; what it found, even when Ctrl-C stopped it, becomes attributes."""
        with reporting(self.progress) as report:
            found = getattr(by or _library.engine(), application)(*arguments, report)
        caught = found["caught"]
        if caught is not None and not isinstance(caught, KeyboardInterrupt):
            raise caught
        self.interrupted_ = caught is not None
        self.record_ = found["record"]
        if found["model"] is not None:
            self._model = found["model"]
            self._keep(found)
        if caught is not None:
            raise _library.Interrupted("fit was stopped; what was learnt is kept", self) from caught
        return self

    def _more_tags(self):
        # A few steps of an adversarial game promise no accuracy, and rows play no fixed part in it.
        return {"poor_score": True, "non_deterministic": False,
                "_xfail_checks": {"check_methods_sample_order_invariance": "rows share a batch",
                                  "check_methods_subset_invariance": "rows share a batch"}}


class MixtureGAN(DensityMixin, _Learner):
    """A mixture of generators with learnt proportions, as ``nw gan`` trains it.

    Parameters
    ----------
    n_components : int or "auto"
        Number of components; "auto" takes the number that ``nw.choose_k`` finds.
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
    progress : True or callable, optional
        True draws a bar; a function is called with a stage and the fraction done.

    Attributes
    ----------
    weights_ : ndarray of shape (n_components,)
        The proportions.
    wasserstein_ : float
        Exact distance of generated rows from rows that were held out.
    n_iter_ : int
    n_features_in_ : int
    interrupted_ : bool
        Ctrl-C stopped the fit: ``nw.Interrupted`` was raised, and what was learnt until then is kept.

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
        n_components: Union[int, str] = 3,
        *,
        method: str = _GENERATION["method"],
        recipe: str = _GENERATION["recipe"],
        steps: Optional[int] = _GENERATION["steps"],
        batch: Optional[int] = _GENERATION["batch"],
        fixed_pi: bool = _GENERATION["fixed_pi"],
        device: str = _GENERATION["device"],
        random_state: Any = None,
        n_jobs: Optional[int] = None,
        progress: Progress = None,
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
        self.progress = progress

    def fit(self, X, y=None) -> "MixtureGAN":
        """Trains on X. `y` is ignored, as scikit-learn's pipelines expect."""
        X = _validated(self, X, ensure_min_samples=2)
        components = as_count(self.n_components, "n_components", auto=True)
        if components is None:
            components = choose_k(X, seed=_seed(self.random_state), threads=self._threads()).k
        options = {"k": components, "method": self.method, "batch": self.batch,
                   "fixed_pi": self.fixed_pi, **self._common()}
        return self._learn("generate", X, options)

    def _keep(self, found):
        self.weights_ = found["pi"]
        self.wasserstein_ = float(found["wasserstein"])
        self.n_iter_ = int(found["steps"])

    def sample(self, n_samples: int = 1) -> Tuple[np.ndarray, np.ndarray]:
        """Draws rows of the mixture; returns them and the component of each."""
        check_is_fitted(self)
        if n_samples < 1:
            raise ValueError(f"n_samples must be at least 1, got {n_samples}")
        return self._model.sample(n_samples, _seed(self.random_state))

    def score(self, X, y=None) -> float:
        """Minus the exact distance of X from as many generated rows: 0 is best."""
        check_is_fitted(self)
        X = _validated(self, X, reset=False)
        drawn, _ = self.sample(min(max(len(X), 100), _SCORED_ROWS))
        return -wasserstein(X, drawn).distance


class Adapter(ClassifierMixin, _Learner):
    """A classifier for data whose classes come in other proportions, as ``nw adapt`` trains it.

    Parameters
    ----------
    method : {"auto", "nw", "source-only", "dann", "wasserstein", "iwdan", "sdann", "bbse", \
"self-training", "fixmatch", "mcc", "deepjdot", "deepjdot-pi"}
        What is done about the target. "auto" is "nw", unless a classifier without adaptation shows
        that it went wrong.
    recipe : {"auto", "best", "paper", "robust"}
        "auto" is "robust" for images on a GPU and "best" otherwise; on tables both are the same.
    steps : int or None
        Steps; None means the recipe's.
    device : {"auto", "cpu", "cuda"}
    random_state : int, RandomState or None
    n_jobs : int or None
        Threads; None means 1 and -1 all cores.
    progress : True or callable, optional
        True draws a bar; a function is called with a stage and the fraction done.

    Attributes
    ----------
    classes_ : ndarray
    target_proportions_ : ndarray of shape (n_classes,)
        The estimated share of each class in the target.
    n_features_in_ : int
    interrupted_ : bool
        Ctrl-C stopped the fit: ``nw.Interrupted`` was raised, and what was learnt until then is kept.

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
        method: str = _ADAPTATION["method"],
        recipe: str = _ADAPTATION["recipe"],
        steps: Optional[int] = _ADAPTATION["steps"],
        device: str = _ADAPTATION["device"],
        random_state: Any = None,
        n_jobs: Optional[int] = None,
        progress: Progress = None,
    ):
        self.method = method
        self.recipe = recipe
        self.steps = steps
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

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
        options = {"method": self.method, **self._common()}
        return self._learn("adapt", X, labels.astype(np.int64), target, options)

    def _keep(self, found):
        self.target_proportions_ = found["pi_target"]

    def predict(self, X) -> np.ndarray:
        """The class of each row."""
        return self.classes_[self._predict(X)[0]]

    def predict_proba(self, X) -> np.ndarray:
        """The probability of each class for each row, in the order of ``classes_``."""
        return _needed(self._predict(X)[1], "predict_proba")

    def _predict(self, X):
        check_is_fitted(self)
        return self._model.predict(_validated(self, X, reset=False), self.device)


def _needed(values, method):
    if values is None:
        raise RuntimeError(f"{method} needs learning in this process: the program that nw learns by "
                           "here gives the most probable answer alone (docs/python.md)")
    return values


class MixtureClustering(ClusterMixin, _Learner):
    """Clusters of any shape and of unequal sizes.

    By default several methods compete, and what the rows say about their answers decides. The method
    "nw" learns a mixture of generators with their proportions, where a row belongs to the component
    that can make a row closest to it.

    Parameters
    ----------
    n_clusters : int or "auto"
        Number of clusters; "auto" finds it.
    method : {"auto", "evidence", "nw", "kmeans", "gmm", "equilibrium", "genie"}
        "evidence" lets the others but "nw" compete; "auto" is "evidence", or "nw" where `steps` or the
        recipe of the paper are asked for, as in ``nw cluster``.
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
    progress : True or callable, optional
        True draws a bar; a function is called with a stage and the fraction done.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row of the data it was fitted to.
    confidence_ : ndarray of shape (n_samples,)
        How sure each of them is, between 1 / n_clusters and 1.
    weights_ : ndarray of shape (n_clusters,)
        The learnt proportions.
    n_features_in_ : int
    interrupted_ : bool
        Ctrl-C stopped the fit: ``nw.Interrupted`` was raised, and what was learnt until then is kept.

    Examples
    --------
    >>> import numpy as np, nw
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(-4, 1, (300, 2)), rng.normal(4, 1, (60, 2))])
    >>> model = nw.MixtureClustering(2, random_state=0).fit(X)
    >>> model.weights_.round(2), model.predict([[5.0, 3.0]])
    (array([0.83, 0.17]), array([1]))
    """

    def __init__(
        self,
        n_clusters: Union[int, str] = 3,
        *,
        method: str = _CLUSTERING["method"],
        features: str = _CLUSTERING["features"],
        recipe: str = _CLUSTERING["recipe"],
        steps: Optional[int] = _CLUSTERING["steps"],
        restarts: Optional[int] = _CLUSTERING["restarts"],
        device: str = _CLUSTERING["device"],
        random_state: Any = None,
        n_jobs: Optional[int] = None,
        progress: Progress = None,
    ):
        self.n_clusters = n_clusters
        self.method = method
        self.features = features
        self.recipe = recipe
        self.steps = steps
        self.restarts = restarts
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X, y=None) -> "MixtureClustering":
        """Finds the clusters of X. `y` is ignored, as scikit-learn's pipelines expect."""
        X = _validated(self, X, ensure_min_samples=2)
        clusters = as_count(self.n_clusters, "n_clusters", auto=True)
        options = {"k": clusters or 0, "method": self.method, "features": self.features,
                   "restarts": self.restarts, **self._common()}
        options["method"] = _nw.clustering_method(X, options)
        return self._learn("cluster", X, options, by=None if options["method"] == "nw" else _nw)

    def _keep(self, found):
        self.weights_ = found["pi"]
        self.labels_ = found["labels"].astype(int)
        # k-means is as sure of every row.
        sure = found["confidence"]
        self.confidence_ = sure if len(sure) else np.ones(len(self.labels_))

    def predict(self, X) -> np.ndarray:
        """The cluster of each row."""
        return self._assign(X)[0].astype(int)

    def predict_proba(self, X) -> np.ndarray:
        """How much each row belongs to each cluster; rows sum to one."""
        return _needed(self._assign(X)[1], "predict_proba")

    def _assign(self, X):
        check_is_fitted(self)
        return self._model.assign(_validated(self, X, reset=False), self._threads(), self.device)


class Denoiser(TransformerMixin, _Learner):
    """Takes noise off rows, learnt from clean rows that belong to none of them, as ``nw denoise`` does.

    Parameters
    ----------
    n_components : int
        Kinds of rows, which may come in other proportions among the clean ones.
    method : {"nw", "wasserstein", "source-only"}
        What brings clean and noisy rows together.
    recipe : {"best", "paper"}
    steps : int or None
        Steps; None means the recipe's.
    embedding : int or None
        Values that a row is described by in between; None means the recipe's.
    batch : int or None
        Rows of each kind of data in a step; None means the recipe's.
    device : {"auto", "cpu", "cuda"}
    random_state : int, RandomState or None
    n_jobs : int or None
        Threads; None means 1 and -1 all cores.
    progress : True or callable, optional
        True draws a bar; a function is called with a stage and the fraction done.

    Attributes
    ----------
    denoised_ : ndarray of shape (n_samples, n_features_in_)
        The noisy rows it was fitted to, without their noise.
    removed_variance_ : float
        Of what was taken off them.
    n_features_in_ : int
    interrupted_ : bool
        Ctrl-C stopped the fit: ``nw.Interrupted`` was raised, and what was learnt until then is kept.

    Examples
    --------
    >>> import numpy as np, nw
    >>> rng = np.random.default_rng(0)
    >>> line = lambda n: rng.normal(size=(n, 1)) * [1.0, 2.0, -1.0]
    >>> noisy = line(200) + 0.5 * rng.normal(size=(200, 3))
    >>> model = nw.Denoiser(1, steps=50, embedding=1, random_state=0).fit(noisy, line(200))
    >>> model.transform(noisy).shape
    (200, 3)
    """

    def __init__(
        self,
        n_components: int = _DENOISING["k"],
        *,
        method: str = _DENOISING["method"],
        recipe: str = _DENOISING["recipe"],
        steps: Optional[int] = _DENOISING["steps"],
        embedding: Optional[int] = _DENOISING["embedding"],
        batch: Optional[int] = _DENOISING["batch"],
        device: str = _DENOISING["device"],
        random_state: Any = None,
        n_jobs: Optional[int] = None,
        progress: Progress = None,
    ):
        self.n_components = n_components
        self.method = method
        self.recipe = recipe
        self.steps = steps
        self.embedding = embedding
        self.batch = batch
        self.device = device
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X, X_clean) -> "Denoiser":
        """Learns to take the noise off rows like X, from clean rows `X_clean` of other originals."""
        X = _validated(self, X, ensure_min_samples=2)
        clean = _validated(self, X_clean, reset=False)
        options = {"k": as_count(self.n_components, "n_components"), "method": self.method,
                   "embedding": self.embedding, "batch": self.batch, **self._common()}
        return self._learn("denoise", clean, X, options)

    def fit_transform(self, X, X_clean) -> np.ndarray:
        """Learns from both and returns X without its noise."""
        return self.fit(X, X_clean).denoised_

    def _keep(self, found):
        self.denoised_ = found["denoised"]
        self.removed_variance_ = float(found["removed_variance"])

    def transform(self, X) -> np.ndarray:
        """The rows without their noise."""
        check_is_fitted(self)
        return self._model.apply(_validated(self, X, reset=False))
