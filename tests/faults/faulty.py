"""Runs nw (or the toy training run) under faults."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

NW, SHIM, TOY = (os.path.abspath(path) for path in sys.argv[1:4])
ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "data"
sys.path.insert(0, str(ROOT / "tests" / "run"))

COMPARE = ["compare", "x.csv", "y.csv", "--columns", "age,income", "--k", "3", "--resamplings", "99"]
DISTANCE = ["distance", "x.csv", "y.csv", "--columns", "age,income"]


class FaultTest(unittest.TestCase):
    cases = 0  # faults injected, over all tests of the process

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nw-fault-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        shutil.copy(EXAMPLES / "spring.csv", self.folder / "x.csv")
        shutil.copy(EXAMPLES / "autumn.csv", self.folder / "y.csv")

    @classmethod
    def tearDownClass(cls):
        print(f"{cls.__name__}: {FaultTest.cases} faults", flush=True)

    def run_command(self, command, fault=None, path="", **more):
        environment = dict(os.environ, **more.pop("env", {}))
        if fault:
            environment.update(LD_PRELOAD=SHIM, NW_FAULT=fault, NW_FAULT_PATH=str(path))
        if fault or {"preexec_fn", "user"} & set(more):
            FaultTest.cases += 1
        more.setdefault("cwd", self.folder)
        more.setdefault("stdout", subprocess.PIPE)
        return subprocess.run([str(part) for part in command], stderr=subprocess.PIPE, text=True,
                              timeout=60, env=environment, **more)

    def nw(self, *arguments, **more):
        return self.run_command([NW, *arguments], **more)

    def assert_failed_cleanly(self, done, code, *words):
        """The exit code, and one line on standard error that starts with nw: and holds the words."""
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertRegex(done.stderr, r"\Anw: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, done.stderr)

    def assert_no_leftovers(self, folder=None):
        left = [p.name for p in pathlib.Path(folder or self.folder).rglob("*") if p.name.startswith(".")]
        self.assertEqual(left, [])

    @staticmethod
    def result_of(done):
        """The JSON of a run without what depends on the clock."""
        volatile = {"seconds", "peak_rss_mb", "created"}
        return {k: v for k, v in json.loads(done.stdout).items() if k not in volatile}


def main():
    unittest.main(argv=sys.argv[:1])
