#!/usr/bin/python3
"""How well nw compare knows the shares of Y when the classes of X are known, on pairs drawn from labelled tables.

Usage: bench/class_shares.py TEST_PAIRS --tables FOLDER [--set NAME ...] [--kind K ...] [--pairs N] [--first N] [--cap N]
                             [--out ROWS.jsonl]

Tables and kinds (same, prop, mild, random) are those of verdict_pairs.py, but both samples are drawn from their mixes
by chance, as real ones are. Prints for the answer and for every way to it the root mean square error of a share, the
share of intervals that hold the truth, and their mean width.
"""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from verdict_pairs import MOST_CLASSES, mixes, read_table, write_pair

KINDS = ("same", "prop", "mild", "random")
WAYS = {"share_y": "the answer", "likelihood": "likelihood", "confusion": "confusion", "energy": "energy",
        "transport": "transport"}


def draw(values, classes, kind, rng, cap):
    """Rows of X, their classes, rows of Y and the true shares of Y; None where a table has too few rows."""
    names = rng.permutation(np.unique(classes))[:MOST_CLASSES]
    rows = [rng.permutation(np.flatnonzero(classes == c)) for c in names]
    have = np.array([len(r) for r in rows])
    mix = mixes(have, kind, rng)
    n = int(min(cap, 0.85 * (have / np.maximum(mix[0] + mix[1], 1e-9)).min()))
    for _ in range(200):
        take = [rng.multinomial(n, m) for m in mix]
        if np.all(take[0] + take[1] <= have) and take[0].min() >= 2:
            break
    else:
        return None
    in_x = np.concatenate([r[:a] for r, a in zip(rows, take[0])])
    in_y = np.concatenate([r[a:a + b] for r, a, b in zip(rows, *take)])
    a, b = rng.permutation(n), rng.permutation(n)
    return values[in_x][a], classes[in_x][a], values[in_y][b], mix[1][np.argsort(names)]


def run_table(options, name, path, kind):
    table = read_table(path)
    rows = []
    with tempfile.NamedTemporaryFile(suffix=".pairs") as file:
        for number in range(options.first, options.first + options.pairs):
            rng = np.random.default_rng([5, number, KINDS.index(kind), *name.encode()])
            if (pair := draw(*table, kind, rng, options.cap)) is None:
                continue
            x, of_x, y, truth = pair
            write_pair(file, x, y, of_x)
            rows.append({"table": name, "kind": kind, "pair": number, "rows": len(x), "truth": truth.tolist()})
        file.flush()
        said = subprocess.run([options.program, file.name], check=True, capture_output=True, text=True).stdout
    for row, line in zip(rows, said.splitlines(), strict=True):
        row.update(json.loads(line))
    return rows


def print_ways(label, rows):
    print(f"{label} ({len(rows)} pairs)")
    for way, called in WAYS.items():
        errors, inside, width = [], [], []
        for row in rows:
            truth, found = np.array(row["truth"]), np.array(row[way])
            errors.append(((found[:, 0] - truth) ** 2).mean())
            inside.append(((found[:, 1] <= truth + 1e-9) & (truth - 1e-9 <= found[:, 2])).mean())
            width.append((found[:, 2] - found[:, 1]).mean())
        print(f"  {called:11s} error {100 * np.sqrt(np.mean(errors)):5.1f} points   in the interval "
              f"{100 * np.mean(inside):5.1f} %   width {100 * np.mean(width):5.1f} points")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="test_pairs")
    parser.add_argument("--tables", required=True, help="folder of labelled CSV files")
    parser.add_argument("--set", nargs="+", help="tables by name; all of the folder otherwise")
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--pairs", type=int, default=10, help="of each kind and table")
    parser.add_argument("--first", type=int, default=0, help="number of the first pair")
    parser.add_argument("--cap", type=int, default=300, help="rows of each sample at most")
    parser.add_argument("--out", help="one line of JSON per pair, added to what the file holds")
    options = parser.parse_args()
    paths = {os.path.basename(p)[:-4]: p for p in sorted(glob.glob(os.path.join(options.tables, "*.csv")))}
    names = options.set or list(paths)
    if missing := [n for n in names if n not in paths]:
        sys.exit(f"{options.tables}: no table {', '.join(missing)}")
    rows = []
    for name in names:
        here = [row for kind in options.kind for row in run_table(options, name, paths[name], kind)]
        print_ways(name, here)
        sys.stdout.flush()
        rows += here
        if options.out:
            with open(options.out, "a") as file:
                file.writelines(json.dumps(r) + "\n" for r in here)
    print_ways("all tables", rows)


if __name__ == "__main__":
    main()
