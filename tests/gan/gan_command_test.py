"""`nw gan`, `nw sample` and the dual of `nw compare` and `nw distance` as their users meet them."""

import fcntl
import json
import os
import pathlib
import pty
import random
import signal
import struct
import subprocess
import sys
import termios
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "run"))
import command  # noqa: E402
import kill_harness  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
# As many as fit into a test.
KILLS = int(os.environ.get("NW_KILLS", "6"))
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
        self.assertGreater(found["wasserstein_floor"], 0)

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
        command_line = [command.NW, "gan", str(self.folder / "x.csv"), "--k", "2",
                        "--steps", "600", "--batch", "64", "--critic-steps", "2", "--threads", "1",
                        "--checkpoint-every", "20", "--quiet", "--run", "{run}",
                        "--resume"]  # fmt: skip
        folder = self.folder / "kills"
        folder.mkdir()
        harness = kill_harness.Harness(
            command_line, folder, volatile=["seconds", "peak_rss_mb", "created"]
        )
        harness.run(KILLS)
        self.assertGreaterEqual(harness.kills, KILLS)
        self.assertGreaterEqual(harness.ends, 1)


    def test_shows_rate_time_left_proportions_and_losses_on_a_terminal(self):
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal can be opened here: {error}")
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 160, 0, 0))
        process = subprocess.Popen(
            [command.NW, "gan", "x.csv", "--k", "2", "--steps", "1000000", "--batch", "64"],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=theirs,
        )  # fmt: skip
        os.close(theirs)
        shown = b""
        while b"objective" not in shown:
            shown += os.read(ours, 1 << 16)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 4)
        os.close(ours)
        self.assertRegex(
            shown.decode(),
            r"\rnwgan \[[.#]+\] 0 %  \d+ s  \d+/1000000, \d+ steps/s, [\d ]+(s|min|h)[\d a-z]* left, "
            r"pi 0\.\d\d 0\.\d\d, obj",
        )


class Images(command.CommandTest):
    def setUp(self):
        super().setUp()
        # Eight by eight pixels, bright on the left or on the right, with some noise.
        draw = random.Random(1)
        pixels = bytearray()
        for i in range(400):
            left = i % 4 == 0
            for place in range(64):
                bright = (place % 8 < 4) == left
                pixels.append(draw.randrange(200, 256) if bright else draw.randrange(0, 40))
        self.file("bars-idx3-ubyte", struct.pack(">IIII", 0x803, 400, 8, 8) + bytes(pixels))

    def test_are_learnt_shown_and_sampled(self):
        found = self.nw_json(
            "gan", "bars-idx3-ubyte", "--k", 2, "--width", 8, "--batch", 32, "--steps", 300,
            "--critic-steps", 2, "--rate", 8, "--run", "run", "--quiet", "--threads", 2,
        )  # fmt: skip
        # A grey image lies 64 pixels times about 0.4 away, in root: more than 3; noise is 0.3.
        self.assertLess(found["wasserstein"], 2.0)
        self.assertEqual(len(found["pictures"]), 2)
        page = (self.folder / "run" / "report.html").read_text()
        self.assertIn('src="data:image/png;base64,', page)
        kept = list((self.folder / "run" / "samples").glob("step-*300.png"))
        self.assertEqual([png_size(file) for file in kept], [(80, 80)])
        done = self.nw("sample", "run", "-n", 9, "-o", "sheet.png")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(png_size(self.folder / "sheet.png"), (24, 24))
        # A sheet can be read back as data.
        again = self.nw_json("distance", "sheet.png", "bars-idx3-ubyte", "--tile", "8x8")
        self.assertEqual((again["n"], again["dim"]), (9, 64))

    def test_may_be_a_subset_of_mnist(self):
        pack = pathlib.Path(os.environ.get("NW_DATA_PACK", ROOT.parent / "shared" / "data"))
        images = pack / "mnist" / "t10k-images-idx3-ubyte.gz"
        if not images.exists():
            self.skipTest(f"no data pack at {pack}")
        found = self.nw_json(
            "gan", images, "--k", 3, "--width", 4, "--batch", 16, "--steps", 4, "--quiet",
            "--critic-steps", 1, "--lipschitz", "spectral-norm", "-o", "digits.png",
        )  # fmt: skip
        self.assertEqual(found["dim"], 784)
        self.assertEqual(len(found["pi"]), 3)
        self.assertTrue((self.folder / "digits.png").exists())

    def test_go_into_no_other_file_than_a_picture(self):
        self.file("x.csv", two_clusters(1, 0.8))
        for name, reason in (("a.png", "only images"), ("a.txt", "suffix")):
            done = self.nw("gan", "x.csv", "--k", 2, *QUICK, "-o", name)
            self.assert_refused(done, 2, name, reason)


