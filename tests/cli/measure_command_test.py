"""nw compare, choose-k and reproduce: verdicts on data whose truth is known, JSON, pages, misuse."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
import xml.etree.ElementTree

import numpy as np

from command import NW, CommandTest, main

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
