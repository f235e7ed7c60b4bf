#!/usr/bin/python3
"""What changed? Verdicts of nw compare and of what one would try otherwise, on the same pairs.

Usage: bench/rivals.py NW [--tables FOLDER] [--pairs N] [--cap N] [--rings] [--seed N] [--without NAME]

Pairs come from labelled tables (CSV, last column `class`), which nobody here designed: a table is a mixture whose members
are its classes. Rows are drawn without replacement, at most four classes a pair, columns as they come:
  same    one mix of the classes, twice
  prop    the mix of X turned round in Y (0.6 / 0.3 / 0.1 against 0.1 / 0.3 / 0.6)
  shift   as prop, and one class of Y changed in half of its columns: moved by one deviation, or times 1.2
  new     a class that X lacks makes up 30 % of Y
--rings draws from eight Gaussians on a ring instead, where every method is at home.

Each method answers same, proportions or components at level 0.05:
  mixture     Gaussian mixture by BIC on both samples; chi-squared test of its members; energy test within each (Bonferroni)
  k-means     the same with k-means, k by the silhouette
  classifier  two-sample test by a random forest; proportions if no region's predicted ratio exceeds 4, else components
  columns     Kolmogorov-Smirnov per column: same unless half of the columns drift, which says no more than "differs"
  context     MMD given a context (Cobb and Van Looveren 2022), the context being the mixture's posterior: does Y differ from X
              where the posterior is alike; and an MMD test of the posteriors themselves for the mix
  nw          nw compare
A method that cannot tell the two kinds of change says `differs`; it counts as wrong for both, and the column "sees it" says how
often it noticed that anything changed.
"""
import argparse
import collections
import glob
import json
import os
import subprocess
import sys
import tempfile

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import chi2_contingency, ks_2samp
from sklearn.cluster import KMeans
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import cross_val_predict

from verdict_pairs import draw_pair, read_table

CASES = ("same", "prop", "shift", "new")
TRUTH = {"same": "same", "prop": "proportions", "shift": "components", "new": "components"}
LEVEL, PERMUTATIONS, WITHIN_PERMUTATIONS, MOST_K = 0.05, 99, 499, 8


def scaled(x, y):
    both = np.r_[x, y]
    low, middle, high = np.quantile(both, [0.1, 0.5, 0.9], axis=0)
    width = np.where(high > low, (high - low) / 2.563, both.std(0))
    live = width > 0
    return [(z[:, live] - middle[live]) / width[live] for z in (x, y)]


def leading(x, y, most=10):
    """Principal components of both samples, as many as keep 95 %, at most ten."""
    both = np.r_[x, y]
    mean = both.mean(0)
    values, axes = np.linalg.eigh(np.cov((both - mean).T).reshape(both.shape[1], -1))
    order = np.argsort(-values)
    keep = 1 + int(np.searchsorted(np.cumsum(values[order]) / values.sum(), 0.95))
    axes = axes[:, order[: min(keep, most)]]
    return (x - mean) @ axes, (y - mean) @ axes


# --- pairs -------------------------------------------------------------------------------------

def table_pair(table, case, rng, cap, odd):
    x, _, y, _, _ = draw_pair(*table, case, rng, cap, odd)
    return x, y


def ring_pair(case, rng, rows, index):
    angle = 2 * np.pi * np.arange(8) / 8
    centres = 4 * np.c_[np.cos(angle), np.sin(angle)]
    shares = rng.dirichlet(np.full(8, 3.0), 2)
    if case == "same" or (case == "shift" and index % 2):
        shares[1] = shares[0]
    moved = centres.copy()
    if case == "shift":
        turn = rng.uniform(0, 2 * np.pi)
        moved[np.argmax(shares.min(0))] += 0.9 * np.array([np.cos(turn), np.sin(turn)])
    if case == "new":
        shares[0, 0], shares[1, 0] = 0.0, 0.3 * shares[1, 1:].sum() / 0.7
        shares /= shares.sum(1, keepdims=True)
    draw = lambda pi, at: at[rng.choice(8, rows, p=pi)] + 0.3 * rng.standard_normal((rows, 2))
    return draw(shares[0], centres), draw(shares[1], moved)


# --- rivals ------------------------------------------------------------------------------------

