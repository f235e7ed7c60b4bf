"""Frames: columns of any kind, matched by name, with results in their units."""

import datetime

import numpy as np
import pytest

import nw

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
