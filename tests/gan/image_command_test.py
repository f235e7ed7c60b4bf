"""Image scores and the experiments on CIFAR-10 and CelebA: `nw score`, `nw reproduce cifar10`,
`cifar-celeba` and `cifar-celeba-clustering`, all on a few images of the data pack."""

import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import command  # noqa: E402

PACK = pathlib.Path(
    os.environ.get("NW_DATA_PACK")
    or pathlib.Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
).resolve()
WEIGHTS = PACK / "weights" / "resnet56_cifar10.safetensors"
needs_pack = unittest.skipUnless(WEIGHTS.exists(), f"no data pack at {PACK}; set NW_DATA_PACK")


def rows_of(result):
    return {(row["method"], row["metric"]): row for row in result["rows"]}


class Score(command.CommandTest):
    def score(self, images, real, *more):
        return self.nw_json(
            "score", PACK / images, "--against", PACK / real, "--weights", WEIGHTS,
            "--tile", "32x32", "--count", 60, *more,
        )  # fmt: skip

    @needs_pack
    def test_real_objects_score_above_faces_and_are_no_distance_from_themselves(self):
        test = "cifar10_subset/cifar10_test_00.jpg"
        same = self.score(test, test)
        faces = self.score("celeba_subset/celeba32_00.jpg", test)
        self.assertEqual(same["space"], "ResNet-56")
        self.assertLess(abs(same["frechet_distance"]), 1e-6)
        self.assertGreater(faces["frechet_distance"], 1.0)
        self.assertGreater(same["class_score"], 6.0)  # at most ten
        self.assertGreater(same["class_score"], 1.5 * faces["class_score"])

    @needs_pack
    def test_is_not_called_by_the_published_names(self):
        sheet = PACK / "cifar10_subset" / "cifar10_test_00.jpg"
        arguments = ("--against", sheet, "--weights", WEIGHTS, "--tile", "32x32", "--count", 20)
        done = self.nw("score", sheet, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ResNet-56 score", done.stdout)
        self.assertNotIn("Inception", done.stdout)
        self.assertNotIn("FID", done.stdout)

    def test_says_which_file_is_no_network(self):
        self.file("weights.safetensors", b"\x02\x00\x00\x00\x00\x00\x00\x00{}")
        self.file("x.csv", "1,2\n3,4\n")
        done = self.nw("score", "x.csv", "--against", "x.csv", "--weights", "weights.safetensors")
        self.assert_refused(done, 3, "weights.safetensors")


class Reproduce(command.CommandTest):
    def reproduce(self, experiment, *more):
        return self.nw_json(
            "reproduce", experiment, "--quick", "--seeds", 1, "--data", PACK, "--device", "cpu",
            "--quiet", *more
        )

    @needs_pack
    def test_cifar10_compares_four_components_with_one_and_keeps_its_runs(self):
        result = self.reproduce("cifar10", "--runs", "kept", "--only", "k=4")
        rows = rows_of(result)
        score = rows["NWGAN k=4", "ResNet-56 score"]["mean"]
        self.assertTrue(1.0 <= score <= 10.0, score)
        self.assertGreater(rows["NWGAN k=4", "ResNet-56 Frechet distance"]["mean"], 0.0)
        sheets = sorted((self.folder / "kept").glob("*/samples/*component*.png"))
        self.assertEqual(len(sheets), 4)
        again = self.reproduce("cifar10", "--runs", "kept", "--only", "k=4")
        self.assertEqual(rows_of(again), rows)
        run = next((self.folder / "kept").iterdir())
        done = self.nw("sample", run, "-n", 4, "-o", "four.png")
        self.assertEqual(done.returncode, 0, done.stderr)

    @needs_pack
    def test_cifar_celeba_counts_the_sources_of_each_component(self):
        result = self.reproduce("cifar-celeba", "--runs", "kept")
        rows = rows_of(result)
        self.assertGreater(float(result["config"]["classifier accuracy"]), 0.7)
        for case in ("learned pi", "fixed pi"):
            first, second = (rows[case, f"faces of component {j}"]["mean"] for j in (1, 2))
            least = rows[case, "right source, least"]["mean"]
            expected = min(max(first, second), 1 - min(first, second))
            self.assertAlmostEqual(least, expected, places=9)
        self.assertAlmostEqual(rows["fixed pi", "pi of faces"]["mean"], 0.5, places=6)
        self.assertNotAlmostEqual(rows["learned pi", "pi of faces"]["mean"], 0.5, places=6)
        # The clusters belong to the model that is there already.
        clusters = rows_of(self.reproduce("cifar-celeba-clustering", "--runs", "kept"))
        self.assertEqual(
            clusters["NW", "steps"]["mean"], rows["learned pi", "steps"]["mean"]
        )
        rivals = ("GMM, components", "k-means, components", "k-means, pixels")
        cases = [("NW", "purity, recognised"), ("NW", "purity, nearest image")]
        cases += [(rival, "purity") for rival in rivals]
        for case in cases:
            self.assertGreaterEqual(clusters[case]["mean"], 2 / 3 - 1e-9)
        for case in cases[:2]:
            self.assertEqual(clusters[case]["paper"], 0.870)

    def test_knows_its_cases(self):
        done = self.nw("reproduce", "cifar10", "--data", "nowhere")
        self.assertEqual(done.returncode, 3)
        self.assertIn("nowhere", done.stderr)


if __name__ == "__main__":
    command.main()
