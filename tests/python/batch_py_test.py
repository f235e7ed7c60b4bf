"""Batches, POT's names, gradients, warm starts and early stops, against POT, SciPy and finite differences."""
import time

import numpy as np
import pytest

import nw

RNG = np.random.default_rng(11)


def pot_cost(x, y, p, a=None, b=None):
    ot = pytest.importorskip("ot")
    costs = ot.dist(x, y, metric="euclidean" if p == 1 else "sqeuclidean")
    a = np.full(len(x), 1 / len(x)) if a is None else a / a.sum()
    b = np.full(len(y), 1 / len(y)) if b is None else b / b.sum()
    return ot.emd2(a, b, costs)


@pytest.mark.parametrize("p", [1, 2])
def test_a_batch_equals_pot_one_by_one(p):
    x, y = RNG.normal(size=(40, 64, 8)), RNG.normal(size=(40, 48, 8)) + 0.3
    result = nw.wasserstein_batch(x, y, p=p)
    expected = np.array([pot_cost(x[k], y[k], p) for k in range(40)])
    np.testing.assert_allclose(result.primal, expected, rtol=1e-9)
    np.testing.assert_allclose(result.distance, expected ** (1 / p), rtol=1e-9)
    assert (result.primal - result.dual <= 1e-12 * expected).all()
    assert len(result) == 40 and np.asarray(result).shape == (40,) and result.plans is None


def test_a_batch_takes_samples_of_different_sizes_and_weights():
    sizes = [(1, 5), (8, 8), (30, 7), (300, 40)]
    x = [RNG.normal(size=(n, 2)) for n, _ in sizes]
    y = [RNG.normal(size=(m, 2)) for _, m in sizes]
    a = [RNG.random(n) for n, _ in sizes]
    result = nw.wasserstein_batch(x, y, weights_x=a, plans=True, threads=2)
    for k in range(len(sizes)):
        assert result.distance[k] == pytest.approx(pot_cost(x[k], y[k], 1, a[k]), rel=1e-9)
        source, target, mass = result.plans[k]
        np.testing.assert_allclose(np.bincount(source, mass, len(x[k])), a[k] / a[k].sum(), rtol=1e-9)
        f, g = result.potentials[k]
        cost = np.linalg.norm(x[k][:, None] - y[k][None], axis=2)
        assert (f[:, None] + g[None] <= cost + 1e-12).all()
    alone = nw.wasserstein_batch(x, y, weights_x=a, threads=1)
    assert (alone.primal == result.primal).all()


def test_a_batch_is_many_times_faster_than_a_loop_over_pot():
    ot = pytest.importorskip("ot")
    x, y = RNG.normal(size=(400, 64, 8)), RNG.normal(size=(400, 64, 8))
    weights = np.full(64, 1 / 64)
    nw.wasserstein_batch(x[:10], y[:10], p=2)
    started = time.process_time()
    batch = nw.wasserstein_batch(x, y, p=2, threads=1)
    ours = time.process_time() - started
    started = time.process_time()
    theirs_found = [ot.emd2(weights, weights, ot.dist(x[k], y[k])) for k in range(len(x))]
    theirs = time.process_time() - started
    np.testing.assert_allclose(batch.primal, theirs_found, rtol=1e-9)
    assert ours * 3 < theirs, f"{ours:.3f} s against {theirs:.3f} s of one core"


def test_bad_batches_are_named():
    x = np.zeros((3, 4, 2))
    with pytest.raises(ValueError, match="x has 3 samples and y has 2"):
        nw.wasserstein_batch(x, x[:2])
    with pytest.raises(ValueError, match=r"x\[1\] has 3 columns and x\[0\] has 2"):
        nw.wasserstein_batch([np.zeros((2, 2)), np.zeros((2, 3))], [np.zeros((2, 2))] * 2)
    bad = x.copy()
    bad[2, 1, 0] = np.nan
    with pytest.raises(ValueError, match="problem 2: the source cloud has nan in row 1, column 0"):
        nw.wasserstein_batch(bad, x)
    with pytest.raises(ValueError, match="p must be 1 or 2, got 3"):
        nw.wasserstein_batch(x, x, p=3)


def test_pairs_give_a_metric_matrix():
    samples = [RNG.normal(loc=k, size=(20 + k, 3)) for k in range(5)]
    matrix = nw.wasserstein_pairs(samples, p=2)
    assert (matrix == matrix.T).all() and (np.diag(matrix) == 0).all()
    for i in range(5):
        for j in range(i):
            assert matrix[i, j] == pytest.approx(pot_cost(samples[i], samples[j], 2) ** 0.5, rel=1e-9)
            assert all(matrix[i, j] <= matrix[i, k] + matrix[k, j] + 1e-12 for k in range(5))


