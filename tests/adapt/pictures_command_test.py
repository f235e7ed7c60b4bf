"""Adaptation by features of backbones: `nw adapt --weights`, `nw reproduce visda` and `pacs`."""

import json
import os
import pathlib
import random
import struct
import sys
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import command  # noqa: E402

PACK = pathlib.Path(
    os.environ.get("NW_DATA_PACK")
    or pathlib.Path(__file__).resolve().parents[2] / ".." / "shared" / "data"
)
CLASSES = ("aeroplane", "horse", "truck")
METHODS = {"source-only", "dann", "wasserstein", "nw", "iwdan", "sdann", "bbse"}
# Of features of a frozen network, further ones.
METHODS |= {"auto", "self-training", "fixmatch", "mcc", "deepjdot", "deepjdot-pi"}


def png(width, height, pixel):
    """A colour PNG whose pixels a function of x and y gives."""
    rows = b"".join(
        b"\0" + bytes(value for x in range(width) for value in pixel(x, y)) for y in range(height)
    )

    def chunk(kind, content):
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )  # fmt: skip


def small_mobilenet(seed=1, width=0.125):
    """The bytes of a safetensors file: MobileNet-v1 with random weights, without its last layer."""
    draw, tensors = random.Random(seed), {}

    def add(name, shape, value):
        count = 1
        for side in shape:
            count *= side
        tensors[name] = (shape, [value() for _ in range(count)])

    def norm(layer, channels):
        add(f"{layer}_bn/gamma", [channels], lambda: 1.0)
        add(f"{layer}_bn/beta", [channels], lambda: 0.5)
        add(f"{layer}_bn/moving_mean", [channels], lambda: 0.0)
        add(f"{layer}_bn/moving_variance", [channels], lambda: 1.0)

    inputs = int(32 * width)
    add("conv1/kernel", [inputs, 3, 3, 3], lambda: draw.gauss(0, 0.3))
    norm("conv1", inputs)
    outputs = [64, 128, 128, 256, 256] + [512] * 6 + [1024] * 2
    for number, channels in enumerate((int(width * c) for c in outputs), 1):
        add(f"conv_dw_{number}/depthwise_kernel", [inputs, 1, 3, 3], lambda: draw.gauss(0, 0.6))
        norm(f"conv_dw_{number}", inputs)
        scale = (2 / inputs) ** 0.5
        add(f"conv_pw_{number}/kernel", [channels, inputs, 1, 1], lambda: draw.gauss(0, scale))
        norm(f"conv_pw_{number}", channels)
        inputs = channels
    header, data = {}, b""
    for name, (shape, values) in tensors.items():
        packed = struct.pack(f"<{len(values)}f", *values)
        header[name] = {
            "dtype": "F32", "shape": shape, "data_offsets": [len(data), len(data) + len(packed)],
        }  # fmt: skip
        data += packed
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


