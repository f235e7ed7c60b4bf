#!/usr/bin/python3
"""Writes records like those of real runs, for the tests of the page and for looking at it.

Usage: make_records.py FOLDER

The points and couplings are real (POT solves the transport problems of the paper's ring of eight
Gaussians); p-values, intervals and curves are set by hand to what such runs give.
"""
import json
import pathlib
import sys

try:
    import numpy as np
    import ot
except ImportError as error:
    print(f"make_records: skipped, {error}")
    sys.exit(77)

R, STD, N, DRAWN = 4.0, 0.3, 600, 400
HOSTILE = '</script><script>document.title="owned"</script><img src=x onerror="document.title=1">'


def ring(half_steps=0):
    angle = 2 * np.pi * np.arange(1, 9) / 8 + half_steps * np.pi / 8
    return R * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def draw(rng, centres, pi, n):
    label = rng.choice(len(pi), size=n, p=pi)
    return centres[label] + STD * rng.standard_normal((n, centres.shape[1]))


def couplings(a, a_mass, b, b_mass, limit=300):
    """Optimal couplings of order 1, thinned evenly by mass."""
    plan = ot.emd(a_mass, b_mass, ot.dist(a, b, metric="euclidean"))
    rows, cols = np.nonzero(plan)
    mass = plan[rows, cols]
    step = mass.sum() / limit
    slots = np.floor(np.cumsum(mass) / step)
    keep = np.flatnonzero(np.diff(slots, prepend=0))
    return [[a[rows[i]].round(5).tolist(), b[cols[i]].round(5).tolist(), float(mass[i])]
            for i in keep]


def atoms(rng, centres, pi, per_component=50):
    points = np.concatenate(
        [c + STD * rng.standard_normal((per_component, centres.shape[1])) for c in centres])
    return points, np.repeat(pi / per_component, per_component)


def shares(points, centres):
    """Proportions of the sample itself: what optimising pi finds."""
    nearest = ot.dist(points, centres, metric="euclidean").argmin(axis=1)
    return np.bincount(nearest, minlength=len(centres)) / len(points)


def figure(rng, x, y, centres, axes):
    uniform = lambda points: np.full(len(points), 1 / len(points))
    p_x, p_y = (atoms(rng, centres, shares(points, centres)) for points in (x, y))
    covariance = (STD ** 2 * np.eye(x.shape[1])).ravel().tolist()
    return {
        "axes": axes,
        "x": x[:DRAWN].round(5).tolist(),
        "y": y[:DRAWN].round(5).tolist(),
        "ellipses": [{"component": j, "centre": c.tolist(), "covariance": covariance}
                     for j, c in enumerate(centres)],
        "plain": couplings(x, uniform(x), y, uniform(y)),
        "normalized_x": couplings(x, uniform(x), *p_x),
        "normalized_y": couplings(y, uniform(y), *p_y),
    }


def interval(pi):
    half = 1.96 * np.sqrt(pi * (1 - pi) / N)
    return np.stack([np.maximum(pi - half, 0), np.minimum(pi + half, 1)], axis=1).tolist()


def curve(values, floor):
    return [{"k": k, "nw": v, "nw_low": v - 0.012 - 0.02 * v, "nw_high": v + 0.012 + 0.02 * v,
             "floor_low": floor * 0.96, "floor_high": floor * 1.08}
            for k, v in enumerate(values, start=1)]


def common(name_x, name_y, columns, seed):
    return {
        "schema": 1, "kind": "compare", "command": "compare",
        "data": [{"name": name_x, "path": "data/" + name_x, "rows": N, "columns": columns},
                 {"name": name_y, "path": "data/" + name_y, "rows": N, "columns": columns}],
        "converged": True, "seconds": 4.237, "peak_rss_mb": 31.4, "seeds": [seed],
        "created": "2024-05-01T12:00:00Z",
        "settings": {"p": 1, "shape": "full", "resamplings": 200, "alpha": 0.05,
                     "confidence": 0.95, "threads": 2, "quick": False},
        "versions": {"nw": "0.1.0", "compiler": "g++ 12.2"},
    }


