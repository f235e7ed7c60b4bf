"""nw cluster: scores, k-means and mixtures of Gaussians beside scikit-learn's."""

import json
import os
import pathlib
import sys

# Threads of small problems mostly wait for each other.
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
import numpy as np  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import command  # noqa: E402

try:
    import scipy.cluster.hierarchy as hierarchy
    import sklearn.cluster as sk_cluster
    import sklearn.metrics as sk_metrics
    import sklearn.mixture as sk_mixture
except ImportError:
    print("scikit-learn is missing: skipped")
    sys.exit(77)

FIELDS = {"k", "pi", "assignments", "purity", "nmi", "ami", "ari"}


def blobs(seed, sizes, spread=1.0, dim=2):
    """Gaussians of random shape around random centres; the class of each point."""
    rng = np.random.default_rng(seed)
    rows, classes = [], []
    for label, size in enumerate(sizes):
        centre = rng.uniform(-6, 6, dim)
        factor = spread * rng.normal(size=(dim, dim)) / np.sqrt(dim)
        rows.append(centre + rng.normal(size=(size, dim)) @ factor.T)
        classes += [label] * size
    return np.vstack(rows), np.array(classes)


class Cluster(command.CommandTest):
    def put(self, points, classes):
        np.save(self.folder / "x.npy", points)
        np.save(self.folder / "classes.npy", classes)

    def cluster(self, k, *more):
        found = self.nw_json("cluster", "x.npy", "--k", k, "-o", "clusters.csv", "--quiet", *more)
        table = np.loadtxt(self.folder / "clusters.csv", delimiter=",", skiprows=1, ndmin=2)
        return found, table[:, 0].astype(int) - 1

    def test_quiet_prints_the_shares_alone(self):
        self.put(*blobs(1, (300, 60, 20)))
        found, _ = self.cluster(3)
        done = self.nw("cluster", "x.npy", "--k", 3, "--quiet")
        self.assertEqual([float(line) for line in done.stdout.splitlines()],
                         [float(f"{share:.4g}") for share in found["pi"]])  # fmt: skip

    def test_scores_equal_scikit_learn_s(self):
        for seed, sizes, k in ((1, (300, 60, 20), 3), (2, (50, 50), 5), (3, (30,), 2), (4, (5, 200), 1)):
            points, classes = blobs(seed, sizes, spread=3.0)
            self.put(points, classes)
            found, assigned = self.cluster(k, "--labels", "classes.npy", "--seed", seed)
            self.assertEqual(FIELDS - set(found), set())
            nmi = sk_metrics.normalized_mutual_info_score(classes, assigned)
            self.assertAlmostEqual(found["nmi"], nmi, delta=1e-9)
            ami = sk_metrics.adjusted_mutual_info_score(classes, assigned)
            self.assertAlmostEqual(found["ami"], ami, delta=1e-9)
            ari = sk_metrics.adjusted_rand_score(classes, assigned)
            self.assertAlmostEqual(found["ari"], ari, delta=1e-9)
            table = sk_metrics.cluster.contingency_matrix(classes, assigned)
            self.assertAlmostEqual(found["purity"], table.max(0).sum() / len(classes), delta=1e-9)

    def test_k_means_ends_where_scikit_learn_s_best_run_does(self):
        for seed in range(4):
            points, classes = blobs(seed, (400, 100, 50, 200, 30), dim=3)
            self.put(points, classes)
            found, assigned = self.cluster(5, "--method", "kmeans", "--seed", seed)
            runs = [
                sk_cluster.KMeans(5, n_init=10, random_state=r).fit(points).inertia_ for r in range(3)
            ]
            self.assertLessEqual(found["inertia"], max(runs) * (1 + 1e-4))
            centres = np.array(found["centres"])
            distance = ((points[:, None] - centres) ** 2).sum(2)
            np.testing.assert_array_equal(distance.argmin(1), assigned)
            self.assertAlmostEqual(found["inertia"], distance.min(1).sum(), delta=1e-6)
            np.testing.assert_allclose(found["pi"], np.bincount(assigned) / len(points), rtol=1e-12)

    def test_mixtures_are_as_likely_as_scikit_learn_s(self):
        for seed in range(3):
            points, classes = blobs(seed, (400, 100, 250), dim=2)
            self.put(points, classes)
            for shape, theirs in (("full", "full"), ("diagonal", "diag"), ("spherical", "spherical")):
                found, _ = self.cluster(3, "--method", "gmm", "--shape", shape, "--seed", seed)
                runs = [
                    sk_mixture.GaussianMixture(3, covariance_type=theirs, n_init=10, random_state=r)
                    .fit(points).score(points)
                    for r in range(3)
                ]  # fmt: skip
                # Both stop when a round gains less than 1e-3.
                self.assertGreaterEqual(found["log_likelihood"], min(runs) - 3e-3, (seed, shape))

    def test_confidence_is_a_probability_above_one_in_k(self):
        points, classes = blobs(7, (200, 200))
        self.put(points, classes)
        self.cluster(2, "--method", "gmm")
        head, *rows = (self.folder / "clusters.csv").read_text().splitlines()
        self.assertEqual(head, "cluster,confidence")
        self.assertEqual(len(rows), 400)
        self.assertTrue(all(0.5 <= float(row.split(",")[1]) <= 1.0 for row in rows))

    def test_reads_labels_from_a_column_and_draws_a_page(self):
        points, classes = blobs(5, (60, 40))
        lines = ["a,b,kind"] + [f"{x},{y},{'pq'[c]}" for (x, y), c in zip(points, classes)]
        self.file("x.csv", "\n".join(lines) + "\n")
        done = self.nw("cluster", "x.csv", "--label-column", "kind", "--k", 2, "--method", "gmm",
                       "--report", "page.html", "--json", "r.json")  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("purity", done.stdout)
        self.assertEqual(json.loads((self.folder / "r.json").read_text())["dim"], 2)
        self.assertIn("Clusters of x.csv", (self.folder / "page.html").read_text())

    def test_finds_the_number_of_clusters(self):
        rng = np.random.default_rng(1)
        centres = np.repeat([[0, 0], [9, 0], [0, 9]], [100, 50, 150], axis=0)
        self.put(centres + rng.normal(size=(300, 2)), np.zeros(300, int))
        found, _ = self.cluster("auto", "--method", "gmm")
        self.assertEqual(found["k"], 3)
        np.testing.assert_allclose(found["pi"], [0.5, 1 / 3, 1 / 6], atol=1e-3)
        # So it does where nobody says how many.
        self.assertEqual(self.nw_json("cluster", "x.npy", "--method", "gmm", "--quiet")["k"], 3)

    def test_follows_rings_says_who_won_and_writes_a_tree_for_scipy(self):
        rng = np.random.default_rng(2)
        angle, kind = rng.uniform(0, 2 * np.pi, 400), np.arange(400) % 4 == 0
        radius = np.where(kind, 1.0, 4.0)
        points = np.c_[radius * np.cos(angle), radius * np.sin(angle)] + 0.1 * rng.normal(size=(400, 2))
        points[:3] = [[9, 9], [-9, 8], [8, -9]]
        self.put(points, kind.astype(int))
        found, assigned = self.cluster(2, "--noise", "--tree", "tree.csv")
        self.assertEqual(assigned[:3].tolist(), [-1, -1, -1])
        self.assertEqual(sk_metrics.adjusted_rand_score(kind[assigned >= 0], assigned[assigned >= 0]), 1.0)
        self.assertAlmostEqual(found["noise"], (assigned < 0).mean(), delta=1e-12)
        self.assertEqual(found["winner"], found["candidates"][0]["name"])
        self.assertLess(found["gaussian_evidence"], 0)
        tree = np.loadtxt(self.folder / "tree.csv", delimiter=",", skiprows=1)
        self.assertTrue(hierarchy.is_valid_linkage(tree))
        self.assertTrue(hierarchy.is_monotonic(tree))
        for k in (2, 3, 5):
            self.assertEqual(len(set(hierarchy.fcluster(tree, k, "maxclust"))), k)

    def test_refuses_what_makes_no_sense(self):
        self.put(*blobs(1, (5,)))
        self.assert_refused(self.nw("cluster", "x.npy", "--k", 6), 2, "k = 6", "5 points")
        self.assert_refused(self.nw("cluster", "x.npy", "--k", 2, "--shape", "diagonal"), 2, "gmm")
        self.assert_refused(self.nw("cluster", "nothing.npy", "--k", 2), 3, "nothing.npy")


if __name__ == "__main__":
    command.main()
