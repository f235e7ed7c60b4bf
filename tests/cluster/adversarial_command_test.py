"""nw cluster --method nw: clusters as components of a mixture that is learnt, and what a run keeps."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import command  # noqa: E402

PACK = pathlib.Path(
    os.environ.get("NW_DATA_PACK")
    or pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
)
STEPS = ["--method", "nw", "--steps", 80, "--batch", 128, "--quiet"]
QUICK = [*STEPS, "--restarts", 1]
CENTRES = np.array([[0.0, 0.0], [8.0, 0.0], [0.0, 8.0]])


def blobs(seed, sizes):
    """Round clusters of the given sizes around CENTRES, in random order."""
    rng = np.random.default_rng(seed)
    classes = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    return CENTRES[classes] + rng.normal(size=(len(classes), 2)), classes


def moons(seed, sizes):
    """Two half circles that reach into each other."""
    rng = np.random.default_rng(seed)
    classes = rng.permutation(np.repeat([0, 1], sizes))
    angle = np.pi * rng.uniform(size=len(classes))
    sign = np.where(classes == 0, 1, -1)
    x = np.where(classes == 0, np.cos(angle), 1 - np.cos(angle))
    y = np.where(classes == 0, 0, 0.4) + sign * np.sin(angle)
    return np.stack([x, y], 1) + 0.05 * rng.normal(size=(len(classes), 2)), classes


class AdversarialCluster(command.CommandTest):
    def put(self, name, points, classes):
        np.save(self.folder / f"{name}.npy", points)
        np.save(self.folder / f"{name}-classes.npy", classes)

    def table(self, name):
        return np.loadtxt(self.folder / name, delimiter=",", skiprows=1)

    def test_finds_unequal_clusters_and_their_shares(self):
        self.put("x", *blobs(1, (560, 160, 80)))
        found = self.nw_json("cluster", "x.npy", "--k", 3, *STEPS, "--restarts", 2, "--labels",
                             "x-classes.npy", "-o", "clusters.csv")  # fmt: skip
        self.assertGreater(found["purity"], 0.98)
        self.assertGreater(found["ari"], 0.95)
        np.testing.assert_allclose(found["pi"], [0.7, 0.2, 0.1], atol=0.05)
        for share, (low, high) in zip(found["pi"], found["pi_interval"]):
            self.assertTrue(low < share < high)
        # Two starts, and what moves made of them.
        objectives = [start["objective"] for start in found["starts"]]
        self.assertEqual((len(objectives), found["start"]), (3, 3))
        self.assertAlmostEqual(found["objective"], objectives[-1], places=9)
        self.assertLess(found["objective"], min(objectives) + 0.05)
        # Without moves the start with the least objective is the one that is taken.
        found = self.nw_json("cluster", "x.npy", "--k", 3, *STEPS, "--restarts", 2, "--moves", 0,
                             "--labels", "x-classes.npy", "-o", "clusters.csv")  # fmt: skip
        objectives = [start["objective"] for start in found["starts"]]
        self.assertEqual(len(objectives), 2)
        self.assertEqual(found["start"], 1 + int(np.argmin(objectives)))
        self.assertAlmostEqual(found["objective"], min(objectives), places=9)
        table = self.table("clusters.csv")
        self.assertEqual(table.shape, (800, 2))
        self.assertTrue((table[:, 1] >= 1 / 3 - 1e-9).all() and (table[:, 1] <= 1).all())
        self.assertEqual(set(table[:, 0]), {1, 2, 3})
        # The largest cluster comes first.
        self.assertGreater((table[:, 0] == 1).mean(), 0.6)

    def test_finds_two_clusters_of_a_fiftieth_beside_a_large_one(self):
        rng = np.random.default_rng(9)
        sizes, centres = (1500, 30, 30), np.array([[5.0, 0.0], [-2.5, 4.3], [-2.5, -4.3]])
        classes = rng.permutation(np.repeat(np.arange(3), sizes))
        scale = np.where(classes == 0, 2.0, 0.9)[:, None]
        self.put("x", centres[classes] + scale * rng.normal(size=(len(classes), 2)), classes)
        found = self.nw_json("cluster", "x.npy", "--k", 3, *QUICK, "--labels", "x-classes.npy")
        self.assertGreater(found["ari"], 0.95)
        np.testing.assert_allclose(found["pi"], [1500 / 1560, 30 / 1560, 30 / 1560], atol=0.01)
        without = self.nw_json("cluster", "x.npy", "--k", 3, *QUICK, "--moves", 0, "--labels",
                               "x-classes.npy")  # fmt: skip
        self.assertLess(without["ari"], 0.7)

    def test_leaves_tables_to_the_methods_that_compete_unless_it_is_asked_for(self):
        self.put("many", *blobs(10, (400, 100)))
        self.put("few", *blobs(11, (100, 20)))
        chosen = lambda *args: self.nw_json("cluster", *args, "--k", 2, "--quiet")["method"]
        self.assertEqual(chosen("many.npy"), "evidence")
        self.assertEqual(chosen("few.npy"), "evidence")
        self.assertEqual(chosen("many.npy", "--method", "nw", "--steps", 5, "--batch", 32), "nw")
        self.assertEqual(chosen("many.npy", "--method", "gmm"), "gmm")
        # An option that the method nw alone has asks for it, as in Python.
        self.assertEqual(chosen("few.npy", "--steps", 5, "--batch", 32), "nw")

    def test_reads_the_points_once_whatever_the_method_turns_out_to_be(self):
        # A pipe can be read but once, so whoever reads it decides and clusters.
        for sizes, method, more in (((450, 150), "evidence", []), ((90, 30), "kmeans", ["--method", "kmeans"])):
            text = "".join(f"{x},{y}\n" for x, y in blobs(12, sizes)[0])
            done = subprocess.run(
                [command.NW, "cluster", "/dev/stdin", "--k", "2", "--quiet", "--json", "-", *more],
                input=text, capture_output=True, text=True, cwd=self.folder,
            )  # fmt: skip
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["method"], method)

    def test_finds_the_number_of_clusters_with_its_curve(self):
        self.put("x", *blobs(13, (150, 60)))
        found = self.nw_json("cluster", "x.npy", "--k", "auto", *QUICK)
        by_means = self.nw_json("cluster", "x.npy", "--k", "auto", "--method", "kmeans")
        self.assertEqual(found["k"], 2)
        self.assertEqual(found["curve"], by_means["curve"])
        self.assertEqual(found["reasons"], by_means["reasons"])

    def test_assigns_without_the_report_of_the_run(self):
        self.put("x", *blobs(14, (60, 30)))
        self.nw_json("cluster", "x.npy", "--k", 2, *QUICK, "--run", "run", "-o", "x.csv")
        (self.folder / "run" / "result.json").unlink()
        self.nw_json("cluster", "--run", "run", "--assign", "x.npy", "-o", "again.csv")
        np.testing.assert_array_equal(self.table("again.csv"), self.table("x.csv"))

    def test_labels_change_nothing_but_the_scores(self):
        points, classes = blobs(2, (200, 60))
        self.put("x", points, classes)
        plain = self.nw_json("cluster", "x.npy", "--k", 2, *QUICK)
        scored = self.nw_json("cluster", "x.npy", "--k", 2, *QUICK, "--labels", "x-classes.npy")
        self.assertEqual(plain["pi"], scored["pi"])
        self.assertEqual(plain["objective"], scored["objective"])
        self.assertNotIn("purity", plain)

    def test_follows_neighbours_around_shapes_that_bend(self):
        self.put("x", *moons(3, (450, 150)))
        found = self.nw_json("cluster", "x.npy", "--k", 2, *QUICK, "--features", "diffusion",
                             "--labels", "x-classes.npy")  # fmt: skip
        self.assertGreater(found["purity"], 0.98)
        np.testing.assert_allclose(found["pi"], [0.75, 0.25], atol=0.05)
        # The same features serve every method, and tell how many clusters there are.
        by_means = self.nw_json("cluster", "x.npy", "--k", "auto", "--method", "kmeans",
                                "--features", "diffusion", "--labels", "x-classes.npy")  # fmt: skip
        self.assertEqual(by_means["k"], 2)
        self.assertGreater(by_means["purity"], 0.98)

    def test_assigns_new_points_to_the_clusters_of_a_run(self):
        for features in ("none", "diffusion"):
            self.put("x", *blobs(4, (300, 150, 50)))
            self.put("new", *blobs(5, (20, 20, 60)))
            first = self.nw_json("cluster", "x.npy", "--k", 3, *QUICK, "--features", features,
                                 "--run", features, "--labels", "x-classes.npy")  # fmt: skip
            self.assertGreater(first["purity"], 0.97)
            found = self.nw_json("cluster", "--run", features, "--assign", "new.npy",
                                 "--labels", "new-classes.npy", "-o", "new.csv")  # fmt: skip
            self.assertGreater(found["purity"], 0.97, features)
            np.testing.assert_allclose(found["shares"], [0.2, 0.2, 0.6], atol=0.03)
            # Clusters keep their numbers: the data again give what the run wrote.
            self.nw_json("cluster", "--run", features, "--assign", "x.npy", "-o", "again.csv")
            again = self.table("again.csv")
            kept = self.table(f"{features}/clusters.csv")
            self.assertGreater((again[:, 0] == kept[:, 0]).mean(), 0.995)

    def test_goes_on_where_it_was_stopped(self):
        self.put("x", *blobs(6, (200, 50)))
        steps = ["--method", "nw", "--steps", 150, "--batch", 32, "--restarts", 2, "--quiet",
                 "--threads", 1]  # fmt: skip
        whole = self.nw_json("cluster", "x.npy", "--k", 2, *steps, "--run", "whole")
        process = subprocess.Popen(
            [command.NW, "cluster", "x.npy", "--k", "2", *map(str, steps), "--run", "parts"],
            cwd=self.folder, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        checkpoints = self.folder / "parts" / "starts" / "1" / "checkpoints"
        deadline = time.time() + 60
        while time.time() < deadline and not (checkpoints.is_dir() and any(checkpoints.iterdir())):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        self.assertIn(process.wait(timeout=60), (0, 4))
        self.assert_refused(self.nw("cluster", "x.npy", "--k", 2, *steps, "--run", "parts"), 3)
        parts = self.nw_json("cluster", "x.npy", "--k", 2, *steps, "--run", "parts", "--resume")
        self.assertEqual(parts["pi"], whole["pi"])
        self.assertEqual(parts["objective"], whole["objective"])
        again = self.nw("cluster", "x.npy", "--k", 2, *steps[:-3], "--threads", 1,
                        "--run", "parts", "--resume")  # fmt: skip
        self.assertEqual(again.returncode, 0)
        self.assertIn("finished already", again.stdout)

    def test_trains_the_networks_of_the_paper_on_images(self):
        rng = np.random.default_rng(7)
        images = np.zeros((40, 8, 8), np.uint8)
        images[:30, :4] = 200
        images[30:, 4:] = 200
        images += rng.integers(0, 20, images.shape, dtype=np.uint8)
        header = bytes([0, 0, 8, 3]) + b"".join(int(n).to_bytes(4, "big") for n in images.shape)
        self.file("x-idx3-ubyte", header + images.tobytes())
        for recipe in ("best", "paper"):
            found = self.nw_json("cluster", "x-idx3-ubyte", "--k", 2, "--method", "nw", "--features",
                                 "none", "--recipe", recipe, "--steps", 2, "--width", 4, "--latent",
                                 3, "--batch", 32, "--quiet", "--run", recipe)  # fmt: skip
            self.assertEqual(len(found["pi"]), 2)
            config = json.loads((self.folder / recipe / "config.json").read_text())
            self.assertEqual(config["model"]["generator"], "deconvolutional")

    def test_images_belong_to_the_component_that_is_recognised_or_makes_the_nearest(self):
        rng = np.random.default_rng(8)
        images = rng.integers(0, 60, (240, 16, 16), dtype=np.uint8)
        images[:160, :8] += 180
        images[160:, 8:] += 180
        header = bytes([0, 0, 8, 3]) + b"".join(int(n).to_bytes(4, "big") for n in images.shape)
        self.file("x-idx3-ubyte", header + images.tobytes())
        np.save(self.folder / "classes.npy", np.repeat([0, 1], [160, 80]))
        found = self.nw_json("cluster", "x-idx3-ubyte", "--k", 2, "--method", "nw", "--features",
                             "none", "--steps", 60, "--width", 8, "--batch", 32, "--quiet", "--run",
                             "images", "--labels", "classes.npy")  # fmt: skip
        config = json.loads((self.folder / "images" / "config.json").read_text())
        self.assertEqual(config["rule"], "recognised")
        self.assertGreater(found["purity"], 0.98)
        kept = self.table("images/clusters.csv")
        self.nw_json("cluster", "--run", "images", "--assign", "x-idx3-ubyte", "-o", "again.csv")
        np.testing.assert_array_equal(self.table("again.csv"), kept)
        nearest = self.nw_json("cluster", "--run", "images", "--assign", "x-idx3-ubyte", "--rule",
                               "nearest", "--labels", "classes.npy")  # fmt: skip
        self.assertGreater(nearest["purity"], 0.98)

    def test_refuses_what_makes_no_sense(self):
        self.put("x", *blobs(8, (60, 30)))
        self.put("wide", np.zeros((10, 3)), np.zeros(10, int))
        refused = self.assert_refused
        refused(self.nw("cluster", "nothing.npy", "--k", 2, "--method", "nw"), 3, "nothing.npy")
        refused(self.nw("cluster", "x.npy", "--k", 2, "--method", "gmm", "--recipe", "paper"), 2,
                "--method nw")  # fmt: skip
        refused(self.nw("cluster", "x.npy", "--k", 91, "--method", "nw"), 2, "90 points")
        refused(self.nw("cluster", "x.npy", "--k", 2, "--method", "nw", "--resume"), 2, "--run")
        refused(self.nw("cluster", "--k", 2), 2, "DATA")
        refused(self.nw("cluster", "x.npy", "--k", 2, "--method", "nw", "--rule", "recognised"), 2,
                "features none")  # fmt: skip
        refused(self.nw("cluster", "--assign", "x.npy"), 2, "--run")
        refused(self.nw("cluster", "--run", "none", "--assign", "x.npy"), 3, "none")
        self.nw_json("cluster", "x.npy", "--k", 2, "--method", "nw", "--steps", 2, "--batch", 16,
                     "--run", "run", "--quiet")  # fmt: skip
        refused(self.nw("cluster", "--run", "run", "--assign", "wide.npy"), 3, "wide.npy", "3")

    def test_sweeps_over_unequal_sizes(self):
        found = self.nw_json("reproduce", "imbalance-sweep", "--quick", "--seeds", 1, "--only",
                             "plane", "--quiet", "--report", "page.html")  # fmt: skip
        rows = {(row["method"], row["metric"]): row["mean"] for row in found["rows"]}
        for method in ("NW", "k-means", "GMM", "equilibrium k-means"):
            for ratio in (1, 10):
                self.assertGreater(rows[f"plane 1:{ratio} {method}", "purity"], 0.8)
        self.assertGreater(rows["plane 1:10 NW", "ari"], 0.8)
        self.assertLess(rows["plane 1:10 NW", "pi_error"], 0.05)
        self.assertIn("Error of pi", (self.folder / "page.html").read_text())

    def test_repeats_the_table_of_digits_in_small(self):
        if not (PACK / "mnist").is_dir():
            self.skipTest(f"no data pack at {PACK}; set NW_DATA_PACK")
        args = ["reproduce", "mnist-clustering", "--quick", "--seeds", 1, "--data", PACK, "--quiet"]
        done = {}
        for only in ("NW", "k-means, 20 components"):
            found = self.nw_json(*args, "--only", only, "--runs", "table")
            done.update({(r["method"], r["metric"]): r["mean"] for r in found["rows"]})
        self.assertGreater(done["NW", "purity"], 0.95)
        self.assertGreater(done["NW", "ari"], done["k-means, 20 components", "ari"] + 0.2)
        self.assertLess(done["NW", "pi_error"], 0.05)
        # A finished run is read back.
        again = self.nw_json(*args, "--only", "NW", "--runs", "table")
        self.assertEqual(
            [row["values"] for row in again["rows"]],
            [[done["NW", row["metric"]]] for row in again["rows"]],
        )


if __name__ == "__main__":
    command.main()
