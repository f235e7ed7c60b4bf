"""Whether order and units of columns are no part of what `nw compare` answers, on labelled tables.

Every table (CSV, last column the class) gives two samples with opposite mixes of its classes. They are compared as they
are, with the columns of Y in another order, with those of both in other orders, and with single columns times 1000 or
plus a million, on both sides. Verdict, k, numbers of components and shares (to 1e-6) must be those of the plain tables.

Usage: table_invariance.py NW FOLDER [--rows 200] [--columns 3] [--set NAME ...] [--args "--resamplings 99"]
Exits with 1 when an answer differs.
"""

import argparse
import csv
import json
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile
from decimal import Decimal

UNITS = {"times 1000": lambda v: v * 1000, "plus 10^6": lambda v: v + 10**6}
TOLERANCE = 1e-6


def two_samples(rows, size, chance):
    """Up to four classes, two rows of three from the first half of them in X, from the second in Y."""
    by_class = {}
    for row in rows:
        by_class.setdefault(row[-1], []).append(row[:-1])
    names = sorted(by_class)
    chance.shuffle(names)
    names = names[:4]
    x, y = [], []
    for at, name in enumerate(names):
        members = by_class[name]
        chance.shuffle(members)
        members = members[: 2 * size // len(names)]
        part = len(members) * (2 if at < len(names) / 2 else 1) // 3
        x += members[:part]
        y += members[part:]
    chance.shuffle(x)
    chance.shuffle(y)
    return x, y


def write(path, header, rows, order):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow([header[j] for j in order])
        out.writerows([row[j] for j in order] for row in rows)


def in_other_unit(rows, column, convert):
    return [[str(convert(Decimal(v))) if j == column else v for j, v in enumerate(row)] for row in rows]


def compare(nw, folder, more):
    done = subprocess.run([nw, "compare", "x.csv", "y.csv", "--seed", "3", "--json", "-", *more], cwd=folder,
                          capture_output=True, text=True)  # fmt: skip
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def difference(found, expected):
    """What is not the same, in words; empty when nothing is."""
    for field in ("verdict", "k"):
        if found[field] != expected[field]:
            return f"{field} {found[field]} instead of {expected[field]}"
    for side in ("pi_x", "pi_y"):
        apart = max(abs(a - b) for a, b in zip(found[side], expected[side]))
        if apart > TOLERANCE:
            return f"{side} differs by {apart:.2g}: {found[side]} instead of {expected[side]}"
    return ""


def variants(header, x, y, columns, chance):
    """(what was done, rows of X, rows of Y, order of columns in X, in Y)"""
    plain = list(range(len(header)))
    mixed = [chance.sample(plain, len(plain)) for _ in range(3)]
    yield "columns of Y in another order", x, y, plain, mixed[0]
    yield "columns of both in other orders", x, y, mixed[1], mixed[2]
    for j in chance.sample(plain, min(columns, len(plain))):
        for unit, convert in UNITS.items():
            yield f"{header[j]} {unit}", in_other_unit(x, j, convert), in_other_unit(y, j, convert), plain, plain


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nw")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--rows", type=int, default=200, help="of each sample, about")
    parser.add_argument("--columns", type=int, default=3, help="of each table, in other units one after the other")
    parser.add_argument("--set", action="append", help="only these tables")
    parser.add_argument("--args", default="--resamplings 99", help="further arguments of nw compare")
    wanted = parser.parse_args()
    nw, more = str(pathlib.Path(wanted.nw).resolve()), shlex.split(wanted.args)
    runs = differ = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for path in sorted(wanted.folder.glob("*.csv")):
            if wanted.set and path.stem not in wanted.set:
                continue
            chance = random.Random(path.stem)
            with open(path, newline="") as file:
                header, *rows = csv.reader(file)
            x, y = two_samples(rows, wanted.rows, chance)
            names = list(range(len(header) - 1))
            write(folder / "x.csv", header, x, names)
            write(folder / "y.csv", header, y, names)
            expected = compare(nw, folder, more)
            bad = []
            for what, rows_x, rows_y, order_x, order_y in variants(header[:-1], x, y, wanted.columns, chance):
                write(folder / "x.csv", header, rows_x, order_x)
                write(folder / "y.csv", header, rows_y, order_y)
                runs += 1
                wrong = difference(compare(nw, folder, more), expected)
                if wrong:
                    bad.append(f"  {what}: {wrong}")
            differ += len(bad)
            print(f"{path.stem}: {expected['verdict']}, k = {expected['k']}; {len(bad)} differ", *bad, sep="\n", flush=True)
    print(f"{runs - differ} of {runs} variants give the answer of the plain tables")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