def energy_p(x, y, rng):
    """As many permutations as Bonferroni over eight members needs."""
    distance, n = cdist(np.r_[x, y], np.r_[x, y]), len(x)
    label = np.r_[np.ones(n) / n, -np.ones(len(y)) / len(y)]
    draws = np.stack([label] + [rng.permutation(label) for _ in range(WITHIN_PERMUTATIONS)])
    values = -np.einsum("ij,ij->i", draws @ distance, draws)
    return np.mean(values >= values[0] - 1e-12)


def by_members(x, y, member, k, rng):
    """Chi-squared test of the shares, energy tests within members."""
    in_x, in_y = member[: len(x)], member[len(x):]
    counts = np.array([[np.sum(in_x == j), np.sum(in_y == j)] for j in range(k)])
    counts = counts[counts.sum(1) > 0]
    p_within = 1.0
    for j in range(k):
        a, b = x[in_x == j], y[in_y == j]
        few = min(len(a), len(b))
        if few >= 5:
            p_within = min(p_within, k * energy_p(a, b, rng))
        elif max(len(a) / len(x), len(b) / len(y)) > 0.05:
            return "components"  # in one sample only
    if p_within < LEVEL:
        return "components"
    p_mix = chi2_contingency(counts)[1] if len(counts) > 1 else 1.0
    return "proportions" if p_mix < LEVEL else "same"


def mixture_of(x, y):
    both = np.r_[x, y]
    fits = [GaussianMixture(k, n_init=2, reg_covar=1e-3, random_state=0).fit(both) for k in range(1, MOST_K + 1)]
    return min(fits, key=lambda fit: fit.bic(both))


def ask_mixture(x, y, rng, _):
    a, b = leading(x, y)
    fit = mixture_of(a, b)
    return by_members(x, y, fit.predict(np.r_[a, b]), fit.n_components, rng)


def ask_kmeans(x, y, rng, _):
    both = np.r_[x, y]
    best = max((KMeans(k, n_init=5, random_state=0).fit(both) for k in range(2, MOST_K + 1)),
               key=lambda fit: silhouette_score(both, fit.labels_))
    return by_members(x, y, best.labels_, best.n_clusters, rng)


def ask_classifier(x, y, rng, _):
    from scipy.stats import binom, mannwhitneyu

    both, label = np.r_[x, y], np.r_[np.zeros(len(x)), np.ones(len(y))]
    order = rng.permutation(len(both))
    forest = RandomForestClassifier(200, min_samples_leaf=5, random_state=0)
    score = np.empty(len(both))
    score[order] = cross_val_predict(forest, both[order], label[order], cv=5, method="predict_proba")[:, 1]
    if mannwhitneyu(score[label == 1], score[label == 0], alternative="greater").pvalue >= LEVEL:
        return "same"
    # A tenth of the rows at either end: more than four times as many of one sample as of the other?
    tenth = len(both) // 10
    for sign, own in ((1, 1), (-1, 0)):
        rows = np.argsort(-sign * score)[:tenth]
        odds = np.mean(label == own) / np.mean(label != own)
        if binom.sf(np.sum(label[rows] == own) - 1, tenth, 4 * odds / (1 + 4 * odds)) < LEVEL / 2:
            return "components"
    return "proportions"


def ask_columns(x, y, rng, _):
    drift = [ks_2samp(x[:, c], y[:, c], method="asymp").pvalue < LEVEL for c in range(x.shape[1])]
    return "differs" if np.mean(drift) >= 0.5 else "same"


def gram(points):
    distance = cdist(points, points)
    width = np.median(distance[distance > 0]) if np.any(distance > 0) else 1.0
    return np.exp(-((distance / width) ** 2) / 2)


def mmd(kernel, v):
    return v @ kernel @ v


