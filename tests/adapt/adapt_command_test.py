"""`nw adapt`, `nw predict` and the tables of MNIST-M as their users meet them."""

import csv
import json
import os
import pathlib
import random
import struct
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import command  # noqa: E402

PACK = pathlib.Path(
    os.environ.get("NW_DATA_PACK") or pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
)
QUICK = ["--quiet", "--steps", 30, "--threads", 1]
CENTRES = {"a": (0.0, 0.0), "b": (4.0, 0.0), "c": (2.0, 3.5)}


def table(seed, shares, rows=600, shift=0.0, label=True):
    """Points of three classes at the corners of a triangle, all moved by `shift`."""
    draw = random.Random(seed)
    lines = ["x,y,group" if label else "x,y"]
    for _ in range(rows):
        name = draw.choices(list(shares), list(shares.values()))[0]
        x, y = CENTRES[name]
        line = f"{draw.gauss(x + shift, 0.5)},{draw.gauss(y, 0.5)}"
        lines.append(f"{line},{name}" if label else line)
    return "\n".join(lines) + "\n"


def idx_images(count, side, channels=1):
    """Random bytes as idx images."""
    draw = random.Random(count)
    sizes = [count, side, side] + ([channels] if channels > 1 else [])
    head = bytes([0, 0, 8, len(sizes)]) + b"".join(struct.pack(">I", s) for s in sizes)
    return head + draw.randbytes(count * side * side * channels)


def idx_labels(values):
    return bytes([0, 0, 8, 1]) + struct.pack(">I", len(values)) + bytes(values)


