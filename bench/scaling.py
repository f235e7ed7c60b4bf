#!/usr/bin/python3
"""How much faster several processes are than one, with one thread each.

Usage: bench/scaling.py [--nw build/release/bin/nw] [--ranks 1,2,4,8] [--launcher mpirun|env]
                        [--commands compare,gan,adapt,cluster] [--size 1.0] [--json FILE]

`env` starts processes the way torchrun does (RANK, WORLD_SIZE, ...), for machines without MPI.
Prints a Markdown table of seconds and speed-ups, and the a + b/P that fits each command best. Every
job makes its own data; seconds are those that nw reports, without loading libraries.
"""

import argparse
import json
import math
import os
import pathlib
import random
import shutil
import socket
import struct
import subprocess
import sys
import tempfile


def points(path, shares, count, seed, label=False):
    draw = random.Random(seed)
    corners = [(6 * math.cos(a), 6 * math.sin(a)) for a in (math.tau * i / 5 for i in range(5))]
    with open(path, "w") as file:
        if label:
            file.write("x,y,group\n")
        for _ in range(count):
            j = draw.choices(range(5), shares)[0]
            row = [f"{c + draw.gauss(0, 1):.6f}" for c in corners[j]]
            file.write(",".join(row + ([f"g{j}"] if label else [])) + "\n")


def images(path, labels, count, seed, brightness):
    """Ten classes of blurred bars on noise, 28 x 28."""
    draw = random.Random(seed)
    classes = [draw.randrange(10) for _ in range(count)]
    noise = draw.randbytes(count * 784)
    pixels = bytearray(byte // 4 for byte in noise)
    for i, j in enumerate(classes):
        for row in range(28):
            for column in range(2 * j + 2, 2 * j + 7):
                pixels[i * 784 + row * 28 + column] = brightness
    path.write_bytes(bytes([0, 0, 8, 3]) + struct.pack(">III", count, 28, 28) + pixels)
    labels.write_bytes(bytes([0, 0, 8, 1]) + struct.pack(">I", count) + bytes(classes))


def make_data(folder, size):
    rows = int(2000 * size)
    points(folder / "x.csv", [5, 4, 3, 2, 1], rows, 1)
    points(folder / "y.csv", [1, 2, 3, 4, 5], rows, 2)
    images(folder / "source.idx", folder / "source-labels.idx", 2000, 3, 220)
    images(folder / "target.idx", folder / "target-labels.idx", 2000, 4, 160)


def jobs(size):
    """What is timed. Batches are large enough to be worth dividing."""

    def steps(count):
        return ["--steps", str(max(2, int(count * size)))]

    return {
        "compare": ["compare", "x.csv", "y.csv", "--k", "5", "--resamplings", "499"],
        "gan": ["gan", "x.csv", "--k", "5", "--batch", "2048", *steps(240), "--device", "cpu"],
        "adapt": ["adapt", "--source", "source.idx", "--source-labels", "source-labels.idx",
                  "--target", "target.idx", "--target-labels", "target-labels.idx",
                  *steps(25), "--device", "cpu"],
        "cluster": ["cluster", "x.csv", "--method", "nw", "--k", "5", "--restarts", "1",
                    "--batch", "2048", *steps(240), "--device", "cpu"],
    }  # fmt: skip


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment(**more):
    return {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", **more}


def run(launcher, nw, ranks, arguments, folder):
    """Seconds of the job by its own account."""
    result = folder / "result.json"
    command = [nw, *arguments, "--threads", "1", "--seed", "1", "--quiet", "--json", str(result)]
    if ranks == 1:
        started = [subprocess.Popen(command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL)]
    elif launcher == "mpirun":
        launch = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "core",
                  "--mca", "plm_rsh_agent", "", "-n", str(ranks)]  # fmt: skip
        if ranks > (os.cpu_count() or 1):
            launch[launch.index("core")] = "none"
        started = [
            subprocess.Popen([*launch, *command], cwd=folder, env=environment(), stdout=subprocess.DEVNULL)
        ]
    else:
        place = {"WORLD_SIZE": str(ranks), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port())}
        started = [
            subprocess.Popen(command, cwd=folder, env=environment(RANK=str(rank), **place),
                             stdout=subprocess.DEVNULL)
            for rank in range(ranks)
        ]  # fmt: skip
    codes = [process.wait() for process in started]
    # 4 says "stopped at a limit", which a short training may.
    if any(code not in (0, 4) for code in codes):
        raise SystemExit(f"scaling: {' '.join(command)} on {ranks} processes ended with {codes}")
    return json.loads(result.read_text())["seconds"]


def fit(ranks, seconds):
    """Least squares for seconds = a + b / P, neither negative."""
    inverse = [1 / p for p in ranks]
    n, mean_x, mean_y = len(ranks), sum(inverse) / len(ranks), sum(seconds) / len(ranks)
    spread = sum((x - mean_x) ** 2 for x in inverse)
    if n < 2 or spread == 0:
        return seconds[0], 0.0
    b = sum((x - mean_x) * (y - mean_y) for x, y in zip(inverse, seconds)) / spread
    a = max(0.0, mean_y - b * mean_x)
    return a, max(0.0, b)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--nw", default="build/release/bin/nw")
    parser.add_argument("--ranks", default="1,2,4,8")
    parser.add_argument("--launcher", choices=["mpirun", "env"],
                        default="mpirun" if shutil.which("mpirun") else "env")  # fmt: skip
    parser.add_argument("--commands", default="compare,gan,adapt,cluster")
    parser.add_argument("--size", type=float, default=1.0, help="rows and steps, times this")
    parser.add_argument("--json", help="write the numbers here too")
    arguments = parser.parse_args()
    nw = str(pathlib.Path(arguments.nw).resolve())
    ranks = [int(text) for text in arguments.ranks.split(",")]
    found = {}
    with tempfile.TemporaryDirectory(prefix="nw-scaling-") as name:
        folder = pathlib.Path(name)
        make_data(folder, arguments.size)
        for command in arguments.commands.split(","):
            found[command] = [
                run(arguments.launcher, nw, p, jobs(arguments.size)[command], folder) for p in ranks
            ]
            print(f"scaling: {command} {found[command]}", file=sys.stderr)
    print(f"{os.cpu_count()} cores, one thread in a process, started by {arguments.launcher}\n")
    print("| command | " + " | ".join(f"{p}" for p in ranks) + " | a + b/P |")
    print("| --- |" + " --- |" * (len(ranks) + 1))
    for command, seconds in found.items():
        cells = [f"{s:.2f} s, {seconds[0] / s:.2f}x" for s in seconds]
        a, b = fit(ranks, seconds)
        print(f"| `nw {command}` | " + " | ".join(cells) + f" | {a:.2f} + {b:.2f}/P s |")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({"ranks": ranks, "seconds": found}))


if __name__ == "__main__":
    main()
