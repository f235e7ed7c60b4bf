"""From data frames to the columns that the library takes, whichever package made them."""
from __future__ import annotations

import datetime
import numbers
from typing import Any, Dict, List, Optional

import numpy as np

from . import _nw
from ._arrow import read_stream


def is_table(values: Any) -> bool:
    """Whether `values` has named columns of their own types: a frame of pandas, polars, pyarrow or
    another package that speaks one of the exchange protocols."""
    speaks = hasattr(values, "__dataframe__") or hasattr(values, "__arrow_c_stream__")
    return speaks and getattr(values, "ndim", 2) != 1  # a series is an array of one column


def _as_frame(values):
    """Names and columns: series of pandas, and of all others lists or NumPy arrays."""
    module = type(values).__module__.split(".")[0]
    if module == "pandas":
        return [(str(name), values.iloc[:, i]) for i, name in enumerate(values.columns)]
    if hasattr(values, "__arrow_c_stream__"):
        return [(name, _with_missing(cells, missing)) for name, cells, missing in read_stream(values)]
    try:
        from pandas.api.interchange import from_dataframe
    except ImportError as error:
        raise ValueError(f"{type(values).__name__}: reading frames that export no Arrow stream takes pandas 1.5; "
                         "install it, or convert the frame with .to_pandas()") from error
    return _as_frame(from_dataframe(values))


def _with_missing(cells, missing):
    """Cells of an Arrow column with its holes: an array where its type has a value for them, else a list."""
    if not isinstance(cells, np.ndarray):
        return [None if hole else cell for cell, hole in zip(cells, missing)]
    if not missing.any():
        return cells
    if cells.dtype.kind == "f":
        return np.where(missing, np.nan, cells)
    if cells.dtype.kind in "mM":
        cells[missing] = np.array("NaT", cells.dtype)
        return cells
    return [None if hole else cell for cell, hole in zip(cells.tolist(), missing)]


def _text(name, cells):
    """Distinct texts and their codes; -1 where missing."""
    codes, levels, known = np.empty(len(cells), np.int64), [], {}
    for i, cell in enumerate(cells):
        if cell is None or cell != cell:
            codes[i] = -1
            continue
        text = str(cell)
        if text not in known:
            known[text] = len(levels)
            levels.append(text)
        codes[i] = known[text]
    return {"name": name, "kind": "text", "levels": levels, "codes": codes}


def _numbers(name, kind, values, inexact=False):
    return {"name": name, "kind": kind, "numbers": np.ascontiguousarray(values, np.float64),
            "inexact": inexact}


def _from_array(name, array):
    kind = array.dtype.kind
    if kind in "iu":
        inexact = array.size > 0 and max(abs(int(array.max())), abs(int(array.min()))) > 2**53
        return _numbers(name, "number", array, inexact)
    if kind == "f":
        return _numbers(name, "number", array)
    if kind == "b":
        return _numbers(name, "boolean", array)
    if kind == "M":
        seconds = array.astype("datetime64[us]").astype(np.float64) / 1e6
        seconds[np.isnat(array)] = np.nan
        return _numbers(name, "timestamp", seconds)
    if kind == "m":
        seconds = array.astype("timedelta64[us]").astype(np.float64) / 1e6
        seconds[np.isnat(array)] = np.nan
        return _numbers(name, "number", seconds)
    return None


def _missing(cell):
    return cell is None or cell != cell or type(cell).__name__ in ("NAType", "NaTType")


def _from_list(name, cells):
    """Values of any types: all numbers, all truth values, all times, or text."""
    cells = [None if _missing(cell) else cell for cell in cells]
    present = [cell for cell in cells if cell is not None]
    if present and all(isinstance(cell, (bool, np.bool_)) for cell in present):
        return _numbers(name, "boolean", [np.nan if c is None else float(c) for c in cells])
    if present and all(isinstance(cell, numbers.Real) for cell in present):
        inexact = any(isinstance(c, numbers.Integral) and abs(int(c)) > 2**53 for c in present)
        return _numbers(name, "number", [np.nan if c is None else float(c) for c in cells], inexact)
    if present and all(isinstance(cell, numbers.Number) or type(cell).__name__ == "Decimal"
                       for cell in present) and not any(isinstance(c, complex) for c in present):
        return _numbers(name, "number", [np.nan if c is None else float(c) for c in cells])
    if present and all(isinstance(cell, datetime.date) for cell in present):
        stamps = np.array([None if c is None else np.datetime64(_without_zone(c), "us") for c in cells],
                          dtype="datetime64[us]")
        return _from_array(name, stamps)
    for row, cell in enumerate(cells):
        if isinstance(cell, (list, dict, set, tuple, np.ndarray)):
            raise ValueError(f"column {name!r}, row {row}: {type(cell).__name__} {str(cell)[:40]!r} "
                             "is neither a number nor a text; split it into columns of its own")
    return _text(name, cells)


def _without_zone(moment):
    if isinstance(moment, datetime.datetime) and moment.tzinfo is not None:
        return moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return moment


def _column(name, values):
    if isinstance(values, list):
        return _from_list(name, values)
    if isinstance(values, np.ndarray):
        return _from_array(name, values)
    dtype = values.dtype
    if hasattr(values, "cat"):  # pandas' categories: what is declared is text, also numbers
        return {"name": name, "kind": "text", "levels": [str(level) for level in values.cat.categories],
                "codes": np.asarray(values.cat.codes, np.int64)}
    if isinstance(dtype, np.dtype):
        made = _from_array(name, values.to_numpy())
    elif getattr(dtype, "tz", None) is not None:
        made = _from_array(name, values.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
    elif getattr(dtype, "kind", "O") in "iuf":
        made = _from_array(name, values.to_numpy(dtype=np.float64, na_value=np.nan))
    else:
        made = None
    return made if made is not None else _from_list(name, values.tolist())


def columns_of(values: Any, name: str) -> List[Dict[str, Any]]:
    """The columns of a frame as the extension takes them."""
    columns = [_column(label, cells) for label, cells in _as_frame(values)]
    if not columns:
        raise ValueError(f"{name}: the table has no columns")
    lengths = {len(c["numbers"]) if "numbers" in c else len(c["codes"]) for c in columns}
    if lengths == {0}:
        raise ValueError(f"{name}: the table has no rows")
    return columns


def table_options(columns=None, exclude=None, types=None, missing="keep", scale="robust",
                  count_column="") -> Dict[str, Any]:
    listed = [columns or [], exclude or []]
    listed = [[entry] if isinstance(entry, str) else list(entry) for entry in listed]
    return {"columns": [str(c) for c in listed[0]], "exclude": [str(c) for c in listed[1]],
            "types": {str(c): str(k) for c, k in (types or {}).items()}, "missing": missing,
            "scale": scale, "count_column": str(count_column or "")}


def encode(x: Any, y: Any, options: Optional[Dict[str, Any]] = None):
    """Both tables as points; None unless both are tables."""
    tables = [is_table(x), y is not None and is_table(y)]
    if not any(tables):
        return None
    if y is not None and not all(tables):
        raise ValueError("x and y: one is a table with named columns, the other an array; "
                         "give two tables or two arrays")
    try:
        return _nw.encode_tables(columns_of(x, "x"), None if y is None else columns_of(y, "y"),
                                 table_options(**(options or {})))
    except OSError as error:  # what is wrong with a file is a wrong argument here
        raise ValueError(str(error)) from error