def ask_context(x, y, rng, _):
    """MMD-ADiTT: conditional mean embeddings of both samples given the context, at Y's contexts."""
    a, b = leading(x, y)
    posterior = mixture_of(a, b).predict_proba(np.r_[a, b])
    n, rows = len(x), len(x) + len(y)
    label = np.arange(rows) >= n
    k, context = gram(np.r_[x, y]), gram(posterior)
    forest = RandomForestClassifier(100, min_samples_leaf=10, random_state=0)
    chance = np.clip(cross_val_predict(forest, posterior, label, cv=5, method="predict_proba")[:, 1], 0.02, 0.98)

    def statistic(of_y, at):
        weights = []
        for side in (~of_y, of_y):
            own = np.flatnonzero(side)
            solve = np.linalg.solve(context[np.ix_(own, own)] + 0.01 * len(own) * np.eye(len(own)),
                                    context[np.ix_(own, at)])
            w = np.zeros((rows, len(at)))
            w[own] = solve
            weights.append(w)
        difference = weights[1] - weights[0]
        return np.einsum("ij,ij->", difference, k @ difference) / len(at)

    at = rng.choice(np.flatnonzero(label), min(60, len(y)), replace=False)
    seen = statistic(label, at)
    # Labels drawn anew from their chance given the context: the mix stays, nothing else does.
    null = []
    for _ in range(PERMUTATIONS // 2):
        drawn = rng.uniform(size=rows) < chance
        if 5 < drawn.sum() < rows - 5:
            null.append(statistic(drawn, rng.choice(np.flatnonzero(drawn), min(60, drawn.sum()), replace=False)))
    if (1 + sum(v >= seen for v in null)) / (len(null) + 1) < LEVEL:
        return "components"
    sign = np.where(label, 1 / len(y), -1 / n)
    seen = mmd(context, sign)
    p = (1 + sum(mmd(context, rng.permutation(sign)) >= seen for _ in range(PERMUTATIONS))) / (PERMUTATIONS + 1)
    return "proportions" if p < LEVEL else "same"


def ask_nw(x, y, rng, place):
    for name, z in (("x", x), ("y", y)):
        np.savetxt(os.path.join(place["folder"], name + ".csv"), z, delimiter=",", comments="", fmt="%.17g",
                   header=",".join(f"c{c + 1}" for c in range(z.shape[1])))
    call = [place["nw"], "compare", os.path.join(place["folder"], "x.csv"), os.path.join(place["folder"], "y.csv"),
            "--json", "-", "--quiet"]
    return json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)["verdict"]


METHODS = {"mixture": ("Gaussian mixture by BIC, chi-squared, energy test", ask_mixture),
           "k-means": ("k-means, chi-squared, energy test", ask_kmeans),
           "classifier": ("domain classifier, ratio of four", ask_classifier),
           "columns": ("Kolmogorov-Smirnov per column, half of them", ask_columns),
           "context": ("context-aware MMD, context = posterior", ask_context),
           "nw": ("nw compare", ask_nw)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("nw")
    parser.add_argument("--tables", default="../shared/data/tables/labelled", help="folder of labelled CSV files")
    parser.add_argument("--pairs", type=int, default=3, help="pairs of each case and table")
    parser.add_argument("--cap", type=int, default=300, help="rows of each sample at most")
    parser.add_argument("--rings", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--without", action="append", default=[], choices=METHODS)
    options = parser.parse_args()
    tables = {} if options.rings else {
        os.path.basename(p)[:-4]: p for p in sorted(glob.glob(os.path.join(options.tables, "*.csv")))}
    if not options.rings and not tables:
        sys.exit(f"{options.tables}: no labelled tables here; --rings needs none")
    said = {name: {c: collections.Counter() for c in CASES} for name in METHODS}
    with tempfile.TemporaryDirectory() as folder:
        place = {"nw": options.nw, "folder": folder}
        for name in tables or ["ring"]:
            loaded = read_table(tables[name]) if tables else None
            for number, case in enumerate(CASES):
                for i in range(options.pairs):
                    rng = np.random.default_rng([options.seed, i, number, *name.encode()])
                    raw = (table_pair(loaded, case, rng, options.cap, i % 2 == 1) if tables
                           else ring_pair(case, rng, options.cap, i))
                    x, y = scaled(*raw)
                    for method, (_, ask) in METHODS.items():
                        if method in options.without:
                            continue
                        said[method][case][ask(*(raw if method == "nw" else (x, y)), rng, place)] += 1
            so_far = {m: [said[m][c][TRUTH[c]] for c in CASES] for m in METHODS if m not in options.without}
            print(f"{name} done, right so far in {CASES}: {so_far}", file=sys.stderr, flush=True)
    print("| right, % | same | mix changed | class moved | class new | sees a change |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for method, (label, _) in METHODS.items():
        if method in options.without:
            continue
        total = {c: sum(said[method][c].values()) for c in CASES}
        right = [f"{100 * said[method][c][TRUTH[c]] / total[c]:.0f}" for c in CASES]
        sees = np.mean([1 - said[method][c]["same"] / total[c] for c in CASES[1:]])
        print(f"| {label} | {' | '.join(right)} | {100 * sees:.0f} |")
    for method in METHODS:
        print(method, {c: dict(said[method][c]) for c in CASES}, file=sys.stderr)


if __name__ == "__main__":
    main()
