"""nw compare, choose-k and reproduce: verdicts on data whose truth is known, JSON, pages, misuse."""

import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import termios
import unittest
import xml.etree.ElementTree

import numpy as np

from command import EXAMPLES, NW, CommandTest, main

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

    def test_a_group_is_not_called_unknown_without_its_column(self):
        rng = np.random.default_rng(4)
        for name, share in (("x", 0.7), ("y", 0.3)):
            rows = ["outcome,age"]
            for _ in range(300):
                unknown = rng.random() < share
                rows.append(f"{'unknown' if unknown else 'success'},{rng.normal(20 if unknown else 60, 3):.1f}")
            self.file(f"{name}.csv", "\n".join(rows) + "\n")
        said = self.nw("compare", "x.csv", "y.csv", "--resamplings", 19).stdout
        self.assertIn("success goes from", said)
        self.assertIn("outcome = unknown goes from", " ".join(said.split()))

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

    def test_drawn_rows_belong_to_their_component_also_where_axes_were_left_out(self):
        rng = np.random.default_rng(13)
        sides = []
        for share in (0.7, 0.4):
            # One group spreads wider in all the columns that are left out.
            group = rng.random(300) < share
            rows = rng.normal(size=(300, 60)) * np.where(group, 1.0, 1.5)[:, None]
            rows[:, :3] += 12.0 * group[:, None]
            sides.append((rows, group))
        result = self.compare(sides[0][0], sides[1][0], "--k", 2, "--max-dim", 3)
        for side, (_, group) in zip(("member_x", "member_y"), sides):
            member = np.array(result["figure"][side])
            agreement = np.mean(member == group)
            self.assertGreater(max(agreement, 1 - agreement), 0.98, side)

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
        self.assert_refused(self.nw("compare", "x.npy", "y.npy", "--min-effect", 2), 2, "--min-effect")

    def test_terminal_page_and_json_tell_one_story(self):
        moved = CENTRES + np.array([[0, 0], [1.0, 1.0], [0, 0]])
        words = {"shifted": "moved", "new-in-y": "new", "missing-from-y": "gone"}
        headlines = {"same": "No difference found", "proportions": "Only the mix changed",
                     "components": "The members changed"}  # fmt: skip
        for seed, (shares, centres) in enumerate([
            ([0.5, 0.3, 0.2], CENTRES), ([0.2, 0.3, 0.5], CENTRES), ([0.5, 0.3, 0.2], moved),
            ([0.7, 0.3, 0.0], CENTRES)]):  # fmt: skip
            self.save(mixture([0.5, 0.3, 0.2], 200, 30 + seed),
                      mixture(shares, 200, 40 + seed, centres))  # fmt: skip
            done = self.nw("compare", "x.npy", "y.npy", "--resamplings", 99, "--json", "run.json",
                           "--report", "page.html")  # fmt: skip
            result = json.loads((self.folder / "run.json").read_text())
            page = (self.folder / "page.html").read_text()
            headline = headlines[result["verdict"]]
            self.assertTrue(done.stdout.startswith(headline + "\n"), done.stdout)
            self.assertIn(f"verdict-{result['verdict']}", page)
            self.assertRegex(page, rf"<h1[^>]*>{headline}</h1>")
            table = [line for line in done.stdout.splitlines() if " → " in line and " at (" in line]
            self.assertEqual(len(table), len(result["components"]), done.stdout)
            for line, component in zip(table, result["components"]):
                status = component["status"]
                told = line.split(" → ")[1].split()
                for name, word in words.items():
                    self.assertEqual(word in told, name == status, line)
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
        self.assert_refused(self.nw("compare", "--scores-x", "valid.csv", "--scores-y", "target.csv",
                                    "--report", "page.html"), 2, "--report")  # fmt: skip

    def test_misuse_and_bad_data_are_told_apart(self):
        self.save(mixture([0.5, 0.3, 0.2], 5, 1), mixture([0.5, 0.3, 0.2], 50, 2))
        self.assert_refused(self.nw("compare", "x.npy", "y.npy", "--k", "none"), 2, "--k")
        self.assert_refused(self.nw("compare", "x.npy", "y.npy", "--k", "40"), 2, "40")
        for option, value in (("--alpha", 2), ("--confidence", 0), ("--resamplings", 3),
                              ("--max-dim", 0)):  # fmt: skip
            done = self.nw("compare", "x.npy", "y.npy", option, value)
            self.assert_refused(done, 2, f"nw: {option} must")
        np.save(self.folder / "y.npy", np.zeros((4, 3)))
        self.assert_refused(self.nw("compare", "x.npy", "y.npy"), 3, "y.npy")


