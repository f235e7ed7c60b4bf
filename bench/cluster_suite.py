#!/usr/bin/env python3
"""Clusterings of a benchmark suite by nw and its rivals, each with the true number of clusters.

    bench/cluster_suite.py --nw build/release/bin/nw --data FOLDER [--batteries fcps,graves] [--json FILE]
    bench/cluster_suite.py --nw build/release/bin/nw --half report [--tables FOLDER]   # sets of bench/cluster_sets.py
    bench/cluster_suite.py --nw build/release/bin/nw --half choose --auto      # how many clusters each method finds
    bench/cluster_suite.py --check [--data FOLDER]     # the rivals written here against definitions and labels

FOLDER has a folder for each battery with files NAME.data.gz and NAME.labelsI.gz, as the clustering
benchmark of M. Gagolewski (clustering-data-v1) keeps them. Label 0 is noise, which no score counts.
A set with several reference clusterings is clustered with the k of each, and the best score counts,
for every method alike. HDBSCAN is not told k. Needs NumPy, SciPy and scikit-learn.
With --half, a battery contributes the sets at even (choose) or odd (report) places in the order of their names. The
table ends with means, wins, ranks (1 is best, ties shared, scores to two digits) and their critical difference at 5 %
after Nemenyi (Demsar 2006). With --auto no method is told k; k is right when it is that of any reference.
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
import cluster_shapes  # noqa: E402
import numpy as np  # noqa: E402
from scipy.cluster.hierarchy import fcluster, linkage  # noqa: E402
from scipy.spatial.distance import pdist, squareform  # noqa: E402
from scipy.stats import rankdata, studentized_range  # noqa: E402
from sklearn.cluster import KMeans, SpectralClustering  # noqa: E402
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score, silhouette_score  # noqa: E402
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

    def parts(node):
        """What a cluster falls into at its height; edges of one length are cut at once."""
        found, left = [], list(children[node])
        while left:
            at = left.pop()
            if at >= n and height[at] == height[node]:
                left.extend(children[at])
            else:
                found.append(at)
        return found

    # Condensed clusters: where several parts are large they are born, else the large part lives on.
    root = n + len(edges) - 1
    stability, births, parent, node_of = {}, {root: 0.0}, {}, {}
    stack = [(root, root)]
    while stack:
        cluster, node = stack.pop()
        stability.setdefault(cluster, 0.0)
        node_of.setdefault(cluster, node)
        while node >= n:
            density = 1.0 / max(height[node], 1e-300)
            large = [part for part in parts(node) if size[part] >= least]
            gone = size[node] if len(large) != 1 else size[node] - size[large[0]]
            stability[cluster] += gone * (density - births[cluster])
            if len(large) > 1:
                for part in large:
                    births[part], parent[part] = density, cluster
                    stack.append((part, part))
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


def by_nw(program, method, interval=None, array=False):
    """`interval`: a list that gets what the command says about k; `array`: the columns are of one kind, not to be scaled."""

    def run(points, k):
        with tempfile.TemporaryDirectory() as folder:
            data, answer = pathlib.Path(folder, "x.npy" if array else "x.csv"), pathlib.Path(folder, "c.csv")
            more = ["--method", method] if method else []
            if array:
                np.save(data, points)
            else:
                np.savetxt(data, points, delimiter=",", fmt="%.17g")
                more += ["--header", "no"]
            done = subprocess.run([program, "cluster", data, "--k", str(k), "-o", answer, "--quiet",
                                   "--json", "-", *more], check=True, stdout=subprocess.PIPE)  # fmt: skip
            if interval is not None:
                interval[:] = json.loads(done.stdout).get("k_interval") or []
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


MOST = 30  # clusters that rivals which find k by trying every k may find


def gmm_by_bic(points):
    fits = [GaussianMixture(k, n_init=2, random_state=0).fit(points) for k in range(1, min(MOST, len(points) // 10) + 1)]
    return min(fits, key=lambda fit: fit.bic(points)).predict(points)


def k_means_by_silhouette(points):
    best, most = None, -1.0
    for k in range(2, min(MOST, len(points) // 10) + 1):
        found = KMeans(k, n_init=3, random_state=0).fit_predict(points)
        value = silhouette_score(points, found, sample_size=min(len(points), 3000), random_state=0)
        if value > most:
            best, most = found, value
    return best


def finders(program, interval):
    """Methods that find k themselves."""
    return {
        "nw": lambda x: by_nw(program, None, interval)(x, "auto"),
        "GMM by BIC": gmm_by_bic,
        "k-means by silhouette": k_means_by_silhouette,
        "HDBSCAN": hdbscan,
    }


def measure_auto(method, points, references, interval):
    """What a method finds that is not told k."""
    interval.clear()
    begin = time.perf_counter()
    found = np.asarray(method(points))
    seconds = time.perf_counter() - begin
    real = [(reference > 0, reference) for reference in references]
    k, true = len(set(found[found >= 0])), sorted({int(reference.max()) for reference in references})
    result = {
        "k": k, "true": true, "right": k in true, "near": any(abs(k - t) <= 1 for t in true), "seconds": seconds,
        "ari": max(adjusted_rand_score(r[kept], found[kept]) for kept, r in real),
        "ami": max(adjusted_mutual_info_score(r[kept], found[kept]) for kept, r in real)}  # fmt: skip
    if interval:
        low, high = interval
        result.update(interval=[low, high], inside=any(low <= t <= high for t in true))
    return result


def critical_difference(methods, sets, level=0.05):
    """Of mean ranks, Nemenyi's test: pairs further apart differ."""
    quantile = studentized_range.ppf(1 - level, methods, np.inf) / np.sqrt(2)
    return quantile * np.sqrt(methods * (methods + 1) / (6 * sets))


