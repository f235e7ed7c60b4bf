"""Runs the nw command in a scratch folder."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

NW = os.path.abspath(sys.argv[1])
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "data"


class CommandTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nw-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def file(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content)
        return name

    def nw(self, *arguments, timeout=60, **more):
        return subprocess.run(
            [NW, *map(str, arguments)],
            cwd=self.folder, capture_output=True, text=True, timeout=timeout, **more,
        )  # fmt: skip

    def nw_json(self, *arguments):
        """What a command that must succeed writes with --json -."""
        # Quiet, because a slow machine is told how far a training is, and that is no error.
        done = self.nw(*arguments, "--json", "-", "--quiet")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stderr)
        return json.loads(done.stdout)

    def assert_refused(self, done, code, *parts):
        """One line on standard error that starts with nw: and holds all parts; nothing else."""
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"\Anw: [^\n]+\n\Z")
        for part in parts:
            self.assertIn(part, done.stderr)


def main():
    unittest.main(argv=sys.argv[:1])
