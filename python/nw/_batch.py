"""Many Wasserstein distances at once."""
from __future__ import annotations

import dataclasses
import time
from typing import Any, List, Optional, Tuple

import numpy as np

from . import _nw
from ._arrays import as_numbers, as_points, as_weights


@dataclasses.dataclass(frozen=True, eq=False)
class BatchResult:
    """One distance for each pair of samples. ``np.asarray(result)`` is `distance`."""

    distance: np.ndarray  #: W_p of every pair
    p: int
    primal: np.ndarray
    dual: np.ndarray  #: W_p^p lies in [dual, primal], which differ by rounding
    seconds: float
    #: (source, target, mass) of every optimal plan, where asked for
    plans: Optional[List[Tuple[np.ndarray, np.ndarray, np.ndarray]]] = dataclasses.field(repr=False)
    #: Kantorovich potentials of every pair, where asked for
    potentials: Optional[List[Tuple[np.ndarray, np.ndarray]]] = dataclasses.field(repr=False)

    def __array__(self, dtype=None):
        return np.asarray(self.distance, dtype=dtype)

    def __len__(self) -> int:
        return len(self.distance)


def _stack(samples, weights, name):
    """All rows of the samples in one array, where each sample begins, and the weights of all rows."""
    if hasattr(samples, "ndim") and samples.ndim == 3:
        points = as_numbers(samples, name)
        count, rows, columns = points.shape
        offsets = np.arange(count + 1, dtype=np.int64) * rows
        points = points.reshape(count * rows, columns)
    else:
        parts = [as_points(sample, f"{name}[{k}]") for k, sample in enumerate(samples)]
        if not parts:
            raise ValueError(f"{name}: no samples")
        for k, part in enumerate(parts):
            if part.shape[1] != parts[0].shape[1]:
                raise ValueError(f"{name}[{k}] has {part.shape[1]} columns and {name}[0] has {parts[0].shape[1]}")
        offsets = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
        points = np.ascontiguousarray(np.concatenate(parts))
    if weights is None:
        return points, offsets, None
    sizes = np.diff(offsets)
    if len(weights) != len(sizes):
        raise ValueError(f"weights_{name}: {len(weights)} lists of weights for {len(sizes)} samples")
    if hasattr(weights, "ndim") and weights.ndim == 2:
        flat = as_numbers(weights, f"weights_{name}").reshape(-1)
        if len(flat) != len(points) or (len(sizes) and weights.shape[1] != sizes.max()):
            raise ValueError(f"weights_{name}: expected one weight for each point, got the shape {weights.shape}")
        return points, offsets, flat
    parts = [as_weights(weights[k], f"weights_{name}[{k}]", size) for k, size in enumerate(sizes)]
    if any(part is None for part in parts):
        parts = [np.ones(size) if part is None else part for part, size in zip(parts, sizes)]
    return points, offsets, np.ascontiguousarray(np.concatenate(parts))


def wasserstein_batch(
    x: Any,
    y: Any,
    *,
    p: int = 1,
    weights_x: Any = None,
    weights_y: Any = None,
    plans: bool = False,
    threads: int = 0,
) -> BatchResult:
    """W_p of sample k of x and sample k of y, for all k, exactly.

    Parameters
    ----------
    x, y : arrays of shape (count, n, d) and (count, m, d), or lists of arrays (n_k, d)
        Samples, one row per point.
    p : {1, 2}
        Order of the distance.
    weights_x, weights_y : arrays of shape (count, n), or lists of arrays; optional
        Non-negative masses of the points; equal ones by default.
    plans : bool
        Whether plans and potentials are wanted too.
    threads : int
        0 means all cores; the answer does not depend on it.

    Examples
    --------
    >>> import numpy as np, nw
    >>> x = np.zeros((2, 3, 2))
    >>> nw.wasserstein_batch(x, x + np.array([3.0, 4.0])).distance.tolist()
    [5.0, 5.0]
    """
    started = time.perf_counter()
    left, right = _stack(x, weights_x, "x"), _stack(y, weights_y, "y")
    found = _nw.wasserstein_batch(*left, *right, p, threads, plans)
    primal = found["primal"]
    distance = primal.copy() if p == 1 else np.sqrt(np.maximum(primal, 0.0))
    return BatchResult(distance=distance, p=p, seconds=time.perf_counter() - started, **found)


def wasserstein_pairs(samples: Any, *, p: int = 1, weights: Any = None, threads: int = 0) -> np.ndarray:
    """The symmetric matrix of W_p between every two samples, exactly.

    Examples
    --------
    >>> import nw
    >>> nw.wasserstein_pairs([[[0.0, 0.0]], [[3.0, 4.0]], [[0.0, 0.0]]]).tolist()
    [[0.0, 5.0, 0.0], [5.0, 0.0, 5.0], [0.0, 5.0, 0.0]]
    """
    points, offsets, flat = _stack(samples, weights, "x")
    primal, _ = _nw.wasserstein_pairs(points, offsets, flat, p, threads)
    count = len(offsets) - 1
    distances = np.zeros((count, count))
    upper = np.triu_indices(count, 1)
    distances[upper] = primal if p == 1 else np.sqrt(np.maximum(primal, 0.0))
    return distances + distances.T
