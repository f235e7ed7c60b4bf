"""Solves one transport problem with POT and prints what it took as a line of JSON.

Usage: pot_worker.py folder p repeat [n]    folder: x.npy, y.npy and, for weighted problems, a.npy, b.npy
With n: one problem for every n rows, solved one after the other; their values go to folder/values.npy.
"""

import json
import os
import resource
import sys
import time

import numpy as np
import ot


def peak_mb():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def report(**fields):
    print(json.dumps({**fields, "version": ot.__version__}))


def many(folder, metric, n):
    x, y = (np.load(f"{folder}/{name}.npy") for name in "xy")
    x, y = (points.reshape(-1, n, points.shape[1]) for points in (x, y))
    before, masses = peak_mb(), np.full(n, 1 / n)
    ot.emd2(masses, masses, ot.dist(x[0], y[0], metric))
    values, cost_seconds, seconds, cpu_seconds = [], 0.0, 0.0, 0.0
    for one, other in zip(x, y):
        start = time.perf_counter()
        cost = ot.dist(one, other, metric)
        middle, cpu = time.perf_counter(), time.process_time()
        values.append(ot.emd2(masses, masses, cost, numItermax=100_000_000))
        cpu_seconds += time.process_time() - cpu
        seconds += time.perf_counter() - middle
        cost_seconds += middle - start
    np.save(f"{folder}/values.npy", np.array(values, dtype=float))
    report(seconds=[seconds], cpu_seconds=[cpu_seconds], cost_matrix_seconds=cost_seconds,
           memory_mb=peak_mb() - before, value=float(np.mean(values)))


def main():
    folder, p, repeat = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    metric = "euclidean" if p == 1 else "sqeuclidean"
    if len(sys.argv) > 4:
        many(folder, metric, int(sys.argv[4]))
        return
    x, y = np.load(f"{folder}/x.npy"), np.load(f"{folder}/y.npy")
    a, b = [], []
    if os.path.exists(f"{folder}/a.npy"):
        a, b = np.load(f"{folder}/a.npy"), np.load(f"{folder}/b.npy")
        a, b = a / a.sum(), b / b.sum()
    # Scipy loads parts of itself when first used: that is not the solver's memory.
    ot.emd2([], [], ot.dist(x[:2], y[:2], "euclidean"))
    before = peak_mb()
    start = time.perf_counter()
    cost = ot.dist(x, y, metric)
    cost_seconds = time.perf_counter() - start
    seconds, cpu_seconds = [], []
    for _ in range(repeat):
        start, cpu = time.perf_counter(), time.process_time()
        value = ot.emd2(a, b, cost, numItermax=100_000_000)
        seconds.append(time.perf_counter() - start)
        cpu_seconds.append(time.process_time() - cpu)
    report(seconds=seconds, cpu_seconds=cpu_seconds, cost_matrix_seconds=cost_seconds,
           memory_mb=peak_mb() - before, value=float(value))


main()
