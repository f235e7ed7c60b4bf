"""Solves one transport problem with POT and prints what it took as a line of JSON.

Usage: pot_worker.py folder p repeat    folder: x.npy, y.npy and, for weighted problems, a.npy, b.npy
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


def main():
    folder, p, repeat = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    x, y = np.load(f"{folder}/x.npy"), np.load(f"{folder}/y.npy")
    a, b = [], []
    if os.path.exists(f"{folder}/a.npy"):
        a, b = np.load(f"{folder}/a.npy"), np.load(f"{folder}/b.npy")
        a, b = a / a.sum(), b / b.sum()
    # Scipy loads parts of itself when first used: that is not the solver's memory.
    ot.emd2([], [], ot.dist(x[:2], y[:2], "euclidean"))
    before = peak_mb()
    start = time.perf_counter()
    cost = ot.dist(x, y, "euclidean" if p == 1 else "sqeuclidean")
    cost_seconds = time.perf_counter() - start
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        value = ot.emd2(a, b, cost, numItermax=100_000_000)
        seconds.append(time.perf_counter() - start)
    print(
        json.dumps(
            {
                "seconds": seconds,
                "cost_matrix_seconds": cost_seconds,
                "memory_mb": peak_mb() - before,
                "value": float(value),
                "version": ot.__version__,
            }
        )
    )


main()
