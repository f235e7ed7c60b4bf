#!/usr/bin/python3
"""Plans of several solvers on the same points: seconds, memory, and by how much each costs more than the optimum.

Usage: bench/transport_rivals.py NW [--points N] [--dimension D] [--p 1|2] [--seed N]

Two Gaussians of different shape, N points each with equal masses. Every method runs in a process of its own. Seconds are CPU time,
which other programs disturb least: of the solve with its cost matrix, and for nw of the whole command. Megabytes are what a method adds
to its process at its peak, and for nw all of it. Sinkhorn's method has up to 2000 iterations; its plans have marginals that are a little off, and are
rounded to the right ones (Altschuler, Weed and Rigollet 2017) before `nw certify` compares them with the optimum. Prints a Markdown table.
"""
import argparse
import json
import multiprocessing
import os
import pathlib
import resource
import subprocess
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "2")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "2")

import numpy as np
import ot
from scipy.spatial.distance import cdist


def clouds(count, dimension, seed):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(count, dimension))
    y = draw.normal(size=(count, dimension)) * np.where(np.arange(dimension) == 0, 0.5, 1.5)
    return x, y + np.where(np.arange(dimension) == 0, 2.0, 0.5)


def peak_megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def costs(x, y, p):
    return cdist(x, y, "euclidean" if p == 1 else "sqeuclidean")


def rounded(plan, count):
    """The plan scaled down to its marginals, and what is missing added as a product."""
    mass = 1.0 / count
    plan = plan * np.minimum(mass / plan.sum(1), 1.0)[:, None]
    plan *= np.minimum(mass / plan.sum(0), 1.0)
    rows, columns = mass - plan.sum(1), mass - plan.sum(0)
    return plan + np.outer(rows, columns) / max(rows.sum(), 1e-300)


def save_matches(path, matches):
    with open(path, "w") as file:
        file.write("source,target,mass\n")
        file.writelines(f"{i},{j},{1 / len(matches)!r}\n" for i, j in enumerate(matches))
    return path


def emd(x, y, p):
    return ot.emd([], [], costs(x, y, p), numItermax=10**9)


def sinkhorn(epsilon):
    def run(x, y, p):
        cost = costs(x, y, p)
        step = epsilon * cost.mean()
        return ot.sinkhorn([], [], cost, step, numItermax=2000, stopThr=1e-9)

    return run


def sliced(directions):
    def run(x, y, p):
        draw, best, matches = np.random.default_rng(7), np.inf, None
        for _ in range(directions):
            way = draw.normal(size=x.shape[1])
            match = np.empty(len(x), dtype=int)
            match[np.argsort(x @ way)] = np.argsort(y @ way)
            cost = (np.linalg.norm(x - y[match], axis=1) ** p).mean()
            if cost < best:
                best, matches = cost, match
        return matches

    return run


def measured(method, arguments, folder):
    """Runs one method in a process of its own: seconds, megabytes and the file with its plan."""

    def work(pipe):
        before = peak_megabytes()
        start = time.process_time()
        plan = method(*arguments)
        seconds, memory = time.process_time() - start, peak_megabytes() - before
        if plan.ndim == 1:
            path = save_matches(folder / "plan.csv", plan)
        else:
            path = folder / "plan.npy"
            np.save(path, rounded(plan, len(plan)))
        pipe.send((seconds, memory, str(path)))

    context = multiprocessing.get_context("fork")
    receive, send = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(send,))
    process.start()
    send.close()
    try:
        answer = receive.recv()
    except EOFError:
        answer = None
    process.join()
    return answer


def nw_exact(nw, p, folder):
    """Time and memory of the whole command, with reading and writing."""
    plan = folder / "nw.csv"
    command = [nw, "distance", "x.npy", "y.npy", "--method", "exact", "--p", str(p), "--threads", "2",
               "--plan", str(plan), "--json", "-", "--quiet"]  # fmt: skip
    # A shell between: the peak of a process starts with that of who forked it.
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(["sh", "-c", '"$@"; exit $?', "sh", *command], cwd=folder, capture_output=True,
                          text=True, check=True)  # fmt: skip
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return seconds, json.loads(done.stdout)["peak_rss_mb"], str(plan)


def certified(nw, plan, p, folder):
    command = [nw, "certify", "x.npy", "y.npy", "--plan", plan, "--p", str(p), "--json", "-", "--quiet"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("nw")
    parser.add_argument("--points", type=int, default=3000)
    parser.add_argument("--dimension", type=int, default=2)
    parser.add_argument("--p", type=int, choices=[1, 2], default=2)
    parser.add_argument("--seed", type=int, default=2019)
    given = parser.parse_args()
    nw = str(pathlib.Path(given.nw).resolve())
    x, y = clouds(given.points, given.dimension, given.seed)
    rivals = {f"`ot.emd`, POT {ot.__version__}": emd}
    for epsilon in (0.1, 0.03, 0.01):
        rivals[f"`ot.sinkhorn`, epsilon {epsilon} of the mean cost"] = sinkhorn(epsilon)
    for directions in (16, 256):
        rivals[f"best coupling of {directions} directions"] = sliced(directions)
    print(f"{given.points} points a side, dimension {given.dimension}, {'W1' if given.p == 1 else 'W2²'}\n")
    print("| method | CPU s | MB | cost above the optimum |\n| --- | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory(prefix="nw-rivals-") as name:
        folder = pathlib.Path(name)
        np.save(folder / "x.npy", x)
        np.save(folder / "y.npy", y)
        rows = [("nw, exact", lambda: nw_exact(nw, given.p, folder))]
        for label, method in rivals.items():
            rows.append((label, lambda method=method: measured(method, (x, y, given.p), folder)))
        for label, run in rows:
            answer = run()
            if answer is None:
                print(f"| {label} | failed | | |")
                continue
            seconds, memory, plan = answer
            gap = certified(nw, plan, given.p, folder)["relative_gap"]
            print(f"| {label} | {seconds:.3g} | {memory:.0f} | {100 * gap:.2g} % |", flush=True)


if __name__ == "__main__":
    main()
