"""Runs the command nw: what learns lives in a program of its own, with a LibTorch of its own."""
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


class Model:
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

    def restore(self, directory: pathlib.Path) -> None:
        for name, content in self.files.items():
            file = directory / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


def learn(command: str, arguments: List[Any], arrays: Dict[str, np.ndarray]):
    """Runs `nw COMMAND` on arrays written as NAME.npy; returns its result and its model."""
    with tempfile.TemporaryDirectory(prefix="nw-") as name:
        folder = pathlib.Path(name)
        for file, array in arrays.items():
            np.save(folder / file, array)
        run(command, *arguments, "--run", "run", "--json", "result.json", folder=folder)
        return json.loads((folder / "result.json").read_text()), Model(folder / "run")


def table(command: str, model: Model, arguments: List[Any], arrays: Dict[str, np.ndarray]):
    """Runs `nw COMMAND ...` beside a restored model, `run`; returns the rows of the table it writes."""
    with tempfile.TemporaryDirectory(prefix="nw-") as name:
        folder = pathlib.Path(name)
        model.restore(folder / "run")
        for file, array in arrays.items():
            np.save(folder / file, array)
        run(command, *arguments, "-o", "table.csv", folder=folder)
        return np.loadtxt(folder / "table.csv", delimiter=",", skiprows=1, ndmin=2)
