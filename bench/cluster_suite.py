#!/usr/bin/env python3
"""Clusterings of a benchmark suite by nw and its rivals, each with the true number of clusters.

    bench/cluster_suite.py --nw build/release/cli/nw --data FOLDER [--batteries fcps,graves] [--json FILE]
    bench/cluster_suite.py --nw build/release/cli/nw --half report [--tables FOLDER]   # sets of bench/cluster_sets.py
    bench/cluster_suite.py --check          # the small rivals written here against their definitions

FOLDER has a folder for each battery with files NAME.data.gz and NAME.labelsI.gz, as the clustering
benchmark of M. Gagolewski (clustering-data-v1) keeps them. Label 0 is noise, which no score counts.
A set with several reference clusterings is clustered with the k of each, and the best score counts,
for every method alike. HDBSCAN is not told k. Needs NumPy, SciPy and scikit-learn.
"""

import argparse
import csv
import glob
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import warnings

os.environ.setdefault("OMP_NUM_THREADS", "1")
import cluster_sets  # noqa: E402
import numpy as np  # noqa: E402
from scipy.cluster.hierarchy import fcluster, linkage  # noqa: E402
from scipy.spatial.distance import pdist, squareform  # noqa: E402
from sklearn.cluster import KMeans, SpectralClustering  # noqa: E402
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score  # noqa: E402
from sklearn.mixture import GaussianMixture  # noqa: E402
from sklearn.neighbors import NearestNeighbors  # noqa: E402

warnings.filterwarnings("ignore")


def spanning_tree(points, core=None):
    """Edges (length, i, j) of the least spanning tree under mutual reachability, shortest first."""
    n = len(points)
    core = np.zeros(n) if core is None else core
    left, near = np.full(n, np.inf), np.zeros(n, int)
    outside, current, edges = np.ones(n, bool), 0, []
    for _ in range(n - 1):
        outside[current] = False
        reach = np.sqrt(((points - points[current]) ** 2).sum(1))
        reach = np.maximum(np.maximum(reach, core), core[current])
        closer = (reach < left) & outside
        left[closer], near[closer] = reach[closer], current
        current = int(np.where(outside, left, np.inf).argmin())
        edges.append((left[current], near[current], current))
    return sorted(edges)


class Forest:
    def __init__(self, n):
        self.parent, self.size = list(range(n)), [1] * n

    def find(self, i):
        while self.parent[i] != i:
            self.parent[i] = self.parent[self.parent[i]]
            i = self.parent[i]
        return i

    def join(self, a, b):
        self.parent[a] = b
        self.size[b] += self.size[a]


def genie(points, k, inequity=0.3):
    """Gagolewski, Bartoszuk and Cena (2016)."""
    edges, n = spanning_tree(points), len(points)
    forest, count, differences, clusters = Forest(n), {1: n}, 0.0, n
    used, shortest, searched, searched_size = [False] * len(edges), 0, 0, 0

    def apart(size):
        return sum(times * abs(other - size) for other, times in count.items())

    def leave(size):
        count[size] -= 1
        if not count[size]:
            del count[size]
        return apart(size)

    while clusters > k:
        while used[shortest]:
            shortest += 1
        edge = shortest
        if differences / ((clusters - 1) * n) > inequity:
            least = min(count)
            if least != searched_size:
                searched, searched_size = shortest, least
            while used[searched] or least not in (
                forest.size[forest.find(edges[searched][1])],
                forest.size[forest.find(edges[searched][2])],
            ):
                searched += 1
            edge = searched
        used[edge] = True
        a, b = forest.find(edges[edge][1]), forest.find(edges[edge][2])
        differences -= leave(forest.size[a])
        differences -= leave(forest.size[b])
        forest.join(a, b)
        differences += apart(forest.size[b])
        count[forest.size[b]] = count.get(forest.size[b], 0) + 1
        clusters -= 1
    return np.unique([forest.find(i) for i in range(n)], return_inverse=True)[1]


