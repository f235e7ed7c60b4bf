#!/usr/bin/python3
"""Level and power of the tests behind nw compare, on pairs drawn from labelled tables.

Usage: bench/verdict_pairs.py TEST_PAIRS --tables FOLDER [--kind K ...] [--set NAME ...] [--pairs N] [--first N]
                              [--cap N] [--labels] [--out ROWS.jsonl] [--dump FOLDER]

TEST_PAIRS is the program tests/measure/test_pairs (scripts/build.sh dev --target test_pairs). A table is a CSV file
whose last column is `class`: a mixture whose members are its classes. Rows are drawn without replacement, at most four
classes a pair, columns as they come, as many rows as the rarest class allows and at most --cap a sample:

  same    one mix of the classes, twice
  prop    the mix of X reversed in Y (0.6 / 0.3 / 0.1 against 0.1 / 0.3 / 0.6)
  mild    the same with ratios to 2
  random  both mixes from a flat Dirichlet with at least 5 % of every class (ratios to about 15)
  shift   as prop, and one class of Y changed in half of its columns: moved by one deviation, or times 1.2
  new     a class that X lacks makes up 30 % of Y

Prints how often each kind is called same, proportions and components, with the largest ratio of shares split at the
bound that was tested. --out keeps one line per pair, --dump what the tests saw, to try other rules on.
"""
import argparse
import collections
import csv
import glob
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

KINDS = ("same", "prop", "mild", "random", "shift", "new")
STREAM = {"same": 0, "prop": 1, "mild": 1, "random": 1, "shift": 2, "new": 3}
SHARES = {2: [0.7, 0.3], 3: [0.6, 0.3, 0.1], 4: [0.45, 0.3, 0.15, 0.1]}
MOST_CLASSES, LEVEL = 4, 0.05


def read_table(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))[1:]
    return np.array([r[:-1] for r in rows], float), np.array([r[-1] for r in rows])


def mixes(have, kind, rng):
    """Shares of the classes in X and in Y."""
    k = len(have)
    if kind == "same":
        return have / have.sum(), have / have.sum()
    if kind == "new":
        rest = np.full(k - 1, 1 / (k - 1))
        return np.r_[0, rest], np.r_[0.3, 0.7 * rest]
    if kind == "random":
        return 0.05 + (1 - 0.05 * k) * rng.dirichlet(np.ones(k), 2)
    shares = np.array(SHARES[k])
    if kind == "mild":
        shares = (shares + 2 / k) / 3
    return shares, shares[::-1]