def proportions_record():
    rng = np.random.default_rng(1)
    i = np.arange(1, 9)
    pi_x, pi_y, centres = (i + 2) / 52, (11 - i) / 52, ring()
    x, y = draw(rng, centres, pi_x, N), draw(rng, centres, pi_y, N)
    return common("january.csv", "june.csv", 2, 1) | {
        "sentence": "Only the mix changed: X and Y consist of the same 8 components in different "
                    "proportions.",
        "details": ["The plain distance of 2.11 is 7.6 times what sampling noise alone gives; once "
                    "the proportions are optimised out, 0.245 remains, which is at the floor of "
                    "0.241.",
                    "The largest change is component 8: from 19.2 % of X to 5.8 % of Y."],
        "wasserstein": 2.11, "normalized_wasserstein": 0.245,
        "wasserstein_floor": 0.277, "normalized_floor": 0.241, "k": 8,
        "pi_x": pi_x.tolist(), "pi_y": pi_y.tolist(),
        "pi_x_interval": interval(pi_x), "pi_y_interval": interval(pi_y),
        "p_same": 0.005, "p_components": 0.42, "verdict": "proportions",
        "components": [
            {"centre": c.tolist(), "mass_x": pi_x[j], "mass_y": pi_y[j],
             "shift": rng.normal(0, 0.02, 2).tolist(), "shift_size": float(rng.uniform(0, 0.15)),
             "contribution": 0.125, "p": float(min(1, rng.uniform(0.3, 1.4))), "status": "shared"}
            for j, c in enumerate(centres)],
        "k_star": 8,
        "curve": curve([5.74, 3.91, 2.83, 2.05, 1.42, 0.91, 0.448, 0.245, 0.242, 0.241, 0.240],
                       0.241),
        "reasons": ["NW(8) is the first value at the noise floor, right after the last large drop "
                    "(0.20 from k = 7); beyond it the curve is flat."],
        "metrics": [{"name": "nw_over_w", "label": "NW / W", "value": 0.116},
                    {"name": "proportion_change", "label": "total variation of the proportions",
                     "value": 0.308, "interval": [0.262, 0.351]}],
        "figure": figure(rng, x, y, centres,
                         [{"name": "width", "variance_share": 0.52},
                          {"name": "height", "variance_share": 0.48}]),
    }


def components_record():
    rng = np.random.default_rng(2)
    i = np.arange(1, 9)
    pi = (i + 2) / 52
    centres = np.concatenate([ring(), ring(1)])
    pi_x, pi_y = np.concatenate([pi, np.zeros(8)]), np.concatenate([np.zeros(8), pi[::-1]])
    x, y = draw(rng, centres, pi_x, N), draw(rng, centres, pi_y, N)
    return common("january.csv", "july.csv", 2, 2) | {
        "sentence": "Members changed: 8 components of X are missing from Y, and 8 new ones "
                    "appeared.",
        "details": ["Optimising the proportions over 8 shared components leaves 0.94 of a distance "
                    "of 1.96; sampling noise alone would leave 0.24."],
        "warnings": ["k was chosen at 16; with k = 8 no shared component describes both samples."],
        "wasserstein": 1.96, "normalized_wasserstein": 0.268,
        "wasserstein_floor": 0.281, "normalized_floor": 0.261, "k": 16,
        "pi_x": pi_x.tolist(), "pi_y": pi_y.tolist(),
        "pi_x_interval": interval(pi_x), "pi_y_interval": interval(pi_y),
        "p_same": 0.005, "p_components": 0.005, "verdict": "components",
        "components": [
            {"centre": c.tolist(), "mass_x": pi_x[j], "mass_y": pi_y[j], "contribution": 1 / 16,
             "p": 0.005, "status": "missing-from-y" if j < 8 else "new-in-y"}
            for j, c in enumerate(centres)],
        "k_star": 16,
        "curve": curve([5.6, 3.9, 2.9, 2.3, 1.9, 1.5, 1.2, 0.94, 0.84, 0.75, 0.67, 0.60, 0.51, 0.43,
                        0.35, 0.268, 0.266, 0.265], 0.261),
        "figure": figure(rng, x, y, centres,
                         [{"name": "width", "variance_share": 0.5},
                          {"name": "height", "variance_share": 0.5}]),
    }