def test_emd_and_emd2_answer_as_pot_does():
    ot = pytest.importorskip("ot")
    for n, m in ((7, 9), (60, 60), (300, 280)):
        costs = RNG.normal(size=(n, m))
        a, b = RNG.random(n), RNG.random(m)
        b *= a.sum() / b.sum()
        plan, log = nw.emd(a, b, costs, log=True)
        np.testing.assert_allclose(plan.sum(1), a, rtol=1e-9)
        np.testing.assert_allclose(plan.sum(0), b, rtol=1e-9)
        expected = ot.emd2(a / a.sum(), b / b.sum(), costs) * a.sum()
        assert (plan * costs).sum() == pytest.approx(expected, rel=1e-9)
        assert nw.emd2(a, b, costs) == pytest.approx(expected, rel=1e-9)
        assert log["cost"] == pytest.approx(expected, rel=1e-9) and log["gap"] < 1e-9
        assert (log["u"][:, None] + log["v"][None] <= costs + 1e-9).all()
    assert nw.emd2([], [], [[1.0, 2.0], [3.0, 1.0]]) == 1.0
    with pytest.raises(ValueError, match="a and b must have the same sum, got 1 and 2"):
        nw.emd([0.5, 0.5], [1.0, 1.0], np.eye(2))


def test_plans_come_sparse_and_in_single_precision_where_asked():
    sparse = pytest.importorskip("scipy.sparse")
    costs = RNG.random((30, 20)).astype(np.float32)
    plan = nw.emd([], [], costs, sparse=True)
    assert sparse.issparse(plan) and plan.shape == (30, 20) and plan.dtype == np.float32 and plan.nnz < 50
    np.testing.assert_allclose(plan.toarray(), nw.emd([], [], costs))
    assert nw.emd([], [], costs).dtype == np.float32 and isinstance(nw.emd2([], [], costs), np.float32)
    x, y = RNG.normal(size=(30, 2)), RNG.normal(size=(20, 2))
    result = nw.wasserstein(x, y)
    coupling = result.coupling()
    assert coupling.shape == (30, 20)
    cost = np.linalg.norm(x[:, None] - y[None], axis=2)
    assert coupling.multiply(cost).sum() == pytest.approx(result.distance, rel=1e-12)
    assert nw.wasserstein(x.astype(np.float32), y).distance == pytest.approx(result.distance, rel=1e-6)


def test_sparse_costs_are_solved_over_their_entries_alone():
    sparse = pytest.importorskip("scipy.sparse")
    linprog = pytest.importorskip("scipy.optimize").linprog
    ot = pytest.importorskip("ot")
    n, m = 40, 30
    mask = RNG.random((n, m)) < 0.15
    mask[np.arange(n), np.arange(n) % m] = True
    dense = np.where(mask, RNG.normal(size=(n, m)), 0.0)
    i, j = np.nonzero(mask)
    costs = sparse.coo_matrix((dense[i, j], (i, j)), shape=(n, m))
    flow = RNG.random(len(i))  # masses for which a plan exists: those of one
    a, b = np.bincount(i, flow, n), np.bincount(j, flow, m)
    plan, log = nw.emd(a, b, costs, log=True)
    assert sparse.issparse(plan) and not plan.toarray()[~mask].any()
    np.testing.assert_allclose(plan.sum(1).A1, a, rtol=1e-9)
    np.testing.assert_allclose(plan.sum(0).A1, b, rtol=1e-9)
    equal = sparse.vstack([sparse.coo_matrix((np.ones(len(i)), (k, np.arange(len(i)))), shape=(s, len(i)))
                           for k, s in ((i, n), (j, m))]).tocsr()
    reference = linprog(dense[i, j], A_eq=equal, b_eq=np.concatenate([a, b]), method="highs")
    assert nw.emd2(a, b, costs) == pytest.approx(reference.fun, rel=1e-9)
    forbidding = np.where(mask, dense, 1e3)
    assert log["cost"] == pytest.approx(ot.emd2(a, b * (a.sum() / b.sum()), forbidding), rel=1e-7)
    assert abs(log["gap"]) < 1e-9 * a.sum()
    assert (log["u"][i] + log["v"][j] <= dense[i, j] + 1e-9).all()
    narrow = sparse.csr_matrix(([1.0, 1.0, 1.0, 1.0], ([0, 1, 2, 2], [0, 0, 1, 2])), shape=(3, 3))
    with pytest.raises(ValueError, match="0.333333 of the mass cannot be moved; sources 0, 1 with 0.666667 of it"):
        nw.emd([], [], narrow)
    with pytest.raises(ValueError, match="target 1 has mass and no entry"):
        nw.emd([], [], sparse.csr_matrix(([1.0, 1.0], ([0, 1], [0, 0])), shape=(2, 2)))
    with pytest.raises(ValueError, match="sparse costs take none"):
        nw.emd(a, b, costs, warm_start=log)


