"""nw data: sets that are built, checked and refused; MNIST-M against the published images."""

import hashlib
import os
import pathlib
import sys
import unittest

import numpy as np

from command import CommandTest, main

PACK = pathlib.Path(
    os.environ.get("NW_DATA_PACK")
    or pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
)
needs_pack = unittest.skipUnless(PACK.is_dir(), f"no data pack at {PACK}; set NW_DATA_PACK")


def idx(array):
    array = np.asarray(array, np.uint8)
    header = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes()
    return header + array.tobytes()


def read_idx(path):
    data = pathlib.Path(path).read_bytes()
    shape = np.frombuffer(data, ">u4", data[3], 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(shape)


class Subset(CommandTest):
    def test_keeps_images_with_their_labels(self):
        labels = np.repeat([1, 2, 3], [60, 30, 10])
        images = np.arange(100)[:, None, None] + np.zeros((100, 2, 2), int)
        self.file("images", idx(images))
        self.file("labels", idx(labels))
        result = self.nw_json(
            "data", "subset", "--images", "images", "--labels", "labels", "--classes", "1,3",
            "--proportions", "0.5,0.5", "-o", "out", "--seed", 5, "--quiet",
        )  # fmt: skip
        self.assertEqual(result["path"], "out")
        self.assertEqual(result["files"], ["subset-images-idx3-ubyte", "subset-labels-idx1-ubyte"])
        chosen = read_idx(self.folder / "out" / result["files"][0])[:, 0, 0]
        classes = read_idx(self.folder / "out" / result["files"][1])
        np.testing.assert_array_equal(classes, labels[chosen])
        np.testing.assert_array_equal(np.bincount(classes), [0, 10, 0, 10])
        for file, digest in zip(result["files"], result["sha256"]):
            content = (self.folder / "out" / file).read_bytes()
            self.assertEqual(hashlib.sha256(content).hexdigest(), digest)

    def test_bad_input_is_refused_and_nothing_is_written(self):
        self.file("images", idx(np.zeros((4, 2, 2))))
        self.file("labels", idx(np.zeros(3)))
        done = self.nw(
            "data", "subset", "--images", "images", "--labels", "labels", "--classes", "0",
            "--proportions", "1", "-o", "out",
        )  # fmt: skip
        self.assert_refused(done, 3, "labels", "3 labels", "4 images")
        self.assertFalse((self.folder / "out").exists())
        self.assert_refused(self.nw("data", "mnist", "--from", "."), 3, "train-images-idx3-ubyte")
        self.file("train-images-idx3-ubyte", idx(np.zeros((4, 28, 28))))
        self.assert_refused(self.nw("data", "mnist", "--from", "."), 3, "SHA-256", "not the file")
        self.assertEqual(self.nw("data", "nothing").returncode, 2)


@needs_pack
class FromThePack(CommandTest):
    def test_mnist_m_is_the_published_set_bit_for_bit(self):
        result = self.nw_json("data", "mnist-m", "--from", PACK, "-o", "m", "--quiet")
        self.assertEqual(len(result["notes"]), 2)
        for note in result["notes"]:
            self.assertIn("the published images, bit for bit", note)
        self.assertEqual(read_idx(self.folder / "m/test-images-idx4-ubyte").shape[1:], (32, 32, 3))

    def test_the_papers_imbalanced_setting_has_its_proportions(self):
        self.nw_json(
            "data", "mnistm-imbalanced", "--modes", 3, "--from", PACK, "-o", "i", "--quiet"
        )
        for side, expected in (("source", [0.63, 0.31, 0.06]), ("target", [0.06, 0.31, 0.63])):
            labels = read_idx(self.folder / f"i/{side}-train-labels-idx1-ubyte")
            shares = [(labels == c).mean() for c in (1, 4, 8)]
            np.testing.assert_allclose(shares, expected, atol=1e-3)


if __name__ == "__main__":
    if not PACK.is_dir():
        print(f"data_command_test: no data pack at {PACK}; part of it skipped", file=sys.stderr)
    main()