def summary(results, methods, writer, fields):
    """Means of each group of sets and of all, wins and ranks."""
    groups = {}
    for name, row in results.items():
        groups.setdefault(name.split("/")[0], []).append(row)
    if len(groups) > 1:
        groups["all"] = list(results.values())
    for group, rows in groups.items():
        for what in fields:
            values = [[row[m][what] for row in rows if what in row[m]] for m in methods]
            writer.writerow([f"{group}, {len(rows)}: {what}", *(f"{np.mean(v):.3f}" if v else "" for v in values)])
        wins = [sum(row[m]["ari"] >= max(r["ari"] for r in row.values()) - 0.005 for row in rows) for m in methods]
        writer.writerow([f"{group}, {len(rows)}: within 0.005 of the best", *wins])
        if len(methods) > 1 and len(rows) > 1:
            ranks = np.mean([rankdata([-round(row[m]["ari"], 2) for m in methods]) for row in rows], axis=0)
            writer.writerow([f"{group}, {len(rows)}: rank", *(f"{rank:.2f}" for rank in ranks)])
            difference = critical_difference(len(methods), len(rows))
            writer.writerow([f"{group}, {len(rows)}: critical difference", f"{difference:.2f}"])


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


def genie_by_definition(points, k, inequity):
    """All pairs of clusters at every step: the nearest two, of which one is smallest where sizes are too unequal."""
    distance = squareform(pdist(points))
    clusters = [[i] for i in range(len(points))]
    while len(clusters) > k:
        sizes = np.array([len(c) for c in clusters])
        gini = np.abs(sizes[:, None] - sizes).sum() / 2 / ((len(clusters) - 1) * sizes.sum())
        best = (np.inf, 0, 0)
        for b in range(len(clusters)):
            for a in range(b):
                if gini > inequity and min(sizes[a], sizes[b]) > sizes.min():
                    continue
                best = min(best, (distance[np.ix_(clusters[a], clusters[b])].min(), a, b))
        clusters[best[1]] += clusters.pop(best[2])
    label = np.zeros(len(points), int)
    for number, members in enumerate(clusters):
        label[members] = number
    return label


def hdbscan_by_definition(points, least):
    """Density levels one by one on SciPy's hierarchy; of all sets of clusters none within another, the most stable."""
    distance = squareform(pdist(points))
    core = np.sort(distance, axis=1)[:, least - 1]
    reach = np.maximum(distance, np.maximum(core[:, None], core))
    np.fill_diagonal(reach, 0)
    tree = linkage(squareform(reach, checks=False), "single")

    def parts(members, height):
        """The clusters of these rows just below a height."""
        label = fcluster(tree, np.nextafter(height, 0), "distance")[members]
        found = [members[label == c] for c in np.unique(label)]
        return [p for p in found if len(p) >= least]

    def best(members, birth):
        """Stability of the best choice at or below a cluster born at this density, and that choice."""
        alive, stability = members, 0.0
        while True:
            inside = reach[np.ix_(alive, alive)]
            height = linkage(squareform(inside, checks=False), "single")[:, 2].max()
            below = parts(alive, height)
            if len(below) == 1:
                stability += (len(alive) - len(below[0])) * (1 / height - birth)
                alive = below[0]
                continue
            stability += len(alive) * (1 / height - birth)
            if not below:
                return stability, [members]
            children = [best(p, 1 / height) for p in below]
            total = sum(value for value, _ in children)
            return (stability, [members]) if stability >= total else (total, sum((c for _, c in children), []))

    everything, birth = np.arange(len(points)), 0.0
    while True:  # the whole is no cluster
        below = parts(everything, linkage(squareform(reach[np.ix_(everything, everything)], checks=False),
                                          "single")[:, 2].max())  # fmt: skip
        if len(below) != 1:
            break
        everything = below[0]
    height = linkage(squareform(reach[np.ix_(everything, everything)], checks=False), "single")[:, 2].max()
    label = np.full(len(points), -1 if below else 0)
    for number, members in enumerate(sum((best(p, 1 / height)[1] for p in below), [])):
        label[members] = number
    return label


