#!/usr/bin/env python3
"""All 70 000 digits of MNIST in ten clusters: nw, k-means and spectral clustering, on nw's features and on pixels.

    bench/mnist_clusters.py --nw build/release/bin/nw --data FOLDER/mnist

nw's features are its diffusion map (`--features diffusion`); k-means on them is nw's own. Spectral clustering (ten
neighbours) and k-means on pixels are scikit-learn's. Spectral clustering of all rows takes too long: it sees 10 000 drawn at
random, and the scores are of those. Labels score and do nothing else. Needs NumPy and scikit-learn.
"""

import argparse
import gzip
import os
import pathlib
import subprocess
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np  # noqa: E402
from sklearn.cluster import KMeans, SpectralClustering  # noqa: E402
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score  # noqa: E402


def idx(path):
    with gzip.open(path) as file:
        data = file.read()
    return np.frombuffer(data, np.uint8, offset=4 + 4 * data[3]).reshape(np.frombuffer(data, ">u4", data[3], 4))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nw", default="build/release/bin/nw")
    parser.add_argument("--data", required=True, type=pathlib.Path)
    options = parser.parse_args()
    images = np.concatenate([idx(options.data / f"{s}-images-idx3-ubyte.gz") for s in ("train", "t10k")])
    labels = np.concatenate([idx(options.data / f"{s}-labels-idx1-ubyte.gz") for s in ("train", "t10k")])
    pixels = images.reshape(len(images), -1).astype(np.float32) / 255

    def say(name, rows, method):
        begin, children = time.process_time(), os.times().children_user
        found = method(rows)
        seconds = time.process_time() - begin + os.times().children_user - children
        print(f"{name}: {len(rows)} rows, ARI {adjusted_rand_score(labels[rows], found):.3f}, "
              f"AMI {adjusted_mutual_info_score(labels[rows], found):.3f}, {seconds:.0f} s", flush=True)  # fmt: skip

    def by_nw(*more):
        def run(rows):
            with tempfile.TemporaryDirectory() as folder:
                np.save(f"{folder}/x.npy", images[rows])
                subprocess.run([options.nw, "cluster", f"{folder}/x.npy", "--k", "10", "-o", f"{folder}/c.csv", "--quiet",
                                "--threads", "1", *more], check=True, stdout=subprocess.DEVNULL)  # fmt: skip
                return np.loadtxt(f"{folder}/c.csv", delimiter=",", skiprows=1, ndmin=2)[:, 0].astype(int)

        return run

    everything = np.arange(len(labels))
    some = np.sort(np.random.default_rng(0).permutation(len(labels))[:10000])
    say("nw", everything, by_nw())
    say("k-means on nw's features", everything, by_nw("--method", "kmeans", "--features", "diffusion"))
    say("k-means on pixels", everything, lambda r: KMeans(10, n_init=3, random_state=0).fit_predict(pixels[r]))
    say("nw", some, by_nw())
    say("spectral on pixels", some, lambda r: SpectralClustering(
        10, affinity="nearest_neighbors", n_neighbors=10, random_state=0).fit_predict(pixels[r]))  # fmt: skip


if __name__ == "__main__":
    main()
