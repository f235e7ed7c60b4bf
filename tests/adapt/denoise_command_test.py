"""`nw denoise` and `nw reproduce denoising` as their users meet them."""

import array
import json
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import command  # noqa: E402

PACK = pathlib.Path(
    os.environ.get("NW_DATA_PACK")
    or pathlib.Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
)
QUICK = ["--quiet", "--threads", 1, "--batch", 16]


def npy(shape, values):
    """The bytes of a NumPy file of float32 values."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {tuple(shape)}, }}".encode()
    header += b" " * (64 - (11 + len(header)) % 64) + b"\n"
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    return start + array.array("f", values).tobytes()


def read_npy(path):
    data = path.read_bytes()
    (length,) = struct.unpack("<H", data[8:10])
    header = data[10 : 10 + length].decode()
    return header, array.array("d", data[10 + length :])


def bars(seed, rows, share, side=12):
    """Images with a bright bar on black, `share` of them, or the negative of one that lies flat."""
    draw, images = random.Random(seed), []
    for i in range(rows):
        place, upright = draw.randrange(2, side - 2), i < share * rows
        for y in range(side):
            for x in range(side):
                on = (x if upright else y) == place
                images.append(float(on == upright))
    return images


def noisy(seed, values):
    draw = random.Random(seed)
    return [value + draw.gauss(0.4, 0.5) for value in values]


class Denoise(command.CommandTest):
    def setUp(self):
        super().setUp()
        shape = (60, 12, 12)
        clean = bars(2, 60, 0.2)
        self.file("source.npy", npy(shape, bars(1, 60, 0.8)))
        self.file("target.npy", npy(shape, noisy(3, clean)))
        self.file("clean.npy", npy(shape, clean))

    def denoise(self, *more, steps=30):
        return self.nw(
            "denoise", "--source", "source.npy", "--target", "target.npy", *QUICK,
            "--steps", steps, *more,
        )  # fmt: skip

    def found(self, *more, steps=30):
        done = self.denoise(*more, "--json", "-", steps=steps)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stderr)
        return json.loads(done.stdout)

    def test_reports_the_fields_it_promises_for_every_method(self):
        for method in ("source-only", "wasserstein", "nw", "oracle"):
            with self.subTest(method=method):
                found = self.found("--method", method, "--clean-target", "clean.npy")
                self.assertEqual(found["method"], method)
                self.assertGreater(found["err_recons_target"], 0)
                self.assertGreater(found["residual_variance"], 0)
                if method == "nw":
                    self.assertAlmostEqual(sum(found["pi_source"]), 1.0, places=5)
                    self.assertAlmostEqual(sum(found["pi_target"]), 1.0, places=5)
                    self.assertGreater(found["normalized_wasserstein"], 0)
                else:
                    self.assertIsNone(found["pi_target"])

    def test_scores_nothing_without_originals_and_learns_the_same(self):
        blind, scored = self.found(), self.found("--clean-target", "clean.npy")
        self.assertIsNone(blind["err_recons_target"])
        self.assertIsNotNone(scored["err_recons_target"])
        self.assertEqual(blind["pi_target"], scored["pi_target"])
        self.assertEqual(blind["residual_variance"], scored["residual_variance"])

    def test_resumes_to_the_numbers_of_a_run_that_was_never_stopped(self):
        whole = self.found("--run", "whole", steps=400)
        process = subprocess.Popen(
            [command.NW, "denoise", "--source", "source.npy", "--target", "target.npy",
             *map(str, QUICK), "--steps", "400", "--run", "cut", "--checkpoint-every", "5"],
            cwd=self.folder, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while not list(self.folder.glob("cut/checkpoints/*")) and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 4)
        self.assertFalse((self.folder / "cut" / "result.json").exists())
        rest = self.found("--run", "cut", "--checkpoint-every", 5, "--resume", steps=400)
        self.assertEqual(rest["pi_target"], whole["pi_target"])
        self.assertEqual(rest["residual_variance"], whole["residual_variance"])
        self.assertIn("<html", (self.folder / "cut" / "report.html").read_text())

    def test_writes_denoised_rows_and_denoises_more_by_the_model_of_a_run(self):
        self.assertEqual(self.denoise("--run", "run", "-o", "out.npy").returncode, 0)
        header, first = read_npy(self.folder / "out.npy")
        self.assertIn("(60, 144)", header)
        done = self.nw("denoise", "--run", "run", "--apply", "target.npy", "-o", "again.npy")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        again = read_npy(self.folder / "again.npy")[1]
        self.assertLess(max(abs(a - b) for a, b in zip(first, again)), 1e-5)

    def test_takes_tables(self):
        draw = random.Random(4)
        for name, share, noise in (("a.csv", 0.8, 0.0), ("b.csv", 0.3, 0.3)):
            lines = ["u,v,w"]
            for i in range(80):
                centre = 2.0 if i < 80 * share else -2.0
                lines.append(
                    ",".join(str(centre + draw.gauss(noise, 0.1 + noise)) for _ in range(3))
                )
            self.file(name, "\n".join(lines) + "\n")
        found = self.nw_json("denoise", "--source", "a.csv", "--target", "b.csv", *QUICK, "--steps", 30)
        self.assertEqual(len(found["pi_target"]), 2)

    def test_plays_the_paper_s_recipe(self):
        found = self.found("--recipe", "paper", "--width", 4, steps=4)
        settings = dict(found["settings"])
        self.assertEqual((settings["distance"], settings["recipe"]), ("dual", "paper"))

    def test_refuses_what_does_not_fit(self):
        self.file("small.npy", npy((5, 4), range(20)))
        self.file("tiny.npy", npy((5, 4, 4), range(80)))
        cases = [
            (2, ["denoise", "--target", "target.npy"], ["--source"]),
            (2, ["denoise", "--source", "source.npy"], ["--target"]),
            (3, ["denoise", "--source", "source.npy", "--target", "small.npy"], ["144", "4"]),
            (2, ["denoise", "--source", "tiny.npy", "--target", "tiny.npy"], ["8 x 8", "4 x 4"]),
            (2, ["denoise", "--source", "source.npy", "--target", "target.npy", "--method",
                 "oracle"], ["--clean-target"]),
            (3, ["denoise", "--source", "source.npy", "--target", "target.npy", "--clean-target",
                 "nowhere.npy"], ["nowhere.npy"]),
            (2, ["denoise", "--source", "source.npy", "--target", "target.npy", "--resume"],
             ["--run"]),
            (2, ["denoise", "--apply", "target.npy"], ["--run"]),
            (3, ["denoise", "--run", "nowhere", "--apply", "target.npy", "-o", "x.npy"],
             ["nowhere"]),
        ]  # fmt: skip
        for code, arguments, parts in cases:
            with self.subTest(arguments=arguments):
                self.assert_refused(self.nw(*arguments), code, *parts)


class ReproduceDenoising(command.CommandTest):
    def test_says_where_digits_come_from_when_there_are_none(self):
        done = self.nw("reproduce", "denoising", "--quick", "--seeds", 1, "--data", "nowhere")
        self.assert_refused(done, 3, "nowhere", "nw data mnist")

    @unittest.skipUnless(PACK.is_dir(), f"no data pack at {PACK}; set NW_DATA_PACK")
    def test_shows_the_paper_s_numbers_beside_ours(self):
        found = json.loads(
            self.nw(
                "reproduce", "denoising", "--quick", "--seeds", 1, "--data", PACK, "--quiet",
                "--json", "-", "--report", "page.html", timeout=200,
            ).stdout
        )  # fmt: skip
        errors = {
            row["method"]: row for row in found["rows"] if row["metric"] == "err_recons_target"
        }
        papers = {method: row["paper"] for method, row in errors.items()}
        self.assertEqual(
            papers, {"Source only": 0.31, "Wasserstein": 0.52, "NW": 0.18, "Oracle": 0.08}
        )
        self.assertLess(errors["Oracle"]["mean"], errors["Source only"]["mean"])
        self.assertIn("Denoising digits", (self.folder / "page.html").read_text())


if __name__ == "__main__":
    command.main()