def test_a_warm_start_gives_the_cold_answer():
    x, y = RNG.normal(size=(400, 2)), RNG.normal(size=(380, 2))
    earlier = nw.wasserstein(x, y, p=2)
    moved = x + 0.01 * RNG.normal(size=x.shape)
    warm = nw.wasserstein(moved, y, p=2, warm_start=earlier)
    assert warm.distance == pytest.approx(nw.wasserstein(moved, y, p=2).distance, rel=1e-12)
    costs = RNG.random((300, 280))
    _, log = nw.emd([], [], costs, log=True)
    near = costs + 1e-3 * RNG.random(costs.shape)
    assert nw.emd2([], [], near, warm_start=log) == pytest.approx(nw.emd2([], [], near), rel=1e-12)
    with pytest.raises(ValueError, match="warm_start"):
        nw.wasserstein(moved[:10], y, warm_start=earlier)


def test_a_gap_asked_for_is_reached_and_said():
    x, y = RNG.normal(size=(4000, 2)), RNG.normal(size=(4000, 2)) + 0.5
    best = nw.wasserstein(x, y)
    rough = nw.wasserstein(x, y, gap=1e-2)
    assert rough.converged and not rough.exact and "gap of 0.01" in rough.reason
    assert rough.dual <= best.distance <= rough.primal <= best.distance * 1.0102
    seconds, pivots, cost, bound = rough.history
    assert (np.diff(seconds) >= 0).all() and (np.diff(pivots) >= 0).all()
    assert (cost >= best.distance * (1 - 1e-12)).all() and (bound <= best.distance * (1 + 1e-12)).all()
    stopped = nw.wasserstein(x, y, stop_after=1e-6)
    assert not stopped.converged and stopped.dual <= best.distance <= stopped.primal
    assert stopped.plan is not None


# ---- other costs


@pytest.mark.parametrize("metric, exponent", [
    ("euclidean", 1.0), ("euclidean", 1.5), ("euclidean", 2.0), ("cityblock", 1.0), ("cityblock", 2.0),
    ("chebyshev", 1.0), ("cosine", 1.0), ("cosine", 1.3),
])  # fmt: skip
def test_other_costs_equal_those_of_pot_on_the_matrix_of_scipy(metric, exponent):
    ot, distance = pytest.importorskip("ot"), pytest.importorskip("scipy.spatial.distance")
    x, y, a = RNG.normal(size=(35, 3)), RNG.normal(size=(28, 3)) + 0.5, RNG.random(35)
    costs = distance.cdist(x, y, metric) ** exponent
    result = nw.transport_cost(x, y, metric=metric, exponent=exponent, weights_x=a)
    expected = ot.emd2(a / a.sum(), np.full(28, 1 / 28), costs)
    assert result.cost == pytest.approx(expected, rel=1e-9) and result.exact and abs(result.gap) < 1e-9
    f, g = result.potentials
    assert (f[:, None] + g[None] <= costs + 1e-9).all()
    assert result.coupling().multiply(costs).sum() == pytest.approx(expected, rel=1e-9)


def test_mahalanobis_distances_equal_those_of_scipy():
    ot, distance = pytest.importorskip("ot"), pytest.importorskip("scipy.spatial.distance")
    x, y = RNG.normal(size=(30, 3)), RNG.normal(size=(25, 3)) * 2
    root = RNG.normal(size=(3, 3))
    precision = root @ root.T + 0.1 * np.eye(3)
    for exponent in (1.0, 2.0):
        costs = distance.cdist(x, y, "mahalanobis", VI=precision) ** exponent
        result = nw.transport_cost(x, y, precision=precision, exponent=exponent)
        assert result.cost == pytest.approx(ot.emd2([], [], costs), rel=1e-9)
    with pytest.raises(ValueError, match="not positive definite"):
        nw.transport_cost(x, y, precision=-np.eye(3))
    with pytest.raises(ValueError, match="metric must be euclidean, cityblock, chebyshev or cosine, got 'maze'"):
        nw.transport_cost(x, y, metric="maze")


