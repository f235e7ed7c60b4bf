#!/usr/bin/python3
"""Kills a command that resumes at random moments and compares its outcome with a quiet run's.

Usage: kill_harness.py [options] -- COMMAND...
  COMMAND contains {run}, which becomes the run directory; it must accept being started again after
  it was killed (usually by --resume) and end with 0 once its run is finished.
  --kills N        moments to kill at (default 100)
  --seed N         of the random moments (default 1)
  --startup S      seconds a start takes before the run does anything (default: measured)
  --volatile A,B   fields of metrics and result that may differ, such as times
  --folder DIR     where to work (default: a temporary folder)

After every kill, each file under its final name must be readable (checkpoints by their checksum),
and a new start must work. Whenever the run ends, its metrics, result and last checkpoint must equal
those of a run that was never killed. A run that ends before all kills are done starts over.
"""
import argparse
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import run_files  # noqa: E402


class Harness:
    def __init__(self, command, folder, seed=1, volatile=(), startup=None):
        self.command, self.folder = command, pathlib.Path(folder)
        self.random = random.Random(seed)
        self.volatile = set(volatile)
        self.kills = self.ends = self.files_checked = self.warnings = 0
        begin = time.monotonic()
        self.start(self.folder / "quiet").wait_or_fail()
        self.quiet_seconds = time.monotonic() - begin
        self.expected = run_files.outcome(self.folder / "quiet", self.volatile)
        if startup is None:
            begin = time.monotonic()
            self.start(self.folder / "quiet").wait_or_fail()  # finished: does nothing but start
            startup = time.monotonic() - begin
        self.startup = startup

    def start(self, run):
        return Process([part.replace("{run}", str(run)) for part in self.command])

    def moment(self):
        """Seconds until the next kill: anywhere in the start, or during the first part of the work.
        Now and then late, so that the run gets on however rare its checkpoints are."""
        work = max(self.quiet_seconds - self.startup, 0.0)
        reach = self.startup + work * self.random.choice([0.1, 0.1, 0.3, 1.0])
        return self.random.uniform(0.0, reach)

    def run(self, kills):
        number = 0
        while self.kills < kills:
            run = self.folder / f"run-{number}"
            while not self.start_and_kill(run):
                pass
            number += 1
            self.check_end(run)
        return self

    def start_and_kill(self, run):
        """One start; True when the run came to its end before it was killed."""
        process = self.start(run)
        ended = process.wait_until(self.moment())
        if not ended:
            process.kill()
            self.kills += 1
        elif process.code != 0:
            raise AssertionError(f"ended with {process.code} after {self.kills} kills:\n{process.said}")
        self.warnings += process.said.count("warning")
        if run.exists():
            self.files_checked += run_files.check_readable(run)["files"]
        return ended

    def check_end(self, run):
        found = run_files.outcome(run, self.volatile)
        for part, value in self.expected.items():
            if found[part] != value:
                raise AssertionError(f"{run}: {part} differs from that of a run without kills")
        self.ends += 1
        shutil.rmtree(run)

    def summary(self):
        return (f"{self.kills} kills, {self.ends} ends like the quiet run's, {self.files_checked} files "
                f"readable, {self.warnings} warnings")


class Process:
    def __init__(self, command):
        self.log = tempfile.TemporaryFile(mode="w+")
        # A group of its own: children of the command die with it.
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT,
                                        start_new_session=True)

    @property
    def code(self):
        return self.process.returncode

    @property
    def said(self):
        self.log.seek(0)
        return self.log.read()

    def wait_until(self, seconds):
        try:
            self.process.wait(seconds)
            return True
        except subprocess.TimeoutExpired:
            return False

    def wait_or_fail(self):
        if self.process.wait() != 0:
            raise AssertionError(f"ended with {self.code}:\n{self.said}")

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--startup", type=float)
    parser.add_argument("--volatile", default="")
    parser.add_argument("--folder")
    parser.add_argument("command", nargs="+")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nw-kill-", dir=arguments.folder) as folder:
        harness = Harness(arguments.command, folder, arguments.seed,
                          filter(None, arguments.volatile.split(",")), arguments.startup)
        print(harness.run(arguments.kills).summary())


if __name__ == "__main__":
    main()
