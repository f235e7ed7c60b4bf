"""`nw report` as a user calls it. Usage: report_command_test.py path/of/nw"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

NW = sys.argv.pop()
RECORD = {"kind": "choose-k", "k": 2, "sentence": "Two modes & no more.",
          "curve": [{"k": 1, "nw": 3.0}, {"k": 2, "nw": 0.5}, {"k": 3, "nw": 0.5}]}


class ReportCommand(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.run_file = self.folder / "run.json"
        self.run_file.write_text(json.dumps(RECORD))
        self.page = self.folder / "page.html"

    def nw(self, *arguments):
        return subprocess.run([NW, "report", *map(str, arguments)], capture_output=True, text=True,
                              cwd=self.folder, timeout=60)

    def test_writes_the_page_and_says_where(self):
        done = self.nw(self.run_file, "-o", self.page)
        self.assertEqual((done.returncode, done.stdout), (0, f"{self.page}\n"))
        self.assertIn("Two modes &amp; no more.", self.page.read_text())

    def test_puts_several_runs_and_run_directories_on_one_page(self):
        run = self.folder / "run"
        run.mkdir()
        (run / "result.json").write_text(json.dumps(RECORD | {"sentence": "From a directory."}))
        done = self.nw(self.run_file, run, "-o", self.page, "--title", "Both")
        self.assertEqual(done.returncode, 0)
        text = self.page.read_text()
        for words in ("Two modes", "From a directory.", "<h1>Both</h1>"):
            self.assertIn(words, text)

    def test_draws_a_run_that_is_still_going_on(self):
        run = self.folder / "walk"
        run.mkdir()
        (run / "config.json").write_text(json.dumps({"nw_run": 1, "command": "gan", "batch": 64}))
        rows = [json.dumps({"step": i, "loss/critic": i / 2, "pi": [0.25, 0.75]}) for i in range(5)]
        (run / "metrics.jsonl").write_text("\n".join(rows) + '\n{"step": 5, "lo')
        done = self.nw(run, "-o", self.page)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = self.page.read_text()
        for words in ("The run is not finished: 4 steps so far.", "<figcaption>pi</figcaption>", "batch"):
            self.assertIn(words, text)

    def test_fixed_pages_hold_no_script_that_runs(self):
        self.assertEqual(self.nw(self.run_file, "-o", self.page, "--fixed").returncode, 0)
        self.assertEqual(self.page.read_text().count("<script"), 1)  # the data

    def test_reports_itself_as_json(self):
        done = self.nw(self.run_file, "-o", self.page, "--json", "-")
        self.assertEqual(json.loads(done.stdout)["page"], str(self.page))

    def test_names_the_file_and_place_of_what_it_cannot_read(self):
        self.run_file.write_text('{"curve": 7}')
        done = self.nw(self.run_file, "-o", self.page)
        self.assertEqual(done.returncode, 3)
        self.assertIn("run.json: curve: expected a list, found 7", done.stderr)
        self.assertFalse(self.page.exists())
        self.assertEqual(self.nw(self.folder / "absent.json").returncode, 3)

    def test_says_before_working_that_the_page_cannot_be_written(self):
        done = self.nw(self.run_file, "-o", self.folder / "absent" / "page.html")
        self.assertEqual(done.returncode, 3)
        self.assertIn("page.html", done.stderr)

    def test_commands_write_their_own_page_with_the_plan_they_found(self):
        for name in ("x", "y"):
            (self.folder / f"{name}.csv").write_text("a,b\n0,1\n2,3\n4,4\n")
        done = subprocess.run([NW, "distance", "x.csv", "y.csv", "--report", "page.html"],
                              capture_output=True, text=True, cwd=self.folder, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = self.page.read_text()
        data = re.search(r'id="nw-records">(.*?)</script>', text, re.S)[1]
        figure = json.loads(data)[0]["figure"]
        self.assertEqual([axis["name"] for axis in figure["axes"]], ["a", "b"])
        self.assertEqual(len(figure["plain"]), 3)

    def test_asks_for_a_run(self):
        self.assertEqual(self.nw().returncode, 2)


if __name__ == "__main__":
    unittest.main()
