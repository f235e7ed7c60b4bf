"""Made sets that imitate well-known ones from their published descriptions, for bench/cluster_sets.py.

None of them is a copy: places, sizes and noise are drawn anew. Kinds come in pairs of like difficulty: the first of a
pair is in the half to choose by, the second in the half to report. The sets imitated are s1-s4, a1-a3, birch and
unbalance of P. Franti and S. Sieranoja (2018), r15 and d31 (Veenman et al. 2002), spiral and pathbased (Chang and
Yeung 2008), jain (Jain and Law 2005), flame (Fu and Medico 2007), aggregation (Gionis et al. 2007), compound (Zahn 1971)
and the shapes that M. Gagolewski's benchmark calls wut. Label 0 is noise.
"""

import numpy as np


def labelled(parts):
    return np.vstack(parts), np.concatenate([np.full(len(p), j + 1) for j, p in enumerate(parts)])


def scattered(rng, k, gap):
    """k centres in the smallest square of its kind where no two are nearer than gap."""
    side, centres = gap * np.sqrt(k), []
    while len(centres) < k:
        side *= 1.002
        c = rng.uniform(0, side, 2)
        if all(np.hypot(*(c - o)) > gap for o in centres):
            centres.append(c)
    return np.array(centres)


def blobs(rng, centres, sizes, deviations=1.0, stretch=1.0):
    sizes = np.broadcast_to(sizes, len(centres))
    deviations = np.broadcast_to(deviations, len(centres))
    parts = []
    for c, n, s in zip(centres, sizes, deviations):
        ratio, turn = stretch ** rng.uniform(-0.5, 0.5), rng.uniform(0, np.pi)
        axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        parts.append(c + rng.normal(size=(n, 2)) * [s * ratio, s / ratio] @ axes)
    return labelled(parts)


def many(rng, k, n, gap, stretch=1.0):
    """k Gaussians of n rows and deviation one; no two centres are nearer than gap."""
    return blobs(rng, scattered(rng, k, gap), n, 1.0, stretch)


def grid(rng, side, n, gap):
    centres = gap * np.array([(i, j) for i in range(side) for j in range(side)], float)
    return blobs(rng, centres, n)


def sine(rng, k, n, step):
    x = step * np.arange(k)
    return blobs(rng, np.c_[x, 40 * np.sin(x / x[-1] * 6 * np.pi)], n)


def ringed_blobs(rng, n):
    """One in the middle and two rings of seven, the inner ones near each other."""
    angle = 2 * np.pi * np.arange(7) / 7
    circle = np.c_[np.cos(angle), np.sin(angle)]
    return blobs(rng, np.vstack([[[0, 0]], 5.5 * circle, 16 * circle]), n)


def dense_and_sparse(rng, large, few, n_large, n_few):
    """Tight large clusters on one side, wide small ones on the other."""
    left = scattered(rng, large, 12.0)
    right = scattered(rng, few, 14.0) + [60, -5]
    sizes = [n_large] * large + [n_few] * few
    return blobs(rng, np.vstack([left, right]), sizes, [1.2] * large + [2.0] * few)


def arms(rng, count, n, turns, noise):
    parts = []
    for a in range(count):
        t = np.linspace(0.12, 1, n)
        angle = turns * 2 * np.pi * t + 2 * np.pi * a / count
        parts.append(np.c_[t * np.cos(angle), t * np.sin(angle)] * 16 + noise * rng.normal(size=(n, 2)))
    return labelled(parts)


def arc(rng, n, middle, radius, low, high, noise):
    t = rng.uniform(low, high, n)
    return np.array(middle) + np.c_[np.cos(t), np.sin(t)] * (radius + noise * rng.normal(size=(n, 1)))


def disc(rng, n, middle, radius, inner=0.0):
    t, r = rng.uniform(0, 2 * np.pi, n), np.sqrt(rng.uniform((inner / radius) ** 2, 1, n)) * radius
    return np.array(middle) + np.c_[r * np.cos(t), r * np.sin(t)]


def box(rng, n, low, high):
    return rng.uniform(low, high, size=(n, 2))


def unequal_moons(rng, dense, sparse, noise):
    a = arc(rng, sparse, (0, 0), 10, 0.1, np.pi, noise)
    b = arc(rng, dense, (10, 3), 10, np.pi, 2 * np.pi - 0.1, noise)
    return labelled([a, b])


def flame(rng, blob, crescent, gap):
    return labelled([disc(rng, blob, (0, gap), 2.6), arc(rng, crescent, (0, 0), 4.6, np.pi, 2 * np.pi, 0.6)])