def same_record():
    """Three principal axes of twenty columns, two components, nothing changed."""
    rng = np.random.default_rng(3)
    centres, pi = np.array([[-2.0, 0.3, 0.1], [1.5, -0.4, 0.2]]), np.array([0.4, 0.6])
    x, y = draw(rng, centres, pi, N), draw(rng, centres, pi, N)
    return common("digits-a.npy", "digits-b.npy", 20, 3) | {
        "sentence": "No difference found: X and Y look like samples of the same distribution.",
        "wasserstein": 1.31, "normalized_wasserstein": 1.29,
        "wasserstein_floor": 1.30, "normalized_floor": 1.29, "k": 2,
        "pi_x": [0.41, 0.59], "pi_y": [0.395, 0.605],
        "pi_x_interval": interval(np.array([0.41, 0.59])),
        "pi_y_interval": interval(np.array([0.395, 0.605])),
        "p_same": 0.61, "p_components": 0.72, "verdict": "same",
        "components": [{"centre": rng.normal(0, 2, 20).tolist(), "mass_x": a, "mass_y": b,
                        "shift": rng.normal(0, 0.05, 20).tolist(), "shift_size": 0.06,
                        "spread_change": 0.01, "contribution": 0.5, "p": 0.8, "status": "shared"}
                       for a, b in [(0.41, 0.395), (0.59, 0.605)]],
        "figure": figure(rng, x, y, centres,
                         [{"name": "principal axis 1", "variance_share": 0.31},
                          {"name": "principal axis 2", "variance_share": 0.12},
                          {"name": "principal axis 3", "variance_share": 0.08}]),
    }


def line_record():
    """One column: X and Y lie on a line. No intervals, no p-values, no ellipses in the curve."""
    rng = np.random.default_rng(4)
    x, y = rng.normal(0, 1, (N, 1)), rng.normal(0.5, 1, (N, 1))
    return common("before.csv", "after.csv", 1, 4) | {
        "wasserstein": 0.5, "normalized_wasserstein": 0.4, "k": 1, "pi_x": [1.0], "pi_y": [1.0],
        "verdict": "undecided",
        "figure": figure(rng, x, y, np.array([[0.25]]), [{"name": "height", "variance_share": 1}]),
    }


def hostile_record():
    """Markup wherever a user's file can put text."""
    record = proportions_record()
    for key in ("title", "sentence", "command"):
        record[key] = key + HOSTILE
    for key in ("details", "warnings", "reasons"):
        record[key] = [key + HOSTILE]
    for data in record["data"]:
        data["name"] = data["path"] = "name" + HOSTILE
    for component in record["components"]:
        component["name"] = "component" + HOSTILE
    for axis in record["figure"]["axes"]:
        axis["name"] = "axis" + HOSTILE
    record["settings"] = {"key" + HOSTILE: "value" + HOSTILE}
    record["versions"] = {"key" + HOSTILE: "value" + HOSTILE}
    record["metrics"] = [{"name": "metric" + HOSTILE, "label": "label" + HOSTILE, "value": 1}]
    record["series"] = [{"name": "series" + HOSTILE, "x_label": "x" + HOSTILE,
                         "y_label": "y" + HOSTILE, "x": [0, 1], "y": [1, 0]}]
    record["note" + HOSTILE] = HOSTILE
    record["created"] = HOSTILE
    return record


