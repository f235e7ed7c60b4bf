"""Tables as they are passed around: one command, whatever the order, units and holes of their columns."""

import csv
import json
import random
import unittest
from decimal import Decimal

from command import EXAMPLES, CommandTest, main

FAST = ["--resamplings", "99", "--seed", "3", "--k", "3"]


def rows_of(name):
    with open(EXAMPLES / name, newline="") as file:
        return list(csv.reader(file))


class Tables(CommandTest):
    def table(self, name, rows):
        text = "".join(",".join(row) + "\n" for row in rows)
        return self.file(name, text)

    def compare(self, *arguments):
        done = self.nw("compare", *arguments, *FAST, "--json", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_order_and_units_of_columns_are_no_part_of_the_answer(self):
        spring, autumn = rows_of("spring.csv"), rows_of("autumn.csv")
        plain = self.compare(self.table("x.csv", spring), self.table("y.csv", autumn))
        mixed = [[row[i] for i in (2, 0, 1)] for row in autumn]
        self.assert_same(self.compare("x.csv", self.table("mixed.csv", mixed)), plain)
        for column in (0, 1):
            for unit, offset in ((1000, 0), (1, 10**6)):
                with self.subTest(column=column, unit=unit, offset=offset):
                    other = {}
                    for name, rows in (("u.csv", spring), ("v.csv", autumn)):
                        new = [list(row) for row in rows]
                        for row in new[1:]:
                            row[column] = str(Decimal(row[column]) * unit + offset)
                        other[name] = self.table(name, new)
                    self.assert_same(self.compare("u.csv", "v.csv"), plain)

    def assert_same(self, found, expected):
        self.assertEqual(found["verdict"], expected["verdict"])
        self.assertEqual(found["k"], expected["k"])
        for side in ("pi_x", "pi_y"):
            for a, b in zip(found[side], expected[side]):
                self.assertAlmostEqual(a, b, delta=1e-6)

    def test_centres_are_in_units_and_categories_are_shares(self):
        found = self.compare(EXAMPLES / "spring.csv", EXAMPLES / "autumn.csv")
        names = found["data"][0]["column_names"]
        self.assertIn("group = student", names)
        students = max(found["components"], key=lambda c: c["centre"][names.index("group = student")])
        self.assertAlmostEqual(students["centre"][names.index("age")], 20, delta=3)
        self.assertAlmostEqual(students["centre"][names.index("group = student")], 1, delta=0.05)

    def test_components_are_named_by_the_columns_in_which_they_stand_out(self):
        found = self.compare(EXAMPLES / "spring.csv", EXAMPLES / "autumn.csv")
        names = [component["name"] for component in found["components"]]
        self.assertEqual(len(set(names)), 3)
        for group in ("pensioner", "student", "worker"):
            self.assertEqual(sum(f"group = {group}" in name for name in names), 1, names)
        numbers = self.compare(EXAMPLES / "spring.csv", EXAMPLES / "autumn.csv", "--columns", "age,income")
        for component in numbers["components"]:
            age, income = (component["centre"][j] for j in (0, 1))
            told = dict(part.split(" ≈ ") for part in component["name"].split(", "))
            self.assertAlmostEqual(float(told.get("age", age)), age, delta=3)
            self.assertAlmostEqual(float(told.get("income", income)), income, delta=5)

    def test_holes_that_become_more_are_named(self):
        chance = random.Random(1)
        for name, share in (("few.csv", 0.02), ("many.csv", 0.2)):
            rows = rows_of("spring.csv")
            for row in rows[1:]:
                if chance.random() < share:
                    row[1] = ""
            self.table(name, rows)
        found = self.compare("few.csv", "many.csv")
        changed = [c["name"] for c in found["columns"] if c.get("missing_changed")]
        self.assertEqual(changed, ["income"])
        done = self.nw("compare", "few.csv", "many.csv", *FAST)
        self.assertIn("(changed)", done.stdout)

    def test_holes_at_random_on_both_sides_change_no_verdict(self):
        # Halves of one table; the level is 5 %, so one alarm of six is chance.
        header, *rows = rows_of("spring.csv")
        alarms = []
        for draw in range(6):
            chance = random.Random(draw)
            chance.shuffle(rows)
            for name, part in (("u.csv", rows[::2]), ("v.csv", rows[1::2])):
                holes = [["" if chance.random() < 0.3 else cell for cell in row] for row in part]
                self.table(name, [header, *holes])
            found = self.compare("u.csv", "v.csv")
            alarms += [draw] if found["verdict"] != "same" else []
            self.assertFalse([c["name"] for c in found["columns"] if c.get("missing_changed")])
        self.assertLessEqual(len(alarms), 1, alarms)

    def test_one_table_is_split_by_a_column(self):
        spring = EXAMPLES / "spring.csv"
        done = self.nw("compare", spring, "--by", "group", "--from", "student", "--to", "Worker", *FAST)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("X: group = student, 120 rows; Y: group = Worker, 100 rows", done.stdout)
        self.assertIn("used 2 of 3 columns: age, income", done.stdout)
        self.assert_refused(self.nw("compare", spring, "--by", "group"), 3, "--from and --to",
                            "pensioner (30), student (120), worker (100)")  # fmt: skip
        self.assert_refused(self.nw("compare", spring), 2, "--by COLUMN")
        self.assert_refused(self.nw("compare", spring, spring, "--by", "group"), 2, "--by splits one table")

    def test_standard_input_is_a_file_like_any_other(self):
        text = (EXAMPLES / "spring.csv").read_text()
        done = self.nw("choose-k", "-", "--max-k", "2", "--quiet", input=text)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_refused(self.nw("compare", "-", "-"), 2, "cannot both be standard input")

    def test_without_y_columns_to_split_by_are_named(self):
        done = self.nw("compare", EXAMPLES / "spring.csv")
        self.assert_refused(done, 2, "Y is missing", "--by group --from pensioner --to student")
        self.assert_refused(self.nw("compare", "nowhere.csv"), 3, "nowhere.csv")

    def test_tables_of_frequencies_are_noticed_and_counted(self):
        rows = [["sex", "class", "Freq"]] + [[sex, kind, str(10 + 2 * i + 10 * (sex == "m") * (kind == "a"))]
                                             for sex in "mf" for i, kind in enumerate("abcdef")]  # fmt: skip
        self.table("counts.csv", rows)
        done = self.nw("compare", "counts.csv", "--by", "sex")
        self.assertIn("give --count-column Freq", " ".join(done.stdout.split()))
        done = self.nw("compare", "counts.csv", "--by", "sex", "--count-column", "Freq")
        self.assertIn("X: sex = f, 90 rows; Y: sex = m, 100 rows", done.stdout)
        self.assertNotIn("Note:", done.stdout)

    def test_describe_shows_every_column(self):
        done = self.nw("choose-k", EXAMPLES / "spring.csv", "--max-k", "2", "--describe")
        self.assertRegex(done.stdout, r"group +categorical \(3\) +used")

    def test_clusters_are_those_of_scaled_columns_and_speak_in_units(self):
        found = self.nw_json("cluster", EXAMPLES / "spring.csv", "--k", "3", "--method", "gmm")
        euros = [[row[0], str(Decimal(row[1]) * 1000) if i else row[1], row[2]] for i, row in enumerate(rows_of("spring.csv"))]
        other = self.nw_json("cluster", self.table("euros.csv", euros), "--k", "3", "--method", "gmm")
        for a, b in zip(found["pi"], other["pi"]):
            self.assertAlmostEqual(a, b, delta=1e-6)
        names = found["data"][0]["column_names"]
        self.assertEqual(names, ["age", "group = pensioner", "group = student", "group = worker", "income"])
        for a, b in zip(found["centres"], other["centres"]):
            self.assertAlmostEqual(1000 * a[4], b[4], delta=1e-3)
            self.assertTrue(15 < a[0] < 80 and 0 <= a[1] <= 1, a)
        self.assertEqual([column["name"] for column in found["columns"]], ["age", "income", "group"])
        done = self.nw("cluster", EXAMPLES / "spring.csv", "--k", "3", "--method", "kmeans")
        self.assertIn("used 3 of 3 columns: age, income, group", done.stdout)
        self.assertRegex(done.stdout, r"Cluster 1 \(.*%\): .*group = ")
        raw = self.nw_json("cluster", EXAMPLES / "spring.csv", "--columns", "age,income", "--scale", "none", "--k", "3",
                           "--method", "kmeans")
        self.assertEqual(raw["data"][0]["column_names"], ["age", "income"])

    def test_distance_stays_in_raw_units_and_warns_of_one_that_rules(self):
        rows = [["euros", "age", "city"]] + [[str(30000 + i * 7919 % 9000), str(20 + i % 37), "x" if i % 2 else "y"]
                                             for i in range(40)]  # fmt: skip
        self.table("x.csv", rows)
        done = self.nw("distance", "x.csv", "x.csv")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning: euros carries 100 % of the variance", done.stdout)
        self.assertIn("left out: city (not a number)", done.stdout)


if __name__ == "__main__":
    main()