class Pictures(command.CommandTest):
    def setUp(self):
        super().setUp()
        draw = random.Random(3)
        for domain, sides in (("train", (40, 48)), ("validation", (36, 40))):
            for number, name in enumerate(CLASSES):
                for i in range(12):
                    # A class has its colour, a domain its brightness; real sets vary in size.
                    colour = [40 + 25 * (domain == "train")] * 3
                    colour[number] = 180 + draw.randrange(60)
                    width = sides[i % 2]
                    self.file(f"visda/{domain}/{name}/{i}.png", png(width, 40, lambda x, y: colour))
        self.file("visda/mobilenet_v1_0.75_224_imagenet.safetensors", small_mobilenet())

    def reproduce(self, name, data, *more):
        done = self.nw(
            "reproduce", name, "--quick", "--seeds", 1, "--data", data, "--quiet", "--threads", 2,
            "--json", "-", *more, timeout=200,
        )  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stderr)
        rows = json.loads(done.stdout)["rows"]
        return {row["method"]: row for row in rows if row["metric"] == "accuracy"}

    def test_visda_runs_from_a_user_s_folder_and_shows_the_paper_s_numbers(self):
        found = self.reproduce("visda", ".")
        self.assertEqual({name.split()[0] for name in found}, METHODS)
        papers = {name.split()[0]: row["paper"] for name, row in found.items() if row["paper"]}
        self.assertEqual(
            papers, {"source-only": 53.19, "dann": 68.06, "wasserstein": 64.84, "nw": 73.23}
        )
        balanced = self.reproduce("visda-balanced", ".")
        papers = {name.split()[0]: row["paper"] for name, row in balanced.items() if row["paper"]}
        self.assertEqual(
            papers, {"source-only": 63.24, "dann": 84.71, "wasserstein": 90.08, "nw": 90.72}
        )

    def test_visda_fine_tunes_under_both_recipes_and_keeps_its_runs(self):
        more = ["--method", "fine-tune", "--only", "nw", "--runs", "kept"]
        found = self.reproduce("visda", ".", *more)
        self.assertEqual({name.split()[-1] for name in found}, {"best", "paper"})
        self.assertEqual({row["paper"] for row in found.values()}, {73.23})
        kept = {path: path.stat().st_mtime_ns for path in self.folder.glob("kept/*/result.json")}
        self.assertEqual(len(kept), 2)
        self.assertEqual(self.reproduce("visda", ".", *more), found)
        self.assertEqual({path: path.stat().st_mtime_ns for path in kept}, kept)

    def some_of_one_size(self):
        for domain in ("train", "validation"):
            for name in CLASSES:
                for i in (0, 2, 4, 6):
                    path = self.folder / f"visda/{domain}/{name}/{i}.png"
                    self.file(f"{domain}/{name}/{i}.png", path.read_bytes())
        return "visda/mobilenet_v1_0.75_224_imagenet.safetensors"

    def test_adapts_and_predicts_by_features_of_a_backbone(self):
        weights = self.some_of_one_size()
        found = self.nw_json(
            "adapt", "--source", "train", "--target", "validation", "--weights", weights,
            "--steps", 30, "--threads", 2, "--quiet", "--run", "run",
        )  # fmt: skip
        self.assertEqual(len(found["pi_target"]), 3)
        predicted = self.nw_json("predict", "run", "validation", "--threads", 2)
        self.assertEqual(predicted["rows"], 12)
        # The page has the pixels, though the classifier saw features alone.
        titles = [picture["title"] for picture in found.get("pictures", [])]
        self.assertEqual(
            "Where adaptation changed the answer" in titles, found["safeguard"]["agreement"] < 1.0
        )
        same = [
            self.nw_json(
                "adapt", "--source", "train", "--target", "validation", option, weights,
                "--steps", 2, "--threads", 1, "--quiet", "--method", "source-only",
            )["pi_target_likely"]
            for option in ("--weights", "--network")
        ]  # fmt: skip
        self.assertEqual(same[0], same[1])
        refused = self.nw(
            "adapt", "--source", "train", "--target", "validation", "--weights", "nowhere.pth"
        )
        self.assert_refused(refused, 3, "nowhere.pth")

    def test_fine_tunes_a_backbone(self):
        weights = self.some_of_one_size()
        adapt = [
            "adapt", "--source", "train", "--target", "validation", "--fine-tune", weights,
            "--set", "side=0", "--set", "backbone-rate=1e-4", "--set", "averaging=0",
            "--steps", 40, "--threads", 2, "--quiet",
        ]  # fmt: skip
        found = self.nw_json(*adapt, "--run", "run", "-o", "once.csv")
        self.assertGreater(found["source_accuracy"], 0.6)
        self.nw_json("predict", "run", "validation", "--threads", 2, "-o", "again.csv")
        self.assertEqual((self.folder / "once.csv").read_text(), (self.folder / "again.csv").read_text())
        config = json.loads((self.folder / "run/config.json").read_text())
        self.assertEqual(config["model"]["backbone"]["kind"], "mobilenet")
        # A network that does not learn on makes other features.
        still = self.nw_json(*adapt, "--set", "backbone-rate=1e-12")
        self.assertNotEqual(found["confidence"], still["confidence"])

        for setting in ("feature-rate=1e-4", "dropout=0.5", "classifier-dropout=0.5"):
            refused = self.nw(*adapt, "--recipe", "paper", "--set", setting)
            self.assert_refused(refused, 2, setting.split("=")[0], "backbone-rate")

        self.file("table.csv", "a,b,class\n1,2,x\n2,1,y\n")
        done = self.nw(
            "adapt", "--source", "table.csv", "--label-column", "class", "--target", "table.csv",
            "--target-label-column", "class", "--fine-tune", weights,
        )  # fmt: skip
        self.assert_refused(done, 3, "table.csv", "no images")
        done = self.nw("adapt", *adapt[1:5], "--fine-tune", weights, "--weights", weights)
        self.assert_refused(done, 2, "--fine-tune", "--weights")

    def test_says_what_is_missing(self):
        done = self.nw("reproduce", "visda", "--quick", "--data", "nowhere")
        self.assert_refused(done, 3, "nowhere", "--data")
        (self.folder / "visda/mobilenet_v1_0.75_224_imagenet.safetensors").unlink()
        done = self.nw("reproduce", "visda", "--quick", "--data", ".")
        self.assert_refused(done, 3, "resnet18.safetensors", "docs/backbones.md")

    @unittest.skipUnless(PACK.is_dir(), f"no data pack at {PACK}; set NW_DATA_PACK")
    def test_pacs_runs_from_sheets(self):
        found = self.reproduce("pacs", PACK)
        self.assertEqual(len(found), 4 * len(METHODS))
        self.assertIn("nw cartoon photo imbalanced", found)
        # Chance is a third; even a few steps on features of ImageNet do better.
        self.assertGreater(max(row["mean"] for row in found.values()), 40)


if __name__ == "__main__":
    command.main()
