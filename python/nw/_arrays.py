"""From whatever holds numbers to the C-contiguous float64 that the library takes."""
from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np


def _as_numpy(values):
    # PyTorch tensors, without importing PyTorch: detached, on the host, sharing their memory.
    if hasattr(values, "detach"):
        values = values.detach()
        if getattr(values, "is_cuda", False):
            values = values.cpu()
    if not hasattr(values, "__array__") and hasattr(values, "__dlpack__"):
        return np.from_dlpack(values)
    return np.asarray(values)


def as_numbers(values, name):
    """A C-contiguous float64 array; no copy when it is one already."""
    try:
        array = _as_numpy(values)
        # Objects may be numbers; texts, dates and complex numbers are not.
        if array.ndim == 0 or array.dtype.kind not in "fiubO":
            raise TypeError(f"{array.ndim} dimensions of {array.dtype}")
        return np.ascontiguousarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: expected an array of real numbers, one row per point, "
                         f"got {_shown(values)}") from error


def as_points(values, name):
    array = as_numbers(values, name)
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    if array.ndim != 2:
        raise ValueError(f"{name}: expected one row per point (1 or 2 dimensions), got the shape "
                         f"{array.shape}; flatten each point into a row")
    return array


def as_weights(values, name, rows):
    if values is None:
        return None
    array = as_numbers(values, name)
    if array.shape != (rows,):
        raise ValueError(f"{name}: expected {rows} weights, one per point, got the shape {array.shape}")
    return array


def as_pair(
    x: Any, y: Any, weights_x: Any, weights_y: Any
) -> Tuple[np.ndarray, Optional[np.ndarray], Optional[np.ndarray], Optional[np.ndarray]]:
    x = as_points(x, "x")
    weights_x = as_weights(weights_x, "weights_x", len(x))
    if y is None:  # for functions of one data set
        return x, None, weights_x, None
    y = as_points(y, "y")
    if x.shape[1] != y.shape[1]:
        raise ValueError(f"x has {x.shape[1]} columns and y has {y.shape[1]}; they must agree")
    return x, y, weights_x, as_weights(weights_y, "weights_y", len(y))


def as_two(
    x: Any, y: Any, weights_x: Any, weights_y: Any
) -> Tuple[np.ndarray, np.ndarray, Optional[np.ndarray], Optional[np.ndarray]]:
    """As as_pair, where both data sets are needed."""
    if y is None:
        raise ValueError("y: expected an array of real numbers, one row per point, got NoneType")
    x, y, weights_x, weights_y = as_pair(x, y, weights_x, weights_y)
    return x, y, weights_x, weights_y


def as_seed(seed: int) -> int:
    seed = int(seed)
    if not 0 <= seed < 2**64:
        raise ValueError(f"seed must be in [0, 2**64), got {seed}")
    return seed


def as_count(value: Any, name: str, *, auto: bool = False) -> Optional[int]:
    """A number of components, at least 1. Where `auto`, "auto" and None mean: choose it, and give None."""
    kinds = "a whole number of at least 1" + (", or \"auto\"" if auto else "")
    if auto and (value is None or (isinstance(value, str) and value == "auto")):
        return None
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise ValueError(f"{name} must be {kinds}, got {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be {kinds}, got {value}")
    return int(value)


def _shown(values):
    kind = getattr(values, "dtype", None)
    return f"{type(values).__name__} of {kind}" if kind is not None else type(values).__name__
