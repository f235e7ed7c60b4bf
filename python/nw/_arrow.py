"""Columns from anything that exports Arrow's C stream interface, without pyarrow.

https://arrow.apache.org/docs/format/CDataInterface.html describes the three structs below. Buffers are copied as they are
read, and every batch is released before the next one.
"""
from __future__ import annotations

import ctypes as c

import numpy as np


class _Schema(c.Structure):
    pass


_Schema._fields_ = [("format", c.c_char_p), ("name", c.c_char_p), ("metadata", c.c_void_p),
                    ("flags", c.c_int64), ("n_children", c.c_int64),
                    ("children", c.POINTER(c.POINTER(_Schema))), ("dictionary", c.POINTER(_Schema)),
                    ("release", c.CFUNCTYPE(None, c.POINTER(_Schema))), ("private_data", c.c_void_p)]


class _Array(c.Structure):
    pass


_Array._fields_ = [("length", c.c_int64), ("null_count", c.c_int64), ("offset", c.c_int64),
                   ("n_buffers", c.c_int64), ("n_children", c.c_int64),
                   ("buffers", c.POINTER(c.c_void_p)), ("children", c.POINTER(c.POINTER(_Array))),
                   ("dictionary", c.POINTER(_Array)),
                   ("release", c.CFUNCTYPE(None, c.POINTER(_Array))), ("private_data", c.c_void_p)]


class _Stream(c.Structure):
    pass


_Stream._fields_ = [("get_schema", c.CFUNCTYPE(c.c_int, c.POINTER(_Stream), c.POINTER(_Schema))),
                    ("get_next", c.CFUNCTYPE(c.c_int, c.POINTER(_Stream), c.POINTER(_Array))),
                    ("get_last_error", c.CFUNCTYPE(c.c_char_p, c.POINTER(_Stream))),
                    ("release", c.CFUNCTYPE(None, c.POINTER(_Stream))), ("private_data", c.c_void_p)]

_PLAIN = {"c": "i1", "C": "u1", "s": "<i2", "S": "<u2", "i": "<i4", "I": "<u4", "l": "<i8", "L": "<u8",
          "e": "<f2", "f": "<f4", "g": "<f8"}
_UNIT = {"s": "s", "m": "ms", "u": "us", "n": "ns"}


def _buffer(array, index, count, dtype):
    """A copy of the first `count` values of a buffer."""
    dtype = np.dtype(dtype)
    address = array.buffers[index]
    if not address or count == 0:
        return np.zeros(count, dtype)
    raw = (c.c_char * (count * dtype.itemsize)).from_address(address)
    return np.frombuffer(raw, dtype, count).copy()


