"""Safetensors in a few lines of NumPy: the independent side of the tests.

    safetensors_peer.py write FOLDER    numpy.safetensors, every type, and numpy.truth (doubles)
    safetensors_peer.py check FILE      reads FILE and compares it with what the test wrote
"""
import json
import struct
import sys
from pathlib import Path

import numpy as np

TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2",
         "I8": "i1", "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "u1", "BOOL": "?"}


def load(path):
    """{name: array} and metadata. bf16 comes as its 16 bits."""
    raw = Path(path).read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    data = raw[8 + length :]
    metadata = header.pop("__metadata__", {})
    arrays, covered = {}, 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = entry["data_offsets"]
        if begin != covered:
            raise ValueError(f"{path}: {name} begins at {begin}, not at {covered}")
        covered = end
        kind = TYPES.get(entry["dtype"], "<u2")
        arrays[name] = np.frombuffer(data[begin:end], kind).reshape(entry["shape"])
    if covered != len(data):
        raise ValueError(f"{path}: {len(data) - covered} bytes too many")
    return arrays, metadata


def save(path, arrays, metadata):
    names = {np.dtype(kind): name for name, kind in TYPES.items()}
    header, data = {"__metadata__": metadata}, b""
    for name, array in arrays.items():
        piece = array.tobytes()
        header[name] = {"dtype": names[array.dtype], "shape": list(array.shape),
                        "data_offsets": [len(data), len(data) + len(piece)]}
        data += piece
    text = json.dumps(header, ensure_ascii=False).encode()
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + data)


def write(folder):
    rng = np.random.default_rng(3)
    arrays = {kind: (100 * rng.standard_normal((3, 4))).astype(dtype)
              if kind[0] == "F" or kind == "BOOL"
              else rng.integers(0, 100, (2, 3, 2)).astype(dtype) for kind, dtype in TYPES.items()}
    arrays["größe / 1"] = np.float64(2.5)
    arrays["none"] = np.zeros((0, 7), "<f4")
    save(folder / "numpy.safetensors", arrays, {"note": "line\nbreak \"quoted\"", "é": "ü"})
    np.concatenate([a.astype("<f8").ravel() for a in arrays.values()]).tofile(folder / "numpy.truth")


def check(file):
    arrays, metadata = load(file)
    expected = {
        "ramp": np.arange(12, dtype="<f8").reshape(3, 4) / 7, "single": np.array([-1.5, 2], "<f4"),
        "count": np.array([2**62, -5], "<i8"), "byte": np.array([1, 2, 255], "u1"),
        "yes": np.array([True, False]), "half": np.array([1.0, -2.0], "<f2"), "empty": np.zeros((0, 2), "<f8"),
    }
    if metadata != {"step": "12", "state": '{"a": "b"}'} or set(arrays) != set(expected):
        return f"metadata {metadata}, names {sorted(arrays)}"
    for name, values in expected.items():
        found = arrays[name]
        if found.dtype != values.dtype or found.shape != values.shape or not (found == values).all():
            return f"{name} is {found!r}"
    return 0


if __name__ == "__main__":
    target = Path(sys.argv[2])
    sys.exit(write(target) if sys.argv[1] == "write" else check(target))
