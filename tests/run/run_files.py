"""Reads a run directory with nothing but Python: the independent judge of what a run left behind."""
import json
import pathlib
import struct
import zlib

# What depends on the clock or the machine and not on the run.
VOLATILE = {"seconds", "peak_rss_mb", "created"}


def read_checkpoint(path):
    """(metadata, data) of a checkpoint whose checksum fits; raises ValueError otherwise."""
    raw = pathlib.Path(path).read_bytes()
    if len(raw) < 8:
        raise ValueError(f"{path}: {len(raw)} bytes")
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    metadata = header.pop("__metadata__")
    end = max([entry["data_offsets"][1] for entry in header.values()], default=0)
    if len(raw) != 8 + length + end:
        raise ValueError(f"{path}: {len(raw)} bytes, expected {8 + length + end}")
    stored = metadata["nw_crc32"]
    blank = raw.replace(f'"nw_crc32":"{stored}"'.encode(), b'"nw_crc32":"00000000"', 1)
    if f"{zlib.crc32(blank):08x}" != stored:
        raise ValueError(f"{path}: checksum {stored} does not fit")
    json.loads(metadata["state"])
    return metadata, raw[8 + length :]


def read_metrics(path, torn_end_allowed):
    rows, text = [], pathlib.Path(path).read_bytes()
    lines = text.split(b"\n")
    if lines[-1] and not torn_end_allowed:
        raise ValueError(f"{path}: the last line has no end")
    for line in lines[:-1]:
        rows.append(json.loads(line))
    return rows


def check_readable(run):
    """Everything a run directory shows under its final name can be read. Returns what was found."""
    run = pathlib.Path(run)
    found = {"files": 0, "checkpoints": 0}
    for name in ("config.json", "result.json"):
        if (run / name).exists():
            json.loads((run / name).read_text())
            found["files"] += 1
    if (run / "metrics.jsonl").exists():
        rows = read_metrics(run / "metrics.jsonl", torn_end_allowed=True)
        steps = [row["step"] for row in rows]
        if steps != sorted(steps):
            raise ValueError(f"{run}: steps out of order")
        found["files"] += 1
    for path in sorted(run.glob("checkpoints/step-*.safetensors")):
        metadata, _ = read_checkpoint(path)
        if int(metadata["step"]) != int(path.stem.removeprefix("step-")):
            raise ValueError(f"{path}: holds step {metadata['step']}")
        found["files"] += 1
        found["checkpoints"] += 1
    return found


def without(value, names):
    if isinstance(value, dict):
        return {k: without(v, names) for k, v in value.items() if k not in names}
    return [without(v, names) for v in value] if isinstance(value, list) else value


def outcome(run, volatile=frozenset()):
    """What must not depend on interruptions: log, result and the last checkpoint's tensors."""
    run = pathlib.Path(run)
    names = VOLATILE | set(volatile)
    last = max(run.glob("checkpoints/step-*.safetensors"))
    metadata, data = read_checkpoint(last)
    return {
        "metrics": without(read_metrics(run / "metrics.jsonl", torn_end_allowed=False), names),
        "result": without(json.loads((run / "result.json").read_text()), names),
        "last checkpoint": last.name,
        "tensors": zlib.crc32(data),
        "state": without(json.loads(metadata["state"]), names),
    }