# Of battery fcps, where the benchmark's own results have Genie (0.3) at ARI 1.
KNOWN_TO_GENIE = ["atom", "chainlink", "hepta", "lsun", "target", "tetra", "wingnut"]


def check(data):
    """The small rivals against their definitions, SciPy and what is published."""
    rng = np.random.default_rng(0)
    for seed in range(20):
        points = rng.normal(size=(60, 2)) + 4 * rng.integers(0, 2, size=(60, 1))
        ours = genie(points, 4, inequity=1.0)
        scipy = fcluster(linkage(pdist(points), "single"), 4, "maxclust")
        assert adjusted_rand_score(ours, scipy) == 1.0
        lengths = np.sort([edge[0] for edge in spanning_tree(points)])
        heights = np.sort(linkage(pdist(points), "single")[:, 2])
        assert np.allclose(lengths, heights)
        for inequity in (0.1, 0.3, 0.5):
            slow = genie_by_definition(points[:40], 3, inequity)
            assert adjusted_rand_score(genie(points[:40], 3, inequity), slow) == 1.0, (seed, inequity)
        slow = hdbscan_by_definition(points, 5)
        assert adjusted_rand_score(hdbscan(points, 5), slow) == 1.0, seed
        assert (hdbscan(points, 5) < 0).sum() == (slow < 0).sum(), seed
    print("Genie and HDBSCAN do what their definitions say; without a limit Genie is single linkage")
    if data:
        for name in KNOWN_TO_GENIE:
            points, references = load(f"{data}/fcps", name)
            assert measure(genie, points, references)["ari"] == 1.0, name
        print("Genie has the reference labels of", ", ".join(KNOWN_TO_GENIE))


def sets(options):
    """Name, points and reference clusterings of all sets that are asked for."""
    if options.half:
        groups = {"made": cluster_sets.made(options.half), "like": cluster_shapes.imitations(options.half)}
        if options.tables:
            groups["table"] = cluster_sets.tables(options.half, options.tables)
        for group in (g for g in options.groups.split(",") if g in groups):
            for name, (points, labels) in groups[group].items():
                yield f"{group}/{name}", points, [labels]
    if options.data:
        batteries = [b for b in options.batteries.split(",") if b] or sorted(
            p.name for p in pathlib.Path(options.data).iterdir() if p.is_dir())  # fmt: skip
        for battery in batteries:
            folder = f"{options.data}/{battery}"
            paths = sorted(glob.glob(f"{folder}/*.data.gz"))
            if options.half:
                paths = paths[{"choose": 0, "report": 1}[options.half] :: 2]
            for path in paths:
                name = pathlib.Path(path).name[: -len(".data.gz")]
                yield f"{battery}/{name}", *load(folder, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nw", default="build/release/bin/nw")
    parser.add_argument("--data")
    parser.add_argument("--batteries", default="")
    parser.add_argument("--methods", default="")
    parser.add_argument("--half", choices=["choose", "report"])
    parser.add_argument("--tables", help="a folder of labelled tables NAME.csv, whose last column is the class")
    parser.add_argument("--groups", default="made,like,table", help="which of the sets of a half")
    parser.add_argument("--auto", action="store_true", help="no method is told k")
    parser.add_argument("--json")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        return check(options.data)
    if not options.data and not options.half:
        sys.exit("cluster_suite: say where the batteries are: --data FOLDER, or which made sets: --half report")
    interval = []
    methods = finders(options.nw, interval) if options.auto else rivals(options.nw)
    methods = {m: methods[m] for m in options.methods.split(",") if m} or methods
    results = {}
    writer = csv.writer(sys.stdout)
    writer.writerow(["set", *methods])
    for name, points, references in sets(options):
        row = {}
        for m, run in methods.items():
            row[m] = (measure_auto(run, points, references, interval) if options.auto
                      else measure(run, points, references))  # fmt: skip
        results[name] = row
        cells = [f"{row[m]['ari']:.3f}" + (f" (k {row[m]['k']} of {row[m]['true']})" if options.auto else "")
                 for m in methods]  # fmt: skip
        writer.writerow([name, *cells])
        sys.stdout.flush()
    fields = ["right", "near", "inside", "ari", "ami", "seconds"] if options.auto else ["ari", "ami", "seconds"]
    summary(results, methods, writer, fields)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