def hdbscan(points, least=5):
    """Campello, Moulavi and Sander (2013), clusters by excess of mass; -1 is noise."""
    n = len(points)
    core = NearestNeighbors(n_neighbors=min(least, n)).fit(points).kneighbors(points)[0][:, -1]
    edges = spanning_tree(points, core)
    # The dendrogram: node n + t joins two nodes at edge t.
    top, children, height = list(range(n)), {}, {}
    forest, size = Forest(n), {i: 1 for i in range(n)}
    for t, (length, i, j) in enumerate(edges):
        a, b = forest.find(i), forest.find(j)
        node = n + t
        children[node], height[node] = (top[a], top[b]), length
        size[node] = size[top[a]] + size[top[b]]
        forest.join(a, b)
        top[b] = node

    def members(node):
        stack, found = [node], []
        while stack:
            at = stack.pop()
            if at < n:
                found.append(at)
            else:
                stack.extend(children[at])
        return found

    # Condensed clusters: where both halves are large two are born, else the large half lives on.
    root = n + len(edges) - 1
    stability, births, parent, node_of = {}, {root: 0.0}, {}, {}
    stack = [(root, root)]
    while stack:
        cluster, node = stack.pop()
        stability.setdefault(cluster, 0.0)
        node_of.setdefault(cluster, node)
        while node >= n:
            density = 1.0 / max(height[node], 1e-300)
            a, b = children[node]
            large = [half for half in (a, b) if size[half] >= least]
            gone = size[node] if len(large) != 1 else size[node] - size[large[0]]
            stability[cluster] += gone * (density - births[cluster])
            if len(large) == 2:
                for half in large:
                    births[half], parent[half] = density, cluster
                    stack.append((half, half))
            if len(large) != 1:
                break
            node = large[0]
    below = {}
    for child, above in parent.items():
        below.setdefault(above, []).append(child)
    chosen = {}
    for cluster in sorted(stability):  # parts have smaller numbers than their whole
        parts = sum(stability[c] for c in below.get(cluster, []))
        chosen[cluster] = cluster != root and (not below.get(cluster) or stability[cluster] >= parts)
        stability[cluster] = max(stability[cluster], parts) if below.get(cluster) else stability[cluster]
    label, names, stack = np.full(n, -1), 0, list(below.get(root, []))
    while stack:
        cluster = stack.pop()
        if chosen[cluster]:
            label[members(cluster)] = names
            names += 1
        else:
            stack.extend(below.get(cluster, []))
    return label if names else np.zeros(n, int)


def by_nw(program, method):
    def run(points, k):
        with tempfile.TemporaryDirectory() as folder:
            data, answer = pathlib.Path(folder, "x.csv"), pathlib.Path(folder, "c.csv")
            np.savetxt(data, points, delimiter=",", fmt="%.17g")
            more = ["--method", method] if method else []
            subprocess.run([program, "cluster", data, "--header", "no", "--k", str(k), "-o", answer, "--quiet",
                            *more], check=True, stdout=subprocess.DEVNULL)  # fmt: skip
            return np.loadtxt(answer, delimiter=",", skiprows=1, ndmin=2)[:, 0].astype(int)

    return run


def rivals(program):
    return {
        "nw": by_nw(program, None),
        "k-means": lambda x, k: KMeans(k, n_init=10, random_state=0).fit_predict(x),
        "GMM": lambda x, k: GaussianMixture(k, n_init=10, random_state=0).fit_predict(x),
        "spectral": lambda x, k: SpectralClustering(
            k, affinity="nearest_neighbors", n_neighbors=10, random_state=0).fit_predict(x),
        "HDBSCAN": lambda x, k: hdbscan(x),
        "Genie": genie,
        "equilibrium k-means": by_nw(program, "equilibrium"),
    }  # fmt: skip


def load(folder, name):
    with gzip.open(f"{folder}/{name}.data.gz") as file:
        points = np.loadtxt(file, ndmin=2)
    references = []
    for path in sorted(glob.glob(f"{folder}/{name}.labels*.gz")):
        with gzip.open(path) as file:
            references.append(np.loadtxt(file).astype(int))
    return points, references


