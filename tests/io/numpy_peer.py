"""The NumPy side of numpy_test: writes files for nw to read, or checks files that nw wrote.

    numpy_peer.py write FOLDER    every type, order and byte order as NPY, plus NPZ files; beside each
                                  NAME.npy a NAME.expected of little-endian doubles
    numpy_peer.py check FOLDER    compares what nw wrote with FOLDER/truth.f8, exit 1 on a difference
"""
import sys
from pathlib import Path

import numpy as np

TYPES = ["?", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"]
SHAPES = {"flat": (7,), "table": (5, 3), "grey": (4, 3, 2), "colour": (3, 2, 4, 3)}


def values_of(kind: str, shape, rng):
    if kind == "?":
        return rng.integers(0, 2, shape).astype(bool)
    if kind[0] in "ui":
        bounds = np.iinfo(kind)
        return rng.integers(bounds.min, bounds.max, shape, dtype=kind, endpoint=True)
    return (rng.standard_normal(shape) * 1000).astype(kind)


def write(folder: Path):
    rng = np.random.default_rng(20)
    for kind in TYPES:
        for shape_name, shape in SHAPES.items():
            values = values_of(kind, shape, rng)
            for order in "CF":
                for ends in "<>":
                    name = f"{kind.replace('?', 'b1')}_{shape_name}_{order}_{'le' if ends == '<' else 'be'}"
                    stored = np.array(values, dtype=values.dtype.newbyteorder(ends), order=order)
                    np.save(folder / f"{name}.npy", stored)
                    expected = values.reshape(values.shape[0], -1).astype("<f8")
                    expected.tofile(folder / f"{name}.expected")
    table = rng.standard_normal((40, 3))
    labels = rng.integers(0, 4, 40)
    weights = rng.random(40)
    table.astype("<f8").tofile(folder / "archive.expected")
    np.savez(folder / "stored.npz", X=table, y=labels, w=weights)
    np.savez_compressed(folder / "packed.npz", X=table, y=labels, w=weights)
    np.savez_compressed(folder / "single.npz", np.asfortranarray(table))
    np.savez(folder / "unnamed.npz", table, labels)
    np.save(folder / "text_labels.npy", np.array(["dog", "cat", "Käse", "dog"]))
    np.save(folder / "byte_labels.npy", np.array([b"dog", b"cat", b"emu", b"dog"]))
    np.save(folder / "big_text_labels.npy", np.array(["dog", "cat"]).astype(">U3"))
    np.save(folder / "complex.npy", np.ones((2, 2), dtype=complex))
    np.save(folder / "objects.npy", np.array([[1, "a"]], dtype=object))
    np.save(folder / "records.npy", np.zeros(3, dtype=[("x", "f8"), ("y", "f8")]))
    np.save(folder / "scalar.npy", np.float64(3.0))
    np.save(folder / "none.npy", np.zeros((0, 3)))
    np.save(folder / "text_table.npy", np.array([["a", "b"]]))
    pixels = rng.integers(0, 256, (5, 4, 3), dtype="u1")
    pixels[0, 0, :2] = [0, 255]
    with open(folder / "images-idx3-ubyte", "wb") as out:
        out.write(bytes([0, 0, 8, 3]) + np.array(pixels.shape, ">u4").tobytes() + pixels.tobytes())
    for kind in ["u1", "i8", "f4"]:
        np.save(folder / f"images_{kind}.npy", pixels.astype(kind))
    np.savez(folder / "images.npz", X=pixels)
    np.save(folder / "images_mask.npy", pixels // 255)
    np.save(folder / "images_half.npy", pixels / 2)
    for version in [(1, 0), (2, 0), (3, 0)]:
        with open(folder / f"version{version[0]}.npy", "wb") as out:
            np.lib.format.write_array(out, table, version=version)
    np.savetxt(folder / "savetxt.csv", table, header="a b c")
    np.savetxt(folder / "comma.csv", table, delimiter=",", header="a,b,c", comments="", fmt="%.17g")


def check(folder: Path) -> int:
    truth = np.fromfile(folder / "truth.f8").reshape(-1, 4)
    found = {
        "npy": np.load(folder / "m.npy"),
        "npz": np.load(folder / "m.npz")["X"],
        "npz, stored": np.load(folder / "s.npz")["X"],
        "csv": np.loadtxt(folder / "m.csv", delimiter=",", skiprows=1),
    }
    for name, values in found.items():
        if values.dtype != np.float64 or not np.array_equal(values, truth):
            print(f"{name} differs from what was written")
            return 1
    rows = np.arange(len(truth))
    for name in ["m.npz", "s.npz"]:
        archive = np.load(folder / name)
        if archive["i"].dtype != np.int32 or not np.array_equal(archive["i"], rows - 3):
            print(f"{name}: i differs")
            return 1
        if archive["l"].dtype != np.int64 or not np.array_equal(archive["l"], rows * 2**40):
            print(f"{name}: l differs")
            return 1
        if not np.array_equal(archive["w"], rows / 7.0):
            print(f"{name}: w differs")
            return 1
    return 0


if __name__ == "__main__":
    target = Path(sys.argv[2])
    sys.exit(check(target) if sys.argv[1] == "check" else write(target))
