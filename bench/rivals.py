#!/usr/bin/python3
"""What changed? Error rates of nw compare and of what one would try otherwise, on the same pairs.

Usage: bench/rivals.py build/release/bin/nw [--pairs N] [--rows N] [--seed N]

Each pair is drawn from a ring of eight Gaussians (radius 4, deviation 0.3):
  same         one set of proportions for both samples
  proportions  proportions of their own for each sample
  components   as either of these (in turn), and one or two modes of Y moved by three deviations
Proportions are drawn anew for each pair (Dirichlet), so that the size of the change varies.

A test of "same distribution" can only say whether the samples differ. So beside the rates at level
0.05 each statistic gets the best it could do: two thresholds, chosen with the truth in hand, that
cut it into same < proportions < components or same < components < proportions.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import ot
from scipy.linalg import sqrtm
from scipy.spatial.distance import cdist
from sklearn.ensemble import RandomForestClassifier
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import cross_val_predict

CASES = ("same", "proportions", "components")
MODES, RADIUS, DEVIATION, LEVEL, PERMUTATIONS = 8, 4.0, 0.3, 0.05, 99


def draw(rng, rows, pi, centres):
    kind = rng.choice(len(pi), size=rows, p=pi)
    return centres[kind] + DEVIATION * rng.standard_normal((rows, 2))


def make_pair(case, index, rows, rng):
    angle = 2 * np.pi * np.arange(MODES) / MODES
    centres = RADIUS * np.c_[np.cos(angle), np.sin(angle)]
    pi_x = rng.dirichlet(np.full(MODES, 3.0))
    own = case == "proportions" or (case == "components" and index % 2 == 0)
    pi_y = rng.dirichlet(np.full(MODES, 3.0)) if own else pi_x
    moved = centres.copy()
    if case == "components":
        # The largest modes: a change that few rows show is no fair question.
        for mode in np.argsort(-np.minimum(pi_x, pi_y))[: 1 + index % 2]:
            turn = rng.uniform(0, 2 * np.pi)
            moved[mode] += 3 * DEVIATION * np.array([np.cos(turn), np.sin(turn)])
    return draw(rng, rows, pi_x, centres), draw(rng, rows, pi_y, moved)


def permutation_p(statistic, x, y, rng):
    both, n = np.r_[x, y], len(x)
    observed = statistic(x, y)
    above = 1
    for _ in range(PERMUTATIONS):
        order = rng.permutation(len(both))
        above += statistic(both[order[:n]], both[order[n:]]) >= observed
    return observed, above / (PERMUTATIONS + 1)


def wasserstein(x, y):
    return ot.emd2([], [], cdist(x, y))


def mmd_test(x, y, rng):
    """Gaussian kernel, median bandwidth; permuted on one Gram matrix."""
    both, n = np.r_[x, y], len(x)
    distance = cdist(both, both)
    gram = np.exp(-((distance / np.median(distance)) ** 2) / 2)

    def value(order):
        a, b = order[:n], order[n:]
        return (gram[np.ix_(a, a)].mean() + gram[np.ix_(b, b)].mean()
                - 2 * gram[np.ix_(a, b)].mean())

    observed = value(np.arange(len(both)))
    draws = [value(rng.permutation(len(both))) for _ in range(PERMUTATIONS)]
    return observed, (1 + sum(d >= observed for d in draws)) / (PERMUTATIONS + 1)


def classifier_test(x, y, rng):
    """Held-out accuracy of a random forest against one half (Lopez-Paz and Oquab 2017)."""
    from scipy.stats import binom

    both, label = np.r_[x, y], np.r_[np.zeros(len(x)), np.ones(len(y))]
    order = rng.permutation(len(both))
    forest = RandomForestClassifier(100, min_samples_leaf=5, random_state=0)
    right = (cross_val_predict(forest, both[order], label[order], cv=2) == label[order]).sum()
    return right / len(both), binom.sf(right - 1, len(both), 0.5)


def gaussian_w2(m0, s0, m1, s1):
    root = sqrtm(s0)
    cross = np.real(sqrtm(root @ s1 @ root))
    return ((m0 - m1) ** 2).sum() + np.trace(s0 + s1 - 2 * cross)


def mixture_w2(x, y):
    """MW2 between fitted mixtures (Delon and Desolneux 2020)."""
    a, b = (GaussianMixture(MODES, n_init=3, random_state=0).fit(z) for z in (x, y))
    cost = np.array([[gaussian_w2(a.means_[i], a.covariances_[i], b.means_[j], b.covariances_[j])
                      for j in range(MODES)] for i in range(MODES)])
    return np.sqrt(ot.emd2(a.weights_, b.weights_, np.maximum(cost, 0)))


def unbalanced(x, y):
    """Transport with marginals relaxed by a Kullback-Leibler penalty (Chizat et al. 2018)."""
    cost = cdist(x, y)
    a, b = np.full(len(x), 1 / len(x)), np.full(len(y), 1 / len(y))
    return float(ot.unbalanced.mm_unbalanced2(a, b, cost, reg_m=1.0, div="kl"))


def ask_nw(command, x, y, folder):
    paths = [os.path.join(folder, name) for name in ("x.npy", "y.npy")]
    for path, z in zip(paths, (x, y)):
        np.save(path, z)
    call = [command, "compare", *paths, "--k", str(MODES), "--json", "-", "--quiet"]
    return json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)


def best_three_way(values):
    """Smallest error of two thresholds; values: {case: numbers}, all cases alike in number."""
    numbers = np.concatenate([values[c] for c in CASES])
    truth = np.repeat(np.arange(3), [len(values[c]) for c in CASES])
    order = np.argsort(numbers)
    best = 1.0
    for sequence in ((0, 1, 2), (0, 2, 1)):
        hits = np.stack([np.r_[0, np.cumsum(truth[order] == c)] for c in sequence])
        right = np.array([hits[0][i] + (hits[1][j] - hits[1][i]) + hits[2][-1] - hits[2][j]
                          for i in range(len(order) + 1) for j in range(i, len(order) + 1)])
        best = min(best, 1 - right.max() / len(order))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("nw")
    parser.add_argument("--pairs", type=int, default=40, help="pairs of each case")
    parser.add_argument("--rows", type=int, default=300, help="rows of each sample")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tests = {"permutation test of W": lambda x, y, rng: permutation_p(wasserstein, x, y, rng),
             "MMD, Gaussian kernel": mmd_test,
             "classifier two-sample test": classifier_test}
    scores = {"MW2 of fitted mixtures": mixture_w2, "unbalanced transport": unbalanced}
    values = {name: {c: [] for c in CASES} for name in (*tests, *scores)}
    rejected = {name: dict.fromkeys(CASES, 0) for name in tests}
    verdicts = {c: [] for c in CASES}
    with tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(CASES):
            for index in range(options.pairs):
                rng = np.random.default_rng([options.seed, number, index])
                x, y = make_pair(case, index, options.rows, rng)
                for name, test in tests.items():
                    value, p = test(x, y, rng)
                    values[name][case].append(value)
                    rejected[name][case] += p < LEVEL
                for name, score in scores.items():
                    values[name][case].append(score(x, y))
                verdicts[case].append(ask_nw(options.nw, x, y, folder)["verdict"])
            print(f"{case}: {options.pairs} pairs", file=sys.stderr)

    def share(count):
        return f"{100 * count / options.pairs:.0f} %"

    print("| method | says that same pairs differ | that proportions differ | that components differ "
          "| wrong about what changed |")
    print("| --- | --- | --- | --- | --- |")
    for name in values:
        rates = ([share(rejected[name][c]) for c in CASES] if name in rejected else ["", "", ""])
        error = best_three_way(values[name])
        print(f"| {name} | {' | '.join(rates)} | {100 * error:.0f} % at best |")
    rates = [share(sum(v != "same" for v in verdicts[c])) for c in CASES]
    wrong = np.mean([v != c for c in CASES for v in verdicts[c]])
    print(f"| nw compare, its verdict | {' | '.join(rates)} | {100 * wrong:.0f} % |")
    for case in CASES:
        print(f"nw on {case}: " + ", ".join(f"{v} {verdicts[case].count(v)}"
                                            for v in sorted(set(verdicts[case]))), file=sys.stderr)


if __name__ == "__main__":
    main()
