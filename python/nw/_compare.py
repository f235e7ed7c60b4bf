"""What changed between two data sets."""
from __future__ import annotations

import dataclasses
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

from . import _nw
from ._arrays import as_count, as_seed, as_two
from ._progress import Progress, reporting
from ._record import Drawable
from ._tables import encode

_DEFAULTS = _nw.compare_defaults()


@dataclasses.dataclass(frozen=True, eq=False)
class ComponentChange:
    """One shared component, seen from both data sets."""

    name: str  #: of frames: the columns in which it stands out; empty for arrays
    #: in the units of the data, one entry per name in `CompareResult.names`
    centre: np.ndarray = dataclasses.field(repr=False)
    mass_x: float  #: its proportion in x
    mass_y: float
    mass_x_interval: Tuple[float, float]
    mass_y_interval: Tuple[float, float]
    presence: str  #: both, only x or only y
    status: str  #: shared, moved, new in y or missing from y
    shift: np.ndarray = dataclasses.field(repr=False)
    shift_size: float  #: length of the shift in deviations of the component
    spread_change: float  #: log of its deviation in y over that in x
    contribution: float  #: its share of what changed
    p: float  #: corrected for the number of components
    #: in which columns it moved: `column`, `level` (of a category), `from`, `to` in the units of the
    #: data, `deviations`, `spread_change`, `p` corrected for all columns of all components
    columns_moved: List[Dict[str, Any]] = dataclasses.field(repr=False, default_factory=list)


@dataclasses.dataclass(frozen=True, eq=False)
class Effect:
    """How large a change is, between bounds that hold with `confidence` each."""

    mix_change: float  #: total variation between pi_x and pi_y
    mix_change_interval: Tuple[float, float]
    largest_share_change: float  #: of a single component
    largest_share_change_interval: Tuple[float, float]
    members_moved: float  #: largest W1 of members along a column, in their deviations
    members_moved_interval: Tuple[float, float]
    score_change: float  #: share of rows by which the scores of x and y differ; needs no members
    score_change_interval: Tuple[float, float]
    min_effect: float  #: change of the mix that counts
    min_move: float  #: move of a member that counts, in its deviations
    confidence: float
    equivalent: bool  #: mix and members changed by less than that, if at all
    below_min_effect: bool  #: significant, but shown to be smaller: the verdict is `same`
    sentence: str


@dataclasses.dataclass(frozen=True, eq=False)
class CompareResult(Drawable):
    """The answer of :func:`compare`. A notebook shows it as a picture with its table."""

    verdict: str  #: same, proportions, components or undecided
    sentence: str  #: the answer in words
    notes: List[str] = dataclasses.field(repr=False)
    wasserstein: float
    wasserstein_null: float  #: its mean when the points are shuffled between x and y
    normalized_wasserstein: float
    floor: float  #: the value of W_N that sampling noise alone would give
    k: int
    pi_x: np.ndarray
    pi_y: np.ndarray
    pi_x_interval: np.ndarray = dataclasses.field(repr=False)  #: shape (k, 2)
    pi_y_interval: np.ndarray = dataclasses.field(repr=False)
    p_same: float
    p_components: float
    p_fit: float
    family_fits: bool
    proportion_change: float  #: total variation distance of pi_x and pi_y
    component_change: float
    components: List[ComponentChange] = dataclasses.field(repr=False)
    #: pairs of a component that is gone and a new one that may be one group which moved: `gone` and
    #: `appeared` (numbers counted from 1), `deviations` between them, `columns` with `column`, `level`,
    #: `from`, `to` and `deviations`. A hint; no test stands behind it
    possible_moves: List[Dict[str, Any]] = dataclasses.field(repr=False)
    effect: Effect = dataclasses.field(repr=False)  #: how large the change is, and could be
    #: per column: `column`, `change` (W1 in its deviations), `change_between` and `change_within`
    #: (which add up to it), `p` corrected for all columns
    column_changes: List[Dict[str, Any]] = dataclasses.field(repr=False)
    #: per row tested: "x" or "y", row, member, how much it looks like y, weight in the evidence
    rows: List[Tuple[str, int, int, float, float]] = dataclasses.field(repr=False)
    reason: str = dataclasses.field(repr=False)  #: why the verdict is undecided
    k_interval: Tuple[int, int]  #: the k that the data do not rule out
    p_ratio: float = dataclasses.field(repr=False)  #: no region's share changes beyond share_bound
    p_members: float = dataclasses.field(repr=False)  #: some k explains the difference
    share_bound: float = dataclasses.field(repr=False)
    smallest_share: float  #: a new or vanished member of this share would have been noticed
    interrupted: bool = dataclasses.field(repr=False)
    seconds: float
    record: str = dataclasses.field(repr=False)

    #: of frames: what each entry of a centre is, as "age" or "sex = male"
    names: List[str] = dataclasses.field(repr=False, default_factory=list)
    #: of frames: what was made of each column
    columns: List[Dict[str, Any]] = dataclasses.field(repr=False, default_factory=list)

    def __str__(self) -> str:
        return f"{self.verdict}: {self.sentence}"

    def to_frame(self) -> Any:
        """The components as a frame of pandas, a row each."""
        import pandas

        rows = []
        for component in self.components:
            row = {"name": component.name, "share_x": component.mass_x, "share_y": component.mass_y,
                   "presence": component.presence, "status": component.status,
                   "shift_size": component.shift_size, "p": component.p}
            names = self.names or [f"x{j + 1}" for j in range(len(component.centre))]
            row.update(zip(names, component.centre))
            rows.append(row)
        return pandas.DataFrame(rows)


