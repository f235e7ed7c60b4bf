"""How often `nw compare` still says `same` of two halves of one class when cells are missing at random on both sides.

Every class of every table (CSV, last column the class) is split at random in two, so the truth is `same`; then each
cell of both halves is emptied with the same probability. The level of the test is 5 %.

Usage: missing_at_random.py NW FOLDER [--draws 10] [--rows 100] [--shares 0,0.1,0.3] [--set NAME ...] [--args "--k 1 --resamplings 19"]
"""

import argparse
import collections
import csv
import json
import pathlib
import random
import shlex
import subprocess
import tempfile


def write(path, header, rows, share, chance):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(header)
        out.writerows([["" if chance.random() < share else cell for cell in row] for row in rows])


def verdict(nw, folder, more):
    done = subprocess.run([nw, "compare", "x.csv", "y.csv", "--quiet", "--json", "r.json", *more], cwd=folder,
                          capture_output=True, text=True)  # fmt: skip
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return json.loads((folder / "r.json").read_text())["verdict"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nw")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--draws", type=int, default=10, help="halvings of each table")
    parser.add_argument("--rows", type=int, default=100, help="of each half, at most")
    parser.add_argument("--shares", default="0,0.1,0.3", help="of cells that are missing")
    parser.add_argument("--set", action="append", help="only these tables")
    parser.add_argument("--args", default="--k 1 --resamplings 19", help="further arguments of nw compare")
    wanted = parser.parse_args()
    nw, more = str(pathlib.Path(wanted.nw).resolve()), shlex.split(wanted.args)
    shares = [float(share) for share in wanted.shares.split(",")]
    counts = {share: collections.Counter() for share in shares}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for path in sorted(wanted.folder.glob("*.csv")):
            if wanted.set and path.stem not in wanted.set:
                continue
            with open(path, newline="") as file:
                header, *rows = csv.reader(file)
            for draw in range(wanted.draws):
                chance = random.Random(f"{path.stem} {draw}")
                name = chance.choice(sorted({row[-1] for row in rows}))
                own = [row[:-1] for row in rows if row[-1] == name]
                chance.shuffle(own)
                half = min(len(own) // 2, wanted.rows)
                for share in shares:
                    write(folder / "x.csv", header[:-1], own[:half], share, chance)
                    write(folder / "y.csv", header[:-1], own[half : 2 * half], share, chance)
                    counts[share][verdict(nw, folder, more)] += 1
    for share, count in counts.items():
        others = ", ".join(f"{n} {v}" for v, n in count.most_common() if v != "same")
        print(f"{share:.0%} missing: {count['same']} of {count.total()} same" + (f"; {others}" if others else ""))


if __name__ == "__main__":
    main()
