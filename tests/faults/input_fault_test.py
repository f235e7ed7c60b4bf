"""Inputs that cannot be read, or that change while they are read."""
import gzip
import os
import shutil
import threading
import time

import faulty
from faulty import DISTANCE


class Inputs(faulty.FaultTest):
    def setUp(self):
        super().setUp()
        self.distance = self.result_of(self.nw(*DISTANCE, "--json", "-"))

    def test_survive_short_and_interrupted_reads_unchanged(self):
        with gzip.open(self.folder / "z.csv.gz", "wb") as packed:
            packed.write((self.folder / "x.csv").read_bytes())
        for source in ("x.csv", "z.csv.gz"):
            for fault in ("read:short@1+", "read:EINTR@1+"):
                with self.subTest(source=source, fault=fault):
                    done = self.nw("distance", source, *DISTANCE[2:], "--json", "-", fault=fault, path=self.folder)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(self.result_of(done)["distance"], self.distance["distance"])

    def test_on_a_disk_with_a_bad_block(self):
        for number in (1, 2, 3):
            done = self.nw(*DISTANCE, fault=f"read:EIO@{number}", path="x.csv")
            if done.returncode == 0:
                self.assertGreater(number, 1)
                continue
            self.assert_failed_cleanly(done, 3, "x.csv", "reading at byte", "Input/output error")

    def test_that_cannot_be_opened(self):
        for error, words in (("EACCES", "permission denied"), ("EIO", "Input/output error"),
                             ("EMFILE", "Too many open files")):
            done = self.nw(*DISTANCE, fault=f"open:{error}@1", path="y.csv")
            self.assert_failed_cleanly(done, 3, "y.csv", words)

    def test_that_vanish_before_they_are_read(self):
        (self.folder / "y.csv").unlink()
        self.assert_failed_cleanly(self.nw(*DISTANCE), 3, "y.csv", "no such file")

    def test_that_shrink_while_they_are_read(self):
        for number in (1, 2, 3):
            done = self.nw(*DISTANCE, fault=f"read:end@{number}+", path="x.csv")
            if done.returncode == 0:
                self.assertGreater(number, 1)
                continue
            self.assert_failed_cleanly(done, 3, "x.csv")

    def test_that_change_all_the_time(self):
        """Another process cuts, empties and rewrites the file: the answer is a number or a refusal."""
        content = (self.folder / "x.csv").read_bytes() * 200
        target = self.folder / "x.csv"
        stop = threading.Event()

        def disturb():
            turn = 0
            while not stop.is_set():
                turn += 1
                with open(target, "r+b") as file:
                    file.truncate(len(content) // (turn % 7 + 1))
                    if turn % 3 == 0:
                        file.write(content)
                time.sleep(0.0005)

        target.write_bytes(content)
        worker = threading.Thread(target=disturb)
        worker.start()
        try:
            codes = set()
            for _ in range(15):
                done = self.nw(*DISTANCE, "--method", "sliced", "--json", "-", "--threads", "2")
                codes.add(done.returncode)
                if done.returncode == 3:
                    self.assert_failed_cleanly(done, 3, "x.csv")
            self.assertLessEqual(codes, {0, 3})
        finally:
            stop.set()
            worker.join()

    def test_that_are_replaced_by_something_else(self):
        (self.folder / "y.csv").unlink()
        (self.folder / "y.csv").mkdir()
        self.assertEqual(self.nw(*DISTANCE).returncode, 3)
        shutil.rmtree(self.folder / "y.csv")
        os.symlink("y.csv", self.folder / "y.csv")
        self.assert_failed_cleanly(self.nw(*DISTANCE), 3, "y.csv")


if __name__ == "__main__":
    faulty.main()
