"""What the functions accept as points, without copying where they need not, and how they refuse."""
import subprocess
import sys

import numpy as np
import pytest

import nw
from nw import _arrays

X = np.random.default_rng(0).standard_normal((40, 2))
Y = np.random.default_rng(1).standard_normal((30, 2)) + 1


def test_contiguous_doubles_are_used_in_place():
    assert np.shares_memory(_arrays.as_points(X, "x"), X)
    line = X[:, 0].copy()
    assert np.shares_memory(_arrays.as_points(line, "x"), line)


@pytest.mark.parametrize("other", [
    X.tolist(), X.astype(object), np.asfortranarray(X), X[::1], np.repeat(X, 2, axis=0)[::2],
    np.ma.masked_array(X), memoryview(X)], ids=lambda v: type(v).__name__)
def test_every_holder_of_the_same_numbers_gives_the_same_distance(other):
    assert nw.wasserstein(other, Y).distance == nw.wasserstein(X, Y).distance


@pytest.mark.parametrize("kind", ["f4", "f2", "i8", "u1", "?"])
def test_other_number_types_are_converted_exactly(kind):
    values = (np.arange(12).reshape(6, 2) % 2).astype(kind)
    assert nw.wasserstein(values, Y).distance == nw.wasserstein(values.astype(float), Y).distance


def test_torch_tensors_are_read_without_importing_torch_in_nw():
    torch = pytest.importorskip("torch")
    expected = nw.wasserstein(X, Y).distance
    tensor = torch.from_numpy(X)
    assert np.shares_memory(_arrays.as_points(tensor, "x"), X)
    assert nw.wasserstein(tensor, torch.tensor(Y, requires_grad=True)).distance == expected
    assert nw.wasserstein(torch.tensor(X, dtype=torch.float32), Y).distance == pytest.approx(expected)


def test_importing_nw_imports_neither_torch_nor_sklearn():
    code = "import nw, sys; print([m for m in ('torch', 'sklearn') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_holder_that_knows_only_dlpack_is_read():
    class Holder:
        def __dlpack__(self, *arguments, **more):
            return X.__dlpack__(*arguments, **more)

        def __dlpack_device__(self):
            return X.__dlpack_device__()

    assert nw.wasserstein(Holder(), Y).distance == nw.wasserstein(X, Y).distance


@pytest.mark.parametrize("bad, words", [
    (np.zeros((2, 2, 2)), r"x: expected one row per point .* got the shape \(2, 2, 2\)"),
    (np.array(["a", "b"]), "x: expected an array of real numbers.*got ndarray of <U1"),
    (np.ones((2, 2), dtype=complex), "x: expected an array of real numbers.*complex128"),
    ([[1, 2], [3]], "x: expected an array of real numbers"),
    (None, "x: expected an array of real numbers"),
    (np.zeros((0, 2)), "no points|empty|at least one"),
    ([[1.0, np.nan]], "(?i)nan|finite"),
    ([[1.0, np.inf]], "(?i)inf|finite"),
    ([[1.0, 2.0, 3.0]], "(?i)dimension|column"),
])
def test_bad_points_are_refused_with_our_message(bad, words):
    for function in (nw.wasserstein, nw.compare):
        with pytest.raises(ValueError, match=words):
            function(bad, Y)


def test_bad_options_are_refused_with_our_message():
    with pytest.raises(ValueError, match="p must|order|1 or 2"):
        nw.wasserstein(X, Y, p=3)
    with pytest.raises(ValueError, match="exact"):
        nw.wasserstein(X, Y, method="magic")
    with pytest.raises(ValueError, match="p cannot be 'one'"):
        nw.wasserstein(X, Y, p="one")
    with pytest.raises(ValueError, match=r"weights_x: expected 40 weights.*\(3,\)"):
        nw.wasserstein(X, Y, weights_x=[1, 2, 3])
    with pytest.raises(ValueError, match="weight"):
        nw.wasserstein(X, Y, weights_x=-np.ones(40))
    with pytest.raises(ValueError, match="shape: 'round' is not one of full.diagonal.spherical"):
        nw.compare(X, Y, shape="round")
    with pytest.raises(ValueError, match="resamplings"):
        nw.compare(X, Y, resamplings=1)
    with pytest.raises(ValueError, match="k must be a whole number of at least 1.*got 0"):
        nw.compare(X, Y, k=0)
    with pytest.raises(ValueError, match="seed"):
        nw.compare(X, Y, seed=-1)
    with pytest.raises(TypeError):
        nw.compare(X, Y, kk=2)
