"""Labelled sets for bench/cluster_suite.py that need no download: made ones of many kinds, and tables.

Label 0 is noise. Every set belongs to one of two halves: what is changed in the method is chosen on `choose`,
and `report` says what that brought. Kinds of both halves are alike in difficulty, but no set is in both.
"""

import pathlib

import numpy as np


def turned(rng, d):
    return np.linalg.qr(rng.normal(size=(d, d)))[0]


def labelled(parts):
    """Rows of several groups, their classes 1, 2, ..."""
    return np.vstack(parts), np.concatenate([np.full(len(p), j + 1) for j, p in enumerate(parts)])


def with_noise(points, labels, share, rng):
    low, high = points.min(0), points.max(0)
    margin = 0.1 * (high - low)
    count = int(share * len(points))
    extra = rng.uniform(low - margin, high + margin, size=(count, points.shape[1]))
    return np.vstack([points, extra]), np.concatenate([labels, np.zeros(count, int)])


def far_centres(rng, k, d, gap, size=1.0):
    """k centres no two of which are nearer than gap."""
    centres = []
    while len(centres) < k:
        size *= 1.02
        c = rng.normal(size=d) * size
        if all(np.linalg.norm(c - o) > gap for o in centres):
            centres.append(c)
    return centres


def gaussians(rng, sizes, d, gap, deviations=None, stretch=1.0):
    parts = []
    for j, c in enumerate(far_centres(rng, len(sizes), d, gap)):
        s = 1.0 if deviations is None else deviations[j]
        axes = s * np.exp(rng.uniform(-np.log(stretch), np.log(stretch), size=d)) if stretch > 1 else np.full(d, s)
        parts.append(c + rng.normal(size=(sizes[j], d)) * axes @ turned(rng, d))
    return labelled(parts)


def moons(rng, n, noise):
    t = rng.uniform(0, np.pi, n)
    s = rng.uniform(0, np.pi, n)
    a = np.c_[np.cos(t), np.sin(t)]
    b = np.c_[1 - np.cos(s), 0.5 - np.sin(s)]
    return labelled([a + noise * rng.normal(size=a.shape), b + noise * rng.normal(size=b.shape)])


def spirals(rng, arms, n, noise, turns=1.25):
    parts = []
    for a in range(arms):
        t = np.sqrt(rng.uniform(0.04, 1, n)) * turns * 2 * np.pi
        angle = t + 2 * np.pi * a / arms
        parts.append(np.c_[t * np.cos(angle), t * np.sin(angle)] + noise * rng.normal(size=(n, 2)))
    return labelled(parts)


def shells(rng, sizes, radii, d, noise):
    parts = []
    for n, r in zip(sizes, radii):
        u = rng.normal(size=(n, d))
        u /= np.linalg.norm(u, axis=1, keepdims=True)
        parts.append(u * (r + noise * rng.normal(size=(n, 1))))
    return labelled(parts)


def rings(rng, sizes, radii, noise, more=0):
    points, labels = shells(rng, sizes, radii, 2, noise)
    return np.hstack([points, 0.3 * rng.normal(size=(len(points), more))]), labels


def heavy(rng, sizes, d, gap, freedom):
    parts = []
    for n, c in zip(sizes, far_centres(rng, len(sizes), d, gap)):
        parts.append(c + rng.normal(size=(n, d)) / np.sqrt(rng.chisquare(freedom, size=(n, 1)) / freedom))
    return labelled(parts)


def bridged(rng, n, between, gap):
    a, b = rng.normal(size=(n, 2)), rng.normal(size=(n, 2)) + [gap, 0]
    t = rng.uniform(0.2, 0.8, between)
    bridge = np.c_[t * gap, 0.15 * rng.normal(size=between)]
    points, labels = labelled([a, b])
    return np.vstack([points, bridge]), np.concatenate([labels, np.where(t < 0.5, 1, 2)])


def boxes(rng, sizes, corners, sides):
    return labelled([np.array(c) + rng.uniform(size=(n, 2)) * s for n, c, s in zip(sizes, corners, sides)])


def skewed(rng, sizes, d, gap):
    parts = []
    for n, c in zip(sizes, far_centres(rng, len(sizes), d, gap)):
        parts.append(c + (np.exp(0.6 * rng.normal(size=(n, d))) - 1.2) @ turned(rng, d))
    return labelled(parts)


def cross(rng, n, angle):
    parts = []
    for a in (angle, -angle):
        along = np.c_[4 * rng.normal(size=n), 0.3 * rng.normal(size=n)]
        parts.append(along @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]]))
    return labelled(parts)


