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
    #: Kantorovich potentials of x and of y
    potentials: Optional[Tuple[np.ndarray, np.ndarray]] = dataclasses.field(repr=False)

    def __float__(self) -> float:
        return self.distance

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
               "seed": as_seed(seed), "threads": threads}
    return WassersteinResult(**_nw.wasserstein(*arrays, options))
