"""nw bench ot: rows of both solvers, and the page it writes."""

import json

from command import CommandTest, main

ROW = {"case", "ours_seconds", "peer_seconds", "ratio", "ours_mb", "peer_mb", "relative_gap"}


class BenchOt(CommandTest):
    def test_measures_us_and_the_peer_on_the_same_points(self):
        done = self.nw("bench", "ot", "--sizes", "150", "--dims", "2,5", "--json", "rows.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("POT s", done.stdout)
        rows = json.loads((self.folder / "rows.json").read_text())["rows"]
        self.assertEqual([(r["dim"], r["p"]) for r in rows], [(2, 1), (2, 2), (5, 1), (5, 2)])
        for row in rows:
            self.assertEqual(ROW - set(row), set())
            self.assertLess(row["relative_difference"], 1e-9)
            self.assertLess(abs(row["relative_gap"]), 1e-9)
            self.assertAlmostEqual(row["ratio"], row["peer_seconds"] / row["ours_seconds"])

    def test_solves_weighted_and_degenerate_clouds(self):
        weighted = self.nw_json("bench", "ot", "--sizes", "80", "--dims", "3", "--weighted", "-q")
        self.assertTrue(all(row["weighted"] for row in weighted["rows"]))
        self.assertTrue(all(row["relative_difference"] < 1e-9 for row in weighted["rows"]))
        rows = self.nw_json("bench", "ot", "--degenerate", "--sizes", "60", "--no-peer", "-q")["rows"]
        kinds = {row["kind"] for row in rows}
        self.assertLessEqual(
            {"all-equal", "duplicates", "lattice", "colinear", "odd-n", "scale-1e-150"}
            | {"scale-1e150", "heavy-weight", "n-over-3", "far-shifted", "cauchy", "circle"},
            kinds,
        )
        self.assertTrue(all(row["converged"] and row["peer_seconds"] is None for row in rows))

    def test_growth_replaces_its_section_of_the_page_and_nothing_else(self):
        page = self.folder / "page.md"
        page.write_text("# Title\n\nBefore.\n\n")
        for sizes in ("50,100", "60,120"):
            done = self.nw("bench", "ot", "--growth", "page.md", "--sizes", sizes, "--no-peer")
            self.assertEqual(done.returncode, 0, done.stderr)
        text = page.read_text()
        self.assertTrue(text.startswith("# Title\n\nBefore.\n\n<!-- growth: begin"))
        self.assertIn("| 120 |", text)
        self.assertNotIn("| 100 |", text)
        self.assertEqual(text.count("growth: begin"), 1)
        self.assertIn("<svg", (self.folder / "page-growth.svg").read_text())

    def test_batches_give_the_values_of_the_peer_one_by_one(self):
        row, larger = self.nw_json("bench", "batch", "--sizes", "12,40", "--problems", "30", "--p", "1", "-q")["rows"]
        self.assertEqual(row["case"], "batch-30x12-d8-w1")
        self.assertEqual(larger["n"], 40)
        for one in (row, larger):
            self.assertLess(one["largest_relative_difference"], 1e-9)
            self.assertLess(one["largest_relative_gap"], 1e-9)
            self.assertAlmostEqual(one["ratio"], one["peer_cpu_seconds"] / one["ours_cpu_seconds"])

    def test_goes_on_without_a_peer_that_cannot_be_run(self):
        done = self.nw("bench", "ot", "--sizes", "30", "--dims", "2", "--python", "/no/python")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("/no/python", done.stderr)


if __name__ == "__main__":
    main()
