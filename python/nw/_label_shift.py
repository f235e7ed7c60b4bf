"""The mix of classes in data without labels, from what a model says about them."""
from __future__ import annotations

import dataclasses
from typing import Any, List

import numpy as np

from . import _nw
from ._arrays import as_points, as_seed

_DEFAULTS = _nw.label_shift_defaults()


@dataclasses.dataclass(frozen=True, eq=False)
class ShareEstimate:
    """Shares of the classes in y, found in one way."""

    share: np.ndarray
    interval: np.ndarray = dataclasses.field(repr=False)  #: shape (k, 2)


@dataclasses.dataclass(frozen=True, eq=False)
class LabelShiftResult:
    """The answer of :func:`label_shift`."""

    classes: List[Any]  #: what the columns of the scores stand for
    share_x: np.ndarray  #: of the classes in x
    #: the answer: by likelihood, with intervals that hold the shares found in the other ways, too
    shares: ShareEstimate
    likelihood: ShareEstimate  #: maximum likelihood by EM
    confusion: ShareEstimate  #: the mean scores of y as a mix of those of the classes of x
    transport: ShareEstimate  #: the mix of the scores of the classes of x nearest to y's in W1
    p: float  #: of "the scores of y are a mix of those of the classes of x"
    tenable: bool  #: False: a class has changed or is new, and no shares are right
    temperature: float = dataclasses.field(repr=False)  #: of the calibration
    bias: np.ndarray = dataclasses.field(repr=False)
    corrected: np.ndarray = dataclasses.field(repr=False)  #: probabilities of y for `likelihood`
    sentence: str
    seconds: float = dataclasses.field(repr=False)

    def __str__(self) -> str:
        return self.sentence


def label_shift(
    scores_x: Any,
    labels_x: Any,
    scores_y: Any,
    *,
    classes: Any = None,
    resamplings: int = _DEFAULTS["resamplings"],
    confidence: float = _DEFAULTS["confidence"],
    alpha: float = _DEFAULTS["alpha"],
    calibrate: bool = _DEFAULTS["calibrate"],
    seed: int = 0,
    threads: int = _DEFAULTS["threads"],
) -> LabelShiftResult:
    """The mix of classes in y from a model's outputs alone, and whether another mix explains them.

    Parameters
    ----------
    scores_x, scores_y : array-like of shape (n, k) and (m, k)
        Probabilities that the model gives the classes. The model must not have learnt from x.
    labels_x : array-like of length n
        True classes of x.
    classes : list of length k, optional
        What the columns stand for; the sorted labels by default.
    calibrate : bool
        Correct the probabilities on x first (a temperature and a bias per class).

    Examples
    --------
    >>> import numpy as np, nw
    >>> rng = np.random.default_rng(3)
    >>> def draw(n, second):
    ...     label = (rng.uniform(size=n) < second).astype(int)
    ...     z = rng.normal(size=n) + 2 * label - 1
    ...     p = 1 / (1 + np.exp(-2 * z))  # for equal shares
    ...     return np.c_[1 - p, p], label
    >>> (scores_x, labels_x), (scores_y, _) = draw(1000, 0.5), draw(1000, 0.8)
    >>> result = nw.label_shift(scores_x, labels_x, scores_y, resamplings=99)
    >>> result.tenable, bool(abs(result.likelihood.share[1] - 0.8) < 0.06)
    (True, True)
    """
    labels = np.asarray(labels_x)
    names = list(np.unique(labels)) if classes is None else list(classes)
    number = {name: place for place, name in enumerate(names)}
    try:
        class_of = [number[label] for label in labels.tolist()]
    except KeyError as error:
        raise ValueError(f"labels_x: {error.args[0]!r} is not among the classes {names}") from error
    options = {"resamplings": resamplings, "confidence": confidence, "alpha": alpha,
               "calibrate": calibrate, "threads": threads}
    found = _nw.label_shift(as_points(scores_x, "scores_x"), class_of, as_points(scores_y, "scores_y"),
                            options, [str(name) for name in names], as_seed(seed))
    for way in ("shares", "likelihood", "confusion", "transport"):
        found[way] = ShareEstimate(**found[way])
    return LabelShiftResult(classes=names, **found)