def _bits(array, index):
    end = array.offset + array.length
    packed = _buffer(array, index, (end + 7) // 8, "u1")
    return np.unpackbits(packed, bitorder="little")[array.offset:end].astype(bool)


def _missing(array):
    if array.n_buffers == 0:  # the type of nothing
        return np.ones(array.length, bool)
    if array.null_count == 0 or not array.buffers[0]:
        return np.zeros(array.length, bool)
    return ~_bits(array, 0)


def _texts(array, offsets):
    end = array.offset + array.length
    places = _buffer(array, 1, end + 1, offsets)
    data = _buffer(array, 2, int(places[-1]), "u1").tobytes()
    return [data[places[i]:places[i + 1]].decode("utf-8", "replace")
            for i in range(array.offset, end)]


def _viewed_texts(array):
    end = array.offset + array.length
    views = _buffer(array, 1, end * 16, "u1").tobytes()
    sizes = _buffer(array, array.n_buffers - 1, array.n_buffers - 3, "<i8")
    data = [_buffer(array, 2 + i, int(size), "u1").tobytes() for i, size in enumerate(sizes)]
    texts = []
    for i in range(array.offset, end):
        view = views[16 * i:16 * i + 16]
        length = int.from_bytes(view[:4], "little")
        if length <= 12:
            text = view[4:4 + length]
        else:
            which, at = int.from_bytes(view[8:12], "little"), int.from_bytes(view[12:], "little")
            text = data[which][at:at + length]
        texts.append(text.decode("utf-8", "replace"))
    return texts


def _values(array, kind, dictionary):
    """What the cells of one batch are: an array, or a list of texts; None for a type that has no column."""
    end = array.offset + array.length
    if dictionary is not None:
        codes = _buffer(array, 1, end, _PLAIN[kind])[array.offset:].astype(np.int64)
        levels = dictionary
        known = isinstance(levels, list)
        safe = np.clip(codes, 0, max(len(levels) - 1, 0))
        if len(levels) == 0:
            return [None] * array.length
        return [levels[code] for code in safe] if known else levels[safe]
    if kind in _PLAIN:
        return _buffer(array, 1, end, _PLAIN[kind])[array.offset:]
    if kind == "b":
        return _bits(array, 1)
    if kind in ("u", "U"):
        return _texts(array, "<i4" if kind == "u" else "<i8")
    if kind == "vu":
        return _viewed_texts(array)
    if kind == "n":
        return [None] * array.length
    if kind == "tdD":
        return _buffer(array, 1, end, "<i4")[array.offset:].astype("datetime64[D]").astype("datetime64[us]")
    if kind == "tdm":
        return _buffer(array, 1, end, "<i8")[array.offset:].astype("datetime64[ms]").astype("datetime64[us]")
    if kind.startswith("ts"):
        unit = f"datetime64[{_UNIT[kind[2]]}]"
        return _buffer(array, 1, end, "<i8")[array.offset:].astype(unit).astype("datetime64[us]")
    if kind[:2] in ("tD", "tt"):
        width = "<i4" if kind in ("tts", "ttm") else "<i8"
        unit = f"timedelta64[{_UNIT[kind[2]]}]"
        return _buffer(array, 1, end, width)[array.offset:].astype(unit).astype("timedelta64[us]")
    if kind.startswith("d:"):
        parts = [int(part) for part in kind[2:].split(",")]
        width = (parts[2] if len(parts) > 2 else 128) // 8
        raw = _buffer(array, 1, end * width, "u1").tobytes()
        scale = 10.0 ** -parts[1]
        return np.array([int.from_bytes(raw[i * width:(i + 1) * width], "little", signed=True) * scale
                         for i in range(array.offset, end)], np.float64)
    return None


def _read_schema(schema):
    columns = []
    for i in range(schema.n_children):
        child = schema.children[i].contents
        coded = child.dictionary.contents.format.decode() if child.dictionary else None
        columns.append((child.name.decode() if child.name else "", child.format.decode(), coded))
    return columns


def read_stream(table):
    """Columns of `table` as (name, values, missing), values being an array or a list; types without a column are refused
    by a ValueError that names the column."""
    capsule = table.__arrow_c_stream__()
    get = c.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = c.c_void_p, [c.py_object, c.c_char_p]
    stream = _Stream.from_address(get(capsule, b"arrow_array_stream"))

    def check(code, what):
        if code == 0:
            return
        message = stream.get_last_error(c.byref(stream))
        raise ValueError(f"{type(table).__name__}: {what} failed: {(message or b'').decode() or code}")

    schema = _Schema()
    try:
        check(stream.get_schema(c.byref(stream), c.byref(schema)), "reading the columns")
        if schema.format != b"+s":
            raise ValueError(f"{type(table).__name__}: its stream has no columns; give a table")
        columns = _read_schema(schema)
        schema.release(c.byref(schema))
        parts = [([], []) for _ in columns]
        while True:
            batch = _Array()
            check(stream.get_next(c.byref(stream), c.byref(batch)), "reading rows")
            if not batch.release:
                break
            try:
                for i, (name, kind, coded) in enumerate(columns):
                    array = batch.children[i].contents
                    levels = _values(array.dictionary.contents, coded, None) if coded else None
                    values = _values(array, kind, levels)
                    if values is None:
                        raise ValueError(f"column {name!r}: nw does not read Arrow's type {kind!r}; "
                                         "split it into columns of numbers or texts, or leave it out")
                    parts[i][0].append(values)
                    parts[i][1].append(_missing(array))
            finally:
                batch.release(c.byref(batch))
    finally:
        if stream.release:
            stream.release(c.byref(stream))
    return [(name, _join(values), np.concatenate(missing) if missing else np.zeros(0, bool))
            for (name, _, _), (values, missing) in zip(columns, parts)]


def _join(values):
    if values and all(isinstance(part, np.ndarray) for part in values):
        return np.concatenate(values)
    return [cell for part in values for cell in part]
