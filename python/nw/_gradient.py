"""Optimal transport as a loss in PyTorch: the optimal plan and its potentials are the gradients.

By the envelope theorem the plan may be held still while costs move, so the gradient for a point is that of its
costs under the plan; and a mass is worth its potential, up to a constant that normalisation takes away.
"""
from __future__ import annotations

from typing import Any, Optional

import numpy as np
import torch

from ._arrays import as_two
from ._emd import solve_matrix
from ._transport import WassersteinResult, wasserstein


def _per_mass(potential, masses, total):
    """The gradient for masses that are divided by their sum before they count."""
    shares = masses / total
    return (potential - float(shares @ potential)) / total


class _PointCost(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y, weights_x, weights_y, p, threads, holder):
        result = wasserstein(x, y, p=p, method="exact", weights_x=weights_x, weights_y=weights_y, threads=threads,
                             warm_start=holder.get("warm_start"))
        holder["result"] = result
        ctx.p, ctx.result = p, result
        ctx.save_for_backward(x, y, weights_x, weights_y)
        return x.new_tensor(result.primal)

    @staticmethod
    def backward(ctx, upstream):
        x, y, weights_x, weights_y = ctx.saved_tensors
        source, target, mass = ctx.result.plan
        left, right, *_ = as_two(x, y, None, None)
        step = left[source] - right[target]
        if ctx.p == 1:
            length = np.linalg.norm(step, axis=1)
            # Coinciding points: zero is in the subdifferential.
            pull = step * (mass / np.where(length > 0.0, length, 1.0))[:, None]
        else:
            pull = 2.0 * mass[:, None] * step
        grads = [None] * 4
        for k, (points, index, sign) in enumerate(((x, source, 1.0), (y, target, -1.0))):
            if not ctx.needs_input_grad[k]:
                continue
            total = np.zeros((len(points), pull.shape[1]))
            np.add.at(total, index, sign * pull)
            grads[k] = upstream * points.new_tensor(total.reshape(points.shape))
        for k, (weights, potential) in enumerate(zip((weights_x, weights_y), ctx.result.potentials)):
            if weights is None or not ctx.needs_input_grad[2 + k]:
                continue
            masses = weights.detach().cpu().double().numpy()
            grads[2 + k] = upstream * weights.new_tensor(_per_mass(potential, masses, masses.sum()))
        return (*grads, None, None, None)


def transport_loss(
    x: torch.Tensor,
    y: torch.Tensor,
    *,
    p: int = 2,
    weights_x: Optional[torch.Tensor] = None,
    weights_y: Optional[torch.Tensor] = None,
    warm_start: Optional[WassersteinResult] = None,
    threads: int = 0,
    return_result: bool = False,
) -> Any:
    """The exact transport cost W_p^p of two sets of points, with gradients for points and weights.

    Parameters
    ----------
    x, y : tensors of shape (n, d) and (m, d)
        On any device and of any floating type; the cost is computed in double precision on the host.
    p : {1, 2}
        Distances or squared distances are what transport costs.
    weights_x, weights_y : tensors, optional
        Masses, divided by their sum.
    warm_start : WassersteinResult, optional
        The result of the step before: solving again after a small step then takes a fraction of the time.
    return_result : bool
        Return (loss, result), where `result` is what `nw.wasserstein` returns.
    """
    holder = {"warm_start": warm_start}
    loss = _PointCost.apply(x, y, weights_x, weights_y, p, threads, holder)
    return (loss, holder["result"]) if return_result else loss


class _MatrixCost(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, costs, threads, warm_start, holder):
        def empty(masses):
            return masses is None or len(masses) == 0

        found = solve_matrix(None if empty(a) else a, None if empty(b) else b, costs, threads, warm_start)
        holder["found"] = ctx.found = found
        ctx.save_for_backward(a, b, costs)
        return costs.new_tensor(found["cost"])

    @staticmethod
    def backward(ctx, upstream):
        a, b, costs = ctx.saved_tensors
        grads = [None, None, None]
        for k, (masses, potential) in enumerate(((a, ctx.found["u"]), (b, ctx.found["v"]))):
            if masses is not None and ctx.needs_input_grad[k]:
                grads[k] = upstream * masses.new_tensor(potential - potential.mean())
        if ctx.needs_input_grad[2]:
            source, target, mass = ctx.found["plan"]
            plan = np.zeros(costs.shape)
            plan[source, target] = mass
            grads[2] = upstream * costs.new_tensor(plan)
        return (*grads, None, None, None)


def matrix_cost(a, b, costs, threads, warm_start):
    """The optimal cost as a tensor, and all that was found."""
    def tensor(masses):
        if masses is None or len(masses) == 0:
            return None
        return masses if hasattr(masses, "requires_grad") else costs.new_tensor(np.asarray(masses))

    holder: dict = {}
    cost = _MatrixCost.apply(tensor(a), tensor(b), costs, threads, warm_start, holder)
    return cost, holder["found"]