def png_size(path):
    head = path.read_bytes()[:24]
    return struct.unpack(">II", head[16:])


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
        self.assert_refused(self.nw("compare", "x.csv", "x.csv", "--steps", 5), 2, "--dual")
        found = self.nw_json("compare", "x.csv", "x.csv", "--dual", "--k", 2, "--steps", 2, "--quiet")
        self.assertEqual((found["command"], found["steps"]), ("compare", 2))

    def test_is_a_method_of_distance(self):
        self.file("x.csv", two_clusters(1, 0.8, rows=400))
        self.file("y.csv", two_clusters(2, 0.3, rows=500))
        found = self.nw_json(
            "distance", "x.csv", "y.csv", "--method", "nw-dual", "--k", 2, "--steps", 60, "--quiet"
        )
        self.assertEqual((found["n"], found["m"], found["dim"]), (400, 500, 2))
        self.assertEqual((found["command"], found["method"]), ("distance", "nw-dual"))
        self.assertIs(found["converged"], True)
        self.assertAlmostEqual(found["distance"], found["wasserstein_x"] + found["wasserstein_y"])
        self.assertAlmostEqual(found["primal"], found["distance"])
        self.assertAlmostEqual(found["gap"], found["primal"] - found["dual"])
        self.assertLess(found["gap"], 1e-9 * found["distance"])
        # W moves half of the mass by 10.
        self.assertLess(found["distance"], 3.0)
        larger = max(range(2), key=lambda j: found["pi_x"][j])
        self.assertGreater(found["pi_x"][larger], found["pi_y"][larger] + 0.3)

    def test_of_distance_refuses_options_that_do_not_fit(self):
        self.file("x.csv", two_clusters(1, 0.8, rows=50))
        dual = ["distance", "x.csv", "x.csv", "--method", "nw-dual"]
        self.assert_refused(self.nw(*dual), 2, "--k")
        for option in (["--plan", "p.csv"], ["--epsilon", 0.1], ["--debiased"], ["--directions", 3]):
            self.assert_refused(self.nw(*dual, "--k", 2, *option), 2, option[0], "nw-dual")
        self.assert_refused(self.nw(*dual, "--k", 2, "--p", 2), 2, "--p 1")
        for option in ("--k", "--steps"):
            done = self.nw("distance", "x.csv", "x.csv", option, 2)
            self.assert_refused(done, 2, option, "nw-dual")


class ChooseK(command.CommandTest):
    def test_is_reproduced_from_trained_models(self):
        found = self.nw_json(
            "reproduce", "choose-k", "--method", "gan", "--quick", "--seeds", 1, "--quiet",
            "--report", "page.html",
        )  # fmt: skip
        values = {row["metric"]: row["mean"] for row in found["rows"]}
        self.assertEqual(values["k"], 4)
        for k in (1, 2, 3):
            self.assertGreater(values[f"NW({k})"], 1.25 * values[f"NW({k + 1})"])
        self.assertIn("How many components?", (self.folder / "page.html").read_text())

    def test_has_no_other_methods(self):
        self.assert_refused(
            self.nw("reproduce", "choose-k", "--method", "guess"), 2, "guess", "primal and gan"
        )
        self.assert_refused(self.nw("reproduce", "mog", "--method", "gan"), 2, "only one way")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
