"""`nw gan`, `nw sample` and `nw compare --dual` as their users meet them."""

import json
import pathlib
import random
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "run"))
import command  # noqa: E402
import kill_harness  # noqa: E402

QUICK = ["--quiet", "--steps", 60, "--batch", 64, "--critic-steps", 2, "--threads", 1]


def two_clusters(seed, share, rows=600):
    """Points around (0, 0) and (10, 0); the first cluster holds `share` of them."""
    draw = random.Random(seed)
    lines = ["a,b"]
    for i in range(rows):
        centre = 0.0 if i < share * rows else 10.0
        lines.append(f"{draw.gauss(centre, 0.5)},{draw.gauss(0.0, 0.5)}")
    return "\n".join(lines) + "\n"


class Gan(command.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("x.csv", two_clusters(1, 0.8))
        self.file("y.csv", two_clusters(2, 0.3))

    def train(self, *more):
        return self.nw("gan", "x.csv", "--k", 2, *QUICK, *more)

    def test_finds_clusters_and_their_proportions(self):
        found = self.nw_json("gan", "x.csv", "--k", 2, "--steps", 200, "--batch", 128, "--quiet")
        self.assertAlmostEqual(max(found["pi"]), 0.8, delta=0.05)
        self.assertAlmostEqual(sum(found["pi"]), 1.0, places=6)
        self.assertEqual(found["steps"], 200)
        self.assertGreater(found["seconds"], 0)
        # Two samples of 60 points each lie about 0.2 apart by chance.
        self.assertLess(found["wasserstein"], 1.5)

    def test_trains_every_method(self):
        for method in ("wgan", "mgan"):
            found = self.nw_json(
                "gan", "x.csv", "--k", 2, "--method", method, "--steps", 3, "--batch", 32, "--quiet"
            )
            self.assertEqual(found["method"], method)
            self.assertEqual(len(found["pi"]), 1 if method == "wgan" else 2)

    def test_plays_the_paper_s_recipe(self):
        found = self.nw_json("gan", "x.csv", "--k", 2, "--recipe", "paper", "--steps", 2, "--quiet")
        self.assertEqual(dict(found["settings"])["lipschitz"], "clipping")

    def test_samples_from_a_run(self):
        self.assertEqual(self.train("--run", "run").returncode, 0)
        done = self.nw("sample", "run", "-n", 500, "-o", "made.csv", "--seed", 3)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = (self.folder / "made.csv").read_text().splitlines()
        self.assertEqual(len(rows), 501)
        self.assertEqual(rows[0].split(",")[-1], "component")
        centres = [float(row.split(",")[0]) for row in rows[1:]]
        # In the space of the data: one cluster lies at 0, one at 10.
        self.assertTrue(any(value > 6 for value in centres))
        self.assertTrue(any(value < 4 for value in centres))
        again = self.nw("sample", "run", "-n", 500, "-o", "again.csv", "--seed", 3)
        self.assertEqual(again.returncode, 0)
        self.assertEqual((self.folder / "again.csv").read_text(), "\n".join(rows) + "\n")

    def test_gives_the_same_numbers_for_every_number_of_threads(self):
        one = self.nw_json("gan", "x.csv", "--k", 2, *QUICK[:-2], "--threads", 1)
        two = self.nw_json("gan", "x.csv", "--k", 2, *QUICK[:-2], "--threads", 2)
        self.assertEqual(one["pi"], two["pi"])
        self.assertEqual(one["wasserstein"], two["wasserstein"])

    def test_stops_in_order_on_ctrl_c_and_resumes_to_the_same_result(self):
        arguments = ["gan", "x.csv", "--k", "2", "--steps", "3000", "--batch", "64",
                     "--critic-steps", "1", "--threads", "1"]  # fmt: skip
        whole = self.nw(*arguments, "--run", "whole")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        process = subprocess.Popen(
            [command.NW, *arguments, "--run", "stopped"], cwd=self.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        metrics = self.folder / "stopped" / "metrics.jsonl"
        while not (metrics.exists() and metrics.stat().st_size > 0):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4)
        self.assertIn("interrupted", said)
        resumed = self.nw(*arguments, "--run", "stopped", "--resume")
        self.assertEqual(resumed.returncode, 0, resumed.stderr)
        for name in ("metrics.jsonl",):
            self.assertEqual(
                (self.folder / "whole" / name).read_text(),
                (self.folder / "stopped" / name).read_text(),
            )
        results = [json.loads((self.folder / run / "result.json").read_text())
                   for run in ("whole", "stopped")]  # fmt: skip
        self.assertEqual(results[0]["pi"], results[1]["pi"])
        self.assertTrue((self.folder / "stopped" / "report.html").exists())

    def test_refuses_what_it_cannot_do(self):
        self.assert_refused(self.nw("gan", "x.csv"), 2, "--k")
        self.assert_refused(self.train("--device", "abacus"), 2, "abacus")
        self.assert_refused(self.train("--resume"), 2, "--run")
        self.assert_refused(self.nw("sample", "nothing", "-o", "a.csv"), 3, "nothing")
        self.assertEqual(self.train("--run", "run").returncode, 0)
        self.assert_refused(self.train("--run", "run"), 3, "run")
        self.assert_refused(self.train("--run", "run", "--resume", "--seed", 5), 2, "seed")

    def test_survives_being_killed_at_random_moments(self):
        # As many as fit into a test; the harness takes any number of kills.
        command_line = [command.NW, "gan", str(self.folder / "x.csv"), "--k", "2",
                        "--steps", "600", "--batch", "64", "--critic-steps", "2", "--threads", "1",
                        "--checkpoint-every", "20", "--quiet", "--run", "{run}",
                        "--resume"]  # fmt: skip
        folder = self.folder / "kills"
        folder.mkdir()
        harness = kill_harness.Harness(
            command_line, folder, volatile=["seconds", "peak_rss_mb", "created"]
        )
        harness.run(6)
        self.assertGreaterEqual(harness.kills, 6)
        self.assertGreaterEqual(harness.ends, 1)


class Dual(command.CommandTest):
    def test_shares_components_between_two_data_sets(self):
        self.file("x.csv", two_clusters(1, 0.8))
        self.file("y.csv", two_clusters(2, 0.3))
        arguments = ["--k", 2, "--steps", 250, "--batch", 128, "--quiet"]
        found = self.nw_json("gan", "x.csv", "y.csv", *arguments)
        larger = max(range(2), key=lambda j: found["pi_x"][j])
        self.assertAlmostEqual(found["pi_x"][larger], 0.8, delta=0.07)
        self.assertAlmostEqual(found["pi_y"][larger], 0.3, delta=0.07)
        # Plain W moves half of the mass by 10; normalised, sampling noise is left.
        self.assertLess(found["normalized_wasserstein"], 2.5)

    def test_is_a_flag_of_compare(self):
        self.file("x.csv", two_clusters(1, 0.8, rows=200))
        self.assert_refused(self.nw("compare", "x.csv", "x.csv", "--dual"), 2, "--k")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
