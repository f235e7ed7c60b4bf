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

    def test_a_member_that_moved_names_its_column_in_the_units_of_the_data(self):
        rng = np.random.default_rng(12)
        rows = []
        for side in range(2):
            kind = rng.choice(2, 300, p=[0.5, 0.5])
            weight = np.where(kind == 0, 60.0, 90.0) + 3 * rng.normal(size=300)
            height = np.where(kind == 0, 1.60, 1.85) + 0.03 * rng.normal(size=300)
            height += 0.06 * side * (kind == 0)
            rows.append(np.c_[weight, height])
        for name, values in zip("xy", rows):
            np.savetxt(self.folder / f"{name}.csv", values, delimiter=",", header="weight,height",
                       comments="")  # fmt: skip
        result = self.nw_json("compare", "x.csv", "y.csv", "--k", 2, "--resamplings", 99, "--quiet",
                              "--rows", "rows.csv")  # fmt: skip
        self.assertEqual(result["verdict"], "components")
        moves = [m for c in result["components"] for m in c.get("columns_moved", [])]
        self.assertEqual({m["column"] for m in moves}, {"height"})
        self.assertAlmostEqual(moves[0]["from"], 1.60, delta=0.03)
        self.assertAlmostEqual(moves[0]["to"], 1.66, delta=0.03)
        within = {c["name"]: c["change_within"] / c["change"] for c in result["columns"]}
        self.assertGreater(within["height"], 0.7)
        heading, *lines = (self.folder / "rows.csv").read_text().splitlines()
        self.assertEqual(heading, "sample,row,member,score,weight,region")
        self.assertEqual(len(lines), 600)

    def test_what_counts_as_a_change_can_be_said(self):
        x, y = mixture([0.5, 0.3, 0.2], 1500, 21), mixture([0.42, 0.34, 0.24], 1500, 22)
        alarmed = self.compare(x, y, "--k", 3)
        self.assertEqual(alarmed["verdict"], "proportions")
        self.assertFalse(alarmed["effect"]["below_min_effect"])
        quiet = self.compare(x, y, "--k", 3, "--min-effect", 0.25)
        self.assertEqual(quiet["verdict"], "same")
        self.assertTrue(quiet["effect"]["below_min_effect"])
        self.assertEqual(quiet["effect"]["min_effect"]["share"], 0.25)
        self.assert_refused(self.nw("compare", "x.npy", "y.npy", "--min-effect", 2), 2, "min_effect")

    def test_terminal_page_and_json_tell_one_story(self):
        moved = CENTRES + np.array([[0, 0], [1.0, 1.0], [0, 0]])
        words = {"shifted": "moved", "new-in-y": "new in y", "missing-from-y": "missing from y"}
        for seed, (shares, centres) in enumerate([
            ([0.5, 0.3, 0.2], CENTRES), ([0.2, 0.3, 0.5], CENTRES), ([0.5, 0.3, 0.2], moved),
            ([0.7, 0.3, 0.0], CENTRES)]):  # fmt: skip
            self.save(mixture([0.5, 0.3, 0.2], 200, 30 + seed),
                      mixture(shares, 200, 40 + seed, centres))  # fmt: skip
            done = self.nw("compare", "x.npy", "y.npy", "--resamplings", 99, "--json", "run.json",
                           "--report", "page.html")  # fmt: skip
            result = json.loads((self.folder / "run.json").read_text())
            page = (self.folder / "page.html").read_text()
            self.assertTrue(done.stdout.startswith(f"{result['verdict']}: {result['sentence']}"))
            self.assertIn(f"verdict-{result['verdict']}", page)
            table = [line for line in done.stdout.splitlines() if line.lstrip().startswith("(")]
            self.assertEqual(len(table), len(result["components"]))
            for line, component in zip(table, result["components"]):
                status = component["status"]
                self.assertTrue(line.rstrip().endswith(words.get(status, status)), line)
            self.assertAlmostEqual(sum(c["mass_y"] for c in result["components"]), 1.0)

    def test_a_model_s_scores_give_the_mix_and_corrected_probabilities(self):
        rng = np.random.default_rng(7)
        names = np.array(["cat", "dog"])

        def write(name, shares, with_class):
            label = rng.choice(2, 600, p=shares)
            p = 1 / (1 + np.exp(-2 * (rng.normal(size=600) + 2 * label - 1)))
            with open(self.folder / name, "w") as file:
                file.write("p_dog,p_cat" + (",class" if with_class else "") + "\n")
                for q, c in zip(p, names[label]):
                    file.write(f"{q},{1 - q}" + (f",{c}" if with_class else "") + "\n")
            return label

        write("valid.csv", [0.5, 0.5], True)
        truth = write("target.csv", [0.2, 0.8], False)
        result = self.nw_json("compare", "--scores-x", "valid.csv", "--scores-y", "target.csv",
                              "--label-column", "class", "--corrected", "p.csv", "--resamplings", 99,
                              "--quiet")  # fmt: skip
        self.assertEqual(result["classes"], ["cat", "dog"])
        self.assertTrue(result["tenable"])
        for way in ("likelihood", "confusion", "transport"):
            self.assertAlmostEqual(result[way]["share"][1], truth.mean(), delta=0.08)
        corrected = np.loadtxt(self.folder / "p.csv", delimiter=",", skiprows=1)
        np.testing.assert_allclose(corrected.sum(1), 1.0, atol=1e-9)
        np.testing.assert_allclose(corrected[:, 1].mean(), truth.mean(), atol=0.08)
        self.assert_refused(self.nw("compare", "--scores-x", "valid.csv"), 2, "belong together")
        self.assert_refused(self.nw("compare", "--scores-x", "target.csv", "--scores-y", "valid.csv"),
                            3, "--label-column")  # fmt: skip
        self.assert_refused(self.nw("compare"), 2, "X is missing")

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
