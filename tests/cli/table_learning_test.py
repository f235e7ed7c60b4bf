"""Commands that learn, on tables as they are: columns by name and of any kind, rows back in their units."""

import csv
import random
import struct

from command import CommandTest, main

QUICK = ["--device", "cpu", "--steps", "30", "--seed", "1"]
HEADER = ["height", "sex", "children", "born", "class"]


def people(rows, seed, share=0.5):
    """Two classes with a number, a category, a whole number with holes, and a day."""
    chance = random.Random(seed)
    table = []
    for _ in range(rows):
        tall = chance.random() < share
        table.append([f"{chance.gauss(1800 if tall else 1600, 40):.1f}",
                      "man" if chance.random() < (0.9 if tall else 0.2) else "woman",
                      "" if chance.random() < 0.1 else str(chance.randrange(4)),
                      f"19{chance.randrange(50, 99)}-0{chance.randrange(1, 9)}-11", "tall" if tall else "small"])
    return table


class LearningTables(CommandTest):
    def write(self, name, rows, order=range(5), header=HEADER):
        lines = [[header[i] for i in order]] + [[row[i] for i in order] for row in rows]
        return self.file(name, "".join(",".join(line) + "\n" for line in lines))

    def read(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def run_nw(self, *arguments):
        done = self.nw(*arguments, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def assert_people(self, rows):
        for row in rows:
            self.assertIn(row["sex"], ("man", "woman"))
            self.assertRegex(row["children"], r"\A(-?\d+)?\Z")
            self.assertRegex(row["born"], r"\A\d{4}-\d\d-\d\d")
            self.assertTrue(1000 < float(row["height"]) < 2500, row)

    def test_generated_rows_are_rows_of_the_table(self):
        self.write("x.csv", people(300, 1))
        said = self.run_nw("gan", "x.csv", "--exclude", "class", "--k", "2", *QUICK, "--run", "run", "-o", "made.csv")
        self.assertIn("used 4 of 5 columns", said)
        made = self.read("made.csv")
        self.assertEqual(list(made[0]), ["height", "sex", "children", "born", "component"])
        self.assert_people(made)
        self.run_nw("sample", "run", "-n", "40", "-o", "more.csv")
        self.assertEqual(len(self.read("more.csv")), 40)
        self.assert_people(self.read("more.csv"))
        self.assert_refused(self.nw("sample", "run", "-n", "5", "-o", "more.npy"), 2, '"sex" holds text', "write CSV")

    def test_a_classifier_finds_the_columns_of_new_rows_by_name(self):
        self.write("spring.csv", people(300, 2))
        self.write("autumn.csv", people(300, 3, share=0.3), order=[3, 1, 0, 2], header=HEADER)
        steps = ["--device", "cpu", "--steps", "300", "--seed", "1"]
        said = self.run_nw("adapt", "--source", "spring.csv", "--label-column", "class", "--target", "autumn.csv", *steps,
                           "--run", "run", "-o", "classes.csv")
        self.assertIn("used 4 of 5 columns", said)
        rows = people(200, 4, share=0.3)
        self.write("new.csv", rows)
        self.write("shuffled.csv", rows, order=[4, 2, 0, 3, 1], header=["Height", "SEX", "children", "born", "class"])
        found = [self.nw_json("predict", "run", name, "--label-column", "class") for name in ("new.csv", "shuffled.csv")]
        self.assertEqual(found[0]["accuracy"], found[1]["accuracy"])
        self.assertGreater(found[0]["accuracy"], 0.8)
        self.write("short.csv", rows, order=[0, 1, 4])
        self.assert_refused(self.nw("predict", "run", "short.csv"), 3, 'short.csv: has no column "born"')

    def test_clusters_speak_in_units_and_take_new_rows_by_name(self):
        self.write("x.csv", people(600, 5))
        found = self.nw_json("cluster", "x.csv", "--exclude", "class,born", "--k", "2", "--method", "nw", *QUICK,
                             "--run", "run")
        self.assertEqual(found["data"][0]["column_names"][:1], ["children"])
        at = found["data"][0]["column_names"].index("height")
        for centre in found["centres"]:
            self.assertTrue(1500 < centre[at] < 1900, found["centres"])
        self.write("y.csv", people(100, 6), order=[4, 2, 0, 3, 1])
        self.assertEqual(self.nw_json("cluster", "--run", "run", "--assign", "y.csv")["rows"], 100)

    def test_denoised_rows_are_rows_of_the_table(self):
        self.write("clean.csv", people(200, 7))
        self.write("noisy.csv", people(200, 8))
        self.run_nw("denoise", "--source", "clean.csv", "--target", "noisy.csv", "--exclude", "class", *QUICK,
                    "--run", "run", "-o", "denoised.csv")
        denoised = self.read("denoised.csv")
        self.assertEqual(list(denoised[0]), ["height", "sex", "children", "born"])
        self.assert_people(denoised)
        self.write("more.csv", people(20, 9), order=[1, 0, 3, 2])
        self.run_nw("denoise", "--run", "run", "--apply", "more.csv", "-o", "more_denoised.csv")
        self.assert_people(self.read("more_denoised.csv"))

    def test_images_in_arrays_give_the_numbers_of_idx(self):
        chance = random.Random(10)
        count, side = 120, 16

        def images(shift):
            labels = [i % 2 for i in range(count)]
            pixels = bytes(min(255, (200 if (x < side // 2) == (label == 0) else 20) + shift + chance.randrange(30))
                           for label in labels for _ in range(side) for x in range(side))
            return labels, pixels

        for name, shift in (("source", 0), ("target", 25)):
            labels, pixels = images(shift)
            self.file(f"{name}-idx", struct.pack(">HBBIII", 0, 8, 3, count, side, side) + pixels)
            self.file(f"{name}.npy", npy("|u1", (count, side, side), pixels))
            wide = b"".join(struct.pack("<f", p) for p in pixels)
            self.file(f"{name}_f4.npy", npy("<f4", (count, side, side), wide))
            halves = b"".join(struct.pack("<f", p / 2) for p in pixels)
            self.file(f"{name}_half.npy", npy("<f4", (count, side, side), halves))
            self.file(f"{name}.txt", "".join(f"{label}\n" for label in labels))
        found = []
        for suffix in ("-idx", ".npy", "_f4.npy"):
            result = self.nw_json("adapt", "--source", "source" + suffix, "--source-labels", "source.txt", "--target",
                                  "target" + suffix, "--target-labels", "target.txt", "--device", "cpu", "--steps", "3",
                                  "--threads", "1")
            found.append({key: result[key] for key in ("accuracy", "pi_target", "predicted_share") if key in result})
        self.assertIn("accuracy", found[0])
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])
        done = self.nw("adapt", "--source", "source_half.npy", "--source-labels", "source.txt", "--target",
                       "target_half.npy", "--steps", "3")
        self.assert_refused(done, 3, "source_half.npy", "its pixels lie between", "from 0 to 1")


def npy(kind, shape, data):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data


if __name__ == "__main__":
    main()
