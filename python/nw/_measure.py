"""The Normalized Wasserstein measure for a given number of components."""
from __future__ import annotations

import dataclasses
from typing import Any, Dict, Optional, Union

import numpy as np

from . import _nw
from ._arrays import as_count, as_pair, as_seed
from ._progress import Progress, reporting

_DEFAULTS = _nw.normalized_wasserstein_defaults()


@dataclasses.dataclass(frozen=True, eq=False)
class NormalizedResult:
    """W_N and the shared mixture behind it. ``float(result)`` is the value."""

    value: float
    k: int
    floor: float  #: the value that sampling noise alone would give
    standard_error: float
    converged: bool
    reason: str  #: why it stopped
    rounds: int
    solves: int  #: exact transport problems solved
    centres: np.ndarray  #: shape (k, d)
    covariances: np.ndarray = dataclasses.field(repr=False)  #: shape (k, d, d)
    pi_x: np.ndarray
    pi_y: Optional[np.ndarray]  #: None when there was one data set
    cost_x: float  #: W(P_X, P_{G,pi_x}); squared for p = 2
    cost_y: Optional[float]
    seconds: float

    def __float__(self) -> float:
        return self.value

    @classmethod
    def _from_fit(cls, fit: Dict[str, Any], two: bool) -> "NormalizedResult":
        fit = dict(fit)
        x, y = fit.pop("x"), fit.pop("y")
        return cls(pi_x=x["pi"], cost_x=x["cost"], pi_y=y["pi"] if two else None,
                   cost_y=y["cost"] if two else None, **fit)


def normalized_wasserstein(
    x: Any,
    y: Any = None,
    *,
    k: Union[int, str] = "auto",
    weights_x: Any = None,
    weights_y: Any = None,
    p: int = _DEFAULTS["p"],
    shape: str = _DEFAULTS["shape"],
    restarts: int = _DEFAULTS["restarts"],
    max_points: int = _DEFAULTS["max_points"],
    max_dim: int = _DEFAULTS["max_dim"],
    seed: int = 0,
    threads: int = _DEFAULTS["threads"],
    progress: Progress = None,
) -> NormalizedResult:
    """W_N(P_X, P_Y): the distance of both data sets to mixtures of k shared components, each in its
    own proportions. With one data set: its distance to the best mixture of k components. "auto" takes
    the k that :func:`choose_k` finds.

    Examples
    --------
    >>> import numpy as np, nw
    >>> rng = np.random.default_rng(2)
    >>> x = np.concatenate([rng.normal(-5, 1, 150), rng.normal(5, 1, 50)])
    >>> y = np.concatenate([rng.normal(-5, 1, 50), rng.normal(5, 1, 150)])
    >>> result = nw.normalized_wasserstein(x, y, k=2)
    >>> float(result) < 0.1 * float(nw.wasserstein(x, y))
    True
    >>> sorted(result.centres.ravel().round().tolist())
    [-5.0, 5.0]
    """
    components = as_count(k, "k", auto=True)
    if components is None:
        from ._choose_k import choose_k

        return choose_k(x, y, weights_x=weights_x, weights_y=weights_y, p=p, shape=shape,
                        restarts=restarts, max_points=max_points, max_dim=max_dim, seed=seed,
                        threads=threads, progress=progress).fit
    arrays = as_pair(x, y, weights_x, weights_y)
    options = {"p": p, "shape": shape, "restarts": restarts, "max_points": max_points,
               "max_dim": max_dim, "threads": threads}
    with reporting(progress) as report:
        fit = _nw.normalized_wasserstein(*arrays, components, options, as_seed(seed), report)
    return NormalizedResult._from_fit(fit, y is not None)
