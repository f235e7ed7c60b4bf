"""Frames: columns of any kind, matched by name, with results in their units."""

import ctypes
import datetime

import numpy as np
import pytest

import nw
from nw import _arrow

pandas = pytest.importorskip("pandas")


def frame(rows=200, seed=1, share=0.5):
    rng = np.random.default_rng(seed)
    young = rng.random(rows) < share
    return pandas.DataFrame({
        "age": np.where(young, rng.normal(20, 2, rows), rng.normal(60, 2, rows)),
        "income": np.where(young, rng.normal(5, 1, rows), rng.normal(30, 3, rows)) * 1000,
        "group": pandas.Categorical(np.where(young, "student", "worker")),
        "name": [f"person {i}" for i in range(rows)],
        "member": rng.random(rows) < 0.5,
    })  # fmt: skip


def test_results_speak_in_names_and_units_of_the_columns():
    result = nw.compare(frame(share=0.7), frame(seed=2, share=0.2), k=2, resamplings=99)
    assert result.verdict == "proportions"
    table = result.to_frame().sort_values("age")
    assert table["age"].tolist() == pytest.approx([20, 60], abs=2)
    assert table["income"].tolist() == pytest.approx([5000, 30000], rel=0.1)
    assert table["group = worker"].tolist() == pytest.approx([0, 1], abs=0.05)
    left_out = {c["name"]: c["reason"] for c in result.columns if not c["used"]}
    assert left_out == {"name": "all different"}


def test_order_and_units_of_columns_do_not_matter():
    x, y = frame(), frame(seed=2, share=0.3)
    plain = nw.compare(x, y, k=2, resamplings=99)
    y = y[["member", "income", "name", "group", "age"]].rename(columns={"age": "Age"})
    x, y["Age"] = x.assign(age=x["age"] * 1000 + 1e6), y["Age"] * 1000 + 1e6
    other = nw.compare(x, y, k=2, resamplings=99)
    assert other.verdict == plain.verdict
    assert other.pi_x == pytest.approx(plain.pi_x, abs=1e-6)
    assert other.pi_y == pytest.approx(plain.pi_y, abs=1e-6)


def test_missing_and_nullable_columns_are_kept_and_counted():
    x, y = frame(), frame(seed=2)
    x["count"] = pandas.array([None if i % 4 == 0 else i % 9 for i in range(len(x))], dtype="Int64")
    y["count"] = pandas.array([i % 9 for i in range(len(y))], dtype="Int64")
    x["when"] = [None if i == 3 else datetime.date(2024, 1, 1 + i * 7 % 28) for i in range(len(x))]
    y["when"] = pandas.to_datetime([f"2024-01-{1 + i * 5 % 28:02}" for i in range(len(y))])
    result = nw.compare(x, y, k=2, resamplings=99)
    columns = {c["name"]: c for c in result.columns}
    assert columns["count"]["missing_x"] == pytest.approx(0.25)
    assert columns["count"]["missing_changed"]
    assert columns["when"]["kind"] == "datetime"
    with pytest.raises(ValueError, match="column \"count\" has 50 missing values"):
        nw.compare(x, y, k=2, table={"missing": "error"})


def test_errors_name_the_column_and_the_value():
    x, y = frame(), frame(seed=2)
    x["odd"] = [[1, 2]] * len(x)
    with pytest.raises(ValueError, match="column 'odd', row 0: list"):
        nw.compare(x, y)
    with pytest.raises(ValueError, match="has no column \"agee\".*did you mean 'age'"):
        nw.compare(frame(), y, table={"columns": ["agee"]})
    with pytest.raises(ValueError, match="column \"group\" cannot be numeric"):
        nw.compare(frame(), y, table={"types": {"group": "numeric"}})
    with pytest.raises(ValueError, match="two tables or two arrays"):
        nw.compare(frame(), np.zeros((10, 2)))


class Foreign:
    """A frame of a package that nobody knows, which speaks the exchange protocol."""

    def __init__(self, data):
        self._data = data

    def __dataframe__(self, *args, **kwargs):
        return self._data.__dataframe__(*args, **kwargs)


def test_frames_of_other_packages_come_by_the_exchange_protocol():
    x, y = frame()[["age", "income"]], frame(seed=2)[["age", "income"]]
    direct = nw.choose_k(x, y, max_k=3)
    assert nw.choose_k(Foreign(x), Foreign(y), max_k=3).k == direct.k == 2


def test_a_frame_of_numbers_is_still_good_for_distances():
    x = frame()[["age", "income"]]
    assert nw.wasserstein(x, x).distance == pytest.approx(0.0, abs=1e-9)