class Adapt(command.CommandTest):
    def setUp(self):
        super().setUp()
        self.file("source.csv", table(1, {"a": 0.6, "b": 0.3, "c": 0.1}))
        self.file("target.csv", table(2, {"a": 0.1, "b": 0.3, "c": 0.6}, shift=1.0))
        self.source = ["--source", "source.csv", "--label-column", "group"]
        self.target = ["--target", "target.csv", "--target-label-column", "group"]

    def adapt(self, *arguments, **more):
        return self.nw("adapt", *self.source, *self.target, *arguments, **more)

    def test_finds_proportions_and_classes_of_the_target(self):
        found = self.nw_json(
            "adapt", *self.source, *self.target, "--quiet", "--steps", 500, "--threads", 1,
            "-o", "classes.csv", "--report", "page.html",
        )  # fmt: skip
        self.assertEqual(found["classes"], ["a", "b", "c"])
        for share, truth in zip(found["pi_target"], found["pi_target_true"]):
            self.assertAlmostEqual(share, truth, delta=0.12)
        for share, (low, high) in zip(found["pi_target"], found["pi_target_interval"]):
            self.assertTrue(low <= share <= high)
        self.assertGreater(found["accuracy"], 0.9)
        self.assertEqual(len(found["class_accuracy"]), 3)
        self.assertEqual(sum(map(sum, found["confusion"])), 600)
        rows = list(csv.DictReader((self.folder / "classes.csv").read_text().splitlines()))
        self.assertEqual(len(rows), 600)
        truth = [line.split(",")[2] for line in (self.folder / "target.csv").read_text().split()[1:]]
        right = sum(row["predicted"] == name for row, name in zip(rows, truth))
        self.assertAlmostEqual(right / 600, found["accuracy"])
        self.assertIn("<svg", (self.folder / "page.html").read_text())
        curves = {curve["name"]: curve for curve in found["series"]}
        self.assertTrue({"pi a", "truth a"} <= set(curves))
        # All 600 rows are watched, so that the curve ends at the final number.
        self.assertEqual(len(curves["consistency"]["y"]), 25)
        self.assertAlmostEqual(curves["consistency"]["y"][-1], found["consistency"], places=6)

    def test_labels_of_the_target_do_not_touch_training(self):
        shares = {"a": 0.1, "b": 0.3, "c": 0.6}
        self.file("blind.csv", table(2, shares, shift=1.0, label=False))
        blind = self.nw_json("adapt", *self.source, "--target", "blind.csv", *QUICK)
        seeing = self.nw_json("adapt", *self.source, *self.target, *QUICK)
        self.assertEqual(blind["pi_target"], seeing["pi_target"])
        self.assertNotIn("accuracy", blind)

    def test_every_method_runs_under_both_recipes(self):
        methods = ["source-only", "dann", "wasserstein", "nw", "iwdan", "sdann", "bbse"]
        for method in [*methods, "deepjdot", "deepjdot-pi"]:
            for recipe in ["best", "paper"]:
                found = self.nw_json(
                    "adapt", *self.source, *self.target, *QUICK, "--method", method,
                    "--recipe", recipe,
                )  # fmt: skip
                self.assertEqual((found["method"], found["recipe"]), (method, recipe))
                self.assertAlmostEqual(sum(found["pi_target"]), 1.0, places=5)

    def test_auto_judges_adaptation_by_a_classifier_without_it(self):
        found = self.nw_json(
            "adapt", *self.source, *self.target, "--quiet", "--steps", 300, "--threads", 1,
            "--run", "judged",
        )  # fmt: skip
        judged = found["safeguard"]
        self.assertEqual(judged["chosen"], found["method"])
        self.assertLessEqual(judged["same_names"], judged["best_names"] + 1e-12)
        self.assertTrue((self.folder / "judged" / "source-only" / "metrics.jsonl").exists())
        low, high = zip(*found["pi_target_interval"])
        for way in ["pi_target", "pi_target_likely", "pi_target_confused"]:
            for share, least, most in zip(found[way], low, high):
                self.assertTrue(least - 1e-9 <= share <= most + 1e-9, way)
        named = self.nw_json("adapt", *self.source, *self.target, *QUICK, "--method", "nw")
        self.assertNotIn("safeguard", named)

    def test_names_rows_on_which_the_two_classifiers_differ(self):
        found = self.nw_json(
            "adapt", *self.source, *self.target, "--quiet", "--steps", 300, "--threads", 1
        )
        differ = round((1.0 - found["safeguard"]["agreement"]) * 600)
        self.assertGreater(differ, 0)
        self.assertTrue(any(f"{differ} of 600 rows are given different" in d for d in found["details"]))

    def test_resumes_to_the_same_result(self):
        done = self.adapt(*QUICK, "--run", "whole", "--checkpoint-every", 5)
        self.assertEqual(done.returncode, 0, done.stderr)
        # A run that was stopped: the same folder without its result and its last checkpoints.
        done = self.adapt(*QUICK, "--run", "again", "--checkpoint-every", 5)
        again = self.folder / "again"
        (again / "result.json").unlink()
        for checkpoint in sorted((again / "checkpoints").iterdir())[-1:]:
            checkpoint.unlink()
        done = self.adapt(*QUICK, "--run", "again", "--checkpoint-every", 5, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ["metrics.jsonl", "predictions.csv"]:
            whole, resumed = ((self.folder / run / name).read_bytes() for run in ["whole", "again"])
            self.assertEqual(whole, resumed, name)

    def test_predict_gives_the_predictions_of_the_run(self):
        self.adapt(*QUICK, "--run", "run")
        found = self.nw_json(
            "predict", "run", "target.csv", "--label-column", "group", "-o", "again.csv", "--quiet",
            "--threads", 1,  # as in QUICK: LibTorch rounds as it divides the work
        )
        expected = json.loads((self.folder / "run" / "result.json").read_text())
        self.assertEqual(found["accuracy"], expected["accuracy"])
        self.assertEqual(
            (self.folder / "again.csv").read_text(),
            (self.folder / "run" / "predictions.csv").read_text(),
        )

    def test_predict_finds_the_proportions_that_adapt_found_under_both_recipes(self):
        for recipe in ["best", "paper"]:
            self.adapt(*QUICK, "--recipe", recipe, "--method", "dann", "--run", recipe)
            expected = json.loads((self.folder / recipe / "result.json").read_text())
            finished = self.nw_json("predict", recipe, "target.csv", "--label-column", "group")
            # A run without its model: the configuration and the last checkpoint.
            (self.folder / recipe / "model.safetensors").unlink()
            stopped = self.nw_json("predict", recipe, "target.csv", "--label-column", "group")
            for found in (finished, stopped):
                for share, truth in zip(found["pi_target_likely"], expected["pi_target_likely"]):
                    self.assertAlmostEqual(share, truth, places=9)

    def test_predict_takes_the_mean_of_several_runs_and_says_how_far_they_agree(self):
        for seed in range(3):
            self.adapt(*QUICK, "--run", f"seed-{seed}", "--seed", seed)
        classes = [
            [row["predicted"] for row in csv.DictReader((run / "predictions.csv").open())]
            for run in sorted(self.folder.glob("seed-*"))
        ]
        data = ["target.csv", "--label-column", "group"]
        several = ["--with", "seed-1", "seed-2"]
        found = self.nw_json("predict", "seed-0", *data, *several, "--quiet", "-o", "mean.csv")
        same = lambda a, b: sum(x == y for x, y in zip(classes[a], classes[b])) / len(classes[a])
        for run, (one, other) in enumerate([(1, 2), (0, 2), (0, 1)]):
            expected = (same(run, one) + same(run, other)) / 2
            self.assertAlmostEqual(found["agreement_of_each"][run], expected)
        self.assertAlmostEqual(found["agreement"], sum(found["agreement_of_each"]) / 3)
        mean = [row["predicted"] for row in csv.DictReader((self.folder / "mean.csv").open())]
        for name, votes in zip(mean, zip(*classes)):
            self.assertTrue(len(set(votes)) > 1 or name == votes[0])
        said = self.nw("predict", "seed-0", *data, *several).stdout
        self.assertIn("agrees with the others", said)
        self.assertEqual("crosswise" in said, found["agreement"] < 0.8)
        twice = self.nw_json("predict", "seed-0", *data, "--with", "seed-0", "--quiet")
        once = self.nw_json("predict", "seed-0", *data, "--quiet")
        self.assertEqual((twice["agreement"], twice["accuracy"]), (1.0, once["accuracy"]))
        self.assertNotIn("agreement", once)

        self.file("other.csv", table(3, {"a": 0.5, "b": 0.5}))
        self.nw(
            "adapt", "--source", "other.csv", "--label-column", "group", "--target", "other.csv",
            "--target-label-column", "group", *QUICK, "--run", "other",
        )  # fmt: skip
        refused = self.nw("predict", "seed-0", *data, "--with", "other")
        self.assert_refused(refused, 3, "other", "seed-0")

    def test_predict_refuses_rows_of_another_shape_and_runs_of_other_commands(self):
        self.adapt(*QUICK, "--run", "run")
        self.file("wide.csv", "1,2,3\n4,5,6\n")
        self.assert_refused(self.nw("predict", "run", "wide.csv"), 3, "wide.csv", "no column", "column 3")
        self.file("points.csv", table(3, {"a": 1.0}, label=False))
        self.nw("gan", "points.csv", "--k", 1, "--steps", 2, "--batch", 8, "--quiet", "--run", "gan")
        self.assert_refused(self.nw("predict", "gan", "target.csv"), 3, "classifier")

    def test_says_which_classes_only_the_target_has(self):
        self.file("more.csv", table(2, {"a": 0.5, "c": 0.5}))
        self.file("less.csv", table(1, {"a": 0.5, "b": 0.5}))
        done = self.nw(
            "adapt", "--source", "less.csv", "--label-column", "group", "--target", "more.csv",
            "--target-label-column", "group", "--steps", 20, "--json", "out.json",
        )  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("classes that the source lacks: c", done.stdout)
        found = json.loads((self.folder / "out.json").read_text())
        self.assertGreater(found["unknown_rows"], 200)
        self.assertIsNone(found["class_accuracy"][1])

    def test_refuses_a_source_of_one_class_and_one_without_labels(self):
        self.file("one.csv", table(1, {"a": 1.0}))
        done = self.nw("adapt", "--source", "one.csv", "--label-column", "group", *self.target)
        self.assert_refused(done, 3, "one.csv", "at least two classes", "only a")
        self.file("none.csv", table(1, {"a": 1.0}, label=False))
        done = self.nw("adapt", "--source", "none.csv", *self.target)
        self.assert_refused(done, 3, "none.csv", "no labels", "--source-labels")

    def test_a_target_of_ten_rows_is_adapted_to_with_a_warning(self):
        self.file("ten.csv", table(2, {"a": 0.5, "b": 0.5}, rows=10, label=False))
        done = self.nw("adapt", *self.source, "--target", "ten.csv", "--steps", 20)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("The target has 10 rows", done.stdout)

    def test_network_is_for_images(self):
        self.assert_refused(self.adapt("--network", "small", *QUICK), 3, "small", "no images")
        self.assert_refused(self.adapt("--network", "smal", *QUICK), 2, "auto, lenet, small", "smal")
        self.file("weights.safetensors", "")
        both = self.adapt("--network", "small", "--weights", "weights.safetensors", *QUICK)
        self.assert_refused(both, 2, "network small excludes weights")

    def test_settings_are_checked(self):
        self.assert_refused(self.adapt("--set", "lambda=x"), 2, "lambda=x", "expected a number")
        self.assert_refused(self.adapt("--set", "speed=1"), 2, "speed=1", "known are", "lambda")
        self.assert_refused(self.adapt("--set", "critic-steps=0"), 2, "critic_steps", "0")
        self.assert_refused(self.adapt("--set", "critic-steps=1.5"), 2, "whole number", "1.5")
        self.assert_refused(self.adapt("--set", "critic-hidden=8x"), 2, "critic-hidden", "8x")
        self.assert_refused(self.adapt("--set", "critic-hidden=8xy"), 2, "critic-hidden", "y")
        self.assert_refused(self.adapt("--set", "feature-hidden=0"), 2, "hidden", "0")
        found = self.nw_json(
            "adapt", *self.source, *self.target, *QUICK, "--set", "critic-hidden=9x7",
            "--set", "feature-hidden=11x5", "--run", "narrow",
        )  # fmt: skip
        self.assertEqual(len(found["pi_target"]), 3)
        config = json.loads((self.folder / "narrow" / "config.json").read_text())
        self.assertEqual(config["critic_hidden"], [9, 7])
        self.assertEqual(config["feature_hidden"], [11, 5])
        self.assert_refused(self.adapt("--resume"), 2, "--run")


class Images(command.CommandTest):
    """Label ids with gaps, grey against colour, sizes that differ."""

    def setUp(self):
        super().setUp()
        self.file("s-images", idx_images(40, 18))
        self.file("s-labels", idx_labels([3, 9] * 20))

    def adapt(self, target, *arguments):
        return self.nw(
            "adapt", "--source", "s-images", "--source-labels", "s-labels", "--target", target,
            "--quiet", "--steps", 3, "--set", "class-batch=4", "--set", "target-batch=4",
            "--threads", 1, *arguments,
        )  # fmt: skip

    def test_grey_digits_to_larger_pictures_in_colour(self):
        self.file("t-images", idx_images(10, 20, 3))
        done = self.adapt("t-images", "--json", "out.json", "-o", "classes.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((self.folder / "out.json").read_text())["classes"], ["3", "9"])
        rows = list(csv.DictReader((self.folder / "classes.csv").read_text().splitlines()))
        self.assertTrue({row["predicted"] for row in rows} <= {"3", "9"})

    def test_recipe_robust_keeps_a_model_that_predicts_the_same(self):
        self.file("t-images", idx_images(10, 20, 3))
        small = ["--recipe", "robust", "--set", "feature-hidden=4x6x5", "--run", "run"]
        done = self.adapt("t-images", *small, "--json", "out.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads((self.folder / "out.json").read_text())
        self.assertEqual(found["recipe"], "robust")
        config = json.loads((self.folder / "run" / "config.json").read_text())
        self.assertEqual((config["features"], config["views"]), ("small", True))
        done = self.nw("predict", "run", "t-images", "-o", "again.csv", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(
            (self.folder / "again.csv").read_text(),
            (self.folder / "run" / "predictions.csv").read_text(),
        )

    def test_network_small_shows_images_of_different_answers(self):
        self.file("t-images", idx_images(10, 20, 3))
        done = self.adapt("t-images", "--network", "small", "--run", "run", "--report", "page.html")
        self.assertEqual(done.returncode, 0, done.stderr)
        config = json.loads((self.folder / "run" / "config.json").read_text())
        self.assertEqual((config["features"], config["recipe"]), ("small", "best"))
        found = json.loads((self.folder / "run" / "result.json").read_text())
        pictures = [p["title"] for p in found.get("pictures", [])]
        differ = found["safeguard"]["agreement"] < 1.0
        self.assertEqual("Where adaptation changed the answer" in pictures, differ)
        page = (self.folder / "page.html").read_text()
        self.assertEqual("A line for each pair of answers" in page, differ)
        log = (self.folder / "run" / "source-only" / "metrics.jsonl").read_text().splitlines()
        self.assertAlmostEqual(
            json.loads(log[-1])["agreement"], found["safeguard"]["agreement"], places=6
        )

    def test_brings_sizes_that_are_far_apart_to_one_that_predict_takes_too(self):
        self.file("t-images", idx_images(10, 40))
        done = self.adapt("t-images", "--run", "run")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.nw("predict", "run", "t-images", "-o", "again.csv", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(
            (self.folder / "again.csv").read_text(),
            (self.folder / "run" / "predictions.csv").read_text(),
        )

    def test_refuses_images_against_a_table(self):
        self.file("t.csv", "1,2\n3,4\n")
        self.assert_refused(self.adapt("t.csv"), 3, "holds images", "t.csv")


@unittest.skipUnless((PACK / "mnist_m").is_dir(), f"no data pack at {PACK}")
class Tables(command.CommandTest):
    def test_a_quick_table_keeps_its_runs_and_does_not_repeat_them(self):
        arguments = [
            "reproduce", "mnistm-imbalanced", "--data", PACK, "--quick", "--seeds", 1,
            "--only", "nw best 3", "--runs", "runs", "--quiet",
        ]  # fmt: skip
        done = self.nw(*arguments, "--json", "-", timeout=200)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        rows = {row["metric"]: row for row in found["rows"]}
        self.assertEqual(rows["accuracy"]["paper"], 75.06)
        self.assertEqual(found["config"]["MNIST-M"], "the published images, bit for bit")
        # Sixty steps are enough to be better than chance, a third.
        self.assertGreater(rows["accuracy"]["mean"], 36.0)
        again = json.loads(self.nw(*arguments, "--json", "-", timeout=200).stdout)
        self.assertEqual(again["rows"], found["rows"])

    @unittest.skipUnless((PACK / "usps").is_dir(), f"no USPS at {PACK}")
    def test_the_suite_of_pairs_draws_domains_of_other_sizes_and_shares(self):
        columns = {"usps-mnist dirichlet-0.3 self-training": [256, 784],
                   "svhn-mnist skewed nw": [3072, 784]}  # fmt: skip
        for case, expected in columns.items():
            done = self.nw(
                "reproduce", "adapt-suite", "--data", PACK, "--quick", "--seeds", 1,
                "--only", case, "--device", "cpu", "--quiet", "--runs", case.split()[0], timeout=200,
            )  # fmt: skip
            self.assertEqual(done.returncode, 0, done.stderr)
            kept = next((self.folder / case.split()[0]).rglob("result.json"))
            found = json.loads(kept.read_text())
            self.assertEqual([part["columns"] for part in found["data"]], expected)
            self.assertEqual([part["rows"] for part in found["data"]], [600, 600])
            if "skewed" in case:
                self.assertAlmostEqual(found["pi_target_true"][0], 0.04, delta=0.03)
                self.assertAlmostEqual(found["pi_target_true"][9], 0.16, delta=0.06)

    def test_words_of_a_case_choose_it(self):
        done = self.nw("reproduce", "mnistm-imbalanced", "--only", "nw 3 best", "--data", ".")
        self.assert_refused(done, 2, "nw 3 best", "'nw best 3'", "'dann paper 10'")
        done = self.nw("reproduce", "mnistm-balanced", "--only", "nw, balanced", "--data", ".")
        self.assert_refused(done, 3)  # two cases, and no data

    def test_without_data_says_what_is_needed(self):
        done = self.nw("reproduce", "mnistm-balanced", "--quiet")
        self.assert_refused(done, 3, "--data", "BSDS500")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