def compare(
    x: Any,
    y: Any,
    *,
    k: Union[int, str, None] = "auto",
    weights_x: Any = None,
    weights_y: Any = None,
    max_k: int = _DEFAULTS["max_k"],
    resamplings: int = _DEFAULTS["resamplings"],
    alpha: float = _DEFAULTS["alpha"],
    alpha_components: float = _DEFAULTS["alpha_components"],
    confidence: float = _DEFAULTS["confidence"],
    min_effect: float = _DEFAULTS["min_effect"],
    min_move: float = _DEFAULTS["min_move"],
    p: int = _DEFAULTS["p"],
    shape: str = _DEFAULTS["shape"],
    restarts: int = _DEFAULTS["restarts"],
    max_points: int = _DEFAULTS["max_points"],
    max_dim: int = _DEFAULTS["max_dim"],
    seed: int = 0,
    threads: int = _DEFAULTS["threads"],
    progress: Progress = None,
    table: Optional[Dict[str, Any]] = None,
) -> CompareResult:
    """What changed between two data sets: nothing, the proportions, or the components?

    Parameters
    ----------
    x, y : array-like of shape (n, d) and (m, d), or frames
        Points, one per row. Frames of pandas, polars or pyarrow may hold columns of any kind, which
        are matched by name and scaled; results are then in their units.
    k : int or "auto"
        Number of shared components; chosen by BIC up to `max_k` by default. The verdict does
        not depend on it.
    resamplings : int
        Behind every p-value and interval.
    alpha, alpha_components : float
        Levels of "the data differ" and of "a component changed".
    min_effect, min_move : float
        What counts as a change: of the mix (a share: 0.03 is three points), of a member (in its
        deviations). A significant change that is shown to be smaller is called "same".
    shape : {"full", "diagonal", "spherical"}
        Family of the components.
    progress : True or callable, optional
        True draws a bar; a function is called with a stage and the fraction done, a few times per second.
    table : dict, optional
        Of frames: `columns` and `exclude` (lists of names), `types` (name to kind), `missing`
        ("keep", "drop" or "error"), `scale` ("robust", "std", "rank" or "none") and `count_column`
        (that says for how many rows each one stands).

    Examples
    --------
    >>> import numpy as np, nw
    >>> rng = np.random.default_rng(2)
    >>> x = np.concatenate([rng.normal(0, 1, 200), rng.normal(9, 1, 100)])
    >>> y = np.concatenate([rng.normal(0, 1, 60), rng.normal(9, 1, 240)])
    >>> result = nw.compare(x, y, k=2, resamplings=99)
    >>> result.verdict
    'proportions'
    >>> sorted(result.pi_x.round(1).tolist()), sorted(result.pi_y.round(1).tolist())
    ([0.3, 0.7], [0.2, 0.8])
    >>> result.normalized_wasserstein < 0.2 * result.wasserstein
    True
    """
    tables = encode(x, y, table)
    if tables is not None:
        x, y = tables.x, tables.y
    arrays = as_two(x, y, weights_x, weights_y)
    options = {"k": as_count(k, "k", auto=True) or 0, "max_k": max_k, "resamplings": resamplings,
               "alpha": alpha, "alpha_components": alpha_components, "confidence": confidence,
               "min_effect": min_effect, "min_move": min_move, "p": p,
               "shape": shape, "restarts": restarts, "max_points": max_points, "max_dim": max_dim,
               "threads": threads}
    with reporting(progress) as report:
        found = _nw.compare(*arrays, options, as_seed(seed), report, tables)
    found["components"] = [ComponentChange(**component) for component in found["components"]]
    found["effect"] = Effect(**found["effect"])
    if tables is not None:
        found.update(names=tables.names, columns=tables.columns)
    return CompareResult(**found)
