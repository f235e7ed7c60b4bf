"""A run that is killed again and again ends like one that never was. Usage: kill_test.py TOY"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import kill_harness  # noqa: E402
import run_files  # noqa: E402

TOY = os.path.abspath(sys.argv[1])
KILLS = int(os.environ.get("NW_KILLS", "120"))


class AKilledRun(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nw-kill-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def test_ends_like_a_quiet_one_and_leaves_nothing_unreadable(self):
        command = [TOY, "{run}", "--resume", "--steps", "200", "--every", "10", "--delay", "300"]
        harness = kill_harness.Harness(command, self.folder, seed=11).run(KILLS)
        print(harness.summary())
        self.assertGreaterEqual(harness.kills, KILLS)
        self.assertGreaterEqual(harness.ends, 1)
        self.assertEqual(harness.warnings, 0)
        self.assertGreater(harness.files_checked, KILLS)

    def test_goes_on_from_the_checkpoint_before_a_damaged_one_and_says_so(self):
        run = self.folder / "run"
        command = [TOY, str(run), "--resume", "--steps", "100", "--every", "10"]
        subprocess.run(command, check=True)
        expected = run_files.outcome(run)
        for damage in ("truncate", "flip", "zeros"):
            with self.subTest(damage=damage):
                (run / "result.json").unlink()
                newest = max(run.glob("checkpoints/step-*.safetensors"))
                content = bytearray(newest.read_bytes())
                if damage == "truncate":
                    content = content[: len(content) // 2]
                elif damage == "flip":
                    content[-100] ^= 1
                else:
                    content[-512:] = bytes(512)
                newest.write_bytes(content)
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                self.assertIn("warning", done.stderr)
                self.assertIn(newest.name, done.stderr)
                self.assertIn("the checkpoint of step 90 is used instead", done.stderr)
                self.assertEqual(run_files.outcome(run), expected)

    def test_is_not_entered_by_a_second_process(self):
        run = self.folder / "run"
        first = subprocess.Popen([TOY, str(run), "--delay", "20000"])
        try:
            while not (run / "config.json").exists():
                self.assertIsNone(first.poll())
            done = subprocess.run([TOY, str(run), "--resume"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 3)
            self.assertIn(f"is in use by process {first.pid}", done.stderr)
        finally:
            first.kill()
            first.wait()

    def test_with_a_harness_that_would_notice_a_difference(self):
        command = [TOY, "{run}", "--resume", "--steps", "50", "--every", "10"]
        harness = kill_harness.Harness(command, self.folder, seed=1)
        harness.expected["tensors"] ^= 1
        with self.assertRaisesRegex(AssertionError, "tensors differs"):
            harness.run(1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