def bridged_discs(rng, sizes, spots, bridges):
    """Discs of one density, narrow bridges between some; rows of a bridge belong to its nearer end."""
    density = 3.0
    radius = [np.sqrt(n / density / np.pi) for n in sizes]
    parts = [disc(rng, n, c, r) for n, c, r in zip(sizes, spots, radius)]
    for a, b in bridges:
        start, end = np.array(spots[a], float), np.array(spots[b], float)
        along = (end - start) / np.hypot(*(end - start))
        start, end = start + along * radius[a], end - along * radius[b]
        t = np.linspace(0, 1, 5)[:, None]
        rows = start + t * (end - start) + 0.2 * rng.normal(size=(5, 2))
        parts[a], parts[b] = np.vstack([parts[a], rows[:2]]), np.vstack([parts[b], rows[2:]])
    return labelled(parts)


def compound(rng, factor):
    return labelled([
        rng.normal(size=(50 * factor, 2)) * 0.9 + [0, 6], rng.normal(size=(45 * factor, 2)) * 0.9 + [5, 7],
        disc(rng, 40 * factor, (0, -6), 1.6), arc(rng, 110 * factor, (0, -6), 4.2, 0, 2 * np.pi, 0.35),
        disc(rng, 90 * factor, (16, 0), 1.8), disc(rng, 60 * factor, (16, 0), 6.5, 2.6)])  # fmt: skip


def open_ring(rng, ring, each, apart):
    """An open ring around two blobs."""
    return labelled([
        arc(rng, ring, (0, 0), 10, -0.25 * np.pi, 1.25 * np.pi, 0.5),
        rng.normal(size=(each, 2)) * 1.5 + [-apart, 1], rng.normal(size=(each, 2)) * 1.5 + [apart, 1]])  # fmt: skip


def circles(rng, n, radii, spots):
    return labelled([arc(rng, n, c, r, 0, 2 * np.pi, 0.08) for r, c in zip(radii, spots)])


def face(rng, n):
    """Outline, two eyes, a nose, a mouth."""
    return labelled([
        arc(rng, 4 * n, (0, 0), 10, 0, 2 * np.pi, 0.25), rng.normal(size=(n, 2)) * 0.7 + [-4, 4],
        rng.normal(size=(n, 2)) * 0.7 + [4, 4], box(rng, n, (-0.6, -2), (0.6, 1.5)),
        arc(rng, n, (0, 0), 6, 1.2 * np.pi, 1.8 * np.pi, 0.25)])  # fmt: skip


def stripes(rng, count, n, gap):
    return labelled([np.c_[rng.uniform(0, 10, n), 0.3 * np.sin(rng.uniform(0, 9, n)) + gap * j] for j in range(count)])