def measure(method, points, references):
    """The best ARI, the best AMI, and the longest time."""
    ari, ami, seconds = -1.0, -1.0, 0.0
    for k in sorted({reference.max() for reference in references}):
        begin = time.perf_counter()
        found = method(points, int(k))
        seconds = max(seconds, time.perf_counter() - begin)
        for reference in references:
            if reference.max() != k:
                continue
            real = reference > 0
            ari = max(ari, adjusted_rand_score(reference[real], found[real]))
            ami = max(ami, adjusted_mutual_info_score(reference[real], found[real]))
    return {"ari": ari, "ami": ami, "seconds": seconds}


def check():
    """Genie without a limit is single linkage, and HDBSCAN parts two blobs and leaves out a stray point."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        points = rng.normal(size=(60, 2))
        ours = genie(points, 4, inequity=1.0)
        scipy = fcluster(linkage(pdist(points), "single"), 4, "maxclust")
        assert adjusted_rand_score(ours, scipy) == 1.0
        lengths = np.sort([edge[0] for edge in spanning_tree(points)])
        heights = np.sort(linkage(squareform(squareform(pdist(points))), "single")[:, 2])
        assert np.allclose(lengths, heights)
    blobs = np.vstack([rng.normal(size=(80, 2)), rng.normal(size=(80, 2)) + 12, [[40.0, -40.0]]])
    label = hdbscan(blobs)
    assert label[-1] == -1
    assert len(set(label[:80]) - {-1}) == 1 and len(set(label[80:160]) - {-1}) == 1
    assert set(label[:80]) - {-1} != set(label[80:160]) - {-1}
    print("the small rivals do what their definitions say")


def sets(options):
    """Name, points and reference clusterings of all sets that are asked for."""
    if options.half:
        made = cluster_sets.made(options.half)
        if options.tables:
            made.update(cluster_sets.tables(options.half, options.tables))
        for name, (points, labels) in made.items():
            yield name, points, [labels]
    if options.data:
        batteries = [b for b in options.batteries.split(",") if b] or sorted(
            p.name for p in pathlib.Path(options.data).iterdir() if p.is_dir())  # fmt: skip
        for battery in batteries:
            folder = f"{options.data}/{battery}"
            for path in sorted(glob.glob(f"{folder}/*.data.gz")):
                name = pathlib.Path(path).name[: -len(".data.gz")]
                yield f"{battery}/{name}", *load(folder, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nw", default="build/release/cli/nw")
    parser.add_argument("--data")
    parser.add_argument("--batteries", default="")
    parser.add_argument("--methods", default="")
    parser.add_argument("--half", choices=["choose", "report"])
    parser.add_argument("--tables", help="a folder of labelled tables NAME.csv, whose last column is the class")
    parser.add_argument("--json")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        return check()
    if not options.data and not options.half:
        sys.exit("cluster_suite: say where the batteries are: --data FOLDER, or which made sets: --half report")
    methods = rivals(options.nw)
    methods = {m: methods[m] for m in options.methods.split(",") if m} or methods
    results = {}
    writer = csv.writer(sys.stdout)
    writer.writerow(["set", *methods])
    for name, points, references in sets(options):
        row = {m: measure(run, points, references) for m, run in methods.items()}
        results[name] = row
        writer.writerow([name, *(f"{row[m]['ari']:.3f}" for m in methods)])
        sys.stdout.flush()
    for what in ("ari", "ami", "seconds"):
        mean = [np.mean([row[m][what] for row in results.values()]) for m in methods]
        writer.writerow([f"mean {what}", *(f"{value:.3f}" for value in mean)])
    best = {s: max(r["ari"] for r in row.values()) for s, row in results.items()}
    wins = [sum(row[m]["ari"] >= best[s] - 0.005 for s, row in results.items()) for m in methods]
    writer.writerow(["within 0.005 of the best", *wins])
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