def curves_and_blob(rng, n):
    points, labels = moons(rng, n, 0.06)
    blob = rng.normal(size=(n // 4, 2)) * 0.12 + [2.6, 1.2]
    return np.vstack([points, blob]), np.concatenate([labels, np.full(len(blob), 3)])


def tubes(rng, n, noise):
    """Two linked rings and a ball away from them, in space."""
    t, s = rng.uniform(0, 2 * np.pi, n), rng.uniform(0, 2 * np.pi, n)
    a = np.c_[np.cos(t), np.sin(t), 0 * t]
    b = np.c_[1 + np.cos(s), 0 * s, np.sin(s)]
    c = np.array([4.0, 1, 1]) + 0.4 * rng.normal(size=(n // 2, 3))
    return labelled([a + noise * rng.normal(size=a.shape), b + noise * rng.normal(size=b.shape), c])


def made(half):
    """name -> (points, labels), the same at every call."""
    chosen = {
        "moons": lambda r: moons(r, 500, 0.08),
        "blobs 1:50": lambda r: gaussians(r, [2500, 50], 2, 6.0),
        "densities 0.2 1 3": lambda r: gaussians(r, [400, 400, 400], 2, 8.0, [0.2, 1.0, 2.5]),
        "stretched blobs": lambda r: gaussians(r, [400, 300, 200], 2, 7.0, None, 3.0),
        "nested spheres": lambda r: shells(r, [200, 600, 1200], [0.3, 1.5, 3.0], 3, 0.1),
        "two spirals": lambda r: spirals(r, 2, 500, 0.25),
        "gaussians 10-d": lambda r: gaussians(r, [500, 300, 200, 100, 50], 10, 5.0),
        "gaussians 50-d": lambda r: gaussians(r, [300, 200, 150, 100], 50, 6.0),
        "stretched 10-d": lambda r: gaussians(r, [500, 400, 300], 10, 5.0, None, 2.0),
        "t2 plane": lambda r: heavy(r, [400, 300, 200], 2, 12.0, 2.0),
        "bridged blobs": lambda r: bridged(r, 500, 30, 7.0),
        "blobs and noise": lambda r: with_noise(*gaussians(r, [400, 300, 200, 100], 2, 7.0), 0.2, r),
        "boxes": lambda r: boxes(r, [800, 300, 100], [(0, 0), (2.3, 0), (0, 2.4)], [2.0, 1.0, 0.6]),
        "rings with 3 columns": lambda r: rings(r, [300, 500], [1.0, 3.0], 0.15, 3),
        "skewed plane": lambda r: skewed(r, [500, 300, 200], 2, 6.0),
        "cross": lambda r: cross(r, 400, 0.7),
        "one in 100, 5-d": lambda r: gaussians(r, [3000, 300, 30], 5, 6.0),
        "small tight beside wide": lambda r: gaussians(r, [1500, 60], 2, 4.5, [1.0, 0.15]),
    }
    reported = {
        "moons, noisier": lambda r: moons(r, 400, 0.11),
        "blobs 1:50, three": lambda r: gaussians(r, [2500, 250, 50], 2, 6.0),
        "densities 0.3 1 2": lambda r: gaussians(r, [200, 500, 800], 2, 7.0, [0.3, 1.0, 2.0]),
        "stretched blobs, five": lambda r: gaussians(r, [300, 300, 200, 200, 100], 2, 8.0, None, 2.5),
        "nested shells": lambda r: shells(r, [500, 800], [1.0, 2.2], 3, 0.12),
        "three spirals": lambda r: spirals(r, 3, 400, 0.3, 1.0),
        "gaussians 20-d": lambda r: gaussians(r, [500, 300, 200, 100, 50], 20, 5.5),
        "gaussians 30-d, 1:10": lambda r: gaussians(r, [1000, 300, 100], 30, 6.0),
        "stretched 5-d": lambda r: gaussians(r, [600, 300, 200, 100], 5, 6.0, None, 2.5),
        "t2 5-d": lambda r: heavy(r, [400, 300, 200], 5, 14.0, 2.0),
        "bridged, unequal": lambda r: bridged(r, 300, 40, 6.5),
        "moons and noise": lambda r: with_noise(*moons(r, 500, 0.06), 0.15, r),
        "boxes, unequal": lambda r: boxes(r, [300, 900, 200], [(0, 0), (1.2, 0), (4.6, 0)], [1.0, 3.0, 0.8]),
        "rings with 5 columns": lambda r: rings(r, [400, 600], [1.0, 3.0], 0.12, 5),
        "skewed 4-d": lambda r: skewed(r, [500, 300, 100], 4, 6.0),
        "cross, narrower": lambda r: cross(r, 500, 0.45),
        "curves and blob": lambda r: curves_and_blob(r, 400),
        "linked rings and ball": lambda r: tubes(r, 400, 0.07),
    }
    kinds = {"choose": chosen, "report": reported}[half]
    seed = {"choose": 1000, "report": 2000}[half]
    return {name: make(np.random.default_rng(seed + i)) for i, (name, make) in enumerate(kinds.items())}


TABLES = {
    "choose": ["banknote", "digits", "drybean", "penguins", "seeds"],
    "report": ["breast cancer", "iris", "pendigits", "satimage", "wine", "htru2", "pageblocks"],
}


def numbers(path):
    """Columns of numbers of a table whose last column is the class; rows with gaps are left out."""
    import csv

    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    body = rows[1:]
    columns, classes = [], [row[-1] for row in body]
    for c in range(len(rows[0]) - 1):
        try:
            columns.append([float(row[c]) if row[c] not in ("", "NA", "?") else np.nan for row in body])
        except ValueError:
            continue
    points = np.array(columns).T
    whole = ~np.isnan(points).any(1)
    return points[whole], np.unique(np.array(classes)[whole], return_inverse=True)[1] + 1


def tables(half, folder):
    """Labelled tables as clusterings, columns of variance one, at most 4000 rows."""
    from sklearn.datasets import load_breast_cancer

    found = {}
    for name in TABLES[half]:
        if name == "breast cancer":
            bunch = load_breast_cancer()
            points, labels = bunch.data, bunch.target + 1
        else:
            points, labels = numbers(pathlib.Path(folder, f"{name}.csv"))
        if len(points) > 4000:
            keep = np.random.default_rng(7).permutation(len(points))[:4000]
            points, labels = points[keep], labels[keep]
        points = points[:, points.std(0) > 0]
        found[name] = ((points - points.mean(0)) / points.std(0), labels)
    return found
