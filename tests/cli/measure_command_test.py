"""nw compare, choose-k and reproduce: verdicts on data whose truth is known, JSON, pages, misuse."""

import json

import numpy as np

from command import CommandTest, main

COMPARE_FIELDS = {
    "wasserstein", "normalized_wasserstein", "k", "pi_x", "pi_y", "pi_x_interval",
    "pi_y_interval", "p_same", "p_components", "verdict", "components",
}  # fmt: skip
CENTRES = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]])


def mixture(shares, n, seed, centres=CENTRES):
    rng = np.random.default_rng(seed)
    modes = rng.choice(len(shares), size=n, p=shares)
    return centres[modes] + 0.5 * rng.normal(size=(n, 2))


class Compare(CommandTest):
    def save(self, x, y):
        np.save(self.folder / "x.npy", x)
        np.save(self.folder / "y.npy", y)

    def compare(self, x, y, *options):
        self.save(x, y)
        return self.nw_json("compare", "x.npy", "y.npy", "--resamplings", 99, "--quiet", *options)

    def test_only_the_mix_changed(self):
        result = self.compare(
            mixture([0.5, 0.3, 0.2], 300, 1), mixture([0.2, 0.3, 0.5], 300, 2), "--k", 3
        )
        self.assertEqual(COMPARE_FIELDS - set(result), set())
        self.assertEqual(result["verdict"], "proportions")
        self.assertLess(result["normalized_wasserstein"], 0.25 * result["wasserstein"])
        shares = {}
        for component in result["components"]:
            nearest = np.argmin(np.linalg.norm(CENTRES - component["centre"], axis=1))
            shares[nearest] = (component["mass_x"], component["mass_y"])
        for mode, truth in enumerate([(0.5, 0.2), (0.3, 0.3), (0.2, 0.5)]):
            np.testing.assert_allclose(shares[mode], truth, atol=0.09)

    def test_one_member_moved(self):
        moved = CENTRES + np.array([[0, 0], [1.0, 1.0], [0, 0]])
        result = self.compare(
            mixture([0.5, 0.3, 0.2], 300, 3), mixture([0.5, 0.3, 0.2], 300, 4, moved), "--k", 3
        )
        self.assertEqual(result["verdict"], "components")
        worst = min(result["components"], key=lambda component: component["p"])
        self.assertLess(np.linalg.norm(np.array(worst["centre"]) - [6.5, 0.5]), 1.0)

    def test_nothing_changed(self):
        result = self.compare(
            mixture([0.5, 0.3, 0.2], 300, 5), mixture([0.5, 0.3, 0.2], 300, 6), "--k", 3
        )
        self.assertEqual(result["verdict"], "same")

    def test_the_same_seed_gives_the_same_answer_at_every_thread_count(self):
        x, y = mixture([0.5, 0.3, 0.2], 120, 7), mixture([0.3, 0.3, 0.4], 120, 8)
        answers = []
        for threads in (1, 2):
            result = self.compare(x, y, "--k", 3, "--threads", threads, "--seed", 4)
            answers.append([result[field] for field in ("wasserstein", "pi_x", "p_same",
                                                        "p_components")])  # fmt: skip
        self.assertEqual(answers[0], answers[1])

    def test_the_page_and_a_page_made_later_show_the_verdict(self):
        self.save(mixture([0.7, 0.1, 0.2], 150, 9), mixture([0.2, 0.1, 0.7], 150, 10))
        self.nw("compare", "x.npy", "y.npy", "--k", 3, "--resamplings", 99,
                "--json", "run.json", "--report", "page.html")  # fmt: skip
        self.assertIn("proportions", (self.folder / "page.html").read_text())
        self.nw("report", "run.json", "-o", "later.html")
        self.assertIn("proportions", (self.folder / "later.html").read_text())
        figure = json.loads((self.folder / "run.json").read_text())["figure"]
        self.assertTrue(figure["plain"] and figure["normalized_x"] and figure["ellipses"])

    def test_misuse_and_bad_data_are_told_apart(self):
        self.save(mixture([0.5, 0.3, 0.2], 5, 1), mixture([0.5, 0.3, 0.2], 50, 2))
        self.assert_refused(self.nw("compare", "x.npy", "y.npy", "--k", "none"), 2, "--k")
        self.assert_refused(self.nw("compare", "x.npy", "y.npy", "--k", "40"), 2, "40")
        np.save(self.folder / "y.npy", np.zeros((4, 3)))
        self.assert_refused(self.nw("compare", "x.npy", "y.npy"), 3, "y.npy")


class ChooseK(CommandTest):
    def test_three_modes_of_one_data_set(self):
        np.save(self.folder / "x.npy", mixture([0.5, 0.3, 0.2], 400, 11))
        result = self.nw_json("choose-k", "x.npy", "--max-k", 6, "--quiet")
        self.assertEqual(result["k"], 3)
        values = [point["nw"] for point in result["curve"]]
        self.assertEqual(values, sorted(values, reverse=True))
        for point in result["curve"]:
            self.assertEqual({"k", "nw", "nw_low", "nw_high"} - set(point), set())


class Reproduce(CommandTest):
    def test_lists_and_runs_the_quick_title_figure(self):
        self.assertIn("title-figure", self.nw("reproduce", "--list").stdout)
        result = self.nw_json("reproduce", "title-figure", "--quick", "--seeds", 2, "--quiet")
        self.assertEqual(result["id"], "title-figure")
        across = {row["method"]: row["mean"] for row in result["rows"]}
        self.assertGreater(across["Wasserstein"], 0.4)
        self.assertLess(across["normalised, source"], 0.1)
        self.assertLess(across["normalised, target"], 0.1)
        for row in result["rows"]:
            self.assertEqual({"method", "metric", "mean", "std", "paper"} - set(row), set())

    def test_an_unknown_id_is_answered_with_the_known_ones(self):
        self.assert_refused(self.nw("reproduce", "table-9"), 2, "comparison")

    def test_a_quiet_reproduction_prints_its_table_in_columns_and_nothing_else(self):
        done = self.nw("reproduce", "title-figure", "--quick", "--seeds", 2, "--quiet")
        heading, *rows = done.stdout.splitlines()
        self.assertEqual(heading.split()[:3], ["case", "metric", "mean"])
        self.assertGreater(len(rows), 1)
        column = heading.index("metric")
        for row in rows:
            self.assertNotEqual(row[column], " ")
            self.assertEqual(row[column - 2 : column], "  ")


if __name__ == "__main__":
    main()