def table_record():
    """A table of three columns: two components, one of which is new in Y."""
    rng = np.random.default_rng(8)
    centres = np.array([[-2.0, 0.3, 0.1], [1.5, -0.4, 0.2]])
    pi_x, pi_y = np.array([1.0, 0.0]), np.array([0.6, 0.4])
    x, y = draw(rng, centres, pi_x, N), draw(rng, centres, pi_y, N)
    member = [ot.dist(side[:DRAWN], centres, metric="euclidean").argmin(axis=1) for side in (x, y)]
    drawn = figure(rng, x, y, centres,
                   [{"name": f"principal axis {i + 1}", "variance_share": share}
                    for i, share in enumerate((0.7, 0.2, 0.1))])
    drawn |= {
        "member_x": member[0].tolist(), "member_y": member[1].tolist(),
        "columns": [
            {"name": "age", **{s: (30 + 10 * p[:DRAWN, 0]).round(2).tolist()
                               for s, p in (("x", x), ("y", y))}},
            {"name": "income", **{s: (2000 + 300 * p[:DRAWN, 1]).round(1).tolist()
                                  for s, p in (("x", x), ("y", y))}},
            {"name": "city", "levels": ["Oslo", "Rome"],
             "x": [0] * DRAWN, "y": [1] * DRAWN}],
    }
    drawn["columns"][1]["x"][3] = None
    return common("winter.csv", "summer.csv", 3, 8) | {
        "sentence": "The components differ: component 2 is new in Y (40 % of it).",
        "wasserstein": 1.2, "normalized_wasserstein": 0.3, "wasserstein_floor": 0.3,
        "normalized_floor": 0.28, "k": 2, "pi_x": pi_x.tolist(), "pi_y": pi_y.tolist(),
        "pi_x_interval": interval(pi_x), "pi_y_interval": interval(pi_y),
        "p_same": 0.0005, "p_components": 0.0005, "verdict": "components",
        "columns": [{"name": "age", "kind": "numeric", "used": True},
                    {"name": "income", "kind": "numeric", "used": True, "missing_x": 0.05},
                    {"name": "city", "kind": "categorical", "used": True}],
        "components": [
            {"name": "age ≈ 10, city = Oslo", "centre": [10, 2000, 0], "mass_x": 1.0,
             "mass_y": 0.6, "p": 0.4, "status": "shared"},
            {"name": "age ≈ 45, city = Rome", "centre": [45, 1900, 1], "mass_x": 0.0,
             "mass_y": 0.4, "p": 0.0005, "status": "new-in-y"}],
        "figure": drawn,
    }


def choose_k_record():
    record = common("grid.csv", "grid.csv", 2, 5)
    del record["data"][1]
    return record | {
        "kind": "choose-k", "command": "choose-k", "k": 9, "k_star": 9,
        "sentence": "The data hold 9 modes.",
        "reasons": ["NW(9) is the first value at the noise floor, after the last large drop."],
        "curve": curve([4.1, 2.9, 2.2, 1.7, 1.3, 0.95, 0.66, 0.41, 0.21, 0.208, 0.207, 0.206],
                       0.205),
    }


def distance_record():
    return common("a.csv", "b.csv", 3, 6) | {
        "kind": "distance", "command": "distance", "distance": 1.5096, "method": "exact",
        "primal": 1.5096, "dual": 1.5096, "gap": 1.1e-12,
        "sentence": "The Wasserstein distance of order 1 is 1.5096."}


def training_record():
    steps = np.arange(0, 2000, 20)
    rng = np.random.default_rng(7)
    loss = 3 * np.exp(-steps / 500) + 0.05 * rng.standard_normal(len(steps)) + 0.3
    return {
        "schema": 1, "kind": "training", "command": "gan", "title": "Mixture GAN on the 3 x 3 grid",
        "sentence": "The generator reached W = 0.31 after 2 000 steps.", "converged": False,
        "warnings": ["The run was stopped before the critics converged."],
        "seconds": 61.0, "peak_rss_mb": 900.0, "seeds": [7], "pi": [0.2, 0.3, 0.5],
        "metrics": [{"name": "wasserstein", "label": "W on held-out points", "value": 0.31,
                     "expected": 0.28}],
        "series": [{"name": "wasserstein", "x_label": "step", "y_label": "W",
                    "x": steps.tolist(), "y": loss.tolist()}] +
                  [{"name": f"pi {j + 1}", "x_label": "step", "y_label": "pi", "chart": "pi",
                    "x": steps.tolist(), "y": (share + 0.1 * np.exp(-steps / 300)).tolist()}
                   for j, share in enumerate(np.arange(1, 10) / 45)],
        "figure": {"axes": [{"name": "u", "variance_share": 0.6}, {"name": "v", "variance_share": 0.4}],
                   "x": rng.standard_normal((200, 2)).round(4).tolist(),
                   "y": rng.standard_normal((200, 2)).round(4).tolist()},
        "settings": {"k": 9, "method": "nwgan"}, "versions": {"nw": "0.1.0"}}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for make in (proportions_record, components_record, same_record, line_record,
                 hostile_record, table_record,
                 choose_k_record, distance_record, training_record):
        name = make.__name__.removesuffix("_record") + ".json"
        (folder / name).write_text(json.dumps(make()))


if __name__ == "__main__":
    main()