def test_partial_transport_equals_linear_programming():
    optimize = pytest.importorskip("scipy.optimize")
    n, m = 7, 5
    costs, a, b = RNG.random((n, m)), RNG.random(n), RNG.random(m)
    for price in (0.0, 0.1, 0.3, 5.0):
        # min <C, T> + price (sum a - sum T) + price (sum b - sum T), T >= 0, marginals at most a and b.
        rows = np.kron(np.eye(n), np.ones(m))
        columns = np.kron(np.ones(n), np.eye(m))
        solved = optimize.linprog((costs - 2 * price).ravel(), np.vstack([rows, columns]), np.concatenate([a, b]))
        expected = solved.fun + price * (a.sum() + b.sum())
        result = nw.partial_emd(a, b, costs, price)
        assert result.cost == pytest.approx(expected, rel=1e-8, abs=1e-12)
        assert result.moved + result.left_at_source == pytest.approx(a.sum())
        assert result.moved + result.left_at_target == pytest.approx(b.sum())
        f, g = result.potentials
        assert (f <= price + 1e-12).all() and (g <= price + 1e-12).all()
        assert (f[:, None] + g[None] <= costs + 1e-12).all()
        assert a @ f + b @ g == pytest.approx(expected, rel=1e-8, abs=1e-12)
    with pytest.raises(ValueError, match="price"):
        nw.partial_emd(a, b, costs, -1.0)


# ---- gradients


def transport_loss():
    pytest.importorskip("torch")
    return nw.transport_loss


def difference(function, values, index, step=1e-6):
    up, down = values.clone(), values.clone()
    up[index] += step
    down[index] -= step
    return (float(function(up)) - float(function(down))) / (2 * step)


@pytest.mark.parametrize("p", [1, 2])
def test_gradients_of_points_and_weights_equal_finite_differences(p):
    loss = transport_loss()
    import torch

    x = torch.tensor(RNG.normal(size=(12, 3)), requires_grad=True)
    y = torch.tensor(RNG.normal(size=(9, 3)) + 0.4, requires_grad=True)
    a = torch.tensor(RNG.random(12) + 0.1, requires_grad=True)
    b = torch.tensor(RNG.random(9) + 0.1, requires_grad=True)
    value = loss(x, y, p=p, weights_x=a, weights_y=b)
    assert float(value) == pytest.approx(
        pot_cost(x.detach().numpy(), y.detach().numpy(), p, a.detach().numpy(), b.detach().numpy()), rel=1e-9)
    (3.0 * value).backward()

    def check(tensor, function):
        values = tensor.detach()
        for index in np.ndindex(*values.shape):
            assert float(tensor.grad[index]) == pytest.approx(3.0 * difference(function, values, index), abs=1e-5)

    with torch.no_grad():
        check(x, lambda t: loss(t, y, p=p, weights_x=a, weights_y=b))
        check(y, lambda t: loss(x, t, p=p, weights_x=a, weights_y=b))
        check(a, lambda t: loss(x, y, p=p, weights_x=t, weights_y=b))
        check(b, lambda t: loss(x, y, p=p, weights_x=a, weights_y=t))


def test_emd2_of_tensors_has_the_gradients_of_finite_differences():
    torch = pytest.importorskip("torch")
    costs = torch.tensor(RNG.random((8, 6)), requires_grad=True)
    a = torch.tensor(RNG.random(8) + 0.2)
    b = torch.tensor(RNG.random(6) + 0.2)
    a, b = (a / a.sum()).requires_grad_(), (b / b.sum()).requires_grad_()
    nw.emd2(a, b, costs).backward()
    with torch.no_grad():
        for index in np.ndindex(8, 6):
            slope = difference(lambda t: nw.emd2(a, b, t), costs.detach(), index)
            assert float(costs.grad[index]) == pytest.approx(slope, abs=1e-5)
        # Masses keep their sum: what moves from one point to another.
        for i in range(7):
            step = torch.zeros(8, dtype=torch.float64)
            step[i], step[i + 1] = 1e-6, -1e-6
            slope = (float(nw.emd2(a + step, b, costs)) - float(nw.emd2(a - step, b, costs))) / 2e-6
            assert float(a.grad[i] - a.grad[i + 1]) == pytest.approx(slope, abs=1e-5)
    single = nw.emd2([], [], costs.detach().float())
    assert single.dtype == torch.float32


def test_training_moves_one_cloud_onto_another():
    loss = transport_loss()
    import torch

    goal = torch.tensor(RNG.normal(size=(80, 2)) + 3.0, dtype=torch.float32)
    points = torch.tensor(RNG.normal(size=(80, 2)), dtype=torch.float32, requires_grad=True)
    optimizer = torch.optim.SGD([points], lr=0.3 * len(points))
    result, first, last = None, None, None
    for _ in range(40):
        optimizer.zero_grad()
        value, result = loss(points, goal, p=2, warm_start=result, return_result=True)
        value.backward()
        assert points.grad.dtype == torch.float32 and value.dtype == torch.float32
        optimizer.step()
        first, last = float(value) if first is None else first, float(value)
    assert first > 10.0 and last < 1e-4 * first
    assert nw.wasserstein(points, goal).distance < 0.02