def draw_pair(values, classes, kind, rng, cap, odd):
    """Rows of X and of Y, their classes, and the largest ratio of shares."""
    names = rng.permutation(np.unique(classes))[:MOST_CLASSES]
    rows = [rng.permutation(np.flatnonzero(classes == c)) for c in names]
    have = np.array([len(r) for r in rows])
    mix = mixes(have, kind, rng)
    n = int(min(cap, (have / np.maximum(mix[0] + mix[1], 1e-9)).min()))
    take = [np.floor(n * m + 0.5).astype(int) for m in mix]
    take[1] = np.minimum(take[1], have - take[0])
    in_x = np.concatenate([r[:a] for r, a in zip(rows, take[0])])
    in_y = np.concatenate([r[a:a + b] for r, a, b in zip(rows, *take)])
    x, y = values[in_x], values[in_y].copy()
    if kind == "shift":
        deviation = values[classes == names[1]].std(0)
        live = np.flatnonzero(deviation > 0)
        chosen = rng.choice(live, max(1, (len(live) + 1) // 2), replace=False)
        whole = [c for c in chosen if np.all(values[:, c] == np.round(values[:, c]))]
        at = np.ix_(classes[in_y] == names[1], chosen)
        y[at] = 1.2 * y[at] if odd else y[at] + deviation[chosen] * rng.choice([-1, 1], len(chosen))
        y[:, whole] = np.round(y[:, whole])
    shares = [t / t.sum() for t in take]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.nanmax(np.maximum(shares[0] / shares[1], shares[1] / shares[0]))
    a, b = rng.permutation(len(x)), rng.permutation(len(y))
    return x[a], classes[in_x][a], y[b], classes[in_y][b], float(ratio)


def pair_of(table, name, kind, number, cap, seed=0):
    rng = np.random.default_rng([seed, number, STREAM[kind], *name.encode()])
    return draw_pair(*table, kind, rng, cap, number % 2 == 1)


def write_pair(file, x, y, class_of_x=None):
    """As test_pairs reads it."""
    code = np.unique(class_of_x, return_inverse=True)[1] if class_of_x is not None else np.zeros(0)
    count = int(code.max()) + 1 if class_of_x is not None else 0
    file.write(np.array([len(x), len(y), x.shape[1], count], "<i8").tobytes())
    file.write(np.ascontiguousarray(x, "<f8").tobytes() + np.ascontiguousarray(y, "<f8").tobytes())
    file.write(code.astype("<i8").tobytes())


def verdict(row):
    p_same, p_components = row["p_same"], row["p_components"]
    if "p_classes" in row:
        p_same = min(1.0, 3.0 * min(row["p_energy"], row["p_score"], row["p_classes"]))
        p_components = row["p_both"]
    if p_same >= LEVEL:
        return "same"
    return "components" if p_components <= LEVEL else "proportions"


def run_table(options, name, path, kind):
    table = read_table(path)
    rows = []
    dump = [os.path.join(options.dump, f"{name}-{kind}-{options.cap}.bin")] if options.dump else []
    with tempfile.NamedTemporaryFile(suffix=".pairs") as file:
        for number in range(options.first, options.first + options.pairs):
            x, of_x, y, of_y, ratio = pair_of(table, name, kind, number, options.cap, options.seed)
            write_pair(file, x, y, of_x if options.labels else None)
            rows.append({"table": name, "kind": kind, "pair": number, "cap": options.cap,
                         "rows": [len(x), len(y)], "ratio": ratio})
        file.flush()
        said = subprocess.run([options.program, file.name, *dump], check=True, capture_output=True, text=True).stdout
    for row, line in zip(rows, said.splitlines(), strict=True):
        row.update(json.loads(line))
        row["verdict"] = verdict(row)
    return rows


def print_counts(rows):
    def line(label, chosen):
        count = collections.Counter(r["verdict"] for r in chosen)
        share = "  ".join(f"{v} {count[v]} ({100 * count[v] / len(chosen):.1f} %)"
                          for v in ("same", "proportions", "components") if count[v])
        print(f"{label:26s} {len(chosen):4d} pairs  {share}")

    for kind in KINDS:
        here = [r for r in rows if r["kind"] == kind]
        if not here:
            continue
        line(kind, here)
        if kind == "random":
            for label, beyond in (("  ratio within the bound", False), ("  ratio beyond the bound", True)):
                part = [r for r in here if (r["ratio"] > r["share_bound"]) == beyond]
                if part:
                    line(label, part)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="test_pairs")
    parser.add_argument("--tables", required=True, help="folder of labelled CSV files")
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=["same", "prop", "random", "shift", "new"])
    parser.add_argument("--set", nargs="+", help="tables by name; all of the folder otherwise")
    parser.add_argument("--pairs", type=int, default=8, help="of each kind and table")
    parser.add_argument("--first", type=int, default=0, help="number of the first pair")
    parser.add_argument("--cap", type=int, default=300, help="rows of each sample at most")
    parser.add_argument("--labels", action="store_true", help="the classes of X are known")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", help="one line of JSON per pair, added to what the file holds")
    parser.add_argument("--dump", help="folder for what the tests saw, a file per table and kind")
    options = parser.parse_args()
    paths = {os.path.basename(p)[:-4]: p for p in sorted(glob.glob(os.path.join(options.tables, "*.csv")))}
    names = options.set or list(paths)
    if missing := [n for n in names if n not in paths]:
        sys.exit(f"{options.tables}: no table {', '.join(missing)}")
    if not names:
        sys.exit(f"{options.tables}: no labelled tables here")
    if options.dump:
        os.makedirs(options.dump, exist_ok=True)
    rows = []
    for name in names:
        for kind in options.kind:
            found = run_table(options, name, paths[name], kind)
            rows += found
            if options.out:
                with open(options.out, "a") as file:
                    file.writelines(json.dumps(r) + "\n" for r in found)
    print_counts(rows)


if __name__ == "__main__":
    main()
