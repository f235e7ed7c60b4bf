"""The Wasserstein distance."""
from __future__ import annotations

import dataclasses
import html
from typing import Any, Optional, Tuple

import numpy as np

from . import _nw
from ._arrays import as_seed, as_two

_DEFAULTS = _nw.wasserstein_defaults()


@dataclasses.dataclass(frozen=True, eq=False)
class WassersteinResult:
    """A distance, how it was found, and what is certain about it. ``float(result)`` is the distance."""

    distance: float
    p: int
    method: str  #: what was used: exact, sinkhorn or sliced
    reason: str  #: why, in words
    primal: float
    dual: float  #: W_p^p lies in [dual, primal] whatever the method
    gap: float
    converged: bool
    exact: bool  #: whether `distance` is W_p up to rounding
    marginal_error: Optional[float]
    standard_error: Optional[float]
    seconds: float
    #: (source, target, mass) of the optimal plan, by the exact method
    plan: Optional[Tuple[np.ndarray, np.ndarray, np.ndarray]] = dataclasses.field(repr=False)
    #: (seconds, pivots, cost, bound) while the exact method worked on the points: the gap against time
    history: Optional[Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = dataclasses.field(repr=False)
    #: Kantorovich potentials of x and of y
    potentials: Optional[Tuple[np.ndarray, np.ndarray]] = dataclasses.field(repr=False)

    def __float__(self) -> float:
        return self.distance

    def coupling(self) -> Any:
        """The optimal plan as a SciPy CSR matrix of shape (n, m)."""
        from scipy.sparse import csr_matrix

        if self.plan is None or self.potentials is None:
            raise ValueError(f"the method {self.method} leaves no plan; method='exact' does")
        source, target, mass = self.plan
        return csr_matrix((mass, (source, target)), shape=tuple(len(f) for f in self.potentials))

    def _repr_html_(self) -> str:
        rows = [("method", f"{self.method} ({self.reason})"),
                ("certified", f"{self.dual:.6g} ≤ W^p ≤ {self.primal:.6g}"),
                ("time", f"{self.seconds:.3g} s")]
        body = "".join(f"<tr><th>{k}</th><td>{html.escape(v)}</td></tr>" for k, v in rows)
        return (f"<div class='nw-result'><p><strong>W{self.p} = {self.distance:.6g}</strong></p>"
                f"<table>{body}</table></div>")


def wasserstein(
    x: Any,
    y: Any,
    *,
    p: int = _DEFAULTS["p"],
    method: str = _DEFAULTS["method"],
    weights_x: Any = None,
    weights_y: Any = None,
    epsilon: float = _DEFAULTS["epsilon"],
    time_limit: float = _DEFAULTS["time_limit"],
    seed: int = _DEFAULTS["seed"],
    threads: int = _DEFAULTS["threads"],
    gap: float = _DEFAULTS["gap"],
    stop_after: Optional[float] = None,
    warm_start: Optional[WassersteinResult] = None,
) -> WassersteinResult:
    """The Wasserstein distance W_p of two sets of points, with its certificate.

    Parameters
    ----------
    x, y : array-like of shape (n, d) and (m, d)
        Points, one per row; one-dimensional arrays are points on the line.
    p : {1, 2}
        Order of the distance.
    method : {"auto", "exact", "sinkhorn", "sliced"}
        "auto" is exact wherever that is predicted to take less than `time_limit` seconds.
    weights_x, weights_y : array-like, optional
        Non-negative masses of the points; equal ones by default.
    epsilon : float
        Regularisation of "sinkhorn", relative to the scale of the costs.
    threads : int
        0 means all cores; the answer does not depend on it.
    gap : float
        "exact": stop as soon as (primal - dual) / primal is proven to be at most this; 0 goes on to the optimum.
    stop_after : float, optional
        "exact": seconds after which the best plan and bound at hand are returned, `converged` or not.
    warm_start : WassersteinResult, optional
        "exact": an earlier result for as many points. Any gives the right answer, a near one gives it sooner.

    Examples
    --------
    >>> import numpy as np, nw
    >>> result = nw.wasserstein([[0.0, 0.0], [1.0, 0.0]], [[0.0, 3.0], [1.0, 4.0]])
    >>> result.distance, result.exact
    (3.5, True)
    >>> source, target, mass = result.plan
    >>> source.tolist(), target.tolist(), mass.tolist()
    ([0, 1], [0, 1], [0.5, 0.5])
    >>> float(nw.wasserstein([0.0, 1.0], [2.0], weights_x=[3, 1]))
    1.75
    """
    arrays = as_two(x, y, weights_x, weights_y)
    options = {"p": p, "method": method, "epsilon": epsilon, "time_limit": time_limit,
               "seed": as_seed(seed), "threads": threads, "gap": gap}
    if stop_after is not None and not stop_after > 0:
        raise ValueError(f"stop_after must be positive, got {stop_after}")
    earlier = None
    if warm_start is not None:
        if warm_start.plan is None or warm_start.potentials is None:
            raise ValueError("warm_start must be a result of the method exact")
        earlier = (warm_start.plan, warm_start.potentials)
    return WassersteinResult(**_nw.wasserstein(*arrays, options, stop_after or 0.0, earlier))
