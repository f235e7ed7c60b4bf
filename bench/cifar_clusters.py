#!/usr/bin/env python3
"""Clusters of frozen features of CIFAR-10's test images, classes equal and skewed, beside rivals.

    bench/cifar_clusters.py --nw build/release/bin/nw --data FOLDER [--seeds 3]

FOLDER has weights/resnet56_cifar10.safetensors and cifar10_subset with sheets of 50 tiles a row. The network has seen
CIFAR-10's training images with their classes, the test images here it has not. All methods are told k = 10 and see the
same 64 features in their own units; skewed sets have 200 images of the first class, 20 of the last, in a geometric row, classes in
an order that the seed draws. Needs PyTorch, Pillow, NumPy and scikit-learn.
"""

import argparse
import json
import os
import pathlib
import struct
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import numpy as np  # noqa: E402
import torch  # noqa: E402
from cluster_suite import by_nw  # noqa: E402
from PIL import Image  # noqa: E402
from sklearn.cluster import KMeans, SpectralClustering  # noqa: E402
from sklearn.metrics import adjusted_mutual_info_score, adjusted_rand_score  # noqa: E402
from sklearn.mixture import GaussianMixture  # noqa: E402

TYPES = {"F16": np.float16, "F32": np.float32, "I64": np.int64}


def tensors(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        body = file.read()
    found = {}
    for name, entry in header.items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            values = np.frombuffer(body[first:last], TYPES[entry["dtype"]]).reshape(entry["shape"])
            found[name] = torch.tensor(values.astype(np.float32))
    return found


def features(images, weights):
    """ResNet-56 for 32 x 32 images (He et al. 2016, section 4.2), shortcuts without parameters."""

    def norm(x, name):
        return torch.nn.functional.batch_norm(x, weights[f"{name}.running_mean"], weights[f"{name}.running_var"],
                                              weights[f"{name}.weight"], weights[f"{name}.bias"], eps=1e-5)  # fmt: skip

    def block(x, name, stride):
        y = torch.relu(norm(torch.conv2d(x, weights[f"{name}.conv1.weight"], None, stride, 1), f"{name}.bn1"))
        y = norm(torch.conv2d(y, weights[f"{name}.conv2.weight"], None, 1, 1), f"{name}.bn2")
        if stride == 2:
            side = x.shape[1] // 2
            x = torch.nn.functional.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, side, side))
        return torch.relu(x + y)

    mean, deviation = torch.tensor([0.485, 0.456, 0.406]), torch.tensor([0.229, 0.224, 0.225])
    found = []
    with torch.no_grad():
        for x in torch.split((images / 255.0 - mean) / deviation, 200):
            x = x.permute(0, 3, 1, 2)
            x = torch.relu(norm(torch.conv2d(x, weights["conv1.weight"], None, 1, 1), "bn1"))
            for stage in (1, 2, 3):
                for b in range(9):
                    x = block(x, f"layer{stage}.{b}", 2 if stage > 1 and b == 0 else 1)
            found.append(x.mean((2, 3)))
    return torch.cat(found)


def test_images(folder):
    sheet = np.asarray(Image.open(folder / "cifar10_test_00.jpg").convert("RGB"))
    tiles = sheet.reshape(sheet.shape[0] // 32, 32, 50, 32, 3).swapaxes(1, 2).reshape(-1, 32, 32, 3)
    labels = np.frombuffer((folder / "cifar10-test-labels-idx1-ubyte").read_bytes()[8:], np.uint8)
    return torch.tensor(tiles[: len(labels)].astype(np.float32)), labels.astype(int)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nw", default="build/release/bin/nw")
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    images, labels = test_images(options.data / "cifar10_subset")
    weights = tensors(options.data / "weights" / "resnet56_cifar10.safetensors")
    seen = features(images, weights)
    right = (torch.addmm(weights["linear.bias"], seen, weights["linear.weight"].T).argmax(1).numpy() == labels).mean()
    print(f"the network itself recognises {right:.3f}")
    points = seen.numpy().astype(float)
    methods = {
        "nw": lambda x, s: by_nw(options.nw, None, array=True)(x, 10),
        "k-means": lambda x, s: KMeans(10, n_init=10, random_state=s).fit_predict(x),
        "GMM": lambda x, s: GaussianMixture(10, n_init=3, random_state=s).fit_predict(x),
        "GMM, diagonal": lambda x, s: GaussianMixture(10, covariance_type="diag", n_init=3,
                                                      random_state=s).fit_predict(x),
        "spectral": lambda x, s: SpectralClustering(10, affinity="nearest_neighbors", random_state=s).fit_predict(x),
    }  # fmt: skip
    for kind in ("equal", "skewed"):
        for name, method in methods.items():
            scores = []
            for seed in range(1 if kind == "equal" else options.seeds):
                rng = np.random.default_rng(seed)
                counts = 200 * np.ones(10) if kind == "equal" else 200 * 10.0 ** (-np.arange(10) / 9)
                rows = [rng.permutation(np.flatnonzero(labels == c))[: int(round(n))]
                        for c, n in zip(rng.permutation(10), counts)]  # fmt: skip
                rows = np.concatenate(rows)
                begin = time.process_time()
                found = method(points[rows], seed)
                scores.append([adjusted_rand_score(labels[rows], found),
                               adjusted_mutual_info_score(labels[rows], found), time.process_time() - begin])  # fmt: skip
            ari, ami, seconds = np.mean(scores, axis=0)
            print(f"{kind}, {len(rows)} images: {name}: ARI {ari:.3f}, AMI {ami:.3f}", flush=True)


if __name__ == "__main__":
    main()
