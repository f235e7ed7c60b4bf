"""Every kind of bad input gets one line with file, place and value, and exit code 3."""

import gzip
import io
import os
import struct

import numpy as np

from command import CommandTest, main

GOOD = "1,2\n3,4\n5,6\n"


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def npy_header(text):
    text = text + " " * (-(len(text) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


class BadInput(CommandTest):
    def setUp(self):
        super().setUp()
        self.good = self.file("good.csv", GOOD)

    def check(self, name, content, *parts):
        """The file is refused as X and as Y, with its name and all parts in the message."""
        self.file(name, content)
        for inputs in ([name, self.good], [self.good, name]):
            with self.subTest(inputs=inputs):
                self.assert_refused(self.nw("distance", *inputs, timeout=20), 3, name, *parts)

    def test_ragged_rows(self):
        self.check("ragged.csv", "1,2\n3,4,5\n6,7\n", "line 2", "3")

    def test_not_a_number_in_csv(self):
        self.check("nan.csv", "1,2\n3,nan\n", "row 2", "column 2", "missing")

    def test_infinity_in_csv(self):
        self.check("inf.csv", "1,2\n-inf,4\n", "row 2", "column 1", "-inf")

    def test_a_number_too_large_for_a_double(self):
        self.check("huge.csv", "1,2\n1e999,4\n", "line 2", "1e999")

    def test_a_number_too_large_to_be_squared(self):
        self.file("vast.csv", "age,income\n1,2\n3,-1e200\n5,7\n")
        commands = (["compare", "vast.csv", "vast.csv", "--scale", "none"],
                    ["choose-k", "vast.csv", "--scale", "none"],
                    ["cluster", "vast.csv", "--k", 2, "--method", "gmm", "--scale", "none"])  # fmt: skip
        for command in commands:
            with self.subTest(command=command):
                done = self.nw(*command, timeout=20)
                self.assert_refused(done, 3, "vast.csv", "row 2", "'income'", "-1e+200")
        # Distances alone need no squares.
        self.assertEqual(self.nw("distance", "vast.csv", "vast.csv").returncode, 0)

    def test_text_where_a_number_belongs(self):
        self.check("text.csv", "1,2\n3,apple\n", "row 2", "apple")

    def test_empty_file(self):
        self.check("empty.csv", "", "empty")

    def test_header_without_rows(self):
        self.check("header.csv", "age,income\n")

    def test_quote_that_never_ends(self):
        self.check("quote.csv", '1,2\n"3,4\n', "line 2")

    def test_binary_given_as_csv(self):
        noise = bytes(range(256)) * 16
        self.check("binary.csv", b"\x00\x01\x02" + noise)

    def test_program_given_as_csv(self):
        with open("/proc/self/exe", "rb") as program:
            self.check("program.csv", program.read(100_000))

    def test_truncated_npy(self):
        self.check("short.npy", npy(np.zeros((100, 2)))[:-9])

    def test_truncated_npy_header(self):
        self.check("stub.npy", npy(np.zeros((100, 2)))[:20])

    def test_not_a_number_in_npy(self):
        values = np.zeros((10, 2))
        values[7, 1] = np.nan
        self.check("nan.npy", npy(values), "nan", "8")

    def test_infinity_in_npy(self):
        values = np.zeros((10, 2))
        values[3, 0] = np.inf
        self.check("inf.npy", npy(values), "inf", "4")

    def test_npy_of_a_wrong_type(self):
        self.check("complex.npy", npy(np.zeros((4, 2), dtype=complex)), "c16")

    def test_npy_of_objects(self):
        self.check("objects.npy", npy_header("{'descr': '|O', 'fortran_order': False, 'shape': (4, 2), }"))

    def test_npy_without_rows(self):
        self.check("none.npy", npy(np.zeros((0, 2))))

    def test_npy_header_that_claims_a_trillion_trillion_values(self):
        header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000000, 2), }"
        self.check("claim.npy", npy_header(header) + b"\0" * 64, "1000000000000000000")

    def test_truncated_npz(self):
        buffer = io.BytesIO()
        np.savez(buffer, x=np.zeros((100, 2)))
        self.check("short.npz", buffer.getvalue()[:500])

    def test_idx_header_that_claims_more_than_there_is(self):
        self.check("claim.idx", struct.pack(">HBBII", 0, 0x0D, 2, 0xFFFFFFFF, 2) + b"\0" * 64)

    def test_truncated_gzip(self):
        whole = struct.pack(">HBBII", 0, 0x08, 2, 100, 2) + os.urandom(200)
        self.check("short.idx.gz", gzip.compress(whole)[:-40])

    def test_damaged_png(self):
        self.check("broken.png", b"\x89PNG\r\n\x1a\n" + b"\0" * 50)

    def test_missing_file(self):
        self.assert_refused(self.nw("distance", "nowhere.csv", self.good), 3, "nowhere.csv")

    def test_folder_without_images(self):
        (self.folder / "hollow").mkdir()
        self.assert_refused(self.nw("distance", "hollow", self.good), 3, "hollow")

    def test_device_that_is_no_file(self):
        self.assert_refused(self.nw("distance", "/dev/null", self.good), 3, "/dev/null")

    def test_file_that_cannot_be_read(self):
        # Reading this one fails even for root, who may open everything else.
        self.assert_refused(self.nw("distance", "/proc/self/mem", self.good), 3, "/proc/self/mem")

    def test_dimensions_that_differ_between_x_and_y(self):
        self.file("three.csv", "1,2,3\n4,5,6\n")
        done = self.nw("distance", self.good, "three.csv")
        self.assert_refused(done, 3, self.good, "three.csv", "2", "3")

    def test_column_that_is_not_there(self):
        self.file("named.csv", "age,income\n1,2\n3,4\n")
        done = self.nw("distance", "named.csv", "named.csv", "--columns", "age,height")
        self.assert_refused(done, 3, "named.csv", "height")

    def test_weights_that_do_not_fit(self):
        self.file("two.txt", "1\n2\n")
        done = self.nw("distance", self.good, self.good, "--weights", "two.txt", "two.txt")
        self.assert_refused(done, 3, "two.txt", "2 weights", "3 points")

    def test_negative_weights(self):
        self.file("negative.txt", "1\n-2\n1\n")
        done = self.nw("distance", self.good, self.good, "--weights", "negative.txt", "negative.txt")
        self.assert_refused(done, 3, "negative.txt", "-2")


class BadOutput(CommandTest):
    def setUp(self):
        super().setUp()
        self.good = self.file("good.csv", GOOD)

    def test_folder_that_is_not_there_is_noticed_before_the_work(self):
        done = self.nw("distance", self.good, "missing.csv", "--json", "no/such/result.json")
        self.assert_refused(done, 3, "no/such/result.json")

    def test_folder_in_place_of_a_file(self):
        (self.folder / "taken").mkdir()
        self.assert_refused(self.nw("distance", self.good, self.good, "--json", "taken"), 3, "taken")

    def test_old_results_stay_when_the_input_is_bad(self):
        self.file("result.json", "old")
        self.file("plan.csv", "old")
        self.file("bad.csv", "1,2\n3\n")
        done = self.nw("distance", self.good, "bad.csv", "--json", "result.json", "--plan", "plan.csv")
        self.assert_refused(done, 3, "bad.csv")
        self.assertEqual((self.folder / "result.json").read_text(), "old")
        self.assertEqual((self.folder / "plan.csv").read_text(), "old")
        self.assertEqual(
            sorted(os.listdir(self.folder)), ["bad.csv", "good.csv", "plan.csv", "result.json"]
        )


if __name__ == "__main__":
    main()
