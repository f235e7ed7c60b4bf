"""Transport under other costs, and transport that may leave mass."""
from __future__ import annotations

import dataclasses
from typing import Any, Optional, Tuple

import numpy as np

from . import _nw
from ._arrays import as_numbers, as_points, as_two


@dataclasses.dataclass(frozen=True, eq=False)
class TransportResult:
    """An optimal plan with its proof. ``float(result)`` is the cost."""

    cost: float
    dual: float  #: no plan costs less
    exact: bool  #: whether the two agree up to rounding
    shape: Tuple[int, int]
    #: (source, target, mass) of the optimal plan; None when nothing moves
    plan: Optional[Tuple[np.ndarray, np.ndarray, np.ndarray]] = dataclasses.field(repr=False)
    potentials: Tuple[np.ndarray, np.ndarray] = dataclasses.field(repr=False)
    moved: float = 1.0
    left_at_source: float = 0.0
    left_at_target: float = 0.0

    def __float__(self) -> float:
        return self.cost

    @property
    def gap(self) -> float:
        return self.cost - self.dual

    def coupling(self) -> Any:
        """The plan as a SciPy CSR matrix."""
        from scipy.sparse import csr_matrix

        if self.plan is None:
            return csr_matrix(self.shape)
        source, target, mass = self.plan
        return csr_matrix((mass, (source, target)), shape=self.shape)


def transport_cost(
    x: Any,
    y: Any,
    *,
    metric: str = "euclidean",
    exponent: float = 1.0,
    precision: Any = None,
    weights_x: Any = None,
    weights_y: Any = None,
    threads: int = 0,
) -> TransportResult:
    """The least cost of moving x onto y, where a unit of mass costs distance**exponent, exactly.

    Parameters
    ----------
    x, y : array-like of shape (n, d) and (m, d)
    metric : {"euclidean", "cityblock", "chebyshev", "cosine"}
        Euclidean distances to the power 1 or 2 and cosines are solved without a matrix; others need n x m numbers.
    exponent : float in [1, 2]
    precision : array-like of shape (d, d), optional
        For Mahalanobis distances, such as the inverse of a covariance; a diagonal one weighs the coordinates.

    Examples
    --------
    >>> import nw
    >>> float(nw.transport_cost([[0.0, 0.0]], [[3.0, 4.0]], metric="cityblock"))
    7.0
    """
    arrays = as_two(x, y, weights_x, weights_y)
    if precision is not None:
        precision = as_points(precision, "precision")
    found = _nw.transport_cost(*arrays, metric, exponent, precision, threads)
    return TransportResult(shape=(len(arrays[0]), len(arrays[1])), **found)


def partial_emd(a: Any, b: Any, M: Any, price: float, *, threads: int = 0) -> TransportResult:
    """Optimal transport that may leave mass: each unit that stays, or is missing, costs `price`.

    The totals of a and b may differ; empty ones mean equal masses of total one.

    Examples
    --------
    >>> import nw
    >>> result = nw.partial_emd([1.0, 1.0], [1.0], [[0.5], [9.0]], price=2.0)
    >>> result.cost, result.moved, result.left_at_source
    (2.5, 1.0, 1.0)
    """
    costs = as_numbers(M, "M")
    if costs.ndim != 2:
        raise ValueError(f"M: expected a matrix of costs, got the shape {costs.shape}")
    masses = []
    for values, name, count in ((a, "a", costs.shape[0]), (b, "b", costs.shape[1])):
        given = None if values is None or len(values) == 0 else as_numbers(values, name)
        if given is not None and given.shape != (count,):
            raise ValueError(f"{name}: expected {count} masses, got the shape {given.shape}")
        masses.append(given)
    return TransportResult(shape=costs.shape, **_nw.partial_emd(costs, *masses, price, threads))
