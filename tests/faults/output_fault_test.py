"""Outputs that cannot be written: nothing half-written appears, nothing old is lost."""
import os
import shutil
import subprocess
import unittest

import faulty
from faulty import DISTANCE

# Every output of a command, by the option that asks for it.
OUTPUTS = {"--json": DISTANCE, "--report": DISTANCE, "--plan": DISTANCE, "--potentials": DISTANCE}
NAMES = {"--json": "out.json", "--report": "out.html", "--plan": "out.csv", "--potentials": "out.csv"}


class Outputs(faulty.FaultTest):
    def each_output(self):
        for option, command in OUTPUTS.items():
            (self.folder / NAMES[option]).write_text("old")
            yield [*command, option, NAMES[option]], NAMES[option]

    def assert_old_content_stays(self, done, name, *words):
        self.assert_failed_cleanly(done, 3, name, *words)
        self.assertEqual((self.folder / name).read_text(), "old")
        self.assert_no_leftovers()

    def test_on_a_disk_that_is_full(self):
        for command, name in self.each_output():
            done = self.nw(*command, fault="write:ENOSPC@1+", path=self.folder)
            self.assert_old_content_stays(done, name, "No space left on device")

    def test_on_a_disk_that_fills_up_while_a_page_is_written(self):
        for number in (1, 2):
            (self.folder / "out.html").write_text("old")
            done = self.nw(*DISTANCE, "--report", "out.html", fault=f"write:ENOSPC@{number}", path=self.folder)
            if done.returncode == 0:
                self.assertGreater(number, 1)  # the page took fewer writes
                continue
            self.assert_old_content_stays(done, "out.html", "No space left")

    def test_on_a_small_file_system(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("no permission to mount a small file system")
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        (disk / "page.html").write_text("old")
        done = self.nw(*DISTANCE, "--report", "disk/page.html")
        self.assert_failed_cleanly(done, 3, "disk/page.html", "No space left on device")
        self.assertEqual((disk / "page.html").read_text(), "old")
        self.assert_no_leftovers(disk)
        done = self.nw(*DISTANCE, "--json", "disk/small.json")  # what fits is written
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_on_a_disk_that_cannot_keep_what_it_took(self):
        for call, words in (("fsync", "cannot be synced"), ("rename", "cannot be put in place")):
            for command, name in self.each_output():
                done = self.nw(*command, fault=f"{call}:EIO@1", path=self.folder)
                self.assert_old_content_stays(done, name, words, "Input/output error")

    def test_in_a_folder_that_nothing_can_be_created_in(self):
        for error, words in (("EACCES", "Permission denied"), ("EROFS", "Read-only file system")):
            for command, name in self.each_output():
                done = self.nw(*command, fault=f"open:{error}@1+", path=".nw-tmp")
                self.assert_old_content_stays(done, name, words)

    def test_in_a_folder_of_somebody_else(self):
        if os.getuid() != 0:
            self.skipTest("only root can become somebody else")
        locked = self.folder / "locked"
        locked.mkdir(mode=0o755)
        self.folder.chmod(0o755)
        # The tree may lie where nobody else can look, such as root's home.
        command = shutil.copy(faulty.NW, self.folder / "nw")
        done = self.run_command([command, *DISTANCE, "--json", "locked/out.json"], user="nobody")
        if "error while loading shared libraries" in done.stderr:
            self.skipTest("nobody may not load the libraries of the command here")
        self.assert_failed_cleanly(done, 3, "locked/out.json", "permission denied")

    def test_onto_a_device_that_is_full(self):
        done = self.nw(*DISTANCE, "--json", "/dev/full")
        self.assert_failed_cleanly(done, 3, "/dev/full", "No space left")
        with open("/dev/full", "w") as full:
            self.assert_failed_cleanly(self.nw(*DISTANCE, "--json", "-", stdout=full), 3, "standard output")

    def test_into_a_pipe_that_nobody_reads(self):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as pipe:
            done = self.nw(*DISTANCE, "--json", "-", stdout=pipe)
        self.assertIn(done.returncode, (3, -13), done.stderr)  # -13: ended by SIGPIPE, as cat would be

    def test_survive_short_and_interrupted_writes_unchanged(self):
        # A sliced distance: the page of an exact one draws its bounds against time, with other ticks every time.
        command = [*DISTANCE, "--method", "sliced"]
        self.nw(*command, "--report", "good.html")
        for fault in ("write:short@1+", "write:EINTR@1+"):
            done = self.nw(*command, "--report", "page.html", fault=fault, path=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            good, page = ((self.folder / name).read_text() for name in ("good.html", "page.html"))
            self.assertEqual(len(page) > 10000, True)
            self.assertLess(abs(len(good) - len(page)), 40)  # times differ, nothing else
            self.assertTrue(page.endswith("</body></html>\n"))


if __name__ == "__main__":
    faulty.main()