def in_terminal(command, folder, columns, **environment):
    """What a command writes to a terminal of this width."""
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    settings = dict(os.environ, TERM="xterm-256color", **environment)
    settings.pop("NO_COLOR", None) if "NO_COLOR" not in environment else None
    process = subprocess.Popen(list(map(str, command)), cwd=folder, env=settings, stdout=follower,
                               stderr=subprocess.PIPE)  # fmt: skip
    os.close(follower)
    text = b""
    while True:
        try:
            part = os.read(leader, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        text += part
    os.close(leader)
    errors = process.communicate()[1]
    return process.returncode, text.decode().replace("\r\n", "\n"), errors.decode()


COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class OnATerminal(CommandTest):
    """A table of many columns whose components go, come and grow."""

    COLUMNS, GROUPS = 30, 12

    def table(self, name, shares, seed):
        rng = np.random.default_rng(seed)
        places = np.random.default_rng(0).normal(scale=6.0, size=(self.GROUPS, self.COLUMNS))
        group = rng.choice(self.GROUPS, size=500, p=np.array(shares) / sum(shares))
        rows = places[group] + rng.normal(size=(500, self.COLUMNS))
        heading = ",".join(f"measurement_{j + 1:02d}" for j in range(self.COLUMNS))
        np.savetxt(self.folder / name, rows, delimiter=",", header=heading, comments="", fmt="%.3f")

    def setUp(self):
        super().setUp()
        self.table("before.csv", [0] + [1] * 11, 1)
        self.table("after.csv", [3] + [1] * 10 + [0], 2)

    def run_at(self, columns, **environment):
        command = [NW, "compare", "before.csv", "after.csv", "--k", 12, "--resamplings", 19]
        code, text, errors = in_terminal(command, self.folder, columns, **environment)
        self.assertEqual(code, 0, errors)
        return text

    def test_the_answer_fits_two_screens_of_80_and_of_46_columns(self):
        for columns in (80, 46):
            text = COLOUR.sub("", self.run_at(columns))
            lines = text.rstrip("\n").split("\n")
            self.assertLessEqual(max(map(len, lines)), columns, text)
            self.assertLessEqual(len(lines), 48, text)
            self.assertEqual(lines[0], "The members changed")
            self.assertIn("more shared component", text)
            self.assertRegex(text, r"measurement_\d\d ≈ -?\d")
            for word in ("new", "gone", "none", "p < 0.0"):
                self.assertIn(word, text)
            self.assertNotRegex(text, r"\de[+-]\d")

    def test_colours_are_for_terminals_that_want_them(self):
        self.assertRegex(self.run_at(80), COLOUR)
        self.assertNotRegex(self.run_at(80, NO_COLOR="1"), "\x1b")
        piped = self.nw("compare", "before.csv", "after.csv", "--k", 12, "--resamplings", 19)
        self.assertNotIn("\x1b", piped.stdout)

    def test_markdown_and_picture_say_what_the_terminal_says(self):
        done = self.nw("compare", "before.csv", "after.csv", "--k", 12, "--resamplings", 19,
                       "--markdown", "-", "--svg", "picture.svg")  # fmt: skip
        self.assertTrue(done.stdout.startswith("**The members changed.** "), done.stdout)
        self.assertRegex(done.stdout, r"\| \d+ \| measurement\\_\d\d ≈ .* \| none .* \| new \|")
        picture = (self.folder / "picture.svg").read_text()
        self.assertIn(">The members changed</text>", picture)
        xml.etree.ElementTree.fromstring(picture)

    @unittest.skipUnless(shutil.which("rsvg-convert"), "no rsvg-convert (librsvg2-bin)")
    def test_the_picture_as_png_has_twice_the_size_of_the_drawing(self):
        self.nw("compare", "before.csv", "after.csv", "--k", 12, "--resamplings", 19,
                "--svg", "picture.svg", "--png", "picture.png")  # fmt: skip
        drawing = xml.etree.ElementTree.parse(self.folder / "picture.svg").getroot()
        data = (self.folder / "picture.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        size = [int.from_bytes(data[at : at + 4], "big") for at in (16, 20)]
        self.assertEqual(size, [2 * int(float(drawing.get(side))) for side in ("width", "height")])

    def test_png_without_its_program_is_refused_before_the_work(self):
        done = self.nw("compare", "before.csv", "after.csv", "--png", "picture.png",
                       env={"PATH": str(self.folder)})  # fmt: skip
        self.assert_refused(done, 3, "rsvg-convert", "librsvg2-bin", "--svg")
        self.assertFalse((self.folder / "picture.png").exists())

    def test_a_group_that_moved_too_far_to_follow_is_hinted_at_everywhere(self):
        done = self.nw("compare", EXAMPLES / "spring.csv", EXAMPLES / "winter.csv", "--columns", "age,income",
                       "--json", "run.json", "--report", "page.html")  # fmt: skip
        result = json.loads((self.folder / "run.json").read_text())
        (move,) = result["possible_moves"]
        gone, new = (result["components"][move[which] - 1] for which in ("gone", "appeared"))
        self.assertEqual((gone["status"], new["status"]), ("missing-from-y", "new-in-y"))
        self.assertEqual(move["columns"][0]["column"], "income")
        self.assertEqual(move["columns"][0]["from"], gone["centre"][1])
        self.assertEqual(move["columns"][0]["to"], new["centre"][1])
        hint = f"Perhaps component {move['gone']} moved and became component {move['appeared']}"
        self.assertIn(hint, " ".join(done.stdout.split()))
        self.assertIn(hint, (self.folder / "page.html").read_text())


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
