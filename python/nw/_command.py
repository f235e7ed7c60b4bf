"""Learning by the command nw, where the extension _nw_torch cannot be loaded: the same functions and
models, each call in a process of its own."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
from typing import Any, Dict, List

import numpy as np

from . import _nw

_MISUSE, _BAD_FILE = 2, 3


def find() -> str:
    """NW_COMMAND, the command of the same build, or the one on the path."""
    asked = os.environ.get("NW_COMMAND")
    if asked:
        return asked
    module = pathlib.Path(_nw.__file__).resolve()
    for folder in (module.parent, module.parents[2]):  # of a wheel, of a build
        if (folder / "bin" / "nw").exists():
            return str(folder / "bin" / "nw")
    found = shutil.which("nw")
    if not found:
        raise RuntimeError("learning needs the command nw: install the package nw, or name the "
                           "program in the environment variable NW_COMMAND")
    return found


def run(*arguments: Any, folder: pathlib.Path) -> None:
    """Runs nw in `folder`. Raises ValueError with its message for what it refuses."""
    process = subprocess.Popen(
        [find(), *map(str, arguments), "--quiet"], cwd=folder, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        _, errors = process.communicate()
    except KeyboardInterrupt:
        # It stops in order by itself; a second Ctrl-C ends it.
        process.send_signal(signal.SIGINT)
        process.communicate()
        raise
    if process.returncode == 0:
        return
    message = (errors.strip().split("\n") or [""])[-1].removeprefix("nw: ")
    if process.returncode in (_MISUSE, _BAD_FILE):
        raise ValueError(message)
    raise RuntimeError(message or f"nw ended with {process.returncode}")


class _Run:
    """What a run directory holds that later commands need; can be pickled."""

    SKIPPED = {"lock", "metrics.jsonl", "parts", "samples"}

    def __init__(self, directory: pathlib.Path):
        newest: Dict[pathlib.Path, pathlib.Path] = {}
        files = []
        for file in sorted(path for path in directory.rglob("*") if path.is_file()):
            if self.SKIPPED.intersection(file.relative_to(directory).parts):
                continue
            if file.parent.name == "checkpoints":
                newest[file.parent] = file
            else:
                files.append(file)
        self.files: Dict[str, bytes] = {
            str(file.relative_to(directory)): file.read_bytes()
            for file in [*files, *newest.values()]
        }

    def _table(self, command: str, words: List[Any], arrays: Dict[str, np.ndarray]):
        """Runs `nw COMMAND ...` beside the run directory `run`; returns the rows of its table."""
        with tempfile.TemporaryDirectory(prefix="nw-") as name:
            folder = pathlib.Path(name)
            for file, content in self.files.items():
                (folder / "run" / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / "run" / file).write_bytes(content)
            for file, array in arrays.items():
                np.save(folder / file, array)
            run(command, *words, "-o", "table.csv", folder=folder)
            return np.loadtxt(folder / "table.csv", delimiter=",", skiprows=1, ndmin=2)


class Classifier(_Run):
    def predict(self, rows: np.ndarray, device: str):
        """The class of each row; no probabilities of the others."""
        table = self._table("predict", ["run", "x.npy", *_options({"device": device})], {"x.npy": rows})
        return table[:, 1].astype(int), None


class Clusters(_Run):
    def assign(self, rows: np.ndarray, threads: int, device: str):
        """The cluster of each row; no membership in the others."""
        words = _options({"run": "run", "assign": "x.npy", "threads": threads, "device": device})
        return self._table("cluster", words, {"x.npy": rows})[:, 0].astype(int) - 1, None


class DenoisingModel(_Run):
    def apply(self, rows: np.ndarray):
        return self._table("denoise", _options({"run": "run", "apply": "x.npy"}), {"x.npy": rows})


class Generator(_Run):
    def sample(self, count: int, seed: int):
        table = self._table("sample", ["run", *_options({"count": count, "seed": seed})], {})
        return table[:, :-1], table[:, -1].astype(int) - 1


def _options(values: Dict[str, Any]) -> List[Any]:
    """--name value for all that is given; a true flag is its name alone."""
    words: List[Any] = []
    for name, value in values.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words += [option, value]
    return words


def _learn(command: str, words: List[Any], kind: type, arrays: Dict[str, np.ndarray], table: str = ""):
    """Runs `nw COMMAND` on arrays written as NAME.npy; returns its result, its model and `table`."""
    with tempfile.TemporaryDirectory(prefix="nw-") as name:
        folder = pathlib.Path(name)
        for file, array in arrays.items():
            np.save(folder / file, array)
        run(command, *words, "--run", "run", "--json", "result.json", folder=folder)
        result = json.loads((folder / "result.json").read_text())
        rows = np.loadtxt(folder / table, delimiter=",", skiprows=1, ndmin=2) if table else None
        return result, {"model": kind(folder / "run"), "caught": None, "record": json.dumps(result)}, rows


def adapt(x, labels, target, options, progress=None):
    words = _options({"source": "x.npy", "source_labels": "labels.npy", "target": "target.npy", **options})
    arrays = {"x.npy": x, "labels.npy": labels.astype(np.int64), "target.npy": target}
    result, found, _ = _learn("adapt", words, Classifier, arrays)
    return {**found, "pi_target": np.array(result["pi_target"])}


def cluster(x, options, progress=None):
    words = _options({**options, "k": options["k"] or "auto", "assignments": "rows.csv"})
    result, found, rows = _learn("cluster", ["x.npy", *words], Clusters, {"x.npy": x}, "rows.csv")
    return {**found, "pi": np.array(result["pi"]), "labels": rows[:, 0].astype(int) - 1,
            "confidence": rows[:, 1]}


def denoise(clean, noisy, options, progress=None):
    words = _options({"source": "clean.npy", "target": "noisy.npy", "output": "rows.csv", **options})
    result, found, rows = _learn("denoise", words, DenoisingModel, {"clean.npy": clean, "noisy.npy": noisy},
                            "rows.csv")
    return {**found, "denoised": rows, "removed_variance": result["residual_variance"]}


def generate(x, options, progress=None):
    result, found, _ = _learn("gan", ["x.npy", *_options(options)], Generator, {"x.npy": x})
    return {**found, "pi": np.array(result["pi"]), "wasserstein": result["wasserstein"],
            "steps": result["steps"]}