def plus(rng, n, gap):
    """Four bars towards a middle that none of them reaches, and a disc there."""
    bars = [box(rng, n, (gap, -0.6), (8, 0.6)), box(rng, n, (-8, -0.6), (-gap, 0.6)), box(rng, n, (-0.6, gap), (0.6, 8)),
            box(rng, n, (-0.6, -8), (0.6, -gap))]  # fmt: skip
    return labelled([*bars, disc(rng, n // 2, (0, 0), 1.0)])


def framed(rng, n, noise):
    """A square, a frame around it and a frame around that, in even noise."""

    def frame(count, outer, inner):
        rows = rng.uniform(-outer, outer, size=(20 * count, 2))
        return rows[np.abs(rows).max(1) > inner][:count]

    points, labels = labelled([box(rng, n, (-1, -1), (1, 1)), frame(2 * n, 3.2, 2.2), frame(4 * n, 6.0, 4.6)])
    return np.vstack([points, rng.uniform(-7, 7, size=(noise, 2))]), np.concatenate([labels, np.zeros(noise, int)])


def maze(rng, n):
    """Corridors with turns, each as wide as the walls between them."""
    walks = [[(0, 0), (0, 8), (6, 8)], [(2, 0), (2, 6), (8, 6), (8, 10)], [(4, 0), (10, 0), (10, 10)],
             [(4, 4), (8, 4), (8, 2), (4, 2)]]  # fmt: skip
    parts = []
    for walk in walks:
        corners = np.array(walk, float)
        lengths = np.abs(np.diff(corners, axis=0)).sum(1)
        rows = []
        for a, b, length in zip(corners[:-1], corners[1:], lengths):
            rows.append(a + (b - a) * rng.uniform(size=(int(n * length), 1)))
        rows = np.vstack(rows)
        parts.append(rows + rng.uniform(-0.45, 0.45, size=rows.shape))
    return labelled(parts)


def zed(rng, n, gap):
    """A slanted bar between two level ones, and a blob on either side."""
    t = rng.uniform(0, 1, n)[:, None]
    slant = np.array([-4 + gap, -4 + gap]) + t * (8 - 2 * gap) + 0.3 * rng.normal(size=(n, 2))
    return labelled([
        slant, np.c_[rng.uniform(-5, 5, n), 4.4 + 0.3 * rng.normal(size=n)],
        np.c_[rng.uniform(-5, 5, n), -4.4 + 0.3 * rng.normal(size=n)],
        rng.normal(size=(n // 2, 2)) * 0.6 + [-3, 1], rng.normal(size=(n // 2, 2)) * 0.6 + [3, -1]])  # fmt: skip


def ex(rng, n, far):
    """Two long clouds that cross, and a blob in each of two corners."""
    along = np.c_[3.5 * rng.normal(size=n), 0.35 * rng.normal(size=n)]
    turn = np.array([[1, 1], [-1, 1]]) / np.sqrt(2)
    return labelled([along @ turn, along[::-1] @ turn.T, rng.normal(size=(n // 2, 2)) * 0.7 + [far, 0],
                     rng.normal(size=(n // 2, 2)) * 0.7 - [far, 0]])  # fmt: skip


AGGREGATE = [(0, 0), (14, 0), (30, 2), (30, 18), (12, 16), (0, 14), (20, 28)]

PAIRS = [
    (("15 gaussians, 8 deviations apart", lambda r: many(r, 15, 333, 8.0, 1.6)),
     ("15 gaussians, 6 apart", lambda r: many(r, 15, 333, 6.0, 1.6))),
    (("15 gaussians, 4 apart", lambda r: many(r, 15, 333, 4.0, 1.6)),
     ("15 gaussians, 3.4 apart", lambda r: many(r, 15, 333, 3.4, 1.6))),
    (("20 gaussians", lambda r: many(r, 20, 150, 5.5)), ("35 gaussians", lambda r: many(r, 35, 150, 5.5))),
    (("50 gaussians", lambda r: many(r, 50, 150, 5.5)), ("31 gaussians", lambda r: many(r, 31, 100, 5.0, 1.4))),
    (("100 gaussians, grid", lambda r: grid(r, 10, 80, 6.0)), ("100 gaussians, sine", lambda r: sine(r, 100, 80, 6.0))),
    (("15 of 40", lambda r: ringed_blobs(r, 40)), ("15 of 60", lambda r: ringed_blobs(r, 60))),
    (("3 large and 5 small", lambda r: dense_and_sparse(r, 3, 5, 2000, 100)),
     ("2 large and 6 small", lambda r: dense_and_sparse(r, 2, 6, 1500, 60))),
    (("three arms", lambda r: arms(r, 3, 104, 0.8, 0.25)), ("two arms", lambda r: arms(r, 2, 175, 1.2, 0.3))),
    (("unequal moons", lambda r: unequal_moons(r, 276, 97, 0.9)),
     ("unequal moons, 5 : 1", lambda r: unequal_moons(r, 400, 80, 0.8))),
    (("disc in a crescent", lambda r: flame(r, 90, 150, -0.2)),
     ("disc above a crescent", lambda r: flame(r, 150, 150, 0.3))),
    (("seven discs, bridges",
      lambda r: bridged_discs(r, [170, 34, 273, 102, 130, 45, 34], AGGREGATE, [(2, 3), (4, 5)])),
     ("six discs, bridges", lambda r: bridged_discs(r, [200, 60, 150, 90, 240, 50], AGGREGATE[:6], [(0, 1), (3, 4)]))),
    (("discs, ring and halo", lambda r: compound(r, 1)), ("discs, ring and halo, larger", lambda r: compound(r, 3))),
    (("open ring", lambda r: open_ring(r, 110, 95, 3.6)), ("open ring, wider", lambda r: open_ring(r, 220, 150, 4.2))),
    (("four circles", lambda r: circles(r, 250, [1, 2.2, 1, 1], [(0, 0), (0, 0), (5, 1), (5, 4)])),
     ("three circles within", lambda r: circles(r, 600, [1, 2, 3], [(0, 0)] * 3))),
    (("face", lambda r: face(r, 150)), ("maze", lambda r: maze(r, 40))),
    (("stripes", lambda r: stripes(r, 2, 600, 2.0)), ("stripes, four", lambda r: stripes(r, 4, 350, 1.6))),
    (("plus", lambda r: plus(r, 250, 1.8)), ("frames in noise", lambda r: framed(r, 300, 200))),
    (("zed", lambda r: zed(r, 250, 1.2)), ("ex", lambda r: ex(r, 350, 4.0))),
]  # fmt: skip


def imitations(half):
    """name -> (points, labels), the same at every call."""
    place = {"choose": 0, "report": 1}[half]
    return {
        pair[place][0]: pair[place][1](np.random.default_rng(3000 + 1000 * place + i)) for i, pair in enumerate(PAIRS)
    }
