"""The number of modes."""
from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Optional

from . import _nw
from ._arrays import as_count, as_pair, as_seed
from ._measure import NormalizedResult
from ._progress import Progress, reporting
from ._record import Drawable
from ._tables import encode

_DEFAULTS = _nw.choose_k_defaults()


@dataclasses.dataclass(frozen=True)
class CurvePoint:
    """One point of the curve NW(k)."""

    k: int
    nw: float
    nw_low: float
    nw_high: float
    floor: float  #: the value expected from sampling noise alone
    drop: float  #: NW(k - 1) - NW(k)
    at_floor: bool


@dataclasses.dataclass(frozen=True, eq=False)
class ChooseKResult(Drawable):
    """The answer of :func:`choose_k`. ``int(result)`` is k."""

    k: int
    reached_floor: bool  #: False: no k explains the data, k is a best guess
    clear: bool
    reason: str
    curve: List[CurvePoint]
    fit: NormalizedResult = dataclasses.field(repr=False)  #: the mixture with k components
    seconds: float
    record: str = dataclasses.field(repr=False)

    def __int__(self) -> int:
        return self.k

    __index__ = __int__


def choose_k(
    x: Any,
    y: Any = None,
    *,
    weights_x: Any = None,
    weights_y: Any = None,
    min_k: int = _DEFAULTS["min_k"],
    max_k: int = _DEFAULTS["max_k"],
    beyond_floor: int = _DEFAULTS["beyond_floor"],
    p: int = _DEFAULTS["p"],
    shape: str = _DEFAULTS["shape"],
    restarts: int = _DEFAULTS["restarts"],
    max_points: int = _DEFAULTS["max_points"],
    max_dim: int = _DEFAULTS["max_dim"],
    seed: int = 0,
    threads: int = _DEFAULTS["threads"],
    progress: Progress = None,
    table: Optional[Dict[str, Any]] = None,
) -> ChooseKResult:
    """The number of modes of one data set, or of two together, from the curve NW(k).

    k is the smallest number of components at which NW(k) has come down to what sampling noise alone
    would give, right after its last large drop (Theorem 1 of the paper). Frames are taken as in
    :func:`compare`, with the same `table` options.

    Examples
    --------
    >>> import numpy as np, nw
    >>> rng = np.random.default_rng(3)
    >>> x = np.concatenate([rng.normal(c, 0.5, 100) for c in (-6, 0, 6)])
    >>> result = nw.choose_k(x, max_k=6)
    >>> result.k, [point.k for point in result.curve][:3]
    (3, [1, 2, 3])
    """
    tables = encode(x, y, table)
    if tables is not None:
        x, y = tables.x, None if y is None else tables.y
    arrays = as_pair(x, y, weights_x, weights_y)
    options = {"min_k": as_count(min_k, "min_k"), "max_k": as_count(max_k, "max_k"),
               "beyond_floor": beyond_floor, "p": p, "shape": shape, "restarts": restarts, "max_points": max_points, "max_dim": max_dim,
               "threads": threads}
    with reporting(progress) as report:
        found = _nw.choose_k(*arrays, options, as_seed(seed), report, tables)
    found["curve"] = [CurvePoint(**point) for point in found["curve"]]
    found["fit"] = NormalizedResult._from_fit(found["fit"], y is not None)
    return ChooseKResult(**found)
