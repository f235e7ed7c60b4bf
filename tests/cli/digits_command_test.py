"""nw compare on real digits: ones and twos of MNIST in two mixes, then with noise on one side."""

import gzip
import os
import pathlib
import sys

import numpy as np

from command import CommandTest, main

PACK = pathlib.Path(
    os.environ.get("NW_DATA_PACK")
    or pathlib.Path(__file__).resolve().parents[3] / "shared" / "data"
)


def read_idx(name):
    with gzip.open(PACK / "mnist" / name) as file:
        data = file.read()
    dimensions = data[3]
    shape = np.frombuffer(data, ">u4", dimensions, 4)
    return np.frombuffer(data, np.uint8, offset=4 + 4 * dimensions).reshape(shape)


class Digits(CommandTest):
    def compare(self, x, y):
        both = np.r_[x, y]
        mean = both.mean(0)
        axes = np.linalg.eigh((both - mean).T @ (both - mean))[1][:, ::-1][:, :20]
        np.save(self.folder / "x.npy", (x - mean) @ axes)
        np.save(self.folder / "y.npy", (y - mean) @ axes)
        return self.nw_json("compare", "x.npy", "y.npy", "--k", 2, "--quiet")

    def setUp(self):
        super().setUp()
        self.images = read_idx("train-images-idx3-ubyte.gz").reshape(-1, 784) / 255.0
        self.labels = read_idx("train-labels-idx1-ubyte.gz")
        self.draw(7)

    def draw(self, seed):
        self.rng = np.random.default_rng(seed)
        ones, twos = (self.rng.permutation(np.flatnonzero(self.labels == digit)) for digit in (1, 2))
        self.x = self.images[np.r_[ones[:800], twos[:200]]]
        self.y = self.images[np.r_[ones[800:1000], twos[200:1000]]]

    def test_another_mix_of_the_same_digits(self):
        # The level is 5 %: one alarm in five draws can happen, two would be a fault.
        right = 0
        for seed in range(7, 12):
            self.draw(seed)
            result = self.compare(self.x, self.y)
            right += result["verdict"] == "proportions"
            shares = sorted(zip(result["pi_x"], result["pi_y"]))
            np.testing.assert_allclose(shares, [(0.2, 0.8), (0.8, 0.2)], atol=0.06)
        self.assertGreaterEqual(right, 4)

    def test_noisy_digits_are_other_components(self):
        noisy = np.clip(self.y + 0.3 * self.rng.standard_normal(self.y.shape), 0, 1)
        result = self.compare(self.x, noisy)
        self.assertEqual(result["verdict"], "components", result["sentence"])


if __name__ == "__main__":
    if not (PACK / "mnist").is_dir():
        print(f"digits_command_test: no data pack at {PACK}; set NW_DATA_PACK", file=sys.stderr)
        sys.exit(77)
    main()
