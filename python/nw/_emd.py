"""Transport for a matrix of costs, under the names that POT gave these functions."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _nw
from ._arrays import as_numbers


def _masses(values, name, count):
    """Masses as the solver takes them (None: equal ones) and their total."""
    if values is None or len(values) == 0:
        return None, 1.0
    masses = as_numbers(values, name)
    if masses.shape != (count,):
        raise ValueError(f"{name}: expected {count} masses, got the shape {masses.shape}")
    return masses, float(masses.sum())


def _is_tensor(values):
    return hasattr(values, "requires_grad")


def _type_of(matrix):
    """float32 where the costs are float32, else float64."""
    return np.float32 if str(getattr(matrix, "dtype", "")).endswith("float32") else np.float64


def _is_sparse(matrix):
    return hasattr(matrix, "tocsr")


def _solve_entries(M, left, right, threads):
    """What the library finds where only the stored entries of M may be used."""
    rows = M.tocsr(copy=True)
    rows.sum_duplicates()
    begin, column = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
    return _nw.emd_sparse(begin, column, as_numbers(rows.data, "M"), rows.shape[1], left, right, threads)


def solve_matrix(a, b, M, threads, warm_start):
    """What the library finds, with the plan as (source, target, mass) of the total mass of `a`."""
    costs = M if _is_sparse(M) else as_numbers(M, "M")
    if costs.ndim != 2:
        raise ValueError(f"M: expected a matrix of costs, got the shape {costs.shape}")
    if _is_sparse(M) and warm_start is not None:
        raise ValueError("warm_start: sparse costs take none")
    left, total = _masses(a, "a", costs.shape[0])
    right, other = _masses(b, "b", costs.shape[1])
    if abs(total - other) > 1e-6 * max(abs(total), abs(other)):
        raise ValueError(f"a and b must have the same sum, got {total:g} and {other:g}")
    earlier = None
    if warm_start is not None:
        if warm_start.get("plan") is None or warm_start.get("potentials") is None:
            raise ValueError("warm_start must be the log of an earlier call")
        source, target, mass = warm_start["plan"]
        scale = mass.sum() or 1.0
        earlier = ((source, target, mass / scale), warm_start["potentials"])
    if _is_sparse(M):
        found = _solve_entries(M, left, right, threads)
    else:
        found = _nw.emd(costs, left, right, threads, earlier)
    source, target, mass = found["plan"]
    found["plan"] = (source, target, mass * total)
    found["cost"] *= total
    found["dual"] *= total
    f, g = found["potentials"]
    found.update(u=f, v=g, gap=found["cost"] - found["dual"], warning=None, result_code=1)
    return found


def _matrix_of(found, shape, dtype, sparse):
    source, target, mass = found["plan"]
    if sparse:
        from scipy.sparse import csr_matrix

        return csr_matrix((mass.astype(dtype), (source, target)), shape=shape)
    plan = np.zeros(shape, dtype=dtype)
    plan[source, target] = mass
    return plan


def emd(
    a: Any, b: Any, M: Any, *, sparse: bool = False, log: bool = False, threads: int = 0, warm_start: Any = None
) -> Any:
    """The optimal plan for the costs M between masses a and b, as POT's ``ot.emd`` gives it.

    Parameters
    ----------
    a, b : array-like of shape (n,) and (m,)
        Masses of the same total; empty ones mean equal masses of total one.
    M : array-like of shape (n, m)
        Finite costs; negative ones are fine. float32 costs give a float32 plan. Of a SciPy sparse matrix only the
        stored entries may be used, zeros among them included; the plan is then sparse, too, and a ValueError says how
        much mass is stuck where no plan uses them alone.
    sparse : bool
        Return the plan as a SciPy CSR matrix instead of an array.
    log : bool
        Return (plan, log) with cost, dual, gap, the potentials u and v, and the plan as (source, target, mass).
    warm_start : dict, optional
        The log of an earlier call with the same shape: any gives the right answer, a near one gives it sooner.

    Examples
    --------
    >>> import nw
    >>> nw.emd([0.5, 0.5], [0.5, 0.5], [[0.0, 1.0], [1.0, 0.0]]).tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """
    found = solve_matrix(a, b, M, threads, warm_start)
    shape = (len(found["u"]), len(found["v"]))
    plan = _matrix_of(found, shape, _type_of(M), sparse or _is_sparse(M))
    if _is_tensor(M) and not sparse:
        plan = M.detach().new_tensor(plan)
    return (plan, found) if log else plan


def emd2(a: Any, b: Any, M: Any, *, log: bool = False, threads: int = 0, warm_start: Any = None) -> Any:
    """The cost of the optimal plan, as POT's ``ot.emd2`` gives it.

    PyTorch tensors give a tensor, with gradients for M (the plan) and for a and b (the potentials, of mean zero).

    Examples
    --------
    >>> import nw
    >>> nw.emd2([0.5, 0.5], [0.5, 0.5], [[0.0, 1.0], [1.0, 0.0]])
    0.0
    """
    if _is_tensor(M):
        from ._gradient import matrix_cost

        cost, found = matrix_cost(a, b, M, threads, warm_start)
    else:
        found = solve_matrix(a, b, M, threads, warm_start)
        cost = found["cost"] if _type_of(M) == np.float64 else np.float32(found["cost"])
    return (cost, found) if log else cost
