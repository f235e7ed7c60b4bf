"""The numbers of every command on small inputs, beside those of the last time they were looked at.

A change that moves them on purpose runs this file with --update and commits the new ones.

Usage: golden_test.py NW [--update]
"""

import json
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parents[1] / "examples" / "data"
SPRING, AUTUMN = DATA / "spring.csv", DATA / "autumn.csv"
NUMBERS = ["--columns", "age,income"]
LEARN = ["--device", "cpu", "--steps", 20]

# name -> (arguments, relative tolerance). What learns goes through sums whose order depends on the
# processor, and twenty steps make a difference in the last digits larger.
CASES = {
    "distance": (["distance", SPRING, AUTUMN, *NUMBERS], 1e-9),
    "compare": (["compare", SPRING, AUTUMN, *NUMBERS, "--k", 3, "--resamplings", 99], 1e-6),
    "choose-k": (["choose-k", SPRING, *NUMBERS, "--max-k", 4], 1e-6),
    "cluster": (["cluster", SPRING, *NUMBERS, "--k", 3, "--method", "gmm"], 1e-6),
    "gan": (["gan", SPRING, *NUMBERS, "--k", 3, *LEARN, "--run", "gan"], 1e-3),
    "sample": (["sample", "gan", "-n", 50, "-o", "sample.csv"], 1e-3),
    "adapt": (["adapt", "--source", SPRING, "--target", AUTUMN, "--label-column", "group",
               "--method", "nw", *NUMBERS, *LEARN, "--run", "adapt"], 1e-3),
    "predict": (["predict", "adapt", AUTUMN, *NUMBERS, "-o", "classes.csv"], 1e-3),
    "denoise": (["denoise", "--source", SPRING, "--target", AUTUMN, *NUMBERS, *LEARN], 1e-3),
    "cluster-nw": (["cluster", SPRING, *NUMBERS, "--k", 3, "--method", "nw", *LEARN], 1e-3),
}  # fmt: skip

# Times and places differ; figures and logs are what the numbers beside them are drawn from.
LEFT_OUT = {"seconds", "gap_curve", "load_seconds", "peak_rss_mb", "created", "versions", "version", "path", "x", "y", "figure",
            "series", "pictures", "source", "target", "pivots", "solves", "file"}  # fmt: skip

# Values of one small batch after the last step: processors differ there by more than in what is learnt.
OF_ONE_BATCH, TIMES_MORE = "last_values", 5


def kept(value):
    if isinstance(value, dict):
        return {name: kept(item) for name, item in value.items() if name not in LEFT_OUT}
    return [kept(item) for item in value] if isinstance(value, list) else value


def differences(found, expected, tolerance, place=""):
    """Yields a line for every field that is not what it was."""
    number = (int, float)
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in sorted(set(expected) | set(found)):
            if name not in found or name not in expected:
                yield f"{place}.{name}: {'gone' if name in expected else 'new'}"
            else:
                allowed = tolerance * (TIMES_MORE if name == OF_ONE_BATCH else 1)
                yield from differences(found[name], expected[name], allowed, f"{place}.{name}")
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for i, (a, b) in enumerate(zip(found, expected)):
            yield from differences(a, b, tolerance, f"{place}[{i}]")
    elif isinstance(expected, number) and isinstance(found, number):
        if not math.isclose(found, expected, rel_tol=tolerance, abs_tol=tolerance):
            yield f"{place}: {found} instead of {expected}"
    elif found != expected and not (isinstance(found, str) and isinstance(expected, str) and tolerance > 1e-6):
        # Sentences hold numbers: where those may differ, so may the words.
        yield f"{place}: {found!r} instead of {expected!r}"


def run(nw, arguments, folder):
    command = [nw, *map(str, arguments), "--seed", "1", "--threads", "1", "--json", "out.json", "--quiet"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\nended with {done.returncode}: {done.stderr}")
    return kept(json.loads((folder / "out.json").read_text()))


def main():
    nw, update = str(pathlib.Path(sys.argv[1]).resolve()), "--update" in sys.argv
    can_learn = (pathlib.Path(nw).parent / "nw-torch").exists()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="nw-golden-"))
    problems = []
    try:
        for name, (arguments, tolerance) in CASES.items():
            if tolerance > 1e-6 and not can_learn:
                continue
            found = run(nw, arguments, folder)
            file = HERE / "expected" / f"{name}.json"
            if update:
                file.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
                continue
            expected = json.loads(file.read_text())
            problems += [f"{name}{line}" for line in differences(found, expected, tolerance)]
    finally:
        shutil.rmtree(folder)
    print("\n".join(problems) or "every number is what it was")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