class ArrowTable:
    """Columns by Arrow's C stream interface, written here by ctypes: (name, format, buffers, dictionary) of each batch."""

    def __init__(self, batches):
        self.batches = batches

    def __arrow_c_stream__(self, requested_schema=None):
        self.keep, self.released = [], []
        waiting = list(self.batches)

        def hold(value):
            self.keep.append(value)
            return value

        def released(kind):
            def release(at):
                self.released.append(kind)
                at.contents.release = type(at.contents.release)()
            return release

        def fill_schema(at, fmt, name=b"", children=(), dictionary=None):
            at.format, at.name = hold(fmt), hold(name)
            at.n_children, at.flags = len(children), 2
            pointers = hold((ctypes.POINTER(_arrow._Schema) * max(len(children), 1))())
            for i, child in enumerate(children):
                pointers[i] = ctypes.pointer(hold(child))
            at.children = ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(_arrow._Schema)))
            if dictionary is not None:
                at.dictionary = ctypes.pointer(hold(dictionary))
            at.release = hold(ctypes.CFUNCTYPE(None, ctypes.POINTER(_arrow._Schema))(released("schema")))
            return at

        def fill_array(at, length, buffers, offset=0, children=(), dictionary=None):
            at.length, at.offset, at.null_count = length, offset, -1
            at.n_buffers, at.n_children = len(buffers), len(children)
            addresses = hold((ctypes.c_void_p * max(len(buffers), 1))())
            for i, buffer in enumerate(buffers):
                addresses[i] = None if buffer is None else hold(np.ascontiguousarray(buffer)).ctypes.data
            at.buffers = ctypes.cast(addresses, ctypes.POINTER(ctypes.c_void_p))
            pointers = hold((ctypes.POINTER(_arrow._Array) * max(len(children), 1))())
            for i, child in enumerate(children):
                pointers[i] = ctypes.pointer(hold(child))
            at.children = ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(_arrow._Array)))
            if dictionary is not None:
                at.dictionary = ctypes.pointer(hold(dictionary))
            at.release = hold(ctypes.CFUNCTYPE(None, ctypes.POINTER(_arrow._Array))(released("array")))
            return at

        def get_schema(_, out):
            children = [fill_schema(_arrow._Schema(), fmt.encode(), name.encode(),
                                    dictionary=coded and fill_schema(_arrow._Schema(), b"u"))
                        for name, fmt, _, coded in self.batches[0]]
            fill_schema(out.contents, b"+s", children=children)
            return 0

        def get_next(_, out):
            if waiting:
                columns = waiting.pop(0)
                length = columns[0][2]["length"]
                children = [fill_array(_arrow._Array(), length, cells["buffers"], cells.get("offset", 0),
                                       dictionary=coded and fill_array(_arrow._Array(), coded["length"], coded["buffers"]))
                            for _, _, cells, coded in columns]
                fill_array(out.contents, length, [None], children=children)
            return 0

        stream = hold(_arrow._Stream())
        for name, function in (("get_schema", get_schema), ("get_next", get_next), ("get_last_error", lambda _: None),
                               ("release", released("stream"))):
            setattr(stream, name, hold(dict(_arrow._Stream._fields_)[name](function)))
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(stream), b"arrow_array_stream", None)


def bitmap(flags):
    return np.packbits(np.asarray(flags, bool), bitorder="little")


def texts(values, offsets="<i4"):
    data = [v.encode() for v in values]
    return [np.cumsum([0] + [len(d) for d in data]).astype(offsets), np.frombuffer(b"".join(data) or b"\0", "u1")]


def arrow_of(data, begin, end):
    """Rows of a frame as a batch; numbers are stored with three rows before them, as slices are."""
    part = data.iloc[begin:end]
    rows = len(part)
    known = part["age"].notna().to_numpy()
    before = np.zeros(3)
    levels = ["student", "worker"]
    return [
        ("age", "g", {"length": rows, "offset": 3,
                      "buffers": [bitmap(np.r_[before, known]), np.r_[before, part["age"].fillna(0).to_numpy()]]}, None),
        ("income", "f", {"length": rows, "buffers": [None, part["income"].to_numpy("f4")]}, None),
        ("group", "c", {"length": rows, "buffers": [None, part["group"].cat.codes.to_numpy("i1")]},
         {"length": 2, "buffers": [None, *texts(levels)]}),
        ("name", "U", {"length": rows, "buffers": [None, *texts(part["name"], "<i8")]}, None),
        ("member", "b", {"length": rows, "buffers": [None, bitmap(part["member"])]}, None),
        ("count", "l", {"length": rows, "buffers": [bitmap(part["count"].notna()), part["count"].fillna(0).to_numpy("i8")]},
         None),
        ("day", "tdD", {"length": rows,
                        "buffers": [None, part["day"].to_numpy().astype("datetime64[D]").astype("i4")]}, None),
    ]  # fmt: skip


def test_arrow_streams_are_read_without_pyarrow_and_say_what_the_frame_says():
    frames = []
    for seed, share in ((1, 0.7), (2, 0.2)):
        data = frame(seed=seed, share=share)
        data["income"] = data["income"].astype("f4").astype("f8")
        data.loc[::9, "age"] = np.nan
        data["count"] = pandas.array([None if i % 4 == 0 else i % 9 for i in range(len(data))], dtype="Int64")
        data["day"] = pandas.to_datetime([f"2024-01-{1 + i * 5 % 28:02}" for i in range(len(data))])
        frames.append(data)
    streams = [ArrowTable([arrow_of(data, 0, 90), arrow_of(data, 90, 200)]) for data in frames]
    direct = nw.compare(*frames, k=2, resamplings=99)
    found = nw.compare(*streams, k=2, resamplings=99)
    assert found.columns == direct.columns
    assert found.pi_y == pytest.approx(direct.pi_y, abs=1e-9)
    assert found.to_frame()["age"].tolist() == pytest.approx(direct.to_frame()["age"].tolist(), abs=1e-9)
    for stream in streams:
        assert stream.released == ["schema", "array", "array", "stream"]


def test_arrow_types_without_a_column_are_refused_by_name():
    odd = ArrowTable([[("tags", "+l", {"length": 2, "buffers": [None, np.zeros(3, "i4")]}, None)]])
    with pytest.raises(ValueError, match=r"column 'tags': nw does not read Arrow's type '\+l'"):
        nw.choose_k(odd, max_k=2)
    assert odd.released == ["schema", "array", "stream"]
