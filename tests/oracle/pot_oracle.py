"""Answers transport problems with POT (Python Optimal Transport).

usage: pot_oracle.py PROBLEMS ANSWERS

PROBLEMS is a sequence of records: eight int64 (kind, n, m, d, p, source weights?, target weights?,
extras) and float64 values: X [n, d] and Y [m, d], or the cost matrix [n, m] where d is 0; weights
where there are some; extras. ANSWERS gets one float64 per problem. Exit code 77: POT is not here.
"""
import sys

import numpy as np

try:
    import ot
    from scipy.spatial.distance import cdist
except ImportError as error:
    print(f"pot_oracle: {error}", file=sys.stderr)
    sys.exit(77)

EXACT, SINKHORN, SLICED = 0, 1, 2


def exact(a, b, cost):
    """emd2 has absolute thresholds inside: give it costs of order one."""
    scale = np.abs(cost).max()
    if scale == 0.0:
        return 0.0
    return ot.emd2(a, b, np.ascontiguousarray(cost / scale), numItermax=10_000_000) * scale


def sinkhorn(a, b, cost, epsilon):
    """<C, T> of the entropic plan, by plain log-domain iteration until it stands still."""
    plan = ot.sinkhorn(a, b, cost, epsilon, method="sinkhorn_log", numItermax=100_000,
                       stopThr=1e-10)
    return float(np.sum(plan * cost))


def sliced(x, y, a, b, p, directions):
    """The mean is ours: POT 0.8.2 divides by its default number of directions."""
    _, log = ot.sliced_wasserstein_distance(x, y, a, b, p=p, projections=directions.T, log=True)
    return np.mean(log["projected_emds"]) ** (1 / p)


def read_problems(path):
    with open(path, "rb") as file:
        while header := file.read(64):
            kind, n, m, d, p, has_a, has_b, extras = np.frombuffer(header, dtype=np.int64)

            def values(count):
                return np.frombuffer(file.read(8 * int(count)), dtype=np.float64)

            if d > 0:
                x, y = values(n * d).reshape(n, d), values(m * d).reshape(m, d)
                cost = cdist(x, y, "euclidean" if p == 1 else "sqeuclidean")
            else:
                x = y = None
                cost = values(n * m).reshape(n, m)
            a = values(n) if has_a else np.ones(n)
            b = values(m) if has_b else np.ones(m)
            yield kind, x, y, cost, a / a.sum(), b / b.sum(), int(p), values(extras)


def main():
    answers = []
    for kind, x, y, cost, a, b, p, extras in read_problems(sys.argv[1]):
        if kind == EXACT:
            answers.append(exact(a, b, cost))
        elif kind == SINKHORN:
            answers.append(sinkhorn(a, b, cost, extras[0]))
        else:
            answers.append(sliced(x, y, a, b, p, extras.reshape(-1, x.shape[1])))
    np.array(answers, dtype=np.float64).tofile(sys.argv[2])


if __name__ == "__main__":
    main()
