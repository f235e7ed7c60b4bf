"""What Python's arguments may be: numbers of components, "auto", progress."""
import io

import numpy as np
import pytest

import nw
from nw import _progress

RNG = np.random.default_rng(5)
X = np.concatenate([RNG.normal(-6, 1, (80, 2)), RNG.normal(6, 1, (40, 2))])
Y = np.concatenate([RNG.normal(-6, 1, (40, 2)), RNG.normal(6, 1, (80, 2))])


@pytest.mark.parametrize("k", [0, -1, 2.5, True, "some", np.int64(-3)])
def test_a_number_of_components_that_cannot_be_gives_a_sentence(k):
    for call in (lambda: nw.compare(X, Y, k=k), lambda: nw.normalized_wasserstein(X, Y, k=k)):
        with pytest.raises(ValueError, match='^k must be a whole number of at least 1, or "auto", got '):
            call()
    with pytest.raises(ValueError, match="^max_k must be a whole number of at least 1, got "):
        nw.choose_k(X, max_k=k)


def test_an_estimator_names_its_own_parameter():
    pytest.importorskip("sklearn")
    with pytest.raises(ValueError, match='^n_components must be a whole number of at least 1, or "auto", got -1$'):
        nw.NormalizedWasserstein(n_components=-1).fit(X)


def test_auto_means_the_number_that_choose_k_finds():
    found = nw.choose_k(X, Y)
    fit = nw.normalized_wasserstein(X, Y, k="auto")
    assert fit.k == found.k == 2
    assert fit.value == found.fit.value
    assert nw.compare(X, Y, k="auto", resamplings=99).k == nw.compare(X, Y, k=None, resamplings=99).k


def test_true_draws_a_bar_that_ends_its_line(capsys):
    nw.normalized_wasserstein(X, Y, k=3, restarts=8, progress=True)
    drawn = capsys.readouterr()
    assert drawn.out == ""
    assert drawn.err.startswith("\r") and drawn.err.endswith("\n") and "%" in drawn.err


def test_a_bar_fills_up_and_overwrites_what_was_longer():
    stream = io.StringIO()
    bar = _progress.Bar(stream)
    bar("a long stage", 0.0)
    bar("end", 1.5)
    bar.close()
    first, last = stream.getvalue().strip("\r\n").split("\r")
    assert "[" + "#" * 30 + "] 100 %" in last and "#" not in first
    assert len(last) == len(first)


def test_no_bar_is_drawn_when_none_is_asked_for(capsys):
    nw.normalized_wasserstein(X, Y, k=1, progress=False)
    assert capsys.readouterr().err == ""


def test_progress_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="progress must be True, None or a function"):
        nw.compare(X, Y, k=1, progress="bar")
