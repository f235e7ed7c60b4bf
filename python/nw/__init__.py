"""The Normalized Wasserstein measure: did the members of two data sets change, or only their mix?

>>> import numpy as np, nw
>>> rng = np.random.default_rng(0)
>>> centres = np.array([[0.0, 0.0], [8.0, 0.0]])
>>> x = centres[rng.choice(2, 300, p=[0.7, 0.3])] + rng.normal(size=(300, 2))
>>> y = centres[rng.choice(2, 300, p=[0.2, 0.8])] + rng.normal(size=(300, 2))
>>> nw.wasserstein(x, y).distance > 3  # a classical distance sees a large difference
True
>>> nw.compare(x, y, k=2, resamplings=99).verdict  # the members are the same
'proportions'

Functions take anything NumPy or PyTorch understands as an array of points, one row per point. C-contiguous
float64 is used in place, everything else is converted once. They release the interpreter's lock, answer
Ctrl-C, and raise ValueError for bad input. The same seed gives the same answer for every number of threads.
"""
from typing import TYPE_CHECKING as _TYPE_CHECKING

from ._nw import __version__
from ._batch import BatchResult, wasserstein_batch, wasserstein_pairs
from ._choose_k import ChooseKResult, CurvePoint, choose_k
from ._compare import CompareResult, ComponentChange, Effect, compare
from ._emd import emd, emd2
from ._label_shift import LabelShiftResult, ShareEstimate, label_shift
from ._measure import NormalizedResult, normalized_wasserstein
from ._metric import TransportResult, partial_emd, transport_cost
from ._transport import WassersteinResult, wasserstein

if _TYPE_CHECKING:
    from ._estimator import NormalizedWasserstein
    from ._gradient import transport_loss
    from ._learning import Adapter, Denoiser, MixtureClustering, MixtureGAN
    from ._library import Interrupted

__all__ = [
    "Adapter", "BatchResult", "ChooseKResult", "CompareResult", "ComponentChange", "CurvePoint",
    "Denoiser", "Effect", "Interrupted", "LabelShiftResult", "MixtureClustering", "MixtureGAN",
    "NormalizedResult", "NormalizedWasserstein", "ShareEstimate", "TransportResult",
    "WassersteinResult", "choose_k", "compare", "emd", "emd2", "label_shift",
    "normalized_wasserstein", "partial_emd", "transport_cost", "transport_loss", "wasserstein",
    "wasserstein_batch", "wasserstein_pairs", "__version__",
]  # fmt: skip


def __getattr__(name):
    # The estimator needs scikit-learn, which the functions do not: imported when it is asked for.
    if name == "NormalizedWasserstein":
        from ._estimator import NormalizedWasserstein

        return NormalizedWasserstein
    if name == "transport_loss":  # needs PyTorch
        from ._gradient import transport_loss

        return transport_loss
    if name in ("Adapter", "Denoiser", "MixtureClustering", "MixtureGAN"):
        from . import _learning

        return getattr(_learning, name)
    if name == "Interrupted":
        from ._library import Interrupted

        return Interrupted
    raise AttributeError(f"module 'nw' has no attribute {name!r}")


def __dir__():
    return sorted(__all__)
